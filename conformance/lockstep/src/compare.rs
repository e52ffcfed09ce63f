//! Holds one observation against what the model allows, field by field.
//!
//! Responsible for: what an answer of the model has to be able to do ([`Answer`]), the differences
//! between outcomes and an observation, a rendering of them for people, and what they are about
//! ([`Group`]). Not here: the answers of each tool ([`crate::tool`]), running anything
//! (`touchstone::runner`), and counting verdicts ([`crate::report`]). Invariants: every field that
//! the observation has and the model's answer has not is a difference, and the other way round;
//! only the wording of a refusal's message is free, and even it must say something (FR-LS-ERR-01).

use std::fmt::{self, Write as _};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use touchstone_cases::case::Case;
use touchstone_model::agent::FREE_TEXT;

use crate::observation::{ALLOW_TRUNCATION, ROOT, STRUCTURED, TEXT, anywhere};

mod group;

pub use group::Group;

/// Names of traps, each with whether it is there.
pub type Traps = Vec<(&'static str, bool)>;

/// A difference between an observation and the model's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldDiff {
    /// The JSON path: `matches[2].data.column`.
    pub field: String,
    /// The model's value; `None` if the field must be absent.
    pub expected: Option<Value>,
    /// The observed value; `None` if the field is absent.
    pub got: Option<Value>,
}

/// The relation of an observation to the allowed outcomes.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// It equals the canonical outcome.
    Canonical,
    /// It equals another permitted outcome.
    Permitted,
    /// It equals none; these are the differences from the nearest.
    Differs(Vec<FieldDiff>),
}

/// A response or a tool error, as JSON.
pub type Observed<'a> = Result<&'a Value, &'a Value>;

/// The model's answer to a case that it does not refuse.
pub trait Answer: fmt::Debug + Send + Sync {
    /// The answer as JSON, for people.
    fn json(&self) -> Value;

    fn differences(&self, observation: &Value) -> Vec<FieldDiff>;

    /// The traps that it contains.
    fn traps(&self, case: &Case) -> Traps;

    /// The groups of clauses that it exercises.
    fn groups(&self, case: &Case) -> Vec<Group>;
}

/// An outcome that the model allows.
pub type Outcome = Result<Box<dyn Answer>, Refusal>;

/// The model's refusal of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The error as JSON, with [`FREE_TEXT`] for free text.
    pub error: Value,
    /// The number that the message has to contain, if that is known.
    pub names: Option<u64>,
}

impl Refusal {
    /// A text field of the error; empty if there is none.
    pub fn text(&self, field: &str) -> &str {
        self.error.get(field).and_then(Value::as_str).unwrap_or_default()
    }
}

impl From<&touchstone_model::Refusal> for Refusal {
    fn from(refusal: &touchstone_model::Refusal) -> Self {
        let error = json!({ "class": refusal.class, "field": refusal.field, "message": FREE_TEXT });
        Self { error, names: None }
    }
}

pub fn outcome_json(outcome: &Outcome) -> Value {
    match outcome {
        Ok(answer) => answer.json(),
        Err(refusal) => json!({ "error": refusal.error }),
    }
}

/// Compares an observation with outcomes, the canonical one first.
pub fn compare(outcomes: &[&Outcome], observed: Observed<'_>) -> Comparison {
    let mut nearest: Option<Vec<FieldDiff>> = None;
    for (index, outcome) in outcomes.iter().enumerate() {
        let found = differences(outcome, observed);
        if found.is_empty() {
            return if index == 0 { Comparison::Canonical } else { Comparison::Permitted };
        }
        if nearest.as_ref().is_none_or(|nearest| found.len() < nearest.len()) {
            nearest = Some(found);
        }
    }
    Comparison::Differs(nearest.unwrap_or_default())
}

/// The differences between an outcome and an observation; empty if they are equal.
pub fn differences(outcome: &Outcome, observed: Observed<'_>) -> Vec<FieldDiff> {
    match (outcome, observed) {
        (Ok(answer), Ok(observation)) => answer.differences(observation),
        (Err(refusal), Err(error)) => {
            let mut found = Vec::new();
            let mut shown = without_prose(error);
            if let Some(fields) = shown.as_object_mut() {
                fields.remove(ROOT);
            }
            diff("error", &refusal.error, &shown, &mut found);
            let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
            if let Some(number) = refusal.names.filter(|names| !numbers(message).contains(names)) {
                let expected = json!(format!("a sentence that names {number}"));
                found.push(leaf("error.message", Some(&expected), error.get("message")));
            }
            found
        }
        (Ok(_), Err(error)) => vec![whole(outcome_json(outcome), json!({ "error": error }))],
        (Err(_), Ok(observation)) => vec![whole(outcome_json(outcome), observation.clone())],
    }
}

