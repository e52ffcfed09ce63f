//! Every reachable status under every small set of triggers.
//!
//! Responsible for: the statuses that can be reached; running each of them with every set of up to
//! three triggers through both machines, on several threads; counting what was run; keeping the
//! smallest ticks that differ or break an invariant. Not here: one comparison (`pair`), what must
//! hold (`invariants`). Invariants: the result does not depend on the number of threads; sets of
//! fewer triggers are run before larger ones, and a size with faults is the last that is run;
//! nothing is allocated per tick.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use forge_search_core::index::machine as production;
use rustc_hash::FxHashSet;
use touchstone_model::index::machine::{Reasons, Status};
use touchstone_model::index::tables::{MachineTables, State, Trigger};

use super::invariants::{self, Kinds};
use super::pair::{Comparing, Pair, Tick};

/// The largest sets of triggers that are run.
pub(crate) const LARGEST: usize = 3;

/// Faults of a kind that are kept.
const KEPT: usize = 3;

/// Class of the triggers that call coverage into question (PREC-P2).
const COVERAGE: u8 = 4;

/// The kind of a fault.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// The two sides differ.
    Differs,
    /// This does not hold.
    Breaks(&'static str),
}

/// The result of a sweep.
#[derive(Debug, Clone, Default)]
pub(crate) struct SweepReport {
    /// Ticks that were run, by the state before.
    pub(crate) ticks: BTreeMap<State, u64>,
    /// Statuses that are reached and were not among those swept.
    pub(crate) beyond: BTreeSet<Status>,
    /// How many ticks have a fault of this kind, and the smallest of them.
    pub(crate) faults: BTreeMap<Fault, (u64, Vec<Tick>)>,
}

impl SweepReport {
    /// All ticks.
    pub(crate) fn total(&self) -> u64 {
        self.ticks.values().sum()
    }

    fn fault(&mut self, fault: Fault, tick: Tick) {
        let (times, smallest) = self.faults.entry(fault).or_default();
        *times += 1;
        keep(smallest, tick);
    }

    pub(crate) fn add(&mut self, other: SweepReport) {
        for (state, ticks) in other.ticks {
            *self.ticks.entry(state).or_default() += ticks;
        }
        self.beyond.extend(other.beyond);
        for (fault, (times, ticks)) in other.faults {
            let (all, smallest) = self.faults.entry(fault).or_default();
            *all += times;
            for tick in ticks {
                keep(smallest, tick);
            }
        }
    }
}

fn keep(smallest: &mut Vec<Tick>, tick: Tick) {
    let place = smallest.partition_point(|other| other.size() < tick.size());
    if place < KEPT {
        smallest.insert(place, tick);
        smallest.truncate(KEPT);
    }
}

/// The statuses that single triggers reach from the start, by the model, those with the fewest
/// reasons first.
pub(crate) fn reachable(pair: &Pair<'_>) -> Vec<Status> {
    let mut found: FxHashSet<Status> = FxHashSet::default();
    let mut waiting = vec![Status::start()];
    while let Some(status) = waiting.pop() {
        if found.insert(status) {
            let triggers = pair.names.triggers().iter();
            waiting
                .extend(triggers.map(|(trigger, _)| pair.machine.step(status, &[*trigger]).status));
        }
    }
    ordered(found)
}

/// Statuses with the fewest reasons first.
pub(crate) fn ordered(statuses: impl IntoIterator<Item = Status>) -> Vec<Status> {
    let mut statuses: Vec<Status> = statuses.into_iter().collect();
    statuses.sort_unstable_by_key(|status| (status.reasons.iter().count(), *status));
    statuses
}

pub(crate) fn census(statuses: &[Status]) -> BTreeMap<State, (usize, BTreeSet<Reasons>)> {
    let mut counts: BTreeMap<State, (usize, BTreeSet<Reasons>)> = BTreeMap::new();
    for status in statuses {
        let (number, sets) = counts.entry(status.state).or_default();
        *number += 1;
        sets.insert(status.reasons);
    }
    counts
}

/// Runs every status with every set of triggers of one size. `known` are the statuses that are no
/// news.
pub(crate) fn sweep(
    pair: &Pair<'_>,
    statuses: &[Status],
    known: &FxHashSet<Status>,
    size: usize,
    threads: usize,
    tick: &(dyn Fn(u64) + Sync),
) -> SweepReport {
    let next = AtomicUsize::new(0);
    let whole = Mutex::new(SweepReport::default());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut sweeper = Sweeper::new(pair, known);
                while let Some(status) = statuses.get(next.fetch_add(1, Ordering::Relaxed)) {
                    tick(sweeper.status(*status, size));
                }
                whole.lock().unwrap_or_else(PoisonError::into_inner).add(sweeper.swept);
            });
        }
    });
    whole.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Sets of `size` triggers.
pub(crate) fn sets(triggers: usize, size: usize) -> u64 {
    let triggers = triggers as u64;
    (0..size as u64).fold(1, |sets, place| sets * (triggers - place) / (place + 1))
}

