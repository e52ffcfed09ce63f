//! What must hold of every tick, whatever either side says.
//!
//! Responsible for: the sentences of the contract that are true of all rows together, so that a
//! fault that stands in both readings alike is still seen. Not here: whether the readings agree
//! (`pair`), which ticks are looked at (`sweep`). Invariants: nothing here looks at a table's rows,
//! only at statuses and outcomes.

use touchstone_model::index::machine::{Machine, Outcome, Reasons, Scan, Status};
use touchstone_model::index::tables::{Duty, MachineTables, Reason, ReasonKind, State, Trigger};

/// The kinds of reasons, as sets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kinds {
    uncertain: Reasons,
    disabled: Reasons,
}

impl Kinds {
    pub(crate) fn of(tables: &MachineTables<'_>) -> Self {
        let set = |kind: ReasonKind| {
            let rows = tables.reasons.iter().filter(|row| row.kind == kind);
            rows.fold(Reasons::empty(), |set, row| set.with(row.reason))
        };
        Self { uncertain: set(ReasonKind::Uncertain), disabled: set(ReasonKind::Disabled) }
    }

    /// What is wrong with a status, if something is.
    pub(crate) fn status(self, status: Status) -> Option<&'static str> {
        let Status { state, reasons, watcher_live, scan, lent } = status;
        let outside = |allowed: Reasons| !reasons.minus(allowed).is_empty();
        match state {
            State::Absent | State::Corrupt if !reasons.is_empty() => {
                Some("ABSENT or CORRUPT with reasons")
            }
            State::Complete if !reasons.is_empty() => Some("COMPLETE with reasons"),
            State::Complete if !watcher_live && !lent => {
                Some("COMPLETE without a watcher, and not lent")
            }
            State::Uncertain if reasons.is_empty() => Some("UNCERTAIN without a reason"),
            State::Uncertain | State::Building if outside(self.uncertain) => {
                Some("UNCERTAIN or BUILDING with a reason of another kind")
            }
            State::Disabled if reasons.iter().count() != 1 || outside(self.disabled) => {
                Some("DISABLED without exactly one disable reason")
            }
            State::Disabled if watcher_live => Some("DISABLED with a watcher"),
            _ if lent && state != State::Complete => Some("lent outside COMPLETE"),
            _ if scan != Scan::None && !matches!(state, State::Complete | State::Uncertain) => {
                Some("a reconcile scan where there is nothing to reconcile")
            }
            _ => None,
        }
    }
}

/// What is wrong with a tick's outcome, if something is. `coverage` says that a trigger of class 4
/// came.
pub(crate) fn outcome(before: Status, coverage: bool, outcome: &Outcome) -> Option<&'static str> {
    let after = outcome.status;
    let complete = after.state == State::Complete;
    if outcome.may_exclude && !(complete && after.reasons.is_empty()) {
        return Some("exclusion outside COMPLETE");
    }
    if outcome.may_exclude && coverage {
        return Some("exclusion in a tick that called coverage into question");
    }
    if outcome.may_exclude && after.lent && !before.watcher_live && outcome.winner.is_none() {
        return Some("exclusion by a loan made to another call");
    }
    if after.state == State::Uncertain && !occupied(after, outcome.duty) {
        return Some("UNCERTAIN, and nobody sees to it");
    }
    if outcome.shown.is_some() != matches!(after.state, State::Uncertain | State::Disabled) {
        return Some("a reason shown where none belongs, or none where one belongs");
    }
    if outcome.winner.is_none() && after.state != before.state {
        return Some("another state, and no trigger that proposed it");
    }
    None
}

/// Whether an UNCERTAIN status has work in progress or pending.
fn occupied(status: Status, duty: Duty) -> bool {
    duty != Duty::None || status.scan != Scan::None || !status.watcher_live
}

/// Ticks after which the duties must have led to COMPLETE.
const PATIENCE: usize = 12;

/// Why a status is a dead end: following its duties without a fault does not lead to COMPLETE with
/// a live watcher.
pub(crate) fn stuck(machine: &Machine<'_>, status: Status) -> bool {
    let mut status = status;
    for _ in 0..PATIENCE {
        if status.state == State::Complete && !status.lent && status.watcher_live {
            return false;
        }
        let Some(next) = good_weather(machine, status) else { return true };
        status = machine.step(status, &[next]).status;
    }
    true
}

/// The next trigger of a status without faults.
fn good_weather(machine: &Machine<'_>, status: Status) -> Option<Trigger> {
    let started = status.watcher_live;
    match (status.state, machine.duty(status)) {
        (State::Absent | State::Corrupt, Duty::Build) if started => Some(Trigger::BuildStarted),
        (State::Absent | State::Corrupt, Duty::Build) | (State::Uncertain, Duty::StartWatchers) => {
            Some(Trigger::WatcherStarted)
        }
        (State::Building, Duty::None) if started => Some(Trigger::BuildCompleted),
        (State::Building, Duty::None) => Some(Trigger::WatcherStarted),
        (State::Uncertain, Duty::ResumeBuild) => Some(Trigger::BuildResumed),
        (State::Uncertain, Duty::Drain) => Some(Trigger::QueueDrained),
        (State::Uncertain, Duty::Reconcile) => Some(Trigger::ReconcileStarted),
        (State::Uncertain, Duty::None) if status.scan != Scan::None => {
            Some(Trigger::ReconcileCompleted)
        }
        (State::Complete, Duty::None) => Some(Trigger::CallEnded),
        (State::Disabled, Duty::None) => undoing(status),
        _ => None,
    }
}

/// The trigger that removes a disable reason (docs/claims.md, section 4).
fn undoing(status: Status) -> Option<Trigger> {
    let by = [
        (Reason::ModeOff, Trigger::ModeOn),
        (Reason::PersistenceNotPermitted, Trigger::ProcessStarted),
        (Reason::MemoryBudgetExceeded, Trigger::CooldownExpired),
        (Reason::DiskBudgetExceeded, Trigger::CooldownExpired),
        (Reason::BelowThreshold, Trigger::ThresholdExceeded),
    ];
    by.into_iter().find(|(reason, _)| status.reasons.contains(*reason)).map(|(_, trigger)| trigger)
}
