//! The state machine of the index (`docs/claims.md`, sections 4 to 7): the status of a process, and
//! one tick, with one function for each of the eight steps of section 5.
//!
//! A tick is a function of the tables, the status and the set of triggers; their order and
//! multiplicity do not matter. Tables are not validated.

mod rows;
mod sets;

pub use sets::{Actions, Reasons};

use self::rows::{Row, RowUnion, Rows, all_hold};
use super::tables::{ActionKind, Duty, Effect, MachineTables, Reason, State, Trigger};

/// The status of one index in a process (section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Status {
    pub state: State,
    /// The reasons of the state; in BUILDING, those that will hold when the build ends.
    pub reasons: Reasons,
    /// Whether the watcher is live.
    pub watcher_live: bool,
    pub scan: Scan,
    /// Whether COMPLETE holds only for the call that verified everything itself (M-24).
    pub lent: bool,
}

impl Status {
    /// The initial status.
    pub const fn start() -> Self {
        Self {
            state: State::Absent,
            reasons: Reasons::empty(),
            watcher_live: false,
            scan: Scan::None,
            lent: false,
        }
    }
}

/// The reconcile scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scan {
    None,
    Running,
    /// Running, and coverage was called into question after it began.
    Disturbed,
}

/// The result of a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The new status.
    pub status: Status,
    /// `index_uncertain_reason` in `stats` (E-C39).
    pub shown: Option<Reason>,
    pub actions: Actions,
    /// The duty of the background.
    pub duty: Duty,
    /// Whether the call of this tick may exclude files by this index (PREC-P3).
    pub may_exclude: bool,
    /// The trigger whose proposal won.
    pub winner: Option<Trigger>,
}

/// One tick. For many ticks over the same tables use a [`Machine`].
pub fn step(tables: &MachineTables<'_>, status: Status, triggers: &[Trigger]) -> Outcome {
    Machine::new(tables).step(status, triggers)
}

/// The tables, prepared for many ticks.
#[derive(Debug, Clone)]
pub struct Machine<'a> {
    tables: MachineTables<'a>,
    rows: Rows<'a>,
    /// Rank of severity by state.
    severity: [usize; State::ALL.len()],
    /// The reasons that disturb a scan.
    disturbing: Reasons,
    /// The actions that require COMPLETE.
    proofs: Actions,
}

impl<'a> Machine<'a> {
    pub fn new(tables: &MachineTables<'a>) -> Self {
        let place_of = |state: State| tables.severity.iter().position(|other| *other == state);
        let disturbing = tables.reasons.iter().filter(|row| row.disturbs);
        Self {
            tables: *tables,
            rows: Rows::new(tables),
            severity: State::ALL.map(|state| place_of(state).unwrap_or(usize::MAX)),
            disturbing: disturbing.fold(Reasons::empty(), |set, row| set.with(row.reason)),
            proofs: Actions::of_kind(tables, ActionKind::Proof),
        }
    }

    /// The effect of a tick's triggers on a status (section 5).
    pub fn step(&self, before: Status, triggers: &[Trigger]) -> Outcome {
        let (winner, all) = self.look(before, triggers);
        let proposed = winner.map_or(before.state, |winner| winner.next);
        let watcher_live = watcher(before, all, proposed);
        let (state, reasons, added) = reasons(before, winner, all, proposed, watcher_live);
        let lent = lent(before, winner, state);
        let unscanned = Status { state, reasons, watcher_live, scan: Scan::None, lent };
        let status = Status { scan: self.scan(before, winner, all, unscanned, added), ..unscanned };
        let actions = self.actions(winner, all, state);
        Outcome {
            status,
            shown: self.shown(status),
            actions,
            duty: self.duty(status),
            may_exclude: may_exclude(winner, status, all),
            winner: winner.map(|winner| winner.trigger),
        }
    }

    /// Step 1: of the rows that propose a state, the one of highest severity, then of the earliest
    /// trigger; and the union of all rows.
    fn look(&self, before: Status, triggers: &[Trigger]) -> (Option<Winner<'_>>, RowUnion) {
        let mut all = RowUnion::nothing();
        let mut winner: Option<Winner<'_>> = None;
        for trigger in triggers {
            let Some((place, row)) = self.rows.row(before, *trigger) else { continue };
            all.add_row(row);
            if let Some(next) = row.next {
                let severity = self.severity.get(next as usize).copied().unwrap_or(usize::MAX);
                let order = (severity, place);
                if winner.is_none_or(|winner| order < winner.order) {
                    winner = Some(Winner { order, trigger: *trigger, next, row });
                }
            }
        }
        (winner, all)
    }

