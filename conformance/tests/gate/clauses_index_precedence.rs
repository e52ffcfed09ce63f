//! Clauses about the machine as a whole: the safety states, the rules by which a tick is settled,
//! the gate for exclusion, and upkeep within a call (TT-25 to TT-27).
//!
//! Where `docs/claims.md` departs from the letter, the test names the erratum and holds both sides
//! to what was chosen.

use std::collections::BTreeSet;

use crate::clauses_index::{
    self, canonical, complete, disabled_by, reachable, row, says, tabled, then, tick, ticks,
    uncertain, uncertain_by,
};
use forge_search_core::index::machine::{
    Action, Duty, Reason, Reasons, Scan, State, Status, Trigger, Triggers, step,
};

/// From the gravest to the least.
const SEVERITY: [State; 6] = [
    State::Disabled,
    State::Corrupt,
    State::Uncertain,
    State::Building,
    State::Absent,
    State::Complete,
];

/// What proposes COMPLETE, which turns into UNCERTAIN if a reason is left.
const COMPLETING: [Trigger; 6] = [
    Trigger::BuildCompleted,
    Trigger::BuildCompletedWithChanges,
    Trigger::QueueDrained,
    Trigger::ReconcileCompleted,
    Trigger::ReconcileCompletedWithChanges,
    Trigger::CallVerified,
];

/// The state that a trigger alone proposes in a status; none if it proposes none.
fn proposal(status: Status, trigger: Trigger) -> Option<State> {
    let step = step(status, Triggers::of(&[trigger]));
    let winner = step.winner?;
    assert_eq!(winner, trigger);
    Some(if COMPLETING.contains(&trigger) { State::Complete } else { step.status.state })
}

/// Statuses in which many triggers propose something.
fn statuses() -> Vec<Status> {
    let scanning = then(uncertain(), &[Trigger::DirtyUpdateFailed, Trigger::ReconcileStarted]);
    let partial = then(clauses_index::building(), &[Trigger::BuildOverBudget]);
    canonical()
        .into_iter()
        .chain(disabled_by().map(|(_, status)| status))
        .chain([scanning, partial])
        .collect()
}

#[test]
fn every_trigger_is_defined_in_each_of_the_six_safety_states() {
    // E-C01: the letter leaves more than half of the cells open.
    touchstone::verifies!("FR-LSI-SAFE-01", "E-C01");
    let names: Vec<&str> = State::ALL.iter().map(|state| state.name()).collect();
    assert_eq!(names, ["ABSENT", "BUILDING", "COMPLETE", "UNCERTAIN", "CORRUPT", "DISABLED"]);
    let mut cells = 0;
    for status in canonical().into_iter().chain(disabled_by().map(|(_, status)| status)) {
        for trigger in Trigger::ALL {
            let step = tick(status, &[*trigger]);
            assert!(State::ALL.contains(&step.status.state));
            cells += 1;
        }
    }
    assert_eq!(cells, 58 * 11);
    let states: BTreeSet<State> = reachable().iter().map(|status| status.state).collect();
    assert_eq!(states.len(), 6, "every state can be reached");
}

#[test]
fn absent_means_that_the_old_index_is_removed_or_not_yet_opened() {
    touchstone::verifies!("STATE-ABSENT");
    let away = [
        Action::RemoveIndex,
        Action::CloseStore,
        Action::UseMemory,
        Action::OpenIndex,
        Action::StopBuild,
    ];
    for before in reachable().iter().filter(|status| status.state != State::Absent) {
        for trigger in Trigger::ALL {
            let step = step(*before, Triggers::of(&[*trigger]));
            if step.status.state == State::Absent {
                assert!(
                    away.iter().any(|action| step.actions.contains(*action)),
                    "{before:?} {trigger}"
                );
                assert!(
                    step.status.reasons.is_empty() && !step.may_exclude && step.duty == Duty::Build
                );
            }
        }
    }
    assert_eq!(Status::START.state, State::Absent);
}

