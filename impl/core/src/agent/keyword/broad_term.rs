//! The files of terms that are too broad for the prompt (D19; docs/keyword-search.md, section 3).

use std::collections::BTreeSet;

use super::hits::FileHits;
use crate::{agent::Searched, collect::Item};

/// Collects the files of one skipped term in path order.
#[derive(Debug)]
pub struct BroadTermCollector {
    known: BTreeSet<Vec<u8>>,
    left: usize,
    /// Files that were no hit files before: path below the search root, and path as shown.
    pub(super) files: Vec<(Vec<u8>, String)>,
    /// Files with a hit of the term.
    pub(super) holding: u64,
    /// Whether some files with a hit did not become hit files.
    pub(super) is_cut: bool,
    pub(super) searched: Searched,
}

impl BroadTermCollector {
    pub(super) fn new(known: BTreeSet<Vec<u8>>, left: usize) -> Self {
        let searched = Searched::default();
        Self { known, left, files: Vec::new(), holding: 0, is_cut: false, searched }
    }

    /// Adds the next item in path order. `false` once no more files are accepted.
    pub fn add(&mut self, item: Item<FileHits>) -> bool {
        if let Some((path, hits)) = self.searched.take(item)
            && !hits.is_omitted()
        {
            self.holding += 1;
            if !self.known.contains(&hits.walked) {
                if self.left == 0 {
                    self.is_cut = true;
                    return false;
                }
                self.left -= 1;
                self.files.push((hits.walked, path));
            }
        }
        true
    }

    /// Adds what is known only at the end of the search.
    #[must_use]
    pub fn ended(mut self, ending: Searched) -> Self {
        self.searched = self.searched.ended(ending);
        self.is_cut |= self.searched.timed_out;
        self
    }
}
