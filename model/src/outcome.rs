//! What a call comes back with.
//!
//! Responsible for: the values an answer is made of, in the order of section 7.
//! Left to neighbours: how they come about (`answer`), and their JSON (the harness).
//! Invariants: plain data; equality is field by field.

/// What a call comes back with: an answer, or a refusal.
pub type Outcome = Result<Answer, Refusal>;

/// A call that was refused (FR-LS-ERR-01, FR-LS-ERR-02). The wording of the message is free, so it
/// is not here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `BadArgs`, `SandboxViolation` or `ExecutionFailed`.
    pub class: String,
    /// The request field, or other noun, that the error names.
    pub field: String,
}

/// The response to a call that was not refused (FR-LS-05). `pattern` and `count` follow from
/// request and events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The search root, as shown (FR-LS-05b).
    pub path: String,
    /// Match and context events, in order (FR-LS-ORD-02).
    pub events: Vec<Event>,
    /// Whether a cap or the deadline cut something (FR-LS-06).
    pub truncated: bool,
    /// Whether the deadline struck (FR-LS-07).
    pub timed_out: bool,
    /// Eligible files looked at (FR-LS-05e, E-B25).
    pub files_scanned: u64,
    /// Problems as pairs of path and message (FR-LS-ERR-06).
    pub errors: Vec<(String, String)>,
    /// The view for people (FR-LS-05c).
    pub content: String,
    /// What the answer says about itself, if configuration asks for it (FR-LS-05d).
    pub stats: Option<Stats>,
}

/// `stats`, without what may vary from run to run. The figures are those of the pass that is
/// returned; [`Fallback`] is the
/// whole call's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    /// What the answer is incomplete by.
    pub incomplete_because: Vec<&'static str>,
    /// Scanned files over the size limit.
    pub files_oversized: u64,
    /// Scanned files with matching lines beyond the cap of one file.
    pub files_cut: u64,
    /// Eligible files that the answer covers.
    pub candidates_total: u64,
    /// What became of fuzzy fallback.
    pub fallback: Fallback,
}

/// What became of fuzzy fallback in a call (section 8).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fallback {
    /// The levels of the passes that ran, in order.
    pub levels_tried: Vec<u64>,
    /// Why passes did not run.
    pub skipped: Option<Skipped>,
    /// How many did not, for want of time.
    pub passes_skipped: u64,
}

/// Why fuzzy passes that were due did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skipped {
    /// The pattern allows none (FR-LSI-FUZ-G-01, E-G07).
    PatternTooShort,
    /// The deadline was reached (FR-LSI-FUZ-G-03).
    NoTimeLeft,
}

/// One line of one file (FR-LS-04, E-E01).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A line that matches.
    Match {
        /// The file, as shown.
        path: String,
        /// 1-based.
        line: u64,
        /// 1-based byte offset of the match in `text` (FR-LS-04b, E-E02).
        column: u64,
        /// The line, lossily decoded, without its end.
        text: String,
        /// What matched, the file's own text (FR-LS-04c, E-E12).
        matched: String,
    },
    /// A line near one that matches (FR-LS-SRC-07).
    Context {
        /// The file, as shown.
        path: String,
        /// 1-based.
        line: u64,
        /// The line, lossily decoded, without its end.
        text: String,
    },
}

impl Event {
    /// The line's text.
    pub fn text(&self) -> &str {
        match self {
            Event::Match { text, .. } | Event::Context { text, .. } => text,
        }
    }

    /// The line's number.
    pub fn line(&self) -> u64 {
        match self {
            Event::Match { line, .. } | Event::Context { line, .. } => *line,
        }
    }

    /// Whether this is a match.
    pub fn is_match(&self) -> bool {
        matches!(self, Event::Match { .. })
    }
}
