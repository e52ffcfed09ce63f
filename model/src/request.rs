//! The request: a JSON object read against the table of fields.
//!
//! Responsible for: which fields there are, their types, bounds and defaults (checks 4 and 5 of section 1), and the
//! request with every default filled in.
//! Left to neighbours: the order of the checks and those that look at several fields (`checks`).
//! Invariants: no name, bound or default stands here; all of them come from the tables and the configuration.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::config::Config;
use crate::tables::{Field, Kind, Maximum, WhenAbsent};

/// One field's value, with its default filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Given {
    Text(String),
    Flag(bool),
    Texts(Vec<String>),
    Integer(u64),
}

/// When letters of different case are equal (FR-LS-SRC-04).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// Never.
    Sensitive,
    /// ASCII letters always.
    Insensitive,
    /// As [`Case::Sensitive`] if a literal of the pattern is an ASCII capital, else as [`Case::Insensitive`].
    Smart,
}

/// A request whose fields are all of the right type and within their bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one flag of the request")]
pub(crate) struct Request {
    /// As given, never trimmed (E-F03).
    pub(crate) pattern: String,
    /// Where to search; `None` is the working directory.
    pub(crate) path: Option<String>,
    pub(crate) case: Case,
    pub(crate) fixed_strings: bool,
    pub(crate) word_regexp: bool,
    pub(crate) include_glob: Vec<String>,
    pub(crate) exclude_glob: Vec<String>,
    pub(crate) glob: Vec<String>,
    pub(crate) recursive: bool,
    pub(crate) hidden: bool,
    pub(crate) follow: bool,
    pub(crate) no_ignore: bool,
    /// Lines before and after a match.
    pub(crate) context: u64,
    /// Events; `None` is no limit, which only an incomplete table gives.
    pub(crate) max_results: Option<u64>,
    /// Matching lines of one file; `None` is no limit.
    pub(crate) max_matches_per_file: Option<u64>,
    /// Files.
    pub(crate) max_files: Option<u64>,
    /// Bytes.
    pub(crate) max_file_size_bytes: Option<u64>,
    /// Edits, if the search is fuzzy.
    pub(crate) fuzzy: Option<u64>,
}

/// The bytewise smallest key that is no field (FR-LS-02b, E-F16).
pub(crate) fn unknown_field(object: &Map<String, Value>, config: &Config) -> Option<String> {
    object.keys().filter(|key| config.tables.field(key).is_none()).min().cloned()
}

/// Reads the fields in schema order, or names the first that is missing, of the wrong type or out of bounds.
pub(crate) fn read(object: &Map<String, Value>, config: &Config) -> Result<Request, String> {
    let mut values = BTreeMap::new();
    for field in config.tables.fields {
        let value = match object.get(field.name) {
            Some(value) => Some(typed(value, field.kind, config).ok_or(field.name)?),
            None if field.required => return Err(field.name.to_owned()),
            None => default_of(field, config),
        };
        values.extend(value.map(|value| (field.name, value)));
    }
    Ok(Values(values).request())
}

/// The value as the kind asks for it; `null` is of no kind.
fn typed(value: &Value, kind: Kind, config: &Config) -> Option<Given> {
    match kind {
        Kind::Text => Some(Given::Text(value.as_str()?.to_owned())),
        Kind::Choice(choices) => {
            let chosen = value.as_str()?;
            choices.contains(&chosen).then(|| Given::Text(chosen.to_owned()))
        }
        Kind::Flag => Some(Given::Flag(value.as_bool()?)),
        Kind::Texts => {
            let texts = value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned));
            Some(Given::Texts(texts.collect::<Option<_>>()?))
        }
        Kind::Integer { minimum, maximum } => {
            let number = value.as_u64()?;
            let unset = config.tables.limits.integer_max;
            let maximum = match maximum {
                Maximum::Fixed(maximum) => maximum,
                Maximum::Setting(setting) => config.setting(setting).unwrap_or(unset),
            };
            (minimum..=maximum).contains(&number).then_some(Given::Integer(number))
        }
    }
}

/// What the absence of a field means; configuration wins over the schema (E-F13).
fn default_of(field: &Field, config: &Config) -> Option<Given> {
    match field.when_absent {
        WhenAbsent::Nothing | WhenAbsent::WorkingDirectory => None,
        WhenAbsent::Text(text) => Some(Given::Text(text.to_owned())),
        WhenAbsent::Flag(flag) => Some(Given::Flag(flag)),
        WhenAbsent::Integer(number) => Some(Given::Integer(number)),
        WhenAbsent::Setting(setting) => config.setting(setting).map(Given::Integer),
    }
}

/// The values of the fields that have one.
struct Values(BTreeMap<&'static str, Given>);

impl Values {
    fn request(&self) -> Request {
        Request {
            pattern: self.text("pattern").unwrap_or_default(),
            path: self.text("path"),
            case: match self.text("case").as_deref() {
                Some("sensitive") => Case::Sensitive,
                Some("insensitive") => Case::Insensitive,
                _ => Case::Smart,
            },
            fixed_strings: self.flag("fixed_strings"),
            word_regexp: self.flag("word_regexp"),
            include_glob: self.texts("include_glob"),
            exclude_glob: self.texts("exclude_glob"),
            glob: self.texts("glob"),
            recursive: self.flag("recursive"),
            hidden: self.flag("hidden"),
            follow: self.flag("follow"),
            no_ignore: self.flag("no_ignore"),
            context: self.integer("context").unwrap_or_default(),
            max_results: self.integer("max_results"),
            max_matches_per_file: self.integer("max_matches_per_file"),
            max_files: self.integer("max_files"),
            max_file_size_bytes: self.integer("max_file_size_bytes"),
            fuzzy: self.integer("fuzzy"),
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        if let Some(Given::Text(text)) = self.0.get(name) { Some(text.clone()) } else { None }
    }

    fn flag(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(Given::Flag(true)))
    }

    fn texts(&self, name: &str) -> Vec<String> {
        if let Some(Given::Texts(texts)) = self.0.get(name) { texts.clone() } else { Vec::new() }
    }

    fn integer(&self, name: &str) -> Option<u64> {
        if let Some(Given::Integer(number)) = self.0.get(name) { Some(*number) } else { None }
    }
}

#[cfg(test)]
mod tests;
