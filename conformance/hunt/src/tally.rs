//! What a run comes to: verdicts by subject and group, and the first sightings of divergences.
//!
//! Not here: who fills it ([`super::run`]), what becomes of sightings
//! ([`super::finding`]).
//! Invariants: tallies added up in any order give the same sum; of each kind of sighting those with
//! the plainest asks are kept, one for each set of features and shape of patterns.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::cluster::skeleton;
use super::question::{Ask, Case, Feature, Pack, Question, Show};
use super::results::{Cell, Cost, Owed, Tried, Unreadable};
use super::shrink::options;
use super::verdict::{Aspect, NoAnswer, Verdict};

/// Sightings of one kind that are kept, each of an ask with other features: one bug that is met
/// often does not hide the others of its kind.
const KEPT: usize = 6;

/// Kinds of sightings that are kept; more than that means that something else is wrong.
const MOST_KINDS: usize = 2_000;

/// Answers that an adapter could not read, with none that it could, before it counts as unable to.
const UNREADABLE: u64 = 20;

/// A divergence as it was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sighting {
    /// The batch and the ask in it.
    pub place: (u64, usize),
    /// The subject that is wrong.
    pub subject: String,
    /// One of the same program that is right, the nearest in the order of subjects.
    pub right: Option<String>,
    /// In what.
    pub aspect: Aspect,
    /// The group of the case as it was drawn.
    pub group: Feature,
    /// `model`, or a relation.
    pub oracle: String,
    /// Whether the program did not end in time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hangs: bool,
    /// The question, of the one file that shows it if one does.
    pub question: Question,
    /// The whole pack it was seen in, if the question is of a part of it.
    pub among: Option<Pack>,
    /// Processor time until then, in seconds.
    pub cpu_seconds: f64,
    /// How often its kind was met.
    pub met: u64,
}

/// Cases of one kind in one cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// `NAME@VERSION`.
    pub subject: String,
    /// The group.
    pub group: Feature,
    /// Wrong.
    pub diverge: u64,
    /// No answer.
    pub broken: u64,
    /// An answer that cannot be read.
    pub unreadable: u64,
}

/// How the answers to one way of asking could be read.
#[derive(Debug, Clone, Default)]
pub struct Legible {
    /// Those in which something was read.
    pub read: u64,
    /// Those that could not be read.
    pub unread: u64,
    /// Of these the first: its batch and ask, what is wrong, and the line.
    pub first: Option<((u64, usize), String, String)>,
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// By subject and group.
    pub cells: BTreeMap<(String, Feature), Cell>,
    /// Sightings, by kind; those with the plainest asks.
    pub sightings: BTreeMap<Kind, Vec<Sighting>>,
    /// The cases of each kind.
    pub shares: BTreeMap<Kind, BTreeMap<(String, Feature), Share>>,
    /// How answers could be read, by subject and what was shown.
    pub legible: BTreeMap<(String, &'static str), Legible>,
    /// Cases by feature.
    pub features: BTreeMap<Feature, u64>,
    /// Relations.
    pub relations: BTreeMap<&'static str, Tried>,
    /// Batches that were to be asked and were not.
    pub owed: Vec<Owed>,
    /// Whether somebody ended the run.
    pub interrupted: bool,
    /// What it cost.
    pub cost: Cost,
    /// Why something could not be done, once for each reason.
    pub troubles: BTreeSet<String>,
}

/// What tells one kind of sighting from another before anything is known about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// The adapter's name.
    pub program: String,
    /// `model`, or a relation.
    pub oracle: String,
    /// In what.
    pub aspect: Aspect,
    /// The group of the case as it was drawn.
    pub group: Feature,
    /// The subjects that are wrong; none where there are too many kinds to tell them apart.
    pub wrong: Vec<String>,
}

impl Tally {
    /// All sightings in the order in which they are worth looking at: the first of each kind before
    /// the second of any, and programs in turn,
    /// so that one of which everything is wrong does not take the others' time; of each program
    /// first those that another release has right. Where a program hangs, every ask takes the whole
    /// deadline: that comes last.
    pub fn in_turn(&self) -> Vec<(&Kind, &Sighting)> {
        let mut of_program: BTreeMap<&str, usize> = BTreeMap::new();
        let mut kinds: Vec<(&Kind, &Vec<Sighting>)> = self.sightings.iter().collect();
        kinds.sort_by_key(|(_, sightings)| {
            sightings.first().is_none_or(|first| first.right.is_none())
        });
        let mut ordered = Vec::new();
        for (kind, sightings) in kinds {
            let turn = of_program.entry(kind.program.as_str()).or_default();
            *turn += 1;
            ordered.extend(
                sightings
                    .iter()
                    .enumerate()
                    .map(|(round, one)| ((one.hangs, round, *turn, kind), one)),
            );
        }
        ordered.sort_by_key(|(place, _)| *place);
        ordered.into_iter().map(|((.., kind), sighting)| (kind, sighting)).collect()
    }

