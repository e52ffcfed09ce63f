//! Arguments in the shapes that clients send, as the published schema has them (D25;
//! docs/agent-tools.md, section 2).
//!
//! Responsible for: absent fields that are written out, values as text, lists in one text, and
//! names that other tools have. Not here: the table of names (`other_names`), types and bounds
//! (`reader`), which see the result. Invariants: a request that fits the schema stays as it is;
//! nothing is guessed, what has no certain meaning is an error or left to the reader.

use forge_search_core::{ToolError, request::shown};
use serde_json::{Map, Value};

use super::{
    file_types,
    other_names::{OTHER_NAMES, OtherNames, Rule, Tool},
};

/// The characters that make a pattern mean something else as a regular expression.
const METACHARACTERS: &str = "\\^$.|?*+()[]{}";
/// The field whose text stays text: whether a model is asked is JSON's `true` alone (D27).
const STRICT: &str = "use_model";

/// The request in the shape of `schema`, which is the tool's. `regex` is the field, if there is
/// one, that says whether the pattern is a regular expression where the tool's default says no.
pub(super) fn as_published(
    tool: Tool,
    schema: &Value,
    request: &Value,
) -> Result<Value, ToolError> {
    let Some(given) = request.as_object() else { return Ok(request.clone()) };
    let schema = Schema(schema);
    let mut names: Vec<&String> = given.keys().collect();
    names.sort_unstable();
    let mut read = Map::new();
    let mut foreign = Vec::new();
    let mut unknown = Vec::new();
    for name in names {
        let Some(value) = given.get(name) else { continue };
        if let Some(kind) = schema.kind(name) {
            let means_other = tool == Tool::Grep && name == "regex" && pattern_in(value);
            if means_other && !given.contains_key("pattern") {
                read.insert("pattern".to_owned(), value.clone());
                read.insert("regex".to_owned(), Value::Bool(true));
            } else if !is_absent(value, kind, schema.requires(name)) {
                read.insert(name.clone(), value.clone());
            }
        } else if let Some(other) = meaning(tool, name, value) {
            if !(value.is_null() || value == "") {
                foreign.push((name, value, other));
            }
        } else {
            unknown.push(name.as_str());
        }
    }
    if !unknown.is_empty() {
        return Err(unknown_fields(tool, &schema, &unknown));
    }
    let mut said: Vec<(&str, &str)> = Vec::new();
    for (name, value, (field, rule)) in &foreign {
        for (field, value) in translated(name, value, field, *rule, &schema)? {
            let earlier = said.iter().find(|(earlier, _)| *earlier == field).map(|(_, by)| *by);
            if let Some(earlier) = earlier.or(read.contains_key(field).then_some(field)) {
                let name = shown(name);
                let why = format!("`{name}` and `{earlier}` both mean `{field}`; give one of them");
                return Err(ToolError::bad_args(&name, why));
            }
            read.insert(field.to_owned(), value);
            said.push((field, name));
        }
    }
    if !foreign.is_empty() {
        says_which(tool, &read, foreign.first().map_or("", |(name, ..)| name))?;
    }
    for (name, value) in &mut read {
        if let Some(kind) = schema.kind(name).filter(|_| name != STRICT) {
            convert(name, kind, value)?;
        }
    }
    Ok(Value::Object(read))
}

/// What a field's schema asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Texts,
    TextOrTexts,
    Integer,
    Flag,
}

struct Schema<'s>(&'s Value);

impl<'s> Schema<'s> {
    fn field(&self, name: &str) -> Option<&'s Value> {
        self.0.get("properties")?.get(name)
    }

    fn names(&self) -> impl Iterator<Item = &'s str> {
        let fields = self.0.get("properties").and_then(Value::as_object);
        fields.into_iter().flat_map(|fields| fields.keys().map(String::as_str))
    }

    fn kind(&self, name: &str) -> Option<Kind> {
        let field = self.field(name)?;
        Some(match field.get("type").and_then(Value::as_str) {
            Some("string") => Kind::Text,
            Some("array") => Kind::Texts,
            Some("integer") => Kind::Integer,
            Some("boolean") => Kind::Flag,
            _ => Kind::TextOrTexts,
        })
    }

    fn requires(&self, name: &str) -> bool {
        let required = self.0.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|one| one == name))
    }
}

