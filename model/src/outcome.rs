//! What a call comes back with.
//!
//! Responsible for: the values an answer is made of, in the order of section 7.
//! Left to neighbours: how they come about (`answer`), and their JSON (the harness).
//! Invariants: plain data; equality is field by field.

/// What a call comes back with: an answer, or a refusal.
pub type Outcome = Result<Answer, Refusal>;

/// A call that was refused (FR-LS-ERR-01, FR-LS-ERR-02). The wording of the message is free, so it is not here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// `BadArgs`, `SandboxViolation` or `ExecutionFailed`.
    pub class: String,
    /// The request field, or other noun, that the error names.
    pub field: String,
}

/// The response to a call that was not refused (FR-LS-05). `pattern` and `count` follow from request and events.
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

    /// Whether this is a match.
    pub fn is_match(&self) -> bool {
        matches!(self, Event::Match { .. })
    }
}