    /// How many sightings are kept.
    pub(super) fn seen(&self) -> usize {
        self.sightings.values().map(Vec::len).sum()
    }

    /// Keeps a sighting, if its ask is among the plainest of its kind.
    pub(super) fn keep(&mut self, kind: Kind, sighting: Sighting) {
        let kind = self.told_apart(kind);
        insert(self.sightings.entry(kind).or_default(), sighting);
    }

    /// Counts a case of a kind.
    pub(super) fn share(&mut self, kind: Kind, share: Share) {
        let kind = self.told_apart(kind);
        add_share(self.shares.entry(kind).or_default(), share);
    }

    /// The kind, without who is wrong where there are too many.
    fn told_apart(&self, kind: Kind) -> Kind {
        let known = |kind| self.sightings.contains_key(kind) || self.shares.contains_key(kind);
        let many = self.sightings.len().max(self.shares.len()) >= MOST_KINDS;
        if many && !known(&kind) { Kind { wrong: Vec::new(), ..kind } } else { kind }
    }

    /// Counts whether an answer could be read.
    pub(super) fn read(
        &mut self,
        subject: &str,
        show: Show,
        place: (u64, usize),
        answered: &Result<Answer, NoAnswer>,
    ) {
        let legible = self.legible.entry((subject.to_owned(), show.name())).or_default();
        match answered {
            Ok(answer) if !answer.files.is_empty() => legible.read += 1,
            Err(NoAnswer::Garbled { reason, record }) => {
                legible.unread += 1;
                let first = || (place, reason.clone(), record.clone());
                legible.first.get_or_insert_with(first);
            }
            _ => {}
        }
    }

    /// The programs of which nothing can be read, though they have answered often enough.
    pub fn unreadable(&self) -> Vec<Unreadable> {
        let lost = self.legible.iter().filter(|(_, one)| one.read == 0 && one.unread >= UNREADABLE);
        lost.filter_map(|((subject, show), one)| {
            let (_, reason, line) = one.first.clone()?;
            Some(Unreadable { subject: subject.clone(), show: (*show).to_owned(), reason, line })
        })
        .collect()
    }

    pub(super) fn add(&mut self, other: Self) {
        for (key, cell) in other.cells {
            match self.cells.get_mut(&key) {
                Some(mine) => mine.merge(&cell),
                None => {
                    self.cells.insert(key, cell);
                }
            }
        }
        for (kind, sightings) in other.sightings {
            for sighting in sightings {
                self.keep(kind.clone(), sighting);
            }
        }
        for (kind, shares) in other.shares {
            for share in shares.into_values() {
                self.share(kind.clone(), share);
            }
        }
        for (place, legible) in other.legible {
            let mine = self.legible.entry(place).or_default();
            mine.read += legible.read;
            mine.unread += legible.unread;
            let firsts = [mine.first.take(), legible.first].into_iter().flatten();
            mine.first = firsts.min_by_key(|(place, ..)| *place);
        }
        for (feature, count) in other.features {
            *self.features.entry(feature).or_default() += count;
        }
        for (name, tried) in other.relations {
            let mine = self.relations.entry(name).or_default();
            mine.tried += tried.tried;
            mine.broken += tried.broken;
        }
        self.cost.cases += other.cost.cases;
        self.cost.asks += other.cost.asks;
        self.troubles.extend(other.troubles);
    }
}

/// Adds a share to those of the same kind.
pub(super) fn add_share(shares: &mut BTreeMap<(String, Feature), Share>, share: Share) {
    match shares.get_mut(&(share.subject.clone(), share.group)) {
        Some(mine) => {
            mine.diverge += share.diverge;
            mine.broken += share.broken;
            mine.unreadable += share.unreadable;
        }
        None => {
            shares.insert((share.subject.clone(), share.group), share);
        }
    }
}

/// Keeps the plainest ask of each set of features and shape of patterns, in order; the first one
/// carries how often and since when the kind was met.
pub(super) fn insert(kept: &mut Vec<Sighting>, sighting: Sighting) {
    kept.push(sighting);
    let met: u64 = kept.iter().map(|one| one.met).sum();
    let since = kept.iter().map(|one| one.cpu_seconds).fold(f64::INFINITY, f64::min);
    kept.sort_by_cached_key(|one| (plainness(&one.question.ask), one.place));
    let mut seen = BTreeSet::new();
    kept.retain(|one| {
        let ask = &one.question.ask;
        let shapes: BTreeSet<String> =
            ask.patterns.iter().map(|pattern| skeleton(pattern, ask.case == Case::Smart)).collect();
        seen.insert((ask.features(), shapes))
    });
    kept.truncate(KEPT);
    for one in kept.iter_mut() {
        one.met = 0;
    }
    if let Some(first) = kept.first_mut() {
        (first.met, first.cpu_seconds) = (met, since);
    }
}

