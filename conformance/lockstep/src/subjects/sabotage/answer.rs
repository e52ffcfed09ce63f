//! Changes of a sound answer into what a bug would have answered.
//!
//! Responsible for: responses of `Search` as JSON, changed and kept consistent where the bug is:
//! `count` with `matches`, `content` with both. Not here: which extra questions are asked
//! ([`super`]). Invariants: a response without the expected fields comes back as it is; nothing
//! here panics.

use std::cmp::Ordering;

use serde_json::{Value, json};

pub(super) fn set(response: &mut Value, field: &str, value: Value) {
    if let Some(fields) = response.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}

/// Number of events.
pub(super) fn event_count(response: &Value) -> u64 {
    events(response).len() as u64
}

fn events(response: &Value) -> &[Value] {
    response.get("matches").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn path(event: &Value) -> &str {
    event.pointer("/data/path/text").and_then(Value::as_str).unwrap_or_default()
}

fn line(event: &Value) -> u64 {
    event.pointer("/data/line_number").and_then(Value::as_u64).unwrap_or_default()
}

fn is_match(event: &Value) -> bool {
    event.get("type").and_then(Value::as_str) == Some("match")
}

/// `content` as the lines of events and the notes after them. Line feeds inside names and text are
/// escaped there, so the first lines belong to the events one by one.
fn content(response: &Value) -> (Vec<String>, Vec<String>) {
    let text = response.get("content").and_then(Value::as_str).unwrap_or_default();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let notes = lines.split_off(events(response).len().min(lines.len()));
    (lines, notes)
}

fn set_content(response: &mut Value, lines: &[String], notes: &[String]) {
    let mut text = String::new();
    for line in lines.iter().chain(notes) {
        text.push_str(line);
        text.push('\n');
    }
    set(response, "content", json!(text));
}

/// The response with a number in its notes replaced, where a question was asked with another limit.
pub(super) fn with_limit_named(response: Value, from: u64, to: u64) -> Value {
    with_note(response, &format!("max_results {from} "), &format!("max_results {to} "))
}

/// The response with a phrase in its notes replaced.
pub(super) fn with_note(mut response: Value, from: &str, to: &str) -> Value {
    let (lines, mut notes) = content(&response);
    for note in &mut notes {
        *note = note.replace(from, to);
    }
    set_content(&mut response, &lines, &notes);
    response
}

/// The first `limit` events of `all`, its files sorted component by component; `None` where that is
/// the order they are in. `files_scanned` stays that of the honest answer: what lies between the
/// files is not known.
pub(super) fn sorted_by_components(honest: &Value, all: &Value, limit: u64) -> Option<Value> {
    let (lines, _) = content(all);
    let mut pairs: Vec<(Value, String)> = events(all).iter().cloned().zip(lines).collect();
    pairs.sort_by(|(a, _), (b, _)| by_components(path(a), path(b)));
    let mut problems = all.get("errors").and_then(Value::as_array).cloned().unwrap_or_default();
    let name = |problem: &Value| {
        problem.get("path").and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    problems.sort_by(|a, b| by_components(&name(a), &name(b)));
    let is_cut = pairs.len() as u64 > limit;
    pairs.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let (matches, lines): (Vec<Value>, Vec<String>) = pairs.into_iter().unzip();
    let mut answer = honest.clone();
    let (_, notes) = content(honest);
    set(&mut answer, "count", json!(matches.len()));
    set(&mut answer, "matches", json!(matches));
    if !is_cut {
        set(&mut answer, "errors", json!(problems));
    }
    set_content(&mut answer, &lines, &notes);
    (answer != *honest).then_some(answer)
}

fn by_components(a: &str, b: &str) -> Ordering {
    a.split('/').cmp(b.split('/'))
}

/// The honest answer as one gives it who takes reaching the limit for proof that more exists.
/// `stop` is the answer that ends at the last event.
pub(super) fn cut_without_looking(honest: &Value, stop: Option<&Value>, limit: u64) -> Value {
    let mut answer = honest.clone();
    for field in ["files_scanned", "errors"] {
        if let Some(value) = stop.and_then(|stop| stop.get(field)) {
            set(&mut answer, field, value.clone());
        }
    }
    let (lines, mut notes) = content(honest);
    let note = format!("[truncated: max_results {limit} reached, more events exist]");
    if !notes.contains(&note) {
        let at = notes.iter().take_while(|note| note.as_str() == "[no matches]").count();
        notes.insert(at, note);
    }
    set(&mut answer, "truncated", json!(true));
    set_content(&mut answer, &lines, &notes);
    answer
}

/// The honest answer with every column counted in characters.
#[expect(clippy::unnecessary_wraps, reason = "the other changes of an answer may not apply")]
pub(super) fn columns_in_characters(honest: &Value) -> Option<Value> {
    let mut answer = honest.clone();
    let (mut lines, notes) = content(honest);
    let matches = answer.get_mut("matches").and_then(Value::as_array_mut);
    for (event, shown) in matches.into_iter().flatten().zip(&mut lines) {
        let number = line(event);
        let text = event.pointer("/data/lines/text").and_then(Value::as_str).unwrap_or_default();
        let column = event.pointer("/data/column").and_then(Value::as_u64);
        let Some(column) = column else { continue };
        let before =
            usize::try_from(column).ok().and_then(|column| text.get(..column.checked_sub(1)?));
        let Some(before) = before else { continue };
        let wrong = before.chars().count() + 1;
        *shown = shown.replacen(&format!(":{number}:{column}:"), &format!(":{number}:{wrong}:"), 1);
        if let Some(data) = event.get_mut("data") {
            set(data, "column", json!(wrong));
        }
    }
    set_content(&mut answer, &lines, &notes);
    Some(answer)
}

/// How many events of `all` there are up to the context after its match number `limit`.
pub(super) fn events_of_matches(all: &Value, limit: u64, context: u64) -> u64 {
    let mut matches = 0;
    let mut last: Option<&Value> = None;
    let mut kept = 0;
    for event in events(all) {
        if is_match(event) {
            if matches == limit {
                break;
            }
            matches += 1;
            last = Some(event);
        } else if matches == limit
            && last.is_none_or(|last| {
                path(last) != path(event) || line(event) > line(last).saturating_add(context)
            })
        {
            break;
        }
        kept += 1;
    }
    kept
}
