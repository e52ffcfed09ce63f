//! Section 3.6: an answer of at most so many bytes.

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{ErrorClass, Service, ToolContext, ToolError};
use serde_json::{Value, json};
use touchstone::case::{Case, Entry};

use super::asked::{matches, over, table};
use super::clauses::Ground;

fn tree() -> Case {
    over(
        &[
            ("a", "foo one\nfoo \u{1b}\n"),
            ("b", "\0"),
            ("c/d", "x\nfoo \"three\"\ny\n"),
            ("e", "\0"),
            ("f", "foo é\n"),
        ],
        json!({"query": "foo", "context_lines": 1}),
    )
    .with(Entry::dir("empty"))
}

fn context(max_output_bytes: u64, available_capacity_bytes: u64) -> ToolContext {
    ToolContext { max_output_bytes, available_capacity_bytes, allow_truncation: true }
}

/// The text of an answer within a budget. Either limit is the smaller one in turn.
fn within(service: &Service, request: &Value, budget: u64) -> Result<String, ToolError> {
    let mut context = if budget.is_multiple_of(2) {
        context(budget, u64::MAX)
    } else {
        context(budget + 7, budget)
    };
    let answer = service.call_files(&mut context, request);
    assert!(!context.allow_truncation);
    answer.map(|answer| answer.text)
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn an_answer_is_the_longest_prefix_that_fits_the_budget() {
    touchstone::verifies!(
        "FR-SF-OUT-03",
        "FR-SF-OUT-05",
        "NFR-SF-REL-01",
        "T-SF-07",
        "OUTPUT-SF",
        "OUTF-SF-truncated_reason",
        "OUTF-SF-returned"
    );
    let case = tree();
    let ground = Ground::of(&case);
    let service = ground.service(table(""));
    let whole = within(&service, &case.request, 1 << 20).unwrap();
    let (all, length) = (parsed(&whole), whole.len() as u64);
    assert_eq!(matches(&all), ["a:1:1:foo", "a:2:1:foo", "c/d:2:1:foo", "f:1:1:foo"]);
    assert_eq!(
        (all["truncated"].as_bool(), all["errors"].as_array().unwrap().len()),
        (Some(false), 2)
    );
    assert_eq!(parsed(&within(&service, &case.request, length).unwrap())["truncated"], false);
    let (mut refused, mut last) = (0, (0, 0));
    for budget in 1..length {
        let seen = match within(&service, &case.request, budget) {
            Ok(text) => {
                assert!(text.len() as u64 <= budget, "{} bytes within {budget}", text.len());
                parsed(&text)
            }
            Err(error) => {
                assert_eq!(
                    (error.class, error.field.as_deref()),
                    (ErrorClass::ExecutionFailed, Some("max_output_bytes"))
                );
                assert_eq!(last, (0, 0), "what works with less works with {budget}");
                refused = budget;
                continue;
            }
        };
        let entries = |answer: &Value, key: &str| answer[key].as_array().unwrap().clone();
        let (shown, told) = (entries(&seen, "matches"), entries(&seen, "errors"));
        assert!(
            entries(&all, "matches").starts_with(&shown)
                && entries(&all, "errors").starts_with(&told)
        );
        assert_eq!(seen["returned"], shown.len());
        assert_eq!(
            (&seen["truncated"], &seen["truncated_reason"]),
            (&json!(true), &json!("max_output_bytes"))
        );
        // Figures are those of the whole search; errors go only when no match is left; more room
        // never shows less.
        for key in
            ["files_scanned", "files_matched", "matches_total", "files_binary", "errors_total"]
        {
            assert_eq!(seen["stats"][key], all["stats"][key], "{key}");
        }
        assert_eq!(seen["stats"]["incomplete_because"], json!(["max_output_bytes"]));
        assert!(shown.is_empty() || told.len() == 2);
        assert!((shown.len(), told.len()) >= last, "{budget}");
        last = (shown.len(), told.len());
    }
    assert_eq!(last, (3, 2), "all but one match fit into one byte less than all");
    // The refusal names the smallest budget that works.
    let error = within(&service, &case.request, 1).unwrap_err();
    assert!(error.message.contains(&(refused + 1).to_string()), "{refused}: {error}");
    assert!(within(&service, &case.request, refused + 1).is_ok());
}

#[test]
fn search_files_shows_as_many_results_as_its_budget_holds() {
    touchstone::verifies!("FR-SF-OUT-05", "T-SF-07");
    let case = tree();
    let ground = Ground::of(&case);
    let service = ground.service(table(""));
    let returned = |budget: u64| {
        within(&service, &case.request, budget)
            .ok()
            .map(|text: String| (parsed(&text)["returned"].as_u64().unwrap(), text.len()))
    };
    let whole = within(&service, &case.request, 1 << 20).unwrap().len() as u64;
    let mut lengths = Vec::new();
    for budget in 1..=whole {
        let Some((shown, length)) = returned(budget) else { continue };
        if lengths.iter().all(|(seen, _)| *seen != (shown, length)) {
            lengths.push(((shown, length), budget));
        }
    }
    // The first budget under which an answer appears is its own length: no smaller one would do,
    // and none was held back.
    for ((shown, length), budget) in lengths {
        assert_eq!(length as u64, budget, "with {shown} matches");
    }
}

#[test]
fn an_answer_of_any_outcome_forbids_further_truncation() {
    touchstone::verifies!("FR-SF-OUT-04");
    let ground = Ground::of(&tree());
    let service = ground.service(table(""));
    for request in [
        json!({"path": ".", "query": "foo"}),
        json!({"path": ".", "query": "none"}),
        json!({"path": ".", "query": ""}),
        json!({"path": "..", "query": "foo"}),
        json!({"path": "nowhere", "query": "foo"}),
        json!({"path": ".", "query": "(", "mode": "regex"}),
        json!(null),
    ] {
        for budget in [0, 1 << 20] {
            let mut context = context(budget, budget);
            let _ = service.call_files(&mut context, &request);
            assert!(!context.allow_truncation, "{request} within {budget}");
            assert_eq!(
                (context.max_output_bytes, context.available_capacity_bytes),
                (budget, budget)
            );
        }
    }
}
