//! The fields of `stats` (`index/stats.yaml`).

use serde::Deserialize;

use super::files;
use crate::closed::ids;
use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatsFields {
    /// Fields that are always present.
    pub fields: Vec<StatsField>,
    /// Fields of a running build.
    pub build: Vec<StatsField>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatsField {
    pub name: At<String>,
    #[serde(rename = "type")]
    pub kind: StatsType,
    /// The permitted values of some strings.
    #[serde(default)]
    pub values: Vec<String>,
    /// The only value of some numbers.
    #[serde(default)]
    pub value: Option<u64>,
    /// The list of its values, if it is elsewhere.
    #[serde(default)]
    pub values_from: Option<ValuesFrom>,
    #[serde(default)]
    pub nullable: bool,
    /// Whether answers are compared by it.
    pub class: Determinism,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

ids! {
    StatsType {
        String = "string",
        Boolean = "boolean",
        Integer = "integer",
        Integers = "integers",
        Strings = "strings",
    }
}

ids! {
    ValuesFrom {
        /// The reasons of `machine.yaml` that can occur in a state.
        Reasons = "reasons",
    }
}

ids! {
    /// Whether equal inputs give an equal value.
    Determinism {
        /// Equal, given the same state of the index.
        Deterministic = "deterministic",
        /// May vary.
        BestEffort = "best_effort",
    }
}

impl StatsFields {
    pub fn all(&self) -> impl Iterator<Item = &StatsField> {
        self.fields.iter().chain(&self.build)
    }

    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        self.all()
            .map(|field| (files::STATS, format!("field `{}`", field.name.value), &*field.clauses))
            .collect()
    }
}
