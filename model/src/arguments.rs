//! Arguments as clients send them, rewritten as the schema has them (docs/agent-tools.md, section
//! 2, *As clients send them*). A request that a strict reader accepts is not changed.

use serde_json::{Map, Value};

use crate::generated::agent::OTHER_NAMES;
use crate::tables::agent::{AgentTool, OtherNames, Takes};
use crate::tables::{Field, Kind, Maximum};

/// The shape of a field, whatever its bounds come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Text,
    Flag,
    Integer,
    Texts,
}

struct Own {
    name: &'static str,
    shape: Shape,
    required: bool,
    /// The published maximum of an integer.
    most: Option<u64>,
}

/// The request in the published shape; else the field that is wrong.
pub(crate) fn published<S: Copy>(
    tool: AgentTool,
    fields: &[Field<S>],
    request: &Value,
) -> Result<Value, String> {
    let Value::Object(given) = request else { return Ok(request.clone()) };
    let own: Vec<Own> = fields.iter().map(of).collect();
    let find = |name: &str| own.iter().find(|field| field.name == name);
    let mut names: Vec<&String> = given.keys().collect();
    names.sort();
    // Cline's `regex` is the pattern.
    let is_cline = |name: &str| {
        let text = given.get("regex").and_then(Value::as_str).unwrap_or_default();
        let written = tool == AgentTool::Grep && name == "regex" && !given.contains_key("pattern");
        written && !text.is_empty() && boolean(text).is_none()
    };
    if let Some(unknown) =
        names.iter().find(|name| find(name).is_none() && row(tool, name, given).is_none())
    {
        return Err((*unknown).clone());
    }
    let mut read: Map<String, Value> = Map::new();
    for name in &names {
        let value = given.get(*name).unwrap_or(&Value::Null);
        if is_cline(name) {
            read.insert("pattern".to_owned(), value.clone());
            read.insert("regex".to_owned(), Value::Bool(true));
        } else if let Some(field) = find(name) {
            let says_nothing =
                value.is_null() || value == "" && matches!(field.shape, Shape::Text | Shape::Texts);
            if field.required || !says_nothing {
                read.insert((*name).clone(), value.clone());
            }
        }
    }
    let mut foreign = false;
    for name in names.iter().filter(|name| find(name).is_none()) {
        let value = given.get(*name).unwrap_or(&Value::Null);
        let Some((field, row)) = row(tool, name, given) else { continue };
        if value.is_null() || value == "" {
            continue;
        }
        foreign = true;
        let most = find(field).and_then(|field| field.most);
        for (field, value) in
            meaning(tool, name, (row, field), value, most).ok_or_else(|| (*name).clone())?
        {
            if read.insert(field.to_owned(), value).is_some() {
                return Err((*name).clone());
            }
        }
    }
    if foreign && let Some(field) = ambiguous(tool, &read) {
        return Err(field.to_owned());
    }
    for (name, value) in &mut read {
        let Some(field) = find(name).filter(|field| field.name != "use_model") else { continue };
        if let Value::String(text) = &*value {
            *value = match field.shape {
                Shape::Text => continue,
                Shape::Flag => boolean(text).map_or_else(|| value.clone(), Value::Bool),
                Shape::Integer => numeral(text).map_or_else(|| value.clone(), Value::Number),
                Shape::Texts => list(name, text).ok_or_else(|| name.clone())?.into(),
            };
        }
    }
    Ok(Value::Object(read))
}

fn of<S: Copy>(field: &Field<S>) -> Own {
    let (shape, most) = match field.kind {
        Kind::Text | Kind::Choice(_) => (Shape::Text, None),
        Kind::Flag => (Shape::Flag, None),
        Kind::Texts | Kind::TextOrTexts => (Shape::Texts, None),
        Kind::Integer { maximum: Maximum::Fixed(most), .. } => (Shape::Integer, Some(most)),
        Kind::Integer { .. } => (Shape::Integer, None),
    };
    Own { name: field.name, shape, required: field.required, most }
}

