//! The index as data: `index/*.yaml`, the reading of `docs/index.md` that the model is made from.
//!
//! Responsible for: the shape of those files.
//! Left to neighbours: whether they fit together (`checks`), whether what they say is sound
//! (`lint::index`), and what
//! is made of them (`emit`).
//! Invariants: every list keeps the order of its file, for order is meaning here: states, ranks,
//! triggers, actions.

mod changes;
mod condition;
mod configuration;
mod decisions;
mod exclusion;
mod figure;
mod filter;
mod machine;
mod reachable;
mod stats;
mod text;
mod transitions;

pub use changes::{Change, ChangedId, Changes, ObjectId, PromiseId, ProofId};
pub use condition::{Condition, Effect};
pub use configuration::{IndexConfiguration, IndexKey, IndexKeyType};
pub use decisions::{
    Cooldown, CooldownVector, Decisions, EvictionOrder, LimitRule, Maintenance, MaintenanceVector,
    OrderedBy, QueueOrder,
};
pub use exclusion::{Exclusion, NeverNeeded};
pub use figure::{Figure, Scalar};
pub use filter::{Arithmetic, BitOrder, Filter, ProbeVector, Rounding, SeedVector, SizingVector};
pub use machine::{
    Action, ActionKind, Duty, DutyId, Machine, Reason, ReasonKind, SeverityOrder, State, StateId,
    TriggerClass, Way,
};
pub use reachable::{Reachable, Unreachable};
pub use stats::{Determinism, StatsField, StatsFields, StatsType, ValuesFrom};
pub use text::{
    AsciiFold, BinaryPart, EncodingMark, Fold, Folds, Newline, NormalForm, SimpleFold, Skip,
    SkipId, Tokenizer,
};
pub use transitions::{Next, Row, Transitions, Trigger};

use crate::place::At;

/// Everything that `index/` states.
#[derive(Debug, Clone)]
pub struct Index {
    /// States, reasons, actions and duties.
    pub machine: Machine,
    /// The triggers and their rows.
    pub transitions: Transitions,
    /// Which cells the service cannot get into.
    pub reachable: Reachable,
    /// What changes what a path reads.
    pub changes: Changes,
    /// From bytes to n-grams.
    pub text: Tokenizer,
    /// The filter.
    pub filter: Filter,
    /// When a literal excludes a file.
    pub exclusion: Exclusion,
    /// Decisions with time passed in.
    pub decisions: Decisions,
    /// What `stats` says.
    pub stats: StatsFields,
    /// The keys.
    pub configuration: IndexConfiguration,
}

/// The files of `index/`, by which defects in them are reported.
pub(crate) mod files {
    pub(crate) const MACHINE: &str = "index/machine.yaml";
    pub(crate) const TRANSITIONS: &str = "index/transitions.yaml";
    pub(crate) const REACHABLE: &str = "index/reachable.yaml";
    pub(crate) const CHANGES: &str = "index/changes.yaml";
    pub(crate) const TEXT: &str = "index/text.yaml";
    pub(crate) const FILTER: &str = "index/filter.yaml";
    pub(crate) const EXCLUSION: &str = "index/exclusion.yaml";
    pub(crate) const DECISIONS: &str = "index/decisions.yaml";
    pub(crate) const STATS: &str = "index/stats.yaml";
    pub(crate) const CONFIGURATION: &str = "index/configuration.yaml";
}

impl Index {
    /// The reason called `id`.
    pub fn reason(&self, id: &str) -> Option<&Reason> {
        self.machine.reasons.iter().find(|reason| reason.id.value == id)
    }

    /// The action called `id`.
    pub fn action(&self, id: &str) -> Option<&Action> {
        self.machine.actions.iter().find(|action| action.id.value == id)
    }

    /// Every list of clauses, with its file and what cites them.
    pub(crate) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let mut all = self.machine.cited();
        all.extend(self.transitions.cited());
        all.extend(self.changes.cited());
        all.extend(self.text.cited());
        all.extend(self.filter.cited());
        all.extend(self.exclusion.cited());
        all.extend(self.decisions.cited());
        all.extend(self.stats.cited());
        all.extend(self.configuration.cited());
        all
    }
}
