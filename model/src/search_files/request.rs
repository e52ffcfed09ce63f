//! The request of `search_files` with every default (checks 3 and 4 of section 2).
//!
//! Bounds and defaults come from the tables and the configuration.

use serde_json::{Map, Value};

use super::Config;
use crate::fields::{self, FieldValue, Values};
use crate::request::Case;
use crate::tables::caps::CapLimit;
use crate::tables::files::FilesSetting;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Exact,
    Regex,
    Fuzzy,
}

impl Mode {
    fn named(name: Option<&str>) -> Mode {
        match name {
            Some("regex") => Mode::Regex,
            Some("fuzzy") => Mode::Fuzzy,
            _ => Mode::Exact,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Mode::Exact => "exact",
            Mode::Regex => "regex",
            Mode::Fuzzy => "fuzzy",
        }
    }
}

pub(super) fn name_of(case: Case) -> &'static str {
    match case {
        Case::Sensitive => "sensitive",
        Case::Insensitive => "insensitive",
        Case::Smart => "smart",
    }
}

/// A request whose fields have the right types and bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one flag of the request")]
pub(super) struct Request {
    /// As given, not trimmed.
    pub(super) path: String,
    /// As given, not trimmed.
    pub(super) query: String,
    pub(super) mode: Mode,
    pub(super) case: Case,
    pub(super) recursive: bool,
    /// Levels; the cap if the request has no value.
    pub(super) max_depth: u64,
    /// Whether the request has a depth.
    pub(super) depth_is_given: bool,
    pub(super) max_results: u64,
    /// `None` is no limit.
    pub(super) max_matches_per_file: Option<u64>,
    pub(super) max_file_size_bytes: u64,
    pub(super) max_files: u64,
    pub(super) context_lines: u64,
    pub(super) include_hidden: bool,
    pub(super) follow_symlinks: bool,
    pub(super) respect_gitignore: bool,
    pub(super) include_globs: Vec<String>,
    pub(super) exclude_globs: Vec<String>,
}

/// The bytewise smallest key that is no field (E-I01).
pub(super) fn unknown_field(object: &Map<String, Value>, config: &Config) -> Option<String> {
    fields::unknown(object, config.tables.fields)
}

/// Parses the fields in schema order. The error names the first that is missing, of the wrong type
/// or out of bounds.
pub(super) fn read(object: &Map<String, Value>, config: &Config) -> Result<Request, String> {
    let most = config.search.tables.limits.integer_max;
    let values = fields::read(object, config.tables.fields, most, |key| setting(config, key))?;
    let depth_is_given = object.contains_key("max_depth");
    Ok(request(&values, depth_is_given))
}

/// The value of a setting; `None` if it sets no limit.
fn setting(config: &Config, key: FilesSetting) -> Option<FieldValue> {
    Some(match key {
        FilesSetting::MaxResults => FieldValue::Integer(config.max_results),
        FilesSetting::MaxMatchesPerFile => FieldValue::Integer(config.max_matches_per_file?),
        FilesSetting::MaxFileSizeBytes => FieldValue::Integer(config.max_file_size_bytes),
        FilesSetting::MaxFiles => FieldValue::Integer(config.max_files),
        FilesSetting::MaxDepth => FieldValue::Integer(config.max_depth),
        FilesSetting::RespectGitignoreDefault => FieldValue::Flag(config.respect_gitignore_default),
        FilesSetting::IncludeHiddenDefault => FieldValue::Flag(config.include_hidden_default),
        FilesSetting::FollowSymlinksDefault => FieldValue::Flag(config.follow_symlinks_default),
        FilesSetting::ModeDefault => FieldValue::Text(config.mode_default.clone()),
        FilesSetting::CaseDefault => FieldValue::Text(config.case_default.clone()),
    })
}

impl Request {
    /// The limit of a cap; `None` is no limit.
    pub(super) fn limit(&self, limit: CapLimit) -> Option<u64> {
        match limit {
            CapLimit::MaxFiles => Some(self.max_files),
            CapLimit::MaxFileSizeBytes => Some(self.max_file_size_bytes),
            CapLimit::MaxMatchesPerFile => self.max_matches_per_file,
            CapLimit::MaxResults => Some(self.max_results),
            CapLimit::MaxDepth => Some(self.max_depth),
            _ => None,
        }
    }
}

fn request(values: &Values, depth_is_given: bool) -> Request {
    // Only an incomplete table has no value; then there is no limit.
    let number = |name| values.integer(name).unwrap_or(u64::MAX);
    Request {
        path: values.text("path").unwrap_or_default(),
        query: values.text("query").unwrap_or_default(),
        mode: Mode::named(values.text("mode").as_deref()),
        case: Case::named(values.text("case").as_deref()),
        recursive: values.flag("recursive"),
        max_depth: number("max_depth"),
        depth_is_given,
        max_results: number("max_results"),
        max_matches_per_file: values.integer("max_matches_per_file"),
        max_file_size_bytes: number("max_file_size_bytes"),
        max_files: number("max_files"),
        context_lines: values.integer("context_lines").unwrap_or_default(),
        include_hidden: values.flag("include_hidden"),
        follow_symlinks: values.flag("follow_symlinks"),
        respect_gitignore: values.flag("respect_gitignore"),
        include_globs: values.texts("include_globs"),
        exclude_globs: values.texts("exclude_globs"),
    }
}
