//! What a caller sees of a tool: `tools/search.yaml`; of others: [`files`], [`agent`], [`keyword`].

pub(crate) mod agent;
pub(crate) mod definitions;
pub(crate) mod files;
pub(crate) mod keyword;

use serde::Deserialize;

use crate::closed::ids;
use crate::place::At;

/// A tool's request, checks, response, and fixed limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The number of the document that defines it.
    pub document: At<String>,
    /// Its own name.
    pub tool: String,
    /// Its other names.
    pub aliases: Vec<At<String>>,
    /// The requirements on its names.
    pub name_clauses: Vec<At<String>>,
    /// The request's fields, in schema order.
    pub request: Vec<Field>,
    /// What is checked, in this order.
    pub checks: Vec<Check>,
    /// The response's fields, in the order written.
    pub response: Vec<Output>,
    /// The fields of one event, in the order written.
    pub event: Vec<Output>,
    /// The closed list of problems with single files.
    pub problems: Vec<Problem>,
    /// The notes of `content`, in their order.
    pub notes: Vec<Note>,
    /// What `content` writes as escapes.
    pub escaped: Vec<Escape>,
    /// Sizes and counts that no configuration changes.
    pub limits: Vec<Limit>,
}

/// A field of the request.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Its key.
    pub name: At<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// Whether it must be there.
    #[serde(default)]
    pub required: bool,
    /// The closed list of its values, for some strings.
    #[serde(default)]
    pub values: Vec<String>,
    /// Smallest number.
    #[serde(default)]
    pub minimum: Option<u64>,
    /// Largest number, where it is fixed.
    #[serde(default)]
    pub maximum: Option<u64>,
    /// The configuration key that caps the number.
    #[serde(default)]
    pub maximum_from: Option<At<String>>,
    /// The schema's default.
    #[serde(default)]
    pub default: Option<serde_json::Value>,
    /// The configuration key that decides in the schema's place.
    #[serde(default)]
    pub default_from: Option<At<String>>,
    /// What its absence means, where that is no value of its type.
    #[serde(default)]
    pub when_absent: Option<Absent>,
    /// What it is for.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// The type of a request field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// An integer without fraction or exponent.
    Integer,
    /// An array of strings.
    Strings,
    /// A string, or an array of strings.
    TextOrTexts,
}

/// What a field's absence means, where that is no value of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Absent {
    /// The working directory.
    WorkingDirectory,
}

/// One step of validation, out of the closed list of its tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check<I = CheckId> {
    /// What is checked.
    pub id: At<I>,
    /// The class of the error.
    pub class: Class,
    /// The field that the error names, or `offender` for the one that failed.
    pub field: String,
    /// What must hold.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// The class of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Class {
    /// The call is wrong.
    BadArgs,
    /// The path is out of bounds.
    SandboxViolation,
    /// The call is right and cannot be carried out.
    ExecutionFailed,
}

impl Class {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::BadArgs => "BadArgs",
            Self::SandboxViolation => "SandboxViolation",
            Self::ExecutionFailed => "ExecutionFailed",
        }
    }
}

ids! {
    /// What a check checks.
    CheckId {
        /// The tool's name is known.
        ToolKnown = "tool_known",
        /// The tool is enabled.
        ToolEnabled = "tool_enabled",
        /// The request is an object.
        RequestObject = "request_object",
        /// No unknown field.
        FieldsKnown = "fields_known",
        /// Presence, type and bounds of each field.
        FieldsValid = "fields_valid",
        /// The pattern's characters.
        PatternText = "pattern_text",
        /// The path's characters.
        PathText = "path_text",
        /// The request globs.
        Globs = "globs",
        /// The fuzzy level.
        Fuzzy = "fuzzy",
        /// The regular expression.
        Regex = "regex",
        /// The path is inside and not denied.
        Sandbox = "sandbox",
        /// The path can be searched.
        PathSearchable = "path_searchable",
        /// Some permitted backend is there.
        BackendAvailable = "backend_available",
    }
}

