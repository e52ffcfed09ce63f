//! Reading a request's fields: typed access, and the checks that several tools share.
//!
//! Responsible for: the types of JSON values, the bounds of numbers, globs, and the characters of patterns; each error names the field, the
//! value and what is allowed.
//! Left to neighbours: which fields there are, and the order of checks.

use serde_json::{Map, Value};

use super::{CaseMode, MAX_GLOB_BYTES, MAX_GLOBS, MAX_PATTERN_BYTES};
use crate::{
    error::ToolError,
    glob::{Dialect, Glob},
};

/// A count as the machine can hold it.
pub(crate) fn saturate(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// What is looked for has characters, not too many, and none that no line holds (E-F02, E-F03).
pub(crate) fn check_pattern(field: &str, pattern: &str) -> Result<(), ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args(field, why));
    if pattern.len() > MAX_PATTERN_BYTES {
        return refuse(format!(
            "`{field}` is {} bytes long; at most {MAX_PATTERN_BYTES} are allowed",
            pattern.len()
        ));
    }
    if pattern.trim().is_empty() {
        return refuse(format!(
            "`{field}` is empty or blank; give at least one character that is not white space"
        ));
    }
    for (c, name) in [('\n', "line feed"), ('\0', "NUL")] {
        if let Some(at) = pattern.find(c) {
            return refuse(format!("`{field}` holds a {name} at byte {at}; the search goes line by line"));
        }
    }
    Ok(())
}

/// A list of request globs.
pub(crate) fn globs(field: &str, texts: &[&str]) -> Result<Vec<Glob>, ToolError> {
    if texts.len() > MAX_GLOBS {
        return Err(ToolError::bad_args(
            field,
            format!("`{field}` has {} entries; at most {MAX_GLOBS} are allowed", texts.len()),
        ));
    }
    texts
        .iter()
        .map(|text| {
            if text.len() > MAX_GLOB_BYTES {
                let length = text.len();
                let why = format!(
                    "a glob in `{field}` is {length} bytes long; at most {MAX_GLOB_BYTES} are allowed"
                );
                return Err(ToolError::bad_args(field, why));
            }
            Glob::parse(text.as_bytes(), Dialect::Request).map_err(|why| {
                ToolError::bad_args(field, format!("invalid glob `{}` in `{field}`: {why}", shown(text)))
            })
        })
        .collect()
}

/// The caller's own words, fit for one line of a message.
fn shown(text: &str) -> String {
    const SHOWN: usize = 200;
    let cut = if text.chars().count() > SHOWN { "…" } else { "" };
    crate::content::escape_name(&text.chars().take(SHOWN).collect::<String>()) + cut
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a number with a fraction or exponent",
        Value::Number(_) => "an integer",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Typed access to the request's fields; each error names field, value and what is allowed.
pub(crate) struct Fields<'v>(&'v Map<String, Value>);

impl<'v> Fields<'v> {
    /// The fields of a request, which is an object without fields that nobody knows (E-F16).
    pub(crate) fn of(value: &'v Value, known: &[&str]) -> Result<Self, ToolError> {
        let Value::Object(object) = value else {
            return Err(ToolError::bad_args(
                "request",
                format!("request must be a JSON object, got {}", kind(value)),
            ));
        };
        if let Some(unknown) = object.keys().filter(|key| !known.contains(&key.as_str())).min() {
            return Err(ToolError::bad_args(
                unknown,
                format!("unknown field `{}`; known fields are {}", shown(unknown), known.join(", ")),
            ));
        }
        Ok(Self(object))
    }

    /// A text that has to be there.
    pub(crate) fn required(&self, field: &str) -> Result<&'v str, ToolError> {
        // A model that has nothing to say says null.
        let given = if self.0.get(field).is_some_and(Value::is_null) { None } else { self.text(field)? };
        given.ok_or_else(|| ToolError::bad_args(field, format!("`{field}` is required: a non-empty string")))
    }

    /// One of a closed list of texts.
    pub(crate) fn one_of<T: Copy>(&self, field: &str, choices: &[(&str, T)]) -> Result<Option<T>, ToolError> {
        let Some(given) = self.text(field)? else { return Ok(None) };
        if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == given) {
            return Ok(Some(*choice));
        }
        let allowed: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        Err(ToolError::bad_args(
            field,
            format!("`{field}` is `{}`; allowed are {}", shown(given), allowed.join(", ")),
        ))
    }

    pub(crate) fn text(&self, field: &str) -> Result<Option<&'v str>, ToolError> {
        match self.0.get(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong_type(field, "a string", other)),
        }
    }

    pub(crate) fn flag(&self, field: &str, default: bool) -> Result<bool, ToolError> {
        match self.0.get(field) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(wrong_type(field, "true or false", other)),
        }
    }

    pub(crate) fn texts(&self, field: &str) -> Result<Vec<&'v str>, ToolError> {
        match self.0.get(field) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().ok_or_else(|| wrong_type(field, "an array of strings", item)))
                .collect(),
            Some(other) => Err(wrong_type(field, "an array of strings", other)),
        }
    }

    /// One text, or an array of them.
    pub(crate) fn text_or_texts(&self, field: &str) -> Result<Vec<&'v str>, ToolError> {
        match self.0.get(field) {
            Some(Value::String(text)) => Ok(vec![text]),
            None | Some(Value::Array(_)) => self.texts(field),
            Some(other) => Err(wrong_type(field, "a string or an array of strings", other)),
        }
    }

    pub(crate) fn case(&self) -> Result<Option<CaseMode>, ToolError> {
        let all = [CaseMode::Smart, CaseMode::Sensitive, CaseMode::Insensitive];
        self.one_of("case", &all.map(|case| (case.name(), case)))
    }

    pub(crate) fn integer(&self, field: &str, least: u64, most: u64) -> Result<Option<u64>, ToolError> {
        let Some(value) = self.0.get(field) else { return Ok(None) };
        let Value::Number(number) = value else { return Err(wrong_type(field, "an integer", value)) };
        if number.is_f64() {
            return Err(wrong_type(field, "an integer", value));
        }
        match number.as_u64().filter(|given| (least..=most).contains(given)) {
            Some(given) => Ok(Some(given)),
            None => Err(ToolError::bad_args(
                field,
                format!("`{field}` is {number}; allowed are {least} to {most}"),
            )),
        }
    }
}

fn wrong_type(field: &str, wanted: &str, got: &Value) -> ToolError {
    let mend = match got {
        Value::Null => "; leave it out instead".to_owned(),
        _ => mended(wanted, got).map_or_else(String::new, |mended| format!("; write `{mended}`")),
    };
    ToolError::bad_args(field, format!("`{field}` must be {wanted}, got {}{mend}", kind(got)))
}

/// What was probably meant, where it can be told: models put numbers into quotes, write `10.0`, and leave brackets out.
fn mended(wanted: &str, got: &Value) -> Option<String> {
    const LONGEST: usize = 100;
    let parsed = got.as_str().filter(|text| text.len() <= LONGEST).map(serde_json::from_str::<Value>);
    let mended = match (wanted, got, parsed) {
        ("an integer", Value::Number(number), _) => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15)?;
            // `-0` is read as a fraction, and would be again.
            format!("{:.0}", whole + 0.0)
        }
        ("an integer", _, Some(Ok(Value::Number(number)))) if !number.is_f64() => number.to_string(),
        ("true or false", _, Some(Ok(Value::Bool(flag)))) => flag.to_string(),
        ("an array of strings", Value::String(text), _) if text.len() <= LONGEST => {
            Value::from(vec![text.as_str()]).to_string()
        }
        _ => return None,
    };
    Some(mended)
}
