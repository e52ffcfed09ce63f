//! The configuration keys: `config.yaml`.

use serde::Deserialize;

use crate::place::At;

/// A section of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// The section's name.
    pub section: String,
    /// The presets.
    pub presets: Vec<PresetName>,
    /// The keys.
    pub keys: Vec<Key>,
}

/// A preset.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresetName {
    /// Its name, which is also the key of its values.
    pub name: At<String>,
    /// What it is for.
    pub meaning: String,
}

/// A configuration key.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Its name.
    pub name: At<String>,
    /// Its table, where that is another than the file's.
    #[serde(default)]
    pub section: Option<String>,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: KeyType,
    /// The closed list of its values, for some strings.
    #[serde(default)]
    pub values: Vec<String>,
    /// Smallest number.
    #[serde(default)]
    pub minimum: Option<u64>,
    /// Largest number.
    #[serde(default)]
    pub maximum: Option<u64>,
    /// Its value in preset `documents`; unset if absent.
    #[serde(default)]
    pub documents: Option<serde_json::Value>,
    /// Its value in preset `agent`; unset if absent.
    #[serde(default)]
    pub agent: Option<serde_json::Value>,
    /// What it is for.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// The type of a configuration value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyType {
    /// `true` or `false`.
    Boolean,
    /// A number.
    Integer,
    /// A string.
    String,
    /// A list of strings.
    Strings,
    /// A number, also one with a fraction.
    Number,
}

impl KeyType {
    /// Whether `value` is of this type.
    pub fn holds(self, value: &serde_json::Value) -> bool {
        match self {
            Self::Boolean => value.is_boolean(),
            Self::Integer => value.is_u64(),
            Self::String => value.is_string(),
            Self::Strings => {
                value.as_array().is_some_and(|all| all.iter().all(serde_json::Value::is_string))
            }
            Self::Number => value.is_number(),
        }
    }

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::String => "string",
            Self::Strings => "strings",
            Self::Number => "number",
        }
    }
}

impl Configuration {
    /// The full name of `key`, with its table.
    pub fn full_name(&self, key: &Key) -> String {
        format!("{}.{}", key.section.as_deref().unwrap_or(&self.section), key.name.value)
    }

    /// The key called `name`.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name.value == name)
    }
}

impl Key {
    /// The key's value in `preset`; `None` if the preset sets none, or there is no such preset.
    pub fn in_preset(&self, preset: &str) -> Option<&serde_json::Value> {
        match preset {
            "documents" => self.documents.as_ref(),
            "agent" => self.agent.as_ref(),
            _ => None,
        }
    }
}
