//! Mutants: whether the checks would notice a wrong table of the specification.
//!
//! Responsible for: choosing mutants, running them on all threads, and what is said of those that
//! nothing noticed. Such a change is either a hole in the checks or says nothing; the latter are
//! listed with reasons. Not here: the changes of the tables that answers are made by ([`answers`]),
//! those of the index's tables (`touchstone_index::mutants`). Invariants: the order of
//! mutants is fixed, so that a sample is the same on every machine; nothing is compiled.

pub mod answers;
mod equivalent;
pub mod facts;
mod tables;
mod values;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Which mutants are run.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// How many; `None` for all.
    pub size: Option<usize>,
    pub seed: u64,
}

impl Sample {
    /// The numbers of the mutants to run: every n-th, from a random start.
    fn of(self, total: usize) -> Vec<usize> {
        let size = self.size.unwrap_or(total).clamp(1, total.max(1));
        let stride = total.div_ceil(size).max(1);
        let first = usize::try_from(self.seed % stride as u64).unwrap_or(0);
        (first..total).step_by(stride).collect()
    }
}

/// Equivalent mutants, with reasons. A name with `#` stands for all that differ in their numbers.
pub(crate) type Equivalent<'a> = &'a [(&'static str, &'static str)];

/// The result of running mutants.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Mutants that were run.
    pub total: usize,
    /// Detected mutants, by check.
    pub noticed: BTreeMap<String, usize>,
    /// Undetected mutants that are not listed as equivalent.
    pub survivors: Vec<String>,
    /// Undetected mutants that are listed as equivalent.
    pub equivalent: Vec<(&'static str, &'static str)>,
    /// Entries of that list which are out of date, with what is wrong with them.
    pub stale: Vec<String>,
}

impl Outcome {
    /// Whether every change was noticed, or is known to say nothing.
    pub fn is_clean(&self) -> bool {
        self.survivors.is_empty() && self.stale.is_empty()
    }

    /// The number of detected mutants.
    pub fn killed(&self) -> usize {
        self.noticed.values().sum()
    }
}

/// Runs a sample of the mutants with these names; `noticed` says what notices the one of a number.
pub fn run(
    names: &[&str],
    equivalent: Equivalent<'_>,
    sample: Sample,
    threads: usize,
    tick: &(dyn Fn(u64) + Sync),
    noticed: impl Fn(usize) -> Option<String> + Sync,
) -> Outcome {
    let chosen = sample.of(names.len());
    let next = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, Option<String>>> = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some(number) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let by = noticed(*number);
                    results.lock().unwrap_or_else(PoisonError::into_inner).insert(*number, by);
                    tick(1);
                }
            });
        }
    });
    outcome(names, equivalent, results.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn outcome(
    names: &[&str],
    equivalent: Equivalent<'_>,
    results: BTreeMap<usize, Option<String>>,
) -> Outcome {
    let mut outcome = Outcome { total: results.len(), ..Outcome::default() };
    let listed = |name: &str| equivalent.iter().find(|(other, _)| is_named(other, name));
    for (number, noticed) in results {
        let name = names.get(number).copied().unwrap_or_default();
        match (noticed, listed(name)) {
            (Some(by), None) => *outcome.noticed.entry(by).or_default() += 1,
            (Some(by), Some(_)) => outcome.stale.push(format!("{name}: it is noticed, by {by}")),
            (None, Some(entry)) => outcome.equivalent.push(*entry),
            (None, None) => outcome.survivors.push(name.to_owned()),
        }
    }
    let missing =
        equivalent.iter().filter(|(entry, _)| !names.iter().any(|name| is_named(entry, name)));
    outcome.stale.extend(missing.map(|(name, _)| format!("{name}: there is no such change")));
    outcome
}

/// Whether an entry of [`Equivalent`] is about the mutant of this name.
fn is_named(entry: &str, name: &str) -> bool {
    if !entry.contains('#') {
        return entry == name;
    }
    let without = |text: &str| text.replace(|one: char| one.is_ascii_digit(), "");
    entry.replace('#', "") == without(name)
}