#[test]
fn an_uncertain_index_has_a_reason_and_a_duty() {
    touchstone::verifies!("STATE-UNCERTAIN", "FR-LSI-REC-01", "E-C39");
    for status in reachable() {
        let reasons = status.reasons;
        let well_formed = match status.state {
            State::Absent | State::Complete | State::Corrupt => reasons.is_empty(),
            State::Uncertain => !reasons.is_empty(),
            State::Disabled => reasons.iter().count() == 1,
            State::Building => true,
        };
        assert!(well_formed, "{status:?}");
        let shows = [State::Uncertain, State::Disabled].contains(&status.state);
        assert_eq!(status.shown_reason().is_some(), shows, "{status:?}");
        assert_eq!(status.shown_reason(), reasons.iter().next().filter(|_| shows), "{status:?}");
        if status.state == State::Uncertain && status.scan == Scan::None {
            assert_ne!(status.duty(), Duty::None, "{status:?}");
        }
    }
}

#[test]
fn a_disabled_index_does_nothing() {
    touchstone::verifies!("STATE-DISABLED");
    for (reason, status) in disabled_by() {
        assert_eq!((status.shown_reason(), status.duty()), (Some(reason), Duty::None));
        assert!(!status.watcher_live && status.scan == Scan::None);
        for trigger in Trigger::ALL {
            let step = tick(status, &[*trigger]);
            if step.status.state == State::Disabled {
                let ends = [
                    Action::StopBuild,
                    Action::StopWatchers,
                    Action::ClearQueue,
                    Action::CloseStore,
                ];
                let works = step.actions.iter();
                assert!(
                    works.into_iter().all(|action| ends.contains(&action)),
                    "{reason} {trigger}"
                );
            }
        }
    }
}

#[test]
fn exclusion_happens_only_in_complete() {
    touchstone::verifies!("FR-LSI-SAFE-03", "FR-LSI-SAFE-02", "PREC-P3");
    let mut excluding = 0;
    for status in reachable() {
        for trigger in Trigger::ALL {
            let step = step(*status, Triggers::of(&[*trigger]));
            if step.may_exclude {
                excluding += 1;
                assert_eq!(step.status.state, State::Complete, "{status:?} {trigger}");
                assert!(*trigger != Trigger::LockTimedOut && step.status.reasons.is_empty());
                assert!(
                    step.status.watcher_live || *trigger == Trigger::CallVerified,
                    "{status:?} {trigger}"
                );
            }
        }
    }
    assert!(excluding > 50, "only {excluding} ticks permit exclusion");
    // Another key: nothing is excluded by an index that is not this request's.
    assert!(!tick(complete(), &[Trigger::KeyChanged]).may_exclude);
    // Coverage is confirmed up to now: delivered changes are applied first.
    assert!(!tick(complete(), &[Trigger::ChangesQueued]).may_exclude);
}

#[test]
fn the_exclusion_gate_uses_the_state_after_all_triggers() {
    touchstone::verifies!("PREC-P3");
    let scanning = then(uncertain(), &[Trigger::ReconcileStarted]);
    assert!(tick(scanning, &[Trigger::ReconcileCompleted, Trigger::IndexAccessed]).may_exclude);
    for against in [
        Trigger::WatcherOverflowed,
        Trigger::DirtyUpdateFailed,
        Trigger::LockTimedOut,
        Trigger::MaintenanceOverBudget,
        Trigger::Evicted,
        Trigger::ModeOff,
        Trigger::RebuildRequested,
    ] {
        assert!(!tick(scanning, &[Trigger::ReconcileCompleted, against]).may_exclude, "{against}");
        assert!(!tick(complete(), &[Trigger::IndexAccessed, against]).may_exclude, "{against}");
    }
}

