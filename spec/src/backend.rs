//! Facts about backends, each with a probe (`facts/*.yaml`).

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::escaped::Escaped;
use crate::place::At;
use crate::vectors::Part;

/// The facts about one program.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backend {
    pub program: At<String>,
    /// Names of the executable.
    pub names: Vec<String>,
    pub identify: Identify,
    /// The oldest release that the document permits.
    pub minimum: String,
    /// The requirements on `minimum`.
    pub minimum_clauses: Vec<At<String>>,
    pub facts: Vec<Fact>,
    #[serde(skip)]
    pub file: String,
}

/// How the program is identified.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identify {
    pub args: Vec<String>,
    /// A part of its standard output.
    pub stdout_has: String,
}

/// A behaviour of a program in a range of releases.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// Unique over all backends.
    pub id: At<String>,
    /// The behaviour.
    pub says: String,
    /// What the service does about it.
    #[serde(rename = "use")]
    pub usage: String,
    /// The first release with it.
    pub from: At<String>,
    /// The last release with it.
    pub to: String,
    pub probe: Probe,
    pub clauses: Vec<At<String>>,
}

/// A command in an empty directory, and its expected output.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Files to create first.
    pub files: BTreeMap<String, Content>,
    /// Symlinks to create first.
    #[serde(default)]
    pub links: BTreeMap<String, String>,
    /// Environment variables; there are no others but the search path for programs.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    pub args: Vec<String>,
    pub status: u8,
    /// Lines of standard output, in order.
    #[serde(default)]
    pub stdout: Option<Vec<Escaped>>,
    /// Lines of standard output, in any order.
    #[serde(default)]
    pub stdout_sorted: Option<Vec<Escaped>>,
    /// A part of standard output.
    #[serde(default)]
    pub stdout_has: Option<String>,
    /// A text that standard output does not have.
    #[serde(default)]
    pub stdout_lacks: Option<String>,
}

/// The bytes of a file to create.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Content {
    Bytes(Escaped),
    /// Concatenated parts.
    Parts {
        parts: Vec<Part>,
    },
}

impl Content {
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Bytes(escaped) => escaped.bytes.clone(),
            Self::Parts { parts } => parts.iter().flat_map(Part::bytes).collect(),
        }
    }
}
