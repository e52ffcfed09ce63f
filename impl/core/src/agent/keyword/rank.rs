//! The order of files before a model is called (docs/keyword-search.md, section 4).
//!
//! Invariant: all lists are indexed by the term's position in the request.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use super::{
    hits::fold,
    measure::{Defined, Measures},
    pool::PoolFile,
    query::{Words, singular},
    reference::References,
};
use crate::{agent::search_text, order::compare, text};

/// Saturation constant, in units.
const K: f64 = 8.0;
/// Weight of a name, and of a term of the first line.
const NAME: f64 = 2.0;
const FIRST_LINE: f64 = 3.0;
/// Weight of a file that the query names.
const NAMED_FILE: f64 = 1.5;
/// The largest score of a term in a file that the query names.
const MOST: f64 = 6.75;
/// Scores have four decimals.
const DECIMALS: f64 = 10_000.0;

/// A term as paths are searched for it.
struct PathTerm {
    folded: String,
    /// Its letters and digits.
    key: String,
}

impl PathTerm {
    fn of(term: &str) -> Self {
        Self { folded: term.to_ascii_lowercase(), key: key(term) }
    }

    fn worth(&self, path: &PathText) -> f64 {
        let PathText { folded, name, stem, singular } = path;
        match () {
            () if !self.key.is_empty() && (*stem == self.key || *singular == self.key) => 2.5,
            () if folded.get(*name..).is_some_and(|name| name.contains(&self.folded)) => 1.0,
            () if folded.contains(&self.folded) => 0.8,
            () => 0.0,
        }
    }
}

/// A path prepared for all terms.
struct PathText {
    folded: String,
    /// Offset of the base name.
    name: usize,
    /// The letters and digits of the base name without extension, and without a plural ending.
    stem: String,
    singular: String,
}

impl PathText {
    /// Non-UTF-8 bytes decode to a character that `sought` does not contain, so the text depends on
    /// the term.
    fn of(walked: &[u8], sought: &str) -> Self {
        let path = &*text::decoded(walked, sought);
        let start = path.rfind('/').map_or(0, |slash| slash + 1);
        let name = path.get(start..).unwrap_or_default();
        let stem =
            name.rfind('.').filter(|dot| *dot > 0).and_then(|dot| name.get(..dot)).unwrap_or(name);
        let stem = key(stem);
        let singular = singular(&stem);
        Self { folded: path.to_ascii_lowercase(), name: start, stem, singular }
    }
}

/// The letters and digits of a text, folded.
fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_ascii_lowercase()
}

/// Scores the files of the pool and sorts them, best first. Files without measures are scored by
/// path. `files` is the number of eligible files.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of units and files that fit into memory are exact"
)]
pub(super) fn rank(
    query: &str,
    terms: &[&str],
    measures: &BTreeMap<Vec<u8>, Measures>,
    files: u64,
    pool: &mut [PoolFile],
) {
    let (words, references) = (Words::of(query), References::of(query));
    let weight = |(number, term): (usize, &&str)| {
        let with = measures
            .values()
            .filter(|file| file.units.get(number).is_some_and(|units| *units > 0))
            .count() as f64;
        let rarity = (1.0 + (files as f64 - with + 0.5).max(0.5) / (with + 0.5)).ln();
        let importance = 1.0 - number as f64 / (2.0 * terms.len() as f64);
        let (is_name, is_first) = words.have(term);
        let name = if is_name { NAME } else { 1.0 };
        importance * name * if is_first { FIRST_LINE } else { 1.0 } * rarity
    };
    let weights: Vec<(f64, PathTerm)> = terms
        .iter()
        .enumerate()
        .map(|(number, term)| (weight((number, term)), PathTerm::of(term)))
        .collect();
    let most: f64 = weights.iter().map(|(weight, _)| weight * MOST).sum();
    let places = search_text::Places::default();
    for file in pool.iter_mut() {
        let own = measures.get(&file.walked);
        let usual = PathText::of(&file.walked, "");
        let is_utf8 = std::str::from_utf8(&file.walked).is_ok();
        let mut sum = 0.0;
        for (number, (weight, term)) in weights.iter().enumerate() {
            let text = own.map_or(0.0, |own| {
                let units = own.units.get(number).copied().unwrap_or(0) as f64;
                let defined = match own.defined.get(number) {
                    Some(Defined::Whole) => 1.0,
                    Some(Defined::Part) => 0.5,
                    _ => 0.0,
                };
                units / (units + K) + defined
            });
            let path = if is_utf8 {
                term.worth(&usual)
            } else {
                term.worth(&PathText::of(&file.walked, &term.folded))
            };
            sum += weight * (text + path);
        }
        let place =
            places.hundredths(&file.walked, &file.walked.to_ascii_lowercase()) as f64 / 100.0;
        let named = if references.name(&file.walked) { NAMED_FILE } else { 1.0 };
        file.score = (place * named * sum / most * DECIMALS).round() / DECIMALS;
    }
    pool.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| compare(&a.walked, &b.walked)));
}

/// Finds files whose paths contain rare terms.
#[derive(Debug)]
pub struct PathSeeker {
    finders: Vec<memmem::Finder<'static>>,
    /// The paths that contain each term; `None` once they are too many.
    holders: Vec<Option<Vec<Vec<u8>>>>,
    /// Concatenated paths not yet searched; one search of many short paths is cheaper than many.
    waiting: Vec<u8>,
    /// The end of each path in `waiting`.
    ends: Vec<usize>,
    folded: Vec<u8>,
}

/// A term in more paths than this adds no files.
const MOST_PATHS: usize = 100;
/// Bytes of paths that are searched together.
const PATHS_TOGETHER: usize = 64 << 10;

impl PathSeeker {
    /// Looks for these terms.
    pub fn new(terms: &[String]) -> Self {
        let finder =
            |term: &String| memmem::Finder::new(term.to_ascii_lowercase().as_bytes()).into_owned();
        Self {
            finders: terms.iter().map(finder).collect(),
            holders: vec![Some(Vec::new()); terms.len()],
            waiting: Vec::new(),
            ends: Vec::new(),
            folded: Vec::new(),
        }
    }

    /// Adds an eligible file's path below the search root.
    pub fn add(&mut self, walked: &[u8]) {
        self.waiting.extend_from_slice(walked);
        self.ends.push(self.waiting.len());
        if self.waiting.len() >= PATHS_TOGETHER {
            self.look();
        }
    }

    /// The paths that contain a rare term.
    pub fn finish(mut self) -> BTreeSet<Vec<u8>> {
        self.look();
        self.holders.into_iter().flatten().flatten().collect()
    }

    fn look(&mut self) {
        fold(&self.waiting, &mut self.folded);
        for (finder, holders) in self.finders.iter().zip(&mut self.holders) {
            let mut from = 0;
            while let Some(held) = holders
                && let Some(at) =
                    self.folded.get(from..).and_then(|rest| finder.find(rest)).map(|at| from + at)
            {
                let number = self.ends.partition_point(|end| *end <= at);
                let Some(end) = self.ends.get(number).copied() else { break };
                if at + finder.needle().len() > end {
                    // The match spans two paths.
                    from = at + 1;
                    continue;
                }
                from = end;
                if held.len() == MOST_PATHS {
                    *holders = None;
                } else {
                    let start =
                        number.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
                    let path = self.waiting.get(start.unwrap_or(0)..end);
                    held.push(path.unwrap_or_default().to_owned());
                }
            }
        }
        self.waiting.clear();
        self.ends.clear();
    }
}
