//! Exclusion of files by a literal (`index/exclusion.yaml`).

use serde::Deserialize;

use super::figure::{Figure, Scalar};
use super::files;
use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// N-grams with one of these are never needed.
    pub never_needed: Vec<NeverNeeded>,
    /// Whether a pattern that normalisation would change excludes nothing.
    pub unstable_bypasses: Figure<bool>,
    /// Whether a fuzzy request excludes nothing.
    pub fuzzy_bypasses: Figure<bool>,
    /// Whether only complete files are excluded.
    pub needs_complete: Figure<bool>,
}

/// A scalar value that no needed n-gram has.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeverNeeded {
    pub scalar: At<Scalar>,
    pub why: String,
    pub clauses: Vec<At<String>>,
}

impl Exclusion {
    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let figures = [
            ("`unstable_bypasses`", &self.unstable_bypasses.clauses),
            ("`fuzzy_bypasses`", &self.fuzzy_bypasses.clauses),
            ("`needs_complete`", &self.needs_complete.clauses),
        ];
        let scalars = self.never_needed.iter().map(|row| ("a scalar never needed", &row.clauses));
        let all = figures.into_iter().chain(scalars);
        all.map(|(what, clauses)| (files::EXCLUSION, what.to_owned(), &**clauses)).collect()
    }
}
