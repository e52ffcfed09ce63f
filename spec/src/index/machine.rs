//! The vocabulary of the state machine (`index/machine.yaml`).

use serde::Deserialize;

use super::condition::Condition;
use super::files;
use crate::closed::ids;
use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The states, in the order of cells.
    pub states: Vec<State>,
    pub severity: SeverityOrder,
    pub classes: Vec<TriggerClass>,
    /// The reasons by rank.
    pub reasons: Vec<Reason>,
    /// The actions in the order in which they are listed.
    pub actions: Vec<Action>,
    pub duties: Vec<Duty>,
}

ids! {
    /// A state of the index.
    StateId {
        Absent = "ABSENT",
        Building = "BUILDING",
        /// Valid, and covers everything.
        Complete = "COMPLETE",
        /// Its coverage is not proven.
        Uncertain = "UNCERTAIN",
        /// Its data failed a check.
        Corrupt = "CORRUPT",
        /// Must not exist.
        Disabled = "DISABLED",
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub id: At<StateId>,
    /// Its abbreviation in tables.
    pub letter: char,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

/// Which state wins a tick.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeverityOrder {
    /// The most severe first.
    pub order: Vec<At<StateId>>,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriggerClass {
    /// From 1.
    pub class: At<u8>,
    pub name: String,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// Its name in `stats`.
    pub id: At<String>,
    pub kind: ReasonKind,
    /// Whether a scan that runs when it is added must be repeated.
    pub disturbs: bool,
    /// Every way out of it.
    pub recovered_by: Vec<Way>,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

ids! {
    /// The states in which a reason occurs.
    ReasonKind {
        /// UNCERTAIN, and BUILDING as a taint.
        Uncertain = "uncertain",
        /// DISABLED.
        Disabled = "disabled",
        /// None: it is only counted.
        Statistic = "statistic",
    }
}

ids! {
    /// A way of recovery.
    Way {
        /// A build that ends.
        Build = "build",
        /// A scan that ends.
        Reconcile = "reconcile",
        /// A call that verified everything itself.
        Call = "call",
        /// The dirty queue, fully applied.
        Drain = "drain",
        /// The mode, enabled again.
        ModeOn = "mode_on",
        /// An expired cooldown.
        Cooldown = "cooldown",
        /// Exceeded thresholds.
        Thresholds = "thresholds",
        NewProcess = "new_process",
    }
}

impl Way {
    /// Whether it proves that the index covers everything, directly or after applying later
    /// changes.
    pub fn leads_to_complete(self) -> bool {
        matches!(self, Self::Build | Self::Reconcile | Self::Call | Self::Drain)
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    pub id: At<String>,
    pub kind: ActionKind,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

ids! {
    /// When an action runs.
    ActionKind {
        /// Whether its row wins or not.
        Additive = "additive",
        /// If its row wins, or proposes nothing and nothing won.
        Owned = "owned",
        /// As `owned`, and only if the new state is COMPLETE.
        Proof = "proof",
    }
}

/// The background's task in some statuses.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duty {
    #[serde(rename = "in")]
    pub states: Vec<At<StateId>>,
    #[serde(default)]
    pub when: Vec<At<Condition>>,
    pub duty: At<DutyId>,
    pub clauses: Vec<At<String>>,
}

ids! {
    /// A task of the background.
    DutyId {
        None = "none",
        Build = "build",
        /// Continue a build that a limit stopped.
        ResumeBuild = "resume_build",
        StartWatchers = "start_watchers",
        /// Apply queued changes.
        Drain = "drain",
        /// Scan everything.
        Reconcile = "reconcile",
    }
}

impl Machine {
    /// The abbreviation of a state in tables.
    pub fn letter(&self, state: StateId) -> char {
        self.states.iter().find(|row| row.id.value == state).map_or('?', |row| row.letter)
    }

    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let mut all = Vec::new();
        let mut cite = |what: String, clauses| all.push((files::MACHINE, what, clauses));
        for state in &self.states {
            cite(format!("state `{}`", state.id.value.name()), &*state.clauses);
        }
        cite("the order of severity".to_owned(), &self.severity.clauses);
        for class in &self.classes {
            cite(format!("class {}", class.class.value), &class.clauses);
        }
        for reason in &self.reasons {
            cite(format!("reason `{}`", reason.id.value), &reason.clauses);
        }
        for action in &self.actions {
            cite(format!("action `{}`", action.id.value), &action.clauses);
        }
        for duty in &self.duties {
            cite(format!("duty `{}`", duty.duty.value.name()), &duty.clauses);
        }
        all
    }
}
