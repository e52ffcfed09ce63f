//! What each trigger does in each state: the rows TT-01..32, and those that the document's prose and the errata demand (M-01..26).
//!
//! Responsible for one row per state and trigger, as a hierarchy of states: [`Phase`]s for the six states, superstates for what several of them have in common
//! ("any except `DISABLED`"). `docs/index.md`, section 6, has the same as a table.
//! Left to neighbours: what becomes of several rows at once (`tick`).
//! Invariants: handlers look at the status before the tick and at nothing else; a trigger that no handler knows leaves everything as it is.

use statig::prelude::*;

use super::{
    Scan,
    names::{Action, Reason, State as Safety, Trigger},
    sets::Reasons,
    tick::{IMPOSSIBLE, Row, STAY, Tick},
};

/// What has to stop when there shall be no index.
const CLOSE_DOWN: &[Action] =
    &[Action::StopBuild, Action::StopWatchers, Action::ClearQueue, Action::CloseStore];

/// What becomes of a store that cannot be used.
const CONDEMN: &[Action] = &[Action::StopBuild, Action::QuarantineIndex, Action::ClearQueue];

const BACKLOG: Reasons = Reasons::of(&[Reason::DirtyBacklog]);
const BUDGET: Reasons = Reasons::of(&[Reason::BuildBudgetExceeded]);

/// Takes down what `trigger` does in the tick's status.
pub(super) fn consider(tick: &mut Tick, trigger: Trigger) {
    let mut phase = match tick.before().state {
        Safety::Absent => Phase::absent(),
        Safety::Building => Phase::building(),
        Safety::Complete => Phase::complete(),
        Safety::Uncertain => Phase::uncertain(),
        Safety::Corrupt => Phase::corrupt(),
        Safety::Disabled => Phase::disabled(),
    };
    let outcome = StateExt::handle(&mut phase, &mut Rows, &trigger, tick);
    debug_assert!(!matches!(outcome, Outcome::Transition(_)), "rows propose, the tick decides");
}

/// The machine without storage of its own: everything it knows is in the [`Tick`].
struct Rows;

/// Down, because `reason`.
const fn disable(reason: Reason) -> Row {
    Row::to(Safety::Disabled).adds(reason).acts(CLOSE_DOWN)
}

/// Coverage is in question, because `reason`.
const fn doubt(reason: Reason) -> Row {
    Row::to(Safety::Uncertain).adds(reason)
}

/// No change of state now; the build will end in doubt (E-C04, E-C05, E-C06).
const fn taint(reason: Reason) -> Row {
    STAY.adds(reason)
}

/// A builder is done, one way or another; where nothing is being built, nobody wants what it brings.
fn ends_a_build(trigger: Trigger) -> bool {
    matches!(
        trigger,
        Trigger::BuildFailedInconsistent
            | Trigger::BuildCompleted
            | Trigger::BuildCompletedWithChanges
            | Trigger::BuildOverBudget
            | Trigger::BuildFailedClean
            | Trigger::StaleBuildFinished
    )
}

/// Nobody watches any more: should the row lose, what goes unseen is not forgotten.
fn unseen(row: Row, tick: &Tick) -> Row {
    if tick.before().state == Safety::Corrupt { row } else { row.adds(Reason::WatcherDown) }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape of statig's handlers")]
#[state_machine(
    initial = "Phase::absent()",
    event_identifier = "trigger",
    context_identifier = "tick",
    state(name = "Phase", derive(Debug)),
    superstate(name = "Region", derive(Debug))
)]
impl Rows {
    #[state(superstate = "enabled")]
    fn absent(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let row = match trigger {
            Trigger::IntegrityFailed => Row::to(Safety::Corrupt).acts(CONDEMN),
            Trigger::KeyChanged => STAY.acts(CLOSE_DOWN).acts(&[Action::BypassThisCall]).watcher(false),
            Trigger::WatcherOverflowedInBuild | Trigger::ReconcileStarted => IMPOSSIBLE,
            Trigger::StorageFellBack => STAY.acts(&[Action::UseMemory]),
            Trigger::ProcessStarted => STAY.acts(&[Action::OpenIndex]).watcher(false),
            Trigger::BelowThreshold => disable(Reason::BelowThreshold),
            Trigger::UncleanShutdownFound => STAY.acts(&[Action::CheckIntegrity]),
            Trigger::IndexOpened => doubt(Reason::OpenRequiresValidation).acts(&[Action::StartWatchers]),
            Trigger::CheckpointFound => {
                Row::to(Safety::Building).adds(Reason::OpenRequiresValidation).acts(&[Action::ResumeBuild])
            }
            Trigger::BuildStarted | Trigger::RebuildRequested => {
                Row::to(Safety::Building).acts(&[Action::StartBuild])
            }
            _ => return Super,
        };
        tick.take(*trigger, row);
        Handled
    }

