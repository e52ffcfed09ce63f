//! The index's pure half: the model held against production, by enumeration instead of by cases.
//!
//! Responsible for: the areas that are compared, how much of each is run, and what came of it. The
//! state machine is run exhaustively; everything else is run on enumerated small inputs and on
//! drawn ones with a fixed seed. [`mutants`] tells whether all this would notice a changed table.
//! Not here: the suite around it (`touchstone::gate::suites`), telling people
//! ([`touchstone_lockstep::report`]). Invariants: a result depends on the tables, the seed and the
//! extent, never on threads or time; faults come with the smallest input first.

#![allow(
    missing_docs,
    reason = "the harness alone builds on it, and a name often says all there is"
)]

use std::panic::resume_unwind;
use std::thread;
use std::time::{Duration, Instant};

use touchstone_cases::golden;
use touchstone_model::generated::index::INDEX;
use touchstone_model::index::tables::IndexTables;
use touchstone_spec::index::IndexKey;
use touchstone_spec::{LoadError, Spec};

pub use self::lockstep::{Lockstep, LockstepState};

mod decisions;
mod exclusion;
mod filters;
mod folds;
mod invariants;
mod lockstep;
mod machine;
mod memory;
pub mod mutants;
pub mod names;
mod page;
pub mod pair;
mod patterns;
mod planner;
mod postings;
mod reality;
mod settings;
mod sweep;
mod texts;
mod tokens;

/// A compared area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Area {
    /// The state machine.
    Machine,
    /// From bytes to grams.
    Tokens,
    /// Case folding.
    Folds,
    /// Filter bits.
    Filters,
    /// Needs of literals.
    Exclusion,
    /// Filters of many files at once.
    Postings,
    /// Needs of expressions.
    Planner,
    /// Limits, eviction, queues, times.
    Decisions,
    /// Configuration.
    Settings,
}

impl Area {
    /// All of them, in the order they run.
    pub const ALL: [Self; 9] = [
        Self::Machine,
        Self::Tokens,
        Self::Folds,
        Self::Filters,
        Self::Exclusion,
        Self::Postings,
        Self::Planner,
        Self::Decisions,
        Self::Settings,
    ];

    /// The name in reports and records.
    pub fn name(self) -> &'static str {
        match self {
            Area::Machine => "machine",
            Area::Tokens => "tokens",
            Area::Folds => "folds",
            Area::Filters => "filters",
            Area::Exclusion => "exclusion",
            Area::Postings => "postings",
            Area::Planner => "planner",
            Area::Decisions => "decisions",
            Area::Settings => "settings",
        }
    }
}

/// What production is compared with.
#[derive(Debug, Clone)]
pub struct Reading<'a> {
    /// What the model reads.
    pub tables: IndexTables<'a>,
    /// The keys of the specification's configuration, which has no model.
    pub keys: Vec<IndexKey>,
}

impl Reading<'static> {
    /// The model as it was generated, and the specification as it stands in the workspace.
    ///
    /// # Errors
    /// [`LoadError`] when the specification cannot be read.
    pub fn current() -> Result<Self, LoadError> {
        let spec = Spec::load(&golden::workspace().join("spec"))?;
        Ok(Self { tables: INDEX, keys: spec.index.configuration.keys })
    }
}

/// The extent of a run.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    pub threads: usize,
    /// The seed of what is drawn.
    pub seed: u64,
    /// The largest sets of triggers that every status is run with; at most 3.
    pub triggers: usize,
    /// Inputs that are drawn, in each area that draws.
    pub drawn: u32,
}

impl Extent {
    /// Everything, on one thread.
    pub const WHOLE: Self = Self { threads: 1, seed: 0, triggers: 3, drawn: 4_000 };

    /// As much as a test may take that is not optimised, on one thread.
    pub const SAMPLE: Self = Self { threads: 1, seed: 0, triggers: 1, drawn: 250 };

    /// Whether inputs are enumerated as far as they ever are.
    fn is_whole(self) -> bool {
        self.drawn >= Self::WHOLE.drawn
    }
}

/// The result of one area.
#[derive(Debug, Clone)]
pub struct AreaReport {
    pub area: Area,
    /// Comparisons that were made.
    pub cases: u64,
    /// Descriptions of what was compared.
    pub facts: Vec<String>,
    /// The violations, the smallest first.
    pub faults: Vec<Fault>,
    pub took: Duration,
}

/// A violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A short description.
    pub what: String,
    /// The smallest input that shows it, with what both sides say.
    pub told: String,
}

impl AreaReport {
    fn of(area: Area) -> Self {
        Self { area, cases: 0, facts: Vec::new(), faults: Vec::new(), took: Duration::ZERO }
    }

    fn fact(&mut self, fact: String) {
        self.facts.push(fact);
    }

    fn fault(&mut self, what: &str, told: String) {
        self.faults.push(Fault { what: what.to_owned(), told });
    }
}

/// Runs every area; on several threads the others beside the state machine, which takes longest.
/// `tick` gets the number of comparisons since its last call, in areas that count them one by one.
pub fn run(reading: &Reading<'_>, extent: Extent, tick: &(dyn Fn(u64) + Sync)) -> Vec<AreaReport> {
    let run = |areas: &[Area]| -> Vec<AreaReport> {
        areas.iter().map(|area| check(*area, reading, extent, tick)).collect()
    };
    let (machine, others) = Area::ALL.split_at(1);
    if extent.threads < 2 {
        return run(&Area::ALL);
    }
    thread::scope(|scope| {
        let others = scope.spawn(|| run(others));
        let mut reports = run(machine);
        reports.extend(others.join().unwrap_or_else(|panic| resume_unwind(panic)));
        reports
    })
}

/// Runs one area.
pub fn check(
    area: Area,
    reading: &Reading<'_>,
    extent: Extent,
    tick: &(dyn Fn(u64) + Sync),
) -> AreaReport {
    let started = Instant::now();
    let tables = &reading.tables;
    let mut checked = match area {
        Area::Machine => machine::check(&tables.machine, extent, tick),
        Area::Tokens => tokens::check(&tables.text, extent, tick),
        Area::Folds => folds::check(&tables.text, tick),
        Area::Filters => filters::check(&tables.filter, extent, tick),
        Area::Exclusion => exclusion::check(tables, extent, tick),
        Area::Postings => postings::check(tables, extent, tick),
        Area::Planner => planner::check(extent, tick),
        Area::Decisions => decisions::check(&tables.decisions, extent, tick),
        Area::Settings => settings::check(&reading.keys, tables),
    };
    checked.took = started.elapsed();
    checked
}
/// Compares two answers; the error is `question` with both.
fn same<T: PartialEq + std::fmt::Debug>(
    question: &str,
    model: &T,
    production: &T,
) -> Result<(), String> {
    if model == production {
        return Ok(());
    }
    Err(format!("question    {question}\nmodel       {model:?}\nproduction  {production:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_area_is_reported_once_and_the_same_on_any_threads() {
        let reading = Reading::current().unwrap();
        let reports = |threads| {
            let extent = Extent { threads, drawn: 10, ..Extent::SAMPLE };
            let reports = run(&reading, extent, &|_| ());
            reports.into_iter().map(|it| (it.area, it.cases, it.facts)).collect::<Vec<_>>()
        };
        let alone = reports(1);
        assert!(alone.iter().map(|(area, ..)| *area).eq(Area::ALL));
        assert_eq!(reports(3), alone);
    }
}
