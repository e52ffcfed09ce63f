//! What came of a life, as it goes from one process to another.

use serde::{Deserialize, Serialize};

use super::tally::Tally;

/// The result of a life.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// Counts.
    pub tally: Tally,
    /// The first violation.
    pub problem: Option<Problem>,
}

/// A violation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The act, counted from 0; none if it was before or after all of them.
    pub at: Option<usize>,
    /// A short description.
    pub what: String,
    /// The full description.
    pub told: String,
}

impl Problem {
    pub(crate) fn new(what: &str, told: impl Into<String>) -> Self {
        Self { at: None, what: what.to_owned(), told: told.into() }
    }
}
