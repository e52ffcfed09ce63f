use super::*;

fn after(status: Status, triggers: &[Trigger]) -> Step {
    step(status, Triggers::of(triggers))
}

/// A status reached from the start by single triggers.
fn reached(path: &[Trigger]) -> Status {
    path.iter().fold(Status::START, |status, trigger| after(status, &[*trigger]).status)
}

fn complete() -> Status {
    reached(&[Trigger::WatcherStarted, Trigger::BuildStarted, Trigger::BuildCompleted])
}

#[test]
fn a_watched_build_ends_complete() {
    let step = after(
        reached(&[Trigger::WatcherStarted, Trigger::BuildStarted]),
        &[Trigger::BuildCompleted],
    );
    assert_eq!(step.status.state, State::Complete);
    assert!(step.may_exclude);
    assert_eq!(
        step.actions.iter().collect::<Vec<_>>(),
        [Action::ClearOlderEntries, Action::BumpEpoch]
    );
}

#[test]
fn a_build_without_a_watcher_ends_uncertain() {
    let status = reached(&[Trigger::BuildStarted, Trigger::BuildCompleted]);
    assert_eq!(status.shown_reason(), Some(Reason::WatcherDown));
    assert_eq!(status.duty(), Duty::StartWatchers);
}

#[test]
fn lost_coverage_during_a_build_lasts_beyond_its_end() {
    for (trigger, reason) in [
        (Trigger::EligibilityChanged, Reason::EligibilityChanged),
        (Trigger::WatcherOverflowedInBuild, Reason::WatcherOverflowDuringBuild),
        (Trigger::RenameAmbiguous, Reason::RenameUncertain),
    ] {
        let building = reached(&[Trigger::WatcherStarted, Trigger::BuildStarted]);
        let later = after(after(building, &[trigger]).status, &[Trigger::BuildCompleted]);
        let at_once = after(building, &[trigger, Trigger::BuildCompleted]);
        for step in [later, at_once] {
            assert_eq!(step.status.state, State::Uncertain);
            assert_eq!(step.status.shown_reason(), Some(reason));
            assert!(!step.may_exclude);
        }
    }
}

#[test]
fn a_disturbed_scan_proves_nothing() {
    let status = after(complete(), &[Trigger::WatcherOverflowed]).status;
    let status = after(status, &[Trigger::ReconcileStarted]).status;
    assert_eq!(status.scan, Scan::Running);
    let good = after(status, &[Trigger::ReconcileCompleted]);
    assert_eq!(good.status.state, State::Complete);
    let disturbed = after(status, &[Trigger::EligibilityChanged]).status;
    assert_eq!(disturbed.scan, Scan::Disturbed);
    let step = after(disturbed, &[Trigger::ReconcileCompleted]);
    assert_eq!(step.status.state, State::Uncertain);
    assert_eq!(step.duty, Duty::Reconcile);
}

#[test]
fn a_lent_complete_serves_one_call_only() {
    let status = reached(&[Trigger::BuildStarted, Trigger::BuildCompleted]);
    let step = after(status, &[Trigger::CallVerified]);
    assert!(step.may_exclude && step.status.lent);
    assert!(!after(step.status, &[Trigger::IndexAccessed]).may_exclude);
    assert_eq!(after(step.status, &[Trigger::CallEnded]).status.state, State::Uncertain);
}

#[test]
fn several_reasons_are_all_kept() {
    let step = after(
        complete(),
        &[Trigger::DirtyUpdateFailed, Trigger::WatcherStopped, Trigger::RenameAmbiguous],
    );
    assert_eq!(
        step.status.reasons,
        Reasons::of(&[Reason::DirtyBacklog, Reason::WatcherDown, Reason::RenameUncertain])
    );
    assert_eq!(step.winner, Some(Trigger::WatcherStopped));
    let drained = after(step.status, &[Trigger::QueueDrained]);
    assert_eq!(drained.status.state, State::Uncertain);
}

#[test]
fn a_lent_complete_that_ends_by_a_failed_update_does_not_last() {
    let status =
        reached(&[Trigger::IndexOpened, Trigger::CallVerified, Trigger::DirtyUpdateFailed]);
    assert!(status.reasons.contains(Reason::WatcherDown));
    let status = after(status, &[Trigger::WatcherStarted]).status;
    assert_eq!(after(status, &[Trigger::QueueDrained]).status.state, State::Uncertain);
}

#[test]
fn a_watcher_started_at_the_end_of_a_scan_does_not_prove_the_scan() {
    let status = reached(&[Trigger::IndexOpened, Trigger::ReconcileStarted]);
    let step = after(status, &[Trigger::WatcherStarted, Trigger::ReconcileCompleted]);
    assert_eq!(step.status.shown_reason(), Some(Reason::WatcherDown));
    assert!(!step.may_exclude);
}
