//! Configuration keys by name: those that have no field of their own in a case.
//!
//! Responsible for: any key of `[tools.search]` or `[tools.search_files]` with its value, as a case
//! file writes it, as the model reads it, and as a configuration file gives it to the service. Not
//! here: what a key means, and which values are refused: the service says so when it is started.
//! Invariants: a key that stands in [`super::CaseConfig`] as a field cannot stand here too.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The keys that have a field of their own.
pub(super) const FIELDS: [&str; 7] = [
    "enabled",
    "default_timeout_ms",
    "default_max_results",
    "max_matches_per_file",
    "max_files",
    "max_file_size_bytes",
    "max_output_bytes",
];

/// Keys of `[tools.search_files]` that a case cannot set, each with the place that sets it.
pub(super) const ELSEWHERE: [(&str, &str); 4] = [
    ("backend", "the subject's name"),
    ("rg_binary", "the subject's name"),
    ("ugrep_binary", "the subject's name"),
    ("max_output_bytes", "the case's `context`"),
];

/// Keys of one table of the configuration with their values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keys(pub BTreeMap<String, Value>);

impl Keys {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_owned(), value.into());
        self
    }

    /// The value of a boolean key.
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.0.get(key)?.as_bool()
    }

    /// The value of an integer key.
    pub fn integer(&self, key: &str) -> Option<u64> {
        self.0.get(key)?.as_u64()
    }

    /// The value of a numeric key.
    pub fn number(&self, key: &str) -> Option<f64> {
        self.0.get(key)?.as_f64()
    }

    /// The value of a text key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str()
    }

    /// The value of a key that is a list of integers.
    pub fn integers(&self, key: &str) -> Option<Vec<u64>> {
        self.0.get(key)?.as_array()?.iter().map(Value::as_u64).collect()
    }

    /// The keys as a table of a configuration file, such as `tools.search`.
    pub fn to_toml(&self, table: &str) -> String {
        let mut text = format!("[{table}]\n");
        for (key, value) in &self.0 {
            // JSON and TOML write these values alike. Writing to a string cannot fail.
            let _ = writeln!(text, "{key} = {value}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_written_as_a_configuration_file_has_them() {
        let keys = Keys::default()
            .with("fuzzy_fallback", true)
            .with("fuzzy_fallback_levels", json!([1, 2]));
        let keys = keys.with("index_path", "a\"b").with("bloom_target_fp_rate", 0.5);
        let text = keys.to_toml("tools.search");
        let lines: Vec<&str> = text.lines().collect();
        let expected = [
            "[tools.search]",
            "bloom_target_fp_rate = 0.5",
            "fuzzy_fallback = true",
            "fuzzy_fallback_levels = [1,2]",
            r#"index_path = "a\"b""#,
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_key_of_another_type_has_no_value() {
        let keys = Keys::default()
            .with("fuzzy_fallback", "yes")
            .with("fuzzy_fallback_levels", json!([1, "2"]));
        assert_eq!(
            (keys.flag("fuzzy_fallback"), keys.integers("fuzzy_fallback_levels")),
            (None, None)
        );
        assert_eq!(keys.integer("fuzzy_min_pattern_len"), None);
    }
}
