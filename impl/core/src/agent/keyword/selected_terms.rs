//! Document 002's own way, which leaves broad terms out: terms are kept in order while their texts
//! fit, and a model reads these texts (REQ-KWS-001.4, REQ-KWS-001.5, E-I23, E-I24;
//! docs/keyword-search.md, section 3).

use std::{cmp::Reverse, collections::BTreeMap, fmt::Write as _};

use serde::Serialize;
use serde_json::json;

use super::{
    best_lines::SHOWN_LINES,
    findings::{Findings, RankedFile},
    found::{TermFound, short},
    hits::HitLine,
    prompt::quoted,
    redact::{Redacted, redact},
    term_text::Collector,
};
use crate::{
    agent::{
        ErrorKind, Reason, Refusal, Searched,
        search_text::{Matching, Ranked},
    },
    order::compare,
};

/// Limits on the text of hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one term's text.
    pub term: usize,
    /// Bytes of the texts of all kept terms.
    pub total: usize,
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
    pub(super) found: Collector,
}

/// The terms of a request, at least one of them kept.
#[derive(Debug)]
pub struct SelectedTerms {
    /// In the request's order.
    pub terms: Vec<Term>,
}

/// Keeps terms in order of importance while their texts fit. Fails if none is kept.
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
        terms.push(Term { term, skipped, found });
    }
    if terms.iter().all(|term| term.skipped.is_some()) {
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
    Ok(SelectedTerms { terms })
}

/// A file with hits of kept terms.
struct HitFile<'t> {
    path: &'t str,
    heading: &'t str,
    terms: Vec<usize>,
    /// By number, with how many terms hit the line.
    lines: BTreeMap<u64, (usize, HitLine)>,
}

impl HitFile<'_> {
    /// The lines that most terms hit, earlier ones first among equals, in line order.
    fn best(&self) -> Vec<HitLine> {
        let mut lines: Vec<&(usize, HitLine)> = self.lines.values().collect();
        // The sort is stable.
        lines.sort_by_key(|(terms, _)| Reverse(*terms));
        lines.truncate(SHOWN_LINES);
        lines.sort_unstable_by_key(|(_, line)| line.number);
        lines.into_iter().map(|(_, line)| line.clone()).collect()
    }
}

impl SelectedTerms {
    fn kept(&self) -> impl Iterator<Item = (usize, &Term)> {
        self.terms.iter().enumerate().filter(|(_, term)| term.skipped.is_none())
    }

    /// Paths below the search root of the files with hits of kept terms, in path order.
    pub fn hit_files(&self) -> Vec<&[u8]> {
        let files = self.kept().flat_map(|(_, term)| &term.found.files);
        let mut paths: Vec<&[u8]> = files.map(|file| file.hits.walked.as_slice()).collect();
        paths.sort_by(|one, other| compare(one, other));
        paths.dedup();
        paths
    }

    fn by_file(&self) -> BTreeMap<&[u8], HitFile<'_>> {
        let mut files: BTreeMap<&[u8], HitFile<'_>> = BTreeMap::new();
        for (number, term) in self.kept() {
            for found in &term.found.files {
                let file = files.entry(&found.hits.walked).or_insert_with(|| HitFile {
                    path: &found.path,
                    heading: &found.heading,
                    terms: Vec::new(),
                    lines: BTreeMap::new(),
                });
                file.terms.push(number);
                for hit in &found.hits.lines {
                    let line = file.lines.entry(hit.number).or_insert_with(|| (0, hit.clone()));
                    line.0 += 1;
                    if hit.at < line.1.at {
                        line.1 = hit.clone();
                    }
                }
            }
        }
        files
    }

    /// What was found, of which [`SelectedTerms::hit_files`] are ranked.
    pub fn findings(&self, ranked: Ranked, timed_out: bool) -> Findings {
        let searched = self.kept().map(|(_, term)| term.found.searched.clone());
        let mut searched =
            searched.reduce(|so_far, own| so_far.worse(&own)).unwrap_or_else(Searched::default);
        searched.timed_out |= timed_out;
        let mut by_file = self.by_file();
        let file = |(score, file): (f64, Matching)| {
            let hits = by_file.remove(file.walked.as_slice())?;
            Some(RankedFile {
                path: hits.path.to_owned(),
                score,
                match_count: hits.lines.len(),
                best: hits.best(),
                heading: Some(hits.heading.to_owned()),
                sent: hits.lines.into_values().map(|(_, line)| line).collect(),
                terms: hits.terms,
                walked: file.walked,
            })
        };
        Findings {
            total: ranked.total,
            files: ranked.shown.into_iter().filter_map(file).collect(),
            terms: self.terms.iter().map(Term::outcome).collect(),
            data: self.data(),
            stopped: self.skipped(),
            searched,
        }
    }

    /// The hits of kept terms, redacted.
    fn data(&self) -> Redacted {
        let mut data = Redacted::default();
        for (number, term) in self.kept().filter(|(_, term)| !term.found.files.is_empty()) {
            let name = quoted(redact(&term.term));
            data.count += name.count + term.found.redacted;
            // Writing to a string does not fail.
            let _ = writeln!(data.text, "## term {}: {}", number + 1, name.text);
            data.text += &term.found.text();
        }
        data
    }

    fn skipped(&self) -> Option<(Reason, String)> {
        let named = |why: SkipReason| -> Vec<String> {
            let terms = self.terms.iter().filter(|term| term.skipped == Some(why));
            terms.map(|term| json!(short(&term.term)).to_string()).collect()
        };
        let mut whys = Vec::new();
        let broad = named(SkipReason::TooBroad);
        if !broad.is_empty() {
            whys.push(format!("these terms have too many hits: {}", broad.join(", ")));
        }
        let late = named(SkipReason::OverBudget);
        if !late.is_empty() {
            whys.push(format!("there was no room for these: {}", late.join(", ")));
        }
        (!whys.is_empty()).then(|| (Reason::TermsSkipped, whys.join("; ")))
    }
}

impl Term {
    /// As an answer has it.
    fn outcome(&self) -> TermFound {
        let Self { term, skipped, found } = self;
        let kept = skipped.is_none();
        TermFound {
            bytes: kept.then_some(found.bytes),
            files: kept.then_some(found.files.len() as u64),
            lines: kept.then(|| found.lines()),
            skipped: *skipped,
            ..TermFound::new(term)
        }
    }
}
