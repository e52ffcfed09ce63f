//! What a run comes to: verdicts by subject and group, and the first sightings of divergences.
//!
//! Left to neighbours: who fills it ([`super::run`]), what becomes of sightings
//! ([`super::finding`]).
//! Invariants: tallies added up in any order come to the same; of each kind of sighting those with
//! the lowest numbers are kept.

use std::collections::{BTreeMap, BTreeSet};

use super::question::{Feature, Pack, Question};
use super::results::{Cell, Cost, Tried};
use super::verdict::{Aspect, Verdict};

/// Sightings of one kind that are kept.
const KEPT: usize = 3;

/// Kinds of sightings that are kept; more than that means that something else is wrong.
const MOST_KINDS: usize = 2_000;

/// A divergence as it was first seen.
#[derive(Debug, Clone, PartialEq)]
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
    pub oracle: &'static str,
    /// The question, of the one file that shows it if one does.
    pub question: Question,
    /// The whole pack it was seen in, if the question is of a part of it.
    pub among: Option<Pack>,
    /// Processor time until then, in seconds.
    pub cpu_seconds: f64,
    /// How often its kind was met.
    pub met: u64,
}

/// What a run came to.
#[derive(Debug, Default)]
pub struct Tally {
    /// By subject and group.
    pub cells: BTreeMap<(String, Feature), Cell>,
    /// First sightings, by kind; those with the lowest numbers.
    pub sightings: BTreeMap<Kind, Vec<Sighting>>,
    /// Cases by feature.
    pub features: BTreeMap<Feature, u64>,
    /// Relations.
    pub relations: BTreeMap<&'static str, Tried>,
    /// What it cost.
    pub cost: Cost,
    /// Why something could not be done, once for each reason.
    pub troubles: BTreeSet<String>,
}

/// What tells one kind of sighting from another before anything is known about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The adapter's name.
    pub program: String,
    /// `model`, or a relation.
    pub oracle: &'static str,
    /// In what.
    pub aspect: Aspect,
    /// The group of the case as it was drawn.
    pub group: Feature,
    /// The subjects that are wrong.
    pub wrong: Vec<String>,
}

impl Tally {
    /// All sightings in the order in which they are worth looking at: the first of each kind before
    /// the second of any, and programs in turn,
    /// so that one of which everything is wrong does not take the others' time; of each program
    /// first those that another release has right.
    pub fn in_turn(&self) -> Vec<&Sighting> {
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
                sightings.iter().enumerate().map(|(round, one)| ((round, *turn, kind), one)),
            );
        }
        ordered.sort_by_key(|(place, _)| *place);
        ordered.into_iter().map(|(_, sighting)| sighting).collect()
    }

    pub(super) fn keep(&mut self, kind: Kind, sighting: Sighting) {
        if self.sightings.len() >= MOST_KINDS && !self.sightings.contains_key(&kind) {
            self.troubles.insert(format!(
                "more than {MOST_KINDS} kinds of divergences; the rest is counted and not kept"
            ));
            return;
        }
        insert(self.sightings.entry(kind).or_default(), sighting);
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
            let kept = self.sightings.entry(kind).or_default();
            for sighting in sightings {
                insert(kept, sighting);
            }
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

/// Keeps the lowest numbers, in order; the first one carries the count.
fn insert(kept: &mut Vec<Sighting>, sighting: Sighting) {
    kept.push(sighting);
    let met: u64 = kept.iter().map(|one| one.met).sum();
    kept.sort_by_key(|one| one.place);
    kept.truncate(KEPT);
    for (index, one) in kept.iter_mut().enumerate() {
        one.met = if index == 0 { met } else { 0 };
    }
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
            reason: None,
            findings: Vec::new(),
        }
    }

    /// Counts one case.
    pub fn add(&mut self, verdict: &Verdict) {
        let (count, reason) = match verdict {
            Verdict::Agree => (&mut self.agree, None),
            Verdict::Declared(_) => (&mut self.declared, None),
            Verdict::Known(_) => (&mut self.known, None),
            Verdict::Diverge(_) => (&mut self.diverge, None),
            Verdict::Unsupported(reason) => (&mut self.unsupported, Some(reason)),
            Verdict::Broken(reason) => (&mut self.broken, Some(reason)),
        };
        *count += 1;
        if let Some(reason) = reason
            && self.reason.as_ref().is_none_or(|kept| reason < kept)
        {
            self.reason = Some(reason.clone());
        }
    }

    /// Adds another cell of the same subject and group.
    pub fn merge(&mut self, other: &Self) {
        self.agree += other.agree;
        self.declared += other.declared;
        self.known += other.known;
        self.diverge += other.diverge;
        self.unsupported += other.unsupported;
        self.broken += other.broken;
        self.findings.extend(other.findings.iter().cloned());
        if let Some(reason) = &other.reason
            && self.reason.as_ref().is_none_or(|kept| reason < kept)
        {
            self.reason = Some(reason.clone());
        }
    }
}