#[test]
fn of_two_triggers_the_one_with_the_graver_state_decides() {
    touchstone::verifies!("PREC-P1", "T-LSI-SAFE-04");
    let rank = |state: State| SEVERITY.iter().position(|other| *other == state).unwrap();
    let mut pairs = BTreeSet::new();
    for status in statuses() {
        for one in Trigger::ALL {
            for other in Trigger::ALL {
                let (Some(first), Some(second)) =
                    (proposal(status, *one), proposal(status, *other))
                else {
                    continue;
                };
                if rank(first) < rank(second) {
                    let step = tick(status, &[*other, *one]);
                    assert_eq!(
                        (step.status.state, step.winner),
                        (first, Some(*one)),
                        "{one} {other}"
                    );
                    pairs.insert((first, second));
                }
            }
        }
    }
    // Neighbours in the order, each of which was put to the test.
    for (first, second) in [
        (State::Disabled, State::Corrupt),
        (State::Corrupt, State::Uncertain),
        (State::Uncertain, State::Building),
        (State::Building, State::Absent),
        (State::Absent, State::Complete),
        (State::Uncertain, State::Complete),
    ] {
        assert!(pairs.contains(&(first, second)), "{first} over {second}");
    }
}

#[test]
fn of_two_proposals_of_one_state_the_earlier_trigger_wins() {
    // E-C15: the letter orders classes and nothing within them; here every trigger has its place.
    touchstone::verifies!("PREC-P2", "T-LSI-SAFE-04", "E-C15");
    let classes: Vec<u8> = Trigger::ALL.iter().map(|trigger| tabled(*trigger).class).collect();
    assert!(classes.is_sorted() && classes.first() == Some(&1) && classes.last() == Some(&8));
    let order: Vec<&str> =
        clauses_index::TABLES.machine.triggers.iter().map(|row| row.name).collect();
    assert_eq!(order, Trigger::ALL.iter().map(|trigger| trigger.name()).collect::<Vec<_>>());
    let mut ties = 0;
    for status in statuses() {
        for (place, one) in Trigger::ALL.iter().enumerate() {
            for other in &Trigger::ALL[place + 1..] {
                let (Some(first), Some(second)) =
                    (proposal(status, *one), proposal(status, *other))
                else {
                    continue;
                };
                if first == second {
                    let step = tick(status, &[*other, *one]);
                    assert_eq!(step.winner, Some(*one), "{one} {other} in {}", status.state);
                    ties += 1;
                }
            }
        }
    }
    assert!(ties > 100, "only {ties} ties");
}

#[test]
fn the_order_of_triggers_in_a_tick_does_not_matter() {
    touchstone::verifies!("PREC-P2");
    let triggers = [
        Trigger::WatcherOverflowed,
        Trigger::EligibilityChanged,
        Trigger::DirtyUpdateFailed,
        Trigger::ReconcileCompleted,
        Trigger::ChangesQueued,
        Trigger::PolicyChanged,
    ];
    let mut reversed = triggers;
    reversed.reverse();
    for status in canonical() {
        assert_eq!(tick(status, &triggers), tick(status, &reversed));
        let twice: Vec<Trigger> = triggers.into_iter().chain(triggers).collect();
        assert_eq!(tick(status, &twice), tick(status, &triggers));
    }
}

