//! The suites that play lives of an index.
//!
//! Responsible for: how much a run plays, and its report. Not here: playing
//! ([`crate::index_live`]). Invariants: a violation is a discrepancy of the report; counts by cell
//! are always reported.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use touchstone_spec::Spec;
use touchstone_spec::index::StateId;

use super::suite::{Options, Progress, Suite};
use super::{Limit, changes};
use crate::golden;
use crate::index_live::{Cells, Tally};
use crate::index_suites::{self, Extent, KillReport, Lives, Wrong};
use crate::records::{CheckKind, Recorder};
use crate::report::{Discrepancy, Report, SuiteReport, Table, Tally as Counts};
use crate::runner::Runner;

/// Default number of drawn lives.
const LIVES: u64 = 80;

/// Default number of killed processes.
const KILLS: u64 = 40;

/// Clauses of the suite `index`, with the cell of the state machine that must be covered; `None` if
/// searches that exclude are enough.
const LIVED: &[(&str, Option<(&str, &str)>)] = &[
    ("NFR-LSI-COR-01", None),
    ("FR-LSI-SAFE-01", None),
    ("FR-LSI-SAFE-02", None),
    ("FR-LSI-SAFE-03", None),
    ("T-LSI-DET-01", None),
    ("STAT-index_safety_state", None),
    ("STAT-index_uncertain_reason", None),
    ("FR-LSI-SAFE-04", Some(("index_opened", "ABSENT"))),
    ("T-LSI-BASE-02", Some(("mode_off", "COMPLETE"))),
    ("T-LSI-SAFE-01", Some(("watcher_overflowed", "COMPLETE"))),
    ("T-LSI-SAFE-02", Some(("eligibility_changed", "COMPLETE"))),
    ("T-LSI-SAFE-05", Some(("build_over_budget", "BUILDING"))),
    ("T-LSI-SAFE-06", Some(("threshold_exceeded", "DISABLED"))),
    ("T-LSI-SAFE-07", Some(("storage_impossible", "ABSENT"))),
    ("FR-LSI-SAFE-COMPLETE-01", Some(("enumeration_failed", "COMPLETE"))),
    ("FR-LSI-SAFE-COMPLETE-02", Some(("enumeration_failed", "BUILDING"))),
    ("T-LSI-SAFE-03", Some(("reconcile_over_budget", "UNCERTAIN"))),
    ("FR-LSI-TRK-07", Some(("eligibility_changed", "COMPLETE"))),
    ("FR-LSI-TRK-08", Some(("watcher_overflowed", "COMPLETE"))),
    ("FR-LSI-TRK-09", Some(("rename_ambiguous", "COMPLETE"))),
    ("FR-LSI-REC-01", Some(("reconcile_completed", "UNCERTAIN"))),
    ("FR-LSI-BG-62", Some(("watcher_overflowed_in_build", "BUILDING"))),
    // Rows of the document's table: the model's step decides state and reason, the answers that
    // follow decide searches.
    ("TT-01", Some(("mode_off", "COMPLETE"))),
    ("TT-02", Some(("storage_impossible", "ABSENT"))),
    ("TT-03", Some(("cooldown_active", "DISABLED"))),
    ("TT-04", Some(("cooldown_expired", "DISABLED"))),
    ("TT-05", Some(("index_missing", "ABSENT"))),
    ("TT-06", Some(("below_threshold", "ABSENT"))),
    ("TT-07", Some(("lock_timed_out", "COMPLETE"))),
    ("TT-08", Some(("index_mismatched", "ABSENT"))),
    ("TT-09", Some(("integrity_failed", "COMPLETE"))),
    ("TT-10", Some(("build_started", "ABSENT"))),
    ("TT-11", Some(("build_completed", "BUILDING"))),
    ("TT-12", Some(("build_over_budget", "BUILDING"))),
    ("TT-13", Some(("build_failed_clean", "BUILDING"))),
    ("TT-14", Some(("build_failed_inconsistent", "BUILDING"))),
    ("TT-15", Some(("index_opened", "ABSENT"))),
    ("TT-16", Some(("watcher_started", "UNCERTAIN"))),
    ("TT-17", Some(("watcher_overflowed", "COMPLETE"))),
    ("TT-18", Some(("watcher_overflowed_in_build", "BUILDING"))),
    ("TT-19", Some(("watcher_stopped", "COMPLETE"))),
    ("TT-20", Some(("eligibility_changed", "COMPLETE"))),
    ("TT-21", Some(("policy_changed", "UNCERTAIN"))),
    ("TT-22", Some(("enumeration_failed", "COMPLETE"))),
    ("TT-23", Some(("evicted", "COMPLETE"))),
    ("TT-24", Some(("memory_exceeded", "BUILDING"))),
    ("TT-25", Some(("dirty_update_applied", "COMPLETE"))),
    ("TT-26", Some(("maintenance_over_budget", "COMPLETE"))),
    ("TT-27", Some(("queue_drained", "UNCERTAIN"))),
    ("TT-28", Some(("reconcile_started", "UNCERTAIN"))),
    ("TT-29", Some(("reconcile_completed", "UNCERTAIN"))),
    ("TT-30", Some(("reconcile_over_budget", "UNCERTAIN"))),
    ("TT-31", Some(("rename_applied", "COMPLETE"))),
    ("TT-32", Some(("rename_ambiguous", "COMPLETE"))),
    // Reasons: the step's status has the model's reason, and `stats` have that of the status.
    ("D-WATCHER_OVERFLOW", Some(("watcher_overflowed", "COMPLETE"))),
    ("D-WATCHER_OVERFLOW_DURING_BUILD", Some(("watcher_overflowed_in_build", "BUILDING"))),
    ("D-WATCHER_DOWN", Some(("watcher_stopped", "COMPLETE"))),
    ("D-ELIGIBILITY_CHANGED", Some(("eligibility_changed", "COMPLETE"))),
    ("D-POLICY_CHANGED", Some(("policy_changed", "UNCERTAIN"))),
    ("D-RENAME_UNCERTAIN", Some(("rename_ambiguous", "COMPLETE"))),
    ("D-ENUMERATION_ERROR", Some(("enumeration_failed", "COMPLETE"))),
    ("D-DIRTY_BACKLOG", Some(("dirty_update_failed", "COMPLETE"))),
];

