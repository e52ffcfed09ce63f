//! The interface of `search_files` (`tools/search_files.yaml`), and its configuration keys
//! (`tools/search_files_config.yaml`).

use serde::Deserialize;

use crate::closed::ids;
use crate::config::Key;
use crate::place::At;
use crate::rules::Rule;
use crate::tool::{Check, Field, Limit};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesTool {
    /// The number of the document that defines it.
    pub document: At<String>,
    pub definition: Definition,
    /// In schema order.
    pub request: Vec<Field>,
    /// In the order of execution.
    pub checks: Vec<Check<FilesCheckId>>,
    /// In the order written.
    pub answer: Vec<JsonField>,
    /// The fields of one match, in the order written.
    #[serde(rename = "match")]
    pub of_match: Vec<JsonField>,
    /// The fields of `stats`, in the order written.
    pub stats: Vec<JsonField>,
    /// The fields of one error, in the order written.
    pub error: Vec<JsonField>,
    /// Values of `truncated_reason`, in order of precedence.
    pub truncated_reasons: Vec<Because>,
    /// Values of `incomplete_because`, in the order written.
    pub incomplete_because: Vec<Because>,
    /// Differences from `Search`.
    pub rules: Vec<Rule>,
    /// Constants that no configuration changes.
    pub limits: Vec<Limit<FilesLimitId>>,
}

/// The definition of a tool for a framework.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    pub name: Stated<String>,
    pub description: Stated<String>,
    /// Whether it changes anything.
    pub is_side_effecting: Stated<bool>,
    /// Whether a user must approve a call.
    pub requires_approval: Stated<bool>,
    pub risk: Stated<Risk>,
}

/// A value and its clause.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stated<T> {
    pub value: T,
    pub clauses: Vec<At<String>>,
}

/// The risk of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Risk {
    Low,
    Medium,
    High,
}

impl Risk {
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
        }
    }
}

/// A field of the tool's JSON.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonField {
    pub name: At<String>,
    #[serde(rename = "type")]
    pub kind: JsonType,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JsonType {
    String,
    StringOrNull,
    Boolean,
    Integer,
    NumberOrNull,
    Array,
    Object,
}

impl JsonType {
    /// The name in tables.
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

    /// The names in JSON schemas; a value has one of them.
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

/// A shortfall of an answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Because {
    /// Also its name in answers.
    pub id: At<ShortfallId>,
    pub when: String,
    /// Whether it makes `truncated` true.
    #[serde(default = "truncates")]
    pub truncates: bool,
    pub clauses: Vec<At<String>>,
}

fn truncates() -> bool {
    true
}

/// The tool's table of configuration keys.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilesConfiguration {
    pub section: String,
    pub keys: Vec<Key>,
}

impl FilesConfiguration {
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name.value == name)
    }
}

ids! {
    /// A check of `search_files`.
    FilesCheckId {
        ToolKnown = "tool_known",
        RequestObject = "request_object",
        FieldsKnown = "fields_known",
        /// Presence, type and bounds of each field.
        FieldsValid = "fields_valid",
        PathText = "path_text",
        QueryText = "query_text",
        /// The depth of a search without recursion.
        Depth = "depth",
        Globs = "globs",
        /// The backend of an approximate search.
        FuzzyBackend = "fuzzy_backend",
        /// The length of the query of an approximate search.
        FuzzyQuery = "fuzzy_query",
        Regex = "regex",
        /// The path is inside the sandbox and not denied.
        Sandbox = "sandbox",
        PathSearchable = "path_searchable",
        BackendAvailable = "backend_available",
        /// The smallest answer fits.
        Budget = "budget",
    }
}

ids! {
    /// A shortfall of an answer.
    ShortfallId {
        MaxResults = "max_results",
        MaxOutputBytes = "max_output_bytes",
        MaxFiles = "max_files",
        MaxMatchesPerFile = "max_matches_per_file",
        MaxFileSizeBytes = "max_file_size_bytes",
        MaxDepth = "max_depth",
        Timeout = "timeout",
        BackendError = "backend_error",
        Errors = "errors",
    }
}

ids! {
    /// A constant that no configuration changes.
    FilesLimitId {
        QueryBytes = "query_bytes",
        /// Longest query of an approximate search.
        FuzzyQueryScalars = "fuzzy_query_scalars",
        /// Width of `elapsed_ms`.
        ElapsedWidth = "elapsed_width",
    }
}

/// The keys of the table, in the order of the model's presets.
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
