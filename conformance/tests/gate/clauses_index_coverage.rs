//! Clauses about when an index stops covering the files, and what brings coverage back: TT-16 to
//! TT-22, TT-28 to TT-32, the reasons of appendix D, and T-LSI-SAFE-01 to 03.
//!
//! Where `docs/claims.md` departs from a row's letter, the test names the erratum and holds both
//! sides to what was chosen.

use crate::clauses_index::{
    self, building, complete, reachable, row, says, then, tick, ticks, uncertain, uncertain_by,
};
use forge_search_core::index::machine::{
    Action, Duty, Reason, Reasons, Scan, State, Status, Step, Trigger, Triggers, step,
};

/// A reconcile that begins now and ends well, with what happens meanwhile.
fn reconciled(status: Status, meanwhile: &[Trigger]) -> Step {
    let scanning = then(then(status, &[Trigger::ReconcileStarted]), meanwhile);
    tick(scanning, &[Trigger::ReconcileCompleted])
}

/// Asserts that nothing is excluded in a doubt, that only a whole reconcile begun later removes it,
/// and that this does.
fn needs_a_reconcile(status: Status) {
    assert_eq!((status.state, status.duty()), (State::Uncertain, Duty::Reconcile), "{status:?}");
    for trigger in Trigger::ALL {
        assert!(!tick(status, &[*trigger]).may_exclude, "{trigger}");
    }
    let drained = tick(status, &[Trigger::QueueDrained]);
    assert_eq!(drained.status, status, "draining the queue is not enough");
    let cut_short = ticks(status, &[&[Trigger::ReconcileStarted], &[Trigger::ReconcileOverBudget]]);
    assert_eq!((cut_short.status, cut_short.may_exclude), (status, false));
    let whole = reconciled(status, &[]);
    assert_eq!(says(&whole), "COMPLETE | clear_older_entries bump_epoch | none | excludes");
}

#[test]
fn a_started_watcher_restores_nothing_by_itself() {
    touchstone::verifies!("TT-16");
    for status in clauses_index::canonical() {
        let step = tick(status, &[Trigger::WatcherStarted]);
        assert_eq!((step.status.state, step.status.reasons), (status.state, status.reasons));
        assert_eq!(step.status.watcher_live, status.state != State::Disabled, "{}", status.state);
        assert!(step.actions.is_empty());
    }
    let down = then(complete(), &[Trigger::WatcherStopped]);
    let again = tick(down, &[Trigger::WatcherStarted]);
    assert_eq!(says(&again), "UNCERTAIN WATCHER_DOWN | - | reconcile");
    needs_a_reconcile(again.status);
}

#[test]
fn lost_events_make_the_index_uncertain_until_a_reconcile() {
    touchstone::verifies!("TT-17", "T-LSI-SAFE-01", "D-WATCHER_OVERFLOW", "FR-LSI-TRK-08", "E-C38");
    let lost = "UNCERTAIN WATCHER_OVERFLOW | enqueue_subtree | reconcile";
    let also = "UNCERTAIN WATCHER_OVERFLOW ELIGIBILITY_CHANGED | enqueue_subtree | reconcile";
    // In BUILDING the sender's word does not matter: a lost event stays lost.
    let tainted = "BUILDING WATCHER_OVERFLOW | enqueue_subtree | none";
    row(Trigger::WatcherOverflowed, ["·", tainted, lost, also, "·", "·"]);
    // The whole index is in doubt, and not just the subtree that is queued.
    needs_a_reconcile(then(complete(), &[Trigger::WatcherOverflowed]));
}