/// Options and bytes of patterns: an ask that has few of both seldom shows two bugs at once.
fn plainness(ask: &Ask) -> (usize, usize) {
    (options(ask), ask.patterns.iter().map(String::len).sum())
}

impl Cell {
    /// A cell without cases.
    pub fn empty(subject: &str, group: Feature) -> Self {
        Self {
            subject: subject.to_owned(),
            group,
            agree: 0,
            declared: 0,
            known: 0,
            diverge: 0,
            unsupported: 0,
            broken: 0,
            unreadable: 0,
            explained: 0,
            reason: None,
            findings: Vec::new(),
        }
    }

    /// Counts one case.
    pub fn add(&mut self, verdict: &Verdict) {
        let was_silent = self.broken + self.unreadable > 0;
        let (count, reason) = match verdict {
            Verdict::Agree => (&mut self.agree, None),
            Verdict::Declared(_) => (&mut self.declared, None),
            Verdict::Known(_) => (&mut self.known, None),
            Verdict::Diverge(_) => (&mut self.diverge, None),
            Verdict::Unsupported(reason) => (&mut self.unsupported, Some(reason)),
            Verdict::Broken(reason) => (&mut self.broken, Some(reason)),
            Verdict::Unreadable(reason) => (&mut self.unreadable, Some(reason)),
        };
        *count += 1;
        self.because(reason, verdict.is_silent(), was_silent);
    }

    /// Keeps the first reason in order, of what is broken before what is unsupported.
    fn because(&mut self, reason: Option<&String>, is_silent: bool, was_silent: bool) {
        let Some(reason) = reason else { return };
        let keep = match &self.reason {
            Some(kept) if is_silent == was_silent => reason < kept,
            Some(_) => is_silent,
            None => true,
        };
        if keep {
            self.reason = Some(reason.clone());
        }
    }

    /// Adds another cell of the same subject and group.
    pub fn merge(&mut self, other: &Self) {
        let silent = |cell: &Self| cell.broken + cell.unreadable > 0;
        self.because(other.reason.as_ref(), silent(other), silent(self));
        self.agree += other.agree;
        self.declared += other.declared;
        self.known += other.known;
        self.diverge += other.diverge;
        self.unsupported += other.unsupported;
        self.broken += other.broken;
        self.unreadable += other.unreadable;
        self.explained += other.explained;
        self.findings.extend(other.findings.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sighting(place: (u64, usize), ask: Ask) -> Sighting {
        Sighting {
            place,
            subject: "p@1".to_owned(),
            right: None,
            aspect: Aspect::Status,
            group: Feature::Regex,
            oracle: "model".to_owned(),
            hangs: false,
            question: Question { tree: Pack::of(&[]), ask },
            among: None,
            cpu_seconds: 0.0,
            met: 1,
        }
    }

    #[test]
    fn what_is_met_often_does_not_hide_what_has_other_features() {
        let mut kept = Vec::new();
        for batch in 0..20 {
            insert(&mut kept, sighting((batch, 0), Ask::new("x")));
        }
        insert(&mut kept, sighting((20, 0), Ask { word: true, ..Ask::new("x") }));
        let seen: Vec<(u64, u64)> = kept.iter().map(|one| (one.place.0, one.met)).collect();
        assert_eq!(seen, [(0, 21), (20, 0)]);
    }

    #[test]
    fn of_each_shape_of_patterns_the_plainest_ask_is_kept() {
        let mut kept = Vec::new();
        for (batch, pattern) in (0..).zip([r"\wxyz", r"\wab", "xy+c", r"\w", "a+b", r"\wa"]) {
            insert(&mut kept, sighting((batch, 0), Ask::new(pattern)));
        }
        let seen: Vec<u64> = kept.iter().map(|one| one.place.0).collect();
        assert_eq!(seen, [3, 4, 5]);
    }

    #[test]
    fn what_hangs_comes_behind_all_that_answers() {
        let mut tally = Tally::default();
        let sightings = [("a", 1, true), ("a", 2, false), ("b", 3, false), ("b", 4, true)];
        for (subject, batch, hangs) in sightings {
            let kind = Kind {
                program: "p".to_owned(),
                oracle: "model".to_owned(),
                aspect: Aspect::Status,
                group: Feature::Regex,
                wrong: vec![subject.to_owned()],
            };
            let ask = Ask { word: batch % 2 == 0, ..Ask::new("x") };
            let seen = sighting((batch, 0), ask);
            tally.keep(kind, Sighting { hangs, ..seen });
        }
        let turns: Vec<u64> = tally.in_turn().iter().map(|(_, one)| one.place.0).collect();
        assert_eq!(turns, [3, 2, 1, 4]);
    }
}
