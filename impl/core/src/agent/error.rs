//! What a call is told that was refused or failed (ACODE-SRC-001 to ACODE-SRC-004, E-I21;
//! docs/agent-tools.md, section 3).

use serde_json::{Value, json};

use crate::error::{ErrorClass, ToolError};

/// What kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// What is looked for makes no sense.
    InvalidQuery,
    /// Too many calls within a minute.
    RateLimitExceeded,
    /// Another field, or the request itself.
    InvalidArgument,
    /// A place outside the roots, or a denied one.
    PathNotAllowed,
    /// The request is fine but could not be carried out.
    SearchFailed,
    /// No such tool.
    UnknownTool,
    /// Too many calls run or wait, or hold too much.
    Busy,
    /// Every search term has too many hits (REQ-KWS-001.5).
    TermsTooBroad,
    /// No language model can be had (REQ-KWS-005.5).
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

/// A call that was refused, or failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// One sentence with the way out.
    pub message: String,
    /// The request's field at fault.
    pub field: Option<String>,
    /// When to come back, in seconds.
    pub retry_after_seconds: Option<u64>,
}

impl Refusal {
    /// A refusal that is no field's fault.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), field: None, retry_after_seconds: None }
    }

    /// The limit of a session is reached (PAYLOAD-RATE-01).
    pub fn rate_limited(limit: u64, retry_after_ms: u64) -> Self {
        Self {
            retry_after_seconds: Some(retry_after_ms.div_ceil(1_000).max(1)),
            ..Self::new(
                ErrorKind::RateLimitExceeded,
                format!("Search rate limit reached ({limit}/min)"),
            )
        }
    }

    /// As data.
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

impl From<ToolError> for Refusal {
    /// A failure that is no field's fault.
    fn from(error: ToolError) -> Self {
        Self::of(error, "", "")
    }
}

impl Refusal {
    /// What became of a call, `sought` being the field that says what it looks for, `root` the one
    /// that says where.
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
            // What stands in the way of a search that was asked for properly is its root, if a
            // field of the request at all.
            Some("path") => Some(root.to_owned()),
            Some(_) => None,
        };
        Self { field, ..Self::new(kind, error.message) }
    }
}
