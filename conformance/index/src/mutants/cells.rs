//! Changes of the transition table: one value of one row at a time.
//!
//! Responsible for: every entry of every row removed or replaced, and every entry added that some
//! tick could show. Not here: the lists around the table (`lists`), whether a change is noticed
//! (`kill`). Invariants: what is left out as unobservable is left out by a rule of the contract
//! that stands beside it, never because it survived.

use touchstone_model::index::machine::{Scan, Status};
use touchstone_model::index::tables::{
    ActionKind, ActionRow, Condition, Effect, Reason, ReasonKind, State,
};

use super::owned::{CellRow, Tables};
use super::{Mutant, Scope};

const EFFECTS: [Effect; 6] = [
    Effect::WatcherLive,
    Effect::WatcherDown,
    Effect::ScanBegins,
    Effect::ScanEnds,
    Effect::Lends,
    Effect::Bypasses,
];

/// The position of a row.
#[derive(Debug, Clone, Copy)]
struct Place {
    trigger: usize,
    state: usize,
    row: usize,
}

/// All changes of all rows. `statuses` are those that can be reached: a change after which the same
/// rows count for all of them is none.
pub(super) fn all(tables: &Tables, statuses: &[Status]) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (trigger, cells) in tables.triggers.iter().enumerate() {
        for (state, (rows, safety)) in cells.cells.iter().zip(State::ALL).enumerate() {
            let statuses: Vec<Status> =
                statuses.iter().copied().filter(|status| status.state == safety).collect();
            let counted = statuses.iter().map(|status| effective_row(rows, *status)).collect();
            let mut cell = Cell {
                tables,
                name: cells.name,
                safety,
                rows,
                statuses,
                counted,
                mutants: &mut mutants,
            };
            for (row, value) in rows.iter().enumerate() {
                cell.row(Place { trigger, state, row }, value, rows.len());
            }
        }
    }
    mutants
}

/// The cell that is being changed.
struct Cell<'t> {
    tables: &'t Tables,
    name: &'static str,
    safety: State,
    rows: &'t [CellRow],
    /// The statuses that it is for, and what it says of each.
    statuses: Vec<Status>,
    counted: Vec<CellRow>,
    mutants: &'t mut Vec<Mutant>,
}

impl Cell<'_> {
    fn add(
        &mut self,
        place: Place,
        what: &str,
        change: impl Fn(&mut CellRow) + Send + Sync + 'static,
    ) {
        self.change(place, what, move |rows| {
            if let Some(row) = rows.get_mut(place.row) {
                change(row);
            }
        });
    }

    fn change(
        &mut self,
        place: Place,
        what: &str,
        change: impl Fn(&mut Vec<CellRow>) + Send + Sync + 'static,
    ) {
        let Place { trigger, state, row } = place;
        let mut changed = self.rows.to_vec();
        change(&mut changed);
        let same =
            |(status, before): (&Status, &CellRow)| effective_row(&changed, *status) == *before;
        if self.statuses.iter().zip(&self.counted).all(same) {
            return;
        }
        self.mutants.push(Mutant {
            name: format!("{} in {:?}, row {}: {what}", self.name, self.safety, row + 1),
            scope: Scope::Cell { trigger, state },
            apply: Box::new(move |tables| {
                if let Some(rows) = tables.cell(trigger, state) {
                    change(rows);
                }
            }),
        });
    }

    fn row(&mut self, place: Place, row: &CellRow, rows: usize) {
        let next =
            std::iter::once(None).chain(State::ALL.map(Some)).filter(|next| *next != row.next);
        for next in next {
            self.add(place, &format!("next {next:?}"), move |row| row.next = next);
        }
        self.reasons(place, row);
        self.effects(place, row);
        self.actions(place, row);
        self.guards(place, row);
        if rows > 1 {
            self.change(place, "removed", move |rows| {
                if place.row < rows.len() {
                    rows.remove(place.row);
                }
            });
        }
        if place.row + 1 < rows {
            self.change(place, "behind the next one", move |rows| {
                if place.row + 1 < rows.len() {
                    rows.swap(place.row, place.row + 1);
                }
            });
        }
    }

    fn reasons(&mut self, place: Place, row: &CellRow) {
        let kinds = self.tables.reasons.iter();
        let listed: Vec<(Reason, ReasonKind)> = kinds.map(|row| (row.reason, row.kind)).collect();
        for (reason, kind) in listed {
            let present = row.adds.contains(&reason);
            // What is added shows where the tick may end in BUILDING, COMPLETE or UNCERTAIN, so not
            // from DISABLED, and not under a proposal that outweighs these; in DISABLED only the
            // winner's own reason shows.
            let shows = match row.next {
                Some(State::Disabled) => kind == ReasonKind::Disabled,
                Some(State::Corrupt) => false,
                _ => kind == ReasonKind::Uncertain && self.safety != State::Disabled,
            };
            if present || shows {
                let sign = if present { "without" } else { "with" };
                self.add(place, &format!("adds {sign} {reason:?}"), move |row| {
                    toggle(&mut row.adds, reason);
                });
            }
            let present = row.resolves.contains(&reason);
            // A reason is resolved on the way to where reasons are kept, and not if the same row
            // adds it.
            let shows = kind == ReasonKind::Uncertain
                && !row.adds.contains(&reason)
                && matches!(row.next, Some(State::Building | State::Complete | State::Uncertain));
            if present || shows {
                let sign = if present { "without" } else { "with" };
                self.add(place, &format!("resolves {sign} {reason:?}"), move |row| {
                    toggle(&mut row.resolves, reason);
                });
            }
        }
    }

    fn effects(&mut self, place: Place, row: &CellRow) {
        let outweighs = matches!(row.next, Some(State::Corrupt | State::Disabled));
        let covering = matches!(self.safety, State::Complete | State::Uncertain);
        for effect in EFFECTS {
            let present = row.effects.contains(&effect);
            let shows = match effect {
                // DISABLED has no watcher, before or after; and down outweighs live.
                Effect::WatcherLive => {
                    row.next != Some(State::Disabled) && !row.effects.contains(&Effect::WatcherDown)
                }
                Effect::WatcherDown => {
                    row.next != Some(State::Disabled) && self.safety != State::Disabled
                }
                Effect::ScanEnds => covering && !outweighs,
                // A scan begins when nothing won.
                Effect::ScanBegins => covering && row.next.is_none(),
                // Only COMPLETE has something to bypass.
                Effect::Bypasses => {
                    (covering || self.safety == State::Building)
                        && matches!(row.next, None | Some(State::Complete))
                        && row.adds.is_empty()
                }
                // Who adds a reason does not get to COMPLETE.
                Effect::Lends => row.next == Some(State::Complete) && row.adds.is_empty(),
            };
            if present || shows {
                let sign = if present { "without" } else { "with" };
                self.add(place, &format!("{sign} effect {effect:?}"), move |row| {
                    toggle(&mut row.effects, effect);
                });
            }
        }
    }

    fn actions(&mut self, place: Place, row: &CellRow) {
        // A proof runs in COMPLETE alone, and who adds a reason does not get there.
        let stays = row.next.is_none() && self.safety == State::Complete;
        let proves = stays || row.next == Some(State::Complete) && row.adds.is_empty();
        for ActionRow { action, kind, .. } in self.tables.actions.clone() {
            let present = row.actions.contains(&action);
            if present || kind != ActionKind::Proof || proves {
                let sign = if present { "without" } else { "with" };
                self.add(place, &format!("{sign} {action:?}"), move |row| {
                    toggle(&mut row.actions, action);
                });
            }
        }
    }

    fn guards(&mut self, place: Place, row: &CellRow) {
        let mut conditions = vec![
            Condition::WatcherDown,
            Condition::ScanNone,
            Condition::ScanRunning,
            Condition::ScanUnderWay,
            Condition::Lent,
        ];
        for row in &self.tables.reasons {
            conditions.extend([
                Condition::Has(row.reason),
                Condition::Lacks(row.reason),
                Condition::Only(row.reason),
            ]);
        }
        for (at, present) in row.guard.iter().enumerate() {
            self.add(place, &format!("guard without {present:?}"), move |row| {
                if at < row.guard.len() {
                    row.guard.remove(at);
                }
            });
            for other in conditions.iter().copied().filter(|other| other != present) {
                self.add(place, &format!("guard {other:?} for {present:?}"), move |row| {
                    if let Some(condition) = row.guard.get_mut(at) {
                        *condition = other;
                    }
                });
            }
        }
        for other in conditions.into_iter().filter(|other| !row.guard.contains(other)) {
            self.add(place, &format!("guard with {other:?}"), move |row| row.guard.push(other));
        }
    }
}

