//! Tables that can be changed.
//!
//! Responsible for: a copy of all tables in which every value and every list can be changed, and
//! the borrowed form of it that the model reads. Not here: what is changed (`cells`, `lists`,
//! `figures`). Invariants: a copy that was not changed reads like the original.

use touchstone_model::index::tables::{
    Action, ActionRow, Condition, DecisionTables, Duty, DutyRow, Effect, EvictionOrder,
    ExclusionTables, FilterTables, IndexTables, LimitRow, MachineTables, QueueOrder, Reason,
    ReasonRow, Row, Skip, State, TextTables, Trigger, TriggerRow,
};

/// All tables. What holds no list is kept in the borrowed form, whose lists are replaced when it is
/// read.
#[derive(Debug, Clone)]
pub(super) struct Tables {
    pub(super) severity: Vec<State>,
    pub(super) reasons: Vec<ReasonRow>,
    pub(super) triggers: Vec<TriggerCells>,
    pub(super) actions: Vec<ActionRow>,
    pub(super) duties: Vec<DutyCell>,
    pub(super) text: TextTables<'static>,
    pub(super) marks: Vec<Vec<u8>>,
    pub(super) order: Vec<Skip>,
    pub(super) filter: FilterTables,
    pub(super) exclusion: ExclusionTables<'static>,
    pub(super) never_needed: Vec<char>,
    pub(super) eviction: Vec<EvictionOrder>,
    pub(super) queue: Vec<QueueOrder>,
    pub(super) queue_limit: u64,
    pub(super) limits: Vec<LimitRow>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct TriggerCells {
    pub(super) trigger: Trigger,
    pub(super) name: &'static str,
    pub(super) class: u8,
    pub(super) cells: [Vec<CellRow>; 6],
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CellRow {
    pub(super) guard: Vec<Condition>,
    pub(super) next: Option<State>,
    pub(super) adds: Vec<Reason>,
    pub(super) resolves: Vec<Reason>,
    pub(super) effects: Vec<Effect>,
    pub(super) actions: Vec<Action>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct DutyCell {
    pub(super) state: State,
    pub(super) guard: Vec<Condition>,
    pub(super) duty: Duty,
}

impl Tables {
    /// A copy.
    pub(super) fn of(tables: &IndexTables<'static>) -> Self {
        let IndexTables { machine, text, filter, exclusion, decisions } = *tables;
        Self {
            severity: machine.severity.to_vec(),
            reasons: machine.reasons.to_vec(),
            triggers: machine.triggers.iter().map(TriggerCells::of).collect(),
            actions: machine.actions.to_vec(),
            duties: machine
                .duties
                .iter()
                .map(|row| DutyCell { state: row.state, guard: row.guard.to_vec(), duty: row.duty })
                .collect(),
            text,
            marks: text.encoding_marks.iter().map(|mark| mark.to_vec()).collect(),
            order: text.order.to_vec(),
            filter,
            exclusion,
            never_needed: exclusion.never_needed.to_vec(),
            eviction: decisions.eviction.to_vec(),
            queue: decisions.queue.to_vec(),
            queue_limit: decisions.queue_limit,
            limits: decisions.limits.to_vec(),
        }
    }

    /// What `read` makes of the borrowed form.
    pub(super) fn read<T>(&self, read: impl FnOnce(&IndexTables<'_>) -> T) -> T {
        let cells: Vec<[Vec<Row<'_>>; 6]> = self
            .triggers
            .iter()
            .map(|trigger| {
                trigger.cells.each_ref().map(|rows| rows.iter().map(CellRow::borrowed).collect())
            })
            .collect();
        let triggers: Vec<TriggerRow<'_>> = self
            .triggers
            .iter()
            .zip(&cells)
            .map(|(owned, cells)| TriggerRow {
                trigger: owned.trigger,
                name: owned.name,
                class: owned.class,
                cells: cells.each_ref().map(Vec::as_slice),
            })
            .collect();
        let duties: Vec<DutyRow<'_>> = self
            .duties
            .iter()
            .map(|row| DutyRow { state: row.state, guard: &row.guard, duty: row.duty })
            .collect();
        let marks: Vec<&[u8]> = self.marks.iter().map(Vec::as_slice).collect();
        let tables = IndexTables {
            machine: MachineTables {
                severity: &self.severity,
                reasons: &self.reasons,
                triggers: &triggers,
                actions: &self.actions,
                duties: &duties,
            },
            text: TextTables { encoding_marks: &marks, order: &self.order, ..self.text },
            filter: self.filter,
            exclusion: ExclusionTables { never_needed: &self.never_needed, ..self.exclusion },
            decisions: DecisionTables {
                eviction: &self.eviction,
                queue: &self.queue,
                queue_limit: self.queue_limit,
                limits: &self.limits,
            },
        };
        read(&tables)
    }

    pub(super) fn cell(&mut self, trigger: usize, state: usize) -> Option<&mut Vec<CellRow>> {
        self.triggers.get_mut(trigger)?.cells.get_mut(state)
    }
}

impl TriggerCells {
    fn of(row: &TriggerRow<'_>) -> Self {
        let cells = row.cells.map(|rows| rows.iter().map(CellRow::of).collect());
        Self { trigger: row.trigger, name: row.name, class: row.class, cells }
    }
}

impl CellRow {
    fn of(row: &Row<'_>) -> Self {
        Self {
            guard: row.guard.to_vec(),
            next: row.next,
            adds: row.adds.to_vec(),
            resolves: row.resolves.to_vec(),
            effects: row.effects.to_vec(),
            actions: row.actions.to_vec(),
        }
    }

    fn borrowed(&self) -> Row<'_> {
        Row {
            guard: &self.guard,
            next: self.next,
            adds: &self.adds,
            resolves: &self.resolves,
            effects: &self.effects,
            actions: &self.actions,
        }
    }
}

#[cfg(test)]
mod tests {
    use touchstone_model::generated::index::INDEX;

    use super::*;

    #[test]
    fn an_owned_copy_of_the_tables_equals_the_original() {
        let original: IndexTables<'static> = INDEX;
        assert!(Tables::of(&original).read(|tables| *tables == original));
    }
}
