//! A case and its answer as text that a person can read against the documents: the form of the
//! goldens' snapshots.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use touchstone_model::agent::FREE_TEXT;

use crate::case::{Case, ROOT_MARK, escape};
use crate::compare::without_prose;
use crate::family::Family;
use crate::observation::{ALLOW_TRUNCATION, ASKED, DATA, ROOT, STRUCTURED, TEXT};
use crate::raw::RawObject;
use crate::subject::Observation;

/// The fields of a response, in the order they are shown; `content` follows as a block.
const FIELDS: [&str; 7] =
    ["pattern", "path", "count", "truncated", "timed_out", "files_scanned", "errors"];

/// The case and its answer. An error says which part of an answer is not of the form that the
/// documents demand.
pub fn shown(case: &Case, observation: &Observation) -> anyhow::Result<String> {
    let mut text = case.to_yaml();
    let refused = |error: &Value| format!("\nrefused: {}\n", json(error));
    match (case.family(), observation) {
        (Family::Files, Ok(answer)) => write_answer(&mut text, answer)?,
        (Family::Keyword, Ok(answer)) => write_keyword(&mut text, case, answer)?,
        (Family::Keyword, Err(error)) => text += &refused(&without_prose(&unplaced(error))),
        (Family::Agent, Ok(answer)) => write_page(&mut text, answer)?,
        (Family::Agent, Err(error)) => text += &refused(&without_prose(error)),
        (Family::Search, Ok(response)) => write_response(&mut text, response)?,
        (_, Err(error)) => text += &refused(&without(error, ALLOW_TRUNCATION)),
    }
    Ok(text)
}

/// A refusal without the parts that every call has, which the comparison with the model checks.
fn without(error: &Value, field: &str) -> Value {
    let mut error = error.clone();
    if let Some(fields) = error.as_object_mut() {
        fields.remove(field);
    }
    error
}

/// A refusal without the tree's path and the count of model calls (the comparison with the model
/// has seen it).
fn unplaced(error: &Value) -> Value {
    without(&without(error, ROOT), ASKED)
}

/// An answer of `keyword_search`, and the prompt of a language model; what is free is not kept, nor
/// where the tree was.
fn write_keyword(text: &mut String, case: &Case, answer: &Value) -> anyhow::Result<()> {
    let mut shown = answer.clone();
    let page = shown.get_mut(STRUCTURED).and_then(Value::as_object_mut);
    let page = page.with_context(|| format!("no `{STRUCTURED}` in {answer}"))?;
    for free in ["prompt", "bytes"] {
        if let Some(free) = page.get_mut(free).filter(|one| !one.is_null()) {
            *free = FREE_TEXT.into();
        }
    }
    if let Some(bytes) = page.get_mut("model").and_then(|model| model.get_mut("bytes_sent")) {
        *bytes = FREE_TEXT.into();
    }
    if !case.config.working_dir.is_empty() {
        // Paths that begin with the tree's own are as long as that.
        let terms = page.get_mut("terms").and_then(Value::as_array_mut).into_iter().flatten();
        terms.filter_map(|term| term.get_mut("bytes")).for_each(|bytes| *bytes = FREE_TEXT.into());
    }
    let mut written = String::new();
    write_page(&mut written, &shown)?;
    if let Some(data) = answer.get(DATA).and_then(Value::as_str) {
        writeln!(written, "\ntold:")?;
        for line in data.lines() {
            writeln!(written, "  |{}", visible(line))?;
        }
    }
    let root = answer.get(ROOT).and_then(Value::as_str);
    let root = root.with_context(|| format!("no `{ROOT}` in {answer}"))?;
    text.push_str(&written.replace(root, ROOT_MARK));
    Ok(())
}

/// An answer of one of the agent's tools; the wording of messages is not kept.
fn write_page(text: &mut String, answer: &Value) -> anyhow::Result<()> {
    let page = answer.get(STRUCTURED).map(without_prose);
    let page = page.as_ref().and_then(Value::as_object);
    let page = page.with_context(|| format!("no `{STRUCTURED}` in {answer}"))?;
    writeln!(text, "\nanswer:")?;
    for (name, value) in page {
        match (name.as_str(), value) {
            ("results" | "notices", Value::Array(items)) => {
                writeln!(text, "  {name}:")?;
                for item in items {
                    writeln!(text, "    {}", json(item))?;
                }
            }
            _ => writeln!(text, "  {name}: {}", json(value))?,
        }
    }
    Ok(())
}

/// An answer of `search_files`, taken apart and otherwise letter by letter.
fn write_answer(text: &mut String, answer: &Value) -> anyhow::Result<()> {
    let written = answer.get(TEXT).and_then(Value::as_str);
    let written = written.with_context(|| format!("no `{TEXT}` in {answer}"))?;
    writeln!(text, "\nanswer, {} bytes:", written.len())?;
    let answer = RawObject::read(written).with_context(|| format!("no object: {written}"))?;
    for (name, value) in answer.fields() {
        match name {
            "matches" | "errors" => {
                writeln!(text, "  {name}:")?;
                let items = answer.items(name);
                for item in items.with_context(|| format!("no array: {value}"))? {
                    writeln!(text, "    {}", visible(&item))?;
                }
            }
            "stats" => {
                writeln!(text, "  {name}:")?;
                let stats =
                    RawObject::read(value).with_context(|| format!("no object: {value}"))?;
                for (name, value) in stats.fields() {
                    writeln!(text, "    {name}: {}", visible(value))?;
                }
            }
            _ => writeln!(text, "  {name}: {}", visible(value))?,
        }
    }
    Ok(())
}

fn write_response(text: &mut String, response: &Value) -> anyhow::Result<()> {
    let field =
        |name: &str| response.get(name).with_context(|| format!("no `{name}` in {response}"));
    writeln!(text, "\nanswer:")?;
    for name in FIELDS {
        writeln!(text, "  {name}: {}", json(field(name)?))?;
    }
    let known: BTreeSet<&str> = FIELDS.into_iter().chain(["matches", "content", "stats"]).collect();
    for (name, value) in response.as_object().into_iter().flatten() {
        ensure!(known.contains(name.as_str()), "`{name}`: {value} is in no document");
    }
    if let Some(stats) = response.get("stats").and_then(Value::as_object) {
        writeln!(text, "  stats:")?;
        for (name, value) in stats {
            writeln!(text, "    {name}: {}", json(value))?;
        }
    }
    writeln!(text, "  matches:")?;
    for event in field("matches")?.as_array().into_iter().flatten() {
        writeln!(text, "    {}", json(event))?;
    }
    writeln!(text, "  content:")?;
    let content = field("content")?.as_str().context("`content` is no text")?;
    let Some(lines) = content.strip_suffix('\n').map(|lines| lines.split('\n')) else {
        ensure!(content.is_empty(), "content does not end a line: {content:?}");
        return Ok(());
    };
    for line in lines {
        writeln!(text, "    |{}", visible(line))?;
    }
    Ok(())
}

/// A value on one line, in which nothing is hidden and nothing fuses.
fn json(value: &Value) -> String {
    visible(&value.to_string())
}

/// Escapes characters that are invisible or look like others, as JSON does. Tabs stay.
fn visible(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        let one = character.to_string();
        if character == '\t' || character == '\\' || escape(one.as_bytes()) == one {
            shown.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        }
    }
    shown
}
