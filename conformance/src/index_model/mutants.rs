//! Mutants: whether the checks would notice a wrong table.
//!
//! Responsible for: changing the model's tables and the specification's configuration, one value at a time and in memory, and running the checks
//! over each change until one of them says so. What is never noticed is either a hole in the checks or a value that says nothing; the
//! latter are listed with reasons.
//! Left to neighbours: the changes (`cells`, `lists`, `figures`, `keys`), running them (`kill`), the reasons (`survivors`).
//! Invariants: the order of mutants is fixed, so that a sample is the same on every machine; nothing is compiled.

mod cells;
mod figures;
mod keys;
mod kill;
mod lists;
mod owned;
mod survivors;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use touchstone_model::index::machine::Status;
use touchstone_spec::index::IndexKey;

pub use kill::By;

use self::kill::Bench;
use self::owned::Tables;
use super::pair::Pair;
use super::sweep::reachable;
use super::{Area, Extent, Reading, check};

/// A change of the tables.
struct Mutant {
    name: String,
    scope: Scope,
    apply: Box<dyn Fn(&mut Tables) + Send + Sync>,
}

/// A change of a key.
struct KeyMutant {
    name: String,
    /// Its place among the keys.
    key: usize,
    changed: IndexKey,
}

/// Which inputs a change can touch.
#[derive(Debug, Clone, Copy)]
enum Scope {
    /// Ticks with this trigger in this state, by place.
    Cell {
        /// The trigger.
        trigger: usize,
        /// The state.
        state: usize,
    },
    /// Ticks with both of these triggers, by place.
    Both(usize, usize),
    /// Any status, without a trigger.
    Statuses,
    /// Any tick.
    Machine,
    /// These areas.
    Areas(&'static [Area]),
}

/// Which mutants are run.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// How many; `None` for all.
    pub size: Option<usize>,
    /// Which, if not all.
    pub seed: u64,
}

/// What running mutants came to.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Mutants that were run.
    pub total: usize,
    /// How many were noticed, by what noticed them.
    pub noticed: BTreeMap<By, usize>,
    /// Those that were not, and are not listed as equivalent.
    pub survivors: Vec<String>,
    /// Those that were not, and are.
    pub equivalent: Vec<(&'static str, &'static str)>,
    /// Entries of that list which are out of date, with what is wrong with them.
    pub stale: Vec<String>,
}

impl Outcome {
    /// Whether every change was noticed, or is known to say nothing.
    pub fn is_clean(&self) -> bool {
        self.survivors.is_empty() && self.stale.is_empty()
    }

    /// How many were noticed.
    pub fn killed(&self) -> usize {
        self.noticed.values().sum()
    }
}

/// Runs mutants of what production is held against. Production has to conform: a difference that is there anyway would notice everything.
///
/// # Errors
/// A sentence when it does not.
pub fn run(
    reading: &Reading<'static>,
    sample: Sample,
    extent: Extent,
    tick: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, String> {
    let pair = Pair::new(&reading.tables.machine)?;
    let statuses = reachable(&pair);
    let tables = Tables::of(&reading.tables);
    sound(reading, extent)?;
    let bench = Bench::new(pair.names.clone(), &statuses, extent);
    let mutants = all(&tables, &statuses);
    let keys = keys::all(&reading.keys);
    let chosen = chosen(mutants.len() + keys.len(), sample);

    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, Option<By>>> = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..extent.threads.max(1) {
            scope.spawn(|| {
                while let Some(number) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let noticed = match (mutants.get(*number), keys.get(number.wrapping_sub(mutants.len()))) {
                        (Some(mutant), _) => changed(&bench, &tables, mutant, reading),
                        (None, Some(mutant)) => key_noticed(mutant, reading, extent),
                        (None, None) => None,
                    };
                    results.lock().unwrap_or_else(PoisonError::into_inner).insert(*number, noticed);
                    tick(1);
                }
            });
        }
    });
    let names: Vec<&str> = mutants
        .iter()
        .map(|mutant| mutant.name.as_str())
        .chain(keys.iter().map(|mutant| mutant.name.as_str()))
        .collect();
    Ok(told(&names, &results.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// Whether the areas that mutants are run in conform, the machine's smallest ticks included.
fn sound(reading: &Reading<'_>, extent: Extent) -> Result<(), String> {
    let small = Extent { triggers: extent.triggers.min(1), ..extent };
    let areas = Area::ALL.into_iter().filter(|area| !matches!(area, Area::Postings | Area::Planner));
    for area in areas {
        if let Some(fault) = check(area, reading, small, &|_| ()).faults.first() {
            return Err(format!("{} does not conform: {}\n{}", area.name(), fault.what, fault.told));
        }
    }
    Ok(())
}

fn all(tables: &Tables, statuses: &[Status]) -> Vec<Mutant> {
    [cells::all(tables, statuses), lists::all(tables), figures::all(tables)].into_iter().flatten().collect()
}

/// The numbers of the mutants to be run: every so-manieth, begun somewhere.
fn chosen(total: usize, sample: Sample) -> Vec<usize> {
    let size = sample.size.unwrap_or(total).clamp(1, total.max(1));
    let stride = total.div_ceil(size).max(1);
    let first = usize::try_from(sample.seed % stride as u64).unwrap_or(0);
    (first..total).step_by(stride).collect()
}

fn changed(bench: &Bench, tables: &Tables, mutant: &Mutant, reading: &Reading<'_>) -> Option<By> {
    let mut tables = tables.clone();
    (mutant.apply)(&mut tables);
    tables.read(|tables| bench.noticed(tables, mutant.scope, reading))
}

fn key_noticed(mutant: &KeyMutant, reading: &Reading<'_>, extent: Extent) -> Option<By> {
    let mut changed = reading.clone();
    if let Some(key) = changed.keys.get_mut(mutant.key) {
        *key = mutant.changed.clone();
    }
    let faults = check(Area::Settings, &changed, extent, &|_| ()).faults;
    (!faults.is_empty()).then_some(By::Area(Area::Settings))
}

fn told(names: &[&str], results: &BTreeMap<usize, Option<By>>) -> Outcome {
    let mut outcome = Outcome { total: results.len(), ..Outcome::default() };
    let listed = |name: &str| survivors::EQUIVALENT.iter().find(|(other, _)| *other == name);
    for (number, noticed) in results {
        let name = names.get(*number).copied().unwrap_or_default();
        match (noticed, listed(name)) {
            (Some(by), None) => *outcome.noticed.entry(*by).or_default() += 1,
            (Some(by), Some(_)) => outcome.stale.push(format!("{name}: it is noticed, by {by:?}")),
            (None, Some(entry)) => outcome.equivalent.push(*entry),
            (None, None) => outcome.survivors.push(name.to_owned()),
        }
    }
    let missing = survivors::EQUIVALENT.iter().filter(|(name, _)| !names.contains(name));
    outcome.stale.extend(missing.map(|(name, _)| format!("{name}: there is no such change")));
    outcome
}
