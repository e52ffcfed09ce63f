//! Cells that the service cannot get into: `index/reachable.yaml`.
//!
//! The table is total, for production must answer whatever is asked of it. What is not listed here
//! has to be walked on the real service before a run of the
//! suite `index` counts as whole.

use serde::Deserialize;

use super::machine::StateId;
use crate::place::At;

/// All of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reachable {
    /// Cells that are not, by trigger.
    pub unreachable: Vec<Unreachable>,
}

/// Cells of one trigger that the service cannot get into.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unreachable {
    /// The trigger.
    pub trigger: At<String>,
    /// In which states.
    #[serde(rename = "in")]
    pub states: Vec<At<StateId>>,
    /// Why it is never sent there.
    pub because: String,
}

impl Reachable {
    /// Why the service cannot get into a cell, if it cannot.
    pub fn why_not(&self, trigger: &str, state: StateId) -> Option<&str> {
        let mut rows = self.unreachable.iter().filter(|row| row.trigger.value == trigger);
        rows.find(|row| row.states.iter().any(|one| one.value == state))
            .map(|row| row.because.as_str())
    }
}
