//! What a caller sees of the agent's tools, and of the registry that holds them:
//! `tools/agent_tools.yaml`.

use serde::Deserialize;

use crate::closed::ids;
use crate::config::Key;
use crate::place::At;
use crate::rules::Rule;
use crate::tool::{Field, Limit};

/// Profiles, requests, what answers can say, configuration, and fixed limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentTools {
    /// The number of the document that defines them.
    pub document: At<String>,
    /// The profiles of the registry.
    pub profiles: Vec<Profile>,
    /// The fields of requests, in the order in which they are checked.
    pub request: Vec<AgentField>,
    /// What `incomplete_because` names, in the order written.
    pub incomplete_because: Vec<AgentReason>,
    /// The notices, in the order written.
    pub notices: Vec<Notice>,
    /// The words of errors.
    pub errors: Vec<ErrorWord>,
    /// The table of the configuration keys.
    pub section: String,
    /// The configuration keys.
    pub keys: Vec<AgentKey>,
    /// Sizes, counts and weights that no configuration changes.
    pub limits: Vec<Limit<AgentLimitId>>,
    /// What else there is to say.
    pub rules: Vec<Rule>,
}

/// What a profile lists.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name.
    pub name: At<String>,
    /// Its tools, in the order listed.
    pub tools: Vec<Listed>,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A tool of a profile.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// What the profile calls it.
    pub name: String,
    /// Which tool it is.
    pub tool: ToolId,
}

/// A field of the requests of some tools.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentField {
    /// The tools that have it.
    pub tools: Vec<ToolId>,
    /// The field.
    pub field: Field,
}

/// Something that makes an answer incomplete.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentReason {
    /// Which; also how answers name it.
    pub id: At<AgentReasonId>,
    /// Whether `total` is a lower bound then.
    pub lower_bound: bool,
    /// The tools that it concerns; all of them if it does not say.
    #[serde(default)]
    pub tools: Vec<ToolId>,
    /// When it applies.
    pub when: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A notice.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    /// Which; also how answers name it.
    pub id: At<NoticeId>,
    /// The code that it has, if it has one.
    #[serde(default)]
    pub code: Option<String>,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// The word of an error.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorWord {
    /// Which; also how answers name it.
    pub id: At<AgentErrorId>,
    /// Its code.
    pub code: String,
    /// When it applies.
    pub when: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A configuration key.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentKey {
    /// Where `.agent/config.yml` has it, below `tools.search`, if that may lower it.
    #[serde(default)]
    pub overlay: Option<String>,
    /// The key.
    pub key: Key,
}

ids! {
    /// A tool of the registry.
    ToolId {
        /// `Search`.
        Search = "search",
        /// The path search.
        FindFiles = "find_files",
        /// `grep`.
        Grep = "grep",
        /// The search of contents of document 001.
        SearchFiles = "search_files",
        /// `search_text`.
        SearchText = "search_text",
        /// `keyword_search`.
        KeywordSearch = "keyword_search",
    }
}

ids! {
    /// What makes an answer incomplete.
    AgentReasonId {
        /// The cap on results.
        MaxResults = "max_results",
        /// The budget.
        Budget = "budget",
        /// The end of counting.
        Counted = "counted",
        /// The end of ranking.
        Ranked = "ranked",
        /// The cap on files.
        MaxFiles = "max_files",
        /// The limit on the size of files.
        MaxFileSizeBytes = "max_file_size_bytes",
        /// The deadline, or a caller that cancelled.
        Timeout = "timeout",
        /// A search program that failed.
        BackendError = "backend_error",
        /// Problems with files and directories.
        Errors = "errors",
    }
}

ids! {
    /// What a notice tells.
    NoticeId {
        /// As the reason of that name.
        MaxResults = "max_results",
        /// As the reason of that name.
        Budget = "budget",
        /// As the reason of that name.
        Counted = "counted",
        /// As the reason of that name.
        Ranked = "ranked",
        /// As the reason of that name.
        MaxFiles = "max_files",
        /// As the reason of that name.
        MaxFileSizeBytes = "max_file_size_bytes",
        /// As the reason of that name.
        Timeout = "timeout",
        /// As the reason of that name.
        BackendError = "backend_error",
        /// As the reason of that name.
        Errors = "errors",
        /// Names only hold the pattern.
        Substring = "substring",
        /// No file is eligible.
        NothingEligible = "nothing_eligible",
        /// The index is wanted and not there yet.
        IndexNotReady = "index_not_ready",
        /// The rate limit is near.
        RateLimitNear = "rate_limit_near",
        /// Lines were cut.
        LinesCut = "lines_cut",
        /// `.agent/config.yml` cannot be used.
        Configuration = "configuration",
    }
}

ids! {
    /// The word of an error.
    AgentErrorId {
        /// What is looked for is none.
        InvalidQuery = "invalid_query",
        /// Too many calls.
        RateLimitExceeded = "rate_limit_exceeded",
        /// Something else about the request.
        InvalidArgument = "invalid_argument",
        /// Outside, or denied.
        PathNotAllowed = "path_not_allowed",
        /// It could not be carried out.
        SearchFailed = "search_failed",
        /// No such tool.
        UnknownTool = "unknown_tool",
        /// Too many calls are waiting.
        Busy = "busy",
        /// Every term was skipped.
        TermsTooBroad = "terms_too_broad",
        /// No language model can be had.
        NoModel = "no_model",
    }
}

ids! {
    /// A size, count or weight that no configuration changes.
    AgentLimitId {
        /// Longest query.
        QueryBytes = "query_bytes",
        /// Most terms.
        Terms = "terms",
        /// Longest list of a request.
        Texts = "texts",
        /// Longest file type.
        FileTypeCharacters = "file_type_characters",
        /// Lines that are counted at least.
        CountedLines = "counted_lines",
        /// Files that are ranked.
        PoolFiles = "pool_files",
        /// A word that is the whole identifier.
        UnitsWhole = "units_whole",
        /// A word that is a part of one.
        UnitsPart = "units_part",
        /// A literal.
        UnitsLiteral = "units_literal",
        /// A word that is the stem of the base name.
        UnitsStem = "units_stem",
        /// A term in the base name.
        UnitsBase = "units_base",
        /// A term elsewhere in the path.
        UnitsPath = "units_path",
        /// k1.
        K1Hundredths = "k1_hundredths",
        /// b.
        BHundredths = "b_hundredths",
        /// Decimals of a score.
        ScoreDecimals = "score_decimals",
        /// Longest list of lines of a result.
        MatchLines = "match_lines",
        /// Longest line that is shown whole.
        LineBytes = "line_bytes",
        /// Where a match moves the beginning.
        LineStartBytes = "line_start_bytes",
        /// What is shown ahead of such a match.
        LineLeadBytes = "line_lead_bytes",
        /// Bytes of a token where tokens are not counted.
        BytesPerToken = "bytes_per_token",
        /// The window of the rate limit.
        WindowSeconds = "window_seconds",
        /// When the rate limit is near.
        NearPercent = "near_percent",
    }
}

/// The keys that the table has to have, in the order in which the model's presets list them.
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
    /// The configuration key called `name`.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().map(|one| &one.key).find(|key| key.name.value == name)
    }
}
