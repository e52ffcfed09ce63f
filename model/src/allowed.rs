//! The set of answers that are right.
//!
//! Responsible for: a set of outcomes that is never empty, and which of them is the usual one.
//! Left to neighbours: which outcomes belong in it.
//! Invariants: no outcome is listed twice; the first is the one of a run that no deadline disturbs.

use crate::outcome::Outcome;

/// A non-empty set of outcomes, any of which a correct searcher may give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed<O = Outcome> {
    outcomes: Vec<O>,
    canonical: O,
}

impl<O: Clone + PartialEq> Allowed<O> {
    /// The set that holds one outcome.
    pub(crate) fn only(outcome: O) -> Self {
        Allowed { outcomes: vec![outcome.clone()], canonical: outcome }
    }

    /// This set with one outcome more.
    pub(crate) fn or(mut self, outcome: O) -> Self {
        if !self.contains(&outcome) {
            self.outcomes.push(outcome);
        }
        self
    }

    /// Whether `outcome` is right.
    pub fn contains(&self, outcome: &O) -> bool {
        self.outcomes.contains(outcome)
    }

    /// All right outcomes; the canonical one comes first.
    pub fn outcomes(&self) -> &[O] {
        &self.outcomes
    }

    /// The outcome of a run that no deadline disturbs.
    pub fn canonical(&self) -> &O {
        &self.canonical
    }
}
