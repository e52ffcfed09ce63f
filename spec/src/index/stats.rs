//! What `stats` says: `index/stats.yaml`.

use serde::Deserialize;

use super::files;
use crate::closed::ids;
use crate::place::At;

/// The fields of `stats`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatsFields {
    /// Those that are always there.
    pub fields: Vec<StatsField>,
    /// Those of a build that runs.
    pub build: Vec<StatsField>,
}

/// A field of `stats`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatsField {
    /// Its key.
    pub name: At<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: StatsType,
    /// The closed list of its values, for some strings.
    #[serde(default)]
    pub values: Vec<String>,
    /// The only value it has, for a number.
    #[serde(default)]
    pub value: Option<u64>,
    /// Where the list of its values stands instead.
    #[serde(default)]
    pub values_from: Option<ValuesFrom>,
    /// Whether it can be null.
    #[serde(default)]
    pub nullable: bool,
    /// Whether answers are compared by it.
    pub class: Determinism,
    /// What it holds.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

ids! {
    /// The type of a field of `stats`.
    StatsType {
        /// A string.
        String = "string",
        /// A boolean.
        Boolean = "boolean",
        /// An integer.
        Integer = "integer",
        /// A list of integers.
        Integers = "integers",
        /// A list of strings.
        Strings = "strings",
    }
}

ids! {
    /// A list of values that stands elsewhere.
    ValuesFrom {
        /// The reasons of `machine.yaml` that can stand in a state.
        Reasons = "reasons",
    }
}

ids! {
    /// Whether something is equal for equal inputs.
    Determinism {
        /// It is, given the same state of the index.
        Deterministic = "deterministic",
        /// It may vary.
        BestEffort = "best_effort",
    }
}

impl StatsFields {
    /// Every field.
    pub fn all(&self) -> impl Iterator<Item = &StatsField> {
        self.fields.iter().chain(&self.build)
    }

    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        self.all()
            .map(|field| (files::STATS, format!("field `{}`", field.name.value), &*field.clauses))
            .collect()
    }
}
