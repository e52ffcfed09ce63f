//! The types of the tables of the agent's tools (docs/agent-tools.md). The values are generated
//! into [`crate::generated::agent`] from `spec/tools/agent_tools.yaml`; what all tools share is in
//! [`crate::tables::SearchTables`].

use crate::tables::Field;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentTables {
    /// The profiles of the registry.
    pub profiles: &'static [Profile],
    /// In the order of validation.
    pub fields: &'static [AgentField],
    /// `incomplete_because`, in the order written.
    pub reasons: &'static [ReasonRow],
    /// In the order written.
    pub notices: &'static [NoticeRow],
    pub errors: &'static [ErrorWord],
    pub presets: &'static [AgentPreset],
    pub definitions: Definitions,
    /// Constants that no configuration changes.
    pub limits: AgentLimits,
}

impl AgentTables {
    /// The fields of a tool's request, in the order of validation.
    pub fn fields_of(&self, tool: AgentTool) -> Vec<Field<AgentSetting>> {
        self.fields.iter().filter(|row| row.tools.contains(&tool)).map(|row| row.field).collect()
    }

    pub fn profile(&self, name: &str) -> Option<&'static Profile> {
        self.profiles.iter().find(|profile| profile.name == name)
    }

    pub fn preset(&self, name: &str) -> Option<&'static AgentPreset> {
        self.presets.iter().find(|preset| preset.name == name)
    }

    pub fn error(&self, error: AgentError) -> Option<&'static ErrorWord> {
        self.errors.iter().find(|row| row.error == error)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentTool {
    Search,
    /// The path search.
    FindFiles,
    Grep,
    /// The search of contents of document 001.
    SearchFiles,
    SearchText,
    KeywordSearch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    pub name: &'static str,
    /// In the order listed.
    pub tools: &'static [Listed],
}

/// A tool of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// The name in the profile.
    pub name: &'static str,
    pub tool: AgentTool,
}

/// A field of the requests of some tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentField {
    /// The tools with this field.
    pub tools: &'static [AgentTool],
    pub field: Field<AgentSetting>,
}

/// Names that mean one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherNames {
    pub names: &'static [&'static str],
    pub fields: &'static [FieldOf],
    pub takes: Takes,
    pub values: &'static [ValueOf],
}

/// A tool's field; empty if no field takes the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldOf {
    pub tool: AgentTool,
    pub name: &'static str,
}

/// The field's value for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueOf {
    pub theirs: &'static str,
    /// Empty: as if absent.
    pub own: &'static str,
}

/// What becomes of a value under another name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    Same,
    Values,
    /// 0, and more than the field may have, is as much as it may have.
    Limit,
    /// Names of ripgrep's file types.
    Types,
    NoEffect,
    /// An error, unless it is `false` or 0.
    Refused,
}

/// A configuration key of a field's default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentSetting {
    DefaultMaxResults,
    DefaultContextLines,
}

/// A reason for which an answer is incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    MaxResults,
    Budget,
    /// Counting stopped.
    Counted,
    MaxFiles,
    MaxFileSizeBytes,
    Timeout,
    BackendError,
    Errors,
}

impl Reason {
    /// The name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxResults => "max_results",
            Self::Budget => "budget",
            Self::Counted => "counted",
            Self::MaxFiles => "max_files",
            Self::MaxFileSizeBytes => "max_file_size_bytes",
            Self::Timeout => "timeout",
            Self::BackendError => "backend_error",
            Self::Errors => "errors",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonRow {
    pub reason: Reason,
    /// Whether `total` is then a lower bound.
    pub lower_bound: bool,
}

/// The kind of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Notice {
    MaxResults,
    Budget,
    Counted,
    MaxFiles,
    MaxFileSizeBytes,
    Timeout,
    BackendError,
    Errors,
    /// Names only contain the pattern.
    Substring,
    NothingEligible,
    /// An index is configured but not ready.
    IndexNotReady,
    RateLimitNear,
    LinesCut,
    /// `.agent/config.yml` is invalid.
    Configuration,
}

impl Notice {
    /// The name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxResults => "max_results",
            Self::Budget => "budget",
            Self::Counted => "counted",
            Self::MaxFiles => "max_files",
            Self::MaxFileSizeBytes => "max_file_size_bytes",
            Self::Timeout => "timeout",
            Self::BackendError => "backend_error",
            Self::Errors => "errors",
            Self::Substring => "substring",
            Self::NothingEligible => "nothing_eligible",
            Self::IndexNotReady => "index_not_ready",
            Self::RateLimitNear => "rate_limit_near",
            Self::LinesCut => "lines_cut",
            Self::Configuration => "configuration",
        }
    }
}

