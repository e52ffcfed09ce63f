//! The shape of the tables that the meaning of the agent's tools is read from
//! (docs/agent-tools.md).
//!
//! Responsible for: plain static data types for what `spec/tools/agent_tools.yaml` states. The
//! values are generated into
//! [`crate::generated::agent`].
//! Left to neighbours: what is the same for every tool, which stands in
//! [`crate::tables::SearchTables`].
//! Invariants: those of [`crate::tables`].

use crate::tables::Field;

/// Everything the specification states about the agent's tools as data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentTables {
    /// The profiles of the registry.
    pub profiles: &'static [Profile],
    /// The fields of requests, in the order in which they are checked.
    pub fields: &'static [AgentField],
    /// What `incomplete_because` names, in the order written.
    pub reasons: &'static [ReasonRow],
    /// The notices, in the order written.
    pub notices: &'static [NoticeRow],
    /// The words of errors.
    pub errors: &'static [ErrorWord],
    /// Configuration presets.
    pub presets: &'static [AgentPreset],
    /// What looks like a definition.
    pub definitions: Definitions,
    /// Sizes, counts and weights that no configuration changes.
    pub limits: AgentLimits,
}

impl AgentTables {
    /// The fields of a tool's request, in the order in which they are checked.
    pub fn fields_of(&self, tool: AgentTool) -> Vec<Field<AgentSetting>> {
        self.fields.iter().filter(|row| row.tools.contains(&tool)).map(|row| row.field).collect()
    }

    /// The profile called `name`.
    pub fn profile(&self, name: &str) -> Option<&'static Profile> {
        self.profiles.iter().find(|profile| profile.name == name)
    }

    /// The preset called `name`.
    pub fn preset(&self, name: &str) -> Option<&'static AgentPreset> {
        self.presets.iter().find(|preset| preset.name == name)
    }

    /// The row of an error, if it has one.
    pub fn error(&self, error: AgentError) -> Option<&'static ErrorWord> {
        self.errors.iter().find(|row| row.error == error)
    }
}

/// A tool of the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentTool {
    /// `Search`.
    Search,
    /// The path search, by whichever name.
    FindFiles,
    /// `grep`.
    Grep,
    /// The search of contents of document 001.
    SearchFiles,
    /// `search_text`.
    SearchText,
    /// `keyword_search`.
    KeywordSearch,
}

/// What a profile lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// Its tools, in the order listed.
    pub tools: &'static [Listed],
}

/// A tool of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed {
    /// What the profile calls it.
    pub name: &'static str,
    /// Which tool it is.
    pub tool: AgentTool,
}

/// A field of the requests of some tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentField {
    /// The tools that have it.
    pub tools: &'static [AgentTool],
    /// The field.
    pub field: Field<AgentSetting>,
}

/// A configuration key that gives a request field its default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentSetting {
    /// `default_max_results`.
    DefaultMaxResults,
    /// `default_context_lines`.
    DefaultContextLines,
}

/// What makes an answer incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// More results are known than the answer may hold.
    MaxResults,
    /// Results were left out because the answer would be too long.
    Budget,
    /// Counting ended.
    Counted,
    /// Ranking ended.
    Ranked,
    /// Eligible files lie beyond the cap.
    MaxFiles,
    /// Files are too large.
    MaxFileSizeBytes,
    /// The time was up.
    Timeout,
    /// The search program failed.
    BackendError,
    /// Files or directories could not be read.
    Errors,
}

impl Reason {
    /// How answers name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxResults => "max_results",
            Self::Budget => "budget",
            Self::Counted => "counted",
            Self::Ranked => "ranked",
            Self::MaxFiles => "max_files",
            Self::MaxFileSizeBytes => "max_file_size_bytes",
            Self::Timeout => "timeout",
            Self::BackendError => "backend_error",
            Self::Errors => "errors",
        }
    }
}

/// A reason with what it says of `total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonRow {
    /// Which.
    pub reason: Reason,
    /// Whether `total` is a lower bound then.
    pub lower_bound: bool,
}

/// What a notice tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Notice {
    /// As the reason of that name.
    MaxResults,
    /// As the reason of that name.
    Budget,
    /// As the reason of that name.
    Counted,
    /// As the reason of that name.
    Ranked,
    /// As the reason of that name.
    MaxFiles,
    /// As the reason of that name.
    MaxFileSizeBytes,
    /// As the reason of that name.
    Timeout,
    /// As the reason of that name.
    BackendError,
    /// As the reason of that name.
    Errors,
    /// Names only hold the pattern.
    Substring,
    /// No file is eligible.
    NothingEligible,
    /// The index is wanted and not there yet.
    IndexNotReady,
    /// The rate limit is near.
    RateLimitNear,
    /// Lines were cut.
    LinesCut,
    /// `.agent/config.yml` cannot be used.
    Configuration,
}

