//! The scanner of one term in all files, and its fold.

use forge_search_core::{
    agent::keyword::{Collector, FileHits, HitFinder},
    collect::{Item, Outcome},
    error::Interrupted,
    scan::Proposer,
};

use crate::job::{Fold, Scanner};

/// Finds the hits of a term.
#[derive(Clone)]
pub(super) struct HitScanner(pub(super) HitFinder);

impl Scanner for HitScanner {
    type Output = FileHits;

    const READS_ALL: bool = false;

    fn may_match(&mut self, lines: &[u8], _go_on: &mut dyn FnMut() -> bool) -> bool {
        self.0.may_match(lines)
    }

    fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        _proposer: Option<&mut dyn Proposer>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<FileHits>, Interrupted> {
        self.0.scan(text, walked, go_on).map(Outcome::Searched)
    }

    fn is_omitted(found: &FileHits) -> bool {
        found.is_omitted()
    }
}

/// Collects the hits of a term.
pub(super) struct HitFold(pub(super) Collector);

impl Fold for HitFold {
    type Input = FileHits;

    fn add(&mut self, item: Item<FileHits>) -> bool {
        self.0.add(item)
    }
}
