//! The requirements of the documents (`requirements/*.yaml`).

use serde::Deserialize;

use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Such as `000`.
    pub document: At<String>,
    pub title: String,
    /// Where it was read from, with version and date.
    pub source: String,
    pub status: Status,
    /// In the document's order.
    pub requirements: Vec<Requirement>,
    #[serde(skip)]
    pub file: String,
}

/// How far a document is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Its requirements hold and are verified as they say.
    Worked,
    /// Its requirements are recorded, and nothing more is promised yet.
    Open,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Unique over all documents.
    pub id: At<String>,
    pub keyword: Keyword,
    /// The requirement in this project's words.
    pub text: String,
    #[serde(default)]
    pub verify: Vec<Verify>,
    /// The errata that decide how it is read.
    #[serde(default)]
    pub resolved_by: Vec<At<String>>,
    /// Why it has less verification than expected.
    #[serde(default)]
    pub reason: Option<String>,
}

/// The obligation of a requirement, or its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Keyword {
    Must,
    /// As `Must`, in a document that uses this word.
    Shall,
    Should,
    May,
    /// A configuration key or a rule on one.
    Cfg,
    /// A test that the document requires.
    Test,
    /// An acceptance criterion.
    Ac,
}

impl Keyword {
    /// All keywords, in the order of tables.
    pub const ALL: [Self; 7] =
        [Self::Must, Self::Shall, Self::Should, Self::May, Self::Cfg, Self::Test, Self::Ac];

    pub fn name(self) -> &'static str {
        match self {
            Self::Must => "MUST",
            Self::Shall => "SHALL",
            Self::Should => "SHOULD",
            Self::May => "MAY",
            Self::Cfg => "CFG",
            Self::Test => "TEST",
            Self::Ac => "AC",
        }
    }
}

/// A kind of verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verify {
    /// A test of one function.
    Unit,
    /// A property over generated inputs.
    Property,
    /// Comparison of model and subjects over the same case.
    Lockstep,
    /// A test with an injected fault.
    Fault,
    /// A measurement against a budget.
    Bench,
    Inspection,
}

impl Verify {
    /// All kinds, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::Unit, Self::Property, Self::Lockstep, Self::Fault, Self::Bench, Self::Inspection];

    pub fn name(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Property => "property",
            Self::Lockstep => "lockstep",
            Self::Fault => "fault",
            Self::Bench => "bench",
            Self::Inspection => "inspection",
        }
    }
}