/// What a cell says of a status: the row that counts, without what says nothing there. A guard has
/// done its work; a live watcher that starts, a scan that ends where there is none changes nothing,
/// and in DISABLED there is no watcher and nothing starts one.
fn effective_row(rows: &[CellRow], status: Status) -> CellRow {
    let counts = |row: &&CellRow| row.guard.iter().all(|condition| holds(*condition, status));
    let mut row = rows.iter().find(counts).cloned().unwrap_or_default();
    row.guard.clear();
    row.effects.retain(|effect| match effect {
        Effect::WatcherLive => !status.watcher_live,
        Effect::WatcherDown => status.state != State::Disabled,
        Effect::ScanEnds => status.scan != Scan::None,
        Effect::Bypasses => may_complete(status),
        Effect::ScanBegins | Effect::Lends => true,
    });
    row.resolves.retain(|reason| status.reasons.contains(*reason));
    // Lists are sets.
    row.adds.sort_unstable();
    row.resolves.sort_unstable();
    row.actions.sort_unstable();
    row
}

/// Whether some trigger leads from a status to COMPLETE. Nothing that happens in BUILDING resolves
/// a reason; UNCERTAIN is left by a scan, by a drained queue, and by a call that verifies
/// everything.
fn may_complete(status: Status) -> bool {
    let Status { reasons, watcher_live, scan, .. } = status;
    match status.state {
        State::Complete => true,
        State::Building => reasons.is_empty(),
        State::Uncertain => {
            !reasons.contains(Reason::BuildBudgetExceeded)
                && (!watcher_live
                    || scan == Scan::Running
                    || reasons.iter().eq([Reason::DirtyBacklog]))
        }
        State::Absent | State::Corrupt | State::Disabled => false,
    }
}

/// Whether a condition holds of a status (docs/claims.md, section 6).
fn holds(condition: Condition, status: Status) -> bool {
    match condition {
        Condition::Has(reason) => status.reasons.contains(reason),
        Condition::Lacks(reason) => !status.reasons.contains(reason),
        Condition::Only(reason) => status.reasons.iter().eq([reason]),
        Condition::WatcherDown => !status.watcher_live,
        Condition::ScanNone => status.scan == Scan::None,
        Condition::ScanRunning => status.scan == Scan::Running,
        Condition::ScanUnderWay => status.scan != Scan::None,
        Condition::Lent => status.lent,
    }
}

/// Takes an entry out, or puts it in.
fn toggle<T: PartialEq>(list: &mut Vec<T>, entry: T) {
    match list.iter().position(|other| *other == entry) {
        Some(place) => {
            list.remove(place);
        }
        None => list.push(entry),
    }
}
