//! The suite `search-files`, as a part of a report.
//!
//! Responsible for: its five parts: every subject against the model, the same with an index, runs
//! against runs, calls under every budget, and windows of lines; how many cases each gets, and what
//! each vouches for. Left to neighbours: the cases ([`crate::generate`]), driving and settling
//! ([`super`]), relations between runs ([`crate::metamorphic`]), budgets ([`crate::budget`]) and
//! windows ([`crate::windows`]) themselves. Invariants: the parts draw different cases, so that
//! each adds something; a finding of any part is shrunk and stored.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::agent::Indexed;
use super::settle::{Settling, settle};
use super::suite::{Options, Progress, Suite, sound};
use super::{Against, Judge, Limit, Run, Source, drive, vouch};
use crate::budget::LONGEST;
use crate::case::Case;
use crate::claims::{CheckKind, Claim};
use crate::expected::Expected;
use crate::generate::{Coverage, Mix};
use crate::golden::GoldenError;
use crate::metamorphic::{Agreement, Indifferent};
use crate::report::{Discrepancy, Finding, Report, SuiteReport, Table, Tally};
use crate::runner::Runner;
use crate::subject::{Backend, SubjectSpec, Verdict};
use crate::windows;

/// Random cases against the model when nothing else is asked for.
const CASES: u64 = 800;

/// Answers called for under every budget when nothing else is asked for; as many as there are cases
/// if they are asked for.
const ANSWERS: u64 = 150;

/// With an index a case takes some three times as long.
const INDEXED: u64 = 2;

/// Relations between runs take many runs a case, so they get one case for so many.
const RELATED: u64 = 12;

/// Pairs of a line and a query.
const PAIRS: u64 = 20_000;

/// How often a case is called under every budget again, at most, to make it small: each time is
/// thousands of calls.
const SHRINK_CALLS: usize = 100;

/// One call under every budget.
#[derive(Debug)]
pub struct EveryBudget<'a> {
    /// Where the subject runs.
    pub runner: &'a Runner,
    /// The subject; one without processes, since it is called thousands of times.
    pub subject: SubjectSpec,
    /// Budgets that were tried.
    pub budgets: AtomicU64,
    /// Answers that were called for under every one.
    pub answers: AtomicU64,
}

impl<'a> EveryBudget<'a> {
    /// Over the embedded backend.
    pub fn new(runner: &'a Runner) -> Self {
        let subject = SubjectSpec::forge(Backend::Native);
        Self { runner, subject, budgets: AtomicU64::new(0), answers: AtomicU64::new(0) }
    }
}

impl Judge for EveryBudget<'_> {
    fn label(&self) -> String {
        format!("{} under every budget", self.subject)
    }

    fn judge(&self, case: &Case, _: &Expected) -> Verdict {
        match self.runner.sweep(case, &self.subject) {
            Err(broken) => Verdict::Broken(broken.to_string()),
            Ok(swept) if !swept.wrong.is_empty() => Verdict::Diverge(swept.wrong),
            Ok(swept) if swept.budgets == 0 => {
                Verdict::Unsupported(format!("its answer is longer than {LONGEST} bytes"))
            }
            Ok(swept) => {
                self.budgets.fetch_add(swept.budgets, Ordering::Relaxed);
                self.answers.fetch_add(u64::from(swept.length.is_some()), Ordering::Relaxed);
                Verdict::Agree
            }
        }
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        vec![&self.subject]
    }
}

/// A suite of several parts in the making.
pub(super) struct Suited<'a> {
    options: &'a Options,
    progress: &'a dyn Progress,
    /// Cases that parts before this one are done with.
    before: u64,
    done: SuiteReport,
    findings: Vec<Finding>,
}

/// Runs the suite.
pub(super) fn searched(
    options: &Options,
    runner: &Runner,
    progress: &dyn Progress,
    report: &mut Report,
) -> Result<(), GoldenError> {
    let started = Instant::now();
    let extent = Extent::of(options);
    progress.begin(Suite::SearchFiles, extent.total());
    let name = Suite::SearchFiles.name().to_owned();
    let done = SuiteReport { name, totals_only: true, ..SuiteReport::default() };
    let mut suited = Suited::new(options, progress, done);

    let against: Vec<Against<'_>> = options
        .subjects
        .iter()
        .map(|subject| Against { runner, subject: subject.clone() })
        .collect();
    let judges: Vec<&dyn Judge> = against.iter().map(|judge| judge as &dyn Judge).collect();
    let run = suited.part((Mix::Files, options.seed, extent.cases), &judges, &vouch::files)?;
    for (trap, count) in &run.coverage.counts {
        *report.coverage.entry(trap).or_default() += count;
    }

    let indexed: Vec<Indexed<'_>> =
        options.subjects.iter().map(|subject| Indexed::new(runner, subject)).collect();
    let judges: Vec<&dyn Judge> = indexed.iter().map(|judge| judge as &dyn Judge).collect();
    suited.part(
        (Mix::Files, options.seed.rotate_left(9), extent.indexed),
        &judges,
        &vouch::files,
    )?;

    let indifferent: Vec<Indifferent<'_>> = options
        .subjects
        .iter()
        .map(|subject| Indifferent { runner, subject: subject.clone() })
        .collect();
    let others = options.subjects.iter().skip(1);
    let agreement: Vec<Agreement<'_>> = (options.subjects.first().into_iter().cycle().zip(others))
        .map(|(first, second)| Agreement { runner, first: first.clone(), second: second.clone() })
        .collect();
    let judges = indifferent.iter().map(|judge| judge as &dyn Judge);
    let judges: Vec<&dyn Judge> =
        judges.chain(agreement.iter().map(|judge| judge as &dyn Judge)).collect();
    suited.part((Mix::Files, !options.seed, extent.related), &judges, &|_| vouch::related())?;

    let budgets = EveryBudget::new(runner);
    suited.part(
        (Mix::SmallFiles, options.seed.rotate_left(7), extent.answers),
        &[&budgets],
        &|_| vouch::budgets(),
    )?;
    suited.done.facts.push(format!(
        "budgets: {} answers, each under every budget up to its length, {} calls",
        budgets.answers.into_inner(),
        budgets.budgets.into_inner()
    ));

    suited.windows(report);
    suited.finish(started, report);
    Ok(())
}

