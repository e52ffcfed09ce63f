//! The error a tool call ends with. One type for all tools, so that callers can match on the class.

use serde::Serialize;

/// The class of a failed call, in the documents' words (FR-LS-ERR-01, FR-LS-ERR-02, E-F09).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ErrorClass {
    /// The request is at fault; nothing was run.
    BadArgs,
    /// The request names a place outside the permitted roots, or a denied one; existence is not
    /// revealed.
    SandboxViolation,
    /// The request is fine but could not be carried out.
    ExecutionFailed,
}

/// Work was told to stop before it was done; what it had found is void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Stands where other failures name what is at fault.
const BUSY: &str = "busy";

/// A failed call: the class, one sentence with the way out, and the field at fault.
///
/// Messages are lower case, put the caller's own words in backticks, and name the allowed range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// What kind of failure this is.
    pub class: ErrorClass,
    /// One sentence for a person, with the value at fault and the allowed range where there is one.
    pub message: String,
    /// The request field (or configuration key) at fault.
    pub field: Option<String>,
}

impl ToolError {
    /// The argument `field` is not acceptable.
    pub fn bad_args(field: &str, message: impl Into<String>) -> Self {
        Self { class: ErrorClass::BadArgs, message: message.into(), field: Some(field.to_owned()) }
    }

    /// The path leaves the permitted roots or is denied.
    pub fn sandbox(message: impl Into<String>) -> Self {
        Self {
            class: ErrorClass::SandboxViolation,
            message: message.into(),
            field: Some("path".to_owned()),
        }
    }

    /// Other calls leave no room for this one.
    pub fn busy(message: impl Into<String>) -> Self {
        Self::failed(BUSY, message)
    }

    /// Whether other calls stood in the way.
    pub fn is_busy(&self) -> bool {
        self.class == ErrorClass::ExecutionFailed && self.field.as_deref() == Some(BUSY)
    }

    /// The call could not be carried out.
    pub fn failed(field: &str, message: impl Into<String>) -> Self {
        Self {
            class: ErrorClass::ExecutionFailed,
            message: message.into(),
            field: Some(field.to_owned()),
        }
    }
}
