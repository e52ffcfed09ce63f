use touchstone_cases::case::Entry;
use touchstone_model::agent::{Answer, FREE_TEXT};

use super::*;
use crate::compare::{differences, is_moment};

fn case() -> Case {
    let case = Case::of("a", "a", "search_text", json!({"query": "foo", "context_lines": 0}));
    case.with(Entry::file("a", "foo\n"))
        .with(Entry::file("b", "foo bar\n"))
        .with(Entry::file("c", "foo\n"))
}

fn answer() -> Answer {
    model(&case(), Tables::CURRENT).unwrap().unwrap()
}

/// What differs if the page that is right is changed so.
fn found(change: impl Fn(&mut Value)) -> Vec<String> {
    let answer = answer();
    let mut page = answer.page(answer.due());
    change(&mut page);
    let paged = Paged {
        results: answer.results(),
        offset: answer.offset(),
        due: answer.due(),
        page: &|shown| answer.page(shown),
        by_score: true,
    };
    page_differences(&paged, &page).into_iter().map(|one| one.field).collect()
}

#[test]
fn a_page_is_compared_field_by_field() {
    assert_eq!(found(|_| {}), Vec::<String>::new());
    assert_eq!(found(|page| page["total"] = json!(4)), ["total"]);
    assert_eq!(found(|page| page["results"][0]["line"] = json!(2)), ["results[0].line"]);
    assert_eq!(found(|page| page["more"] = json!(1)), ["more"]);
}

#[test]
fn scores_may_differ_by_a_small_tolerance() {
    let by = |by: f64| {
        found(|page| {
            let score = page["results"][2]["score"].as_f64().unwrap();
            page["results"][2]["score"] = json!(score - by);
        })
    };
    assert_eq!(by(0.000_1), Vec::<String>::new());
    assert_eq!(by(0.000_5), ["results[2].score"]);
}

#[test]
fn equal_scores_are_ordered_by_path() {
    let swapped = found(|page| page["results"].as_array_mut().unwrap().swap(0, 1));
    assert_eq!(swapped, ["results[0].score"]);
}

#[test]
fn messages_must_not_be_blank() {
    let page =
        json!({"message": " ", "notices": [{"message": "x"}], "modified": "2026-03-01T12:00:00Z"});
    assert_eq!(
        without_prose(&page),
        json!({"message": " ", "notices": [{"message": FREE_TEXT}], "modified": FREE_TEXT})
    );
    assert!(!is_moment("2026-03-01T12:00:00.5Z") && !is_moment("2026-03-01 12:00:00Z"));
}

#[test]
fn an_answer_must_fit_and_omit_no_more_than_necessary() {
    let answer = answer();
    let observed = |shown: usize| {
        let page = answer.page(shown);
        json!({ STRUCTURED: page, BYTES: length(&page), TEXT_BYTES: 10, COMPLETE: page["complete"] })
    };
    let found = |shown: usize, budget: u64| -> Vec<String> {
        let told: Outcome =
            Ok(Box::new(AgentAnswer { answer: answer.clone(), budget: Some(budget) }));
        let found = differences(&told, Ok(&observed(shown)));
        found.into_iter().map(|one| one.field).collect()
    };
    assert_eq!(found(3, 10_000), Vec::<String>::new());
    assert_eq!(found(2, 400), Vec::<String>::new());
    assert_eq!(found(2, 10_000), ["results"]);
    assert_eq!(found(3, 300), ["bytes"]);
}

#[test]
fn a_refusal_is_compared_by_word_code_and_field() {
    let refused = Case::of("a", "a", "grep", json!({"pattern": "x", "offset": -1}));
    let outcome = outcome(&refused, model(&refused, Tables::CURRENT).unwrap());
    let error = json!({"error": "invalid_argument", "code": "ACODE-SRC-005", "message": "m", "field": "offset"});
    assert_eq!(differences(&outcome, Err(&error)), []);
    let other = json!({"error": "invalid_argument", "code": "ACODE-SRC-005", "message": ""});
    let fields: Vec<String> =
        differences(&outcome, Err(&other)).into_iter().map(|one| one.field).collect();
    assert_eq!(fields, ["error.field", "error.message"]);
}
