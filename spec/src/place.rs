//! Positions in the specification's files.

use std::fmt;

pub use crate::yaml::At;

/// A defect with its position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Relative to the specification's directory.
    pub file: String,
    /// From 1; 0 if the defect concerns the whole file.
    pub line: u64,
    pub message: String,
}

impl Finding {
    /// A finding at the position `at` of `file`.
    pub(crate) fn at<T>(file: &str, at: &At<T>, message: String) -> Self {
        Self { file: file.to_owned(), line: at.line, message }
    }

    /// A finding about the whole `file`.
    pub(crate) fn of(file: &str, message: String) -> Self {
        Self { file: file.to_owned(), line: 0, message }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}", self.file, self.message)
        } else {
            write!(f, "{}:{}: {}", self.file, self.line, self.message)
        }
    }
}
