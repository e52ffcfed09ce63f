//! The index as data (`index/*.yaml`), from which the model of `docs/claims.md` is generated.
//!
//! `checks` tests the consistency of these files, `lint::index` whether they are sound. Every list
//! keeps the order of its file, which has meaning: states, ranks, triggers, actions.

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

/// All files of `index/`.
#[derive(Debug, Clone)]
pub struct Index {
    pub machine: Machine,
    pub transitions: Transitions,
    /// Cells that the service cannot reach.
    pub reachable: Reachable,
    pub changes: Changes,
    pub text: Tokenizer,
    pub filter: Filter,
    pub exclusion: Exclusion,
    /// Decisions with time as a parameter.
    pub decisions: Decisions,
    pub stats: StatsFields,
    pub configuration: IndexConfiguration,
}

/// The files of `index/`, for reports of defects.
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
    pub fn reason(&self, id: &str) -> Option<&Reason> {
        self.machine.reasons.iter().find(|reason| reason.id.value == id)
    }

    pub fn action(&self, id: &str) -> Option<&Action> {
        self.machine.actions.iter().find(|action| action.id.value == id)
    }

    /// Every list of clauses, with its file and the row.
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
