//! What came of a life, as it goes from one process to another.

use serde::{Deserialize, Serialize};

use super::tally::Tally;

/// What came of a life.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// What was done.
    pub tally: Tally,
    /// What was wrong first.
    pub problem: Option<Problem>,
}

/// Something that was wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The act, counted from 0; none if it was before or after all of them.
    pub at: Option<usize>,
    /// What, in a few words.
    pub what: String,
    /// In full.
    pub told: String,
}

impl Problem {
    pub(super) fn new(what: &str, told: impl Into<String>) -> Self {
        Self { at: None, what: what.to_owned(), told: told.into() }
    }
}