/// The row of the table for a name, and the tool's field.
fn row(
    tool: AgentTool,
    name: &str,
    given: &Map<String, Value>,
) -> Option<(&'static str, &'static OtherNames)> {
    let short = name.chars().count() == 2 && name.starts_with('-');
    let written: String =
        if short { name.to_owned() } else { name.to_lowercase().replace(['_', '-'], "") };
    OTHER_NAMES.iter().find_map(|row| {
        let text = given.get(name).and_then(Value::as_str).unwrap_or_default();
        let is_text = !text.is_empty() && boolean(text).is_none();
        // As a pattern it is text, as a flag it is none.
        let fits = written != "regex" || is_text == (row.takes == Takes::Same);
        let field = row.fields.iter().find(|field| field.tool == tool)?;
        (fits && row.names.contains(&written.as_str())).then_some((field.name, row))
    })
}

/// The fields that a value stands for; `None` if it has no meaning.
fn meaning(
    tool: AgentTool,
    name: &str,
    (row, field): (&OtherNames, &'static str),
    value: &Value,
    most: Option<u64>,
) -> Option<Vec<(&'static str, Value)>> {
    let as_number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => numeral(text).and_then(|number| number.as_f64()),
        _ => None,
    };
    match row.takes {
        Takes::Same => {
            let mode = (tool == AgentTool::SearchFiles && name == "regex")
                .then(|| ("mode", Value::from("regex")));
            Some(std::iter::once((field, value.clone())).chain(mode).collect())
        }
        Takes::Values => {
            let said = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let said = boolean(&said).map_or(said, |flag| flag.to_string());
            let known = row.values.iter().find(|known| known.theirs == said)?;
            let is_said = !known.own.is_empty();
            Some(is_said.then(|| (field, Value::from(known.own))).into_iter().collect())
        }
        Takes::Limit => match (as_number, most) {
            #[expect(clippy::cast_precision_loss, reason = "limits are small")]
            (Some(number), Some(most)) if number == 0.0 || number > most as f64 => {
                Some(vec![(field, most.into())])
            }
            (Some(0.0), None) => Some(Vec::new()),
            _ => Some(vec![(field, value.clone())]),
        },
        Takes::NoEffect => Some(Vec::new()),
        Takes::Refused => {
            let off = *value == Value::Bool(false) || value == "false" || as_number == Some(0.0);
            off.then(Vec::new)
        }
        // The table of types is ripgrep's.
        Takes::Types => None,
    }
}

/// The field that has to say how the pattern is read.
fn ambiguous(tool: AgentTool, read: &Map<String, Value>) -> Option<&'static str> {
    let (pattern, field) = match tool {
        AgentTool::Grep => ("pattern", "regex"),
        AgentTool::SearchFiles => ("query", "mode"),
        _ => return None,
    };
    let text = read.get(pattern)?.as_str()?;
    let special =
        text.contains(['\\', '^', '$', '.', '|', '?', '*', '+', '(', ')', '[', ']', '{', '}']);
    (special && !read.contains_key(field)).then_some(field)
}

fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn numeral(text: &str) -> Option<serde_json::Number> {
    match serde_json::from_str(text) {
        Ok(Value::Number(number)) => Some(number),
        _ => None,
    }
}

/// The texts that a text stands for; `None` if it is a list and no JSON.
fn list(name: &str, text: &str) -> Option<Vec<String>> {
    let bare = text.trim();
    if bare.starts_with('[')
        && let Ok(Value::Array(items)) = serde_json::from_str(text)
        && let Some(texts) = items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
    {
        return Some(texts);
    }
    if bare.starts_with("[\"") || bare.starts_with("['") {
        return None;
    }
    let parts = separated(bare);
    let is_path = |part: &String| part.contains(['*', '?', '/', '.']);
    let is_list = parts.len() > 1
        && parts.iter().all(|part| !part.trim().is_empty())
        && match name {
            "search_terms" => false,
            "file_type" => true,
            _ => parts.iter().all(is_path),
        };
    (!is_list).then(|| vec![text.to_owned()])
}

/// Splits at commas that no brace, bracket or backslash protects.
fn separated(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_u32;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let Some(part) = parts.last_mut() else { continue };
        part.push(character);
        if character == '\\' {
            part.extend(characters.next());
        }
    }
    parts
}
