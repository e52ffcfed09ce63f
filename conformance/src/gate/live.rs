//! The suites that play lives of an index, as parts of a report.
//!
//! Responsible for: how much of them a run plays, and telling what came of it.
//! Left to neighbours: playing ([`crate::index_live`]).
//! Invariants: what is wrong is a discrepancy of the report; counts by cell are facts, told always.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use touchstone_spec::Spec;
use touchstone_spec::index::StateId;

use super::Limit;
use super::suites::{Options, Progress, Suite};
use crate::golden;
use crate::index_live::{self, Cells, Extent, Killings, Lives, Tally, Wrong};
use crate::report::{Discrepancy, Report, SuiteReport, Table, Tally as Counts};
use crate::runner::Runner;

/// Lives that are drawn when nothing else is asked for.
const LIVES: u64 = 80;

/// Processes that are killed when nothing else is asked for.
const KILLS: u64 = 40;

/// Runs the suite `index`.
pub(super) fn lived(options: &Options, runner: &Runner, progress: &dyn Progress, report: &mut Report) {
    let extent = extent(options, LIVES);
    progress.begin(Suite::Index, cases(extent.limit));
    let Lives { tally, wrong, unwalked, took } = match unreachable() {
        Ok(unreachable) => index_live::run(runner, extent, &unreachable, &ticking(progress)),
        Err(error) => Lives {
            wrong: vec![Wrong { what: "the specification cannot be read".to_owned(), told: error }],
            ..Lives::default()
        },
    };
    let mut facts = tally.told();
    facts.push(format!("cells of the state machine walked: {}", walked(&tally)));
    facts.extend(tally.cells.told().into_iter().map(|line| format!("  {line}")));
    if !unwalked.is_empty() {
        facts.push(format!("{} reachable cells not walked in this run", unwalked.len()));
        if wrong.is_empty() {
            facts.push(format!("  {}", unwalked.join(", ")));
        }
    }
    finish(Suite::Index, &tally, facts, wrong, took, progress, report);
}

/// Runs the suite `index-crash`.
pub(super) fn killed(options: &Options, runner: &Runner, progress: &dyn Progress, report: &mut Report) {
    let extent = extent(options, KILLS);
    progress.begin(Suite::IndexCrash, cases(extent.limit));
    let Killings { tally, kills, by, wrong, took } = index_live::campaign(runner, extent, &ticking(progress));
    let mut facts = vec![format!("{kills} processes killed")];
    facts.extend(by.iter().map(|(point, times)| format!("  {times:>5} at {point}")));
    facts.extend(tally.told());
    finish(Suite::IndexCrash, &tally, facts, wrong, took, progress, report);
}

fn extent(options: &Options, by_default: u64) -> Extent {
    let limit = match options.limit {
        Limit::Cases(cases) if options.asked => Limit::Cases(cases),
        Limit::Cases(_) => Limit::Cases(by_default),
        Limit::Time(time) => Limit::Time(time / 4),
    };
    Extent { threads: options.threads, seed: options.seed, limit, shrinks: true }
}

fn cases(limit: Limit) -> Option<u64> {
    match limit {
        Limit::Cases(cases) => Some(cases),
        Limit::Time(_) => None,
    }
}

fn ticking(progress: &dyn Progress) -> impl Fn(u64) + Sync {
    let done = AtomicU64::new(0);
    move |more| progress.advance(done.fetch_add(more, Ordering::Relaxed) + more)
}

/// The cells that the specification calls unreachable, with its reasons.
fn unreachable() -> Result<BTreeMap<(String, String), String>, String> {
    let spec = Spec::load(&golden::workspace().join("spec")).map_err(|error| error.to_string())?;
    let cells = Cells::all().filter_map(|(trigger, state)| {
        let id = StateId::ALL.iter().copied().find(|id| id.name() == state)?;
        let because = spec.index.reachable.why_not(trigger, id)?;
        Some(((trigger.to_owned(), state.to_owned()), because.to_owned()))
    });
    Ok(cells.collect())
}

fn walked(tally: &Tally) -> String {
    let all: Vec<bool> = Cells::all().map(|(trigger, state)| tally.cells.get(trigger, state) > 0).collect();
    let walked = all.iter().filter(|walked| **walked).count();
    format!("{walked} of {}", all.len())
}

fn finish(
    suite: Suite,
    tally: &Tally,
    facts: Vec<String>,
    wrong: Vec<Wrong>,
    took: Duration,
    progress: &dyn Progress,
    report: &mut Report,
) {
    let name = suite.name();
    let bad = u64::try_from(wrong.len()).unwrap_or(u64::MAX);
    let total = Counts { agree: tally.searches.saturating_sub(bad), diverge: bad, ..Counts::default() };
    let done = SuiteReport {
        name: name.to_owned(),
        tables: BTreeMap::from([("searches".to_owned(), Table { total, ..Table::default() })]),
        took,
        cases: tally.lives,
        notes: Vec::new(),
        facts,
        totals_only: true,
    };
    progress.end(&done);
    report.suites.push(done);
    report.discrepancies.extend(wrong.into_iter().map(|Wrong { what, told }| Discrepancy {
        suite: name.to_owned(),
        area: "lives".to_owned(),
        what,
        told,
    }));
}
