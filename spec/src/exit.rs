//! Classification of a backend's exit status (`exit_classes.yaml`).

use serde::Deserialize;

use crate::place::At;

/// The document's table, the statuses of real programs, and the steps that classify a run (E-F06).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExitClasses {
    /// The document's table.
    pub documented: Vec<Documented>,
    /// Statuses of real programs.
    pub observed: Vec<Observed>,
    /// The steps of the classification; the first that applies decides.
    pub classification: Vec<Step>,
}

/// One row of the document's table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Documented {
    /// First status.
    pub from: At<u8>,
    /// Last status.
    pub to: u8,
    pub class: String,
    pub clauses: Vec<At<String>>,
}

/// The statuses of programs in one situation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observed {
    pub situation: String,
    /// ripgrep, every release.
    pub ripgrep: u8,
    pub ugrep_before_4_3_3: u8,
    pub ugrep_from_4_3_3: u8,
    /// Whether the document's table would misread some of them.
    #[serde(default)]
    pub wrong: bool,
}

/// One step of the classification.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub id: At<String>,
    /// When it applies and what it decides.
    pub text: String,
    pub clauses: Vec<At<String>>,
}
