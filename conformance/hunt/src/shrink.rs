//! Makes a question small that shows a bug, as a value, wherever it came from.
//!
//! Responsible for: a greedy search through smaller questions that a predicate still accepts:
//! options, files, patterns by their
//! syntax tree, bytes; then names, letters and numbers.
//! Not here: the predicate, which asks a program and holds its answer against the model
//! ([`super::judge`]); what makes two
//! questions the same bug.
//! Invariants: the result satisfies the predicate and is well formed; by [`Measure`] it is never
//! larger than the start; the same
//! start, predicate and budget give the same result; the predicate is asked at most `budget` times,
//! and about no question twice.

use std::collections::HashSet;

use touchstone_cases::case::{Case, Contents, Entry, Node, Part, Text};
use xxhash_rust::xxh3::xxh3_64;

use super::question::Question;

mod bytes;
mod letters;
mod long;
mod measure;
mod options;
mod pattern;
mod tree;

pub use measure::{Measure, options};

/// Most times that all passes are made; each but the last makes the question smaller, so that this
/// is for safety only.
const ROUNDS: usize = 64;

/// What shrinking came to.
#[derive(Debug, Clone)]
pub struct Shrunk {
    /// The smallest question found.
    pub question: Question,
    /// How often the predicate was asked.
    pub asked: usize,
    /// Whether no pass could make it smaller; otherwise the budget ran out.
    pub fixpoint: bool,
}

/// Shrinks `start`, which satisfies `still`, asking it at most `budget` times.
pub fn shrink(start: &Question, budget: usize, still: impl FnMut(&Question) -> bool) -> Shrunk {
    let mut search = Search {
        best: start.clone(),
        measure: Measure::of(start),
        budget,
        asked: 0,
        refused: HashSet::new(),
        may_lose_ends: false,
        still,
    };
    for _ in 0..ROUNDS {
        let before = search.measure;
        search.passes();
        if search.spent() || search.measure == before {
            break;
        }
    }
    search.ends();
    Shrunk { fixpoint: !search.spent(), asked: search.asked, question: search.best }
}

/// The state of one search.
struct Search<P> {
    best: Question,
    measure: Measure,
    budget: usize,
    asked: usize,
    /// Digests of questions that do not show the bug.
    refused: HashSet<u64>,
    /// Whether a file may lose its last line feed.
    may_lose_ends: bool,
    still: P,
}

impl<P: FnMut(&Question) -> bool> Search<P> {
    /// Cheap and telling first: what an option or a file costs later is asked about only once it is
    /// known to be needed.
    fn passes(&mut self) {
        self.options();
        self.entries();
        self.alternatives();
        self.contents();
        self.patterns();
        self.words();
        self.contents();
        self.names();
        self.globs();
        self.letters();
        self.numbers();
    }

    fn spent(&self) -> bool {
        self.asked >= self.budget
    }

    /// Takes the candidate if it is smaller, well formed, and still shows the bug.
    fn offer(&mut self, candidate: Question) -> bool {
        if self.spent() {
            return false;
        }
        let measure = Measure::of(&candidate);
        let loses_ends = measure.unended > self.measure.unended && !self.may_lose_ends;
        if measure >= self.measure || loses_ends || !well_formed(&candidate) {
            return false;
        }
        let digest = digest(&candidate);
        if self.refused.contains(&digest) {
            return false;
        }
        self.asked += 1;
        if !(self.still)(&candidate) {
            self.refused.insert(digest);
            return false;
        }
        self.best = candidate;
        self.measure = measure;
        true
    }

