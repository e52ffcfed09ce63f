//! The triggers and their rows (`index/transitions.yaml`).

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use super::condition::{Condition, Effect};
use super::files;
use super::machine::{StateId, Way};
use crate::place::At;

/// All triggers in their total order.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transitions {
    pub triggers: Vec<Trigger>,
}

/// An event for the machine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    pub id: At<String>,
    pub class: At<u8>,
    /// Rows of the documents' table, and ids of triggers that it lacks.
    pub ids: Vec<At<String>>,
    pub meaning: String,
    /// Without a row that holds, the trigger has no effect.
    #[serde(default)]
    pub rows: Vec<Row>,
    /// The way of recovery that it is.
    #[serde(default)]
    pub way: Option<At<Way>>,
    pub clauses: Vec<At<String>>,
}

/// The effect of a trigger in some states, under some conditions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    #[serde(rename = "in")]
    pub states: Vec<At<StateId>>,
    /// All must hold.
    #[serde(default)]
    pub when: Vec<At<Condition>>,
    /// The proposal.
    pub next: At<Next>,
    #[serde(default)]
    pub adds: Vec<At<String>>,
    #[serde(default)]
    pub resolves: Vec<At<String>>,
    /// Other changes of the status.
    #[serde(default)]
    pub effects: Vec<At<Effect>>,
    #[serde(default, rename = "do")]
    pub actions: Vec<At<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// A row's proposal.
    NoChange,
    Impossible,
    /// Nothing: the trigger does not occur in this state.
    State(StateId),
}

impl Next {
    pub fn state(self) -> Option<StateId> {
        match self {
            Self::State(state) => Some(state),
            Self::NoChange | Self::Impossible => None,
        }
    }
}

impl<'de> Deserialize<'de> for Next {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = String::deserialize(deserializer)?;
        match &*written {
            "no_change" => Ok(Self::NoChange),
            "impossible" => Ok(Self::Impossible),
            name => StateId::ALL
                .iter()
                .find(|state| state.name() == name)
                .map(|state| Self::State(*state))
                .ok_or_else(|| {
                    D::Error::custom(format!(
                        "`{name}` is neither a state nor `no_change` nor `impossible`"
                    ))
                }),
        }
    }
}

impl Row {
    /// The proposed state.
    pub fn is_for(&self, state: StateId) -> bool {
        self.states.iter().any(|named| named.value == state)
    }

    /// Whether it is for `state`.
    pub fn is_idle(&self) -> bool {
        self.next.value == Next::NoChange
            && self.adds.is_empty()
            && self.effects.is_empty()
            && self.actions.is_empty()
    }

    /// Whether it changes, adds and does nothing.
    pub fn has_effect(&self, effect: Effect) -> bool {
        self.effects.iter().any(|named| named.value == effect)
    }
}

impl Trigger {
    pub fn cell(&self, state: StateId) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.is_for(state))
    }
}

impl Transitions {
    /// The rows for a state; the first whose conditions hold counts.
    pub fn rows(&self) -> impl Iterator<Item = (&Trigger, &Row)> {
        self.triggers.iter().flat_map(|trigger| trigger.rows.iter().map(move |row| (trigger, row)))
    }

    pub fn trigger(&self, id: &str) -> Option<&Trigger> {
        self.triggers.iter().find(|trigger| trigger.id.value == id)
    }

    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let cite = |trigger: &'_ Trigger| format!("trigger `{}`", trigger.id.value);
        self.triggers
            .iter()
            .map(|trigger| (files::TRANSITIONS, cite(trigger), &*trigger.clauses))
            .collect()
    }
}
