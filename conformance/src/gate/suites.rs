//! The suites of `touchstone check`.
//!
//! Responsible for: which cases and which judges make up each suite, what a suite vouches for, and
//! running the chosen ones one after the other into a [`Report`]. Most suites drive cases past
//! judges; one enumerates instead. Left to neighbours: driving and settling ([`super`]),
//! enumerating ([`index_model`]), the command line ([`crate::golden`] knows where cases lie).
//! Invariants: suites run in a fixed order; a suite that could not do its work says so in a note.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::agent;
use super::files;
use super::keyword;
use super::live;
use super::settle::settle;
use super::suite::{Options, Progress, Suite, sound};
use super::{Against, Judge, Limit, Run, Source, drive, vouch};
use crate::claims::{CheckKind, Claim};
use crate::generate::Mix;
use crate::golden::{self, GoldenError};
use crate::index_model::{self, Checked, Extent, Reading};
use crate::metamorphic::{Agreement, Extends, Indifferent};
use crate::report::{Discrepancy, Report, SuiteReport, Table, Tally};
use crate::runner::Runner;

/// Runs the chosen suites.
///
/// # Errors
/// [`GoldenError`] when stored cases cannot be read, or a finding cannot be stored.
pub fn run(
    options: &Options,
    runner: &Runner,
    progress: &dyn Progress,
) -> Result<Report, GoldenError> {
    let started = Instant::now();
    let mut report = Report {
        seed: options.seed,
        subjects: options.lines.clone(),
        suites: Vec::new(),
        coverage: BTreeMap::new(),
        findings: Vec::new(),
        discrepancies: Vec::new(),
        took: Duration::ZERO,
    };
    for suite in Suite::ALL.into_iter().filter(|suite| options.suites.contains(suite)) {
        match suite {
            Suite::SearchFiles => files::searched(options, runner, progress, &mut report)?,
            Suite::AgentTools => agent::called(options, runner, progress, &mut report)?,
            Suite::Keyword => keyword::called(options, runner, progress, &mut report)?,
            Suite::IndexModel => enumerated(suite, options, progress, &mut report),
            Suite::Index => live::lived(options, runner, progress, &mut report),
            Suite::IndexCrash => live::killed(options, runner, progress, &mut report),
            _ => driven(suite, options, runner, progress, &mut report)?,
        }
    }
    report.took = started.elapsed();
    Ok(report)
}

/// Runs a suite that drives cases past judges.
fn driven(
    suite: Suite,
    options: &Options,
    runner: &Runner,
    progress: &dyn Progress,
    report: &mut Report,
) -> Result<(), GoldenError> {
    let (source, paths) = source(suite, options)?;
    progress.begin(suite, length(&source));
    let judges = judges(suite, options, runner);
    let judges: Vec<&dyn Judge> = judges.iter().map(Box::as_ref).collect();
    let run = drive(&source, &judges, options.threads, &|done| progress.advance(done));
    if !run.failures.is_empty() {
        progress.settle(run.failures.len());
    }
    let home =
        |number: u64| usize::try_from(number).ok().and_then(|index| paths.get(index)).cloned();
    let findings = settle(suite.name(), &run.failures, &judges, &options.settling, &home)?;
    vouch_for(suite, options, &source, &run, &judges);
    let mut notes = Vec::new();
    if run.cases == 0 {
        notes.push("there are no cases".to_owned());
    }
    if run.failures.len() > findings.len() {
        notes.push(format!(
            "{} failure(s), {} distinct one(s) told in full",
            run.failures.len(),
            findings.len()
        ));
    }
    if suite == Suite::Lockstep {
        report.coverage.clone_from(&run.coverage.counts);
    }
    let name = suite.name().to_owned();
    let totals_only = suite == Suite::Metamorphic;
    let done = SuiteReport {
        name,
        tables: run.tables,
        took: run.took,
        cases: run.cases,
        notes,
        facts: Vec::new(),
        totals_only,
    };
    progress.end(&done);
    report.suites.push(done);
    report.findings.extend(findings);
    Ok(())
}

/// Runs a suite that enumerates what it compares: one row of counts for each area.
fn enumerated(suite: Suite, options: &Options, progress: &dyn Progress, report: &mut Report) {
    let started = Instant::now();
    progress.begin(suite, None);
    let mut done = SuiteReport {
        name: suite.name().to_owned(),
        tables: BTreeMap::new(),
        took: Duration::ZERO,
        cases: 0,
        notes: Vec::new(),
        facts: Vec::new(),
        totals_only: true,
    };
    let extent = Extent { threads: options.threads, seed: options.seed, ..Extent::WHOLE };
    let finished = AtomicU64::new(0);
    let tick = |more| progress.advance(finished.fetch_add(more, Ordering::Relaxed) + more);
    match Reading::current() {
        Ok(reading) => {
            for checked in index_model::run(&reading, extent, &tick) {
                area(suite, options, checked, &mut done, report);
            }
        }
        Err(error) => report.discrepancies.push(Discrepancy {
            suite: suite.name().to_owned(),
            area: "specification".to_owned(),
            what: "it cannot be read".to_owned(),
            told: error.to_string(),
        }),
    }
    done.took = started.elapsed();
    progress.end(&done);
    report.suites.push(done);
}