/// A notice; its message is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoticeRow {
    pub notice: Notice,
    pub code: Option<&'static str>,
}

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentError {
    InvalidQuery,
    RateLimitExceeded,
    InvalidArgument,
    /// Outside the roots, or denied.
    PathNotAllowed,
    SearchFailed,
    UnknownTool,
    Busy,
    /// Every term was skipped.
    TermsTooBroad,
    NoModel,
}

/// An error; its message is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorWord {
    pub error: AgentError,
    /// The name in answers.
    pub word: &'static str,
    pub code: &'static str,
}

/// The `[tools.agent]` values of one preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentPreset {
    pub name: &'static str,
    pub default_max_results: u64,
    pub default_context_lines: u64,
    pub searches_per_minute: u64,
    pub timeout_seconds: u64,
    pub max_answer_tokens: u64,
    pub max_answer_bytes: u64,
    /// `o200k_base` or `bytes`.
    pub tokenizer: &'static str,
    pub enabled: bool,
}

/// Lines that define names, and their weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definitions {
    /// A block must begin within this many lines after the name.
    pub body_lines: u64,
    /// The enclosing line is looked for within this many lines above.
    pub enclosing_lines: u64,
    /// Longer lines, in bytes, are not analysed.
    pub line_bytes: u64,
    /// Eighths of its level, for an identifier spelled as in the query.
    pub exact: u64,
    /// The same for another spelling.
    pub whole: u64,
    /// The same where the query has a part of the identifier.
    pub part: u64,
    /// Files with less weight.
    pub places: &'static [DefinitionPlace],
    pub families: &'static [Family],
}

/// Files with less weight, by their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefinitionPlace {
    /// Identifiers of the path, or parts of them.
    pub words: &'static [&'static str],
    /// File name suffixes.
    pub endings: &'static [&'static str],
    /// The weight of the file.
    pub hundredths: u64,
}

/// Languages with the same syntax of definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// File extensions.
    pub endings: &'static [&'static str],
    /// Whole file names.
    pub names: &'static [&'static str],
    /// Prefixes of comment lines.
    pub comments: &'static [&'static str],
    pub shapes: &'static [Shape],
}

/// A shape of lines, as regular expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Certainty that such a line is a definition, 1 to 3.
    pub level: u64,
    /// For the whole text before the name.
    pub before: &'static str,
    /// For the text after the name.
    pub after: &'static str,
    /// Must not match at the start of the line.
    pub unless: Option<&'static str>,
    /// Must match in the enclosing line.
    pub inside: Option<&'static str>,
    /// Whether a block must follow.
    pub body: bool,
}

/// Constants that no configuration changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentLimits {
    /// Longest query.
    pub query_bytes: u64,
    /// Maximum number of terms.
    pub terms: u64,
    /// Longest list in a request.
    pub texts: u64,
    /// Longest file type.
    pub file_type_characters: u64,
    /// Least number of matching lines that are counted.
    pub counted_lines: u64,
    /// Bytes of a line, in what a term's rarity is measured by.
    pub rarity_line_bytes: u64,
    /// Units of a word that is the whole identifier.
    pub units_whole: u64,
    /// Units of a word that is a part of an identifier.
    pub units_part: u64,
    pub units_literal: u64,
    /// Units of a word that is the stem of the base name.
    pub units_stem: u64,
    /// Units of a term in the base name.
    pub units_base: u64,
    /// Units of a term elsewhere in the path.
    pub units_path: u64,
    /// k1 of BM25.
    pub k1_hundredths: u64,
    /// b of BM25.
    pub b_hundredths: u64,
    /// Decimals of scores.
    pub score_decimals: u64,
    /// Longest `match_lines`.
    pub match_lines: u64,
    /// Longest line shown whole.
    pub line_bytes: u64,
    /// A match after this offset moves the start of the shown text.
    pub line_start_bytes: u64,
    /// Bytes shown before such a match.
    pub line_lead_bytes: u64,
    /// Bytes per token, where tokens are not counted.
    pub bytes_per_token: u64,
    /// Window of the rate limit.
    pub window_seconds: u64,
    /// Percentage from which the rate limit is near.
    pub near_percent: u64,
}
