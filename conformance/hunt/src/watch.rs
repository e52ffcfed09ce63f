//! Who watches a hunt, and may end it.
//!
//! Responsible for: progress of a running hunt ([`Watch`]). Not here: showing it, and what a signal
//! means (`touchstone::cli`). Invariants: progress does not affect findings; a hunt that is ended
//! early ends with the same document as one that is not.

use super::results::Finding;
use super::verdict::Verdict;

/// What one ask came to, in cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// All.
    pub cases: u64,
    /// Wrong.
    pub diverge: u64,
    /// Without an answer that can be read.
    pub broken: u64,
}

impl Counts {
    /// Counts one case.
    pub fn add(&mut self, verdict: &Verdict) {
        self.cases += 1;
        self.diverge += u64::from(matches!(verdict, Verdict::Diverge(_)));
        self.broken += u64::from(verdict.is_silent());
    }
}

/// Somebody who watches. All of it may come from several threads at once.
pub trait Watch: Sync {
    /// Whether the hunt shall end now.
    fn is_over(&self) -> bool {
        false
    }

    /// These subjects are asked from now on.
    fn begin(&self, _subjects: &[&str]) {}

    /// A subject was asked.
    fn asked(&self, _subject: &str, _counts: Counts) {}

    /// So many sightings are made small from now on.
    fn settle(&self, _sightings: usize) {}

    /// A sighting was looked at; the finding it came to, if it came to one.
    fn looked(&self, _finding: Option<&Finding>) {}
}

/// Nobody.
#[derive(Debug, Clone, Copy)]
pub struct Nobody;

impl Watch for Nobody {}
