//! Scanners of `keyword_search`: one term in all files, then all terms in files with hits.

use std::collections::{BTreeMap, HashMap};

use forge_search_core::{
    agent::keyword::{
        AbsentTerms, BroadTermCollector, Collector, FileHits, Finder, Measurer, Measures,
    },
    collect::{Item, Outcome},
    error::Interrupted,
    scan::Proposer,
};

use crate::{
    job::{Fold, Scanner},
    walk::FoundFile,
};

/// By path below the search root: the terms not yet searched that a file lacks.
pub(super) type KnownAbsent = HashMap<Vec<u8>, AbsentTerms>;

/// Most files for which one search records absent terms.
const MOST_KNOWN: usize = 1 << 15;

/// The scanner of one term.
#[derive(Clone)]
pub(super) struct TermScanner<'k> {
    pub(super) number: usize,
    pub(super) finder: Finder,
    pub(super) absent: &'k KnownAbsent,
}

impl Scanner for TermScanner<'_> {
    type Output = FileHits;

    const READS_ALL: bool = false;

    fn known_outcome(&mut self, file: &FoundFile) -> Option<FileHits> {
        self.finder.begin();
        self.absent
            .get(&file.walked)
            .filter(|absent| absent.contains(self.number))
            .map(|_| FileHits::default())
    }

    fn may_match(&mut self, lines: &[u8], _go_on: &mut dyn FnMut() -> bool) -> bool {
        self.finder.may_match(lines)
    }

    fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        _proposer: Option<&mut dyn Proposer>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<FileHits>, Interrupted> {
        self.finder.scan(text, walked, go_on).map(Outcome::Searched)
    }

    fn is_omitted(found: &FileHits) -> bool {
        found.is_omitted()
    }
}

/// Collects the files of a term.
pub(super) trait TermFiles: Send {
    /// `false` once no more files are needed.
    fn add(&mut self, item: Item<FileHits>) -> bool;
}

impl TermFiles for Collector {
    fn add(&mut self, item: Item<FileHits>) -> bool {
        self.add(item)
    }
}

impl TermFiles for BroadTermCollector {
    fn add(&mut self, item: Item<FileHits>) -> bool {
        self.add(item)
    }
}

/// The fold of one term.
pub(super) struct TermFold<C> {
    pub(super) files: C,
    /// The later terms that files lack.
    pub(super) learned: Vec<(Vec<u8>, AbsentTerms)>,
}

impl<C: TermFiles> Fold for TermFold<C> {
    type Input = FileHits;

    fn add(&mut self, item: Item<FileHits>) -> bool {
        if let Item::File { outcome: Outcome::Searched(found), .. } = &item
            && let (walked, absent) = found.absent()
            && !absent.is_empty()
            && self.learned.len() < MOST_KNOWN
        {
            self.learned.push((walked.to_owned(), absent));
        }
        self.files.add(item)
    }
}

/// The scanner that measures all terms in files with hits.
#[derive(Clone)]
pub(super) struct TextScanner(pub(super) Measurer);

impl Scanner for TextScanner {
    type Output = (Vec<u8>, Measures);

    const READS_ALL: bool = true;

    fn may_match(&mut self, _lines: &[u8], _go_on: &mut dyn FnMut() -> bool) -> bool {
        true
    }

    fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        _proposer: Option<&mut dyn Proposer>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<Self::Output>, Interrupted> {
        Ok(Outcome::Searched((walked.to_owned(), self.0.scan(text, walked, go_on)?)))
    }
}

/// Measures by file. A file that became unreadable has none.
pub(super) struct Measured(pub(super) BTreeMap<Vec<u8>, Measures>);

impl Fold for Measured {
    type Input = (Vec<u8>, Measures);

    fn add(&mut self, item: Item<Self::Input>) -> bool {
        if let Item::File { outcome: Outcome::Searched((walked, measures)), .. } = item {
            self.0.insert(walked, measures);
        }
        true
    }
}

#[cfg(test)]
mod tests;
