//! Mutants: whether the checks would notice a wrong table.
//!
//! Responsible for: changing the model's tables and the specification's configuration, one value at
//! a time and in memory, and running the checks over each change until one of them says so. What is
//! never noticed is either a hole in the checks or a value that says nothing; the latter are listed
//! with reasons. Not here: the changes (`cells`, `lists`, `figures`, `keys`), running them
//! (`kill`), the reasons (`survivors`). Invariants: the order of mutants is fixed, so that a sample
//! is the same on every machine; nothing is compiled.

mod cells;
mod figures;
mod keys;
mod kill;
mod lists;
mod owned;
mod survivors;

use touchstone_model::index::machine::Status;
use touchstone_spec::index::IndexKey;

pub use kill::Detector;
use touchstone_lockstep::mutants::{self, Outcome, Sample};

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
        trigger: usize,
        state: usize,
    },
    /// Ticks with both of these triggers, by place.
    Both(usize, usize),
    /// Any status, without a trigger.
    Statuses,
    /// Any tick.
    Machine,
    Areas(&'static [Area]),
}

/// Runs mutants of what production is held against. Production has to conform: a difference that is
/// there anyway would notice everything.
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
    let all = all(&tables, &statuses);
    let keys = keys::all(&reading.keys);
    let names: Vec<&str> = all
        .iter()
        .map(|mutant| mutant.name.as_str())
        .chain(keys.iter().map(|mutant| mutant.name.as_str()))
        .collect();
    Ok(mutants::run(&names, survivors::EQUIVALENT, sample, extent.threads, tick, |number| {
        let by = match (all.get(number), keys.get(number.wrapping_sub(all.len()))) {
            (Some(mutant), _) => changed(&bench, &tables, mutant, reading),
            (None, Some(mutant)) => key_noticed(mutant, reading, extent),
            (None, None) => None,
        };
        by.map(|by| format!("{by:?}"))
    }))
}

/// Whether the areas that mutants are run in conform, the machine's smallest ticks included.
fn sound(reading: &Reading<'_>, extent: Extent) -> Result<(), String> {
    let small = Extent { triggers: extent.triggers.min(1), ..extent };
    let areas =
        Area::ALL.into_iter().filter(|area| !matches!(area, Area::Postings | Area::Planner));
    for area in areas {
        if let Some(fault) = check(area, reading, small, &|_| ()).faults.first() {
            return Err(format!(
                "{} does not conform: {}\n{}",
                area.name(),
                fault.what,
                fault.told
            ));
        }
    }
    Ok(())
}

fn all(tables: &Tables, statuses: &[Status]) -> Vec<Mutant> {
    [cells::all(tables, statuses), lists::all(tables), figures::all(tables)]
        .into_iter()
        .flatten()
        .collect()
}

fn changed(
    bench: &Bench,
    tables: &Tables,
    mutant: &Mutant,
    reading: &Reading<'_>,
) -> Option<Detector> {
    let mut tables = tables.clone();
    (mutant.apply)(&mut tables);
    tables.read(|tables| bench.noticed(tables, mutant.scope, reading))
}

fn key_noticed(mutant: &KeyMutant, reading: &Reading<'_>, extent: Extent) -> Option<Detector> {
    let mut changed = reading.clone();
    if let Some(key) = changed.keys.get_mut(mutant.key) {
        *key = mutant.changed.clone();
    }
    let faults = check(Area::Settings, &changed, extent, &|_| ()).faults;
    (!faults.is_empty()).then_some(Detector::Area(Area::Settings))
}