ids! {
    /// What can be wrong with one file.
    ProblemId {
        /// It cannot be opened.
        PermissionDenied = "permission_denied",
        /// It vanished.
        NotFound = "not_found",
        /// Reading failed.
        ReadError = "read_error",
        /// A link leaves the sandbox.
        LeavesSandbox = "leaves_sandbox",
        /// A link leads to nothing.
        DanglingLink = "dangling_link",
        /// A link leads round.
        LinkLoop = "link_loop",
        /// An ignore file cannot be used.
        IgnoreUnreadable = "ignore_unreadable",
        /// The search root is too large.
        RootTooLarge = "root_too_large",
        /// The search root is binary.
        RootBinary = "root_binary",
    }
}

ids! {
    /// What a note of `content` tells.
    NoteId {
        /// The events are those of a fuzzy pass.
        Approximate = "approximate",
        /// No match event.
        NoMatches = "no_matches",
        /// The cap on events.
        MaxResults = "max_results",
        /// The cap on the length of the answer.
        MaxOutputBytes = "max_output_bytes",
        /// The cap on files.
        MaxFiles = "max_files",
        /// The cap on matching lines of a file.
        MaxMatchesPerFile = "max_matches_per_file",
        /// The limit on the size of files.
        MaxFileSizeBytes = "max_file_size_bytes",
        /// The deadline.
        TimedOut = "timed_out",
        /// Problems with files.
        Errors = "errors",
        /// A search program that failed.
        BackendFailed = "backend_failed",
    }
}

ids! {
    /// A size or count that no configuration changes.
    LimitId {
        /// Longest pattern.
        PatternBytes = "pattern_bytes",
        /// Most globs of one field.
        GlobEntries = "glob_entries",
        /// Longest glob.
        GlobBytes = "glob_bytes",
        /// Most expansions of one glob.
        GlobExpansions = "glob_expansions",
        /// Most links of one path.
        SymlinkSteps = "symlink_steps",
        /// Largest ignore file.
        IgnoreFileBytes = "ignore_file_bytes",
        /// Length looked at for a NUL.
        BinaryProbeBytes = "binary_probe_bytes",
        /// Largest automaton.
        AutomatonBytes = "automaton_bytes",
        /// Scalars of the pattern for every edit of a fuzzy pass.
        FallbackScalarsPerEdit = "fallback_scalars_per_edit",
        /// Largest integer.
        IntegerMax = "integer_max",
    }
}

/// A field of the response or of an event.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its key, with a dot between levels.
    pub name: At<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: OutputType,
    /// When it is there.
    pub present: Presence,
    /// What it holds.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// The type of a response field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputType {
    /// A string.
    String,
    /// A boolean.
    Boolean,
    /// An integer.
    Integer,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl OutputType {
    /// Its name in JSON schemas.
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
    /// When a field of the response or of an event is there.
    Presence {
        /// In every one.
        Always = "always",
        /// In match events.
        MatchOnly = "match_only",
        /// When a backend process failed.
        BackendFailed = "backend_failed",
        /// When configuration asks for statistics.
        EmitStats = "emit_stats",
    }
}

/// A problem with a single file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// Which.
    pub id: At<ProblemId>,
    /// The message.
    pub text: String,
    /// When it is recorded.
    pub when: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A note at the end of `content`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Which.
    pub id: At<NoteId>,
    /// The line, with `{limit}` and `{count}` for numbers.
    pub text: String,
    /// When it is shown.
    pub when: String,
    /// What `incomplete_because` of `stats` says of it; absent where the answer is no less complete
    /// for it.
    #[serde(default)]
    pub because: Option<At<String>>,
    /// Whether it makes `truncated` true.
    #[serde(default)]
    pub truncates: bool,
    /// The requirements and errata it carries out.
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
    /// What they are.
    pub what: String,
}

impl Escape {
    /// The range as scalar values; `None` if one end is not written as `U+` and hexadecimal digits.
    pub fn range(&self) -> Option<(u32, u32)> {
        Some((scalar(&self.from.value)?, scalar(&self.to.value)?))
    }
}

fn scalar(written: &str) -> Option<u32> {
    let value = u32::from_str_radix(written.strip_prefix("U+")?, 16).ok()?;
    char::from_u32(value).map(u32::from)
}

/// A size or count that no configuration changes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit<I = LimitId> {
    /// Which.
    pub id: At<I>,
    /// How much.
    pub value: u64,
    /// Of what.
    pub unit: String,
    /// What it limits.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}
