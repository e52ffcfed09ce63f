//! The transitions: what each trigger does in each state (TT-01..32, M-01..26).
//!
//! Responsible for one handler per state, and for superstates that hold what several states share.
//! A handler tells the [`Tick`] what its trigger says, and returns the transition that the trigger
//! proposes. Entry and exit actions keep what holds in every status of a state. `docs/claims.md`,
//! section 6, has the same as a table. Not here: which proposal wins, and what all
//! triggers add up to (`tick`). Invariants: handlers look at the status before the tick and at
//! nothing else; a trigger that no handler knows says nothing.

use statig::prelude::*;

use super::{
    Scan, Status,
    names::{Action, Reason, State as Safety, Trigger},
    sets::Reasons,
    tick::Tick,
};

/// What has to stop when there shall be no index.
const CLOSE_DOWN: &[Action] =
    &[Action::StopBuild, Action::StopWatchers, Action::ClearQueue, Action::CloseStore];
/// What becomes of a store that cannot be used.
const CONDEMN: &[Action] = &[Action::StopBuild, Action::RemoveIndex, Action::ClearQueue];
/// What a proof of coverage leaves to do.
const PROVEN: &[Action] = &[Action::ClearOlderEntries, Action::BumpEpoch];

const BACKLOG: Reasons = Reasons::of(&[Reason::DirtyBacklog]);
const BUDGET: Reasons = Reasons::of(&[Reason::BuildBudgetExceeded]);

impl Phase {
    /// The state machine's state for a safety state.
    pub(super) fn of(state: Safety) -> Self {
        match state {
            Safety::Absent => Self::absent(),
            Safety::Building => Self::building(),
            Safety::Complete => Self::complete(),
            Safety::Uncertain => Self::uncertain(),
            Safety::Corrupt => Self::corrupt(),
            Safety::Disabled => Self::disabled(),
        }
    }

    /// The safety state.
    pub(super) const fn state(self) -> Safety {
        match self {
            Self::Absent {} => Safety::Absent,
            Self::Building {} => Safety::Building,
            Self::Complete {} => Safety::Complete,
            Self::Uncertain {} => Safety::Uncertain,
            Self::Corrupt {} => Safety::Corrupt,
            Self::Disabled {} => Safety::Disabled,
        }
    }

    /// The state that `trigger` proposes, if any; its other effects are added to the tick.
    pub(super) fn propose(&mut self, trigger: Trigger, tick: &mut Tick) -> Option<Self> {
        match self.handle(&mut Machine, &trigger, tick) {
            Outcome::Transition(target) => Some(target),
            Outcome::Handled | Outcome::Super => None,
        }
    }

    /// Makes a transition: leaves this state and its superstates, and enters those of `target`.
    /// `StateMachine` makes the same calls, but begins in no state but its initial one.
    pub(super) fn transition(mut self, mut target: Self, tick: &mut Tick) -> Self {
        let (left, entered) = self.transition_path(&mut target);
        self.exit(&mut Machine, tick, left);
        target.enter(&mut Machine, tick, entered);
        target
    }
}

/// How a handler ends.
#[expect(clippy::unused_self, reason = "each ends a chain of what the tick is told")]
impl Tick {
    fn to(&mut self, target: Phase) -> Outcome<Phase> {
        Transition(target)
    }

    fn stay(&mut self) -> Outcome<Phase> {
        Handled
    }

    fn disable(&mut self, reason: Reason) -> Outcome<Phase> {
        self.act(CLOSE_DOWN).add(reason).to(Phase::disabled())
    }

    /// Coverage is in question. A build goes on and ends in UNCERTAIN (E-C04, E-C05, E-C06); a
    /// catalog is UNCERTAIN at once.
    fn question(&mut self, reason: Reason) -> Outcome<Phase> {
        let tick = self.add(reason);
        if tick.before.state == Safety::Building {
            tick.stay()
        } else {
            tick.to(Phase::uncertain())
        }
    }

    /// Nobody watches any more. Should the row lose, what goes unseen is not forgotten.
    fn unseen(&mut self) -> &mut Self {
        let known = self.before.state == Safety::Corrupt;
        if known { self.watch(false) } else { self.watch(false).add(Reason::WatcherDown) }
    }
}

/// The state machine has no storage of its own: everything it knows is in the [`Tick`].
struct Machine;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape of statig's handlers")]
#[state_machine(
    initial = "Phase::absent()",
    event_identifier = "trigger",
    context_identifier = "tick",
    state(name = "Phase", derive(Clone, Copy, Debug, PartialEq, Eq)),
    superstate(name = "Region", derive(Debug))
)]
impl Machine {
    #[state(superstate = "enabled", entry_action = "forget_reasons")]
    fn absent(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        match trigger {
            Trigger::IntegrityFailed => tick.act(CONDEMN).to(Phase::corrupt()),
            Trigger::KeyChanged => tick.act(CLOSE_DOWN).watch(false).stay(),
            Trigger::StorageFellBack => tick.act(&[Action::UseMemory]).stay(),
            Trigger::ProcessStarted => tick.act(&[Action::OpenIndex]).watch(false).stay(),
            Trigger::BelowThreshold => tick.disable(Reason::BelowThreshold),
            Trigger::UncleanShutdownFound => tick.act(&[Action::CheckIntegrity]).stay(),
            Trigger::IndexOpened => tick.question(Reason::OpenRequiresValidation),
            Trigger::CheckpointFound => {
                tick.add(Reason::OpenRequiresValidation).to(Phase::building())
            }
            Trigger::BuildStarted | Trigger::RebuildRequested => tick.to(Phase::building()),
            _ => Super,
        }
    }

