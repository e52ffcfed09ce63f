//! The suites without cases: areas of the index's model, and windows of lines.
//!
//! Not here: enumerating ([`index_model`]), windows themselves ([`windows`]). Invariants: one row
//! of counts for each area; a difference is a discrepancy of the report.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::clauses;
use super::suite::{Options, Progress, Suite};
use crate::index_model::{self, Extent, Reading};
use crate::records::{CheckKind, Recorder};
use crate::report::{Discrepancy, Report, SuiteReport, Table, Tally};
use crate::windows;

/// Pairs of a line and a query.
pub(super) const PAIRS: u64 = 20_000;

/// The result of comparing one area.
struct AreaComparison {
    area: String,
    cases: u64,
    clauses: Vec<String>,
    /// Each with a short description and the smallest input.
    faults: Vec<(String, String)>,
}

/// Runs the suite of the index's model.
pub(super) fn enumerated(options: &Options, progress: &dyn Progress, report: &mut Report) {
    let started = Instant::now();
    progress.begin(Suite::IndexModel, None);
    let name = Suite::IndexModel.name().to_owned();
    let mut done = SuiteReport { name, totals_only: true, ..SuiteReport::default() };
    let extent = Extent { threads: options.threads, seed: options.seed, ..Extent::WHOLE };
    let finished = AtomicU64::new(0);
    let tick = |more| progress.advance(finished.fetch_add(more, Ordering::Relaxed) + more);
    match Reading::current() {
        Ok(reading) => {
            for checked in index_model::run(&reading, extent, &tick) {
                let (area, seconds) = (checked.area.name(), checked.took.as_secs_f64());
                done.facts.push(format!("{area}: {} comparisons in {seconds:.1} s", checked.cases));
                done.facts.extend(checked.facts.into_iter().map(|fact| format!("{area}: {fact}")));
                let compared = AreaComparison {
                    area: area.to_owned(),
                    cases: checked.cases,
                    clauses: clauses::index_model(checked.area).map(str::to_owned).collect(),
                    faults: checked.faults.into_iter().map(|one| (one.what, one.told)).collect(),
                };
                done.cases += compared.cases;
                compared.add_to(options, &mut done, report);
            }
        }
        Err(error) => report.discrepancies.push(Discrepancy {
            suite: done.name.clone(),
            area: "specification".to_owned(),
            what: "it cannot be read".to_owned(),
            told: error.to_string(),
        }),
    }
    done.took = started.elapsed();
    progress.end(&done);
    report.suites.push(done);
}

/// Compares windows of lines, as a part of a suite.
pub(super) fn windows(
    options: &Options,
    done: &mut SuiteReport,
    report: &mut Report,
    tick: &(dyn Fn(u64) + Sync),
) {
    let compared =
        windows::compare(&windows::Production, options.seed, PAIRS, options.threads, tick);
    done.facts.extend(compared.lines());
    let what = "production and model differ".to_owned();
    let compared = AreaComparison {
        area: "windows".to_owned(),
        cases: compared.pairs,
        clauses: clauses::FILES_WINDOWS.iter().map(ToString::to_string).collect(),
        faults: compared.faults.into_iter().map(|told| (what.clone(), told)).collect(),
    };
    compared.add_to(options, done, report);
}

impl AreaComparison {
    /// Adds it to the report, and records its clauses.
    fn add_to(self, options: &Options, done: &mut SuiteReport, report: &mut Report) {
        let Self { area, cases, clauses, faults } = self;
        let wrong = u64::try_from(faults.len()).unwrap_or(u64::MAX);
        let total =
            Tally { agree: cases.saturating_sub(wrong), diverge: wrong, ..Tally::default() };
        done.tables.insert(area.clone(), Table { total, ..Table::default() });
        if let Some(results) = &options.results {
            let check = format!("check::{}::{area}", done.name);
            let mut recorder = Recorder::begin(results, &check, CheckKind::Suite, clauses);
            if wrong > 0 || cases == 0 {
                recorder.fail();
            }
        }
        report.discrepancies.extend(faults.into_iter().map(|(what, told)| Discrepancy {
            suite: done.name.clone(),
            area: area.clone(),
            what,
            told,
        }));
    }
}
