//! What the machine decides, written out to be read against `docs/claims.md`: the whole matrix, the
//! rows that depend on more than a state, and ticks in which several things happen at once.
//!
//! The snapshots are `golden/index/machine-*.snap`. They are production's and the model's alike,
//! which is asked about every tick.

use std::fmt::Write as _;

use crate::clauses_index::kept::keep;
use crate::clauses_index::{
    absent, building, canonical, complete, corrupt, disabled_by, reached, says, then, tick,
    uncertain, uncertain_by,
};
use forge_search_core::index::machine::{Action, Reason, Scan, State, Status, Step, Trigger};

const LETTERS: [&str; 6] = ["A", "B", "C", "U", "X", "D"];

/// What a tick came to, with what else it changed; `·` if that is nothing.
fn cell(before: Status, step: &Step) -> String {
    let after = step.status;
    if after == before
        && step.actions.is_empty()
        && step.may_exclude == tick(before, &[]).may_exclude
    {
        return "·".to_owned();
    }
    let mut text = says(step);
    if after.watcher_live != before.watcher_live {
        let _ = write!(text, " | watcher {}", if after.watcher_live { "live" } else { "down" });
    }
    if after.scan != before.scan {
        let _ = write!(text, " | scan {}", scan(after.scan));
    }
    if after.lent != before.lent {
        text.push_str(if after.lent { " | lent" } else { " | no longer lent" });
    }
    text
}

fn scan(scan: Scan) -> &'static str {
    match scan {
        Scan::None => "none",
        Scan::Running => "running",
        Scan::Disturbed => "disturbed",
    }
}

#[test]
fn the_matrix_of_triggers_and_states_equals_its_snapshot() {
    touchstone::verifies!("FR-LSI-SAFE-01", "E-C01");
    let mut text = "Every trigger in one status of every state: STATE REASONS | actions | duty | what else changes. All but A and D are watched;\n\
                    U is in doubt since an ignore file changed, D is switched off.\n\n"
        .to_owned();
    for trigger in Trigger::ALL {
        for (letter, status) in LETTERS.into_iter().zip(canonical()) {
            let _ = writeln!(
                text,
                "{:<34}{letter}  {}",
                trigger.name(),
                cell(status, &tick(status, &[*trigger]))
            );
        }
    }
    keep("machine-matrix", &text);
}

/// Statuses in which a guard lets another row through than in the canonical ones, each with the
/// triggers concerned.
fn guarded() -> Vec<(String, Status, Vec<Trigger>)> {
    let mut rows = Vec::new();
    let leaving = [
        Trigger::ModeOff,
        Trigger::ModeOn,
        Trigger::CooldownExpired,
        Trigger::ThresholdExceeded,
        Trigger::ProcessStarted,
    ];
    for (reason, status) in disabled_by() {
        rows.push((format!("DISABLED by {reason}"), status, leaving.to_vec()));
    }
    let ending = [
        Trigger::ReconcileStarted,
        Trigger::ReconcileCompleted,
        Trigger::ReconcileCompletedWithChanges,
        Trigger::ReconcileOverBudget,
        Trigger::WatcherStarted,
        Trigger::WatcherStopped,
        Trigger::QueueDrained,
        Trigger::BuildResumed,
        Trigger::CallVerified,
        Trigger::CallEnded,
        Trigger::Evicted,
    ];
    let begun = |status: Status| then(status, &[Trigger::ReconcileStarted]);
    let unwatched = reached(&[Trigger::BuildStarted, Trigger::BuildCompleted]);
    for (about, status) in [
        ("COMPLETE, watched, a scan running", begun(complete())),
        ("UNCERTAIN by ELIGIBILITY_CHANGED, watched, a scan running", begun(uncertain())),
        (
            "UNCERTAIN by ELIGIBILITY_CHANGED, watched, a scan disturbed",
            then(begun(uncertain()), &[Trigger::EligibilityChanged]),
        ),
        ("UNCERTAIN by DIRTY_BACKLOG, watched", then(complete(), &[Trigger::DirtyUpdateFailed])),
        (
            "UNCERTAIN by BUILD_BUDGET_EXCEEDED, watched",
            then(building(), &[Trigger::BuildOverBudget]),
        ),
        ("UNCERTAIN by WATCHER_DOWN, unwatched", unwatched),
        ("UNCERTAIN by WATCHER_DOWN, unwatched, a scan running", begun(unwatched)),
        ("COMPLETE, unwatched, lent", then(unwatched, &[Trigger::CallVerified])),
    ] {
        rows.push((about.to_owned(), status, ending.to_vec()));
    }
    rows
}

