use touchstone_cases::raw::{RawObject, shortened};

use super::*;

const WHOLE: &str = concat!(
    r#"{"path":".","matches":[{"path":"a","line_text":"as long as a match is"},{"path":"b","line_text":"as long as a match is"}],"returned":2,"max_results":2,"#,
    r#""truncated":true,"truncated_reason":"max_results","stats":{"matches_total":3,"complete":false,"#,
    r#""incomplete_because":["max_results"]},"errors":[{"path":"c","error":"binary file"}]}"#
);

/// The text with its first matches and errors.
fn text(matches: usize, errors: usize) -> String {
    shortened(&RawObject::read(WHOLE).unwrap(), matches, errors).unwrap().to_text()
}

fn fits(text: &str, budget: u64) -> bool {
    text.len() as u64 <= budget
}

fn too_small(smallest: usize) -> Refused {
    let message = format!("the smallest answer has {smallest} bytes");
    json!({"class": "ExecutionFailed", "field": "max_output_bytes", "message": message})
}

/// As the contract has it.
fn honest(budget: u64) -> Result<String, Refused> {
    let candidates = [WHOLE.to_owned(), text(1, 1), text(0, 1), text(0, 0)];
    candidates
        .into_iter()
        .find(|text| fits(text, budget))
        .ok_or_else(|| too_small(text(0, 0).len()))
}

fn wrong(call: impl Fn(u64) -> Result<String, Refused>) -> Vec<String> {
    sweep(&mut |budget| call(budget)).wrong.into_iter().map(|one| one.field).collect()
}

#[test]
fn a_correct_answer_passes_under_every_budget() {
    let swept = sweep(&mut honest);
    assert_eq!(swept.wrong, []);
    assert_eq!((swept.budgets, swept.answers), (WHOLE.len() as u64 + 1, 4));
}

#[test]
fn a_refusal_unrelated_to_the_budget_is_the_same_under_any_budget() {
    let refusal = json!({"class": "BadArgs", "field": "path", "message": "blank"});
    assert_eq!(wrong(|_| Err(refusal.clone())), Vec::<String>::new());
    let found = wrong(|budget| if budget == 0 { Err(too_small(9)) } else { Err(refusal.clone()) });
    assert_eq!(found, ["budget 0: "]);
}

#[test]
fn an_answer_one_byte_over_the_budget_is_found() {
    let found = wrong(|budget| honest(budget.saturating_add(1)));
    assert!(found[0].contains("error.message") || found[0].contains("length"), "{found:?}");
}

#[test]
fn an_unnecessarily_omitted_match_is_found() {
    let found = wrong(|budget| {
        honest(if budget < WHOLE.len() as u64 { budget.saturating_sub(1) } else { budget })
    });
    assert!(found.iter().any(|field| field.contains("length of the text")), "{found:?}");
}

#[test]
fn an_answer_cut_in_the_middle_is_no_json() {
    let cut =
        |budget: u64| WHOLE.get(..usize::try_from(budget).unwrap()).unwrap_or(WHOLE).to_owned();
    let found = wrong(|budget| Ok(cut(budget.min(u64::from(u32::MAX)))));
    assert!(found.iter().all(|field| field.ends_with("text")) && !found.is_empty(), "{found:?}");
}

#[test]
fn a_cut_answer_without_its_truncation_marks_is_found() {
    let unmarked = |from: &str, to: &str| {
        let (from, to) = (from.to_owned(), to.to_owned());
        wrong(move |budget| {
            honest(budget).map(|text| if text == WHOLE { text } else { text.replace(&from, &to) })
        })
    };
    assert!(
        unmarked("\"returned\":1", "\"returned\":2")
            .iter()
            .any(|field| field.ends_with("returned"))
    );
    let found = unmarked("\"matches_total\":3", "\"matches_total\":1");
    assert!(found.iter().any(|field| field.ends_with("stats.matches_total")));
    let found = unmarked(
        "\"truncated_reason\":\"max_output_bytes\"",
        "\"truncated_reason\":\"max_results_____\"",
    );
    assert!(found.iter().any(|field| field.ends_with("truncated_reason")), "{found:?}");
}

#[test]
fn errors_dropped_before_matches_are_found() {
    let found = wrong(|budget| {
        let candidates = [WHOLE.to_owned(), text(2, 0), text(1, 0), text(0, 0)];
        candidates
            .into_iter()
            .find(|text| fits(text, budget))
            .ok_or_else(|| too_small(text(0, 0).len()))
    });
    assert!(found.iter().any(|field| field.ends_with("errors beside matches")), "{found:?}");
}

#[test]
fn a_refusal_that_names_a_wrong_smallest_budget_is_found() {
    let found = wrong(|budget| honest(budget).map_err(|_| too_small(text(0, 0).len() + 1)));
    assert!(found.iter().any(|field| field.ends_with("the smallest budget")), "{found:?}");
    let found = wrong(|budget| honest(budget).map_err(|_| too_small(3)));
    assert!(found.iter().any(|field| field.ends_with("error.message")), "{found:?}");
}

#[test]
fn a_refusal_above_the_smallest_budget_is_found() {
    let gap = WHOLE.len() as u64 - 1;
    let found =
        wrong(|budget| if budget == gap { Err(too_small(WHOLE.len())) } else { honest(budget) });
    assert!(found.iter().any(|field| field.starts_with(&format!("budget {gap}"))), "{found:?}");
}
