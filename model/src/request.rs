//! The request of `Search` with every default (checks 4 and 5 of section 1).
//!
//! Bounds and defaults come from the tables and the configuration.

use serde_json::{Map, Value};

use crate::config::Config;
use crate::fields::{self, FieldValue, Values};
use crate::fold::Fold;
use crate::tables::caps::CapLimit;

/// Case mode (FR-LS-SRC-04).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Sensitive,
    /// ASCII letters are folded.
    Insensitive,
    /// [`Case::Sensitive`] if a literal of the pattern is an ASCII capital, else
    /// [`Case::Insensitive`].
    Smart,
}

/// A request whose fields have the right types and bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one flag of the request")]
pub(crate) struct Request {
    /// As given, not trimmed (E-F03).
    pub(crate) pattern: String,
    /// `None` is the working directory.
    pub(crate) path: Option<String>,
    pub(crate) case: Case,
    /// What is equal where case does not count.
    pub(crate) folded: Fold,
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
    /// `None` is no limit, which only an incomplete table gives.
    pub(crate) max_results: Option<u64>,
    /// `None` is no limit.
    pub(crate) max_matches_per_file: Option<u64>,
    pub(crate) max_files: Option<u64>,
    pub(crate) max_file_size_bytes: Option<u64>,
    /// Permitted edits of a fuzzy search.
    pub(crate) fuzzy: Option<u64>,
}

/// The bytewise smallest key that is no field (FR-LS-02b, E-F16).
pub(crate) fn unknown_field(object: &Map<String, Value>, config: &Config) -> Option<String> {
    fields::unknown(object, config.tables.fields)
}

/// Parses the fields in schema order. The error names the first that is missing, of the wrong type
/// or out of bounds.
pub(crate) fn read(object: &Map<String, Value>, config: &Config) -> Result<Request, String> {
    let setting = |key| config.setting(key).map(FieldValue::Integer);
    let values =
        fields::read(object, config.tables.fields, config.tables.limits.integer_max, setting)?;
    Ok(Request { folded: config.folded(), ..Request::of(&values) })
}

impl Case {
    /// The named case mode; smart by default.
    pub(crate) fn named(name: Option<&str>) -> Case {
        match name {
            Some("sensitive") => Case::Sensitive,
            Some("insensitive") => Case::Insensitive,
            _ => Case::Smart,
        }
    }
}

impl Request {
    /// The limit of a cap; `None` is no limit.
    pub(crate) fn limit(&self, limit: CapLimit, config: &Config) -> Option<u64> {
        match limit {
            CapLimit::MaxFiles => self.max_files,
            CapLimit::MaxFileSizeBytes => self.max_file_size_bytes,
            CapLimit::MaxMatchesPerFile => self.max_matches_per_file,
            CapLimit::MaxResults => self.max_results,
            CapLimit::MaxOutputBytes => Some(config.max_output_bytes),
            _ => None,
        }
    }

    fn of(values: &Values) -> Request {
        Request {
            pattern: values.text("pattern").unwrap_or_default(),
            path: values.text("path"),
            case: Case::named(values.text("case").as_deref()),
            folded: Fold::Ascii,
            fixed_strings: values.flag("fixed_strings"),
            word_regexp: values.flag("word_regexp"),
            include_glob: values.texts("include_glob"),
            exclude_glob: values.texts("exclude_glob"),
            glob: values.texts("glob"),
            recursive: values.flag("recursive"),
            hidden: values.flag("hidden"),
            follow: values.flag("follow"),
            no_ignore: values.flag("no_ignore"),
            context: values.integer("context").unwrap_or_default(),
            max_results: values.integer("max_results"),
            max_matches_per_file: values.integer("max_matches_per_file"),
            max_files: values.integer("max_files"),
            max_file_size_bytes: values.integer("max_file_size_bytes"),
            fuzzy: values.integer("fuzzy"),
        }
    }
}

#[cfg(test)]
mod tests;
