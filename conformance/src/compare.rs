//! Holds one observation against what the model allows, field by field.
//!
//! Responsible for: the JSON an [`Outcome`] stands for, the differences between it and an
//! observation, and a rendering of them for people. Left to neighbours: answers of `search_files`
//! ([`files`]) of the agent's tools ([`agent`]) and of `keyword_search` ([`keyword`]), running
//! anything ([`crate::runner`]), and what the verdict is counted under ([`crate::report`]).
//! Invariants: every field that the observation has and the model's answer has not is a difference,
//! and the other way round; only the wording of a refusal's message is free, and even it must say
//! something (FR-LS-ERR-01).

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use touchstone_model::generated::search::SEARCH;
use touchstone_model::{Allowed, Answer, Event, Fallback, Outcome, Refusal, Skipped, Stats};

pub mod agent;
pub mod files;
pub mod keyword;

/// One place where an observation is not what the model says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldDiff {
    /// Where, in the JSON: `matches[2].data.column`.
    pub field: String,
    /// What the model says; `None` where it says that nothing is there.
    pub expected: Option<Value>,
    /// What was observed; `None` where nothing is there.
    pub got: Option<Value>,
}

/// How an observation relates to the allowed outcomes.
#[derive(Debug, Clone, PartialEq)]
pub enum Comparison {
    /// It is the canonical outcome.
    Canonical,
    /// It is another one that the documents permit.
    Permitted,
    /// It is none of them; the differences are those from the nearest.
    Differs(Vec<FieldDiff>),
}

/// What was observed: a response, or a tool error, both as JSON.
pub type Observed<'a> = Result<&'a Value, &'a Value>;

/// Compares an observation with everything the model allows.
pub fn compare(allowed: &Allowed, request: &Value, observed: Observed<'_>) -> Comparison {
    nearest(allowed.canonical(), allowed.outcomes(), |outcome| {
        differences(outcome, request, observed)
    })
}

/// How what differs from each of several outcomes by some fields relates to all of them.
fn nearest<O>(
    canonical: &O,
    outcomes: &[O],
    differences: impl Fn(&O) -> Vec<FieldDiff>,
) -> Comparison {
    let mut nearest = differences(canonical);
    if nearest.is_empty() {
        return Comparison::Canonical;
    }
    for outcome in outcomes {
        let found = differences(outcome);
        if found.is_empty() {
            return Comparison::Permitted;
        }
        if found.len() < nearest.len() {
            nearest = found;
        }
    }
    Comparison::Differs(nearest)
}

/// The differences between one outcome and an observation; none if they are the same.
pub fn differences(outcome: &Outcome, request: &Value, observed: Observed<'_>) -> Vec<FieldDiff> {
    match (outcome, observed) {
        (Ok(answer), Ok(response)) => {
            let mut found = Vec::new();
            diff("", &response_json(answer, request), response, &mut found);
            found
        }
        (Err(refusal), Err(error)) => refusal_differences(refusal, error),
        (Ok(answer), Err(error)) => {
            vec![whole(response_json(answer, request), json!({ "error": error }))]
        }
        (Err(refusal), Ok(response)) => {
            vec![whole(json!({ "error": refusal_json(refusal) }), response.clone())]
        }
    }
}

/// Differences between two observations, the first taken as what is expected.
pub fn between(first: Observed<'_>, second: Observed<'_>) -> Vec<FieldDiff> {
    match (first, second) {
        (Ok(a), Ok(b)) => {
            if a.get(agent::STRUCTURED).is_some() {
                return agent::between(&keyword::anywhere(a), &keyword::anywhere(b));
            }
            if let (Some(one), Some(other)) = (text_of(a), text_of(b)) {
                let mut found = files::text_differences(one, other);
                diff("", &without_text(a), &without_text(b), &mut found);
                found
            } else {
                let mut found = Vec::new();
                diff("", a, b, &mut found);
                found
            }
        }
        // The wording of refusals may name the backend, so only class and field are compared.
        (Err(a), Err(b)) => ["class", "field", files::ALLOW_TRUNCATION, "error", "code"]
            .into_iter()
            .filter(|key| a.get(key) != b.get(key))
            .map(|key| leaf(key, a.get(key), b.get(key)))
            .collect(),
        (Ok(a), Err(b)) => vec![whole(a.clone(), json!({ "error": b }))],
        (Err(a), Ok(b)) => vec![whole(json!({ "error": a }), b.clone())],
    }
}

/// The text of an answer of `search_files`; `Search` has no such field.
fn text_of(answer: &Value) -> Option<&str> {
    answer.get(files::TEXT).and_then(Value::as_str)
}

fn without_text(answer: &Value) -> Value {
    let mut rest = answer.clone();
    if let Some(fields) = rest.as_object_mut() {
        fields.remove(files::TEXT);
    }
    rest
}

