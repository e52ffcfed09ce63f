//! Whether an answer has what a row expects.
//!
//! An expectation is partial: an object names the keys that count, an array has all its items. A
//! text may be `{has: [...], lacks: [...]}`; `{absent: true}` is a key that is not there,
//! `{any: true}` one that is.

use serde_json::{Map, Value};
use touchstone_model::agent::FREE_TEXT;

/// Most characters of a value that a difference shows.
const SHOWN: usize = 600;

/// Where an answer differs from what is expected, a line each.
pub(super) fn differences(expected: &Value, answer: &Value) -> Vec<String> {
    let mut differences = Vec::new();
    compare("", expected, Some(answer), &mut differences);
    if !differences.is_empty() {
        differences.push(format!("the answer is {}", cut(answer)));
    }
    differences
}

fn compare(at: &str, expected: &Value, answer: Option<&Value>, differences: &mut Vec<String>) {
    if let Some(test) = expected.as_object().and_then(Test::read) {
        if !test.holds(answer) {
            differences.push(format!("`{at}` is {}, expected {expected}", shown(answer)));
        }
        return;
    }
    match (expected, answer) {
        (Value::Object(fields), Some(Value::Object(there))) => {
            for (key, value) in fields {
                let at = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                compare(&at, value, there.get(key), differences);
            }
        }
        (Value::Array(items), Some(Value::Array(there))) if items.len() == there.len() => {
            for (number, (item, there)) in items.iter().zip(there).enumerate() {
                compare(&format!("{at}[{number}]"), item, Some(there), differences);
            }
        }
        // The model words no messages.
        (Value::String(_), Some(Value::String(free))) if free == FREE_TEXT => {}
        (expected, Some(answer)) if expected == answer => {}
        (expected, answer) => {
            differences.push(format!("`{at}` is {}, expected {}", shown(answer), cut(expected)));
        }
    }
}

/// A test of one value.
enum Test<'e> {
    Absent,
    Any,
    Text { has: Vec<&'e str>, lacks: Vec<&'e str> },
}

impl<'e> Test<'e> {
    fn read(object: &'e Map<String, Value>) -> Option<Self> {
        let is_true = |key| object.get(key) == Some(&Value::Bool(true)) && object.len() == 1;
        if is_true("absent") {
            return Some(Self::Absent);
        }
        if is_true("any") {
            return Some(Self::Any);
        }
        let only = object.keys().all(|key| key == "has" || key == "lacks");
        if object.is_empty() || !only {
            return None;
        }
        let texts = |key| match object.get(key) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) => vec![text.as_str()],
            _ => Vec::new(),
        };
        Some(Self::Text { has: texts("has"), lacks: texts("lacks") })
    }

    fn holds(&self, answer: Option<&Value>) -> bool {
        match (self, answer) {
            (Self::Absent, answer) => answer.is_none_or(Value::is_null),
            (Self::Any, answer) => answer.is_some(),
            (Self::Text { .. }, Some(Value::String(free))) if free == FREE_TEXT => true,
            (Self::Text { has, lacks }, Some(answer)) => {
                let text = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
                has.iter().all(|part| text.contains(part))
                    && !lacks.iter().any(|part| text.contains(part))
            }
            (Self::Text { .. }, None) => false,
        }
    }
}

fn shown(answer: Option<&Value>) -> String {
    answer.map_or_else(|| "absent".to_owned(), cut)
}

fn cut(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_kind_of_expectation_can_fail() {
        let answer = json!({"total": 1, "results": [{"path": "a"}], "message": "none in `a`"});
        for (expected, holds) in [
            (json!({"total": 1}), true),
            (json!({"total": 2}), false),
            (json!({"results": [{"path": "a"}]}), true),
            (json!({"results": []}), false),
            (json!({"results": [{"path": "b"}]}), false),
            (json!({"message": {"has": ["none", "`a`"]}}), true),
            (json!({"message": {"has": ["none"], "lacks": ["`a`"]}}), false),
            (json!({"notices": {"absent": true}}), true),
            (json!({"total": {"absent": true}}), false),
            (json!({"total": {"any": true}}), true),
            (json!({"notices": {"any": true}}), false),
            (json!({"notices": {"has": ["x"]}}), false),
        ] {
            assert_eq!(differences(&expected, &answer).is_empty(), holds, "{expected}");
        }
    }
}
