//! What real backends do, as facts with probes: `facts/*.yaml`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::escaped::Escaped;
use crate::place::At;
use crate::vectors::Part;

/// The facts about one program.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Backend {
    /// Its name.
    pub program: At<String>,
    /// The names of its executable.
    pub names: Vec<String>,
    /// How to tell it from others.
    pub identify: Identify,
    /// The oldest release that the document permits.
    pub minimum: String,
    /// The requirements on that.
    pub minimum_clauses: Vec<At<String>>,
    /// The facts.
    pub facts: Vec<Fact>,
    /// The file this was read from, relative to the specification's directory.
    #[serde(skip)]
    pub file: String,
}

/// How to tell a program from others.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identify {
    /// The arguments to call it with.
    pub args: Vec<String>,
    /// What its standard output then holds.
    pub stdout_has: String,
}

/// Something a program does in a range of releases.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// Its id, unique over all backends.
    pub id: At<String>,
    /// What it does.
    pub says: String,
    /// What the service makes of it.
    #[serde(rename = "use")]
    pub usage: String,
    /// First release it was seen in.
    pub from: At<String>,
    /// Last release it was seen in.
    pub to: String,
    /// How to see it.
    pub probe: Probe,
    /// Whether answers would be wrong if it did not hold.
    pub relied_on: bool,
    /// The requirements and errata it concerns.
    pub clauses: Vec<At<String>>,
}

/// A command in an empty directory, and what it must do there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Files to make first.
    pub files: BTreeMap<String, Content>,
    /// Symlinks to make first.
    #[serde(default)]
    pub links: BTreeMap<String, String>,
    /// Environment variables; there are no others but the search path for programs.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The arguments.
    pub args: Vec<String>,
    /// The exit status.
    pub status: u8,
    /// The lines of standard output, in order.
    #[serde(default)]
    pub stdout: Option<Vec<Escaped>>,
    /// The lines of standard output, in any order.
    #[serde(default)]
    pub stdout_sorted: Option<Vec<Escaped>>,
    /// Something standard output holds.
    #[serde(default)]
    pub stdout_has: Option<String>,
    /// Something standard output does not hold.
    #[serde(default)]
    pub stdout_lacks: Option<String>,
}

/// The bytes of a file to make.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Content {
    /// These.
    Bytes(Escaped),
    /// These, one after the other.
    Parts {
        /// The parts.
        parts: Vec<Part>,
    },
}

impl Content {
    /// The bytes.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Bytes(escaped) => escaped.bytes.clone(),
            Self::Parts { parts } => parts.iter().flat_map(Part::bytes).collect(),
        }
    }
}