    #[state(superstate = "cataloguing")]
    fn building(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let done =
            Row::to(Safety::Complete).acts(&[Action::ClearOlderEntries]).when_complete(Action::BumpEpoch);
        let row = match trigger {
            // What the sender saw may be past when it arrives; events that were lost stay lost.
            Trigger::WatcherOverflowed => taint(Reason::WatcherOverflow).acts(&[Action::EnqueueSubtree]),
            Trigger::WatcherOverflowedInBuild => {
                taint(Reason::WatcherOverflowDuringBuild).acts(&[Action::EnqueueSubtree])
            }
            Trigger::WatcherStopped => taint(Reason::WatcherDown).watcher(false),
            Trigger::EligibilityChanged => taint(Reason::EligibilityChanged).acts(&[Action::EnqueueSubtree]),
            Trigger::PolicyChanged => taint(Reason::PolicyChanged).acts(&[Action::PurgeDenied]),
            Trigger::EnumerationFailed => {
                doubt(Reason::EnumerationError).acts(&[Action::StopBuild, Action::PersistPartial])
            }
            Trigger::RenameAmbiguous => taint(Reason::RenameUncertain).acts(&[Action::EnqueueSubtree]),
            Trigger::WriteRolledBack | Trigger::DirtyUpdateFailed => taint(Reason::DirtyBacklog),
            Trigger::RenameNotApplied => taint(Reason::DirtyBacklog).acts(&[Action::EnqueuePaths]),
            Trigger::BuildCompleted => done,
            Trigger::BuildCompletedWithChanges => done.adds(Reason::DirtyBacklog),
            Trigger::BuildOverBudget => doubt(Reason::BuildBudgetExceeded).acts(&[Action::PersistPartial]),
            Trigger::BuildFailedClean => {
                Row::to(Safety::Absent).acts(&[Action::DeleteIndex, Action::ClearQueue])
            }
            Trigger::Shutdown => {
                Row::to(Safety::Absent).acts(&[Action::StopBuild, Action::PersistCheckpoint])
            }
            // One file does not exist before the first commit, another search may look for it (E-C22).
            Trigger::IndexMissing => STAY,
            _ => return Super,
        };
        tick.take(*trigger, row);
        Handled
    }

    #[state(superstate = "covering")]
    fn complete(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let scanning = tick.before().scan == Scan::Running;
        let lent = tick.before().lent;
        let row = match trigger {
            Trigger::BuildCompleted
            | Trigger::BuildCompletedWithChanges
            | Trigger::BuildOverBudget
            | Trigger::BuildFailedClean => IMPOSSIBLE,
            Trigger::ReconcileCompleted | Trigger::ReconcileCompletedWithChanges if scanning => {
                STAY.ends_scan().acts(&[Action::ClearOlderEntries, Action::BumpEpoch])
            }
            Trigger::CallVerified if lent => Row::to(Safety::Complete).lends(),
            Trigger::CallEnded if lent => doubt(Reason::WatcherDown),
            _ => return Super,
        };
        tick.take(*trigger, row);
        Handled
    }