/// Writes down what one area of an enumerating suite came to, and vouches for its clauses.
fn area(
    suite: Suite,
    options: &Options,
    checked: Checked,
    done: &mut SuiteReport,
    report: &mut Report,
) {
    let name = checked.area.name();
    let faults = u64::try_from(checked.faults.len()).unwrap_or(u64::MAX);
    let total =
        Tally { agree: checked.cases.saturating_sub(faults), diverge: faults, ..Tally::default() };
    done.tables.insert(name.to_owned(), Table { total, ..Table::default() });
    done.cases += checked.cases;
    let seconds = checked.took.as_secs_f64();
    done.facts.push(format!("{name}: {} comparisons in {seconds:.1} s", checked.cases));
    done.facts.extend(checked.facts.into_iter().map(|fact| format!("{name}: {fact}")));
    if let Some(results) = &options.results {
        let clauses = vouch::index_model(checked.area).map(str::to_owned);
        let check = format!("check::{}::{name}", suite.name());
        let mut claim = Claim::begin(results, &check, CheckKind::Suite, clauses);
        if faults > 0 || checked.cases == 0 {
            claim.fail();
        }
    }
    report.discrepancies.extend(checked.faults.into_iter().map(|fault| Discrepancy {
        suite: suite.name().to_owned(),
        area: name.to_owned(),
        what: fault.what,
        told: fault.told,
    }));
}

/// The cases of a suite, and where they are stored if they are.
fn source(suite: Suite, options: &Options) -> Result<(Source, Vec<PathBuf>), GoldenError> {
    if !suite.directories().is_empty() {
        let (mut paths, mut cases) = (Vec::new(), Vec::new());
        for directory in suite.directories() {
            let (more, stored): (Vec<_>, Vec<_>) =
                golden::cases(&golden::directory(directory))?.into_iter().unzip();
            paths.extend(more);
            cases.extend(stored);
        }
        return Ok((Source::Stored(cases), paths));
    }
    // Relations between runs take many runs a case, so they get fewer cases, and other ones.
    let (seed, limit) = match (suite, options.limit) {
        (Suite::Metamorphic, Limit::Cases(cases)) => {
            (!options.seed, Limit::Cases((cases / 15).max(1)))
        }
        (Suite::Metamorphic, Limit::Time(time)) => (!options.seed, Limit::Time(time / 4)),
        (_, Limit::Time(time)) => (options.seed, Limit::Time(time / 4 * 3)),
        (_, limit) => (options.seed, limit),
    };
    Ok((Source::Random { mix: Mix::Search, seed, limit }, Vec::new()))
}

fn length(source: &Source) -> Option<u64> {
    match source {
        Source::Stored(cases) => u64::try_from(cases.len()).ok(),
        Source::Random { limit: Limit::Cases(cases), .. } => Some(*cases),
        Source::Random { limit: Limit::Time(_), .. } => None,
    }
}

fn judges<'a>(suite: Suite, options: &Options, runner: &'a Runner) -> Vec<Box<dyn Judge + 'a>> {
    let mut judges: Vec<Box<dyn Judge + 'a>> = Vec::new();
    if suite != Suite::Metamorphic {
        for subject in &options.subjects {
            judges.push(Box::new(Against { runner, subject: subject.clone() }));
        }
        return judges;
    }
    for subject in &options.subjects {
        judges.push(Box::new(Extends { runner, subject: subject.clone() }));
        judges.push(Box::new(Indifferent { runner, subject: subject.clone() }));
    }
    let others = options.subjects.iter().skip(1);
    for (first, second) in options.subjects.first().into_iter().cycle().zip(others) {
        judges.push(Box::new(Agreement { runner, first: first.clone(), second: second.clone() }));
    }
    judges
}

/// Writes the records of what the suite decided: one per stored case, or one per judge for random
/// ones. A simulated bug says nothing about the service, so judges of sabotaged subjects are left
/// out.
fn vouch_for(suite: Suite, options: &Options, source: &Source, run: &Run, judges: &[&dyn Judge]) {
    let Some(results) = &options.results else { return };
    let sound = sound(judges);
    if sound.is_empty() || run.cases == 0 {
        return;
    }
    let record = |check: String, clauses: Vec<String>, failed: bool| {
        if clauses.is_empty() {
            return;
        }
        let mut claim = Claim::begin(results, &check, CheckKind::Suite, clauses);
        if failed {
            claim.fail();
        }
    };
    let name = suite.name();
    let failures = || run.failures.iter().filter(|failure| sound.contains(&failure.judge));
    match source {
        Source::Stored(cases) => {
            for (number, case) in (0_u64..).zip(cases) {
                let failed = failures().any(|failure| failure.number == number);
                record(format!("check::{name}::{}", case.id), case.clauses.clone(), failed);
            }
        }
        Source::Random { .. } => {
            let clauses = match suite {
                Suite::Metamorphic => vouch::metamorphic(run.cases),
                _ => vouch::lockstep(&run.coverage),
            };
            for index in &sound {
                let Some(judge) = judges.get(*index) else { continue };
                let failed = failures().any(|failure| failure.judge == *index);
                record(format!("check::{name}::{}", judge.label()), clauses.clone(), failed);
            }
        }
    }
}