/// Clauses of the suite `index-crash`.
const KILLED: &[&str] = &["NFR-LSI-COR-02", "NFR-LSI-REL-01", "FR-LSI-IDX-CONC-03"];

/// Runs the suite `index`.
pub(super) fn lived(
    options: &Options,
    runner: &Runner,
    progress: &dyn Progress,
    report: &mut Report,
) {
    let extent = extent(options, LIVES);
    progress.begin(Suite::Index, cases(extent.limit));
    let spec = Spec::load(&golden::workspace().join("spec"));
    let Lives { tally, mut wrong, unwalked, is_whole, no_mounts, took } = match &spec {
        Ok(spec) => index_suites::run(runner, extent, &unreachable(spec), &ticking(progress)),
        Err(error) => Lives {
            wrong: vec![Wrong {
                what: "the specification cannot be read".to_owned(),
                told: error.to_string(),
            }],
            ..Lives::default()
        },
    };
    let mut walks = Vec::new();
    if let Ok(spec) = &spec {
        walks = changes::table(&spec.index.changes, &tally);
        let missing = changes::unwalked(&spec.index.changes, &tally, no_mounts.is_none());
        demand(is_whole, &missing, &mut walks, &mut wrong);
    }
    if let Some(reason) = no_mounts {
        without_mounts(reason, &mut walks, &mut wrong);
    }
    let walked_through = |cell: &(&str, &str)| tally.cells.get(cell.0, cell.1) > 0;
    let decided = LIVED.iter().filter(|(_, cell)| cell.as_ref().is_none_or(walked_through));
    record(Suite::Index, options, decided.map(|(clause, _)| *clause), !wrong.is_empty());
    let mut facts = tally.lines();
    facts.push(format!("cells of the state machine walked: {}", walked(&tally)));
    facts.extend(tally.cells.lines().into_iter().map(|line| format!("  {line}")));
    if !unwalked.is_empty() {
        facts.push(format!("{} reachable cells not walked in this run", unwalked.len()));
        if wrong.is_empty() {
            facts.push(format!("  {}", unwalked.join(", ")));
        }
    }
    facts.extend(walks);
    finish(Suite::Index, &tally, facts, wrong, took, progress, report);
}

