//! The `Search` request: closed schema, defaults from configuration, bounds, and the order of
//! checks (FR-LS-02, FR-LS-VAL-01..11, docs/search.md section 1).

use crate::pattern::{Pattern, Sought};

mod builder;
pub(crate) mod checks;
pub(crate) mod definition;

pub use builder::RequestBuilder;
pub use checks::{Builder, FirstError, missing, shown};
pub use definition::definition;

pub use crate::{
    pattern::CaseMode,
    scope::{Depth, Links, Scope},
};

/// The tool's name and its aliases, exact case (FR-LS-01).
pub const NAMES: [&str; 6] = ["Search", "search", "rg", "ripgrep", "ugrep", "ug"];
/// Largest `context`, in lines (E-D10).
pub const MAX_CONTEXT: u64 = 1_000;
/// Largest `max_results`, in events (E-D10).
pub const MAX_RESULTS: u64 = 100_000;
/// Largest `timeout_ms` (E-D10).
pub const MAX_TIMEOUT_MS: u64 = 600_000;
/// Largest `pattern`, in bytes: four bytes of argument per byte still fit one process argument
/// (E-F02).
pub const MAX_PATTERN_BYTES: usize = 16_384;
/// Most entries of one glob list, and the largest of them in bytes.
pub const MAX_GLOBS: usize = 256;
/// Largest single glob, in bytes.
pub const MAX_GLOB_BYTES: usize = 4_096;
/// Upper bound of a limit that no cap restricts: the largest integer every JSON reader keeps exact.
pub const UNCAPPED: u64 = 1 << 53;

/// What configuration contributes to a request: defaults and hard caps (CFG-LS-02..05).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Deadline of a request that names none, in milliseconds.
    pub default_timeout_ms: u64,
    /// Event limit of a request that names none.
    pub default_max_results: u64,
    /// Cap and default of matching lines per file; none means no limit.
    pub max_matches_per_file: Option<u64>,
    /// Cap and default of eligible files.
    pub max_files: u64,
    /// Cap and default of a file's size in bytes; larger files are skipped.
    pub max_file_size_bytes: u64,
    /// Bound of the sum of emitted line texts, in bytes.
    pub max_output_bytes: u64,
}

/// A request that passed every check that needs no file system.
#[derive(Clone, Debug)]
pub struct Request {
    /// The pattern, raw, as echoed.
    pub pattern: String,
    /// Which lines match.
    pub matcher: Pattern,
    /// Where to search, as given; `.` if absent.
    pub path: String,
    /// How letters compare.
    pub case: CaseMode,
    /// The pattern is a literal.
    pub fixed_strings: bool,
    /// Matches must be whole words.
    pub word_regexp: bool,
    /// Which files below the search root are eligible.
    pub scope: Scope,
    /// Lines of context on each side of a match.
    pub context: usize,
    /// Events to emit at most.
    pub max_results: usize,
    /// Matching lines to report per file at most.
    pub max_matches_per_file: Option<usize>,
    /// Eligible files to look at at most.
    pub max_files: u64,
    /// Files larger than this many bytes are skipped.
    pub max_file_size_bytes: u64,
    /// Sum of emitted line texts at most, in bytes.
    pub max_output_bytes: u64,
    /// Deadline in milliseconds.
    pub timeout_ms: u64,
    /// Number of edits a literal tolerates.
    pub fuzzy: Option<u8>,
}

impl Request {
    /// What is looked for.
    pub fn sought(&self) -> Sought<'_> {
        Sought {
            pattern: &self.pattern,
            literal: self.fixed_strings,
            case: self.case,
            word: self.word_regexp,
            fuzzy: self.fuzzy,
        }
    }

    /// A request for `pattern`; what is not set comes from `limits`.
    pub fn builder(pattern: impl Into<String>, limits: &Limits) -> RequestBuilder {
        RequestBuilder::new(pattern.into(), limits)
    }

    /// The same request for a literal, with so many edits tolerated.
    #[must_use]
    pub fn with_fuzzy(&self, level: u8) -> Self {
        let matcher = self.matcher.within(level, self.sought());
        Self { matcher, fuzzy: Some(level), ..self.clone() }
    }
}