    #[state(superstate = "covering")]
    fn uncertain(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let before = tick.before();
        let scanning = before.scan == Scan::Running;
        let backlog = before.reasons.meets(BACKLOG);
        let partial = before.reasons.meets(BUDGET);
        let unwatched = !before.watcher_live;
        let proven = Row::to(Safety::Complete)
            .ends_scan()
            .acts(&[Action::ClearOlderEntries])
            .when_complete(Action::BumpEpoch);
        let row = match trigger {
            Trigger::BuildResumed if partial => {
                Row::to(Safety::Building).keeps().resolves(BUDGET).acts(&[Action::ResumeBuild])
            }
            Trigger::QueueDrained if backlog => {
                Row::to(Safety::Complete).resolves(BACKLOG).acts(&[Action::ClearAppliedEntries])
            }
            Trigger::ReconcileCompleted if scanning => proven.resolves(Reasons::COVERAGE.union(BACKLOG)),
            Trigger::ReconcileCompletedWithChanges if scanning => {
                proven.resolves(Reasons::COVERAGE).adds(Reason::DirtyBacklog)
            }
            Trigger::CallVerified if unwatched && !partial => {
                Row::to(Safety::Complete).lends().resolves(Reasons::COVERAGE.union(BACKLOG))
            }
            _ => return Super,
        };
        tick.take(*trigger, row);
        Handled
    }

    #[state(superstate = "present")]
    fn corrupt(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let row = match trigger {
            Trigger::IndexMissing => Row::to(Safety::Absent).acts(&[Action::ClearQueue, Action::CloseStore]),
            Trigger::WatcherOverflowedInBuild | Trigger::ReconcileStarted => IMPOSSIBLE,
            Trigger::BuildStarted | Trigger::RebuildRequested => {
                Row::to(Safety::Building).acts(&[Action::StartBuild])
            }
            _ => return Super,
        };
        tick.take(*trigger, row);
        Handled
    }

    /// Leaves only by what undoes its reason (E-C21).
    #[state]
    fn disabled(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let by = |reason| tick.before().reasons.contains(reason);
        let reopen = Row::to(Safety::Absent).acts(&[Action::OpenIndex]);
        let row = match trigger {
            Trigger::ModeOff if !by(Reason::ModeOff) => disable(Reason::ModeOff),
            Trigger::WatcherOverflowedInBuild | Trigger::ReconcileStarted => IMPOSSIBLE,
            Trigger::WatcherStopped => STAY.watcher(false),
            Trigger::ProcessStarted => reopen.watcher(false),
            Trigger::CooldownExpired
                if by(Reason::MemoryBudgetExceeded) || by(Reason::DiskBudgetExceeded) =>
            {
                reopen.acts(&[Action::ClearCooldown])
            }
            Trigger::ModeOn if by(Reason::ModeOff) => reopen.acts(&[Action::ClearCooldown]),
            Trigger::ThresholdExceeded if by(Reason::BelowThreshold) => reopen,
            trigger if ends_a_build(*trigger) => STAY.acts(&[Action::DiscardBuild]),
            _ => STAY,
        };
        tick.take(*trigger, row);
        Handled
    }

    /// COMPLETE and UNCERTAIN: there is a catalog, and nobody builds it.
    #[superstate(superstate = "cataloguing")]
    fn covering(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let unwatched = !tick.before().watcher_live;
        let scan = tick.before().scan;
        let row = match trigger {
            Trigger::WatcherOverflowed => doubt(Reason::WatcherOverflow).acts(&[Action::EnqueueSubtree]),
            Trigger::WatcherOverflowedInBuild => {
                doubt(Reason::WatcherOverflowDuringBuild).acts(&[Action::EnqueueSubtree])
            }
            Trigger::WatcherStopped => doubt(Reason::WatcherDown).watcher(false),
            Trigger::EligibilityChanged => doubt(Reason::EligibilityChanged).acts(&[Action::EnqueueSubtree]),
            Trigger::PolicyChanged => doubt(Reason::PolicyChanged).acts(&[Action::PurgeDenied]),
            Trigger::EnumerationFailed => doubt(Reason::EnumerationError),
            Trigger::RenameAmbiguous => doubt(Reason::RenameUncertain).acts(&[Action::EnqueueSubtree]),
            Trigger::WriteRolledBack | Trigger::DirtyUpdateFailed => doubt(Reason::DirtyBacklog),
            Trigger::RenameNotApplied => doubt(Reason::DirtyBacklog).acts(&[Action::EnqueuePaths]),
            Trigger::IndexMissing => Row::to(Safety::Absent).acts(&[Action::ClearQueue, Action::CloseStore]),
            Trigger::IndexOpened => doubt(Reason::OpenRequiresValidation).acts(&[Action::StartWatchers]),
            Trigger::RebuildRequested => Row::to(Safety::Building).acts(&[Action::StartBuild]),
            Trigger::Shutdown => STAY.acts(&[Action::MarkClean]),
            // What changed before the watcher came may have been passed already.
            Trigger::WatcherStarted if unwatched && scan == Scan::Running => {
                STAY.watcher(true).disturbs_scan()
            }
            Trigger::DirtyUpdateApplied => STAY.acts(&[Action::ClearAppliedEntries]),
            Trigger::ReconcileStarted if scan == Scan::None => {
                STAY.begins_scan().acts(&[Action::BeginReconcile])
            }
            Trigger::ReconcileCompleted
            | Trigger::ReconcileCompletedWithChanges
            | Trigger::ReconcileOverBudget => STAY.ends_scan(),
            _ => return Super,
        };
        tick.take(*trigger, row);
        Handled
    }

