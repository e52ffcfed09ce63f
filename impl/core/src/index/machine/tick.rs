//! One tick: what all its triggers say, which of them wins, and what that comes to.
//!
//! Responsible for PREC-P1 to P4 and D7: the most severe proposal wins, ties by order; the winner
//! makes its transition; all add their reasons; COMPLETE needs the set empty. Not here:
//! what each trigger says, and the transition (`states`). Invariants: [`Tick::take`] is called in
//! the triggers' order.

use super::{
    Scan, Status, Step,
    names::{Action, Reason, State, Trigger},
    sets::{Actions, Reasons},
    states::Phase,
};

/// What one trigger says, or several together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) adds: Reasons,
    /// Reasons it resolves, if it wins.
    pub(super) resolves: Reasons,
    actions: Actions,
    /// The watcher is live from now on, or down.
    watcher: Option<bool>,
    /// A scan begins, or ends.
    scan: Option<Scan>,
    /// This call excludes nothing.
    bypasses: bool,
}

/// A trigger that proposes a state.
#[derive(Clone, Copy, Debug)]
struct Proposal {
    trigger: Trigger,
    target: Phase,
    row: Row,
}

/// What has been said in a tick so far.
#[derive(Debug)]
pub(super) struct Tick {
    pub(super) before: Status,
    pub(super) after: Status,
    /// Of the trigger in hand; during the transition, the winner's.
    pub(super) row: Row,
    /// What all triggers say, winning or not. Of their actions these are the additive ones.
    pub(super) all: Row,
    /// Actions of triggers that propose nothing.
    idle: Actions,
    winner: Option<Proposal>,
}

/// What a handler can say.
impl Tick {
    /// Adds a reason, whether the trigger wins or not.
    pub(super) fn add(&mut self, reason: Reason) -> &mut Self {
        self.row.adds = self.row.adds.union(Reasons::of(&[reason]));
        self
    }

    pub(super) fn resolve(&mut self, reasons: Reasons) -> &mut Self {
        self.row.resolves = reasons;
        self
    }

    pub(super) fn act(&mut self, actions: &[Action]) -> &mut Self {
        self.row.actions = self.row.actions.union(Actions::of(actions));
        self
    }

    pub(super) fn watch(&mut self, live: bool) -> &mut Self {
        self.row.watcher = Some(live);
        self
    }

    pub(super) fn scan(&mut self, scan: Scan) -> &mut Self {
        self.row.scan = Some(scan);
        self
    }

    pub(super) fn bypass(&mut self) -> &mut Self {
        self.row.bypasses = true;
        self
    }
}

impl Tick {
    pub(super) fn new(before: Status) -> Self {
        let (row, idle) = (Row::default(), Actions::NONE);
        Self { before, after: before, row, all: row, idle, winner: None }
    }

    /// Takes down what a trigger has said, and where it leads.
    pub(super) fn take(&mut self, trigger: Trigger, target: Option<Phase>) {
        let row = std::mem::take(&mut self.row);
        let all = &mut self.all;
        all.adds = all.adds.union(row.adds);
        all.actions = all.actions.union(row.actions.additive());
        all.watcher =
            if row.watcher == Some(false) { row.watcher } else { all.watcher.or(row.watcher) };
        all.scan = all.scan.or(row.scan);
        all.bypasses |= row.bypasses;
        let severity = |phase: Phase| phase.state().severity();
        match (target, &self.winner) {
            (None, _) => self.idle = self.idle.union(row.actions),
            // Earlier triggers come first in the order, so that a tie is theirs.
            (Some(target), Some(best)) if severity(target) <= severity(best.target) => {}
            (Some(target), _) => self.winner = Some(Proposal { trigger, target, row }),
        }
    }

    /// What the tick comes to, from the state that it began in.
    pub(super) fn settle(mut self, phase: Phase) -> Step {
        let before = self.before;
        self.after.watcher_live = self.all.watcher.unwrap_or(before.watcher_live);
        let begins = self.all.scan.filter(|scan| *scan == Scan::None || self.winner.is_none());
        self.after.scan = begins.unwrap_or(before.scan);
        let phase = if let Some(winner) = self.winner {
            self.go(phase, winner)
        } else {
            self.after.reasons = before.reasons.union(self.all.adds);
            self.row.actions = self.idle;
            phase
        };
        self.after.state = phase.state();
        // What changed before the watcher came may have been passed already.
        let watched_late =
            before.scan == Scan::Running && !before.watcher_live && self.after.watcher_live;
        if self.after.scan == Scan::Running
            && (watched_late || self.all.adds.meets(Reasons::COVERAGE))
        {
            self.after.scan = Scan::Disturbed;
        }

        let complete = self.after.state == State::Complete;
        let actions = self.all.actions.union(self.row.actions);
        Step {
            status: self.after,
            actions: if complete {
                actions
            } else {
                actions.without(Actions::of(&[Action::BumpEpoch]))
            },
            may_exclude: complete && !self.all.bypasses && (!self.after.lent || self.lends()),
            duty: self.after.duty(),
            winner: self.winner.map(|winner| winner.trigger),
        }
    }

    /// Makes the winner's transition.
    fn go(&mut self, phase: Phase, winner: Proposal) -> Phase {
        self.row = winner.row;
        let completes = winner.target.state() == State::Complete;
        // What is proven now began before: a watcher that has just come saw none of it.
        let watched = self.before.watcher_live && self.after.watcher_live;
        if completes && !watched && !self.lends() {
            self.add_for_all(Reason::WatcherDown);
        }
        self.after.reasons = self.before.reasons.without(self.row.resolves).union(self.all.adds);
        let proven = self.after.reasons.is_empty();
        let target = if completes && !proven { Phase::of(State::Uncertain) } else { winner.target };
        phase.transition(target, self)
    }

    /// Adds a reason that follows from the tick as a whole.
    pub(super) fn add_for_all(&mut self, reason: Reason) {
        let reason = Reasons::of(&[reason]);
        self.all.adds = self.all.adds.union(reason);
        self.after.reasons = self.after.reasons.union(reason);
    }

    /// Whether COMPLETE is lent to the call that verified everything itself.
    pub(super) fn lends(&self) -> bool {
        self.winner.is_some_and(|winner| winner.trigger == Trigger::CallVerified)
    }
}