/// A notice as answers have it; its message is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoticeRow {
    /// Which.
    pub notice: Notice,
    /// How answers name it.
    pub name: &'static str,
    /// Its code, if it has one.
    pub code: Option<&'static str>,
}

/// What a call is refused for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentError {
    /// What is looked for is none.
    InvalidQuery,
    /// Too many calls.
    RateLimitExceeded,
    /// Something else about the request.
    InvalidArgument,
    /// Outside, or denied.
    PathNotAllowed,
    /// It could not be carried out.
    SearchFailed,
    /// No such tool.
    UnknownTool,
    /// Too many calls are waiting.
    Busy,
    /// Every term was skipped.
    TermsTooBroad,
    /// No language model can be had.
    NoModel,
}

/// An error as answers have it; its message is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorWord {
    /// Which.
    pub error: AgentError,
    /// How answers name it.
    pub word: &'static str,
    /// Its code.
    pub code: &'static str,
}

/// The `[tools.agent]` values of one preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentPreset {
    /// `documents` or `agent`.
    pub name: &'static str,
    /// `default_max_results`, results.
    pub default_max_results: u64,
    /// `default_context_lines`, lines.
    pub default_context_lines: u64,
    /// `searches_per_minute`, calls.
    pub searches_per_minute: u64,
    /// `timeout_seconds`, seconds.
    pub timeout_seconds: u64,
    /// `max_answer_tokens`, tokens.
    pub max_answer_tokens: u64,
    /// `max_answer_bytes`, bytes.
    pub max_answer_bytes: u64,
    /// `tokenizer`: `o200k_base` or `bytes`.
    pub tokenizer: &'static str,
    /// `enabled`.
    pub enabled: bool,
}

/// What lines that define names look like, and what that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definitions {
    /// Lines behind a name's own among which its block begins.
    pub body_lines: u64,
    /// Lines above a name's own among which the enclosing one is.
    pub enclosing_lines: u64,
    /// Bytes of the longest line that is looked at.
    pub line_bytes: u64,
    /// What an identifier counts that is written as in the query, in eighths of its level.
    pub exact: u64,
    /// One that is written otherwise.
    pub whole: u64,
    /// One of which a part is sought.
    pub part: u64,
    /// Files that count less.
    pub places: &'static [DefinitionPlace],
    /// Languages.
    pub families: &'static [Family],
}

/// Files that count less, by where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefinitionPlace {
    /// Identifiers of the path, or parts of them.
    pub words: &'static [&'static str],
    /// What names end in.
    pub endings: &'static [&'static str],
    /// What the file counts.
    pub hundredths: u64,
}

/// Languages that define names alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// What names of files end in.
    pub endings: &'static [&'static str],
    /// Whole names of files.
    pub names: &'static [&'static str],
    /// What lines begin with that hold no code.
    pub comments: &'static [&'static str],
    /// The shapes.
    pub shapes: &'static [Shape],
}

/// A shape of lines, as expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// How surely a line of this shape is a definition, 1 to 3.
    pub level: u64,
    /// All of the line before the name.
    pub before: &'static str,
    /// The beginning of what stands behind it.
    pub after: &'static str,
    /// What the line does not begin with; nothing if it is empty.
    pub unless: &'static str,
    /// What the enclosing line holds; nothing if it is empty.
    pub inside: &'static str,
    /// Whether a block follows.
    pub body: bool,
}

/// Sizes, counts and weights that no configuration changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentLimits {
    /// Longest query, bytes.
    pub query_bytes: u64,
    /// Most terms of a query.
    pub terms: u64,
    /// Longest list in a request, entries.
    pub texts: u64,
    /// Longest file type, characters.
    pub file_type_characters: u64,
    /// Matching lines that are counted at least.
    pub counted_lines: u64,
    /// Files that are ranked at most.
    pub pool_files: u64,
    /// A word that is the whole identifier, units.
    pub units_whole: u64,
    /// A word that is a part of an identifier.
    pub units_part: u64,
    /// A literal.
    pub units_literal: u64,
    /// A word that is the stem of the base name.
    pub units_stem: u64,
    /// A term in the base name.
    pub units_base: u64,
    /// A term elsewhere in the path.
    pub units_path: u64,
    /// k1 of BM25, hundredths.
    pub k1_hundredths: u64,
    /// b of BM25, hundredths.
    pub b_hundredths: u64,
    /// What scores are rounded to, decimals.
    pub score_decimals: u64,
    /// Longest `match_lines`.
    pub match_lines: u64,
    /// Longest line that is shown whole, bytes.
    pub line_bytes: u64,
    /// Beyond it a match moves the beginning of what is shown, bytes.
    pub line_start_bytes: u64,
    /// What is shown ahead of such a match, bytes.
    pub line_lead_bytes: u64,
    /// What a token is where tokens are not counted, bytes.
    pub bytes_per_token: u64,
    /// The window of the rate limit, seconds.
    pub window_seconds: u64,
    /// Share of the rate limit from which on it is near, percent.
    pub near_percent: u64,
}
