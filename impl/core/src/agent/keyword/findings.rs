//! What was found for a request, ranked (docs/keyword-search.md, sections 3 and 4): the same for
//! both ways of searching, so that the prompt and the answer need not know which it was.

use super::{found::TermFound, hits::HitLine, redact::Redacted};
use crate::agent::{Reason, Searched};

/// What was found for a request.
#[derive(Debug, Default)]
pub struct Findings {
    /// The best files, best first.
    pub(super) files: Vec<RankedFile>,
    /// How many files there are.
    pub(super) total: u64,
    /// What became of each term, as the answer says it.
    pub(super) terms: Vec<TermFound>,
    /// What a model reads; empty if there is nothing.
    pub(super) data: Redacted,
    /// The terms that were left out, and why.
    pub(super) stopped: Option<(Reason, String)>,
    pub(super) searched: Searched,
}

/// A file that was found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RankedFile {
    /// Path as shown.
    pub(super) path: String,
    /// Path below the search root.
    pub(super) walked: Vec<u8>,
    pub(super) score: f64,
    /// Indices of the terms that it holds.
    pub(super) terms: Vec<usize>,
    /// Lines with one of them.
    pub(super) match_count: usize,
    /// The best of these lines, in line order.
    pub(super) best: Vec<HitLine>,
    /// How the data calls the file; none if it is not there.
    pub(super) heading: Option<String>,
    /// The lines that the data marks as hits, in line order.
    pub(super) sent: Vec<HitLine>,
}

impl RankedFile {
    /// The hit with this number in the data.
    pub(super) fn sent(&self, number: u64) -> Option<&HitLine> {
        let at = self.sent.binary_search_by_key(&number, |line| line.number).ok()?;
        self.sent.get(at)
    }
}

impl Findings {
    /// Whether a model has nothing to read.
    pub fn is_empty(&self) -> bool {
        self.data.text.is_empty()
    }

    /// Whether the deadline expired before all files were searched.
    pub fn timed_out(&self) -> bool {
        self.searched.timed_out
    }

    /// Whether the whole search root was covered and holds no eligible file.
    pub fn found_no_file(&self) -> bool {
        self.searched.found_no_file()
    }

    /// Number of files in the data.
    pub fn files_sent(&self) -> usize {
        self.files.iter().filter(|file| file.heading.is_some()).count()
    }
}