#[test]
fn every_reason_is_kept_and_the_highest_is_shown() {
    // E-C12, E-C13: the letter keeps one reason; a cause that it drops is forgotten, and recovery
    // comes too early.
    touchstone::verifies!("PREC-P4", "T-LSI-SAFE-04", "E-C12", "E-C13");
    let by = uncertain_by();
    for (one, status) in by {
        for (other, trigger) in [
            (Reason::WatcherOverflow, Trigger::WatcherOverflowed),
            (Reason::EligibilityChanged, Trigger::EligibilityChanged),
            (Reason::PolicyChanged, Trigger::PolicyChanged),
            (Reason::EnumerationError, Trigger::EnumerationFailed),
            (Reason::RenameUncertain, Trigger::RenameAmbiguous),
            (Reason::DirtyBacklog, Trigger::DirtyUpdateFailed),
        ] {
            let after = tick(status, &[trigger]).status;
            assert_eq!(after.reasons, Reasons::of(&[one, other]));
            assert_eq!(after.shown_reason(), Some(one.min(other)), "{one} and {other}");
        }
    }
    // A backlog, a watcher that dies and comes back, a drained queue: what happened in between is
    // still unknown.
    let status = then(
        complete(),
        &[
            Trigger::DirtyUpdateFailed,
            Trigger::WatcherStopped,
            Trigger::WatcherStarted,
            Trigger::QueueDrained,
        ],
    );
    assert_eq!(says(&step(status, Triggers::NONE)), "UNCERTAIN WATCHER_DOWN | - | reconcile");
    // At once: the reason of the trigger that comes first, and both are kept.
    let both = tick(complete(), &[Trigger::DirtyUpdateFailed, Trigger::WatcherOverflowed]);
    assert_eq!(
        says(&both),
        "UNCERTAIN WATCHER_OVERFLOW DIRTY_BACKLOG | enqueue_subtree | reconcile"
    );
    for (reason, status) in disabled_by() {
        assert_eq!(
            status.reasons,
            Reasons::of(&[reason]),
            "DISABLED has the one reason that led there"
        );
    }
    let disabled = tick(
        complete(),
        &[Trigger::MemoryExceeded, Trigger::StorageImpossible, Trigger::WatcherOverflowed],
    );
    assert_eq!(disabled.status.shown_reason(), Some(Reason::PersistenceNotPermitted));
}

#[test]
fn losing_rows_of_a_tick_still_queue_and_purge_but_clear_nothing() {
    // E-C14: the letter does not say whether the actions of a row that lost are taken.
    touchstone::verifies!("E-C14", "T-LSI-SAFE-04");
    let scanning = then(uncertain(), &[Trigger::ReconcileStarted]);
    let step = tick(
        scanning,
        &[
            Trigger::ReconcileCompleted,
            Trigger::WatcherOverflowed,
            Trigger::PolicyChanged,
            Trigger::RenameApplied,
        ],
    );
    let actions: Vec<&str> = step.actions.iter().map(Action::name).collect();
    assert_eq!(actions, ["enqueue_subtree", "purge_denied"]);
    // Rows that propose nothing take no recovery away from those that do. An access is noted
    // even if its row loses (FR-LSI-IDX-RM-02).
    let quiet = tick(
        scanning,
        &[Trigger::ReconcileCompleted, Trigger::WatcherStarted, Trigger::IndexAccessed],
    );
    let actions = "clear_older_entries bump_epoch touch_access";
    assert_eq!(says(&quiet), format!("COMPLETE | {actions} | none | excludes"));
}

#[test]
fn known_changes_are_applied_before_a_call_excludes_anything() {
    touchstone::verifies!("TT-25", "D-DIRTY_BACKLOG", "E-C09");
    let queued = tick(complete(), &[Trigger::ChangesQueued]);
    assert_eq!(says(&queued), "COMPLETE | - | none");
    let applied = tick(queued.status, &[Trigger::DirtyUpdateApplied]);
    assert_eq!(says(&applied), "COMPLETE | - | none | excludes");
    let failed = tick(queued.status, &[Trigger::DirtyUpdateFailed]);
    assert_eq!(says(&failed), "UNCERTAIN DIRTY_BACKLOG | - | drain");
    let also = "UNCERTAIN ELIGIBILITY_CHANGED DIRTY_BACKLOG | - | reconcile";
    let tainted = "BUILDING DIRTY_BACKLOG | - | none";
    row(
        Trigger::DirtyUpdateFailed,
        ["·", tainted, "UNCERTAIN DIRTY_BACKLOG | - | drain", also, "·", "·"],
    );
    // Who asks for a call's permission says in that tick how the queue stands.
    for status in reachable() {
        for queue in [Trigger::ChangesQueued, Trigger::DirtyUpdateFailed] {
            let step = step(
                *status,
                Triggers::of(&[queue, Trigger::IndexAccessed, Trigger::CallVerified]),
            );
            assert!(!step.may_exclude, "{status:?} {queue}");
        }
    }
    row(Trigger::DirtyUpdateApplied, ["·"; 6]);
}