/// Whether a client that has nothing to say wrote this.
fn is_absent(value: &Value, kind: Kind, required: bool) -> bool {
    let is_text = matches!(kind, Kind::Text | Kind::Texts | Kind::TextOrTexts);
    !required && (value.is_null() || is_text && value == "")
}

/// Whether a value of `regex` is the pattern itself, as Cline writes it.
fn pattern_in(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty() && flag(text).is_none())
}

/// A name as it is looked up: `includePattern`, `include_pattern` and `IncludePattern` are one.
fn plain(name: &str) -> String {
    if name.len() == 2 && name.starts_with('-') {
        return name.to_owned();
    }
    name.to_lowercase().chars().filter(|c| !matches!(c, '_' | '-')).collect()
}

type Meaning = (&'static str, Rule);

/// What a name means that is none of the tool's own. A pattern is no `true`, and no pattern is
/// one.
fn meaning(tool: Tool, name: &str, value: &Value) -> Option<Meaning> {
    let name = plain(name);
    let fits = |other: &&OtherNames| {
        let is_pattern = name != "regex" || pattern_in(value) == matches!(other.rule, Rule::Same);
        is_pattern && other.names.contains(&name.as_str())
    };
    OTHER_NAMES.iter().filter(fits).find_map(|other| {
        let (_, field) = other.fields.iter().find(|(of, _)| *of == tool)?;
        Some((*field, other.rule))
    })
}

/// The fields of a value under another name.
fn translated(
    name: &str,
    value: &Value,
    field: &'static str,
    rule: Rule,
    schema: &Schema<'_>,
) -> Result<Vec<(&'static str, Value)>, ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args(name, why));
    Ok(match rule {
        Rule::NoEffect => Vec::new(),
        Rule::Same if name == "regex" && field == "query" => {
            vec![(field, value.clone()), ("mode", "regex".into())]
        }
        Rule::Same => vec![(field, value.clone())],
        Rule::Values(values) => {
            let given = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let given = flag(&given).map_or(given, |flag| flag.to_string());
            match values.iter().find(|(other, _)| *other == given) {
                Some((_, "")) => Vec::new(),
                Some((_, own)) => vec![(field, Value::from(*own))],
                None => {
                    let known: Vec<&str> = values.iter().map(|(known, _)| *known).collect();
                    let (given, known) = (shown(&given), known.join(", "));
                    return refuse(format!(
                        "`{name}` is `{given}`; known are {known}; or use `{field}`"
                    ));
                }
            }
        }
        Rule::Limit => {
            let most = schema.field(field).and_then(|field| field.get("maximum")?.as_u64());
            let given = number(value);
            match (given.and_then(|given| given.as_f64()), most) {
                (Some(given), Some(most)) if given == 0.0 || is_above(given, most) => {
                    vec![(field, most.into())]
                }
                (Some(0.0), None) => Vec::new(),
                _ => vec![(field, value.clone())],
            }
        }
        Rule::Types => return file_types::expanded(name, value, field),
        Rule::Refused(instead) => {
            let nothing = value == false || number(value).is_some_and(|n| n.as_f64() == Some(0.0));
            if nothing || value == "false" {
                Vec::new()
            } else {
                return refuse(format!("`{name}` is not supported; {instead}"));
            }
        }
    })
}

/// Other tools read a pattern as a regular expression where this one reads it literally. A call in
/// their words says which, if it makes a difference.
fn says_which(tool: Tool, read: &Map<String, Value>, name: &str) -> Result<(), ToolError> {
    let (pattern, field, yes, no) = match tool {
        Tool::Grep => ("pattern", "regex", "true", "false"),
        Tool::Contents => ("query", "mode", "\"regex\"", "\"exact\""),
        _ => return Ok(()),
    };
    let text = read.get(pattern).and_then(Value::as_str).unwrap_or_default();
    let special = text.chars().find(|c| METACHARACTERS.contains(*c));
    match special.filter(|_| !read.contains_key(field)) {
        None => Ok(()),
        Some(special) => Err(ToolError::bad_args(
            field,
            format!(
                "`{pattern}` holds `{special}`, and `{}` is another tool's name for a field; say `{field}`: {yes} \
                 for a regular expression, {no} for exactly this text",
                shown(name)
            ),
        )),
    }
}

fn flag(text: &str) -> Option<bool> {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    if is("true") { Some(true) } else { is("false").then_some(false) }
}

/// A number, or the number that a text is.
fn number(value: &Value) -> Option<serde_json::Number> {
    match value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// Puts a value into the form that the schema asks for, where that is clear.
fn convert(name: &str, kind: Kind, value: &mut Value) -> Result<(), ToolError> {
    let Some(text) = value.as_str() else { return Ok(()) };
    let better = match kind {
        Kind::Text => None,
        Kind::Integer => number(value).map(Value::Number),
        Kind::Flag => flag(text).map(Value::Bool),
        Kind::Texts | Kind::TextOrTexts => Some(texts(name, text)?.into()),
    };
    if let Some(better) = better {
        *value = better;
    }
    Ok(())
}

/// The texts of a list in one text.
fn texts(name: &str, text: &str) -> Result<Vec<String>, ToolError> {
    if text.trim_start().starts_with('[')
        && let Ok(texts) = serde_json::from_str::<Vec<String>>(text)
    {
        return Ok(texts);
    }
    let bare = text.trim();
    let is_broken_list = bare.starts_with("[\"") || bare.starts_with("['");
    let parts = if is_broken_list {
        bare.trim_matches(['[', ']']).split(',').collect()
    } else {
        listed(bare)
    };
    let is_list = match name {
        // A term is any text.
        "search_terms" => is_broken_list,
        "file_type" => is_broken_list || parts.len() > 1,
        _ => is_broken_list || parts.len() > 1 && parts.iter().all(|part| is_path_like(part)),
    };
    if !is_list {
        return Ok(vec![text.to_owned()]);
    }
    let strip = |part: &str| part.trim().trim_matches(['"', '\'']).to_owned();
    let parts: Vec<String> = parts.into_iter().map(strip).filter(|part| !part.is_empty()).collect();
    let (text, right) = (shown(text), shown(&Value::from(parts).to_string()));
    Err(ToolError::bad_args(
        name,
        format!("`{name}` is a list in one text, `{text}`; write {right}"),
    ))
}

/// The parts of a text between commas that are in no braces or brackets, if none of them is blank.
fn listed(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut escaped) = (0_usize, 0, false);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    if parts.iter().any(|part| part.trim().is_empty()) { vec![text] } else { parts }
}

/// Whether a part of a text is by itself a glob or a path, so that commas separate it.
fn is_path_like(part: &str) -> bool {
    part.contains(['*', '?', '/', '.'])
}

/// All unknown fields, each with the field that is meant, if one is near.
fn unknown_fields(tool: Tool, schema: &Schema<'_>, unknown: &[&str]) -> ToolError {
    let near = |name: &str| {
        let by_table = OTHER_NAMES.iter().find_map(|other| {
            let close = other.names.iter().any(|known| distance(known, &plain(name)) <= 1);
            let (_, field) = other.fields.iter().find(|(of, _)| *of == tool)?;
            (close && name.len() > 3 && !field.is_empty()).then_some(*field)
        });
        let own = || schema.names().find(|own| distance(&plain(own), &plain(name)) <= 2);
        own().or(by_table)
    };
    let told: Vec<String> = unknown
        .iter()
        .map(|name| match near(name) {
            Some(field) => format!("`{}` (use `{field}`)", shown(name)),
            None => format!("`{}`", shown(name)),
        })
        .collect();
    let noun = if told.len() > 1 { "fields" } else { "field" };
    let known: Vec<&str> = schema.names().collect();
    let why = format!("unknown {noun} {}; known fields are {}", told.join(", "), known.join(", "));
    ToolError::bad_args(unknown.first().copied().unwrap_or_default(), why)
}

/// Edits between two short names; 99 for long ones.
pub(super) fn distance(a: &str, b: &str) -> usize {
    const LONGEST: usize = 40;
    if a.len() > LONGEST || b.len() > LONGEST {
        return 99;
    }
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (y, cell) in b.chars().zip(row.iter_mut().skip(1)) {
            let best = (diagonal + usize::from(x != y)).min(*cell + 1).min(left + 1);
            diagonal = std::mem::replace(cell, best);
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(99)
}

/// Whether a number is larger than a limit, which is small.
fn is_above(given: f64, most: u64) -> bool {
    u32::try_from(most).is_ok_and(|most| given > f64::from(most))
}
