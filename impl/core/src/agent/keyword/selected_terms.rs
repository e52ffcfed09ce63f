//! Selects the terms that are kept, and the files that they lead to (REQ-KWS-001.4, REQ-KWS-001.5,
//! E-I23, E-I24; docs/keyword-search.md, sections 3 and 4).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    Request,
    broad_term::BroadTermCollector,
    measure::{Measurer, Measures},
    pool::{PoolFile, hit_files},
    rank,
    term_text::Collector,
};
use crate::agent::{ErrorKind, Refusal, Searched};

/// Limits on the text of hits, and what terms beyond them contribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one term's text.
    pub term: usize,
    /// Bytes of the texts of all kept terms.
    pub total: usize,
    /// Files that skipped terms may add together; 0 ignores skipped terms.
    pub broad_files: usize,
}

/// Why a term is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// Its text exceeds the limit of one term.
    TooBroad,
    /// Its text exceeds what earlier terms left.
    OverBudget,
}

/// A term with its hits.
#[derive(Debug)]
pub struct Term {
    /// As given.
    pub term: String,
    /// Why it is not kept.
    pub skipped: Option<SkipReason>,
    /// For a skipped term, the number of files with a hit, if all of them are hit files.
    pub(super) only_hit_files: Option<u64>,
    pub(super) found: Collector,
}

impl Term {
    /// Whether all files with a hit of the term are in the pool.
    pub(super) fn counts(&self) -> bool {
        self.skipped.is_none() || self.only_hit_files.is_some()
    }
}

/// The terms of a request, and the files to rank.
#[derive(Debug)]
pub struct SelectedTerms {
    /// In the request's order.
    pub terms: Vec<Term>,
    /// Hit files; after [`SelectedTerms::ranked`] all files, best first.
    pub(super) pool: Vec<PoolFile>,
    /// Measures of the hit files.
    pub(super) measures: BTreeMap<Vec<u8>, Measures>,
    pub(super) searched: Searched,
    /// Files that skipped terms may still add.
    left: usize,
    /// Whether results may name skipped terms.
    broad: bool,
}

/// Keeps terms in order of importance while their texts fit. Fails if none is kept and skipped
/// terms are ignored.
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
    /// Indices of the skipped terms that may add files.
    pub fn broad_terms(&self) -> Vec<usize> {
        let skipped =
            (0..).zip(&self.terms).filter(|(_, term)| self.broad && term.skipped.is_some());
        skipped.map(|(number, _)| number).collect()
    }

    /// The collector for the next skipped term.
    pub fn broad_collector(&self) -> BroadTermCollector {
        BroadTermCollector::new(
            self.pool.iter().map(|file| file.walked.clone()).collect(),
            self.left,
        )
    }

    /// Adds the files of a skipped term.
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

    /// Paths of the hit files below the search root.
    pub fn hit_files(&self) -> impl Iterator<Item = &[u8]> {
        self.pool.iter().map(|file| file.walked.as_slice())
    }

    /// Whether results may name the term at index `number`.
    pub(super) fn is_named(&self, number: usize) -> bool {
        self.terms.get(number).is_some_and(|term| self.broad || term.skipped.is_none())
    }

    /// A measurer for the hit files.
    pub fn measurer(&self) -> Measurer {
        let terms = self.terms.iter().enumerate();
        Measurer::new(terms.map(|(number, term)| (term.term.as_str(), self.is_named(number))))
    }

    /// Ranks all files. `measures` has the hit files by path; `named` maps paths that contain rare
    /// terms to paths as shown; `files` is the number of eligible files.
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

    /// Whether the deadline expired before all files were searched.
    pub fn timed_out(&self) -> bool {
        self.searched.timed_out
    }

    /// Whether the whole search root was covered and holds no eligible file.
    pub fn found_no_file(&self) -> bool {
        self.searched.found_no_file()
    }

    /// Number of hit files of kept terms, which are in the prompt.
    pub fn files(&self) -> usize {
        self.pool.iter().filter(|file| !file.lines.is_empty()).count()
    }
}
