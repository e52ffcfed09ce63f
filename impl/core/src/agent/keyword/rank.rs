//! The order of files before any model (docs/keyword-search.md, section 4): BM25's shape, with places in identifiers and definitions weighing more,
//! paths, the order of the terms, and less for prose.
//!
//! Invariant: every term of a request has a number, which is its place in every list here.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;

use super::{hits::fold, pool::PoolFile};
use crate::{
    agent::{
        defining::Definer,
        search_text::{self, around, occurs},
    },
    error::Interrupted,
    order::compare,
    text,
};

/// How soon more of the same counts for less.
const K: f64 = 2.0;
/// How much a file's length counts.
const B: f64 = 0.25;
/// Of a term that was skipped, what stands in the text counts for less: it is not known where else it stands.
const SKIPPED: f64 = 0.5;
/// Prose and data mention much and do little.
const PROSE: f64 = 0.75;
/// The most that a term can contribute.
const MOST: f64 = 2.5;
/// Bytes of a line between two looks at whether to go on.
const LOOK_EVERY: usize = 1 << 20;
/// Scores have four decimals.
const DECIMALS: f64 = 10_000.0;
/// What paths of prose and data end in.
const PROSE_ENDS: &str = " md markdown rst adoc txt html htm css svg json yaml yml toml xml csv tsv lock ini cfg conf log snap po ipynb ";

/// What a hit file is ranked by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// For each term, the units of its places.
    pub(super) units: Vec<u64>,
    /// Of the text.
    bytes: u64,
}

/// A term, ready to be measured.
#[derive(Clone, Debug)]
struct Seeker {
    folded: String,
    /// Its parts, if it is a word.
    word: Option<Vec<String>>,
    sought: memmem::Finder<'static>,
}

/// Measures one text after the other.
#[derive(Clone, Debug)]
pub struct Measurer(Vec<Seeker>);

impl Measurer {
    /// Measures these terms.
    pub fn new(terms: &[String]) -> Self {
        let seeker = |term: &String| {
            let folded = term.to_ascii_lowercase();
            let sought = memmem::Finder::new(folded.as_bytes()).into_owned();
            let word = match search_text::Term::of(term, false) {
                search_text::Term::Word { parts, .. } => Some(parts),
                search_text::Term::Literal(_) => None,
            };
            Seeker { folded, word, sought }
        };
        Self(terms.iter().map(seeker).collect())
    }

