//! Runs cases past judges, on every processor.
//!
//! Responsible for: the main judge, [`ModelJudge`] the model;
//! driving cases from a [`Source`] through judges. Not here: which suites there are ([`suites`]),
//! what becomes of failures ([`findings`]), what a suite verifies ([`clauses`]), processes and
//! trees ([`crate::runner`]), what holds between runs ([`crate::metamorphic`]), and telling people
//! ([`crate::report`]). Invariants: which cases are run, and with which result, depends on the seed
//! and never on the number of threads; failures come back in the order of the cases; a verdict is
//! counted exactly once.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::case::Case;
use crate::compare::Comparison;
use crate::coverage::Coverage;
use crate::expected::Expected;
use crate::generate::{Generator, Mix};
use crate::report::Table;
use crate::runner::Runner;
use crate::subject::{SubjectSpec, Verdict};

mod changes;
pub mod clauses;
mod enumerate;
pub mod findings;
mod judges;
mod live;
pub mod suite;
pub mod suites;

pub use crate::judge::Judge;
pub use crate::limit::Limit;
pub use judges::{BudgetJudge, IndexedJudge, PagesJudge};

pub const DEFAULT_SEED: u64 = 0x70C4_5704;

/// Failures after which no more cases are drawn.
const MAX_FAILURES: u64 = 200;

/// Compares one subject with the model.
#[derive(Debug)]
pub struct ModelJudge<'a> {
    pub runner: &'a Runner,
    pub subject: SubjectSpec,
}

impl Judge for ModelJudge<'_> {
    fn label(&self) -> String {
        self.subject.to_string()
    }

    fn judge(&self, case: &Case, expected: &Expected) -> Verdict {
        match self.runner.run(case, &self.subject) {
            Err(broken) => Verdict::Broken(broken.to_string()),
            Ok(observation) => {
                match expected.compare(case, self.subject.backend, observation.as_ref()) {
                    Comparison::Canonical => Verdict::Agree,
                    Comparison::Permitted => Verdict::Allowed,
                    Comparison::Differs(differences) => Verdict::Diverge(differences),
                }
            }
        }
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        vec![&self.subject]
    }
}

/// Where cases come from.
#[derive(Debug, Clone)]
pub enum Source {
    /// Drawn at random.
    Random {
        mix: Mix,
        seed: u64,
        limit: Limit,
    },
    Stored(Vec<Case>),
}

/// A verdict that fails the run.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The number of the case in its source.
    pub number: u64,
    /// The index of the judge.
    pub judge: usize,
    pub case: Case,
    pub verdict: Verdict,
}

/// The result of driving cases past judges.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The counts, by the judges' labels.
    pub tables: BTreeMap<String, Table>,
    /// The traps that the cases covered.
    pub coverage: Coverage,
    /// By number and judge.
    pub failures: Vec<Failure>,
    pub cases: u64,
    pub took: Duration,
}

pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Runs every case of `source` past every judge, on `threads` threads. `tick` is called after every
/// case with the number of cases finished so far.
pub fn drive(
    source: &Source,
    judges: &[&dyn Judge],
    threads: usize,
    tick: &(dyn Fn(u64) + Sync),
) -> Run {
    let started = Instant::now();
    let shared = DriveState {
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        failures: AtomicU64::new(0),
        started,
    };
    let whole = Mutex::new(Run::default());
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let part = shared.work(source, judges, tick);
                whole.lock().unwrap_or_else(PoisonError::into_inner).add(part);
            });
        }
    });
    let mut run = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    run.failures.sort_by_key(|failure| (failure.number, failure.judge));
    run.took = started.elapsed();
    run
}

impl Run {
    fn add(&mut self, part: Run) {
        for (label, table) in &part.tables {
            self.tables.entry(label.clone()).or_default().add(table);
        }
        self.coverage.add(&part.coverage);
        self.failures.extend(part.failures);
        self.cases += part.cases;
    }

    /// Counts a judged case.
    fn count(
        &mut self,
        number: u64,
        judge: usize,
        label: &str,
        case: &Case,
        expected: Option<&Expected>,
        verdict: Verdict,
    ) {
        let canonical = expected.map(|expected| &expected.canonical);
        self.tables.entry(label.to_owned()).or_default().count(case, canonical, &verdict);
        if !verdict.is_fine() {
            self.failures.push(Failure { number, judge, case: case.clone(), verdict });
        }
    }
}

/// The state that the threads of a run share.
struct DriveState {
    next: AtomicU64,
    done: AtomicU64,
    failures: AtomicU64,
    started: Instant,
}

impl DriveState {
    fn work(&self, source: &Source, judges: &[&dyn Judge], tick: &(dyn Fn(u64) + Sync)) -> Run {
        let mut run = Run::default();
        let labels: Vec<String> = judges.iter().map(|judge| judge.label()).collect();
        let generator = match source {
            Source::Random { mix, seed, .. } => Some(Generator::of(*mix, *seed)),
            Source::Stored(_) => None,
        };
        while let Some((number, case)) = self.draw(source, generator.as_ref()) {
            self.one(&mut run, judges, &labels, number, &case);
            run.cases += 1;
            tick(self.done.fetch_add(1, Ordering::Relaxed) + 1);
        }
        run
    }

    fn draw(&self, source: &Source, generator: Option<&Generator>) -> Option<(u64, Case)> {
        if self.failures.load(Ordering::Relaxed) >= MAX_FAILURES {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        match (source, generator) {
            (Source::Stored(cases), _) => usize::try_from(number)
                .ok()
                .and_then(|index| cases.get(index))
                .map(|case| (number, case.clone())),
            (Source::Random { limit, .. }, Some(generator)) => {
                let enough = match limit {
                    Limit::Cases(cases) => number >= *cases,
                    Limit::Time(time) => self.started.elapsed() >= *time,
                };
                (!enough).then(|| (number, generator.case(number)))
            }
            (Source::Random { .. }, None) => None,
        }
    }

    fn one(
        &self,
        run: &mut Run,
        judges: &[&dyn Judge],
        labels: &[String],
        number: u64,
        case: &Case,
    ) {
        let before = run.failures.len();
        match Expected::of(case) {
            Ok(expected) => {
                run.coverage.observe(case, &expected.canonical);
                for (index, (judge, label)) in judges.iter().zip(labels).enumerate() {
                    let verdict = judge.judge(case, &expected);
                    run.count(number, index, label, case, Some(&expected), verdict);
                }
            }
            Err(panic) => {
                for (index, label) in labels.iter().enumerate() {
                    run.count(number, index, label, case, None, Verdict::Broken(panic.clone()));
                }
            }
        }
        let new = u64::try_from(run.failures.len() - before).unwrap_or(u64::MAX);
        self.failures.fetch_add(new, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