#[test]
fn upkeep_over_its_budget_disables_exclusion_for_one_call_only() {
    // E-C16, E-C33: the letter demotes the index for everybody, because of one caller's timeout and
    // with a reason of its own.
    touchstone::verifies!("TT-26", "FR-LSI-BUD-02", "D-MAINT_BUDGET_EXCEEDED", "E-C16", "E-C33");
    for trigger in [Trigger::MaintenanceOverBudget, Trigger::BudgetsExhaustedRepeatedly] {
        for status in canonical().into_iter().take(5) {
            let step = tick(status, &[trigger]);
            assert_eq!(step.status, status, "{trigger} in {}", status.state);
            assert!(step.actions.is_empty());
            assert!(!step.may_exclude);
        }
        let next = ticks(complete(), &[&[trigger], &[Trigger::IndexAccessed]]);
        assert!(next.may_exclude, "the next call is free to exclude");
    }
    assert_eq!(Reason::MaintBudgetExceeded.name(), "MAINT_BUDGET_EXCEEDED");
    assert!(reachable().iter().all(|status| !status.reasons.contains(Reason::MaintBudgetExceeded)));
    // A backlog that is due to the same shortage has the cheap way out.
    let both = tick(complete(), &[Trigger::MaintenanceOverBudget, Trigger::DirtyUpdateFailed]);
    assert_eq!(says(&both), "UNCERTAIN DIRTY_BACKLOG | - | drain");
}

#[test]
fn a_drained_backlog_restores_coverage_only_if_nothing_else_was_lost() {
    touchstone::verifies!("TT-27", "D-CLEAR", "E-C42");
    let backlog = then(complete(), &[Trigger::DirtyUpdateFailed]);
    assert_eq!(says(&tick(backlog, &[Trigger::QueueDrained])), "COMPLETE | - | none | excludes");
    // Not if the watcher overflowed or is down, and not if anything else is in doubt: then only the
    // backlog is gone.
    for (other, expected) in [
        (Trigger::WatcherOverflowed, "UNCERTAIN WATCHER_OVERFLOW | - | reconcile"),
        (Trigger::WatcherStopped, "UNCERTAIN WATCHER_DOWN | - | start_watchers"),
        (Trigger::PolicyChanged, "UNCERTAIN POLICY_CHANGED | - | reconcile"),
    ] {
        assert_eq!(says(&tick(then(backlog, &[other]), &[Trigger::QueueDrained])), expected);
    }
    // A drain that met an error which may hide files is none.
    let hidden = tick(backlog, &[Trigger::QueueDrained, Trigger::EnumerationFailed]);
    assert_eq!(says(&hidden), "UNCERTAIN ENUMERATION_ERROR DIRTY_BACKLOG | - | reconcile");
    // Without a backlog there is nothing to promote.
    row(Trigger::QueueDrained, ["·"; 6]);
}

#[test]
fn a_file_with_another_fingerprint_is_queued_and_searched() {
    touchstone::verifies!("FR-LSI-CAND-02");
    let step = tick(complete(), &[Trigger::FingerprintMismatched]);
    assert_eq!(says(&step), "COMPLETE | - | none | excludes");
}

#[test]
fn the_safety_state_belongs_to_one_process() {
    // E-C30: the letter stores the state in a row that all processes share.
    touchstone::verifies!("E-C30", "FR-LSI-SAFE-04");
    for status in reachable() {
        let born = step(*status, Triggers::of(&[Trigger::ProcessStarted])).status;
        assert_eq!(born, Status::START, "{status:?}");
    }
    // Two processes over one store: what one knows the other has to find out.
    let (one, other) = (complete(), clauses_index::reached(&[Trigger::IndexOpened]));
    assert!(step(one, Triggers::NONE).may_exclude && !step(other, Triggers::NONE).may_exclude);
}
