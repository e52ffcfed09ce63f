//! Holds one observation of the agent's tools against what the model says, field by field.
//!
//! Responsible for: the structured answer; the budget, which depends on messages whose wording is
//! free and is therefore held by its properties; scores, which are compared within a tolerance, and
//! the order of files whose scores are nearly equal. Left to neighbours: taking the observation
//! ([`crate::subjects::forge`]); fields in general ([`super`]). Invariants: messages have to be
//! there and to say something; everything else that is not a score is compared exactly.

use serde_json::{Map, Value, json};
use touchstone_model::agent::{Outcome, SAID};
use touchstone_model::generated::agent::AGENT;

use super::{Comparison, FieldDiff, diff, leaf, whole};

/// The field of an observation that holds the structured answer.
pub const STRUCTURED: &str = "structured";

/// The field that holds its length as compact JSON.
pub const BYTES: &str = "bytes";

/// The field that holds the length of the text beside it.
pub const TEXT_BYTES: &str = "text_bytes";

/// The field that holds whether nothing is missing, as callers are told it.
pub const COMPLETE: &str = "complete";

/// By how much a score may differ: rounding, and what additions in another order come to.
const TOLERANCE: f64 = 0.000_2;

/// By how many bytes an answer with one result more may differ from what is known: figures in
/// messages, and a notice that lines were cut.
const SLACK: u64 = 400;

/// Compares an observation with what the model says; `budget` is the longest answer in bytes, if
/// that is known.
pub fn compare(
    outcome: &Outcome,
    budget: Option<u64>,
    observed: super::Observed<'_>,
) -> Comparison {
    let found = differences(outcome, budget, observed);
    if found.is_empty() { Comparison::Canonical } else { Comparison::Differs(found) }
}

/// The differences between an outcome and an observation; none if they are the same.
pub fn differences(
    outcome: &Outcome,
    budget: Option<u64>,
    observed: super::Observed<'_>,
) -> Vec<FieldDiff> {
    match (outcome, observed) {
        (Ok(answer), Ok(observation)) => {
            let page = &said(observation.get(STRUCTURED).unwrap_or(&Value::Null));
            let paged = Paged {
                results: answer.results(),
                offset: answer.offset(),
                due: answer.due(),
                page: &|shown| answer.page(shown),
                by_score: true,
            };
            let mut found = page_differences(&paged, page);
            found.extend(status_differences(page, observation));
            if let (true, Some(budget)) = (found.is_empty(), budget) {
                found.extend(budget_differences(&paged, page, budget, observation));
            }
            found
        }
        (Err(refusal), Err(error)) => {
            let mut found = Vec::new();
            diff("error", &refusal.json(&AGENT), &said(error), &mut found);
            found
        }
        (Ok(_), Err(error)) => vec![whole(outcome_json(outcome), json!({ "error": error }))],
        (Err(_), Ok(observation)) => vec![whole(outcome_json(outcome), observation.clone())],
    }
}

/// What an outcome looks like as JSON, if no budget cuts it.
pub fn outcome_json(outcome: &Outcome) -> Value {
    match outcome {
        Ok(answer) => answer.page(answer.due()),
        Err(refusal) => json!({ "error": refusal.json(&AGENT) }),
    }
}

/// What the model answers, for every number of results that the budget may leave.
pub(super) struct Paged<'a> {
    /// The results of all pages.
    pub(super) results: &'a [Value],
    /// How many of them stand before the page.
    pub(super) offset: usize,
    /// How many the page has if the budget leaves all of them.
    pub(super) due: usize,
    /// The page with so many.
    pub(super) page: &'a dyn Fn(usize) -> Value,
    /// Whether results are in the order of their scores, if they have scores.
    pub(super) by_score: bool,
}

/// The differences between the page that the model has and the one that was observed, in which what
/// is free is [`SAID`], whatever number of results it has.
pub(super) fn page_differences(paged: &Paged<'_>, page: &Value) -> Vec<FieldDiff> {
    let shown = results(page).len();
    let is_cut = list(page, "incomplete_because").iter().any(|reason| reason == "budget");
    let expected = (paged.page)(if is_cut { shown.min(paged.due) } else { paged.due });
    let mut found = Vec::new();
    diff("", &with_scores(expected, paged, page), page, &mut found);
    if paged.by_score {
        found.extend(order_differences(paged, page));
    }
    found
}

/// The page with the scores that were observed, where they are near enough, and with files of
/// nearly equal scores in the order that was observed, if it goes by scores.
fn with_scores(mut expected: Value, paged: &Paged<'_>, page: &Value) -> Value {
    let Some(Value::Array(rows)) = expected.get_mut("results") else { return expected };
    for (row, got) in rows.iter_mut().zip(results(page)) {
        let Some(here) = score(row) else { continue };
        if !paged.by_score && row.get("path") != got.get("path") {
            continue;
        }
        let same_file = paged.results.iter().filter(|one| one.get("path") == got.get("path"));
        let near = |one: &&Value| score(one).is_some_and(|score| (score - here).abs() <= TOLERANCE);
        let Some(twin) = same_file.clone().find(near) else { continue };
        let is_close =
            score(got).zip(score(twin)).is_some_and(|(got, twin)| (got - twin).abs() <= TOLERANCE);
        *row = twin.clone();
        if let (true, Some(fields), Some(score)) = (is_close, row.as_object_mut(), got.get("score"))
        {
            fields.insert("score".to_owned(), score.clone());
        }
    }
    expected
}