#[test]
fn guarded_triggers_equal_their_snapshot() {
    touchstone::verifies!("E-C01", "E-C21", "E-C29");
    let mut text = "Triggers whose row depends on more than the state.\n".to_owned();
    for (about, status, triggers) in guarded() {
        let _ = writeln!(text, "\n{about}");
        for trigger in triggers {
            let _ = writeln!(
                text,
                "  {:<34}{}",
                trigger.name(),
                cell(status, &tick(status, &[trigger]))
            );
        }
    }
    keep("machine-guards", &text);
}

/// A tick in which several things happen, which the document's rows answer in two ways.
#[derive(Clone)]
struct Clash {
    rows: &'static str,
    before: Status,
    triggers: &'static [Trigger],
    why: &'static str,
}

fn clash(
    rows: &'static str,
    before: Status,
    triggers: &'static [Trigger],
    why: &'static str,
) -> Clash {
    Clash { rows, before, triggers, why }
}

/// The pairs of appendix M2, and some more: where an index comes from and where it goes.
fn comings_and_goings() -> Vec<Clash> {
    use Trigger as T;
    let [_, _, (_, memory), ..] = disabled_by();
    vec![
        clash(
            "TT-02, FR-LSI-STOR-FALLBACK-01",
            building(),
            &[T::StorageImpossible, T::StorageFellBack],
            "DISABLED is graver than ABSENT (P1, E-C20)",
        ),
        clash(
            "TT-02, TT-04",
            memory,
            &[T::StorageImpossible, T::CooldownExpired],
            "in DISABLED the first has nothing to say; it is said again when the index is opened",
        ),
        clash(
            "TT-01, TT-04",
            memory,
            &[T::ModeOff, T::CooldownExpired],
            "being switched off is graver than a cold start (P1)",
        ),
        clash(
            "TT-10, TT-15",
            absent(),
            &[T::BuildStarted, T::IndexOpened],
            "what was found is compared and not built again (P1, E-C19)",
        ),
        clash(
            "TT-10, TT-15",
            complete(),
            &[T::BuildStarted, T::IndexOpened],
            "a build does not begin over an index (E-C19)",
        ),
        clash(
            "TT-05, TT-10",
            absent(),
            &[T::IndexMissing, T::BuildStarted],
            "a cold start: in ABSENT a missing file is no news",
        ),
        clash(
            "TT-05, TT-10",
            corrupt(),
            &[T::IndexMissing, T::BuildStarted],
            "BUILDING is graver than ABSENT (P1)",
        ),
        clash(
            "TT-06, TT-10",
            absent(),
            &[T::BelowThreshold, T::BuildStarted],
            "DISABLED is graver than BUILDING (P1)",
        ),
        clash(
            "TT-08, TT-09",
            complete(),
            &[T::IndexMismatched, T::IntegrityFailed],
            "a garbled file is damaged before it is anything else (P1)",
        ),
        clash(
            "TT-23, TT-24",
            complete(),
            &[T::Evicted, T::MemoryExceeded],
            "DISABLED is graver than ABSENT, and the evicted index is not put away as well (P1, E-C14)",
        ),
    ]
}

