//! Which terms are kept, and which files they lead to (REQ-KWS-001.4, REQ-KWS-001.5, E-I23, E-I24;
//! docs/keyword-search.md, sections 3 and 4).

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Request,
    broad_term::BroadTermCollector,
    measure::{Measurer, Measures},
    pool::{PoolFile, hit_files},
    rank,
    term_text::Collector,
};
use crate::agent::{ErrorKind, Refusal, Searched};

/// How much text of hits is wanted, and what becomes of terms with more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one term's text.
    pub term: usize,
    /// Bytes of the texts of all terms that are kept.
    pub total: usize,
    /// Files that all skipped terms lead to; 0 leaves these terms out.
    pub broad_files: usize,
}

/// Why a term is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// Its text alone is too long.
    TooBroad,
    /// The terms before it left too little room.
    OverBudget,
}

impl SkipReason {
    /// How it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooBroad => "too_broad",
            Self::OverBudget => "over_budget",
        }
    }
}

/// A term, and what it found.
#[derive(Debug)]
pub struct Term {
    /// As given.
    pub term: String,
    /// Why it is not kept.
    pub skipped: Option<SkipReason>,
    /// Of a skipped term, the files in which it has a hit, if all of them are hit files.
    pub(super) only_hit_files: Option<u64>,
    pub(super) found: Collector,
}

impl Term {
    /// Whether nothing that it leads to is left out.
    pub(super) fn counts(&self) -> bool {
        self.skipped.is_none() || self.only_hit_files.is_some()
    }
}

/// What all terms came to.
#[derive(Debug)]
pub struct SelectedTerms {
    /// In the request's order.
    pub terms: Vec<Term>,
    /// Hit files; all files, best first, once they are ranked.
    pub(super) pool: Vec<PoolFile>,
    /// What the hit files' texts say.
    pub(super) measures: BTreeMap<Vec<u8>, Measures>,
    pub(super) searched: Searched,
    /// Files that skipped terms may still lead to.
    left: usize,
    /// SkipReason terms can be named by results.
    broad: bool,
}

/// Keeps terms in order of importance, as far as there is room. An error if none is kept.
pub fn select_terms(
    found: Vec<(String, Collector)>,
    limits: Limits,
) -> Result<SelectedTerms, Refusal> {
    let mut left = limits.total;
    let mut terms = Vec::with_capacity(found.len());
    for (term, found) in found {
        let skipped = match () {
            () if found.is_too_broad() => Some(SkipReason::TooBroad),
            () if found.bytes > left => Some(SkipReason::OverBudget),
            () => None,
        };
        if skipped.is_none() {
            left -= found.bytes;
        }
        terms.push(Term { term, skipped, only_hit_files: None, found });
    }
    if limits.broad_files == 0 && terms.iter().all(|term| term.skipped.is_some()) {
        let (count, most) = (terms.len(), limits.term);
        return Err(Refusal {
            field: Some("search_terms".to_owned()),
            ..Refusal::new(
                ErrorKind::TermsTooBroad,
                format!(
                    "all {count} search terms are too broad (what is found of a term, with its surroundings, may have {most} bytes); give longer or rarer terms, such as names of functions or types"
                ),
            )
        });
    }
    let kept = || terms.iter().filter(|term| term.skipped.is_none()).map(|term| &term.found);
    let searched = kept()
        .map(|found| found.searched.clone())
        .reduce(|so_far, own| so_far.worse(&own))
        .unwrap_or_default();
    let pool = hit_files(kept());
    let (left, broad) = (limits.broad_files, limits.broad_files > 0);
    Ok(SelectedTerms { terms, pool, measures: BTreeMap::new(), searched, left, broad })
}

impl SelectedTerms {
    /// The numbers of skipped terms that lead to files.
    pub fn broad_terms(&self) -> Vec<usize> {
        let skipped =
            (0..).zip(&self.terms).filter(|(_, term)| self.broad && term.skipped.is_some());
        skipped.map(|(number, _)| number).collect()
    }

    /// What takes the files of the next skipped term.
    pub fn broad_collector(&self) -> BroadTermCollector {
        BroadTermCollector::new(
            self.pool.iter().map(|file| file.walked.clone()).collect(),
            self.left,
        )
    }

    /// Takes what a skipped term led to.
    pub fn add_broad(&mut self, number: usize, collector: BroadTermCollector) {
        let BroadTermCollector { files, holding, is_cut, searched, .. } = collector;
        self.left = self.left.saturating_sub(files.len());
        self.pool.extend(files.into_iter().map(|(walked, path)| PoolFile::other(walked, path)));
        if let Some(term) = self.terms.get_mut(number).filter(|_| !is_cut) {
            term.only_hit_files = Some(holding);
            self.searched = std::mem::take(&mut self.searched).worse(&searched);
        }
        self.searched.timed_out |= searched.timed_out;
    }

    /// The hit files' paths below the search root.
    pub fn hit_files(&self) -> impl Iterator<Item = &[u8]> {
        self.pool.iter().map(|file| file.walked.as_slice())
    }

    /// Whether results can name the term of this number.
    pub(super) fn is_named(&self, number: usize) -> bool {
        self.terms.get(number).is_some_and(|term| self.broad || term.skipped.is_none())
    }

    /// What measures the hit files.
    pub fn measurer(&self) -> Measurer {
        let terms = self.terms.iter().enumerate();
        Measurer::new(terms.map(|(number, term)| (term.term.as_str(), self.is_named(number))))
    }

    /// Ranks all files: `measures` are the hit files' own, by their paths, `named` the files whose
    /// paths hold rare terms, with what they are shown as, of `files` that are eligible.
    #[must_use]
    pub fn ranked(
        mut self,
        request: &Request,
        measures: BTreeMap<Vec<u8>, Measures>,
        named: BTreeMap<Vec<u8>, String>,
        files: u64,
        timed_out: bool,
    ) -> Self {
        self.searched.timed_out |= timed_out;
        let known: BTreeSet<&[u8]> = self.pool.iter().map(|file| file.walked.as_slice()).collect();
        let others: Vec<PoolFile> = named
            .into_iter()
            .filter(|(walked, _)| !known.contains(walked.as_slice()))
            .map(|(walked, path)| PoolFile::other(walked, path))
            .collect();
        self.pool.extend(others);
        let terms: Vec<&str> = self.terms.iter().map(|term| term.term.as_str()).collect();
        rank::rank(&request.query, &terms, &measures, files, &mut self.pool);
        self.measures = measures;
        self
    }

    /// Whether no kept term has a hit.
    pub fn is_empty(&self) -> bool {
        self.files() == 0
    }

    /// Whether the time was up before all files were looked at.
    pub fn timed_out(&self) -> bool {
        self.searched.timed_out
    }

    /// Whether the whole search root was looked at and no file in it was eligible.
    pub fn found_no_file(&self) -> bool {
        self.searched.found_no_file()
    }

    /// How many hit files there are: those that a model reads about.
    pub fn files(&self) -> usize {
        self.pool.iter().filter(|file| !file.lines.is_empty()).count()
    }
}
