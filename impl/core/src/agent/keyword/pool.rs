//! The files that are ranked, and their lines (docs/keyword-search.md, sections 4 and 6).

use std::collections::BTreeMap;

use super::{hits::HitLine, term_text::Collector};

/// Lines shown of a file.
pub(super) const SHOWN_LINES: usize = 5;

/// A line of a file on which kept terms have hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) hit: HitLine,
    /// How many terms.
    pub(super) terms: usize,
}

/// A file of the pool.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PoolFile {
    pub(super) path: String,
    /// As it stands in the terms' texts; empty if it is in none.
    pub(super) heading: String,
    /// Below the search root.
    pub(super) walked: Vec<u8>,
    /// Numbers of the kept terms that have hits in it, from 0.
    pub(super) terms: Vec<usize>,
    pub(super) lines: BTreeMap<u64, Line>,
    pub(super) score: f64,
}

impl PoolFile {
    /// The lines that show best what was found, in the file's order.
    pub(super) fn best_lines(&self) -> Vec<&HitLine> {
        let mut lines: Vec<&Line> = self.lines.values().collect();
        // Stable: earlier lines first.
        lines.sort_by_key(|line| std::cmp::Reverse(line.terms));
        lines.truncate(SHOWN_LINES);
        lines.sort_by_key(|line| line.hit.number);
        lines.into_iter().map(|line| &line.hit).collect()
    }
}

/// The files in which kept terms have hits; each term comes with its number.
pub(super) fn hit_files<'t>(kept: impl Iterator<Item = (usize, &'t Collector)>) -> Vec<PoolFile> {
    let mut files: BTreeMap<&[u8], PoolFile> = BTreeMap::new();
    for (number, term) in kept {
        for found in &term.files {
            let file = files.entry(&found.hits.walked).or_insert_with(|| PoolFile {
                path: found.path.clone(),
                heading: found.heading.clone(),
                walked: found.hits.walked.clone(),
                terms: Vec::new(),
                lines: BTreeMap::new(),
                score: 0.0,
            });
            file.terms.push(number);
            for hit in &found.hits.lines {
                let line =
                    file.lines.entry(hit.number).or_insert_with(|| Line { hit: hit.clone(), terms: 0 });
                line.terms += 1;
                if hit.at < line.hit.at {
                    line.hit = hit.clone();
                }
            }
        }
    }
    files.into_values().collect()
}
