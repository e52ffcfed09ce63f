//! When a literal excludes a file: `index/exclusion.yaml`.

use serde::Deserialize;

use super::figure::{Figure, Scalar};
use super::files;
use crate::place::At;

/// When a literal excludes a file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// Grams that hold one of these are not asked for.
    pub never_needed: Vec<NeverNeeded>,
    /// Whether a pattern that normalisation would change excludes nothing.
    pub unstable_bypasses: Figure<bool>,
    /// Whether a fuzzy request excludes nothing.
    pub fuzzy_bypasses: Figure<bool>,
    /// Whether only complete files are excluded.
    pub needs_complete: Figure<bool>,
}

/// A scalar value that no needed gram holds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeverNeeded {
    /// Which.
    pub scalar: At<Scalar>,
    /// Why.
    pub why: String,
    /// The requirements and errata it carries out.
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