    /// BUILDING, COMPLETE and UNCERTAIN: entries are written.
    #[superstate(superstate = "present")]
    fn cataloguing(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let row = match trigger {
            Trigger::IntegrityFailed | Trigger::BuildFailedInconsistent => {
                Row::to(Safety::Corrupt).acts(CONDEMN)
            }
            Trigger::DiskExceeded => disable(Reason::DiskBudgetExceeded).acts(&[Action::SetCooldown]),
            Trigger::RenameApplied => STAY.acts(&[Action::EnqueuePaths]),
            Trigger::ChangesQueued => STAY.acts(&[Action::EnqueuePaths, Action::BypassThisCall]),
            Trigger::FingerprintMismatched => STAY.acts(&[Action::EnqueuePaths, Action::KeepAsCandidate]),
            Trigger::IndexAccessed => STAY.acts(&[Action::TouchAccess]),
            _ => return Super,
        };
        tick.take(*trigger, row);
        Handled
    }

    /// All but ABSENT and DISABLED: there is something that can go.
    #[superstate(superstate = "enabled")]
    fn present(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let gone = Row::to(Safety::Absent);
        let row = match trigger {
            Trigger::IndexMismatched | Trigger::Evicted => gone.acts(CONDEMN),
            Trigger::KeyChanged => {
                unseen(gone, tick).acts(CLOSE_DOWN).acts(&[Action::BypassThisCall]).watcher(false)
            }
            Trigger::StorageFellBack => {
                gone.acts(&[Action::StopBuild, Action::ClearQueue, Action::UseMemory])
            }
            Trigger::ProcessStarted => unseen(gone, tick).acts(&[Action::OpenIndex]).watcher(false),
            Trigger::IndexDeleted => gone.acts(&[Action::StopBuild, Action::ClearQueue, Action::CloseStore]),
            _ => return Super,
        };
        tick.take(*trigger, row);
        Handled
    }

    /// All but DISABLED.
    #[superstate]
    fn enabled(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let row = match trigger {
            Trigger::ModeOff => disable(Reason::ModeOff),
            Trigger::StorageImpossible => disable(Reason::PersistenceNotPermitted),
            Trigger::MemoryExceeded => disable(Reason::MemoryBudgetExceeded).acts(&[Action::SetCooldown]),
            Trigger::WatcherStarted => STAY.watcher(true),
            Trigger::WatcherStopped => STAY.watcher(false),
            Trigger::LockTimedOut | Trigger::BudgetsExhaustedRepeatedly | Trigger::MaintenanceOverBudget => {
                STAY.acts(&[Action::BypassThisCall])
            }
            Trigger::CooldownExpired | Trigger::CooldownActive => IMPOSSIBLE,
            trigger if ends_a_build(*trigger) => STAY.acts(&[Action::DiscardBuild]),
            _ => STAY,
        };
        tick.take(*trigger, row);
        Handled
    }
}
