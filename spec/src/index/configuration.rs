//! The index's configuration keys: `index/configuration.yaml`.

use serde::Deserialize;
use serde_json::{Number, Value};

use super::files;
use super::stats::Determinism;
use crate::closed::ids;
use crate::place::At;

/// The keys.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexConfiguration {
    /// The section's name.
    pub section: String,
    /// The keys.
    pub keys: Vec<IndexKey>,
}

/// A key.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexKey {
    /// Its name.
    pub name: At<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: IndexKeyType,
    /// The closed list of its values, for some strings.
    #[serde(default)]
    pub values: Vec<String>,
    /// Smallest number.
    #[serde(default)]
    pub minimum: Option<Number>,
    /// Largest number.
    #[serde(default)]
    pub maximum: Option<Number>,
    /// Longest list.
    #[serde(default)]
    pub maximum_entries: Option<usize>,
    /// Its value in both presets.
    #[serde(default)]
    pub default: Option<Value>,
    /// Its value in preset `documents`, where it has another in `agent`.
    #[serde(default)]
    pub documents: Option<Value>,
    /// Its value in preset `agent`, where it has another in `documents`.
    #[serde(default)]
    pub agent: Option<Value>,
    /// Whether it can change the deterministic part of an answer.
    pub class: Determinism,
    /// What it is for.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

ids! {
    /// The type of a value.
    IndexKeyType {
        /// `true` or `false`.
        Boolean = "boolean",
        /// An integer.
        Integer = "integer",
        /// A number with a fraction.
        Number = "number",
        /// A string.
        String = "string",
        /// A list of strings.
        Strings = "strings",
        /// A list of integers.
        Integers = "integers",
        /// An integer of 64 bits, or a string with its hexadecimal digits.
        Seed = "seed",
    }
}

impl IndexKeyType {
    /// Whether its values are lists.
    pub fn is_list(self) -> bool {
        matches!(self, Self::Strings | Self::Integers)
    }

    /// Whether its values lie between a smallest and a largest number.
    pub fn is_bounded(self) -> bool {
        matches!(self, Self::Integer | Self::Number | Self::Integers | Self::Seed)
    }
}

impl IndexKey {
    /// Its value in preset `documents`.
    pub fn in_documents(&self) -> Option<&Value> {
        self.documents.as_ref().or(self.default.as_ref())
    }

    /// Its value in preset `agent`.
    pub fn in_agent(&self) -> Option<&Value> {
        self.agent.as_ref().or(self.default.as_ref())
    }

    /// Whether `value` is of its type and within its bounds.
    pub fn holds(&self, value: &Value) -> bool {
        let within = |value: &Value| {
            let least = self.minimum.as_ref().and_then(Number::as_f64);
            let most = self.maximum.as_ref().and_then(Number::as_f64);
            value.as_f64().is_some_and(|number| {
                least.is_some_and(|least| number >= least)
                    && most.is_some_and(|most| number <= most)
            })
        };
        let few = |count: usize| self.maximum_entries.is_none_or(|most| count <= most);
        let list = |each: &dyn Fn(&Value) -> bool| {
            value.as_array().is_some_and(|all| few(all.len()) && all.iter().all(each))
        };
        match self.kind {
            IndexKeyType::Boolean => value.is_boolean(),
            IndexKeyType::Integer | IndexKeyType::Seed => value.is_u64() && within(value),
            IndexKeyType::Number => value.is_number() && within(value),
            IndexKeyType::String => value.as_str().is_some_and(|text| {
                self.values.is_empty() || self.values.iter().any(|allowed| allowed == text)
            }),
            IndexKeyType::Strings => list(&Value::is_string),
            IndexKeyType::Integers => list(&|entry| entry.is_u64() && within(entry)),
        }
    }
}

impl IndexConfiguration {
    /// The key called `name`.
    pub fn key(&self, name: &str) -> Option<&IndexKey> {
        self.keys.iter().find(|key| key.name.value == name)
    }

    /// The value of `name` in preset `documents`, which is what counts when nothing is configured.
    pub fn default_of(&self, name: &str) -> Option<&Value> {
        self.key(name)?.in_documents()
    }

    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let keys = self.keys.iter();
        keys.map(|key| (files::CONFIGURATION, format!("key `{}`", key.name.value), &*key.clauses))
            .collect()
    }
}
