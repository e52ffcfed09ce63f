//! Cells that the service cannot reach (`index/reachable.yaml`).
//!
//! The table is total, since production must handle every trigger. A run of the suite `index` must
//! visit every other cell on the real service.

use serde::Deserialize;

use super::machine::StateId;
use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reachable {
    /// By trigger.
    pub unreachable: Vec<Unreachable>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unreachable {
    pub trigger: At<String>,
    #[serde(rename = "in")]
    pub states: Vec<At<StateId>>,
    pub because: String,
}

impl Reachable {
    /// Why the service cannot reach a cell; `None` if it can.
    pub fn why_not(&self, trigger: &str, state: StateId) -> Option<&str> {
        let mut rows = self.unreachable.iter().filter(|row| row.trigger.value == trigger);
        rows.find(|row| row.states.iter().any(|one| one.value == state))
            .map(|row| row.because.as_str())
    }
}
