//! The outcome of a call: the values of an answer, in the order of section 7. Equality is field by
//! field.

pub type Outcome = Result<Answer, Refusal>;

/// The error of a refused call (FR-LS-ERR-01, FR-LS-ERR-02). The wording of the message is free, so
/// it is absent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `BadArgs`, `SandboxViolation` or `ExecutionFailed`.
    pub class: String,
    /// The request field, or other noun, that the error names.
    pub field: String,
}

/// The response to a valid call (FR-LS-05). `pattern` and `count` follow from request and events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The search root, as shown (FR-LS-05b).
    pub path: String,
    /// Match and context events, in order (FR-LS-ORD-02).
    pub events: Vec<Event>,
    /// Whether a cap or the deadline cut something (FR-LS-06).
    pub truncated: bool,
    /// Whether the deadline expired (FR-LS-07).
    pub timed_out: bool,
    /// Scanned eligible files (FR-LS-05e, E-B25).
    pub files_scanned: u64,
    /// Errors as pairs of path and message (FR-LS-ERR-06).
    pub errors: Vec<(String, String)>,
    /// The answer as text (FR-LS-05c).
    pub content: String,
    /// Diagnostics, if configured (FR-LS-05d).
    pub stats: Option<Stats>,
}

/// `stats`, without the fields that vary from run to run. The figures are those of the returned
/// pass; [`Fallback`] is the whole call's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    /// `stats_version`.
    pub version: u64,
    pub incomplete_because: Vec<&'static str>,
    /// Scanned files over the size limit.
    pub files_oversized: u64,
    /// Scanned files with matching lines beyond the cap of one file.
    pub files_cut: u64,
    /// Eligible files that the answer covers.
    pub candidates_total: u64,
    pub fallback: Fallback,
}

/// The use of fuzzy fallback in a call (section 8).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fallback {
    /// The levels of the passes that ran, in order.
    pub levels_tried: Vec<u64>,
    /// Why passes did not run.
    pub skipped: Option<Skipped>,
    /// Number of passes that the deadline prevented.
    pub passes_skipped: u64,
}

/// Why due fuzzy passes did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// The pattern allows none (FR-LSI-FUZ-G-01, E-G07).
    PatternTooShort,
    /// The deadline expired (FR-LSI-FUZ-G-03).
    NoTimeLeft,
}

/// One line of one file (FR-LS-04, E-E01).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A matching line.
    Match {
        path: String,
        /// 1-based.
        line: u64,
        /// 1-based byte offset of the match in `text` (FR-LS-04b, E-E02).
        column: u64,
        /// The line, lossily decoded, without its end.
        text: String,
        /// The matched text, from the file (FR-LS-04c, E-E12).
        matched: String,
    },
    /// A line near a match (FR-LS-SRC-07).
    Context {
        path: String,
        /// 1-based.
        line: u64,
        /// The line, lossily decoded, without its end.
        text: String,
    },
}

impl Event {
    pub fn text(&self) -> &str {
        match self {
            Event::Match { text, .. } | Event::Context { text, .. } => text,
        }
    }

    pub fn line(&self) -> u64 {
        match self {
            Event::Match { line, .. } | Event::Context { line, .. } => *line,
        }
    }

    pub fn is_match(&self) -> bool {
        matches!(self, Event::Match { .. })
    }
}