/// How a build ends.
fn ends_of_builds() -> Vec<Clash> {
    use Trigger as T;
    vec![
        clash(
            "TT-11, TT-18",
            building(),
            &[T::BuildCompleted, T::WatcherOverflowedInBuild],
            "the overflow proposes no state and taints, so that the end of the build is one in doubt (E-C06)",
        ),
        clash(
            "TT-11, TT-12",
            building(),
            &[T::BuildCompleted, T::BuildOverBudget],
            "the budget was reached on the last file: in doubt (P1, E-C26)",
        ),
        clash(
            "TT-11, TT-22",
            building(),
            &[T::BuildCompleted, T::EnumerationFailed],
            "UNCERTAIN is graver than COMPLETE, and the loser clears nothing (P1, E-C14)",
        ),
        clash(
            "TT-13, TT-22",
            building(),
            &[T::BuildFailedClean, T::EnumerationFailed],
            "UNCERTAIN is graver than ABSENT (P1)",
        ),
        clash(
            "TT-09, TT-14",
            building(),
            &[T::IntegrityFailed, T::BuildFailedInconsistent],
            "both say CORRUPT; the check comes first (P2)",
        ),
        clash(
            "TT-13, FR-LSI-BG-42",
            building(),
            &[T::BuildFailedClean, T::Shutdown],
            "both say ABSENT; a build that failed leaves no checkpoint (P2)",
        ),
        clash(
            "TT-14, FR-LSI-BG-43",
            building(),
            &[T::BuildFailedInconsistent, T::Shutdown],
            "CORRUPT is graver than ABSENT (P1)",
        ),
        clash(
            "TT-18, TT-22",
            building(),
            &[T::WatcherOverflowedInBuild, T::EnumerationFailed],
            "the build stops, and its taint is a reason now",
        ),
    ]
}

/// What covers and what does not.
#[expect(clippy::too_many_lines, reason = "a list of rows")]
fn coverage() -> Vec<Clash> {
    use Trigger as T;
    let scanning = then(uncertain(), &[T::ReconcileStarted]);
    let behind = then(complete(), &[T::DirtyUpdateFailed, T::ReconcileStarted]);
    let doubly = then(uncertain(), &[T::DirtyUpdateFailed, T::ReconcileStarted]);
    vec![
        clash(
            "TT-22, TT-30",
            scanning,
            &[T::EnumerationFailed, T::ReconcileOverBudget],
            "errors are a reason of their own, and none that stands is dropped (E-C12, E-C18)",
        ),
        clash(
            "TT-25, TT-26",
            complete(),
            &[T::DirtyUpdateFailed, T::MaintenanceOverBudget],
            "a lack of time is no reason, the backlog it leaves is (E-C16)",
        ),
        clash(
            "TT-26, TT-31",
            complete(),
            &[T::MaintenanceOverBudget, T::RenameNotApplied],
            "as before: a rename that was not applied is a backlog (E-C16, E-C17)",
        ),
        clash(
            "TT-31, FR-LSI-TRK-09",
            complete(),
            &[T::RenameNotApplied, T::RenameAmbiguous],
            "two renames: the unclear one is of class 4 and wins, the other's reason stays (P2)",
        ),
        clash(
            "TT-27, TT-29",
            behind,
            &[T::QueueDrained, T::ReconcileCompleted],
            "both say COMPLETE; the drained queue comes first, and counts no epoch (P2)",
        ),
        clash(
            "TT-27, TT-29",
            doubly,
            &[T::QueueDrained, T::ReconcileCompleted],
            "the same with one more reason, which the winner does not resolve: the scan has to be repeated (P2)",
        ),
        clash(
            "TT-17, TT-29",
            scanning,
            &[T::WatcherOverflowed, T::ReconcileCompleted],
            "what is queued by the first is not cleared by the second (P1, E-C03, E-C14)",
        ),
        clash(
            "TT-17, TT-20",
            complete(),
            &[T::WatcherOverflowed, T::EligibilityChanged],
            "both reasons stay, the first by rank is shown (E-C12, E-C15)",
        ),
        clash(
            "TT-19, TT-21",
            complete(),
            &[T::WatcherStopped, T::PolicyChanged],
            "as before, and nobody watches from now on",
        ),
        clash(
            "TT-20, TT-22",
            uncertain(),
            &[T::EligibilityChanged, T::EnumerationFailed],
            "in UNCERTAIN a reason is added, never overwritten (E-C13)",
        ),
        clash(
            "TT-16, TT-29",
            then(complete(), &[T::WatcherStopped, T::ReconcileStarted]),
            &[T::WatcherStarted, T::ReconcileCompleted],
            "what the scan proves began unwatched (E-C08)",
        ),
        clash(
            "TT-07, TT-29",
            scanning,
            &[T::LockTimedOut, T::ReconcileCompleted],
            "coverage is back, but this call has no index to look at (P3)",
        ),
        clash(
            "TT-17, M-24",
            reached(&[T::BuildStarted, T::BuildCompleted]),
            &[T::WatcherOverflowed, T::CallVerified],
            "a call that compared everything before an overflow is lent nothing (P1)",
        ),
    ]
}