    /// What a file is ranked by that has this text.
    pub fn scan(
        &self,
        text: &[u8],
        walked: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measures, Interrupted> {
        let definer = Definer::new(walked, text);
        let folded = text.to_ascii_lowercase();
        let mut measures = Measures { units: Vec::with_capacity(self.0.len()), bytes: text.len() as u64 };
        for seeker in &self.0 {
            if !go_on() {
                return Err(Interrupted);
            }
            let (mut units, mut from) = (0, 0);
            while let Some(at) = folded.get(from..).and_then(|rest| seeker.sought.find(rest)) {
                let Some(line) = text::line_at(text, from + at) else { break };
                let shown = text::decoded(line.visible(text), &seeker.folded);
                units += seeker.units(&shown, &definer, line, go_on)?;
                from = line.end + 1;
            }
            measures.units.push(units);
        }
        Ok(measures)
    }
}

impl Seeker {
    /// The units of its places on a line.
    fn units(
        &self,
        line: &str,
        definer: &Definer<'_>,
        place: text::Span,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<u64, Interrupted> {
        let folded = line.to_ascii_lowercase();
        let (mut units, mut from, mut looked) = (0, 0, 0);
        while let Some(at) = folded.get(from..).and_then(|rest| rest.find(&self.folded)) {
            let (start, end) = (from + at, from + at + self.folded.len());
            if start >= looked + LOOK_EVERY {
                looked = start;
                if !go_on() {
                    return Err(Interrupted);
                }
            }
            let Some(word) = &self.word else {
                units += 1;
                from = end;
                continue;
            };
            let (left, right) = around(line, start, end);
            let part = |from: usize, to: usize| line.get(from..to).unwrap_or_default();
            units += match occurs(word, part(left, right)) {
                None => 1,
                Some(_) if definer.level(place, line, left, right) > 0 => 4,
                Some(_) => 2,
            };
            from = right;
        }
        Ok(units)
    }

    /// What a path says of the term.
    fn path_worth(&self, walked: &[u8]) -> f64 {
        let path = &*text::decoded(walked, &self.folded);
        let (_, name) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = name.rfind('.').filter(|dot| *dot > 0).and_then(|dot| name.get(..dot)).unwrap_or(name);
        let holds = |place: &str| place.to_ascii_lowercase().contains(&self.folded);
        match () {
            () if stem.eq_ignore_ascii_case(&self.folded) => 1.5,
            () if holds(name) => 1.0,
            () if holds(path) => 0.75,
            () => 0.0,
        }
    }
}

/// Scores the files of the pool, those without measures by their paths alone, and puts the best first. `skipped` has a place for each term.
#[expect(clippy::cast_precision_loss, reason = "counts of bytes and files that fit into memory are exact")]
pub(super) fn rank(
    skipped: &[bool],
    seekers: &Measurer,
    measures: &BTreeMap<Vec<u8>, Measures>,
    files: u64,
    pool: &mut [PoolFile],
) {
    let bytes: u64 = measures.values().map(|measures| measures.bytes).sum();
    // Files that have been emptied since they were hit have no length to go by.
    let mean = (bytes as f64 / measures.len().max(1) as f64).max(1.0);
    let weight = |number: usize, is_skipped: bool| {
        let with =
            measures.values().filter(|file| file.units.get(number).is_some_and(|units| *units > 0)).count()
                as f64;
        let rarity = (1.0 + (files as f64 - with + 0.5).max(0.5) / (with + 0.5)).ln();
        let importance = 1.0 - number as f64 / (2.0 * skipped.len() as f64);
        (importance * rarity, if is_skipped { SKIPPED } else { 1.0 })
    };
    let weights: Vec<(f64, f64)> =
        skipped.iter().enumerate().map(|(number, skipped)| weight(number, *skipped)).collect();
    let most: f64 = weights.iter().map(|(weight, _)| weight * MOST).sum();
    for file in pool.iter_mut() {
        let path = String::from_utf8_lossy(&file.walked);
        let own = measures.get(&file.walked);
        let mut sum = 0.0;
        for (number, ((weight, trust), seeker)) in weights.iter().zip(&seekers.0).enumerate() {
            let text = own.map_or(0.0, |own| {
                let frequency = own.units.get(number).copied().unwrap_or(0) as f64 / 2.0;
                frequency / (frequency + K * (1.0 - B + B * own.bytes as f64 / mean))
            });
            sum += weight * (trust * text + seeker.path_worth(&file.walked));
        }
        let score = if is_prose(&path) { PROSE } else { 1.0 } * sum / most;
        file.score = (score * DECIMALS).round() / DECIMALS;
    }
    pool.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| compare(&a.walked, &b.walked)));
}

fn is_prose(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_none_or(|(_, end)| {
        !end.contains(' ') && PROSE_ENDS.contains(&format!(" {} ", end.to_ascii_lowercase()))
    })
}

/// Files whose paths hold rare terms.
#[derive(Debug)]
pub struct PathSeeker {
    finders: Vec<memmem::Finder<'static>>,
    /// For each term, the paths that hold it; nothing once they are too many.
    holders: Vec<Option<Vec<Vec<u8>>>>,
    /// Paths that have not been looked at, one behind the other: most are shorter than what a look costs.
    waiting: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
    folded: Vec<u8>,
}

/// Paths that may hold a term for it to lead to their files.
const MOST_PATHS: usize = 100;
/// Bytes of paths that are looked at together.
const PATHS_TOGETHER: usize = 64 << 10;

impl PathSeeker {
    /// Looks for these terms.
    pub fn new(terms: &[String]) -> Self {
        let finder = |term: &String| memmem::Finder::new(term.to_ascii_lowercase().as_bytes()).into_owned();
        Self {
            finders: terms.iter().map(finder).collect(),
            holders: vec![Some(Vec::new()); terms.len()],
            waiting: Vec::new(),
            ends: Vec::new(),
            folded: Vec::new(),
        }
    }

    /// Takes an eligible file's path below the search root.
    pub fn add(&mut self, walked: &[u8]) {
        self.waiting.extend_from_slice(walked);
        self.ends.push(self.waiting.len());
        if self.waiting.len() >= PATHS_TOGETHER {
            self.look();
        }
    }

    /// The paths.
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
                    // It begins in one path and ends in the next.
                    from = at + 1;
                    continue;
                }
                from = end;
                if held.len() == MOST_PATHS {
                    *holders = None;
                } else {
                    let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
                    let path = self.waiting.get(start.unwrap_or(0)..end);
                    held.push(path.unwrap_or_default().to_owned());
                }
            }
        }
        self.waiting.clear();
        self.ends.clear();
    }
}