/// The state of one thread.
#[derive(Debug)]
pub(crate) struct Sweeper<'p, 'a> {
    pair: &'p Pair<'a>,
    known: &'p FxHashSet<Status>,
    kinds: Kinds,
    comparing: Comparing<'p, 'a>,
    triggers: Vec<Candidate>,
    pub(crate) swept: SweepReport,
}

/// A trigger on both sides.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    ours: Trigger,
    theirs: production::Triggers,
    coverage: bool,
}

impl<'p, 'a> Sweeper<'p, 'a> {
    pub(crate) fn new(pair: &'p Pair<'a>, known: &'p FxHashSet<Status>) -> Self {
        let class = |trigger| class(&pair.tables, trigger);
        let triggers = pair.names.triggers().iter().map(|(ours, theirs)| Candidate {
            ours: *ours,
            theirs: production::Triggers::of(&[*theirs]),
            coverage: class(*ours) == Some(COVERAGE),
        });
        Self {
            pair,
            known,
            kinds: Kinds::of(&pair.tables),
            comparing: Comparing::new(pair),
            triggers: triggers.collect(),
            swept: SweepReport::default(),
        }
    }

    /// All sets of one size in one status; returns how many these were.
    pub(crate) fn status(&mut self, status: Status, size: usize) -> u64 {
        let theirs = self.pair.names.status(status);
        let triggers = std::mem::take(&mut self.triggers);
        let number = self.choose(status, theirs, &triggers, &Chosen::NONE, size);
        self.triggers = triggers;
        *self.swept.ticks.entry(status.state).or_default() += number;
        number
    }

    /// Adds `more` of the remaining triggers to those chosen, in every way.
    fn choose(
        &mut self,
        status: Status,
        theirs: production::Status,
        rest: &[Candidate],
        chosen: &Chosen,
        more: usize,
    ) -> u64 {
        if more == 0 {
            self.one(status, theirs, chosen);
            return 1;
        }
        let mut number = 0;
        let mut rest = rest;
        while let [first, others @ ..] = rest {
            rest = others;
            number += self.choose(status, theirs, others, &chosen.with(*first), more - 1);
        }
        number
    }

    fn one(&mut self, status: Status, theirs: production::Status, chosen: &Chosen) {
        let triggers = chosen.ours();
        let outcome = self.pair.machine.step(status, triggers);
        let step = production::step(theirs, chosen.theirs);
        if !self.comparing.agree(&outcome, &step) {
            self.swept.fault(Fault::Differs, Tick { status, triggers: triggers.to_vec() });
        }
        if let Some(broken) = invariants::outcome(status, chosen.coverage, &outcome) {
            self.swept.fault(Fault::Breaks(broken), Tick { status, triggers: triggers.to_vec() });
        }
        if !self.known.contains(&outcome.status) {
            self.swept.beyond.insert(outcome.status);
        }
    }

    /// What must hold of a status by itself: that it is well formed, that good weather leads out of
    /// it, and that neither the order of a slice of triggers nor a repetition matters, tried on as
    /// many slices as there are triggers.
    pub(crate) fn alone(&mut self, status: Status) {
        let tick = |triggers: &[Trigger]| Tick { status, triggers: triggers.to_vec() };
        if let Some(broken) = self.kinds.status(status) {
            self.swept.fault(Fault::Breaks(broken), tick(&[]));
        }
        if invariants::stuck(&self.pair.machine, status) {
            self.swept.fault(Fault::Breaks("good weather does not lead to COMPLETE"), tick(&[]));
        }
        let triggers: Vec<Trigger> = self.triggers.iter().map(|candidate| candidate.ours).collect();
        for (place, first) in triggers.iter().enumerate() {
            let at = |distance: usize| {
                triggers.iter().cycle().nth(place + distance).copied().unwrap_or(*first)
            };
            let slice = [*first, at(5), at(17), at(31)];
            let shuffled = [at(31), *first, at(17), *first, at(5), at(31)];
            if self.pair.machine.step(status, &slice) != self.pair.machine.step(status, &shuffled) {
                let broken = Fault::Breaks("the order or the repetition of triggers matters");
                self.swept.fault(broken, tick(&slice));
            }
        }
    }
}

fn class(tables: &MachineTables<'_>, trigger: Trigger) -> Option<u8> {
    tables.triggers.iter().find(|row| row.trigger == trigger).map(|row| row.class)
}

/// Triggers chosen so far, for both sides.
#[derive(Debug, Clone, Copy)]
struct Chosen {
    ours: [Trigger; LARGEST],
    number: usize,
    theirs: production::Triggers,
    coverage: bool,
}

impl Chosen {
    const NONE: Self = Self {
        ours: [Trigger::ModeOff; LARGEST],
        number: 0,
        theirs: production::Triggers::NONE,
        coverage: false,
    };

    fn with(&self, candidate: Candidate) -> Self {
        let mut chosen = *self;
        if let Some(place) = chosen.ours.get_mut(self.number) {
            *place = candidate.ours;
            chosen.number += 1;
        }
        chosen.theirs = chosen.theirs.union(candidate.theirs);
        chosen.coverage |= candidate.coverage;
        chosen
    }

    fn ours(&self) -> &[Trigger] {
        self.ours.get(..self.number).unwrap_or_default()
    }
}
