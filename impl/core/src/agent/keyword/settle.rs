//! Which terms are kept, and which files they lead to (REQ-KWS-001.4, REQ-KWS-001.5, E-I23, E-I24; docs/keyword-search.md, sections 3 and 4).

use std::collections::BTreeMap;

use super::{
    pool::{PoolFile, hit_files},
    rank::{self, Measurer, Measures},
    term_text::Collector,
};
use crate::agent::{Refusal, Searched, Word};

/// How much text of hits is wanted, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Of one term.
    pub term: usize,
    /// Of all terms that are kept.
    pub total: usize,
}

/// Why a term is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skipped {
    /// Its text alone is too long.
    TooBroad,
    /// The terms before it left too little room.
    OverBudget,
}

impl Skipped {
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
    pub skipped: Option<Skipped>,
    pub(super) found: Collector,
}

/// What all terms came to.
#[derive(Debug)]
pub struct Settled {
    /// In the request's order.
    pub terms: Vec<Term>,
    /// Hit files; all files, best first, once they are ranked.
    pub(super) pool: Vec<PoolFile>,
    pub(super) searched: Searched,
}

/// Keeps terms in order of importance, as far as there is room. An error if none is kept.
pub fn settle(found: Vec<(String, Collector)>, limits: Limits) -> Result<Settled, Refusal> {
    let mut left = limits.total;
    let mut terms = Vec::with_capacity(found.len());
    for (term, found) in found {
        let skipped = match () {
            () if found.is_too_broad() => Some(Skipped::TooBroad),
            () if found.bytes > left => Some(Skipped::OverBudget),
            () => None,
        };
        if skipped.is_none() {
            left -= found.bytes;
        }
        terms.push(Term { term, skipped, found });
    }
    if terms.iter().all(|term| term.skipped.is_some()) {
        let (count, most) = (terms.len(), limits.term);
        return Err(Refusal {
            field: Some("search_terms".to_owned()),
            ..Refusal::new(
                Word::TermsTooBroad,
                format!(
                    "all {count} search terms are too broad (what is found of a term, with its surroundings, may have {most} bytes); give longer or rarer terms, such as names of functions or types"
                ),
            )
        });
    }
    let kept = || (0..).zip(&terms).filter(|(_, term)| term.skipped.is_none());
    let mut searched: Option<Searched> = None;
    for (_, term) in kept() {
        let own = &term.found.searched;
        searched = Some(searched.map_or_else(|| own.clone(), |so_far| so_far.worse(own)));
    }
    let pool = hit_files(kept().map(|(number, term)| (number, &term.found)));
    Ok(Settled { terms, pool, searched: searched.unwrap_or_default() })
}

impl Settled {
    /// The hit files' paths below the search root.
    pub fn hit_files(&self) -> impl Iterator<Item = &[u8]> {
        self.pool.iter().filter(|file| !file.lines.is_empty()).map(|file| file.walked.as_slice())
    }

    /// Ranks all files: `measures` are the hit files' own, by their paths, `named` the files whose paths hold rare terms, with what they are shown as.
    #[must_use]
    pub fn ranked(
        mut self,
        measures: &BTreeMap<Vec<u8>, Measures>,
        named: BTreeMap<Vec<u8>, String>,
        timed_out: bool,
    ) -> Self {
        self.searched.timed_out |= timed_out;
        for (walked, path) in named {
            if !self.pool.iter().any(|file| file.walked == walked) {
                let (heading, terms, lines) = (String::new(), Vec::new(), BTreeMap::new());
                self.pool.push(PoolFile { path, heading, walked, terms, lines, score: 0.0 });
            }
        }
        let terms: Vec<String> = self.terms.iter().map(|term| term.term.clone()).collect();
        let skipped: Vec<bool> = self.terms.iter().map(|term| term.skipped.is_some()).collect();
        rank::rank(&skipped, &Measurer::new(&terms), measures, self.searched.files, &mut self.pool);
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
        self.hit_files().count()
    }
}
