//! The index's safety state machine: which state follows, and whether a file may be excluded
//! (FR-LSI-SAFE-01..04, PREC-P1..P4, TT-01..32).
//!
//! Responsible for [`step`]: from a [`Status`] and the [`Triggers`] of one tick to the next status,
//! the actions that the engine has to take, what is left to do, and whether this tick permits
//! exclusion. Not here: `states` is the state machine, `tick` finds the one trigger of a
//! tick that it makes a transition for, [`names`] has the vocabulary. Invariants: total, so that
//! every set of triggers has an answer in every status; no clock, no memory between calls but the
//! status; COMPLETE is entered only with no reason left.

pub mod names;
mod sets;
mod states;
mod tick;

pub use names::{Action, Duty, Reason, State, Trigger};
pub use sets::{Actions, Reasons, Triggers};

use states::Phase;
use tick::Tick;

/// What is remembered between ticks (`docs/claims.md`, section 4). Belongs to a process, never to
/// the store (E-C30).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Status {
    /// The safety state.
    pub state: State,
    /// UNCERTAIN: why; never empty. BUILDING: what will still be wrong when the build ends.
    /// DISABLED: the one reason. Elsewhere empty.
    pub reasons: Reasons,
    /// Whether a watcher reports every change.
    pub watcher_live: bool,
    /// The reconcile scan.
    pub scan: Scan,
    /// COMPLETE, but only for the call that verified everything itself.
    pub lent: bool,
}

/// How the reconcile scan stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scan {
    /// There is none.
    None,
    /// It runs, and proves coverage if it ends well.
    Running,
    /// It runs, but coverage was called into question after it began: it has to be repeated.
    Disturbed,
}

impl Status {
    /// How a process begins.
    pub const START: Self = Self {
        state: State::Absent,
        reasons: Reasons::NONE,
        watcher_live: false,
        scan: Scan::None,
        lent: false,
    };

    /// `index_uncertain_reason`: the reason of highest rank, in UNCERTAIN and DISABLED (PREC-P4,
    /// E-C39).
    pub fn shown_reason(&self) -> Option<Reason> {
        match self.state {
            State::Uncertain | State::Disabled => self.reasons.iter().next(),
            State::Absent | State::Building | State::Complete | State::Corrupt => None,
        }
    }

    /// What the background has to do; a function of the status, so that no duty can be lost with an
    /// event.
    pub fn duty(&self) -> Duty {
        match self.state {
            State::Absent | State::Corrupt => Duty::Build,
            State::Building | State::Complete | State::Disabled => Duty::None,
            State::Uncertain if self.reasons.contains(Reason::BuildBudgetExceeded) => {
                Duty::ResumeBuild
            }
            // Without a watcher no scan lasts: calls verify for themselves.
            State::Uncertain if !self.watcher_live => Duty::StartWatchers,
            State::Uncertain if self.scan != Scan::None => Duty::None,
            State::Uncertain if self.reasons == Reasons::of(&[Reason::DirtyBacklog]) => Duty::Drain,
            State::Uncertain => Duty::Reconcile,
        }
    }
}

/// What a tick came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is remembered now.
    pub status: Status,
    /// What the engine has to do, in this order.
    pub actions: Actions,
    /// Whether a call made in this tick may exclude files, as far as the state is concerned
    /// (PREC-P3, FR-LSI-SAFE-02).
    pub may_exclude: bool,
    /// What is left for the background to do.
    pub duty: Duty,
    /// The trigger that decided the state; none if nothing proposed one.
    pub winner: Option<Trigger>,
}

/// One tick: everything that happened, and what follows from it.
pub fn step(status: Status, triggers: Triggers) -> Step {
    let mut tick = Tick::new(status);
    let mut phase = Phase::of(status.state);
    for trigger in triggers.iter() {
        let target = phase.propose(trigger, &mut tick);
        tick.take(trigger, target);
    }
    tick.settle(phase)
}

#[cfg(test)]
mod tests;
