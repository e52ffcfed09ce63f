//! Which cells of the state machine the service walked, and whether each step was one.
//!
//! Responsible for: holding every step that the service reports against the model's reading of the
//! same status and triggers; the counts by cell. Not here: the two vocabularies
//! ([`touchstone_index`]). Invariants: a step is counted only if it is legal; a process begins
//! where the specification says, and every step begins where the one before it ended.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use forge_search_core::index::machine as production;
use forge_search_engine::index::TraceStep;
use serde::{Deserialize, Serialize};
use touchstone_model::generated::index::INDEX;
use touchstone_model::index::machine::{Reasons, Scan, Status};
use touchstone_model::index::tables::{Reason, State, Trigger};

use touchstone_index::names::snake;
use touchstone_index::pair::{Comparing, Pair, Tick};

/// Counts of state-machine cells: by trigger, then by state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cells(pub BTreeMap<String, BTreeMap<String, u64>>);

impl Cells {
    /// Counts one occurrence.
    pub fn count(&mut self, trigger: &str, state: &str) {
        *self.0.entry(trigger.to_owned()).or_default().entry(state.to_owned()).or_default() += 1;
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Self) {
        for (trigger, states) in &other.0 {
            let own = self.0.entry(trigger.clone()).or_default();
            for (state, count) in states {
                *own.entry(state.clone()).or_default() += count;
            }
        }
    }

    /// The count of one cell.
    pub fn get(&self, trigger: &str, state: &str) -> u64 {
        self.0.get(trigger).and_then(|states| states.get(state)).copied().unwrap_or(0)
    }

    /// Every cell of the specification, in the order of its table.
    pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
        INDEX
            .machine
            .triggers
            .iter()
            .flat_map(|row| State::ALL.map(|state| (row.name, state_name(state))))
    }

    /// One line for each trigger that was seen: its counts by state.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for row in INDEX.machine.triggers {
            let counts =
                State::ALL.map(|state| (state_name(state), self.get(row.name, state_name(state))));
            if counts.iter().all(|(_, count)| *count == 0) {
                continue;
            }
            let mut line = format!("{:<36}", row.name);
            for (state, count) in counts.iter().filter(|(_, count)| *count > 0) {
                // Writing to a string cannot fail.
                let _ = write!(line, " {state} {count}");
            }
            lines.push(line);
        }
        lines
    }
}

/// A state's name, as the specification and the service write it.
pub(super) fn state_name(state: State) -> &'static str {
    match state {
        State::Absent => "ABSENT",
        State::Building => "BUILDING",
        State::Complete => "COMPLETE",
        State::Uncertain => "UNCERTAIN",
        State::Corrupt => "CORRUPT",
        State::Disabled => "DISABLED",
    }
}

/// Checks the steps of one process against the model.
#[derive(Debug)]
pub(super) struct Follower {
    pair: Pair<'static>,
    last: Option<production::Status>,
}

impl Follower {
    /// A follower before the first step.
    pub(super) fn new() -> Result<Self, String> {
        Ok(Self { pair: Pair::new(&INDEX.machine)?, last: None })
    }

    /// A process begins.
    pub(super) fn begin(&mut self) {
        self.last = None;
    }

    /// Takes down what the service did. Returns whether some step permitted exclusion.
    ///
    /// # Errors
    /// What is wrong with the first step that is none.
    pub(super) fn follow(
        &mut self,
        trace: &[TraceStep],
        cells: &mut Cells,
    ) -> Result<bool, (String, String)> {
        let mut permitted = false;
        for step in trace {
            self.one(step)?;
            permitted |= step.step.may_exclude;
            for trigger in step.triggers.iter() {
                cells.count(trigger.name(), step.before.state.name());
            }
        }
        Ok(permitted)
    }

    fn one(&mut self, step: &TraceStep) -> Result<(), (String, String)> {
        let expected = self.last.unwrap_or(production::Status::START);
        let fault = |what: &str, told: String| Err((what.to_owned(), told));
        if step.before != expected {
            return fault(
                "a step begins where the last one did not end",
                format!("last ended in {expected:?}\nthis begins in {:?}\n{step:?}", step.before),
            );
        }
        self.last = Some(step.step.status);
        let Some((status, triggers)) = self.translated(step) else {
            return fault("a step speaks of what the model does not know", format!("{step:?}"));
        };
        let outcome = self.pair.machine.step(status, &triggers);
        if !Comparing::new(&self.pair).agree(&outcome, &step.step) {
            let told = self.pair.description(&Tick { status, triggers });
            return fault("a step is not the model's", format!("{told}taken: {:?}", step.step));
        }
        Ok(())
    }

    /// The step's beginning in the model's words.
    fn translated(&self, step: &TraceStep) -> Option<(Status, Vec<Trigger>)> {
        let names = &self.pair.names;
        let before = step.before;
        let state = State::ALL.into_iter().find(|state| names.state(*state) == before.state)?;
        let ours = Reason::ALL.into_iter().filter(|reason| {
            names.reason(*reason).is_some_and(|theirs| before.reasons.contains(theirs))
        });
        let status = Status {
            state,
            reasons: Reasons::of(&ours.collect::<Vec<_>>()),
            watcher_live: before.watcher_live,
            scan: match before.scan {
                production::Scan::None => Scan::None,
                production::Scan::Running => Scan::Running,
                production::Scan::Disturbed => Scan::Disturbed,
            },
            lent: before.lent,
        };
        let triggers = step.triggers.iter().map(|theirs| {
            names.triggers().iter().find(|(_, other)| *other == theirs).map(|(ours, _)| *ours)
        });
        Some((status, triggers.collect::<Option<_>>()?))
    }
}

/// The names of the cells' triggers are those of the tables; for the check that a list of cells
/// names none that is not there.
pub fn is_cell(trigger: &str, state: &str) -> bool {
    let known = INDEX
        .machine
        .triggers
        .iter()
        .any(|row| row.name == trigger && row.name == snake(row.trigger));
    known && State::ALL.into_iter().any(|one| state_name(one) == state)
}
