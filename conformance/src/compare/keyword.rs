//! Holds one observation of `keyword_search` against what the model says.
//!
//! Responsible for: the structured answer, what a language model was given, letter by letter, and
//! how often it was asked. Left to neighbours: pages, scores and budgets in general
//! ([`super::agent`]), taking the observation ([`crate::subjects::forge`]). Invariants: of what a
//! language model is told only the words around the data are free, and its length has to be said.

use serde_json::{Map, Value, json};
use touchstone_model::agent::SAID;
use touchstone_model::agent::keyword::{Answer, Outcome};
use touchstone_model::generated::agent::AGENT;

use super::agent::{COMPLETE, Paged, STRUCTURED, budget_differences, page_differences, said};
use super::{Comparison, FieldDiff, Observed, diff, leaf, whole};
use crate::observation::hide_root;

/// The field of an observation that holds the sandbox root's absolute path.
pub const ROOT: &str = "root_path";

/// The field that holds how often a language model was asked.
pub const ASKED: &str = "asked";

/// The field that holds the data it was given, or would be.
pub const DATA: &str = "data";

/// The field that holds how long everything was that it was told, or would be.
pub const TOLD_BYTES: &str = "told_bytes";

/// What may stand between the parts of what a model is told, in bytes.
const BETWEEN: u64 = 4;

/// Compares an observation with what the model says; `budget` is the longest answer in bytes, if
/// that is known.
pub fn compare(outcome: &Outcome, budget: Option<u64>, observed: Observed<'_>) -> Comparison {
    let found = differences(outcome, budget, observed);
    if found.is_empty() { Comparison::Canonical } else { Comparison::Differs(found) }
}

/// The sandbox root's absolute path, as an observation has it.
pub fn root_of(observed: Observed<'_>) -> Option<&str> {
    let (Ok(value) | Err(value)) = observed;
    value.get(ROOT)?.as_str()
}

/// An observation without the place where its tree lay, to be held against one of another tree.
pub(super) fn anywhere(observation: &Value) -> Value {
    let mut observation = observation.clone();
    if let Some(root) = observation.get(ROOT).and_then(Value::as_str).map(str::to_owned) {
        hide_root(&mut observation, &root);
    }
    observation
}

/// What an outcome looks like as JSON, if no budget cuts it.
pub fn outcome_json(outcome: &Outcome) -> Value {
    match outcome {
        Ok(answer) => {
            let mut page = answer.page(answer.due());
            if let (Some(data), Some(fields)) = (answer.data(), page.as_object_mut()) {
                fields.insert(DATA.to_owned(), json!(data));
            }
            page
        }
        Err(refusal) => json!({ "error": refusal.json(&AGENT) }),
    }
}

/// The differences between an outcome and an observation; none if they are the same.
pub fn differences(
    outcome: &Outcome,
    budget: Option<u64>,
    observed: Observed<'_>,
) -> Vec<FieldDiff> {
    match (outcome, observed) {
        (Ok(answer), Ok(observation)) => answer_differences(answer, budget, observation),
        (Err(refusal), Err(error)) => {
            let mut error = said(error);
            let asked = error.as_object_mut().and_then(|fields| {
                fields.remove(ROOT);
                fields.remove(ASKED)
            });
            let mut found = Vec::new();
            diff("error", &refusal.json(&AGENT), &error, &mut found);
            found.extend(
                (asked != Some(json!(0))).then(|| leaf(ASKED, Some(&json!(0)), asked.as_ref())),
            );
            found
        }
        (Ok(_), Err(error)) => vec![whole(outcome_json(outcome), json!({ "error": error }))],
        (Err(_), Ok(observation)) => vec![whole(outcome_json(outcome), observation.clone())],
    }
}

fn answer_differences(answer: &Answer, budget: Option<u64>, observation: &Value) -> Vec<FieldDiff> {
    let page = normalised(observation);
    let asked = json!(usize::from(answer.asked()));
    let mut found = Vec::new();
    diff(ASKED, &asked, observation.get(ASKED).unwrap_or(&Value::Null), &mut found);
    if answer.asked() || answer.is_dry() {
        let lines = |text: Option<&str>| -> Value {
            text.map(|text| text.split('\n').collect()).unwrap_or_default()
        };
        let got = observation.get(DATA).and_then(Value::as_str);
        diff(DATA, &lines(answer.data()), &lines(got), &mut found);
    }
    let told = observation.get(COMPLETE);
    if answer.is_dry() {
        diff("", &answer.page(0), &page, &mut found);
        found
            .extend((told != Some(&json!(true))).then(|| leaf(COMPLETE, Some(&json!(true)), told)));
        return found;
    }
    let paged = Paged {
        results: answer.results(),
        offset: 0,
        due: answer.due(),
        page: &|shown| answer.page(shown),
        by_score: page.get("ranked_by") == Some(&json!("hits")),
    };
    found.extend(page_differences(&paged, &page));
    found
        .extend((told != page.get("complete")).then(|| leaf(COMPLETE, page.get("complete"), told)));
    if let (true, Some(budget)) = (found.is_empty(), budget) {
        found.extend(budget_differences(&paged, &page, budget, observation));
    }
    found
}

/// The structured answer with [`SAID`] for lengths that are right, and for a prompt that is one.
fn normalised(observation: &Value) -> Value {
    let mut page = said(observation.get(STRUCTURED).unwrap_or(&Value::Null));
    let told = observation.get(TOLD_BYTES).and_then(Value::as_u64).filter(|told| *told > 0);
    let steady = |fields: &mut Map<String, Value>, name: &str| {
        if let Some(value) = fields.get_mut(name)
            && value.as_u64().zip(told).is_some_and(|(bytes, told)| bytes.abs_diff(told) <= BETWEEN)
        {
            *value = json!(SAID);
        }
    };
    if let Some(fields) = page.as_object_mut() {
        steady(fields, "bytes");
        if let Some(prompt) = fields.get_mut("prompt").filter(|prompt| prompt.is_string()) {
            *prompt = json!(SAID);
        }
        if let Some(model) = fields.get_mut("model").and_then(Value::as_object_mut) {
            steady(model, "bytes_sent");
        }
    }
    page
}

#[cfg(test)]
mod tests;
