//! The interface of a tool (`tools/search.yaml`); of others: [`files`], [`agent`], [`keyword`].

pub(crate) mod agent;
pub(crate) mod definitions;
pub(crate) mod files;
pub(crate) mod keyword;

use serde::Deserialize;

use crate::closed::ids;
use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The number of the document that defines it.
    pub document: At<String>,
    pub tool: String,
    pub aliases: Vec<At<String>>,
    /// The requirements on its names.
    pub name_clauses: Vec<At<String>>,
    /// In schema order.
    pub request: Vec<Field>,
    /// In the order of execution.
    pub checks: Vec<Check>,
    /// In the order written.
    pub response: Vec<Output>,
    /// The fields of one event, in the order written.
    pub event: Vec<Output>,
    /// The closed list of per-file errors.
    pub problems: Vec<Problem>,
    /// The notes of `content`, in order.
    pub notes: Vec<Note>,
    /// The characters that `content` escapes.
    pub escaped: Vec<Escape>,
    /// Constants that no configuration changes.
    pub limits: Vec<Limit>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    pub name: At<String>,
    #[serde(rename = "type")]
    pub kind: FieldType,
    #[serde(default)]
    pub required: bool,
    /// The permitted values of some strings.
    #[serde(default)]
    pub values: Vec<String>,
    #[serde(default)]
    pub minimum: Option<u64>,
    /// A fixed maximum.
    #[serde(default)]
    pub maximum: Option<u64>,
    /// The configuration key of the cap.
    #[serde(default)]
    pub maximum_from: Option<At<String>>,
    /// The schema's default.
    #[serde(default)]
    pub default: Option<serde_json::Value>,
    /// The configuration key that replaces the schema's default.
    #[serde(default)]
    pub default_from: Option<At<String>>,
    /// The meaning of absence, if that is no value of the type.
    #[serde(default)]
    pub when_absent: Option<Absent>,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

/// The type of a request field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    String,
    Boolean,
    /// An integer without fraction or exponent.
    Integer,
    Strings,
    TextOrTexts,
}

/// The meaning of absence, if that is no value of the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absent {
    WorkingDirectory,
}

/// A step of validation, out of the tool's closed list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check<I = CheckId> {
    pub id: At<I>,
    /// The class of the error.
    pub class: Class,
    /// The field that the error names, or `offender` for the one that failed.
    pub field: String,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

/// The class of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Class {
    BadArgs,
    SandboxViolation,
    /// A valid call that cannot be carried out.
    ExecutionFailed,
}

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Self::BadArgs => "BadArgs",
            Self::SandboxViolation => "SandboxViolation",
            Self::ExecutionFailed => "ExecutionFailed",
        }
    }
}

ids! {
    /// A check.
    CheckId {
        ToolKnown = "tool_known",
        ToolEnabled = "tool_enabled",
        RequestObject = "request_object",
        FieldsKnown = "fields_known",
        /// Presence, type and bounds of each field.
        FieldsValid = "fields_valid",
        PatternText = "pattern_text",
        PathText = "path_text",
        Globs = "globs",
        Fuzzy = "fuzzy",
        Regex = "regex",
        /// The path is inside the sandbox and not denied.
        Sandbox = "sandbox",
        PathSearchable = "path_searchable",
        BackendAvailable = "backend_available",
    }
}

ids! {
    /// A per-file error.
    ProblemId {
        PermissionDenied = "permission_denied",
        NotFound = "not_found",
        ReadError = "read_error",
        LeavesSandbox = "leaves_sandbox",
        DanglingLink = "dangling_link",
        LinkLoop = "link_loop",
        IgnoreUnreadable = "ignore_unreadable",
        RootTooLarge = "root_too_large",
        RootBinary = "root_binary",
    }
}

ids! {
    /// A note of `content`.
    NoteId {
        /// The events are those of a fuzzy pass.
        Approximate = "approximate",
        /// No match event.
        NoMatches = "no_matches",
        MaxResults = "max_results",
        MaxOutputBytes = "max_output_bytes",
        MaxFiles = "max_files",
        MaxMatchesPerFile = "max_matches_per_file",
        MaxFileSizeBytes = "max_file_size_bytes",
        TimedOut = "timed_out",
        Errors = "errors",
        BackendFailed = "backend_failed",
    }
}

ids! {
    /// A constant that no configuration changes.
    LimitId {
        PatternBytes = "pattern_bytes",
        GlobEntries = "glob_entries",
        GlobBytes = "glob_bytes",
        GlobExpansions = "glob_expansions",
        SymlinkSteps = "symlink_steps",
        IgnoreFileBytes = "ignore_file_bytes",
        /// Length searched for a NUL.
        BinaryProbeBytes = "binary_probe_bytes",
        AutomatonBytes = "automaton_bytes",
        /// Scalars of the pattern per edit of a fuzzy pass.
        FallbackScalarsPerEdit = "fallback_scalars_per_edit",
        IntegerMax = "integer_max",
    }
}

/// A field of the response or of an event.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// With a dot between levels.
    pub name: At<String>,
    #[serde(rename = "type")]
    pub kind: OutputType,
    pub present: Presence,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

/// The type of a response field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputType {
    String,
    Boolean,
    Integer,
    Array,
    Object,
}

impl OutputType {
    /// The name in JSON schemas.
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

ids! {
    /// When a field of the response or of an event is present.
    Presence {
        Always = "always",
        MatchOnly = "match_only",
        /// When a backend process failed.
        BackendFailed = "backend_failed",
        /// When configuration requests statistics.
        EmitStats = "emit_stats",
    }
}

/// A per-file error.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    pub id: At<ProblemId>,
    pub text: String,
    pub when: String,
    pub clauses: Vec<At<String>>,
}

/// A note at the end of `content`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    pub id: At<NoteId>,
    /// `{limit}` and `{count}` stand for numbers.
    pub text: String,
    pub when: String,
    /// The reason in `incomplete_because`; absent if the answer is complete all the same.
    #[serde(default)]
    pub because: Option<At<String>>,
    /// Whether it makes `truncated` true.
    #[serde(default)]
    pub truncates: bool,
    pub clauses: Vec<At<String>>,
}

/// A range of characters that `content` escapes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Escape {
    /// The first, as `U+XXXX`.
    pub from: At<String>,
    /// The last, as `U+XXXX`.
    pub to: At<String>,
    pub what: String,
}

impl Escape {
    /// The range as scalar values; `None` if an end is not `U+` and hexadecimal digits.
    pub fn range(&self) -> Option<(u32, u32)> {
        Some((scalar(&self.from.value)?, scalar(&self.to.value)?))
    }
}

fn scalar(written: &str) -> Option<u32> {
    let value = u32::from_str_radix(written.strip_prefix("U+")?, 16).ok()?;
    char::from_u32(value).map(u32::from)
}

/// A constant that no configuration changes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit<I = LimitId> {
    pub id: At<I>,
    pub value: u64,
    pub unit: String,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}