impl<'a> Suited<'a> {
    /// One that has no part yet.
    pub(super) fn new(options: &'a Options, progress: &'a dyn Progress, done: SuiteReport) -> Self {
        Self { options, progress, before: 0, done, findings: Vec::new() }
    }

    /// Adds what came of it to the report.
    pub(super) fn finish(self, started: Instant, report: &mut Report) {
        let Suited { progress, mut done, findings, .. } = self;
        done.took = started.elapsed();
        progress.end(&done);
        report.suites.push(done);
        report.findings.extend(findings);
    }
}

impl Suited<'_> {
    /// Drives cases of a mix past judges, settles what fails, and vouches for what `decided` says.
    pub(super) fn part(
        &mut self,
        (mix, seed, limit): (Mix, u64, Limit),
        judges: &[&dyn Judge],
        decided: &dyn Fn(&Coverage) -> Vec<String>,
    ) -> Result<Run, GoldenError> {
        let (options, before) = (self.options, self.before);
        let source = Source::Random { mix, seed, limit };
        let run =
            drive(&source, judges, options.threads, &|done| self.progress.advance(before + done));
        if !run.failures.is_empty() {
            self.progress.settle(run.failures.len());
        }
        let settling = Settling {
            budget: if mix == Mix::SmallFiles { SHRINK_CALLS } else { options.settling.budget },
            ..options.settling.clone()
        };
        let findings = settle(&self.done.name, &run.failures, judges, &settling, &|_| None)?;
        if run.failures.len() > findings.len() {
            let told = findings.len();
            self.done.notes.push(format!(
                "{} failure(s), {told} distinct one(s) told in full",
                run.failures.len()
            ));
        }
        self.vouch(&run, judges, &decided(&run.coverage));
        self.findings.extend(findings);
        self.before += run.cases;
        self.done.cases += run.cases;
        self.done.tables.extend(run.tables.clone());
        Ok(run)
    }

    /// Leaves a record for each judge of a sound subject.
    fn vouch(&self, run: &Run, judges: &[&dyn Judge], clauses: &[String]) {
        let Some(results) = &self.options.results else { return };
        if run.cases == 0 || clauses.is_empty() {
            return;
        }
        for index in sound(judges) {
            let Some(judge) = judges.get(index) else { continue };
            let check = format!("check::{}::{}", self.done.name, judge.label());
            let mut claim = Claim::begin(results, &check, CheckKind::Suite, clauses.to_vec());
            if run.failures.iter().any(|failure| failure.judge == index) {
                claim.fail();
            }
        }
    }

    fn windows(&mut self, report: &mut Report) {
        let (options, progress) = (self.options, self.progress);
        let done = AtomicU64::new(self.before);
        let tick = |more: u64| progress.advance(done.fetch_add(more, Ordering::Relaxed) + more);
        let compared =
            windows::compare(&windows::Production, options.seed, PAIRS, options.threads, &tick);
        self.done.facts.extend(compared.told());
        let faults = u64::try_from(compared.faults.len()).unwrap_or(u64::MAX);
        let total = Tally {
            agree: compared.pairs.saturating_sub(faults),
            diverge: faults,
            ..Tally::default()
        };
        self.done.tables.insert("windows".to_owned(), Table { total, ..Table::default() });
        if let Some(results) = &options.results {
            let clauses = vouch::windows();
            let check = format!("check::{}::windows", self.done.name);
            let mut claim = Claim::begin(results, &check, CheckKind::Suite, clauses);
            if faults > 0 {
                claim.fail();
            }
        }
        report.discrepancies.extend(compared.faults.into_iter().map(|told| Discrepancy {
            suite: self.done.name.clone(),
            area: "windows".to_owned(),
            what: "production and model differ".to_owned(),
            told,
        }));
    }
}

/// How much each part of the suite is given.
struct Extent {
    cases: Limit,
    indexed: Limit,
    related: Limit,
    answers: Limit,
}

impl Extent {
    fn of(options: &Options) -> Self {
        match options.limit {
            Limit::Cases(cases) if options.asked => Self {
                cases: Limit::Cases(cases),
                indexed: Limit::Cases((cases / INDEXED).max(1)),
                related: Limit::Cases((cases / RELATED).max(1)),
                // One in ten is refused or too long: so many answers are called for as cases were
                // asked for.
                answers: Limit::Cases(cases.saturating_add(cases / 5)),
            },
            Limit::Cases(_) => Self {
                cases: Limit::Cases(CASES),
                indexed: Limit::Cases(CASES / INDEXED),
                related: Limit::Cases(CASES / RELATED),
                answers: Limit::Cases(ANSWERS),
            },
            Limit::Time(time) => Self {
                cases: Limit::Time(time / 4),
                indexed: Limit::Time(time / 8),
                related: Limit::Time(time / 8),
                answers: Limit::Time(time / 8),
            },
        }
    }

    fn total(&self) -> Option<u64> {
        let number = |limit: &Limit| match limit {
            Limit::Cases(cases) => Some(*cases),
            Limit::Time(_) => None,
        };
        let compared = number(&self.cases)? + number(&self.indexed)? + number(&self.related)?;
        Some(compared + number(&self.answers)? + PAIRS)
    }
}
