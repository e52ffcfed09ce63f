//! Whether a changed table is detected.
//!
//! Responsible for: running the checks over a changed table, the smallest inputs first, up to the
//! first difference; and only those inputs whose outcome the change can affect: a changed row is
//! looked up in its state, by its trigger. Not here: the changes, and the reasons of equivalent
//! ones (`super`). Invariants: a change is detected by a check of an input, or by the contract's
//! page, and the result names which.

use forge_search_core::index::machine as production;
use touchstone_model::index::machine::Status;
use touchstone_model::index::tables::{IndexTables, MachineTables, State, Trigger};

use super::Scope;
use crate::invariants::Kinds;
use crate::names::Names;
use crate::pair::{Comparing, Pair};
use crate::{Area, Extent, Reading, check, page};

/// The check that detected a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detector {
    /// A tick with so many triggers.
    Ticks(usize),
    /// The sentences about statuses.
    Invariants,
    /// The names of both sides.
    Names,
    /// The lists on the contract's page.
    Page,
    /// The check of another area.
    Area(Area),
}

/// What changed tables are run on.
pub(super) struct Bench {
    names: Names,
    /// The statuses that can be reached, on both sides, those with the fewest reasons first.
    statuses: Vec<(Status, production::Status)>,
    extent: Extent,
}

impl Bench {
    pub(super) fn new(names: Names, statuses: &[Status], extent: Extent) -> Self {
        let statuses = statuses.iter().map(|status| (*status, names.status(*status))).collect();
        Self { names, statuses, extent }
    }

    /// What notices these tables.
    pub(super) fn noticed(
        &self,
        tables: &IndexTables<'_>,
        scope: Scope,
        reading: &Reading<'_>,
    ) -> Option<Detector> {
        match scope {
            Scope::Cell { trigger, state } => {
                let state = State::ALL.get(state).copied();
                let pair = Pair::with(&tables.machine, self.names.clone());
                (1..=self.extent.triggers)
                    .find(|size| self.ticks(&pair, state, &[trigger], *size))
                    .map(Detector::Ticks)
            }
            Scope::Both(one, other) => {
                let pair = Pair::new(&tables.machine).ok()?;
                let page = || page::agrees(&tables.machine).err().map(|_| Detector::Page);
                (2..self.extent.triggers)
                    .find(|size| self.ticks(&pair, None, &[one, other], *size))
                    .map(Detector::Ticks)
                    .or_else(page)
            }
            Scope::Statuses => {
                let pair = Pair::with(&tables.machine, self.names.clone());
                self.ticks(&pair, None, &[], 0).then_some(Detector::Ticks(0))
            }
            Scope::Machine => self.machine(&tables.machine),
            Scope::Areas(areas) => self.areas(tables, areas, reading),
        }
    }

    fn machine(&self, tables: &MachineTables<'_>) -> Option<Detector> {
        let Ok(pair) = Pair::new(tables) else { return Some(Detector::Names) };
        let kinds = Kinds::of(tables);
        if self.ticks(&pair, None, &[], 1) {
            return Some(Detector::Ticks(1));
        }
        if self.statuses.iter().any(|(status, _)| kinds.status(*status).is_some()) {
            return Some(Detector::Invariants);
        }
        if self.ticks(&pair, None, &[], 2) {
            return Some(Detector::Ticks(2));
        }
        if page::agrees(tables).is_err() {
            return Some(Detector::Page);
        }
        (3..=self.extent.triggers)
            .find(|size| self.ticks(&pair, None, &[], *size))
            .map(Detector::Ticks)
    }

    fn areas(
        &self,
        tables: &IndexTables<'_>,
        areas: &[Area],
        reading: &Reading<'_>,
    ) -> Option<Detector> {
        let reading = Reading { tables: *tables, keys: reading.keys.clone() };
        let fails = |area: &Area| !check(*area, &reading, self.extent, &|_| ()).faults.is_empty();
        areas.iter().copied().find(fails).map(Detector::Area)
    }

    /// Whether some set of `size` triggers, the fixed ones among them, shows a difference in some
    /// status.
    fn ticks(&self, pair: &Pair<'_>, state: Option<State>, fixed: &[usize], size: usize) -> bool {
        let triggers = pair.names.triggers();
        let mut run = Run { pair, comparing: Comparing::new(pair), triggers };
        let mut chosen: Vec<Trigger> = Vec::with_capacity(size);
        let mut theirs = production::Triggers::NONE;
        for place in fixed {
            // Places are those of the unchanged order; exchanged neighbours are both fixed.
            if let Some((ours, other)) = triggers.get(*place) {
                chosen.push(*ours);
                theirs = theirs.union(production::Triggers::of(&[*other]));
            }
        }
        let Some(more) = size.checked_sub(chosen.len()) else { return false };
        let statuses = self
            .statuses
            .iter()
            .filter(|(status, _)| state.is_none_or(|state| status.state == state));
        for (status, other) in statuses {
            if run.differs(*status, *other, &mut chosen, theirs, 0, more) {
                return true;
            }
        }
        false
    }
}

/// One search for a difference.
struct Run<'r, 'a> {
    pair: &'r Pair<'a>,
    comparing: Comparing<'r, 'a>,
    triggers: &'r [(Trigger, production::Trigger)],
}

impl Run<'_, '_> {
    /// Whether the triggers chosen, with `more` of those from `first` on, show a difference.
    fn differs(
        &mut self,
        status: Status,
        other: production::Status,
        chosen: &mut Vec<Trigger>,
        theirs: production::Triggers,
        first: usize,
        more: usize,
    ) -> bool {
        if more == 0 {
            let outcome = self.pair.machine.step(status, chosen);
            return !self.comparing.agree(&outcome, &production::step(other, theirs));
        }
        let triggers = self.triggers;
        for (place, (ours, another)) in triggers.iter().enumerate().skip(first) {
            if chosen.contains(ours) {
                continue;
            }
            chosen.push(*ours);
            let theirs = theirs.union(production::Triggers::of(&[*another]));
            let found = self.differs(status, other, chosen, theirs, place + 1, more - 1);
            chosen.pop();
            if found {
                return true;
            }
        }
        false
    }
}
