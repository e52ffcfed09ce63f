//! The suites of `touchstone check`.
//!
//! Responsible for: which cases and which judges make up the parts of each suite, what each part
//! decides, and running the chosen suites one after the other into a [`Report`]. Not here: driving
//! and shrinking ([`super`]), suites without cases (`enumerate`, `live`), where cases lie
//! ([`crate::golden`]). Invariants: suites run in a fixed order; parts of a suite draw different
//! cases, so that each adds something; a suite that could not do its work says so in a note.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::ValueEnum as _;

use super::clauses::{self, Decides};
use super::findings::{FindingOptions, collect};
use super::judges::{BudgetJudge, IndexedJudge, PagesJudge};
use super::suite::{Options, Progress, Suite, sound};
use super::{Judge, Limit, ModelJudge, Run, Source, drive, enumerate, live};
use crate::family::Family;
use crate::generate::Mix;
use crate::golden::{self, GoldenError};
use crate::metamorphic::{Agreement, Extension, Invariance};
use crate::records::{CheckKind, Recorder};
use crate::report::{Report, SuiteReport};
use crate::runner::Runner;
use crate::subject::SubjectSpec;

/// Most budget sweeps to shrink a case: each is thousands of calls.
const SHRINK_CALLS: usize = 100;

/// Default number of answers that are called for under every budget.
const ANSWERS: u64 = 150;

/// Cases that are driven past judges.
struct Part<'a> {
    source: Source,
    paths: Vec<PathBuf>,
    judges: Vec<Box<dyn Judge + 'a>>,
    /// `None` for stored cases, each of which decides its own clauses.
    decides: Option<Decides>,
    /// Whether the report includes coverage.
    counts: bool,
}

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
    for suite in Suite::value_variants().iter().filter(|suite| options.suites.contains(suite)) {
        match suite {
            Suite::IndexModel => enumerate::enumerated(options, progress, &mut report),
            Suite::Index => live::lived(options, runner, progress, &mut report),
            Suite::IndexCrash => live::killed(options, runner, progress, &mut report),
            _ => driven(*suite, options, runner, progress, &mut report)?,
        }
    }
    report.took = started.elapsed();
    Ok(report)
}

