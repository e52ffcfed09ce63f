//! Both machines, for tests that go their own ways through them.
//!
//! Responsible for: what a test outside needs of `pair`, `names` and `reality`: a start, a tick on
//! either side, a comparison, and the account of what is really covered. Not here: every path that
//! is enumerated (`sweep`, `reality`). Invariants: both sides are asked the same.

use forge_search_core::index::machine as production;
use touchstone_model::index::machine::{Outcome, Status};
use touchstone_model::index::tables::{MachineTables, Trigger};

use super::pair::{Comparing, Pair, Tick};
use super::reality::Reality;

/// The model's machine over some tables, with production's.
#[derive(Debug)]
pub struct Lockstep<'a> {
    pair: Pair<'a>,
}

/// The model's status and the actual coverage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockstepState {
    /// The model's status.
    pub status: Status,
    reality: Reality,
}

impl LockstepState {
    /// The state of a new process.
    pub fn start() -> Self {
        Self { status: Status::start(), reality: Reality::default() }
    }
}

impl<'a> Lockstep<'a> {
    /// Both machines.
    ///
    /// # Errors
    /// A sentence when the two speak of different things.
    pub fn new(tables: &MachineTables<'a>) -> Result<Self, String> {
        Ok(Self { pair: Pair::new(tables)? })
    }

    /// One tick of the model, followed.
    ///
    /// # Errors
    /// A sentence when it claims what is not so.
    pub fn follow(
        &self,
        before: LockstepState,
        triggers: &[Trigger],
    ) -> Result<(LockstepState, Outcome), String> {
        let outcome = self.pair.machine.step(before.status, triggers);
        let reality = before.reality.after(before.status, triggers, &outcome);
        match reality.belied(triggers, &outcome) {
            None => Ok((LockstepState { status: outcome.status, reality }, outcome)),
            Some(what) => {
                let tick = Tick { status: before.status, triggers: triggers.to_vec() };
                Err(format!("{what}\n{}", self.pair.description(&tick)))
            }
        }
    }

    /// One tick of production, from its own status, which has to come to what the model came to
    /// from `before`.
    ///
    /// # Errors
    /// Both sides of the tick when it does not.
    pub fn production(
        &self,
        before: Status,
        own: production::Status,
        triggers: &[Trigger],
        outcome: &Outcome,
    ) -> Result<production::Status, String> {
        let step = production::step(own, self.pair.triggers(triggers));
        if Comparing::new(&self.pair).agree(outcome, &step) {
            return Ok(step.status);
        }
        let tick = Tick { status: before, triggers: triggers.to_vec() };
        Err(format!("model and production differ\n{}", self.pair.description(&tick)))
    }
}
