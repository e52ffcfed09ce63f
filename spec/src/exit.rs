//! How the exit status of a backend is classified: `exit_classes.yaml`.

use serde::Deserialize;

use crate::place::At;

/// The document's table, what programs really return, and the steps that classify a run (E-F06).
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExitClasses {
    /// The document's table.
    pub documented: Vec<Documented>,
    /// What programs return.
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
    /// The class.
    pub class: String,
    /// The requirements it carries out.
    pub clauses: Vec<At<String>>,
}

/// What programs return in one situation.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observed {
    /// The situation.
    pub situation: String,
    /// ripgrep, every release.
    pub ripgrep: u8,
    /// ugrep before 4.3.3.
    pub ugrep_before_4_3_3: u8,
    /// ugrep from 4.3.3.
    pub ugrep_from_4_3_3: u8,
    /// Whether the document's table would misread some of them.
    #[serde(default)]
    pub wrong: bool,
}

/// One step of the classification.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Its id.
    pub id: At<String>,
    /// When it applies and what it decides.
    pub text: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}
