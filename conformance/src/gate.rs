//! Runs cases past judges, on every processor, and settles what fails.
//!
//! Responsible for: the [`Judge`] trait and its main implementation, [`Against`] the model; driving cases from a
//! [`Source`] through judges; shrinking failures into findings and storing them.
//! Left to neighbours: which suites there are ([`suites`]), processes and trees ([`crate::runner`]), what holds
//! between runs ([`crate::metamorphic`]), and telling people ([`crate::report`]).
//! Invariants: which cases are run, and with which result, depends on the seed and never on the number of threads;
//! a failure is settled from the smallest case number on; a verdict is counted exactly once.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use touchstone_model::{Allowed, Outcome};

use crate::case::Case;
use crate::compare::{Comparison, compare};
use crate::generate::{Coverage, Generator};
use crate::golden::{self, GoldenError};
use crate::report::{Finding, Group, Problem, Table};
use crate::runner::Runner;
use crate::shrink::{Measure, shrink};
use crate::subject::{SubjectSpec, Verdict};

pub mod suites;
pub mod vouch;

/// The seed when none is asked for.
pub const DEFAULT_SEED: u64 = 0x70C4_5704;

/// How often a failing case is run again, at most, to make it small.
pub const SHRINK_BUDGET: usize = 1_500;

/// Distinct findings after which no more failures are settled.
pub const MAX_FINDINGS: usize = 5;

/// Failures that are settled in the hope of finding a distinct one.
const MAX_SETTLED: usize = 12;

/// Failures after which no more cases are drawn: by then it is clear that something is wrong.
const MAX_FAILURES: u64 = 200;

/// Decides about one case. Shared between threads.
pub trait Judge: Sync {
    /// What the verdicts are counted under; usually the subject's name.
    fn label(&self) -> String;

    /// Decides, given what the model allows.
    fn judge(&self, case: &Case, allowed: &Allowed) -> Verdict;

    /// The subjects that a person replays a stored case on.
    fn subjects(&self) -> Vec<&SubjectSpec>;
}

/// Holds one subject against the model.
#[derive(Debug)]
pub struct Against<'a> {
    /// Where the subject runs.
    pub runner: &'a Runner,
    /// The subject.
    pub subject: SubjectSpec,
}

impl Judge for Against<'_> {
    fn label(&self) -> String {
        self.subject.to_string()
    }

    fn judge(&self, case: &Case, allowed: &Allowed) -> Verdict {
        if let Some(reason) = self.subject.capabilities().unsupported(case) {
            return Verdict::Unsupported(reason);
        }
        match self.runner.run(case, &self.subject) {
            Err(broken) => Verdict::Broken(broken.to_string()),
            Ok(observation) => match compare(allowed, &case.request, observation.as_ref()) {
                Comparison::Canonical => Verdict::Agree,
                Comparison::Permitted => Verdict::Allowed,
                Comparison::Differs(differences) => Verdict::Diverge(differences),
            },
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
        /// The seed.
        seed: u64,
        /// When it is enough.
        limit: Limit,
    },
    /// These.
    Stored(Vec<Case>),
}

/// When enough random cases were drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// After so many.
    Cases(u64),
    /// After so long; the case in hand is finished.
    Time(Duration),
}

/// A verdict that is not fine.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The number of the case in its source.
    pub number: u64,
    /// The judge, by its place in the list.
    pub judge: usize,
    /// The case.
    pub case: Case,
    /// What was decided.
    pub verdict: Verdict,
}

/// What driving cases past judges came to.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The counts, by the judges' labels.
    pub tables: BTreeMap<String, Table>,
    /// What the cases covered.
    pub coverage: Coverage,
    /// What failed, by number and judge.
    pub failures: Vec<Failure>,
    /// Cases that were run.
    pub cases: u64,
    /// How long it took.
    pub took: Duration,
}

/// Everything a correct searcher may answer to a case.
///
/// # Errors
/// The model's own words when it panics, which is the model's bug.
pub fn allowed(case: &Case) -> Result<Allowed, String> {
    let ask = || touchstone_model::search(&case.world(), &case.model_config(), &case.tool, &case.request);
    // The model is a function of its arguments, so there is nothing that a panic could leave half-done.
    catch_unwind(AssertUnwindSafe(ask)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        format!("the model panicked: {}", text.unwrap_or_else(|| "without a message".to_owned()))
    })
}

/// As many threads as there are processors.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Runs every case of `source` past every judge, on `threads` threads. `tick` is called after every case with the
/// number of cases finished so far.
pub fn drive(source: &Source, judges: &[&dyn Judge], threads: usize, tick: &(dyn Fn(u64) + Sync)) -> Run {
    let started = Instant::now();
    let shared = Shared { next: AtomicU64::new(0), done: AtomicU64::new(0), failures: AtomicU64::new(0), started };
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

    /// Counts one case that was judged.
    fn count(&mut self, number: u64, judge: usize, label: &str, case: &Case, outcome: &Outcome, verdict: Verdict) {
        self.tables.entry(label.to_owned()).or_default().count(case, outcome, &verdict);
        if !verdict.is_fine() {
            self.failures.push(Failure { number, judge, case: case.clone(), verdict });
        }
    }
}

/// What the threads of one run have in common.
struct Shared {
    next: AtomicU64,
    done: AtomicU64,
    failures: AtomicU64,
    started: Instant,
}

