use super::*;
use crate::generated::index::INDEX;
use crate::index::tables::{Action, ActionKind, ActionRow, ReasonRow, TriggerRow};

const TABLES: MachineTables<'static> = INDEX.machine;

fn status(state: State, reasons: &[Reason]) -> Status {
    Status {
        state,
        reasons: Reasons::of(reasons),
        watcher_live: true,
        scan: Scan::None,
        lent: false,
    }
}

fn down(status: Status) -> Status {
    Status { watcher_live: false, ..status }
}

fn scanning(status: Status, scan: Scan) -> Status {
    Status { scan, ..status }
}

fn lent() -> Status {
    Status { lent: true, ..down(status(State::Complete, &[])) }
}

fn tick(before: Status, triggers: &[Trigger]) -> Outcome {
    step(&TABLES, before, triggers)
}

fn listed(outcome: Outcome) -> Vec<Action> {
    outcome.actions.iter(&TABLES).collect()
}

#[test]
fn a_process_begins_without_index_and_watcher_and_with_the_duty_to_build() {
    let outcome = tick(Status::start(), &[]);
    assert_eq!(outcome.status, Status::start());
    assert_eq!((outcome.duty, outcome.shown, outcome.winner), (Duty::Build, None, None));
    assert!(outcome.actions.is_empty() && !outcome.may_exclude);
}

#[test]
fn an_index_is_built_and_used() {
    let watched = tick(Status::start(), &[Trigger::WatcherStarted]).status;
    let building = tick(watched, &[Trigger::BuildStarted]);
    assert_eq!(building.status, status(State::Building, &[]));
    assert!(listed(building).is_empty());
    let complete = tick(building.status, &[Trigger::BuildCompleted]);
    assert_eq!(complete.status, status(State::Complete, &[]));
    assert_eq!(listed(complete), [Action::ClearOlderEntries, Action::BumpEpoch]);
    assert!(complete.may_exclude);
    assert_eq!(complete.winner, Some(Trigger::BuildCompleted));
}

#[test]
fn order_and_repetition_of_triggers_do_not_matter() {
    let all: Vec<Trigger> = TABLES.triggers.iter().map(|row| row.trigger).collect();
    let backwards: Vec<Trigger> = all.iter().rev().chain(&all).copied().collect();
    for state in State::ALL {
        let before = scanning(status(state, &[Reason::DirtyBacklog]), Scan::Running);
        assert_eq!(tick(before, &all), tick(before, &backwards));
    }
}

#[test]
fn the_severest_state_wins_then_the_earliest_trigger() {
    let before = status(State::Complete, &[]);
    let severity = [Trigger::RebuildRequested, Trigger::WatcherOverflowed];
    assert_eq!(tick(before, &severity).winner, Some(Trigger::WatcherOverflowed));
    let order = [Trigger::IndexOpened, Trigger::WatcherStopped, Trigger::WatcherOverflowed];
    assert_eq!(tick(before, &order).winner, Some(Trigger::WatcherOverflowed));

    let upside_down: Vec<State> = TABLES.severity.iter().rev().copied().collect();
    let other = MachineTables { severity: &upside_down, ..TABLES };
    assert_eq!(step(&other, before, &severity).winner, Some(Trigger::RebuildRequested));
    let backwards: Vec<TriggerRow<'_>> = TABLES.triggers.iter().rev().copied().collect();
    let other = MachineTables { triggers: &backwards, ..TABLES };
    assert_eq!(step(&other, before, &order).winner, Some(Trigger::IndexOpened));
}

#[test]
fn reasons_of_losing_rows_are_added_too() {
    let outcome = tick(
        status(State::Uncertain, &[Reason::DirtyBacklog]),
        &[Trigger::QueueDrained, Trigger::WatcherOverflowed, Trigger::IndexOpened],
    );
    let expected = [Reason::WatcherOverflow, Reason::OpenRequiresValidation, Reason::DirtyBacklog];
    assert_eq!(outcome.status, status(State::Uncertain, &expected));
    assert_eq!(outcome.shown, Some(Reason::WatcherOverflow));
    assert_eq!(listed(outcome), [Action::EnqueueSubtree]);
}

#[test]
fn the_shown_reason_is_the_first_by_rank_and_only_in_uncertain_and_disabled() {
    let backwards: Vec<ReasonRow> = TABLES.reasons.iter().rev().copied().collect();
    let other = MachineTables { reasons: &backwards, ..TABLES };
    let reasons = [Reason::WatcherDown, Reason::DirtyBacklog];
    let expected = |state: State, shown: Reason| {
        matches!(state, State::Uncertain | State::Disabled).then_some(shown)
    };
    for state in State::ALL {
        let before = status(state, &reasons);
        let machine = Machine::new(&TABLES);
        assert_eq!(machine.shown(before), expected(state, Reason::WatcherDown), "{state:?}");
        assert_eq!(
            Machine::new(&other).shown(before),
            expected(state, Reason::DirtyBacklog),
            "{state:?}"
        );
    }
}

