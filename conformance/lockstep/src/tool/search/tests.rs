//! Differences of responses, and their text.

use serde_json::{Value, json};
use touchstone_model::{Answer, Event, Fallback, Refusal, Skipped, Stats};

use super::{outcome, response_json};
use crate::compare::{FieldDiff, between, render};

fn answer() -> Answer {
    Answer {
        path: ".".to_owned(),
        events: vec![
            Event::Match {
                path: "a".to_owned(),
                line: 1,
                column: 1,
                text: "foo".to_owned(),
                matched: "foo".to_owned(),
            },
            Event::Context { path: "a".to_owned(), line: 2, text: "bar".to_owned() },
        ],
        truncated: false,
        timed_out: false,
        files_scanned: 1,
        errors: vec![("b".to_owned(), "permission denied".to_owned())],
        content: "a:1:1:foo\na-2-bar\n[errors: 1]\n".to_owned(),
        stats: None,
    }
}

fn differences(
    told: &touchstone_model::Outcome,
    request: &Value,
    observed: Result<&Value, &Value>,
) -> Vec<FieldDiff> {
    crate::compare::differences(&outcome(told, request), observed)
}

fn request() -> Value {
    json!({ "pattern": "foo" })
}

fn response() -> Value {
    json!({
        "pattern": "foo",
        "path": ".",
        "count": 2,
        "matches": [
            { "type": "match", "data": { "path": { "text": "a" }, "line_number": 1, "column": 1,
              "lines": { "text": "foo" }, "match_text": "foo" } },
            { "type": "context", "data": { "path": { "text": "a" }, "line_number": 2, "lines": { "text": "bar" } } },
        ],
        "truncated": false,
        "timed_out": false,
        "files_scanned": 1,
        "errors": [{ "path": "b", "error": "permission denied" }],
        "content": "a:1:1:foo\na-2-bar\n[errors: 1]\n",
    })
}

/// Fields that differ after one change of the response.
fn changed(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut observed = response();
    change(&mut observed);
    let found = differences(&Ok(answer()), &request(), Ok(&observed));
    found.into_iter().map(|difference| difference.field).collect()
}

#[test]
fn the_expected_response_has_the_shape_of_the_document() {
    assert_eq!(response_json(&answer(), &request()), response());
    assert_eq!(changed(|_| {}), Vec::<String>::new());
}

#[test]
fn every_field_of_the_response_is_compared() {
    for field in response().as_object().unwrap().keys() {
        assert!(
            !changed(|observed| observed[field] = json!("other")).is_empty(),
            "{field} changed"
        );
        let removed = changed(|observed| {
            observed.as_object_mut().unwrap().remove(field);
        });
        assert_eq!(removed, std::slice::from_ref(field), "{field} removed");
    }
}

#[test]
fn an_extra_field_is_a_difference() {
    assert_eq!(changed(|observed| observed["extra"] = json!(1)), ["extra"]);
    assert_eq!(
        changed(|observed| observed["matches"][1]["data"]["column"] = json!(1)),
        ["matches[1].data.column"]
    );
}

#[test]
fn one_lost_event_is_one_difference() {
    let found = changed(|observed| {
        observed["matches"].as_array_mut().unwrap().remove(0);
    });
    assert_eq!(found, ["matches[0]"]);
}

#[test]
fn one_event_too_many_is_one_difference() {
    let found = changed(|observed| {
        let first = observed["matches"][0].clone();
        observed["matches"].as_array_mut().unwrap().insert(1, first);
    });
    assert_eq!(found, ["matches[1]"]);
}

#[test]
fn a_number_is_not_equal_to_its_text() {
    assert_eq!(changed(|observed| observed["count"] = json!("2")), ["count"]);
    assert_eq!(changed(|observed| observed["count"] = json!(2.0)), ["count"]);
}

#[test]
fn a_refusal_is_compared_by_class_and_field_and_needs_a_message() {
    let refusal = Err(Refusal { class: "BadArgs".to_owned(), field: "pattern".to_owned() });
    let fields = |error: Value| -> Vec<String> {
        differences(&refusal, &request(), Err(&error))
            .into_iter()
            .map(|difference| difference.field)
            .collect()
    };
    let error = |class: &str, field: Value, message: &str| json!({ "class": class, "field": field, "message": message });
    assert_eq!(fields(error("BadArgs", json!("pattern"), "it is empty")), Vec::<String>::new());
    assert_eq!(fields(error("ExecutionFailed", json!("pattern"), "it is empty")), ["error.class"]);
    assert_eq!(fields(error("BadArgs", json!(null), "it is empty")), ["error.field"]);
    assert_eq!(fields(error("BadArgs", json!("pattern"), " ")), ["error.message"]);
}

#[test]
fn an_answer_instead_of_a_refusal_is_one_difference() {
    let refusal = Err(Refusal { class: "BadArgs".to_owned(), field: "pattern".to_owned() });
    let found = differences(&refusal, &request(), Ok(&response()));
    assert_eq!(found.len(), 1);
    assert!(render(&found).contains("the whole answer"));
    assert_eq!(differences(&Ok(answer()), &request(), Err(&json!({}))).len(), 1);
}

#[test]
fn two_refusals_may_differ_in_their_message() {
    let one = json!({ "class": "BadArgs", "field": "pattern", "message": "one" });
    let other = json!({ "class": "BadArgs", "field": "pattern", "message": "other" });
    assert_eq!(between(Err(&one), Err(&other)), []);
    assert_eq!(between(Ok(&one), Err(&other)).len(), 1);
    assert_eq!(between(Ok(&one), Ok(&other)).len(), 1);
}

#[test]
fn a_difference_is_shown_with_both_sides() {
    let difference = FieldDiff { field: "count".to_owned(), expected: Some(json!(2)), got: None };
    assert_eq!(render(&[difference]), "count\n  - expected 2\n  + got      nothing\n");
}

#[test]
fn stats_are_compared_field_by_field_if_the_model_has_them() {
    let stats = Stats {
        version: 2,
        incomplete_because: vec!["max_results"],
        files_oversized: 1,
        files_cut: 2,
        candidates_total: 3,
        fallback: Fallback {
            levels_tried: vec![1],
            skipped: Some(Skipped::NoTimeLeft),
            passes_skipped: 4,
        },
    };
    let with = Answer { stats: Some(stats), ..answer() };
    let request = json!({"pattern": "foo"});
    let told = response_json(&with, &request);
    assert_eq!(differences(&Ok(with.clone()), &request, Ok(&told)), []);
    for (field, other) in [
        ("stats_version", json!(1)),
        ("complete", json!(true)),
        ("incomplete_because", json!(["max_files"])),
        ("index_safety_state", json!("COMPLETE")),
        ("fallback_passes_skipped", json!(3)),
        ("fuzzy_levels_tried", json!([2])),
        ("candidates_scanned", json!(2)),
        ("elapsed_ms", json!("soon")),
    ] {
        let mut wrong = told.clone();
        wrong["stats"][field] = other;
        let found = differences(&Ok(with.clone()), &request, Ok(&wrong));
        assert!(
            found.iter().all(|one| one.field.starts_with(&format!("stats.{field}"))),
            "{found:?}"
        );
        assert!(!found.is_empty(), "{field}");
    }
    let mut without = told;
    without.as_object_mut().unwrap().remove("stats");
    assert_eq!(differences(&Ok(with), &request, Ok(&without)).len(), 1);
}
