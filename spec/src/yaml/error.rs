//! Why a text cannot be read.

use std::fmt::Display;

use super::node::Place;

/// Why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line}, column {column}")]
pub struct YamlError {
    /// What is wrong.
    pub message: String,
    /// The line, from 1; 0 if it has no place.
    pub line: u64,
    /// The column, from 1; 0 if it has no place.
    pub column: u64,
}

impl YamlError {
    pub(super) fn new(message: impl Display, place: Place) -> Self {
        Self { message: message.to_string(), line: place.line, column: place.column }
    }

    /// At `place`, unless a value within it is known to be wrong.
    pub(super) fn or_at(self, place: Place) -> Self {
        if self.line == 0 { Self::new(self.message, place) } else { self }
    }
}

impl serde::de::Error for YamlError {
    fn custom<M: Display>(message: M) -> Self {
        Self { message: message.to_string(), line: 0, column: 0 }
    }
}