#[test]
fn disabling_keeps_one_reason_stops_the_watcher_and_cancels_the_scan() {
    let before = scanning(status(State::Uncertain, &[Reason::WatcherOverflow]), Scan::Disturbed);
    let outcome = tick(before, &[Trigger::WatcherStarted, Trigger::ModeOff, Trigger::IndexOpened]);
    assert_eq!(outcome.status, down(status(State::Disabled, &[Reason::ModeOff])));
    assert_eq!(outcome.shown, Some(Reason::ModeOff));
    let expected =
        [Action::StopBuild, Action::StopWatchers, Action::ClearQueue, Action::CloseStore];
    assert_eq!(listed(outcome), expected);
    let again = tick(outcome.status, &[Trigger::ModeOff, Trigger::WatcherStarted]);
    assert_eq!(again.status, outcome.status);
}

#[test]
fn a_taint_of_a_build_remains_at_its_end() {
    let building = tick(status(State::Building, &[]), &[Trigger::WatcherStopped]);
    assert_eq!(building.status, down(status(State::Building, &[Reason::WatcherDown])));
    assert_eq!(building.shown, None);
    let watched = tick(building.status, &[Trigger::WatcherStarted]).status;
    let ended = tick(watched, &[Trigger::BuildCompleted]);
    assert_eq!(ended.status, status(State::Uncertain, &[Reason::WatcherDown]));
    assert_eq!(listed(ended), [Action::ClearOlderEntries]);
    assert_eq!(ended.duty, Duty::Reconcile);
}

#[test]
fn a_build_without_a_watcher_is_tainted_from_the_beginning() {
    let building = tick(Status::start(), &[Trigger::BuildStarted]).status;
    assert_eq!(building, down(status(State::Building, &[Reason::WatcherDown])));
}

#[test]
fn a_resumed_build_keeps_other_reasons_and_a_new_build_clears_them() {
    let before = status(State::Uncertain, &[Reason::BuildBudgetExceeded, Reason::WatcherOverflow]);
    let resumed = tick(before, &[Trigger::BuildResumed]);
    assert_eq!(resumed.status, status(State::Building, &[Reason::WatcherOverflow]));
    let rebuilt = tick(before, &[Trigger::RebuildRequested]);
    assert_eq!(rebuilt.status, status(State::Building, &[]));
}

#[test]
fn complete_needs_an_empty_set_of_reasons() {
    let before = status(State::Uncertain, &[Reason::DirtyBacklog, Reason::OpenRequiresValidation]);
    let outcome = tick(before, &[Trigger::QueueDrained]);
    assert_eq!(outcome.status, status(State::Uncertain, &[Reason::OpenRequiresValidation]));
    assert!(!outcome.may_exclude);
    assert_eq!(outcome.winner, Some(Trigger::QueueDrained));
}

#[test]
fn only_a_verified_call_makes_an_unwatched_index_complete() {
    let before = down(status(State::Uncertain, &[Reason::DirtyBacklog]));
    let drained = tick(before, &[Trigger::QueueDrained]);
    assert_eq!(drained.status, down(status(State::Uncertain, &[Reason::WatcherDown])));
    let verified = tick(
        down(status(State::Uncertain, &[Reason::OpenRequiresValidation])),
        &[Trigger::CallVerified],
    );
    assert_eq!(verified.status, lent());
    assert!(verified.may_exclude);
}

#[test]
fn a_lent_complete_serves_only_the_call_that_verified() {
    assert!(!tick(lent(), &[]).may_exclude);
    assert!(!tick(lent(), &[Trigger::RenameApplied]).may_exclude);
    let again = tick(lent(), &[Trigger::CallVerified]);
    assert_eq!(again.status, lent());
    assert!(again.may_exclude);
    let ended = tick(lent(), &[Trigger::CallEnded]);
    assert_eq!(ended.status, down(status(State::Uncertain, &[Reason::WatcherDown])));
    assert_eq!(tick(ended.status, &[Trigger::CallEnded]).status, ended.status);
}

#[test]
fn an_undisturbed_scan_restores_coverage() {
    let opened = tick(status(State::Absent, &[]), &[Trigger::IndexOpened]).status;
    let running = tick(opened, &[Trigger::ReconcileStarted]);
    assert_eq!((running.status.scan, running.duty), (Scan::Running, Duty::None));
    let done = tick(running.status, &[Trigger::ReconcileCompleted]);
    assert_eq!(done.status, status(State::Complete, &[]));
    assert_eq!(listed(done), [Action::ClearOlderEntries, Action::BumpEpoch]);
}

#[test]
fn a_disturbed_scan_has_to_be_repeated() {
    let running = scanning(status(State::Uncertain, &[Reason::WatcherOverflow]), Scan::Running);
    let disturbed = tick(running, &[Trigger::WatcherOverflowed]).status;
    assert_eq!(disturbed.scan, Scan::Disturbed, "the reason was there, and is added all the same");
    let done = tick(disturbed, &[Trigger::ReconcileCompleted]);
    assert_eq!(done.status, status(State::Uncertain, &[Reason::WatcherOverflow]));
    assert_eq!(done.duty, Duty::Reconcile);

    let calm: Vec<ReasonRow> =
        TABLES.reasons.iter().map(|row| ReasonRow { disturbs: false, ..*row }).collect();
    let other = MachineTables { reasons: &calm, ..TABLES };
    assert_eq!(step(&other, running, &[Trigger::WatcherOverflowed]).status.scan, Scan::Running);
}

