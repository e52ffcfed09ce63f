//! The triggers and their rows: `index/transitions.yaml`.

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
    /// The triggers.
    pub triggers: Vec<Trigger>,
}

/// Something that can happen.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trigger {
    /// Its name.
    pub id: At<String>,
    /// Its class.
    pub class: At<u8>,
    /// The rows of the documents' table, and those it lacks.
    pub ids: Vec<At<String>>,
    /// What it means.
    pub meaning: String,
    /// What it does; where no row holds, it says nothing.
    #[serde(default)]
    pub rows: Vec<Row>,
    /// The way of recovery that it is.
    #[serde(default)]
    pub way: Option<At<Way>>,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// What a trigger does in some states, under some conditions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// In which states.
    #[serde(rename = "in")]
    pub states: Vec<At<StateId>>,
    /// Under which conditions, all of which must hold.
    #[serde(default)]
    pub when: Vec<At<Condition>>,
    /// What it proposes.
    pub next: At<Next>,
    /// Reasons it adds.
    #[serde(default)]
    pub adds: Vec<At<String>>,
    /// Reasons it resolves.
    #[serde(default)]
    pub resolves: Vec<At<String>>,
    /// What else it changes.
    #[serde(default)]
    pub effects: Vec<At<Effect>>,
    /// What is to be done.
    #[serde(default, rename = "do")]
    pub actions: Vec<At<String>>,
}

/// What a row proposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    NoChange,
    /// Nothing: the trigger does not come in this state.
    Impossible,
    /// A state.
    State(StateId),
}

impl Next {
    /// The state it proposes.
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
    /// Whether it holds for `state`.
    pub fn is_for(&self, state: StateId) -> bool {
        self.states.iter().any(|named| named.value == state)
    }

    /// Whether it changes, adds and does nothing.
    pub fn is_idle(&self) -> bool {
        self.next.value == Next::NoChange
            && self.adds.is_empty()
            && self.effects.is_empty()
            && self.actions.is_empty()
    }

    /// Whether it has that effect.
    pub fn has_effect(&self, effect: Effect) -> bool {
        self.effects.iter().any(|named| named.value == effect)
    }
}

impl Trigger {
    /// The rows for a state, of which the first counts whose conditions hold.
    pub fn cell(&self, state: StateId) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.is_for(state))
    }
}

impl Transitions {
    /// Every row with its trigger.
    pub fn rows(&self) -> impl Iterator<Item = (&Trigger, &Row)> {
        self.triggers.iter().flat_map(|trigger| trigger.rows.iter().map(move |row| (trigger, row)))
    }

    /// The trigger called `id`.
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