impl Shared {
    fn work(&self, source: &Source, judges: &[&dyn Judge], tick: &(dyn Fn(u64) + Sync)) -> Run {
        let mut run = Run::default();
        let labels: Vec<String> = judges.iter().map(|judge| judge.label()).collect();
        let generator = match source {
            Source::Random { seed, .. } => Some(Generator::new(*seed)),
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
            (Source::Stored(cases), _) => {
                usize::try_from(number).ok().and_then(|index| cases.get(index)).map(|case| (number, case.clone()))
            }
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

    fn one(&self, run: &mut Run, judges: &[&dyn Judge], labels: &[String], number: u64, case: &Case) {
        let before = run.failures.len();
        match allowed(case) {
            Ok(allowed) => {
                run.coverage.observe(case, allowed.canonical());
                for (index, (judge, label)) in judges.iter().zip(labels).enumerate() {
                    let verdict = judge.judge(case, &allowed);
                    run.count(number, index, label, case, allowed.canonical(), verdict);
                }
            }
            Err(panic) => {
                let nothing = Err(touchstone_model::Refusal { class: String::new(), field: String::new() });
                for (index, label) in labels.iter().enumerate() {
                    run.count(number, index, label, case, &nothing, Verdict::Broken(panic.clone()));
                }
            }
        }
        let new = u64::try_from(run.failures.len() - before).unwrap_or(u64::MAX);
        self.failures.fetch_add(new, Ordering::Relaxed);
    }
}

/// Where findings go, and how many of them.
#[derive(Debug, Clone)]
pub struct Settling {
    /// The directory that shrunk cases are stored in; `None` to store nothing.
    pub store: Option<PathBuf>,
    /// Distinct findings after which it is enough.
    pub findings: usize,
    /// How often a case is run again, at most, to make it small; 0 leaves it as it is.
    pub budget: usize,
}

/// Shrinks failures, the first first, until there are enough distinct ones.
///
/// # Errors
/// [`GoldenError`] when a case cannot be stored.
pub fn settle(
    suite: &str,
    failures: &[Failure],
    judges: &[&dyn Judge],
    settling: &Settling,
) -> Result<Vec<Finding>, GoldenError> {
    let mut findings: Vec<Finding> = Vec::new();
    for failure in failures.iter().take(MAX_SETTLED) {
        if findings.len() >= settling.findings {
            break;
        }
        let Some(judge) = judges.get(failure.judge) else { continue };
        let finding = settle_one(suite, failure, *judge, settling)?;
        if !findings.iter().any(|known| known.case.id == finding.case.id) {
            findings.push(finding);
        }
    }
    Ok(findings)
}

fn settle_one(
    suite: &str,
    failure: &Failure,
    judge: &dyn Judge,
    settling: &Settling,
) -> Result<Finding, GoldenError> {
    let original = nature(&failure.case, &failure.verdict);
    let shrunk = shrink(&failure.case, settling.budget, |case| {
        let verdict = judge_alone(judge, case);
        !verdict.is_fine() && nature(case, &verdict).resembles(&original)
    });
    // Stored cases keep their names; a drawn one gets one that says what it is about.
    let mut case = shrunk.case;
    let verdict = if Measure::of(&case) == Measure::of(&failure.case) {
        failure.verdict.clone()
    } else {
        judge_alone(judge, &case)
    };
    let label = judge.label();
    let mut stored = None;
    if failure.case.id.starts_with("random-") {
        case.id = golden::stable_name(original.name(), &case);
        case.title = format!("{label}: found at random, case {} of the {suite} suite", failure.number);
        if let Some(directory) = &settling.store {
            stored = Some(golden::store(directory, &case)?);
        }
    }
    let what = match verdict {
        Verdict::Diverge(differences) => Problem::Differs(differences),
        Verdict::Broken(how) => Problem::Broken(how),
        other => Problem::Broken(format!("the failure did not come back: {other:?} at the second try")),
    };
    let replay = stored.as_deref().map(|path| replay_command(path, judge));
    let stored = stored.map(|path| path.display().to_string());
    Ok(Finding { suite: suite.to_owned(), subject: label, case, what, stored, replay })
}

/// How a person sees a stored case fail again.
fn replay_command(path: &Path, judge: &dyn Judge) -> String {
    let mut command = format!("touchstone replay {}", path.display());
    for subject in judge.subjects() {
        command.push_str(&format!(" --subject {subject}"));
    }
    command
}

/// The verdict on a case by itself.
pub fn judge_alone(judge: &dyn Judge, case: &Case) -> Verdict {
    match allowed(case) {
        Ok(allowed) => judge.judge(case, &allowed),
        Err(panic) => Verdict::Broken(panic),
    }
}

/// What kind of failure a verdict is, so that shrinking does not slip from one bug to another.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Nature {
    Broken,
    Diverges(Vec<Group>),
}

fn nature(case: &Case, verdict: &Verdict) -> Nature {
    match verdict {
        Verdict::Diverge(differences) => {
            let refused = allowed(case).is_ok_and(|allowed| allowed.canonical().is_err());
            Nature::Diverges(Group::of_differences(case, refused, differences))
        }
        _ => Nature::Broken,
    }
}

impl Nature {
    fn resembles(&self, original: &Nature) -> bool {
        match (self, original) {
            (Nature::Broken, Nature::Broken) => true,
            (Nature::Diverges(groups), Nature::Diverges(others)) => groups.iter().any(|group| others.contains(group)),
            _ => false,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Nature::Broken => "broken",
            Nature::Diverges(groups) => groups.first().map_or("matching", |group| group.name()),
        }
    }
}

#[cfg(test)]
mod tests;
