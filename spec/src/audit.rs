//! Findings of an audit of the checks (`audit.yaml`).

use serde::Deserialize;

use crate::place::At;

/// Rows that the checks which claim them do not decide. A row on no list is decided.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// A part of the sentence could be violated unnoticed.
    pub in_part: Vec<Gap>,
    /// The whole sentence could be violated unnoticed.
    pub not_decided: Vec<Gap>,
    /// Only a run on another system decides.
    pub elsewhere: Vec<Gap>,
    /// The sentence has no requirement.
    pub nothing_to_test: Vec<Gap>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    pub row: At<String>,
    /// What is missing, in one sentence.
    pub why: String,
}

/// How far the checks of a row decide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// See [`Audit::in_part`].
    InPart,
    /// See [`Audit::not_decided`].
    Not,
    /// See [`Audit::elsewhere`].
    Elsewhere,
    /// See [`Audit::nothing_to_test`].
    NothingToTest,
}

impl Audit {
    /// All rows of the lists, in order.
    pub fn rows(&self) -> impl Iterator<Item = (Decided, &Gap)> {
        let lists = [
            (Decided::InPart, &self.in_part),
            (Decided::Not, &self.not_decided),
            (Decided::Elsewhere, &self.elsewhere),
            (Decided::NothingToTest, &self.nothing_to_test),
        ];
        lists.into_iter().flat_map(|(decided, gaps)| gaps.iter().map(move |gap| (decided, gap)))
    }
}