#[test]
fn lost_events_during_a_build_make_it_end_uncertain() {
    // E-C06: the letter leaves BUILDING at once, while the builder goes on and its end has no cell.
    touchstone::verifies!("TT-18", "FR-LSI-BG-62", "E-C06", "D-WATCHER_OVERFLOW_DURING_BUILD");
    let during = "BUILDING WATCHER_OVERFLOW_DURING_BUILD | enqueue_subtree | none";
    // It counts even if it is reported late.
    let late = "UNCERTAIN WATCHER_OVERFLOW_DURING_BUILD | enqueue_subtree | reconcile";
    let also =
        "UNCERTAIN WATCHER_OVERFLOW_DURING_BUILD ELIGIBILITY_CHANGED | enqueue_subtree | reconcile";
    row(Trigger::WatcherOverflowedInBuild, ["·", during, late, also, "·", "·"]);
    let tainted = tick(building(), &[Trigger::WatcherOverflowedInBuild]);
    assert_eq!(tainted.status.shown_reason(), None, "a taint is not shown before the build ends");
    let ended = tick(tainted.status, &[Trigger::BuildCompleted]);
    let expected = "UNCERTAIN WATCHER_OVERFLOW_DURING_BUILD | clear_older_entries | reconcile";
    assert_eq!(says(&ended), expected, "no epoch");
    let at_once = tick(building(), &[Trigger::WatcherOverflowedInBuild, Trigger::BuildCompleted]);
    assert_eq!(at_once.status, ended.status);
    needs_a_reconcile(ended.status);
    // Only one builder: what begins meanwhile is refused, and a second overflow changes nothing.
    assert_eq!(
        then(tainted.status, &[Trigger::BuildStarted, Trigger::WatcherOverflowedInBuild]),
        tainted.status
    );
}

#[test]
fn without_a_watcher_complete_does_not_last() {
    // E-C05: the letter knows of a stopped watcher in COMPLETE only.
    touchstone::verifies!("TT-19", "D-WATCHER_DOWN", "E-C05");
    for status in reachable() {
        let stopped = step(*status, Triggers::of(&[Trigger::WatcherStopped]));
        assert!(!stopped.may_exclude && !stopped.status.watcher_live, "{status:?}");
        if [State::Building, State::Complete, State::Uncertain].contains(&status.state) {
            assert!(stopped.status.reasons.contains(Reason::WatcherDown), "{status:?}");
        }
    }
    let down = tick(complete(), &[Trigger::WatcherStopped]);
    assert_eq!(says(&down), "UNCERTAIN WATCHER_DOWN | - | start_watchers");
    let unwatched = reconciled(down.status, &[]);
    assert_eq!(says(&unwatched), "UNCERTAIN WATCHER_DOWN | clear_older_entries | start_watchers");
    // Half-way through a build: the watcher is back, but what changed in between was seen by
    // nobody.
    let gap = then(
        building(),
        &[Trigger::WatcherStopped, Trigger::WatcherStarted, Trigger::BuildCompleted],
    );
    assert_eq!(gap.shown_reason(), Some(Reason::WatcherDown));
    // Whatever else takes the watcher away leaves the same doubt behind, should it not have its
    // way.
    for trigger in [Trigger::KeyChanged, Trigger::ProcessStarted] {
        for status in [building(), complete(), uncertain()] {
            let lost = tick(status, &[trigger, Trigger::EnumerationFailed]).status;
            assert!(
                lost.state == State::Uncertain && lost.reasons.contains(Reason::WatcherDown),
                "{trigger}"
            );
        }
    }
    // Nor does a scan count that the watcher did not see from its beginning.
    let half = then(down.status, &[Trigger::ReconcileStarted, Trigger::WatcherStarted]);
    assert_eq!(half.scan, Scan::Disturbed);
    assert_eq!(tick(half, &[Trigger::ReconcileCompleted]).status.state, State::Uncertain);
    needs_a_reconcile(then(down.status, &[Trigger::WatcherStarted]));
}

#[test]
fn a_call_that_verified_everything_is_lent_an_unwatched_complete_index() {
    // E-C08: the letter stays COMPLETE for ever when there never was a watcher.
    touchstone::verifies!("E-C08", "FR-LSI-SAFE-02");
    let unwatched = clauses_index::reached(&[Trigger::BuildStarted, Trigger::BuildCompleted]);
    assert_eq!(unwatched.shown_reason(), Some(Reason::WatcherDown));
    let lent = tick(unwatched, &[Trigger::CallVerified]);
    assert_eq!(says(&lent), "COMPLETE | - | none | excludes");
    assert!(lent.status.lent);
    // Neither a neighbour of that call nor the next one may rely on it.
    for trigger in Trigger::ALL.iter().filter(|trigger| **trigger != Trigger::CallVerified) {
        let step = tick(lent.status, &[*trigger]);
        assert!(!step.may_exclude, "{trigger}");
        if step.status.state == State::Uncertain {
            assert!(
                step.status.reasons.contains(Reason::WatcherDown),
                "{trigger} makes everybody's what was lent"
            );
        }
    }
    assert_eq!(
        says(&tick(lent.status, &[Trigger::CallEnded])),
        "UNCERTAIN WATCHER_DOWN | - | start_watchers"
    );
    // With a watcher, or with missing files, no call gets a COMPLETE of its own.
    assert_eq!(tick(uncertain(), &[Trigger::CallVerified]).status, uncertain());
    let partial = clauses_index::reached(&[Trigger::BuildStarted, Trigger::BuildOverBudget]);
    assert_eq!(tick(partial, &[Trigger::CallVerified]).status, partial);
    for status in
        reachable().iter().filter(|status| status.state == State::Complete && !status.watcher_live)
    {
        assert!(status.lent, "{status:?}");
    }
}