/// What stands for `elapsed_ms` in observations and in what the model expects: it is compared by
/// its type alone.
pub const ELAPSED: u64 = 0;

/// What stands for the name of the backend.
pub const BACKEND: &str = "{backend}";

/// The response an answer stands for (FR-LS-04, FR-LS-05), without the fields that observations
/// leave out.
pub fn response_json(answer: &Answer, request: &Value) -> Value {
    let matches: Vec<Value> = answer.events.iter().map(event_json).collect();
    let errors: Vec<Value> = answer
        .errors
        .iter()
        .map(|(path, message)| json!({ "path": path, "error": message }))
        .collect();
    let mut response = json!({
        "pattern": request.get("pattern"),
        "path": answer.path,
        "count": matches.len(),
        "matches": matches,
        "truncated": answer.truncated,
        "timed_out": answer.timed_out,
        "files_scanned": answer.files_scanned,
        "errors": errors,
        "content": answer.content,
    });
    if let (Some(stats), Value::Object(fields)) = (&answer.stats, &mut response) {
        fields.insert("stats".to_owned(), stats_json(stats));
    }
    response
}

/// `stats` of a call without an index (docs/search.md, section 7).
fn stats_json(stats: &Stats) -> Value {
    let Fallback { levels_tried, skipped, passes_skipped } = &stats.fallback;
    let ran = !levels_tried.is_empty();
    let skipped = skipped.map(|skipped| match skipped {
        Skipped::PatternTooShort => "PATTERN_TOO_SHORT",
        Skipped::NoTimeLeft => "NO_TIME_LEFT",
    });
    json!({
        "stats_version": SEARCH.stats_version,
        "complete": stats.incomplete_because.is_empty(),
        "incomplete_because": stats.incomplete_because,
        "files_oversized": stats.files_oversized,
        "files_cut": stats.files_cut,
        "backend": BACKEND,
        "index_safety_state": "DISABLED",
        "index_uncertain_reason": "MODE_OFF",
        "index_exclusion_used": false,
        "exclusion_bypass_reason": "INDEX_OFF",
        "proof_names": "read",
        "proof_contents": "read",
        "storage_mode": "none",
        "storage_fallback_reason": null,
        "fallback_used": ran,
        "fallback_reason": ran.then_some("LITERAL_NO_MATCHES"),
        "fallback_skipped_reason": skipped,
        "fallback_passes_skipped": passes_skipped,
        "fuzzy_levels_tried": levels_tried,
        "elapsed_ms": ELAPSED,
        "candidates_total": stats.candidates_total,
        "candidates_excluded": 0,
        "candidates_scanned": stats.candidates_total,
    })
}

/// What an outcome looks like as JSON: a response, or `{"error": {"class", "field"}}`.
pub fn outcome_json(outcome: &Outcome, request: &Value) -> Value {
    match outcome {
        Ok(answer) => response_json(answer, request),
        Err(refusal) => json!({ "error": refusal_json(refusal) }),
    }
}

/// Differences as lines of text: the field, then what the model says, then what was observed.
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

fn event_json(event: &Event) -> Value {
    match event {
        Event::Match { path, line, column, text, matched } => json!({
            "type": "match",
            "data": {
                "path": { "text": path },
                "line_number": line,
                "column": column,
                "lines": { "text": text },
                "match_text": matched,
            },
        }),
        Event::Context { path, line, text } => json!({
            "type": "context",
            "data": { "path": { "text": path }, "line_number": line, "lines": { "text": text } },
        }),
    }
}

fn refusal_json(refusal: &Refusal) -> Value {
    json!({ "class": refusal.class, "field": refusal.field })
}

fn refusal_differences(refusal: &Refusal, error: &Value) -> Vec<FieldDiff> {
    let mut found = Vec::new();
    for (key, expected) in [("class", &refusal.class), ("field", &refusal.field)] {
        let got = error.get(key);
        if got.and_then(Value::as_str) != Some(expected) {
            found.push(leaf(&format!("error.{key}"), Some(&json!(expected)), got));
        }
    }
    let message = error.get("message");
    if message.and_then(Value::as_str).is_none_or(|text| text.trim().is_empty()) {
        found.push(leaf("error.message", Some(&json!("a sentence")), message));
    }
    found
}

fn whole(expected: Value, got: Value) -> FieldDiff {
    FieldDiff { field: String::new(), expected: Some(expected), got: Some(got) }
}

fn leaf(field: &str, expected: Option<&Value>, got: Option<&Value>) -> FieldDiff {
    FieldDiff { field: field.to_owned(), expected: expected.cloned(), got: got.cloned() }
}

fn diff(at: &str, expected: &Value, got: &Value, found: &mut Vec<FieldDiff>) {
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

/// Arrays of one length are compared element by element. Otherwise what is equal at both ends is
/// set aside, and the rest told as missing or unexpected, which keeps one lost event from looking
/// like a hundred wrong ones.
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

#[cfg(test)]
mod tests;
