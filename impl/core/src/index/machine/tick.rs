//! Settling one tick: what every trigger says is collected, then one of them has its way.
//!
//! Responsible for PREC-P1 to P4 and D7: the most severe proposal wins, ties by order; reasons are added by all, resolved by the winner; COMPLETE
//! needs the set empty.
//! Invariants: [`Tick::take`] is called in the triggers' order.

use super::{
    Scan, Status, Step,
    names::{Action, Reason, State, Trigger},
    sets::{Actions, Reasons},
};

const DOWN: Reasons = Reasons::of(&[Reason::WatcherDown]);

/// What one trigger does in one state.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent effect of the documented row")]
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    next: Option<State>,
    adds: Reasons,
    resolves: Reasons,
    actions: Actions,
    when_complete: Actions,
    keeps: bool,
    lends: bool,
    begins_scan: bool,
    ends_scan: bool,
    disturbs_scan: bool,
    watcher: Option<bool>,
}

/// Nothing happens.
pub(super) const STAY: Row = Row {
    next: None,
    adds: Reasons::NONE,
    resolves: Reasons::NONE,
    actions: Actions::NONE,
    when_complete: Actions::NONE,
    keeps: false,
    lends: false,
    begins_scan: false,
    ends_scan: false,
    disturbs_scan: false,
    watcher: None,
};

/// The trigger cannot happen here.
pub(super) const IMPOSSIBLE: Row = STAY.acts(&[Action::ReportImpossible]);

impl Row {
    /// Proposes a state.
    pub(super) const fn to(next: State) -> Self {
        Self { next: Some(next), ..STAY }
    }

    /// Adds a reason, whether it wins or not.
    pub(super) const fn adds(self, reason: Reason) -> Self {
        Self { adds: Reasons::of(&[reason]), ..self }
    }

    /// Resolves reasons, if it wins.
    pub(super) const fn resolves(self, reasons: Reasons) -> Self {
        Self { resolves: reasons, ..self }
    }

    /// Asks for actions, besides those asked for before.
    pub(super) const fn acts(self, actions: &[Action]) -> Self {
        Self { actions: self.actions.union(Actions::of(actions)), ..self }
    }

    /// Asks for an action if it wins and the new state is COMPLETE.
    pub(super) const fn when_complete(self, action: Action) -> Self {
        Self { when_complete: Actions::of(&[action]), ..self }
    }

    /// Enters BUILDING with the reasons that stood before.
    pub(super) const fn keeps(self) -> Self {
        Self { keeps: true, ..self }
    }

    /// Lends COMPLETE to the call.
    pub(super) const fn lends(self) -> Self {
        Self { lends: true, ..self }
    }

    /// Begins a scan.
    pub(super) const fn begins_scan(self) -> Self {
        Self { begins_scan: true, ..self }
    }

    /// Ends a scan.
    pub(super) const fn ends_scan(self) -> Self {
        Self { ends_scan: true, ..self }
    }

    /// Disturbs a scan.
    pub(super) const fn disturbs_scan(self) -> Self {
        Self { disturbs_scan: true, ..self }
    }

    /// The watcher is live from now on, or down.
    pub(super) const fn watcher(self, live: bool) -> Self {
        Self { watcher: Some(live), ..self }
    }
}

/// What has been said in a tick so far.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent fact that some row stated")]
#[derive(Debug)]
pub(super) struct Tick {
    before: Status,
    winner: Option<(State, Trigger, Row)>,
    added: Reasons,
    additive: Actions,
    /// Owned actions of rows that propose nothing.
    idle: Actions,
    idle_begins: bool,
    watcher_started: bool,
    watcher_stopped: bool,
    scan_ended: bool,
    scan_disturbed: bool,
}

impl Tick {
    pub(super) fn new(before: Status) -> Self {
        Self {
            before,
            winner: None,
            added: Reasons::NONE,
            additive: Actions::NONE,
            idle: Actions::NONE,
            idle_begins: false,
            watcher_started: false,
            watcher_stopped: false,
            scan_ended: false,
            scan_disturbed: false,
        }
    }

