//! Configuration keys (`config.yaml`).

use serde::Deserialize;

use crate::place::At;

/// A section of the configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    pub section: String,
    pub presets: Vec<PresetName>,
    pub keys: Vec<Key>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresetName {
    /// Also the key of its values.
    pub name: At<String>,
    pub meaning: String,
}

/// A configuration key.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    pub name: At<String>,
    /// Its table, if that is not the file's.
    #[serde(default)]
    pub section: Option<String>,
    #[serde(rename = "type")]
    pub kind: KeyType,
    /// The permitted values of some strings.
    #[serde(default)]
    pub values: Vec<String>,
    #[serde(default)]
    pub minimum: Option<u64>,
    #[serde(default)]
    pub maximum: Option<u64>,
    /// The value in preset `documents`; unset if absent.
    #[serde(default)]
    pub documents: Option<serde_json::Value>,
    /// The value in preset `agent`; unset if absent.
    #[serde(default)]
    pub agent: Option<serde_json::Value>,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

/// The type of a configuration value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyType {
    Boolean,
    Integer,
    String,
    Strings,
    /// A number, possibly with a fraction.
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
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name.value == name)
    }
}

impl Key {
    /// The value in `preset`; `None` if the preset has none, or there is no such preset.
    pub fn in_preset(&self, preset: &str) -> Option<&serde_json::Value> {
        match preset {
            "documents" => self.documents.as_ref(),
            "agent" => self.agent.as_ref(),
            _ => None,
        }
    }
}
