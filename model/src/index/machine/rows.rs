//! The rows of the tables, indexed for a tick: a trigger's row in a status, its lists as sets, and
//! the union of the rows of one tick.
//!
//! Rows say exactly what the tables' rows say.

use super::sets::{Actions, Effects, Reasons};
use super::{Scan, Status};
use crate::index::tables::{
    ActionKind, Condition, MachineTables, Row as TableRow, State, Trigger, TriggerRow,
};

/// A row of a trigger in a state (section 5).
#[derive(Debug, Clone)]
pub(super) struct Row<'a> {
    guard: &'a [Condition],
    pub(super) next: Option<State>,
    pub(super) adds: Reasons,
    pub(super) resolves: Reasons,
    pub(super) effects: Effects,
    /// Actions that run whether the row wins or not.
    pub(super) additive: Actions,
    /// Actions that run if the row wins, or proposes nothing and nothing won.
    pub(super) owned: Actions,
}

impl<'a> Row<'a> {
    fn new(row: &TableRow<'a>, additive: Actions) -> Self {
        let actions = Actions::of(row.actions);
        Self {
            guard: row.guard,
            next: row.next,
            adds: Reasons::of(row.adds),
            resolves: Reasons::of(row.resolves),
            effects: Effects::of(row.effects),
            additive: actions.intersection(additive),
            owned: actions.minus(additive),
        }
    }
}

/// A trigger: its rank, and its rows by state.
#[derive(Debug, Clone)]
struct Entry<'a> {
    place: usize,
    cells: [Vec<Row<'a>>; State::ALL.len()],
}

/// All triggers, indexed by their enumeration.
#[derive(Debug, Clone)]
pub(super) struct Rows<'a> {
    entries: Vec<Option<Entry<'a>>>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(tables: &MachineTables<'a>) -> Self {
        let additive = Actions::of_kind(tables, ActionKind::Additive);
        let entry = |place: usize, trigger: &TriggerRow<'a>| Entry {
            place,
            cells: trigger
                .cells
                .map(|cell| cell.iter().map(|row| Row::new(row, additive)).collect()),
        };
        let mut entries = Vec::new();
        for (place, trigger) in tables.triggers.iter().enumerate() {
            let name = trigger.trigger as usize;
            entries.resize(entries.len().max(name + 1), None);
            if let Some(slot) = entries.get_mut(name) {
                *slot = Some(entry(place, trigger));
            }
        }
        Self { entries }
    }

    /// A trigger's row for a status (the first of its cell whose guard holds), and its rank.
    pub(super) fn row(&self, status: Status, trigger: Trigger) -> Option<(usize, &Row<'a>)> {
        let entry = self.entries.get(trigger as usize)?.as_ref()?;
        let cell = entry.cells.get(status.state as usize)?;
        let row = cell.iter().find(|row| all_hold(row.guard, status))?;
        Some((entry.place, row))
    }
}

/// The union of the rows of all triggers of a tick, winning or not.
#[derive(Clone, Copy)]
pub(super) struct RowUnion {
    pub(super) adds: Reasons,
    pub(super) effects: Effects,
    pub(super) additive: Actions,
    /// Actions of rows that propose nothing, for a tick without winner.
    pub(super) owned_unproposing: Actions,
}

impl RowUnion {
    pub(super) fn nothing() -> Self {
        Self {
            adds: Reasons::empty(),
            effects: Effects::empty(),
            additive: Actions::empty(),
            owned_unproposing: Actions::empty(),
        }
    }

    pub(super) fn add_row(&mut self, row: &Row<'_>) {
        self.adds = self.adds.union(row.adds);
        self.effects = self.effects.union(row.effects);
        self.additive = self.additive.union(row.additive);
        if row.next.is_none() {
            self.owned_unproposing = self.owned_unproposing.union(row.owned);
        }
    }
}

/// Whether all conditions hold of a status.
pub(super) fn all_hold(guard: &[Condition], status: Status) -> bool {
    guard.iter().all(|condition| holds(*condition, status))
}

fn holds(condition: Condition, status: Status) -> bool {
    match condition {
        Condition::Has(reason) => status.reasons.contains(reason),
        Condition::Lacks(reason) => !status.reasons.contains(reason),
        Condition::Only(reason) => status.reasons == Reasons::empty().with(reason),
        Condition::WatcherDown => !status.watcher_live,
        Condition::ScanNone => status.scan == Scan::None,
        Condition::ScanRunning => status.scan == Scan::Running,
        Condition::ScanUnderWay => status.scan != Scan::None,
        Condition::Lent => status.lent,
    }
}