/// Replaces free text of a page or error with [`FREE_TEXT`], if it is not empty.
pub fn without_prose(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_prose).collect(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                let free = match (name.as_str(), value) {
                    ("message", Value::String(text)) => !text.trim().is_empty(),
                    ("modified", Value::String(text)) => is_moment(text),
                    _ => false,
                };
                (name.clone(), if free { json!(FREE_TEXT) } else { without_prose(value) })
            };
            Value::Object(fields.iter().map(field).collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// Whether a text is a time in UTC, to the second, such as `2026-03-01T12:00:00Z`.
pub fn is_moment(text: &str) -> bool {
    let shape: String =
        text.chars().map(|one| if one.is_ascii_digit() { '0' } else { one }).collect();
    shape == "0000-00-00T00:00:00Z"
}

/// The integers in a text, in order.
pub fn numbers(text: &str) -> Vec<u64> {
    text.split(|character: char| !character.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect()
}

/// Differences between two observations; the first counts as expected.
pub fn between(first: Observed<'_>, second: Observed<'_>) -> Vec<FieldDiff> {
    match (first, second) {
        (Ok(a), Ok(b)) => {
            if a.get(STRUCTURED).is_some() {
                return pages(&anywhere(a), &anywhere(b));
            }
            let (mut a, mut b) = (a.clone(), b.clone());
            let mut found = match (take_text(&mut a), take_text(&mut b)) {
                (Some(one), Some(other)) => text_differences(&one, &other),
                (None, None) => Vec::new(),
                (one, other) => vec![whole(json!(one), json!(other))],
            };
            diff("", &a, &b, &mut found);
            found
        }
        // Refusals may name the backend in their message, so only class and field are compared.
        (Err(a), Err(b)) => ["class", "field", ALLOW_TRUNCATION, "error", "code"]
            .into_iter()
            .filter(|key| a.get(key) != b.get(key))
            .map(|key| leaf(key, a.get(key), b.get(key)))
            .collect(),
        (Ok(a), Err(b)) => vec![whole(a.clone(), json!({ "error": b }))],
        (Err(a), Ok(b)) => vec![whole(json!({ "error": a }), b.clone())],
    }
}

/// Differences between two structured answers; the first counts as expected. How long answers are
/// may differ, and when files were written: each run has its own tree.
pub fn pages(first: &Value, second: &Value) -> Vec<FieldDiff> {
    let mut found = Vec::new();
    let page = |one: &Value| without_prose(one.get(STRUCTURED).unwrap_or(&Value::Null));
    diff("", &page(first), &page(second), &mut found);
    found
}

/// Takes the text out of an observation; answers of most tools have none.
fn take_text(observation: &mut Value) -> Option<String> {
    let text = observation.as_object_mut()?.remove(TEXT)?;
    text.as_str().map(str::to_owned)
}

/// The differences between two answers' texts.
pub fn text_differences(expected: &str, got: &str) -> Vec<FieldDiff> {
    let texts = || leaf(TEXT, Some(&json!(expected)), Some(&json!(got)));
    match (serde_json::from_str(expected), serde_json::from_str(got)) {
        (Ok(a), Ok(b)) => {
            let mut found = Vec::new();
            diff("", &a, &b, &mut found);
            if found.is_empty() && expected != got {
                found.push(texts());
            }
            found
        }
        // One of them is no JSON at all; if both were, the same way, nothing would be wrong here.
        _ if expected == got => Vec::new(),
        _ => vec![texts()],
    }
}

/// Differences as text: the field, the expected value, the observed value.
pub fn render(differences: &[FieldDiff]) -> String {
    let mut text = String::new();
    for difference in differences {
        let field =
            if difference.field.is_empty() { "the whole answer" } else { &difference.field };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{field}");
        let _ = writeln!(text, "  - expected {}", shown(difference.expected.as_ref()));
        let _ = writeln!(text, "  + got      {}", shown(difference.got.as_ref()));
    }
    text
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}

pub(crate) fn whole(expected: Value, got: Value) -> FieldDiff {
    FieldDiff { field: String::new(), expected: Some(expected), got: Some(got) }
}

pub(crate) fn leaf(field: &str, expected: Option<&Value>, got: Option<&Value>) -> FieldDiff {
    FieldDiff { field: field.to_owned(), expected: expected.cloned(), got: got.cloned() }
}

/// Adds the differences between two values; the first counts as expected.
pub(crate) fn diff(at: &str, expected: &Value, got: &Value, found: &mut Vec<FieldDiff>) {
    match (expected, got) {
        (Value::Object(expected), Value::Object(got)) => diff_objects(at, expected, got, found),
        (Value::Array(expected), Value::Array(got)) => diff_arrays(at, expected, got, found),
        _ if expected == got => {}
        _ => found.push(leaf(at, Some(expected), Some(got))),
    }
}

fn diff_objects(
    at: &str,
    expected: &Map<String, Value>,
    got: &Map<String, Value>,
    found: &mut Vec<FieldDiff>,
) {
    let mut keys: Vec<&String> = expected.keys().chain(got.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let below = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
        match (expected.get(key), got.get(key)) {
            (Some(a), Some(b)) => diff(&below, a, b, found),
            (a, b) => found.push(leaf(&below, a, b)),
        }
    }
}

/// Compares arrays of equal length by element. Otherwise common beginnings and ends are removed,
/// and the rest is reported as missing or unexpected, so that one lost event does not show as a
/// hundred differences.
fn diff_arrays(at: &str, expected: &[Value], got: &[Value], found: &mut Vec<FieldDiff>) {
    if expected.len() == got.len() {
        for (index, (a, b)) in expected.iter().zip(got).enumerate() {
            diff(&format!("{at}[{index}]"), a, b, found);
        }
        return;
    }
    let front = expected.iter().zip(got).take_while(|(a, b)| a == b).count();
    let room = expected.len().min(got.len()) - front;
    let back =
        expected.iter().rev().zip(got.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    for (index, value) in expected.iter().enumerate().take(expected.len() - back).skip(front) {
        found.push(leaf(&format!("{at}[{index}]"), Some(value), None));
    }
    for (index, value) in got.iter().enumerate().take(got.len() - back).skip(front) {
        found.push(leaf(&format!("{at}[{index}]"), None, Some(value)));
    }
}