    #[state(superstate = "cataloguing", entry_action = "begin_build")]
    fn building(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        match trigger {
            Trigger::EnumerationFailed => {
                tick.act(&[Action::StopBuild]).add(Reason::EnumerationError).to(Phase::uncertain())
            }
            Trigger::BuildCompleted => tick.act(PROVEN).to(Phase::complete()),
            Trigger::BuildCompletedWithChanges => {
                tick.act(PROVEN).add(Reason::DirtyBacklog).to(Phase::complete())
            }
            Trigger::BuildOverBudget => {
                tick.add(Reason::BuildBudgetExceeded).to(Phase::uncertain())
            }
            Trigger::BuildFailedClean => {
                tick.act(&[Action::RemoveIndex, Action::ClearQueue]).to(Phase::absent())
            }
            Trigger::Shutdown => tick.act(&[Action::StopBuild]).to(Phase::absent()),
            _ => Super,
        }
    }

    #[state(superstate = "covering", entry_action = "lend", exit_action = "take_back")]
    fn complete(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let Status { lent, scan, .. } = tick.before;
        match trigger {
            Trigger::ReconcileCompleted | Trigger::ReconcileCompletedWithChanges
                if scan == Scan::Running =>
            {
                tick.act(PROVEN).scan(Scan::None).stay()
            }
            Trigger::CallVerified if lent => tick.to(Phase::complete()),
            Trigger::CallEnded if lent => tick.question(Reason::WatcherDown),
            _ => Super,
        }
    }

    #[state(superstate = "covering", entry_action = "end_loan")]
    fn uncertain(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let Status { reasons, scan, watcher_live, .. } = tick.before;
        let scanned = scan == Scan::Running;
        let partial = reasons.meets(BUDGET);
        match trigger {
            Trigger::BuildResumed if partial => tick.resolve(BUDGET).to(Phase::building()),
            Trigger::QueueDrained if reasons.meets(BACKLOG) => {
                tick.resolve(BACKLOG).to(Phase::complete())
            }
            Trigger::ReconcileCompleted if scanned => {
                let tick = tick.resolve(Reasons::COVERAGE.union(BACKLOG)).scan(Scan::None);
                tick.act(PROVEN).to(Phase::complete())
            }
            Trigger::ReconcileCompletedWithChanges if scanned => {
                let tick =
                    tick.resolve(Reasons::COVERAGE).add(Reason::DirtyBacklog).scan(Scan::None);
                tick.act(PROVEN).to(Phase::complete())
            }
            Trigger::CallVerified if !watcher_live && !partial => {
                tick.resolve(Reasons::COVERAGE.union(BACKLOG)).to(Phase::complete())
            }
            _ => Super,
        }
    }

    #[state(superstate = "present", entry_action = "forget_reasons")]
    fn corrupt(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        match trigger {
            Trigger::IndexMissing => {
                tick.act(&[Action::ClearQueue, Action::CloseStore]).to(Phase::absent())
            }
            Trigger::BuildStarted | Trigger::RebuildRequested => tick.to(Phase::building()),
            _ => Super,
        }
    }

    /// Leaves only by what undoes its reason (E-C21).
    #[state(entry_action = "disable")]
    fn disabled(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let reasons = tick.before.reasons;
        let by = |reason| reasons.contains(reason);
        match trigger {
            Trigger::ModeOff if !by(Reason::ModeOff) => tick.disable(Reason::ModeOff),
            Trigger::CooldownExpired
                if by(Reason::MemoryBudgetExceeded) || by(Reason::DiskBudgetExceeded) =>
            {
                tick.act(&[Action::ClearCooldown, Action::OpenIndex]).to(Phase::absent())
            }
            Trigger::ModeOn if by(Reason::ModeOff) => {
                tick.act(&[Action::ClearCooldown, Action::OpenIndex]).to(Phase::absent())
            }
            Trigger::ThresholdExceeded if by(Reason::BelowThreshold) => {
                tick.act(&[Action::OpenIndex]).to(Phase::absent())
            }
            Trigger::ProcessStarted => tick.act(&[Action::OpenIndex]).to(Phase::absent()),
            _ => tick.stay(),
        }
    }