    /// The status before the tick, which guards look at.
    pub(super) fn before(&self) -> &Status {
        &self.before
    }

    /// Takes down what a trigger does.
    pub(super) fn take(&mut self, trigger: Trigger, row: Row) {
        self.added = self.added.union(row.adds);
        self.additive = self.additive.union(row.actions.additive());
        self.watcher_started |= row.watcher == Some(true);
        self.watcher_stopped |= row.watcher == Some(false);
        self.scan_ended |= row.ends_scan;
        self.scan_disturbed |= row.disturbs_scan;
        match (row.next, &self.winner) {
            (None, _) => {
                self.idle = self.idle.union(row.actions.without(row.actions.additive()));
                self.idle_begins |= row.begins_scan;
            }
            // Earlier triggers come first in the order, so that a tie is theirs.
            (Some(next), Some((best, ..))) if next.severity() <= best.severity() => {}
            (Some(next), _) => self.winner = Some((next, trigger, row)),
        }
    }

    /// What the tick comes to.
    pub(super) fn settle(self) -> Step {
        let before = self.before;
        let proposed = self.winner.map_or(before.state, |(next, ..)| next);
        let won = self.winner.map_or(STAY, |(.., row)| row);
        let watcher_live = proposed != State::Disabled
            && !self.watcher_stopped
            && (self.watcher_started || before.watcher_live);
        let (state, reasons, added) = self.reasons(proposed, &won, watcher_live);
        let lent = state == State::Complete && if self.winner.is_some() { won.lends } else { before.lent };
        let covers = matches!(state, State::Complete | State::Uncertain);
        let status = Status { state, reasons, watcher_live, scan: self.scan(covers, added), lent };

        let mut actions = self.additive;
        if self.winner.is_some() {
            actions = actions.union(won.actions);
            if state == State::Complete {
                actions = actions.union(won.when_complete);
            }
        } else {
            actions = actions.union(self.idle);
        }
        if before.scan != Scan::None && !covers {
            actions = actions.union(Actions::of(&[Action::CancelReconcile]));
        }
        Step {
            status,
            actions,
            may_exclude: state == State::Complete
                && !actions.contains(Action::BypassThisCall)
                && (!lent || won.lends),
            duty: status.duty(),
            winner: self.winner.map(|(_, trigger, _)| trigger),
        }
    }

    /// The new state with its reasons, and those of them that were added now.
    fn reasons(&self, proposed: State, won: &Row, watcher_live: bool) -> (State, Reasons, Reasons) {
        let before = self.before.reasons;
        let moved = self.winner.is_some();
        let unwatched = match proposed {
            State::Building => moved && !watcher_live,
            // What is proven now began before: a watcher that has just come saw none of it.
            State::Complete => moved && !won.lends && !(watcher_live && self.before.watcher_live),
            State::Absent | State::Uncertain | State::Corrupt | State::Disabled => false,
        };
        let mut added = if unwatched { self.added.union(DOWN) } else { self.added };
        let mut left = match proposed {
            State::Absent | State::Corrupt => return (proposed, Reasons::NONE, added),
            State::Disabled => return (proposed, if moved { won.adds } else { before }, added),
            State::Building if moved && !won.keeps => added,
            State::Building | State::Complete | State::Uncertain => before.without(won.resolves).union(added),
        };
        let state = match proposed {
            State::Complete if !left.is_empty() => State::Uncertain,
            state => state,
        };
        if self.before.lent && state == State::Uncertain {
            // One call's own proof is no proof for others.
            (added, left) = (added.union(DOWN), left.union(DOWN));
        }
        (state, left, added)
    }

    fn scan(&self, covers: bool, added: Reasons) -> Scan {
        if !covers {
            return Scan::None;
        }
        let mut scan = if self.scan_ended { Scan::None } else { self.before.scan };
        if self.winner.is_none() && self.idle_begins {
            scan = Scan::Running;
        }
        if scan == Scan::Running && (self.scan_disturbed || added.meets(Reasons::COVERAGE)) {
            scan = Scan::Disturbed;
        }
        scan
    }
}