/// The parts of a suite that drives cases past judges.
#[expect(clippy::too_many_lines, reason = "a table: the parts of each suite")]
fn parts<'a>(
    suite: Suite,
    options: &Options,
    runner: &'a Runner,
) -> Result<Vec<Part<'a>>, GoldenError> {
    let (all, distinct) = (&options.subjects, distinct(&options.subjects));
    let (seed, other_seed) = (options.seed, options.seed.rotate_left(9));
    let limit = |usual: u64| match options.limit {
        Limit::Cases(_) if !options.asked => Limit::Cases(usual),
        limit => limit,
    };
    let against = |subject| ModelJudge { runner, subject };
    let indexed = |subject| IndexedJudge::new(runner, &subject);
    let indifferent = |subject| Invariance { runner, subject };
    let by_trap = |family: Family| Decides::ByTrap(clauses::by_trap(family));
    Ok(match suite {
        Suite::Lockstep => vec![
            Part::random(Family::Search, seed, options.limit.share(1, 6), by_trap(Family::Search))
                .counted()
                .each(all, against),
        ],
        // Relations need many runs a case, so they get fewer cases.
        Suite::Metamorphic => {
            let decides = Decides::After(20, clauses::METAMORPHIC);
            let part = Part::random(Family::Search, !seed, options.limit.share(15, 2), decides);
            vec![
                part.each(all, |subject| Extension { runner, subject })
                    .each(all, indifferent)
                    .agreeing(all, runner),
            ]
        }
        // With an index a case takes three times as long.
        Suite::SearchFiles => {
            let (family, limit) = (Family::Files, limit(800));
            let related = Decides::After(1, clauses::FILES_RELATED);
            let answers = match options.limit {
                // One in ten is refused or too long, so more cases are drawn than answers wanted.
                Limit::Cases(cases) if options.asked => Limit::Cases(cases + cases / 5),
                Limit::Cases(_) => Limit::Cases(ANSWERS),
                time @ Limit::Time(_) => time.share(1, 1),
            };
            let budgets = Decides::After(1, clauses::FILES_BUDGETS);
            let source =
                Source::Random { mix: Mix::SmallFiles, seed: seed.rotate_left(7), limit: answers };
            vec![
                Part::random(family, seed, limit.share(1, 2), by_trap(family))
                    .counted()
                    .each(all, against),
                Part::random(family, other_seed, limit.share(2, 1), by_trap(family))
                    .each(all, indexed),
                Part::random(family, !seed, limit.share(12, 1), related)
                    .each(all, indifferent)
                    .agreeing(all, runner),
                Part::of(source, budgets).past(BudgetJudge::new(runner)),
            ]
        }
        // These tools read files themselves, so one subject for each simulated bug, and one
        // without, is enough for all backends.
        Suite::AgentTools => {
            let (family, limit) = (Family::Agent, limit(800));
            let with_index = Decides::After(1, clauses::AGENT_INDEXED);
            let related = Decides::After(1, clauses::AGENT_RELATED);
            vec![
                Part::random(family, seed, limit.share(1, 2), by_trap(family))
                    .counted()
                    .each(&distinct, against),
                Part::random(family, other_seed, limit.share(4, 1), with_index)
                    .each(&distinct, indexed),
                Part::random(family, !seed, limit.share(12, 1), related)
                    .each(&distinct, |subject| PagesJudge { runner, subject })
                    .each(&distinct, indifferent),
            ]
        }
        Suite::Keyword => {
            let (family, limit) = (Family::Keyword, limit(400));
            let with_index = Decides::After(1, clauses::KEYWORD_INDEXED);
            vec![
                Part::random(family, seed, limit.share(1, 4), by_trap(family))
                    .counted()
                    .each(&distinct, against),
                Part::random(family, other_seed, limit.share(5, 1), with_index)
                    .each(&distinct, indexed),
            ]
        }
        _ => vec![Part::stored(suite)?.each(all, against)],
    })
}

/// The subjects that differ in more than their backend.
fn distinct(subjects: &[SubjectSpec]) -> Vec<SubjectSpec> {
    let mut distinct: Vec<SubjectSpec> = Vec::new();
    for subject in subjects {
        if !distinct.iter().any(|known| known.sabotage == subject.sabotage) {
            distinct.push(subject.clone());
        }
    }
    distinct
}

impl<'a> Part<'a> {
    fn of(source: Source, decides: Decides) -> Self {
        let (paths, judges) = (Vec::new(), Vec::new());
        Self { source, paths, judges, decides: Some(decides), counts: false }
    }

    fn random(family: Family, seed: u64, limit: Limit, decides: Decides) -> Self {
        Self::of(Source::Random { mix: Mix::Of(family), seed, limit }, decides)
    }

    fn stored(suite: Suite) -> Result<Self, GoldenError> {
        let (mut paths, mut cases) = (Vec::new(), Vec::new());
        for directory in suite.directories() {
            for (path, case) in golden::cases(&golden::directory(directory))? {
                paths.push(path);
                cases.push(case);
            }
        }
        let (source, judges) = (Source::Stored(cases), Vec::new());
        Ok(Self { source, paths, judges, decides: None, counts: false })
    }

    fn counted(self) -> Self {
        Self { counts: true, ..self }
    }

    fn past(mut self, judge: impl Judge + 'a) -> Self {
        self.judges.push(Box::new(judge));
        self
    }

