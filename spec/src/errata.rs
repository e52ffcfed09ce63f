//! Resolutions of contradictions in the documents (`errata.yaml`).

use serde::Deserialize;

use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errata {
    pub errata: Vec<Erratum>,
}

/// A place where the documents cannot be followed as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Such as `E-B11`.
    pub id: At<String>,
    /// The consequence of following the text literally.
    pub severity: Severity,
    /// The requirements concerned.
    pub clauses: Vec<At<String>>,
    /// What is wrong with the text.
    pub wrong: String,
    /// A replayable counterexample: a file name below `golden/errata/`.
    #[serde(default)]
    pub case: Option<At<String>>,
    /// Why there is no counterexample, or what shows the contradiction instead.
    #[serde(default)]
    pub no_case: Option<String>,
    /// The chosen meaning.
    pub chosen: String,
    /// The reason.
    pub why: String,
}

/// The consequence of following the text literally.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Severity {
    /// Wrong results, disclosure, or harm.
    S1,
    /// Contradiction, or a missing rule.
    S2,
    /// Two readings.
    S3,
    /// Wording.
    S4,
}

impl Severity {
    /// All severities, the worst first.
    pub const ALL: [Self; 4] = [Self::S1, Self::S2, Self::S3, Self::S4];

    pub fn name(self) -> &'static str {
        match self {
            Self::S1 => "S1",
            Self::S2 => "S2",
            Self::S3 => "S3",
            Self::S4 => "S4",
        }
    }
}
