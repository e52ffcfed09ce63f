//! Parses a model's reply: the list of files in an arbitrary text (section 7, What it answers).
//!
//! Total. Only file names, line numbers and reasons are used.

use serde_json::Value;

use super::Config;
use crate::agent::lines::{MARK, boundary_before};

/// An item of a model's list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ReplyItem {
    /// The file, if it is named.
    pub(super) path: Option<String>,
    /// Line numbers, 1-based; `None` for anything else.
    pub(super) lines: Vec<Option<u64>>,
    pub(super) reason: Option<String>,
}

/// The first list of files in a reply.
pub(super) fn list(config: &Config, said: &str) -> Option<Vec<ReplyItem>> {
    let limits = &config.tables.limits;
    let read = said.get(..boundary_before(said, size(limits.answer_bytes))).unwrap_or_default();
    let thought = read.rfind("</think>").map_or(0, |at| at + "</think>".len());
    let text = read.get(thought..).unwrap_or_default();
    let places = text.char_indices().filter(|(_, one)| matches!(one, '{' | '[')).map(|(at, _)| at);
    let mut values =
        places.take(size(limits.answer_places)).filter_map(|at| value_at(text.get(at..)?));
    let items = values.find_map(|value| files_of(&value))?;
    Some(items.iter().map(|item| self::item(config, item)).collect())
}

fn size(limit: u64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// The JSON value at the start of a text.
fn value_at(text: &str) -> Option<Value> {
    serde_json::Deserializer::from_str(text).into_iter::<Value>().next()?.ok()
}

/// The items of a value that is a list of files.
fn files_of(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Object(fields) => {
            let list = ["files", "results", "ranked_files"]
                .into_iter()
                .find_map(|name| fields.get(name))?;
            list.as_array().cloned()
        }
        Value::Array(items) => {
            let names = |item: &Value| item.is_string() || path_of(item).is_some();
            (!items.is_empty() && items.iter().all(names)).then(|| items.clone())
        }
        _ => None,
    }
}

/// The path of an item, as written.
fn path_of(item: &Value) -> Option<&str> {
    let field = |name: &str| item.get(name).and_then(Value::as_str);
    item.as_str().or_else(|| field("path")).or_else(|| field("file"))
}

/// Readings of a written path: itself, then the text inside its punctuation.
pub(super) fn readings(path: &str) -> [&str; 2] {
    let within = path.trim_matches(|one: char| one.is_whitespace() || one == '`');
    [path, within.strip_prefix("./").unwrap_or(within)]
}

fn item(config: &Config, item: &Value) -> ReplyItem {
    let path = path_of(item).map(str::to_owned);
    let lines =
        item.get("lines").and_then(Value::as_array).into_iter().flatten().map(line).collect();
    let field = |name: &str| item.get(name).and_then(Value::as_str);
    let reason = field("reason").or_else(|| field("explanation"));
    ReplyItem { path, lines, reason: reason.and_then(|reason| self::reason(config, reason)) }
}

/// A line number.
fn line(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        Value::String(text)
            if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            text.parse().ok()
        }
        _ => None,
    }
}

/// A floating-point number without fraction, as a line number.
fn whole(number: f64) -> Option<u64> {
    // Accepts what prints as digits only.
    format!("{number}").parse().ok().filter(|_| number.fract() == 0.0)
}

/// A reason as shown; `None` if it is blank.
fn reason(config: &Config, reason: &str) -> Option<String> {
    let words = reason.split(|one: char| one.is_whitespace() || one.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let whole = words.join(" ");
    let kept = boundary_before(&whole, size(config.tables.limits.reason_bytes));
    let mark = if kept < whole.len() { MARK } else { "" };
    (!whole.is_empty()).then(|| format!("{}{mark}", whole.get(..kept).unwrap_or_default()))
}

#[cfg(test)]
mod tests;