/// Missing coverage fails a whole run, and is reported in others.
fn demand(is_whole: bool, missing: &[String], facts: &mut Vec<String>, wrong: &mut Vec<Wrong>) {
    if missing.is_empty() {
        return;
    }
    let what = format!("{} promised acts were not walked", missing.len());
    if is_whole {
        wrong.push(Wrong { what, told: missing.join("\n") });
    } else {
        facts.push(format!("{what} in this run"));
    }
}

/// Without mounts a part of the table is not covered. This is reported; where everything has to
/// run, it fails.
fn without_mounts(reason: String, facts: &mut Vec<String>, wrong: &mut Vec<Wrong>) {
    facts.push(format!("LEFT OUT: lives with mounts of their own: {reason}"));
    if std::env::var_os("CI").is_some() {
        let what = "no life can have mounts of its own".to_owned();
        wrong.push(Wrong { what, told: reason });
    }
}

/// Runs the suite `index-crash`.
pub(super) fn killed(
    options: &Options,
    runner: &Runner,
    progress: &dyn Progress,
    report: &mut Report,
) {
    let extent = extent(options, KILLS);
    progress.begin(Suite::IndexCrash, cases(extent.limit));
    let KillReport { tally, kills, by, wrong, took } =
        index_suites::campaign(runner, extent, &ticking(progress));
    record(Suite::IndexCrash, options, KILLED.iter().copied(), !wrong.is_empty());
    let mut facts = vec![format!("{kills} processes killed")];
    facts.extend(by.iter().map(|(point, times)| format!("  {times:>5} at {point}")));
    facts.extend(tally.lines());
    finish(Suite::IndexCrash, &tally, facts, wrong, took, progress, report);
}

/// Records what a suite decided.
fn record(
    suite: Suite,
    options: &Options,
    clauses: impl Iterator<Item = &'static str>,
    failed: bool,
) {
    if let Some(results) = &options.results {
        let check = format!("check::{}", suite.name());
        let mut recorder =
            Recorder::begin(results, &check, CheckKind::Suite, clauses.map(str::to_owned));
        if failed {
            recorder.fail();
        }
    }
}

fn extent(options: &Options, by_default: u64) -> Extent {
    let limit = match options.limit {
        Limit::Cases(cases) if options.asked => Limit::Cases(cases),
        Limit::Cases(_) => Limit::Cases(by_default),
        Limit::Time(time) => Limit::Time(time / 4),
    };
    // A life waits for a third of its time: for quiet after edits, and for processes to end.
    let threads = options.threads + options.threads / 2;
    Extent { threads, seed: options.seed, limit, shrinks: true }
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
fn unreachable(spec: &Spec) -> BTreeMap<(String, String), String> {
    let cells = Cells::all().filter_map(|(trigger, state)| {
        let id = StateId::ALL.iter().copied().find(|id| id.name() == state)?;
        let because = spec.index.reachable.why_not(trigger, id)?;
        Some(((trigger.to_owned(), state.to_owned()), because.to_owned()))
    });
    cells.collect()
}

fn walked(tally: &Tally) -> String {
    let all: Vec<bool> =
        Cells::all().map(|(trigger, state)| tally.cells.get(trigger, state) > 0).collect();
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
    let total =
        Counts { agree: tally.searches.saturating_sub(bad), diverge: bad, ..Counts::default() };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lives_verify_only_existing_clauses_and_reachable_cells() {
        let spec = Spec::load(&golden::workspace().join("spec")).unwrap();
        let out_of_reach = unreachable(&spec);
        let rows: Vec<&str> = spec
            .documents
            .iter()
            .flat_map(|document| &document.requirements)
            .map(|row| row.id.value.as_str())
            .collect();
        for (clause, cell) in LIVED {
            assert!(rows.contains(clause), "{clause} is no requirement");
            let Some((trigger, state)) = cell else { continue };
            assert!(
                Cells::all().any(|cell| cell == (*trigger, *state)),
                "{clause}: {trigger} in {state}"
            );
            let reached = !out_of_reach.contains_key(&((*trigger).to_owned(), (*state).to_owned()));
            assert!(reached, "{clause}: {trigger} in {state} cannot be reached");
        }
    }
}