fn described(status: Status) -> String {
    let mut text = status.state.name().to_owned();
    for reason in status.reasons.iter() {
        let _ = write!(text, " {reason}");
    }
    if ![State::Absent, State::Disabled].contains(&status.state) {
        text.push_str(if status.watcher_live { ", watched" } else { ", unwatched" });
    }
    if status.scan != Scan::None {
        let _ = write!(text, ", scan {}", scan(status.scan));
    }
    text
}

#[test]
fn ticks_with_conflicting_rows_equal_their_snapshot() {
    touchstone::verifies!(
        "T-LSI-SAFE-04",
        "PREC-P1",
        "PREC-P2",
        "PREC-P4",
        "E-C12",
        "E-C13",
        "E-C14",
        "E-C15"
    );
    let clashes = [comings_and_goings(), ends_of_builds(), coverage()].concat();
    assert!(clashes.len() >= 30);
    let mut text =
        "Ticks that several rows of the document answer, each in its own way.\n".to_owned();
    for Clash { rows, before, triggers, why } in clashes {
        let step = tick(before, triggers);
        let names: Vec<&str> = triggers.iter().map(|trigger| trigger.name()).collect();
        let actions: Vec<&str> = step.actions.iter().map(Action::name).collect();
        let shown = step.status.shown_reason().map_or("nothing", Reason::name);
        let _ = writeln!(text, "\n{rows}");
        let _ = writeln!(text, "  before    {}", described(before));
        let _ = writeln!(text, "  triggers  {}", names.join(" + "));
        let _ = writeln!(text, "  after     {}", described(step.status));
        let _ = writeln!(
            text,
            "  by        {}; shown is {shown}",
            step.winner.map_or("nobody", Trigger::name)
        );
        let _ = writeln!(
            text,
            "  actions   {}",
            if actions.is_empty() { "-".to_owned() } else { actions.join(" ") }
        );
        let excludes = if step.may_exclude { "; the call may exclude" } else { "" };
        let _ = writeln!(text, "  duty      {}{excludes}", step.duty);
        let _ = writeln!(text, "  why       {why}");
    }
    keep("machine-clashes", &text);
}

#[test]
fn any_two_triggers_of_lost_coverage_leave_both_their_reasons() {
    touchstone::verifies!("E-C12", "E-C13", "E-C15", "PREC-P4");
    let five = [
        (Trigger::WatcherOverflowed, Reason::WatcherOverflow),
        (Trigger::WatcherStopped, Reason::WatcherDown),
        (Trigger::EligibilityChanged, Reason::EligibilityChanged),
        (Trigger::PolicyChanged, Reason::PolicyChanged),
        (Trigger::EnumerationFailed, Reason::EnumerationError),
    ];
    for (_, status) in uncertain_by().into_iter().chain([(Reason::WatcherOverflow, complete())]) {
        for (one, first) in five {
            for (other, second) in five {
                let step = tick(status, &[one, other]);
                let reasons = step.status.reasons;
                assert!(reasons.contains(first) && reasons.contains(second), "{one} and {other}");
                assert!(
                    status.reasons.iter().all(|reason| reasons.contains(reason)),
                    "{one} and {other}"
                );
                assert_eq!(step.status.shown_reason(), reasons.iter().next());
            }
        }
    }
}
