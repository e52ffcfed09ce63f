//! The state machine, exhaustively: the model's and production's, status by status.
//!
//! Responsible for: what is run (every reachable status with every set of up to three triggers),
//! what is said about it, by state. Not here: running it (`sweep`), one tick (`pair`), the
//! sentences that hold of all (`invariants`), the contract's page (`page`). Invariants: statuses
//! that only larger sets of triggers reach are run as well; the first size with a fault is the
//! last.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;
use touchstone_model::index::machine::Status;
use touchstone_model::index::tables::{MachineTables, Trigger};

use super::pair::Pair;
use super::reality::{self, FalseClaim};
use super::sweep::{Fault, SweepReport, Sweeper, census, ordered, reachable, sets, sweep};
use super::{Area, AreaReport, Extent, page};

/// Holds production's machine against the model's over these tables.
pub(crate) fn check(
    tables: &MachineTables<'_>,
    extent: Extent,
    tick: &(dyn Fn(u64) + Sync),
) -> AreaReport {
    let mut checked = AreaReport::of(Area::Machine);
    let pair = match Pair::new(tables) {
        Ok(pair) => pair,
        Err(mismatch) => {
            checked.fault("the vocabularies differ", mismatch);
            return checked;
        }
    };
    if let Err(mismatch) = page::agrees(tables) {
        checked.fault("the contract's tables differ", mismatch);
    }
    let mut enumeration = Enumeration::new(&pair, extent, tick);
    enumeration.run();
    enumeration.add_to(&mut checked);
    if checked.faults.is_empty() {
        follow(&pair, extent, &mut checked);
    }
    checked
}

/// Follows what is really covered, along every path of small ticks.
fn follow(pair: &Pair<'_>, extent: Extent, checked: &mut AreaReport) {
    let triggers: Vec<Trigger> = pair.names.triggers().iter().map(|(ours, _)| *ours).collect();
    let (places, ticks, belied) =
        reality::follow(&pair.machine, &triggers, extent.triggers.min(2), extent.threads);
    checked.cases += ticks;
    checked.fact(format!(
        "{places} statuses told apart by what is really covered, {ticks} ticks from one to another"
    ));
    if let Some(FalseClaim { what, ticks }) = belied {
        let mut status = Status::start();
        let mut told = String::new();
        for tick in ticks {
            status = pair.machine.step(status, &tick).status;
            // Writing to a string cannot fail.
            let _ = writeln!(told, "{}\n  -> {}", pair.list(&tick), pair.status(status));
        }
        checked.fault(what, told);
    }
}

/// Statuses and triggers that one size of sets is run over.
struct Enumeration<'r, 'a> {
    pair: &'r Pair<'a>,
    extent: Extent,
    tick: &'r (dyn Fn(u64) + Sync),
    known: FxHashSet<Status>,
    statuses: Vec<Status>,
    swept: SweepReport,
    by_singles: usize,
}

impl<'r, 'a> Enumeration<'r, 'a> {
    fn new(pair: &'r Pair<'a>, extent: Extent, tick: &'r (dyn Fn(u64) + Sync)) -> Self {
        let statuses = reachable(pair);
        let known = statuses.iter().copied().collect();
        let by_singles = statuses.len();
        Self { pair, extent, tick, known, statuses, swept: SweepReport::default(), by_singles }
    }

    fn run(&mut self) {
        self.alone();
        for size in 0..=self.extent.triggers {
            if !self.swept.faults.is_empty() {
                break;
            }
            self.size(&self.statuses.clone(), size);
        }
    }

    /// What must hold of each status by itself.
    fn alone(&mut self) {
        let mut sweeper = Sweeper::new(self.pair, &self.known);
        for status in &self.statuses {
            sweeper.alone(*status);
        }
        self.swept.add(sweeper.swept);
    }

    /// Runs sets of one size; statuses that come up on the way are run with all sizes up to this
    /// one.
    fn size(&mut self, statuses: &[Status], size: usize) {
        let swept = sweep(self.pair, statuses, &self.known, size, self.extent.threads, self.tick);
        let beyond =
            ordered(swept.beyond.iter().copied().filter(|status| !self.known.contains(status)));
        self.swept.add(swept);
        if beyond.is_empty() {
            return;
        }
        self.known.extend(beyond.iter().copied());
        self.statuses.extend(&beyond);
        let mut sweeper = Sweeper::new(self.pair, &self.known);
        for status in &beyond {
            sweeper.alone(*status);
        }
        self.swept.add(sweeper.swept);
        for smaller in 0..=size {
            self.size(&beyond, smaller);
        }
    }

    fn add_to(self, checked: &mut AreaReport) {
        checked.cases += self.swept.total();
        let triggers = self.pair.names.triggers().len();
        let each: u64 = (0..=self.extent.triggers).map(|size| sets(triggers, size)).sum();
        let census = census(&self.statuses);
        let reasons: std::collections::BTreeSet<_> =
            census.values().flat_map(|(_, sets)| sets).collect();
        checked.fact(format!(
            "{} reachable statuses ({} by single triggers), {} sets of reasons; {triggers} triggers, {each} sets of up to {}",
            self.statuses.len(),
            self.by_singles,
            reasons.len(),
            self.extent.triggers
        ));
        for (state, (statuses, reasons)) in &census {
            let ticks = self.swept.ticks.get(state).copied().unwrap_or(0);
            let state = self.pair.names.state(*state);
            checked.fact(format!(
                "{state}: {statuses} statuses, {} sets of reasons, {ticks} ticks",
                reasons.len()
            ));
        }
        for (fault, (times, ticks)) in &self.swept.faults {
            let what = match fault {
                Fault::Differs => "model and production differ",
                Fault::Breaks(what) => what,
            };
            for tick in ticks {
                checked.fault(what, self.pair.description(tick));
            }
            checked.fact(format!("{what}: {times} ticks, the smallest {} told", ticks.len()));
        }
    }
}