#[test]
fn a_changed_ignore_file_makes_the_index_uncertain_and_taints_a_build() {
    // E-C04: the letter lets a build end COMPLETE under rules that no longer hold.
    touchstone::verifies!("TT-20", "T-LSI-SAFE-02", "D-ELIGIBILITY_CHANGED", "E-C04");
    let changed = "UNCERTAIN ELIGIBILITY_CHANGED | enqueue_subtree | reconcile";
    let tainted = "BUILDING ELIGIBILITY_CHANGED | enqueue_subtree | none";
    row(Trigger::EligibilityChanged, ["·", tainted, changed, changed, "·", "·"]);
    needs_a_reconcile(then(complete(), &[Trigger::EligibilityChanged]));
    needs_a_reconcile(then(building(), &[Trigger::EligibilityChanged, Trigger::BuildCompleted]));
}

#[test]
fn a_changed_policy_purges_denied_files_and_makes_the_index_uncertain() {
    touchstone::verifies!("TT-21", "D-POLICY_CHANGED", "E-C04");
    let changed = "UNCERTAIN POLICY_CHANGED | purge_denied | reconcile";
    let also = "UNCERTAIN ELIGIBILITY_CHANGED POLICY_CHANGED | purge_denied | reconcile";
    row(
        Trigger::PolicyChanged,
        ["·", "BUILDING POLICY_CHANGED | purge_denied | none", changed, also, "·", "·"],
    );
    needs_a_reconcile(then(complete(), &[Trigger::PolicyChanged]));
    needs_a_reconcile(then(building(), &[Trigger::PolicyChanged, Trigger::BuildCompleted]));
    // Denied files are purged whichever trigger wins the tick.
    let disabled = tick(complete(), &[Trigger::PolicyChanged, Trigger::ModeOff]);
    assert!(disabled.actions.contains(Action::PurgeDenied));
}

#[test]
fn errors_that_may_hide_files_keep_the_index_uncertain() {
    // E-C27: a directory without permission hides nothing that a search would show, so the engine
    // does not report it so.
    touchstone::verifies!(
        "TT-22",
        "FR-LSI-SAFE-COMPLETE-01",
        "FR-LSI-SAFE-COMPLETE-02",
        "D-ENUMERATION_ERROR",
        "E-C27"
    );
    let hidden = "UNCERTAIN ENUMERATION_ERROR | - | reconcile";
    let also = "UNCERTAIN ELIGIBILITY_CHANGED ENUMERATION_ERROR | - | reconcile";
    let stopped = "UNCERTAIN ENUMERATION_ERROR | stop_build | reconcile";
    row(Trigger::EnumerationFailed, ["·", stopped, hidden, also, "·", "·"]);
    needs_a_reconcile(then(complete(), &[Trigger::EnumerationFailed]));
    // Such an error in the very tick in which a build or a scan ends well.
    let built = tick(building(), &[Trigger::BuildCompleted, Trigger::EnumerationFailed]);
    assert_eq!(says(&built), stopped);
    let scanning = then(uncertain(), &[Trigger::ReconcileStarted]);
    let scanned = tick(scanning, &[Trigger::ReconcileCompleted, Trigger::EnumerationFailed]);
    assert_eq!(says(&scanned), "UNCERTAIN ELIGIBILITY_CHANGED ENUMERATION_ERROR | - | reconcile");
}

