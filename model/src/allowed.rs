//! A non-empty set of correct outcomes; the first is that of a run without a deadline.

use crate::outcome::Outcome;

/// Outcomes, any of which a correct searcher may give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed<O = Outcome> {
    outcomes: Vec<O>,
    canonical: O,
}

impl<O: Clone + PartialEq> Allowed<O> {
    pub(crate) fn only(outcome: O) -> Self {
        Allowed { outcomes: vec![outcome.clone()], canonical: outcome }
    }

    /// The set with one more outcome.
    pub(crate) fn or(mut self, outcome: O) -> Self {
        if !self.contains(&outcome) {
            self.outcomes.push(outcome);
        }
        self
    }

    pub fn contains(&self, outcome: &O) -> bool {
        self.outcomes.contains(outcome)
    }

    /// All outcomes; the canonical one first.
    pub fn outcomes(&self) -> &[O] {
        &self.outcomes
    }

    /// The outcome of a run without a deadline.
    pub fn canonical(&self) -> &O {
        &self.canonical
    }
}
