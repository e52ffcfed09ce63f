//! What a caller sees of `search_files`: `tools/search_files.yaml`, and the keys of its table:
//! `tools/search_files_config.yaml`.

use serde::Deserialize;

use crate::closed::ids;
use crate::config::Key;
use crate::place::At;
use crate::rules::Rule;
use crate::tool::{Check, Field, Limit};

/// The tool's definition, request, checks, answer, rules and fixed limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesTool {
    /// The number of the document that defines it.
    pub document: At<String>,
    /// What the framework is told of it.
    pub definition: Definition,
    /// The request's fields, in schema order.
    pub request: Vec<Field>,
    /// What is checked, in this order.
    pub checks: Vec<Check<FilesCheckId>>,
    /// The answer's fields, in the order written.
    pub answer: Vec<JsonField>,
    /// The fields of one match, in the order written.
    #[serde(rename = "match")]
    pub of_match: Vec<JsonField>,
    /// The fields of `stats`, in the order written.
    pub stats: Vec<JsonField>,
    /// The fields of one error, in the order written.
    pub error: Vec<JsonField>,
    /// What `truncated_reason` names, the one that wins first.
    pub truncated_reasons: Vec<Because>,
    /// What `incomplete_because` names, in the order written.
    pub incomplete_because: Vec<Because>,
    /// Where it differs from `Search`.
    pub rules: Vec<Rule>,
    /// Sizes and counts that no configuration changes.
    pub limits: Vec<Limit<FilesLimitId>>,
}

/// What the framework is told of a tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Its name.
    pub name: Stated<String>,
    /// What it does.
    pub description: Stated<String>,
    /// Whether it changes anything.
    pub is_side_effecting: Stated<bool>,
    /// Whether somebody has to approve a call.
    pub requires_approval: Stated<bool>,
    /// The risk of a call.
    pub risk: Stated<Risk>,
}

/// A value and where it comes from.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated<T> {
    /// The value.
    pub value: T,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// The risk of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Risk {
    /// None to speak of.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl Risk {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
        }
    }
}

/// A field of the JSON that the tool answers with.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonField {
    /// Its key.
    pub name: At<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: JsonType,
    /// What it holds.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// The type of such a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonType {
    /// A string.
    String,
    /// A string or null.
    StringOrNull,
    /// A boolean.
    Boolean,
    /// An integer.
    Integer,
    /// A number or null.
    NumberOrNull,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonType {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::StringOrNull => "string or null",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::NumberOrNull => "number or null",
            Self::Array => "array",
            Self::Object => "object",
        }
    }

    /// Its names in JSON schemas, one of which a value has.
    pub(crate) fn json_types(self) -> &'static [&'static str] {
        match self {
            Self::String => &["string"],
            Self::StringOrNull => &["string", "null"],
            Self::Boolean => &["boolean"],
            Self::Integer => &["integer"],
            Self::NumberOrNull => &["number", "null"],
            Self::Array => &["array"],
            Self::Object => &["object"],
        }
    }
}

/// Something that an answer can fall short of.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Because {
    /// Which; also how answers name it.
    pub id: At<ShortfallId>,
    /// When it applies.
    pub when: String,
    /// Whether it makes `truncated` true.
    #[serde(default = "truncates")]
    pub truncates: bool,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

fn truncates() -> bool {
    true
}

/// The tool's table of configuration keys.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesConfiguration {
    /// The table's name.
    pub section: String,
    /// The keys.
    pub keys: Vec<Key>,
}

impl FilesConfiguration {
    /// The key called `name`.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name.value == name)
    }
}

ids! {
    /// What a check of `search_files` checks.
    FilesCheckId {
        /// The tool's name is this tool's.
        ToolKnown = "tool_known",
        /// The request is an object.
        RequestObject = "request_object",
        /// No unknown field.
        FieldsKnown = "fields_known",
        /// Presence, type and bounds of each field.
        FieldsValid = "fields_valid",
        /// The path's characters.
        PathText = "path_text",
        /// The query's characters.
        QueryText = "query_text",
        /// The depth of a search that does not descend.
        Depth = "depth",
        /// The request globs.
        Globs = "globs",
        /// The backend of an approximate search.
        FuzzyBackend = "fuzzy_backend",
        /// The length of what is searched approximately.
        FuzzyQuery = "fuzzy_query",
        /// The regular expression.
        Regex = "regex",
        /// The path is inside and not denied.
        Sandbox = "sandbox",
        /// The path can be searched.
        PathSearchable = "path_searchable",
        /// The configured backend is there.
        BackendAvailable = "backend_available",
        /// The smallest answer fits.
        Budget = "budget",
    }
}

ids! {
    /// What an answer can fall short of.
    ShortfallId {
        /// The cap on matches.
        MaxResults = "max_results",
        /// The budget.
        MaxOutputBytes = "max_output_bytes",
        /// The cap on files.
        MaxFiles = "max_files",
        /// The cap on matches of a file.
        MaxMatchesPerFile = "max_matches_per_file",
        /// The limit on the size of files.
        MaxFileSizeBytes = "max_file_size_bytes",
        /// The limit on depth.
        MaxDepth = "max_depth",
        /// The deadline.
        Timeout = "timeout",
        /// A backend that failed.
        BackendError = "backend_error",
        /// Problems with files.
        Errors = "errors",
    }
}

ids! {
    /// A size or count that no configuration changes.
    FilesLimitId {
        /// Longest query.
        QueryBytes = "query_bytes",
        /// Longest query of an approximate search.
        FuzzyQueryScalars = "fuzzy_query_scalars",
        /// Width of the time.
        ElapsedWidth = "elapsed_width",
    }
}

/// The keys that the table has to have, in the order in which the model's presets list them.
pub(crate) const KEYS: [&str; 17] = [
    "backend",
    "max_results",
    "max_matches_per_file",
    "max_file_size_bytes",
    "max_files",
    "max_depth",
    "respect_gitignore_default",
    "include_hidden_default",
    "follow_symlinks_default",
    "mode_default",
    "case_default",
    "fuzzy_threshold",
    "timeout_ms",
    "record_binary",
    "max_output_bytes",
    "rg_binary",
    "ugrep_binary",
];
