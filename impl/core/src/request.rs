//! The `Search` request: fields, defaults, bounds, and the order of checks (FR-LS-02,
//! FR-LS-VAL-01..11, docs/search.md section 1).

use crate::pattern::{Pattern, PatternOptions};

mod builder;
pub(crate) mod checks;
pub(crate) mod definition;

pub use crate::reading::Reading;
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
/// Maximum number of entries of one glob list.
pub const MAX_GLOBS: usize = 256;
/// Largest single glob, in bytes.
pub const MAX_GLOB_BYTES: usize = 4_096;
/// Upper bound of a limit that no cap restricts: the largest integer every JSON reader keeps exact.
pub const UNCAPPED: u64 = 1 << 53;

/// What configuration contributes to a request: defaults and hard caps (CFG-LS-02..05).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Deadline of a request without one, in milliseconds.
    pub default_timeout_ms: u64,
    /// Event limit of a request without one.
    pub default_max_results: u64,
    /// Cap and default of matching lines per file; `None` is no limit.
    pub max_matches_per_file: Option<u64>,
    /// Cap and default of eligible files.
    pub max_files: u64,
    /// Cap and default of a file's size in bytes; larger files are skipped.
    pub max_file_size_bytes: u64,
    /// Limit on the sum of emitted line texts, in bytes.
    pub max_output_bytes: u64,
    /// By whose conventions it is read.
    pub reading: Reading,
}

/// A validated request. File system checks come later.
#[derive(Clone, Debug)]
pub struct Request {
    /// The pattern as given, which the answer repeats.
    pub pattern: String,
    /// The compiled pattern.
    pub matcher: Pattern,
    /// The search root as given, if it is.
    pub path: Option<String>,
    /// How letters compare.
    pub case: CaseMode,
    /// Whether the pattern is a literal.
    pub fixed_strings: bool,
    /// Whether matches must be whole words.
    pub word_regexp: bool,
    /// Which files below the search root are eligible.
    pub scope: Scope,
    /// Context lines on each side of a match.
    pub context: usize,
    /// Maximum number of events.
    pub max_results: usize,
    /// Maximum number of matching lines per file.
    pub max_matches_per_file: Option<usize>,
    /// Maximum number of eligible files.
    pub max_files: u64,
    /// Larger files, in bytes, are skipped.
    pub max_file_size_bytes: u64,
    /// Limit on the sum of emitted line texts, in bytes.
    pub max_output_bytes: u64,
    /// Deadline in milliseconds.
    pub timeout_ms: u64,
    /// Permitted number of edits of a literal.
    pub fuzzy: Option<u8>,
    /// By whose conventions it was read.
    pub reading: Reading,
}

impl Request {
    /// The pattern and its options.
    pub fn pattern_options(&self) -> PatternOptions<'_> {
        PatternOptions {
            pattern: &self.pattern,
            literal: self.fixed_strings,
            case: self.case,
            word: self.word_regexp,
            fuzzy: self.fuzzy,
            reading: self.reading,
        }
    }

    /// A request for `pattern`, with defaults from `limits`.
    pub fn builder(pattern: impl Into<String>, limits: &Limits) -> RequestBuilder {
        RequestBuilder::new(pattern.into(), limits)
    }

    /// The same request, of a literal, with `level` permitted edits.
    #[must_use]
    pub fn with_fuzzy(&self, level: u8) -> Self {
        let matcher = self.matcher.within(level, self.pattern_options());
        Self { matcher, fuzzy: Some(level), ..self.clone() }
    }
}
