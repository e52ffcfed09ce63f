//! Changes of a sound answer of `search_files` into what a bug would have answered.
//!
//! Responsible for: the text, changed where the bug is and otherwise letter by letter the same, so
//! that nothing but the bug gives it away. Not here: which bug is which ([`super`]), the text's
//! parts ([`touchstone_cases::raw`]). Invariants: an answer without the expected fields comes back
//! as it is; nothing here panics.

use serde_json::{Value, json};
use touchstone_cases::case::Case;
use touchstone_cases::raw::RawObject;

use crate::observation::TEXT;

/// The answer with its text changed; `None` if it stays as it is.
pub(super) fn changed(
    honest: &Value,
    change: impl FnOnce(&mut RawObject) -> Option<()>,
) -> Option<Value> {
    let text = honest.get(TEXT)?.as_str()?;
    let mut answer = RawObject::read(text)?;
    change(&mut answer)?;
    let mut bugged = honest.clone();
    *bugged.get_mut(TEXT)? = json!(answer.to_text());
    Some(bugged)
}

/// The last match is lost on the way.
pub(super) fn last_match_lost(answer: &mut RawObject) -> Option<()> {
    let mut matches = answer.items("matches")?;
    matches.pop()?;
    put_matches(answer, &matches);
    Some(())
}

/// A line has one match, however often it matches.
pub(super) fn lines_counted(answer: &mut RawObject) -> Option<()> {
    let matches = answer.items("matches")?;
    let mut kept: Vec<String> = Vec::new();
    let place = |item: &str| {
        let item = RawObject::read(item)?;
        Some((item.get("path")?.to_owned(), item.get("line")?.to_owned()))
    };
    for item in matches {
        if kept.last().is_none_or(|last| place(last) != place(&item)) {
            kept.push(item);
        }
    }
    put_matches(answer, &kept);
    put_stat(answer, "matches_total", &kept.len().to_string())
}

/// Columns count characters.
pub(super) fn columns_in_characters(answer: &mut RawObject) -> Option<()> {
    each_match(answer, |item| {
        let line: String = serde_json::from_str(item.get("line_text")?).ok()?;
        let column: usize = item.get("column")?.parse().ok()?;
        let before = line.get(..column.checked_sub(1)?)?;
        item.set("column", (before.chars().count() + 1).to_string());
        Some(())
    })
}

/// Scores depend on the length of the query, whatever the window's.
pub(super) fn scores_off(answer: &mut RawObject) -> Option<()> {
    let query: String = serde_json::from_str(answer.get("query")?).ok()?;
    let length = |text: &str| u32::try_from(text.chars().count()).map(f64::from).ok();
    let query = length(&query)?;
    each_match(answer, |item| {
        let score: f64 = item.get("score")?.parse().ok()?;
        let window: String = serde_json::from_str(item.get("match_text")?).ok()?;
        let distance = ((1.0 - score) * query.max(length(&window)?)).round();
        item.set("score", format!("{:?}", ((query - distance) / query).max(0.0)));
        Some(())
    })
}

/// Binary files are not reported.
pub(super) fn binary_forgotten(answer: &mut RawObject) -> Option<()> {
    let mut errors = answer.items("errors")?;
    errors.retain(|error| !error.ends_with("\"error\":\"binary file\"}"));
    answer.set_items("errors", &errors);
    put_stat(answer, "errors_total", &errors.len().to_string())
}

/// The same case with one byte more for its answer, if it has few.
pub(super) fn one_byte_more(case: &Case) -> Option<Case> {
    let mut changed = case.clone();
    for limit in
        [&mut changed.context.max_output_bytes, &mut changed.context.available_capacity_bytes]
    {
        *limit = limit.map(|bytes| bytes.saturating_add(1));
    }
    (changed.context != case.context).then_some(changed)
}

fn put_matches(answer: &mut RawObject, matches: &[String]) {
    answer.set_items("matches", matches);
    answer.set("returned", matches.len().to_string());
}

fn put_stat(answer: &mut RawObject, name: &str, value: &str) -> Option<()> {
    let mut stats = RawObject::read(answer.get("stats")?)?;
    stats.set(name, value);
    answer.set("stats", stats.to_text());
    Some(())
}

/// Changes every match that can be changed.
fn each_match(answer: &mut RawObject, change: impl Fn(&mut RawObject) -> Option<()>) -> Option<()> {
    let changed = answer.items("matches")?.into_iter().map(|text| {
        let Some(mut item) = RawObject::read(&text) else { return text };
        change(&mut item).map_or(text, |()| item.to_text())
    });
    let changed: Vec<String> = changed.collect();
    answer.set_items("matches", &changed);
    Some(())
}
