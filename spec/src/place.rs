//! Where something stands in the specification.

use std::fmt;

/// A value together with the place it was read from.
pub type At<T> = serde_yaml::Spanned<T>;

/// A defect of the specification, with the place to mend it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, relative to the specification's directory.
    pub file: String,
    /// The line, from 1; 0 if the defect is the file as a whole.
    pub line: u64,
    /// What is wrong.
    pub message: String,
}

impl Finding {
    /// A finding at the place `at` of `file`.
    pub(crate) fn at<T>(file: &str, at: &At<T>, message: String) -> Self {
        Self { file: file.to_owned(), line: at.referenced.line(), message }
    }

    /// A finding about `file` as a whole.
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
