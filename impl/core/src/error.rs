//! The error of a tool call: one type for all tools.

use serde::Serialize;

/// The class of a failed call (FR-LS-ERR-01, FR-LS-ERR-02, E-F09).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ErrorClass {
    /// The request is invalid; nothing was run.
    BadArgs,
    /// A path is outside the permitted roots, or denied. The error does not disclose whether it
    /// exists.
    SandboxViolation,
    /// A valid request could not be carried out.
    ExecutionFailed,
}

/// Cancelled work; partial results are void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// The `field` of an error for lack of capacity.
const BUSY: &str = "busy";

/// A failed call.
///
/// Messages are lower case, quote user input in backticks, and name the allowed range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// The class.
    pub class: ErrorClass,
    /// One sentence with the invalid value and the allowed range.
    pub message: String,
    /// The invalid request field or configuration key.
    pub field: Option<String>,
}

impl ToolError {
    /// The argument `field` is invalid.
    pub fn bad_args(field: &str, message: impl Into<String>) -> Self {
        Self { class: ErrorClass::BadArgs, message: message.into(), field: Some(field.to_owned()) }
    }

    /// The path is outside the permitted roots, or denied.
    pub fn sandbox(message: impl Into<String>) -> Self {
        Self {
            class: ErrorClass::SandboxViolation,
            message: message.into(),
            field: Some("path".to_owned()),
        }
    }

    /// Other calls use all capacity.
    pub fn busy(message: impl Into<String>) -> Self {
        Self::failed(BUSY, message)
    }

    /// Whether the call failed for lack of capacity.
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