    /// COMPLETE and UNCERTAIN: there is a catalog, and nobody builds it.
    #[superstate(superstate = "cataloguing", exit_action = "end_scan")]
    fn covering(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        let scanning = tick.before.scan != Scan::None;
        match trigger {
            Trigger::EnumerationFailed => tick.question(Reason::EnumerationError),
            Trigger::IndexMissing => {
                tick.act(&[Action::ClearQueue, Action::CloseStore]).to(Phase::absent())
            }
            Trigger::IndexOpened => tick.question(Reason::OpenRequiresValidation),
            Trigger::RebuildRequested => tick.to(Phase::building()),
            Trigger::ReconcileStarted if !scanning => tick.scan(Scan::Running).stay(),
            Trigger::ReconcileCompleted
            | Trigger::ReconcileCompletedWithChanges
            | Trigger::ReconcileOverBudget
                if scanning =>
            {
                tick.scan(Scan::None).stay()
            }
            _ => Super,
        }
    }

    /// BUILDING, COMPLETE and UNCERTAIN: entries are written.
    #[superstate(superstate = "present")]
    fn cataloguing(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        const SUBTREE: &[Action] = &[Action::EnqueueSubtree];
        match trigger {
            Trigger::IntegrityFailed | Trigger::BuildFailedInconsistent => {
                tick.act(CONDEMN).to(Phase::corrupt())
            }
            Trigger::WatcherOverflowed => tick.act(SUBTREE).question(Reason::WatcherOverflow),
            Trigger::WatcherOverflowedInBuild => {
                tick.act(SUBTREE).question(Reason::WatcherOverflowDuringBuild)
            }
            Trigger::WatcherStopped => tick.watch(false).question(Reason::WatcherDown),
            Trigger::EligibilityChanged => tick.act(SUBTREE).question(Reason::EligibilityChanged),
            Trigger::PolicyChanged => {
                tick.act(&[Action::PurgeDenied]).question(Reason::PolicyChanged)
            }
            Trigger::RenameAmbiguous => tick.act(SUBTREE).question(Reason::RenameUncertain),
            Trigger::WriteRolledBack | Trigger::DirtyUpdateFailed | Trigger::RenameNotApplied => {
                tick.question(Reason::DirtyBacklog)
            }
            Trigger::DiskExceeded => {
                tick.act(&[Action::SetCooldown]).disable(Reason::DiskBudgetExceeded)
            }
            // No index for this call; the state does not depend on that (E-C33).
            Trigger::LockTimedOut
            | Trigger::BudgetsExhaustedRepeatedly
            | Trigger::MaintenanceOverBudget
            | Trigger::ChangesQueued => tick.bypass().stay(),
            Trigger::IndexAccessed => tick.act(&[Action::TouchAccess]).stay(),
            _ => Super,
        }
    }

    /// All but ABSENT and DISABLED: there is something that can go.
    #[superstate(superstate = "enabled")]
    fn present(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        match trigger {
            Trigger::IndexMismatched | Trigger::Evicted => tick.act(CONDEMN).to(Phase::absent()),
            Trigger::KeyChanged => tick.act(CLOSE_DOWN).unseen().to(Phase::absent()),
            Trigger::StorageFellBack => tick
                .act(&[Action::StopBuild, Action::ClearQueue, Action::UseMemory])
                .to(Phase::absent()),
            Trigger::ProcessStarted => tick.act(&[Action::OpenIndex]).unseen().to(Phase::absent()),
            Trigger::IndexDeleted => tick
                .act(&[Action::StopBuild, Action::ClearQueue, Action::CloseStore])
                .to(Phase::absent()),
            _ => Super,
        }
    }

    /// All but DISABLED.
    #[superstate]
    fn enabled(trigger: &Trigger, tick: &mut Tick) -> Outcome<Phase> {
        match trigger {
            Trigger::ModeOff => tick.disable(Reason::ModeOff),
            Trigger::StorageImpossible => tick.disable(Reason::PersistenceNotPermitted),
            Trigger::MemoryExceeded => {
                tick.act(&[Action::SetCooldown]).disable(Reason::MemoryBudgetExceeded)
            }
            Trigger::WatcherStarted => tick.watch(true).stay(),
            Trigger::WatcherStopped => tick.watch(false).stay(),
            _ => tick.stay(),
        }
    }

    #[action]
    fn forget_reasons(tick: &mut Tick) {
        tick.after.reasons = Reasons::NONE;
    }

    /// What was wrong with the catalog is wrong with a build only if it goes on with it.
    #[action]
    fn begin_build(tick: &mut Tick) {
        if tick.row.resolves.is_empty() {
            tick.after.reasons = tick.all.adds;
        }
        if !tick.after.watcher_live {
            tick.add_for_all(Reason::WatcherDown);
        }
    }

    /// COMPLETE is the call's own if it was the call that verified everything (M-24).
    #[action]
    fn lend(tick: &mut Tick) {
        tick.after.lent = tick.lends();
    }

    #[action]
    fn take_back(tick: &mut Tick) {
        tick.after.lent = false;
    }

    /// One call's own proof is no proof for others.
    #[action]
    fn end_loan(tick: &mut Tick) {
        if tick.before.lent {
            tick.add_for_all(Reason::WatcherDown);
        }
    }

    /// DISABLED has exactly one reason, and no watcher.
    #[action]
    fn disable(tick: &mut Tick) {
        tick.after.reasons = tick.row.adds;
        tick.after.watcher_live = false;
    }

    #[action]
    fn end_scan(tick: &mut Tick) {
        tick.after.scan = Scan::None;
    }
}