    /// With a judge for each subject.
    fn each<J: Judge + 'a>(
        self,
        subjects: &[SubjectSpec],
        judge: impl Fn(SubjectSpec) -> J,
    ) -> Self {
        subjects.iter().cloned().fold(self, |part, subject| part.past(judge(subject)))
    }

    /// With a judge for each pair of the first subject and another.
    fn agreeing(self, subjects: &[SubjectSpec], runner: &'a Runner) -> Self {
        let Some((first, others)) = subjects.split_first() else { return self };
        self.each(others, |second| Agreement { runner, first: first.clone(), second })
    }

    fn length(&self) -> Option<u64> {
        match &self.source {
            Source::Stored(cases) => u64::try_from(cases.len()).ok(),
            Source::Random { limit: Limit::Cases(cases), .. } => Some(*cases),
            Source::Random { limit: Limit::Time(_), .. } => None,
        }
    }

    /// Writes the records: one for each stored case, or one for each judge of random ones. Judges
    /// of sabotaged subjects are left out, since a simulated bug says nothing about the service.
    fn record(&self, name: &str, options: &Options, run: &Run, judges: &[&dyn Judge]) {
        let Some(results) = &options.results else { return };
        let sound = sound(judges);
        if sound.is_empty() || run.cases == 0 {
            return;
        }
        let record = |check: &str, clauses: Vec<String>, failed: bool| {
            if clauses.is_empty() {
                return;
            }
            let check = format!("check::{name}::{check}");
            let mut recorder = Recorder::begin(results, &check, CheckKind::Suite, clauses);
            if failed {
                recorder.fail();
            }
        };
        let failures = || run.failures.iter().filter(|failure| sound.contains(&failure.judge));
        if let Source::Stored(cases) = &self.source {
            for (number, case) in (0_u64..).zip(cases) {
                let failed = failures().any(|failure| failure.number == number);
                record(&case.id, case.clauses.clone(), failed);
            }
        }
        if let Some(decides) = self.decides {
            let clauses = decides.clauses(run);
            for index in &sound {
                let Some(judge) = judges.get(*index) else { continue };
                let failed = failures().any(|failure| failure.judge == *index);
                record(&judge.label(), clauses.clone(), failed);
            }
        }
    }
}

/// Runs a suite that drives cases past judges.
fn driven(
    suite: Suite,
    options: &Options,
    runner: &Runner,
    progress: &dyn Progress,
    report: &mut Report,
) -> Result<(), GoldenError> {
    let started = Instant::now();
    let parts = parts(suite, options, runner)?;
    let has_windows = suite == Suite::SearchFiles;
    let total: Option<u64> = parts.iter().map(Part::length).sum();
    progress
        .begin(suite, total.map(|total| total + if has_windows { enumerate::PAIRS } else { 0 }));
    let totals_only = suite.directories().is_empty() && suite != Suite::Lockstep;
    let mut done =
        SuiteReport { name: suite.name().to_owned(), totals_only, ..SuiteReport::default() };
    for part in &parts {
        let before = done.cases;
        let judges: Vec<&dyn Judge> = part.judges.iter().map(Box::as_ref).collect();
        let run = drive(&part.source, &judges, options.threads, &|more| {
            progress.advance(before + more);
        });
        if !run.failures.is_empty() {
            progress.shrinking(run.failures.len());
        }
        let is_costly = matches!(part.source, Source::Random { mix: Mix::SmallFiles, .. });
        let budget = if is_costly { SHRINK_CALLS } else { options.finding_options.budget };
        let finding_options = FindingOptions { budget, ..options.finding_options.clone() };
        let home = |number: u64| part.paths.get(usize::try_from(number).ok()?).cloned();
        let findings = collect(suite.name(), &run.failures, &judges, &finding_options, &home)?;
        if run.cases == 0 {
            done.notes.push("there are no cases".to_owned());
        }
        if run.failures.len() > findings.len() {
            let (failures, told) = (run.failures.len(), findings.len());
            done.notes.push(format!("{failures} failure(s), {told} distinct one(s) told in full"));
        }
        part.record(suite.name(), options, &run, &judges);
        done.facts.extend(judges.iter().flat_map(|judge| judge.facts()));
        if part.counts {
            for (trap, count) in &run.coverage.counts {
                *report.coverage.entry(trap).or_default() += count;
            }
        }
        done.cases += run.cases;
        done.tables.extend(run.tables);
        report.findings.extend(findings);
    }
    if has_windows {
        let finished = AtomicU64::new(done.cases);
        enumerate::windows(options, &mut done, report, &|more| {
            progress.advance(finished.fetch_add(more, Ordering::Relaxed) + more);
        });
    }
    done.took = started.elapsed();
    progress.end(&done);
    report.suites.push(done);
    Ok(())
}