#[test]
fn complete_is_entered_only_by_a_build_a_scan_a_drained_backlog_or_a_verified_call() {
    touchstone::verifies!("FR-LSI-SAFE-COMPLETE-01", "STATE-COMPLETE", "D-CLEAR", "E-C42");
    for before in reachable().iter().filter(|status| status.state != State::Complete) {
        for trigger in Trigger::ALL {
            let after = step(*before, Triggers::of(&[*trigger])).status;
            if after.state != State::Complete {
                continue;
            }
            assert!(
                after.reasons.is_empty() && after.shown_reason().is_none(),
                "{before:?} {trigger}"
            );
            let proven = match (before.state, trigger) {
                (State::Building, Trigger::BuildCompleted) => {
                    before.reasons.is_empty() && before.watcher_live
                }
                (State::Uncertain, Trigger::ReconcileCompleted) => {
                    before.scan == Scan::Running
                        && before.watcher_live
                        && !before.reasons.contains(Reason::BuildBudgetExceeded)
                }
                // Coverage was never lost: changes were known, and are applied now.
                (State::Uncertain, Trigger::QueueDrained) => {
                    before.watcher_live && before.reasons == Reasons::of(&[Reason::DirtyBacklog])
                }
                (State::Uncertain, Trigger::CallVerified) => after.lent && !before.watcher_live,
                _ => false,
            };
            assert!(proven, "{before:?} {trigger}");
        }
    }
}

#[test]
fn a_scan_begins_only_with_something_to_compare_and_changes_no_state() {
    touchstone::verifies!("TT-28", "FR-LSI-REC-01");
    let complete = "COMPLETE | - | none | excludes";
    let uncertain = "UNCERTAIN ELIGIBILITY_CHANGED | - | none";
    row(Trigger::ReconcileStarted, ["·", "·", complete, uncertain, "·", "·"]);
    for (reason, status) in uncertain_by() {
        assert!(!step(status, Triggers::NONE).may_exclude, "{reason}");
        let step = tick(status, &[Trigger::ReconcileStarted]);
        assert_eq!(
            (step.status.state, step.status.reasons),
            (status.state, status.reasons),
            "{reason}"
        );
        assert!(!step.may_exclude && step.status.scan == Scan::Running);
        // One at a time.
        let again = tick(step.status, &[Trigger::ReconcileStarted]);
        assert!(again.status == step.status && again.actions.is_empty());
    }
}

#[test]
fn a_completed_scan_restores_coverage_and_counts_an_epoch() {
    touchstone::verifies!("TT-29", "D-CLEAR");
    let proven = "COMPLETE | clear_older_entries bump_epoch | none | excludes";
    assert_eq!(says(&reconciled(uncertain(), &[])), proven);
    // In COMPLETE it is one more proof, and elsewhere the end of a void scan.
    assert_eq!(says(&reconciled(complete(), &[])), proven);
    row(Trigger::ReconcileCompleted, ["·"; 6]);
    let gone = then(uncertain(), &[Trigger::ReconcileStarted]);
    assert_eq!(
        says(&tick(gone, &[Trigger::Evicted])),
        "ABSENT | stop_build remove_index clear_queue | build"
    );
}

#[test]
fn changes_during_a_scan_are_kept_at_its_end() {
    // E-C03: the letter clears the whole queue. E-C14: a losing row's clearing would take what the
    // winner queued.
    touchstone::verifies!("TT-29", "E-C03", "E-C14");
    let scanning = then(uncertain(), &[Trigger::ReconcileStarted]);
    let changed = tick(scanning, &[Trigger::ReconcileCompletedWithChanges]);
    assert_eq!(says(&changed), "UNCERTAIN DIRTY_BACKLOG | clear_older_entries | drain", "no epoch");
    assert_eq!(tick(changed.status, &[Trigger::QueueDrained]).status, complete());
    let overflowed = tick(scanning, &[Trigger::ReconcileCompleted, Trigger::WatcherOverflowed]);
    assert_eq!(
        says(&overflowed),
        "UNCERTAIN WATCHER_OVERFLOW ELIGIBILITY_CHANGED | enqueue_subtree | reconcile",
        "nothing is cleared"
    );
    // What called coverage into question after a scan began is not answered by that scan.
    for trigger in [
        Trigger::WatcherOverflowed,
        Trigger::EligibilityChanged,
        Trigger::PolicyChanged,
        Trigger::RenameAmbiguous,
        Trigger::EnumerationFailed,
    ] {
        let late = reconciled(uncertain(), &[trigger]);
        assert!(late.status.state == State::Uncertain && late.duty == Duty::Reconcile, "{trigger}");
    }
}

