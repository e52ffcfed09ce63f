//! Why an answer is partial, and what else it says beside its results (FR-015b-24, E-I11, E-I21;
//! docs/agent-tools.md, section 3).

use serde::Serialize;

/// A value of `incomplete_because`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// More results exist than the page shows.
    MaxResults,
    /// The answer exceeded its budget.
    Budget,
    /// Counting stopped at its limit.
    Counted,
    /// Search terms were skipped.
    TermsSkipped,
    /// Eligible files lie beyond `max_files`.
    MaxFiles,
    /// Files exceed `max_file_size_bytes`.
    #[serde(rename = "max_file_size_bytes")]
    MaxFileSize,
    /// The deadline expired.
    Timeout,
    /// The search program failed.
    BackendError,
    /// Files or directories could not be read.
    Errors,
}

impl Reason {
    /// Whether results may exist that were not counted, so that `total` is a lower bound.
    pub const fn hides(self) -> bool {
        !matches!(self, Self::MaxResults | Self::Budget)
    }
}

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// The index was not ready, so all files were searched.
    IndexNotReady,
    /// The session is near its rate limit.
    RateLimitNear,
    /// A configuration file of the tree is wrong.
    Configuration,
    /// Shown lines are truncated.
    LinesCut,
    /// No name matches the pattern; the results hold it.
    Substring,
    /// Rules, globs or types exclude every file.
    NothingEligible,
    /// A language model was wanted, and none is allowed or can be had.
    ModelNotAsked,
    /// A language model gave no usable answer.
    ModelFailed,
    /// A language model kept no file.
    ModelKeptNone,
    /// Files or lines that a language model named are no hits.
    ModelDropped,
    /// Results are missing.
    #[serde(untagged)]
    Incomplete(Reason),
}

/// A remark about an answer, such as a missing index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// The error code that the document assigns, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// One sentence.
    pub message: String,
    /// The kind of notice.
    #[serde(rename = "notice")]
    pub kind: NoticeKind,
}

impl Notice {
    /// A notice with the code of its kind.
    pub fn new(kind: NoticeKind, message: impl Into<String>) -> Self {
        let code = match kind {
            NoticeKind::IndexNotReady => Some("ACODE-SRC-001"),
            NoticeKind::Incomplete(Reason::Timeout) => Some("ACODE-SRC-004"),
            _ => None,
        };
        Self { code, message: message.into(), kind }
    }
}
