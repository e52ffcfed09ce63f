//! The state machine's vocabulary: `index/machine.yaml`.

use serde::Deserialize;

use super::condition::Condition;
use super::files;
use crate::closed::ids;
use crate::place::At;

/// States, reasons, actions and duties.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// The states, in the order of cells.
    pub states: Vec<State>,
    /// Which state wins.
    pub severity: SeverityOrder,
    /// The classes of triggers.
    pub classes: Vec<TriggerClass>,
    /// The reasons by rank.
    pub reasons: Vec<Reason>,
    /// The actions in the order they are listed in.
    pub actions: Vec<Action>,
    /// What is to be done in which status.
    pub duties: Vec<Duty>,
}

ids! {
    /// A safety state.
    StateId {
        /// There is no index.
        Absent = "ABSENT",
        /// One is being built.
        Building = "BUILDING",
        /// It is valid and covers everything.
        Complete = "COMPLETE",
        /// Its coverage is not proven.
        Uncertain = "UNCERTAIN",
        /// Its data failed a check.
        Corrupt = "CORRUPT",
        /// There shall be none.
        Disabled = "DISABLED",
    }
}

/// A state.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Which.
    pub id: At<StateId>,
    /// Its letter in tables.
    pub letter: char,
    /// What it means.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// Which state wins a tick.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeverityOrder {
    /// The states, the most severe first.
    pub order: Vec<At<StateId>>,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A class of triggers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TriggerClass {
    /// Its number, from 1.
    pub class: At<u8>,
    /// What it is called.
    pub name: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A reason.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// Its name in `stats`.
    pub id: At<String>,
    /// In which state it stands.
    pub kind: ReasonKind,
    /// Whether a scan that runs when it is added has to be repeated.
    pub disturbs: bool,
    /// Every way out of it.
    pub recovered_by: Vec<Way>,
    /// What it means.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

ids! {
    /// In which state a reason stands.
    ReasonKind {
        /// In UNCERTAIN, and as a taint in BUILDING.
        Uncertain = "uncertain",
        /// In DISABLED.
        Disabled = "disabled",
        /// In none: it is counted.
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
        /// The dirty queue, applied to its end.
        Drain = "drain",
        /// The mode, switched on again.
        ModeOn = "mode_on",
        /// A cooldown that is over.
        Cooldown = "cooldown",
        /// Thresholds, exceeded.
        Thresholds = "thresholds",
        /// A new process.
        NewProcess = "new_process",
    }
}

impl Way {
    /// Whether it shows that the index covers everything, or that it did and what came since is
    /// applied.
    pub fn leads_to_complete(self) -> bool {
        matches!(self, Self::Build | Self::Reconcile | Self::Call | Self::Drain)
    }
}

/// An action.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// Its name.
    pub id: At<String>,
    /// When it runs.
    pub kind: ActionKind,
    /// What it does.
    pub meaning: String,
    /// The requirements and errata it carries out.
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

/// What is to be done in some statuses.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duty {
    /// In which states.
    #[serde(rename = "in")]
    pub states: Vec<At<StateId>>,
    /// Under which conditions.
    #[serde(default)]
    pub when: Vec<At<Condition>>,
    /// What.
    pub duty: At<DutyId>,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

ids! {
    /// What the background has to do.
    DutyId {
        /// Nothing.
        None = "none",
        /// Build the index.
        Build = "build",
        /// Go on with a build that a limit stopped.
        ResumeBuild = "resume_build",
        /// Start the watchers.
        StartWatchers = "start_watchers",
        /// Apply what is queued.
        Drain = "drain",
        /// Scan everything.
        Reconcile = "reconcile",
    }
}

impl Machine {
    /// The letter of a state in tables.
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
