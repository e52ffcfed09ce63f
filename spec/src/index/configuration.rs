//! Configuration keys of the index (`index/configuration.yaml`).

use serde::Deserialize;
use serde_json::{Number, Value};

use super::files;
use super::stats::Determinism;
use crate::closed::ids;
use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexConfiguration {
    pub section: String,
    pub keys: Vec<IndexKey>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexKey {
    pub name: At<String>,
    #[serde(rename = "type")]
    pub kind: IndexKeyType,
    /// The permitted values of some strings.
    #[serde(default)]
    pub values: Vec<String>,
    #[serde(default)]
    pub minimum: Option<Number>,
    #[serde(default)]
    pub maximum: Option<Number>,
    /// Longest list.
    #[serde(default)]
    pub maximum_entries: Option<usize>,
    /// The value in both presets.
    #[serde(default)]
    pub default: Option<Value>,
    /// The value in preset `documents`, if it differs from `agent`.
    #[serde(default)]
    pub documents: Option<Value>,
    /// The value in preset `agent`, if it differs from `documents`.
    #[serde(default)]
    pub agent: Option<Value>,
    /// Whether it can change the deterministic part of an answer.
    pub class: Determinism,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

ids! {
    /// The type of a value.
    IndexKeyType {
        Boolean = "boolean",
        Integer = "integer",
        /// A number with a fraction.
        Number = "number",
        String = "string",
        Strings = "strings",
        Integers = "integers",
        /// A 64-bit integer, or a string with its hexadecimal digits.
        Seed = "seed",
    }
}

impl IndexKeyType {
    pub fn is_list(self) -> bool {
        matches!(self, Self::Strings | Self::Integers)
    }

    /// Whether its values have bounds.
    pub fn is_bounded(self) -> bool {
        matches!(self, Self::Integer | Self::Number | Self::Integers | Self::Seed)
    }
}

impl IndexKey {
    pub fn in_documents(&self) -> Option<&Value> {
        self.documents.as_ref().or(self.default.as_ref())
    }

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
    pub fn key(&self, name: &str) -> Option<&IndexKey> {
        self.keys.iter().find(|key| key.name.value == name)
    }

    /// The value of `name` in preset `documents`, the default.
    pub fn default_of(&self, name: &str) -> Option<&Value> {
        self.key(name)?.in_documents()
    }

    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let keys = self.keys.iter();
        keys.map(|key| (files::CONFIGURATION, format!("key `{}`", key.name.value), &*key.clauses))
            .collect()
    }
}