fn score(result: &Value) -> Option<f64> {
    result.get("score")?.as_f64()
}

/// Where results are not in the order of their own scores, those of one score not in that of the
/// model, or a score is none.
fn order_differences(paged: &Paged<'_>, page: &Value) -> Vec<FieldDiff> {
    let rows = results(page);
    let mut found = Vec::new();
    // Where the model's scores differ, though by next to nothing, its order is not that of paths.
    let placed = |row: &Value| {
        let same = |one: &Value| one.get("path") == row.get("path");
        let place = paged.results.iter().position(same)?;
        Some((score(paged.results.get(place)?)?, place))
    };
    for (index, (one, other)) in rows.iter().zip(rows.iter().skip(1)).enumerate() {
        if let (Some(high), Some(low)) = (score(one), score(other)) {
            let turned =
                placed(one).zip(placed(other)).is_some_and(|((a, before), (b, behind))| {
                    a.total_cmp(&b).is_eq() && before > behind
                });
            if low > high || (high.total_cmp(&low).is_eq() && turned) {
                found.push(leaf(
                    &format!("results[{index}].score"),
                    Some(&json!("not below the next, and path order among equals")),
                    Some(one),
                ));
            }
        }
    }
    found.extend(
        rows.iter()
            .filter(|row| score(row).is_some_and(|score| !(0.0..=1.0).contains(&score)))
            .map(|row| leaf("results.score", Some(&json!("from 0 to 1")), row.get("score"))),
    );
    found
}

/// Where an answer is longer than it may be, or leaves out what would have fitted.
pub(super) fn budget_differences(
    paged: &Paged<'_>,
    page: &Value,
    budget: u64,
    observation: &Value,
) -> Vec<FieldDiff> {
    let shown = results(page).len();
    let number = |field: &str| observation.get(field).and_then(Value::as_u64);
    let mut found = Vec::new();
    for field in [BYTES, TEXT_BYTES] {
        let length = number(field);
        // An answer without results cannot become any shorter.
        if length.is_none_or(|length| length > budget && shown > 0) {
            found.push(leaf(
                field,
                Some(&json!(format!("at most {budget}"))),
                observation.get(field),
            ));
        }
    }
    let next = paged.results.get(paged.offset + shown).filter(|_| shown < paged.due);
    let longest = number(BYTES).max(number(TEXT_BYTES)).unwrap_or(u64::MAX);
    if let Some(next) = next
        && longest.saturating_add(length(next)).saturating_add(SLACK) <= budget
    {
        found.push(leaf(
            "results",
            Some(&json!("another result, which would have fitted")),
            Some(&json!(shown)),
        ));
    }
    found
}

/// The length of a value as compact JSON.
pub fn length(value: &Value) -> u64 {
    u64::try_from(value.to_string().len()).unwrap_or(u64::MAX)
}

/// Where what callers are told is not what the answer says.
fn status_differences(page: &Value, observation: &Value) -> Vec<FieldDiff> {
    let says = page.get("complete");
    let told = observation.get(COMPLETE);
    if says == told { Vec::new() } else { vec![leaf(COMPLETE, says, told)] }
}

/// Differences between two observations, the first taken as what is expected. How long answers are
/// may differ, and when files were written: each run has its own tree.
pub fn between(first: &Value, second: &Value) -> Vec<FieldDiff> {
    let mut found = Vec::new();
    let page = |one: &Value| said(one.get(STRUCTURED).unwrap_or(&Value::Null));
    diff("", &page(first), &page(second), &mut found);
    found
}

/// A page or an error with [`SAID`] for what is free, if it is there and says something.
pub fn said(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(said).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                let free = match (name.as_str(), value) {
                    ("message", Value::String(text)) => !text.trim().is_empty(),
                    ("modified", Value::String(text)) => is_moment(text),
                    _ => false,
                };
                (name.clone(), if free { json!(SAID) } else { said(value) })
            };
            Value::Object(fields.iter().map(field).collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// Whether a text is a moment in UTC, to the second, such as `2026-03-01T12:00:00Z`.
pub fn is_moment(text: &str) -> bool {
    let shape: String =
        text.chars().map(|one| if one.is_ascii_digit() { '0' } else { one }).collect();
    shape == "0000-00-00T00:00:00Z"
}

fn results(page: &Value) -> &[Value] {
    list(page, "results")
}

fn list<'a>(page: &'a Value, field: &str) -> &'a [Value] {
    page.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests;
