//! The pool: the files that are ranked, and their lines (section 3).
//!
//! Invariants: every file of the pool has a line, and every line a term.

use std::collections::{BTreeMap, BTreeSet};

use super::Config;
use super::files::SearchedFile;
use super::secrets::Clean;
use crate::order;
use crate::tables::order::By;

/// What a search found.
pub(super) struct Found<'a> {
    /// The pool, best score first.
    pub(super) ranked: Vec<PoolFile<'a>>,
    /// The texts of all terms, if terms are selected.
    pub(super) texts: Option<Vec<TermText>>,
    /// The data for a model; `None` if there is none.
    pub(super) data: Option<Clean>,
}

/// The text of a selected term.
pub(super) struct TermText {
    pub(super) text: Clean,
    /// Why the term is skipped.
    pub(super) skipped: Option<&'static str>,
}

/// A file of the pool.
pub(super) struct PoolFile<'a> {
    pub(super) file: &'a SearchedFile<'a>,
    /// Its lines, by 0-based number.
    pub(super) lines: BTreeMap<usize, PoolLine>,
    /// 0 before the pool is ranked.
    pub(super) score: f64,
    /// The lines that a model can name, 0-based; `None` if it does not read of the file.
    pub(super) sent: Option<Vec<usize>>,
}

/// A line on which terms occur, or with hits of kept terms.
pub(super) struct PoolLine {
    /// Indices of these terms.
    pub(super) terms: BTreeSet<usize>,
    /// Their weight; 0 if terms are selected.
    pub(super) units: u64,
    /// Start of the first occurrence or hit, in bytes of the line as shown.
    pub(super) start: usize,
}

impl PoolFile<'_> {
    /// The terms on its lines.
    pub(super) fn terms(&self) -> BTreeSet<usize> {
        self.lines.values().flat_map(|line| line.terms.iter().copied()).collect()
    }

    /// Its best lines, 0-based, in line order.
    pub(super) fn best_lines(&self, config: &Config) -> Vec<usize> {
        let most = usize::try_from(config.tables.limits.shown_lines).unwrap_or(usize::MAX);
        let keys = config.agent.search.tables.orders.keyword_lines;
        let mut lines: Vec<(&usize, &PoolLine)> = self.lines.iter().collect();
        order::sort(&mut lines, keys, |(number, line), by| match by {
            By::Terms => order::Value::count(line.terms.len()),
            By::Units => order::Value::Number(line.units),
            By::Line => order::Value::count(**number),
            _ => order::Value::Nothing,
        });
        let mut best: Vec<usize> =
            lines.into_iter().map(|(number, _)| *number).take(most).collect();
        best.sort_unstable();
        best
    }
}

/// Number of files of the pool with a term.
pub(super) fn files_with(pool: &[PoolFile<'_>], term: usize) -> usize {
    pool.iter().filter(|file| file.terms().contains(&term)).count()
}
