//! The interfaces of the agent's tools, and the registry (`tools/agent_tools.yaml`).

use serde::Deserialize;

use crate::closed::ids;
use crate::config::Key;
use crate::place::At;
use crate::rules::Rule;
use crate::tool::{Field, Limit};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentTools {
    /// The number of the document that defines them.
    pub document: At<String>,
    /// The profiles of the registry.
    pub profiles: Vec<Profile>,
    /// In the order of validation.
    pub request: Vec<AgentField>,
    /// Names that other tools have for fields; the first row that has one stands.
    pub other_names: Vec<OtherNames>,
    /// In the order written.
    pub incomplete_because: Vec<AgentReason>,
    /// In the order written.
    pub notices: Vec<Notice>,
    pub errors: Vec<ErrorWord>,
    /// The table of the configuration keys.
    pub section: String,
    pub keys: Vec<AgentKey>,
    /// Constants that no configuration changes.
    pub limits: Vec<Limit<AgentLimitId>>,
    pub rules: Vec<Rule>,
}

/// The tools of a profile.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: At<String>,
    /// In the order listed.
    pub tools: Vec<Listed>,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// The name in the profile.
    pub name: String,
    pub tool: ToolId,
}

/// A field of the requests of some tools.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentField {
    /// The tools with this field.
    pub tools: Vec<ToolId>,
    pub field: Field,
}

/// Names that mean one field.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherNames {
    pub names: Vec<String>,
    /// The field of each tool; empty if no field takes the value.
    pub fields: Vec<Listed>,
    pub takes: TakesId,
    /// The field's value for each value.
    #[serde(default)]
    pub values: Vec<ValueOf>,
    /// The way out of what is refused.
    #[serde(default)]
    pub instead: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValueOf {
    pub theirs: String,
    /// Empty: as if absent.
    pub own: String,
}

/// A reason for which an answer is incomplete.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentReason {
    /// Also its name in answers.
    pub id: At<AgentReasonId>,
    /// Whether `total` is then a lower bound.
    pub lower_bound: bool,
    /// The tools concerned; all of them if absent.
    #[serde(default)]
    pub tools: Vec<ToolId>,
    pub when: String,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    /// Also its name in answers.
    pub id: At<NoticeId>,
    /// The error code, if it has one.
    #[serde(default)]
    pub code: Option<String>,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorWord {
    /// Also its name in answers.
    pub id: At<AgentErrorId>,
    pub code: String,
    pub when: String,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentKey {
    /// Its key in `.agent/config.yml`, below `tools.search`, if that may lower it.
    #[serde(default)]
    pub overlay: Option<String>,
    pub key: Key,
}

ids! {
    /// A tool of the registry.
    ToolId {
        Search = "search",
        /// The path search.
        FindFiles = "find_files",
        Grep = "grep",
        /// The search of contents of document 001.
        SearchFiles = "search_files",
        SearchText = "search_text",
        KeywordSearch = "keyword_search",
    }
}

ids! {
    /// What becomes of a value under another name.
    TakesId {
        /// It is the field's value.
        Same = "same",
        /// The field's value is the one of the row.
        Values = "values",
        /// A limit; 0, and more than the field may have, is as much as it may have.
        Limit = "limit",
        /// Names of ripgrep's file types.
        Types = "types",
        NoEffect = "no_effect",
        /// An error, unless it is `false` or 0.
        Refused = "refused",
    }
}

ids! {
    /// A reason for which an answer is incomplete.
    AgentReasonId {
        MaxResults = "max_results",
        Budget = "budget",
        /// Counting stopped.
        Counted = "counted",
        MaxFiles = "max_files",
        MaxFileSizeBytes = "max_file_size_bytes",
        /// The deadline expired, or the caller cancelled.
        Timeout = "timeout",
        BackendError = "backend_error",
        Errors = "errors",
    }
}

ids! {
    /// The kind of a notice.
    NoticeId {
        MaxResults = "max_results",
        Budget = "budget",
        Counted = "counted",
        MaxFiles = "max_files",
        MaxFileSizeBytes = "max_file_size_bytes",
        Timeout = "timeout",
        BackendError = "backend_error",
        Errors = "errors",
        /// Names only contain the pattern.
        Substring = "substring",
        NothingEligible = "nothing_eligible",
        /// An index is configured but not ready.
        IndexNotReady = "index_not_ready",
        RateLimitNear = "rate_limit_near",
        LinesCut = "lines_cut",
        /// `.agent/config.yml` is invalid.
        Configuration = "configuration",
    }
}

ids! {
    /// The kind of an error.
    AgentErrorId {
        InvalidQuery = "invalid_query",
        RateLimitExceeded = "rate_limit_exceeded",
        InvalidArgument = "invalid_argument",
        /// Outside the roots, or denied.
        PathNotAllowed = "path_not_allowed",
        SearchFailed = "search_failed",
        UnknownTool = "unknown_tool",
        Busy = "busy",
        /// Every term was skipped.
        TermsTooBroad = "terms_too_broad",
        NoModel = "no_model",
    }
}

ids! {
    /// A constant that no configuration changes.
    AgentLimitId {
        QueryBytes = "query_bytes",
        Terms = "terms",
        Texts = "texts",
        FileTypeCharacters = "file_type_characters",
        CountedLines = "counted_lines",
        RarityLineBytes = "rarity_line_bytes",
        /// The word is the whole identifier.
        UnitsWhole = "units_whole",
        /// The word is a part of the identifier.
        UnitsPart = "units_part",
        UnitsLiteral = "units_literal",
        /// The word is the stem of the base name.
        UnitsStem = "units_stem",
        /// The term is in the base name.
        UnitsBase = "units_base",
        /// The term is elsewhere in the path.
        UnitsPath = "units_path",
        K1Hundredths = "k1_hundredths",
        BHundredths = "b_hundredths",
        ScoreDecimals = "score_decimals",
        MatchLines = "match_lines",
        /// Longest line shown whole.
        LineBytes = "line_bytes",
        /// A match after this offset moves the start of the shown text.
        LineStartBytes = "line_start_bytes",
        /// Bytes shown before such a match.
        LineLeadBytes = "line_lead_bytes",
        /// Bytes per token, where tokens are not counted.
        BytesPerToken = "bytes_per_token",
        /// Window of the rate limit.
        WindowSeconds = "window_seconds",
        /// Percentage from which the rate limit is near.
        NearPercent = "near_percent",
    }
}

/// The keys of the table, in the order of the model's presets.
pub(crate) const KEYS: [&str; 8] = [
    "default_max_results",
    "default_context_lines",
    "searches_per_minute",
    "timeout_seconds",
    "max_answer_tokens",
    "max_answer_bytes",
    "tokenizer",
    "enabled",
];

impl AgentTools {
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().map(|one| &one.key).find(|key| key.name.value == name)
    }
}
