//! The documents' requirements: `requirements/*.yaml`.

use serde::Deserialize;

use crate::place::At;

/// One requirement document.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Its number, such as `000`.
    pub document: At<String>,
    /// Its title.
    pub title: String,
    /// Where it was read from, with version and date.
    pub source: String,
    /// How far it is carried out.
    pub status: Status,
    /// Its requirements, in the document's order.
    pub requirements: Vec<Requirement>,
    /// The file this was read from, relative to the specification's directory.
    #[serde(skip)]
    pub file: String,
}

/// How far a document is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Its requirements hold and are verified as they say.
    Worked,
    /// Its requirements are written down and nothing more is promised yet.
    Open,
}

/// One requirement.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Its id, unique over all documents.
    pub id: At<String>,
    /// Its keyword.
    pub keyword: Keyword,
    /// What it says, in our words.
    pub text: String,
    /// How it is verified.
    #[serde(default)]
    pub verify: Vec<Verify>,
    /// The errata that decide how it is read.
    #[serde(default)]
    pub resolved_by: Vec<At<String>>,
    /// Why it is verified less than one would expect.
    #[serde(default)]
    pub reason: Option<String>,
}

/// How binding a requirement is, or what kind it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Keyword {
    /// Binding.
    Must,
    /// Binding, in a document that uses this word.
    Shall,
    /// Recommended.
    Should,
    /// Allowed.
    May,
    /// A configuration key or a rule on one.
    Cfg,
    /// A test that the document asks for.
    Test,
    /// An acceptance criterion.
    Ac,
}

impl Keyword {
    /// All keywords, in the order tables list them.
    pub const ALL: [Self; 7] =
        [Self::Must, Self::Shall, Self::Should, Self::May, Self::Cfg, Self::Test, Self::Ac];

    /// How it is written.
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
    /// A test with something broken on purpose.
    Fault,
    /// A measurement against a budget.
    Bench,
    /// Reading.
    Inspection,
}

impl Verify {
    /// All kinds, in the order tables list them.
    pub const ALL: [Self; 6] =
        [Self::Unit, Self::Property, Self::Lockstep, Self::Fault, Self::Bench, Self::Inspection];

    /// How it is written.
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
