//! Errors of the agent's tools (ACODE-SRC-001 to ACODE-SRC-004, E-I21; docs/agent-tools.md, section
//! 3).

use std::{
    error::Error,
    fmt::{self, Display, Formatter},
};

use serde_json::{Value, json};

use crate::{
    content::escape_name,
    error::{ErrorClass, ToolError},
};

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The query or pattern is invalid.
    InvalidQuery,
    /// The session's rate limit is reached.
    RateLimitExceeded,
    /// Another field is invalid, or the request itself.
    InvalidArgument,
    /// A path is outside the roots, or denied.
    PathNotAllowed,
    /// A valid request could not be carried out.
    SearchFailed,
    /// The profile has no tool of this name.
    UnknownTool,
    /// Too many calls are running or waiting, or they hold too much memory.
    Busy,
    /// Every search term has too many hits (REQ-KWS-001.5).
    TermsTooBroad,
    /// No language model is available (REQ-KWS-005.5).
    NoModel,
}

impl ErrorKind {
    /// The value of `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvalidQuery => "invalid_query",
            Self::RateLimitExceeded => "rate_limit_exceeded",
            Self::InvalidArgument => "invalid_argument",
            Self::PathNotAllowed => "path_not_allowed",
            Self::SearchFailed => "search_failed",
            Self::UnknownTool => "unknown_tool",
            Self::Busy => "busy",
            Self::TermsTooBroad => "terms_too_broad",
            Self::NoModel => "no_model",
        }
    }

    /// The value of `code`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::InvalidQuery => "ACODE-SRC-002",
            Self::RateLimitExceeded => "ACODE-SRC-003",
            Self::InvalidArgument => "ACODE-SRC-005",
            Self::PathNotAllowed => "ACODE-SRC-006",
            Self::SearchFailed => "ACODE-SRC-007",
            Self::UnknownTool => "ACODE-SRC-008",
            Self::Busy => "ACODE-SRC-009",
            Self::TermsTooBroad => "ACODE-SRC-010",
            Self::NoModel => "ACODE-SRC-011",
        }
    }
}

/// A refused or failed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of failure.
    pub kind: ErrorKind,
    /// One sentence that names the way out.
    pub message: String,
    /// The invalid field of the request.
    pub field: Option<String>,
    /// Seconds until a call would be accepted.
    pub retry_after_seconds: Option<u64>,
}

impl Refusal {
    /// A failure that no field of the request caused.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), field: None, retry_after_seconds: None }
    }

    /// The error of a session that reached its rate limit (PAYLOAD-RATE-01).
    pub fn rate_limited(limit: u64, retry_after_ms: u64) -> Self {
        Self {
            retry_after_seconds: Some(retry_after_ms.div_ceil(1_000).max(1)),
            ..Self::new(
                ErrorKind::RateLimitExceeded,
                format!("Search rate limit reached ({limit}/min)"),
            )
        }
    }

    /// The error as JSON.
    pub fn to_json(&self) -> Value {
        let mut json =
            json!({ "error": self.kind.name(), "code": self.kind.code(), "message": self.message });
        if let Some(fields) = json.as_object_mut() {
            if let Some(field) = &self.field {
                fields.insert("field".to_owned(), field.clone().into());
            }
            if let Some(seconds) = self.retry_after_seconds {
                fields.insert("retry_after_seconds".to_owned(), seconds.into());
            }
        }
        json
    }
}

/// The error as text, for reading.
impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.name(), self.kind.code())?;
        if let Some(field) = &self.field {
            write!(f, " ({field})")?;
        }
        write!(f, ": {}", escape_name(&self.message))?;
        match self.retry_after_seconds {
            Some(seconds) => write!(f, "; try again in {seconds} s"),
            None => Ok(()),
        }
    }
}

impl Error for Refusal {}

impl From<ToolError> for Refusal {
    /// Converts an error that no field of the request caused.
    fn from(error: ToolError) -> Self {
        Self::of(error, "", "")
    }
}

impl Refusal {
    /// Converts an error of a search. `sought` is the field with the query, `root` the field with
    /// the search root.
    pub fn of(error: ToolError, sought: &str, root: &str) -> Self {
        let sought = error.field.as_deref() == Some(sought);
        let kind = match error.class {
            ErrorClass::BadArgs if sought => ErrorKind::InvalidQuery,
            ErrorClass::BadArgs => ErrorKind::InvalidArgument,
            ErrorClass::SandboxViolation => ErrorKind::PathNotAllowed,
            ErrorClass::ExecutionFailed if error.is_busy() => ErrorKind::Busy,
            ErrorClass::ExecutionFailed => ErrorKind::SearchFailed,
        };
        let field = match error.field.as_deref() {
            Some("request") | None => None,
            Some(field) if error.class == ErrorClass::BadArgs => Some(field.to_owned()),
            // If a valid search fails because of a field, that field is the root.
            Some("path") => Some(root.to_owned()),
            Some(_) => None,
        };
        Self { field, ..Self::new(kind, error.message) }
    }
}
