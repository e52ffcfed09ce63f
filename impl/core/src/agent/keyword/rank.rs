//! The order of files before any model (docs/keyword-search.md, section 4).

use super::settle::{PoolFile, Term};

/// What a file is ranked by, for one term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Measure {
    pub(super) occurrences: u64,
}

impl Measure {
    /// Counts what occurs of a folded term on a line.
    pub(super) fn add(&mut self, _term: &str, _line: &str) {
        self.occurrences += 1;
    }

    pub(super) fn of_file(&mut self, _text: &[u8], _walked: &[u8]) {}
}

/// Scores the files of the pool, and puts the best first.
pub(super) fn rank(_terms: &[Term], _pool: &mut [PoolFile]) {}