    /// Offers the best question with one change made to it.
    fn change(&mut self, change: impl FnOnce(&mut Question)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate);
        self.offer(candidate)
    }

    /// Makes a list inside the question shorter: runs of its items are left out, long runs first. A
    /// run is never shorter than
    /// the `finest`th part of the list, so that a list that is needed as a whole costs no more than
    /// about that many asks.
    fn thin<T: Clone>(
        &mut self,
        finest: usize,
        read: impl Fn(&Question) -> Vec<T>,
        write: impl Fn(&mut Question, Vec<T>),
    ) {
        let mut chunk = read(&self.best).len();
        while chunk > 0 && !self.spent() {
            let mut start = 0;
            loop {
                let items = read(&self.best);
                if start >= items.len() || items.len() / chunk > finest {
                    break;
                }
                let rest: Vec<T> = items
                    .iter()
                    .take(start)
                    .chain(items.iter().skip(start + chunk))
                    .cloned()
                    .collect();
                if !self.change(|question| write(question, rest)) {
                    start += chunk;
                }
            }
            if read(&self.best).len() / chunk > finest {
                break;
            }
            chunk /= 2;
        }
    }

    /// Lowers a number: to the lowest that goes if smaller ones go until one does not, found by
    /// halving what lies between.
    fn lower(
        &mut self,
        read: impl Fn(&Question) -> Option<u64>,
        write: impl Fn(&mut Question, u64),
    ) {
        let Some(mut high) = read(&self.best) else { return };
        let mut low = 0;
        while low < high && !self.spent() {
            // Small numbers are the likely ones.
            let middle = if low == 0 && high > 8 { 1 } else { low + (high - low) / 2 };
            if self.change(|question| write(question, middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
    }

    /// At last: files without a line feed at their end. Left alone until here, since what happens
    /// there are bugs of their own,
    /// which smaller and smaller questions would end in.
    fn ends(&mut self) {
        self.may_lose_ends = true;
        for file in 0..self.best.tree.tree.len() {
            self.change(|question| {
                let Some(part) =
                    contents_mut(question, file).and_then(|contents| contents.parts.last_mut())
                else {
                    return;
                };
                if part.times == 1 && part.bytes.0.last() == Some(&b'\n') {
                    part.bytes.0.pop();
                }
            });
        }
        self.may_lose_ends = false;
    }
}

fn digest(question: &Question) -> u64 {
    xxh3_64(&serde_json::to_vec(question).unwrap_or_default())
}

/// Whether it can be asked at all.
fn well_formed(question: &Question) -> bool {
    let mut case = Case::new("shrink", "shrink", serde_json::Value::Null);
    case.tree.clone_from(&question.tree.tree);
    let patterns = &question.ask.patterns;
    let is_there = |root: &String| {
        let below = |entry: &Entry| entry.path.starts_with(format!("{root}/").as_bytes());
        question.tree.tree.iter().any(below)
    };
    let mut globs = question.ask.walk.iter().flat_map(|walk| &walk.globs);
    case.validate().is_ok()
        && globs.all(|glob| !glob.trim_start_matches('!').is_empty())
        && question.ask.walk.iter().flat_map(|walk| &walk.roots).all(is_there)
        && !patterns.is_empty()
        && patterns.iter().all(|text| !text.contains(['\n', '\0']))
        && (question.ask.fixed || patterns.iter().all(|text| pattern::parses(text)))
}

fn entry(question: &Question, index: usize) -> Option<&Entry> {
    question.tree.tree.get(index)
}

/// The contents of the file at this index of the tree.
fn contents_mut(question: &mut Question, index: usize) -> Option<&mut Contents> {
    match &mut question.tree.tree.get_mut(index)?.node {
        Node::File { contents, .. } => Some(contents),
        _ => None,
    }
}

fn contents(question: &Question, index: usize) -> Option<&Contents> {
    match &entry(question, index)?.node {
        Node::File { contents, .. } => Some(contents),
        _ => None,
    }
}

fn part(question: &Question, file: usize, index: usize) -> Option<&Part> {
    contents(question, file)?.parts.get(index)
}

fn set_part(question: &mut Question, file: usize, index: usize, bytes: Vec<u8>) {
    if let Some(part) =
        contents_mut(question, file).and_then(|contents| contents.parts.get_mut(index))
    {
        part.bytes = Text(bytes);
    }
}

#[cfg(test)]
mod tests;