    /// Step 4: the reconcile scan.
    fn scan(
        &self,
        before: Status,
        winner: Option<Winner<'_>>,
        all: RowUnion,
        after: Status,
        added: Reasons,
    ) -> Scan {
        if !matches!(after.state, State::Complete | State::Uncertain) {
            return Scan::None;
        }
        let scan = match before.scan {
            _ if winner.is_none() && all.effects.contains(Effect::ScanBegins) => Scan::Running,
            _ if all.effects.contains(Effect::ScanEnds) => Scan::None,
            scan => scan,
        };
        let watched_late =
            before.scan == Scan::Running && !before.watcher_live && after.watcher_live;
        let questioned = !added.intersection(self.disturbing).is_empty();
        if scan == Scan::Running && (questioned || watched_late) { Scan::Disturbed } else { scan }
    }

    /// Step 6: the actions.
    fn actions(&self, winner: Option<Winner<'_>>, all: RowUnion, state: State) -> Actions {
        let owned = winner.map_or(all.owned_unproposing, |winner| winner.row.owned);
        let actions = all.additive.union(owned);
        if state == State::Complete { actions } else { actions.minus(self.proofs) }
    }

    /// The shown reason of a status: the first by rank, in UNCERTAIN and DISABLED.
    pub fn shown(&self, status: Status) -> Option<Reason> {
        let shows = matches!(status.state, State::Uncertain | State::Disabled);
        let ranked = self.tables.reasons.iter().map(|row| row.reason);
        ranked.filter(|_| shows).find(|reason| status.reasons.contains(*reason))
    }

    /// Step 8: the duty of the background.
    pub fn duty(&self, status: Status) -> Duty {
        let mut rows = self.tables.duties.iter();
        rows.find(|row| row.state == status.state && all_hold(row.guard, status))
            .map_or(Duty::None, |row| row.duty)
    }
}

/// The winning row.
#[derive(Clone, Copy)]
struct Winner<'m> {
    /// Ranks of its state by severity and of its trigger: the smallest pair wins.
    order: (usize, usize),
    trigger: Trigger,
    next: State,
    row: &'m Row<'m>,
}

impl Winner<'_> {
    /// Whether COMPLETE holds only for the call that proposed it.
    fn lends(self) -> bool {
        self.row.effects.contains(Effect::Lends)
    }
}

/// Step 2: whether the watcher is live.
fn watcher(before: Status, all: RowUnion, proposed: State) -> bool {
    let down = all.effects.contains(Effect::WatcherDown) || proposed == State::Disabled;
    !down && (all.effects.contains(Effect::WatcherLive) || before.watcher_live)
}

/// Step 3: the new state, its reasons, and the reasons added in this tick, even if they were
/// present before.
fn reasons(
    before: Status,
    winner: Option<Winner<'_>>,
    all: RowUnion,
    proposed: State,
    watcher_live: bool,
) -> (State, Reasons, Reasons) {
    let nothing = Reasons::empty();
    let watcher_down = if watcher_live { nothing } else { nothing.with(Reason::WatcherDown) };
    let unresolved = before.reasons.minus(winner.map_or(nothing, |winner| winner.row.resolves));
    match proposed {
        State::Absent | State::Corrupt => (proposed, nothing, all.adds),
        State::Disabled => {
            let reasons = winner.map_or(before.reasons, |winner| winner.row.adds);
            (proposed, reasons, all.adds)
        }
        State::Building if before.state == State::Building => {
            (proposed, before.reasons.union(all.adds), all.adds)
        }
        State::Building => {
            let goes_on = winner.is_some_and(|winner| !winner.row.resolves.is_empty());
            let kept = if goes_on { unresolved } else { nothing };
            let added = all.adds.union(watcher_down);
            (proposed, kept.union(added), added)
        }
        State::Complete | State::Uncertain => {
            let completes = winner.filter(|winner| winner.next == State::Complete);
            let for_others = completes.is_some_and(|winner| !winner.lends());
            let unwatched = for_others && !(before.watcher_live && watcher_live);
            let added = if unwatched { all.adds.with(Reason::WatcherDown) } else { all.adds };
            let reasons = unresolved.union(added);
            let state = if completes.is_some() && !reasons.is_empty() {
                State::Uncertain
            } else {
                proposed
            };
            if before.lent && state == State::Uncertain {
                return (state, reasons.with(Reason::WatcherDown), added.with(Reason::WatcherDown));
            }
            (state, reasons, added)
        }
    }
}

/// Step 5: whether COMPLETE holds for one call only.
fn lent(before: Status, winner: Option<Winner<'_>>, state: State) -> bool {
    state == State::Complete && winner.map_or(before.lent, Winner::lends)
}

/// Step 7: whether the call of this tick may exclude files.
fn may_exclude(winner: Option<Winner<'_>>, after: Status, all: RowUnion) -> bool {
    after.state == State::Complete
        && !all.effects.contains(Effect::Bypasses)
        && (!after.lent || winner.is_some_and(Winner::lends))
}

#[cfg(test)]
mod tests;
