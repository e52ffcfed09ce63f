//! The request of `search_files`: schema, defaults and caps from configuration, and the checks that
//! need no file (SCHEMA-SF, FR-SF-VAL-01 to FR-SF-VAL-05, CFG-SF-02; docs/search-files.md, section
//! 2).

use crate::{pattern::Pattern, request::CaseMode, scope::Scope};

mod builder;

pub use builder::RequestBuilder;

/// Largest `max_results` that configuration may allow, in matches.
pub const MAX_RESULTS: u64 = 100_000;
/// Longest query of mode `fuzzy`, in scalar values: every further 64 cost another pass over the
/// text.
pub const MAX_FUZZY_SCALARS: usize = 1_024;

/// How a query is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As characters (FR-SF-SRC-01).
    Exact,
    /// As a regular expression (FR-SF-SRC-02).
    Regex,
    /// As something to resemble (FR-SF-SRC-03).
    Fuzzy,
}

impl Mode {
    /// All of them, as documented.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Regex, Self::Fuzzy];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Regex => "regex",
            Self::Fuzzy => "fuzzy",
        }
    }

    /// The mode that is written so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// What configuration contributes to a request: caps, which are defaults too, and the other
/// defaults (CFG-SF-02, CFG-SF-04).
#[derive(Clone, Debug, PartialEq)]
pub struct Caps {
    /// Matches.
    pub max_results: u64,
    /// Matches of one file; none means no limit.
    pub max_matches_per_file: Option<u64>,
    /// Bytes.
    pub max_file_size_bytes: u64,
    /// Eligible files.
    pub max_files: u64,
    /// Levels below the search root.
    pub max_depth: u64,
    /// Default of the field.
    pub respect_gitignore: bool,
    /// Default of the field.
    pub include_hidden: bool,
    /// Default of the field.
    pub follow_symlinks: bool,
    /// Default of the field.
    pub mode: Mode,
    /// Default of the field.
    pub case: CaseMode,
    /// The smallest score that is a match.
    pub fuzzy_threshold: f64,
}

impl Caps {
    /// The document's own (CFGKEY-SF-*).
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
        }
    }
}

/// A request that passed every check that needs no file system.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to search, as given.
    pub path: String,
    /// What to look for, as given.
    pub query: String,
    /// Which lines match, in the modes that are not fuzzy; in mode fuzzy, how letters compare.
    pub matcher: Pattern,
    /// How the query is read.
    pub mode: Mode,
    /// How letters compare.
    pub case: CaseMode,
    /// Which files below the search root are eligible.
    pub scope: Scope,
    /// Matches to answer with at most.
    pub max_results: usize,
    /// Matches of one file that count.
    pub max_matches_per_file: Option<usize>,
    /// Files larger than this many bytes are not searched.
    pub max_file_size_bytes: u64,
    /// Eligible files to look at at most.
    pub max_files: u64,
    /// Lines shown above and below each match.
    pub context_lines: usize,
    /// The smallest score that is a match.
    pub fuzzy_threshold: f64,
}

impl Request {
    /// A request for `query` below `path`; what is not set comes from `caps`. `can_fuzzy` is
    /// whether the configured backend has mode fuzzy.
    pub fn builder(
        path: impl Into<String>,
        query: impl Into<String>,
        caps: &Caps,
        can_fuzzy: bool,
    ) -> RequestBuilder {
        RequestBuilder::new(path.into(), query.into(), caps, can_fuzzy)
    }
}
