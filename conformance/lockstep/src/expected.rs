//! The model's expectation of a case.
//!
//! Responsible for: [`Expected`], every permitted answer to a case. Not here: asking the model for
//! them and comparing an observation with them ([`crate::tool`]), their differences by field
//! ([`crate::compare`]).

use std::iter::once;

use serde_json::Value;
use touchstone_cases::backend::Backend;
use touchstone_model::Allowed;

use crate::compare::{Outcome, outcome_json};

/// Every permitted answer to a case.
#[derive(Debug)]
pub struct Expected {
    /// The answer without a deadline, with the embedded backend.
    pub canonical: Outcome,
    /// Other permitted answers of the embedded backend.
    pub others: Vec<Outcome>,
    /// Permitted answers of external backends, if they differ.
    pub process: Option<Vec<Outcome>>,
}

impl Expected {
    /// One outcome for every backend.
    pub fn only(outcome: Outcome) -> Self {
        Self { canonical: outcome, others: Vec::new(), process: None }
    }

    /// The permitted outcomes for every backend.
    pub fn allowed<O: Clone + PartialEq>(
        allowed: &Allowed<O>,
        outcome: impl Fn(&O) -> Outcome,
    ) -> Self {
        let others = allowed.outcomes().iter().skip(1).map(&outcome).collect();
        Self { others, ..Self::only(outcome(allowed.canonical())) }
    }

    /// The permitted outcomes for a backend, the canonical one first.
    pub fn over(&self, backend: Backend) -> Vec<&Outcome> {
        match (&self.process, backend) {
            (Some(process), Backend::Ripgrep | Backend::Ugrep) => process.iter().collect(),
            _ => once(&self.canonical).chain(&self.others).collect(),
        }
    }

    /// Every outcome as JSON, for people; if backends differ, those of both kinds.
    pub fn shown(&self) -> Vec<Value> {
        let mut shown: Vec<Value> = Vec::new();
        let native = self.over(Backend::Native).into_iter();
        for one in native.chain(self.process.iter().flatten()).map(outcome_json) {
            if !shown.contains(&one) {
                shown.push(one);
            }
        }
        shown
    }
}
