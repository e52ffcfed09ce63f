//! The request of `search_files`: fields, defaults and caps from configuration, and the checks that
//! need no file (SCHEMA-SF, FR-SF-VAL-01 to FR-SF-VAL-05, CFG-SF-02; docs/search-files.md, section
//! 2).

use crate::{
    pattern::Pattern,
    request::{CaseMode, Reading},
    scope::Scope,
};

mod builder;

pub use builder::RequestBuilder;

/// Largest configurable `max_results`, in matches.
pub const MAX_RESULTS: u64 = 100_000;
/// Longest query of mode `fuzzy` in scalar values. Every further 64 cost another pass over the
/// text.
pub const MAX_FUZZY_SCALARS: usize = 1_024;

/// How a query is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As a literal (FR-SF-SRC-01).
    Exact,
    /// As a regular expression (FR-SF-SRC-02).
    Regex,
    /// By similarity (FR-SF-SRC-03).
    Fuzzy,
}

impl Mode {
    /// All values, in the documented order.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Regex, Self::Fuzzy];

    /// The name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Regex => "regex",
            Self::Fuzzy => "fuzzy",
        }
    }

    /// The mode of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// What configuration contributes to a request: caps, which are also defaults, and other defaults
/// (CFG-SF-02, CFG-SF-04).
#[derive(Clone, Debug, PartialEq)]
pub struct Caps {
    /// Cap of matches.
    pub max_results: u64,
    /// Cap of matches per file; `None` is no limit.
    pub max_matches_per_file: Option<u64>,
    /// Cap of file sizes in bytes.
    pub max_file_size_bytes: u64,
    /// Cap of eligible files.
    pub max_files: u64,
    /// Cap of levels below the search root.
    pub max_depth: u64,
    /// Default of `respect_gitignore`.
    pub respect_gitignore: bool,
    /// Default of `include_hidden`.
    pub include_hidden: bool,
    /// Default of `follow_symlinks`.
    pub follow_symlinks: bool,
    /// Default of `mode`.
    pub mode: Mode,
    /// Default of `case`.
    pub case: CaseMode,
    /// The smallest score of a match.
    pub fuzzy_threshold: f64,
    /// By whose conventions a request is read.
    pub reading: Reading,
}

impl Caps {
    /// The document's values (CFGKEY-SF-*).
    pub fn documents() -> Self {
        Self {
            max_results: 200,
            max_matches_per_file: Some(20),
            max_file_size_bytes: 2_000_000,
            max_files: 5_000,
            max_depth: 12,
            respect_gitignore: true,
            include_hidden: false,
            follow_symlinks: false,
            mode: Mode::Exact,
            case: CaseMode::Smart,
            fuzzy_threshold: 0.8,
            reading: Reading::Documents,
        }
    }
}

/// A validated request. File system checks come later.
#[derive(Clone, Debug)]
pub struct Request {
    /// The search root as given.
    pub path: String,
    /// The query as given.
    pub query: String,
    /// The compiled query; in mode fuzzy only its case mode is used.
    pub matcher: Pattern,
    /// How the query is matched.
    pub mode: Mode,
    /// How letters compare.
    pub case: CaseMode,
    /// Which files below the search root are eligible.
    pub scope: Scope,
    /// Maximum number of matches.
    pub max_results: usize,
    /// Matches of one file that count.
    pub max_matches_per_file: Option<usize>,
    /// Larger files, in bytes, are not searched.
    pub max_file_size_bytes: u64,
    /// Maximum number of eligible files.
    pub max_files: u64,
    /// Context lines above and below each match.
    pub context_lines: usize,
    /// The smallest score of a match.
    pub fuzzy_threshold: f64,
}

impl Request {
    /// A request for `query` below `path`, with defaults from `caps`. `can_fuzzy` says whether the
    /// configured backend supports mode fuzzy.
    pub fn builder(
        path: impl Into<String>,
        query: impl Into<String>,
        caps: &Caps,
        can_fuzzy: bool,
    ) -> RequestBuilder {
        RequestBuilder::new(path.into(), query.into(), caps, can_fuzzy)
    }
}