#[test]
fn a_scan_that_began_without_a_watcher_is_disturbed_when_one_starts() {
    let running = scanning(down(status(State::Uncertain, &[Reason::WatcherDown])), Scan::Running);
    let started = tick(running, &[Trigger::WatcherStarted]).status;
    assert_eq!((started.scan, started.watcher_live), (Scan::Disturbed, true));
    let idle = tick(scanning(running, Scan::None), &[Trigger::WatcherStarted]).status;
    assert_eq!(idle.scan, Scan::None);
}

#[test]
fn a_scan_does_not_begin_if_another_trigger_wins() {
    let before = status(State::Uncertain, &[Reason::OpenRequiresValidation]);
    let outcome = tick(before, &[Trigger::ReconcileStarted, Trigger::WatcherOverflowed]);
    assert_eq!(outcome.status.scan, Scan::None);
    assert_eq!(listed(outcome), [Action::EnqueueSubtree]);
}

#[test]
fn a_bypass_holds_for_the_call_under_any_winner() {
    let outcome = tick(status(State::Complete, &[]), &[Trigger::LockTimedOut]);
    assert_eq!(outcome.status.state, State::Complete);
    assert!(!outcome.may_exclude);
    let outcome =
        tick(status(State::Building, &[]), &[Trigger::LockTimedOut, Trigger::BuildCompleted]);
    assert_eq!(outcome.status.state, State::Complete);
    assert!(!outcome.may_exclude);
    assert_eq!(listed(outcome), [Action::ClearOlderEntries, Action::BumpEpoch]);
}

#[test]
fn owned_actions_of_losing_rows_do_not_run_and_of_unproposing_rows_only_without_a_winner() {
    let absent = status(State::Absent, &[]);
    let used = tick(absent, &[Trigger::UncleanShutdownFound, Trigger::WatcherStarted]);
    assert_eq!(listed(used), [Action::CheckIntegrity]);
    let lost = tick(absent, &[Trigger::UncleanShutdownFound, Trigger::BuildStarted]);
    assert!(listed(lost).is_empty());

    let everything_additive: Vec<ActionRow> =
        TABLES.actions.iter().map(|row| ActionRow { kind: ActionKind::Additive, ..*row }).collect();
    let other = MachineTables { actions: &everything_additive, ..TABLES };
    let outcome = step(&other, absent, &[Trigger::UncleanShutdownFound, Trigger::BuildStarted]);
    assert_eq!(outcome.actions, Actions::of(&[Action::CheckIntegrity]));
}

#[test]
fn actions_are_listed_in_the_order_of_the_tables() {
    let backwards: Vec<ActionRow> = TABLES.actions.iter().rev().copied().collect();
    let other = MachineTables { actions: &backwards, ..TABLES };
    let outcome = tick(status(State::Complete, &[]), &[Trigger::ModeOff]);
    let expected =
        [Action::CloseStore, Action::ClearQueue, Action::StopWatchers, Action::StopBuild];
    assert_eq!(outcome.actions.iter(&other).collect::<Vec<_>>(), expected);
}

#[test]
fn duties_are_functions_of_the_status() {
    let machine = Machine::new(&TABLES);
    let uncertain = |reasons: &[Reason]| status(State::Uncertain, reasons);
    let rows = [
        (status(State::Corrupt, &[]), Duty::Build),
        (status(State::Building, &[]), Duty::None),
        (status(State::Complete, &[]), Duty::None),
        (down(status(State::Disabled, &[Reason::ModeOff])), Duty::None),
        (down(uncertain(&[Reason::BuildBudgetExceeded])), Duty::ResumeBuild),
        (down(uncertain(&[Reason::DirtyBacklog])), Duty::StartWatchers),
        (scanning(uncertain(&[Reason::DirtyBacklog]), Scan::Disturbed), Duty::None),
        (uncertain(&[Reason::DirtyBacklog]), Duty::Drain),
        (uncertain(&[Reason::DirtyBacklog, Reason::WatcherDown]), Duty::Reconcile),
    ];
    for (status, expected) in rows {
        assert_eq!(machine.duty(status), expected, "{status:?}");
    }
}

#[test]
fn reason_sets_behave_as_sets() {
    let both = Reasons::of(&[Reason::DirtyBacklog, Reason::WatcherDown]);
    assert_eq!(both.iter().collect::<Vec<_>>(), [Reason::WatcherDown, Reason::DirtyBacklog]);
    assert_eq!(both.without(Reason::WatcherDown), Reasons::empty().with(Reason::DirtyBacklog));
    assert!(both.minus(both).is_empty());
    assert_eq!(format!("{both:?}"), "{WatcherDown, DirtyBacklog}");
}