#[test]
fn each_reason_is_resolved_only_by_its_recovery() {
    touchstone::verifies!("E-C29", "TT-29", "FR-LSI-REC-01");
    for (reason, status) in uncertain_by() {
        assert_eq!((status.shown_reason(), status.watcher_live), (Some(reason), true), "{reason}");
        let by_drain = tick(status, &[Trigger::QueueDrained]).status.state == State::Complete;
        let by_scan = reconciled(status, &[]).status.state == State::Complete;
        let by_build =
            ticks(status, &[&[Trigger::BuildResumed], &[Trigger::BuildCompleted]]).status.state
                == State::Complete;
        let expected = match reason {
            Reason::DirtyBacklog => (true, true, false),
            Reason::BuildBudgetExceeded => (false, false, true),
            _ => (false, true, false),
        };
        assert_eq!((by_drain, by_scan, by_build), expected, "{reason}");
        let duty = match reason {
            Reason::DirtyBacklog => Duty::Drain,
            Reason::BuildBudgetExceeded => Duty::ResumeBuild,
            _ => Duty::Reconcile,
        };
        assert_eq!(status.duty(), duty, "{reason}");
    }
}

#[test]
fn a_scan_that_is_cut_short_proves_nothing_and_keeps_every_reason() {
    // E-C18: errors that hide files are TT-22's, so that this row is about budgets alone.
    touchstone::verifies!("TT-30", "T-LSI-SAFE-03", "E-C18");
    row(Trigger::ReconcileOverBudget, ["·"; 6]);
    for (reason, status) in uncertain_by() {
        let short = ticks(status, &[&[Trigger::ReconcileStarted], &[Trigger::ReconcileOverBudget]]);
        assert_eq!((short.status, short.may_exclude), (status, false), "{reason}");
        // Its end, if still reported, proves nothing either.
        assert_eq!(tick(short.status, &[Trigger::ReconcileCompleted]).status, status, "{reason}");
    }
    let scanning = then(uncertain(), &[Trigger::ReconcileStarted]);
    let both = tick(scanning, &[Trigger::ReconcileOverBudget, Trigger::EnumerationFailed]);
    assert_eq!(says(&both), "UNCERTAIN ELIGIBILITY_CHANGED ENUMERATION_ERROR | - | reconcile");
    let in_peace =
        ticks(complete(), &[&[Trigger::ReconcileStarted], &[Trigger::ReconcileOverBudget]]);
    assert_eq!(says(&in_peace), "COMPLETE | - | none | excludes");
}

#[test]
fn a_clear_rename_changes_no_state_and_a_failed_one_is_a_backlog() {
    // E-C17: the prose calls a failed update a rename of unknown mapping, which would cost a
    // reconcile instead of a drain.
    touchstone::verifies!("TT-31", "FR-LSI-TRK-09.apply", "E-C17", "E-C05");
    row(Trigger::RenameApplied, ["·"; 6]);
    let backlog = "UNCERTAIN DIRTY_BACKLOG | - | drain";
    let tainted = "BUILDING DIRTY_BACKLOG | - | none";
    let also = "UNCERTAIN ELIGIBILITY_CHANGED DIRTY_BACKLOG | - | reconcile";
    row(Trigger::RenameNotApplied, ["·", tainted, backlog, also, "·", "·"]);
}

#[test]
fn an_unclear_rename_needs_a_reconcile() {
    touchstone::verifies!("TT-32", "FR-LSI-TRK-09", "D-RENAME_UNCERTAIN", "E-C05");
    let unclear = "UNCERTAIN RENAME_UNCERTAIN | enqueue_subtree | reconcile";
    let also = "UNCERTAIN ELIGIBILITY_CHANGED RENAME_UNCERTAIN | enqueue_subtree | reconcile";
    let tainted = "BUILDING RENAME_UNCERTAIN | enqueue_subtree | none";
    row(Trigger::RenameAmbiguous, ["·", tainted, unclear, also, "·", "·"]);
    needs_a_reconcile(then(complete(), &[Trigger::RenameAmbiguous]));
    needs_a_reconcile(then(building(), &[Trigger::RenameAmbiguous, Trigger::BuildCompleted]));
}
