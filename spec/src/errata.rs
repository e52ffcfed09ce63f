//! How contradictions in the documents are resolved: `errata.yaml`.

use serde::Deserialize;

use crate::place::At;

/// All errata that concern Search, `search_files` and the index.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errata {
    /// The entries.
    pub errata: Vec<Erratum>,
}

/// One place where the documents cannot be followed as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Erratum {
    /// Its id, such as `E-B11`.
    pub id: At<String>,
    /// How bad following the letter would be.
    pub severity: Severity,
    /// The requirements concerned.
    pub clauses: Vec<At<String>>,
    /// What is wrong with the letter.
    pub wrong: String,
    /// The replayable counterexample, a file name below `golden/errata/`.
    #[serde(default)]
    pub case: Option<At<String>>,
    /// Why there is none, or what shows the matter instead.
    #[serde(default)]
    pub no_case: Option<String>,
    /// What was chosen.
    pub chosen: String,
    /// Why.
    pub why: String,
}

/// How bad following the letter would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Severity {
    /// Wrong results, disclosure, or harm.
    S1,
    /// Contradiction, or a rule is missing.
    S2,
    /// Two readings.
    S3,
    /// Wording.
    S4,
}

impl Severity {
    /// All severities, the worst first.
    pub const ALL: [Self; 4] = [Self::S1, Self::S2, Self::S3, Self::S4];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::S1 => "S1",
            Self::S2 => "S2",
            Self::S3 => "S3",
            Self::S4 => "S4",
        }
    }
}
