//! The table `[tools.keyword]`: what `keyword_search` takes from configuration
//! (docs/keyword-search.md, section 9).
//!
//! Responsible for: its keys, their values in each preset, reading and checking them, the entries
//! of `models` included. Not here: the other tables ([`super`]); the models that need no
//! configuration, and which is asked (`language_model/preference.rs`). Invariants: a key never
//! stands in a configuration, only the name of the variable that holds it; a model on another
//! machine is reached without encryption only if its entry says so.

use std::collections::HashSet;

use toml::{Table, Value};

use super::{ConfigError, Preset, flag, integer, invalid, out_of_range, text, unknown};
use crate::{
    feature::Feature,
    language_model::{Preference, Protocol, built_in},
};

#[cfg(feature = "language-model")]
mod address;

/// Which models may be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// The first preference whose key is set, or that needs none.
    Auto,
    /// None.
    None,
    /// The preference of this name, and no other.
    Only(String),
}

/// An entry of `models`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredModel {
    /// The preference that it adds.
    pub preference: Preference,
    /// Whether a server on another machine may be used without encryption.
    pub allow_plain_http: bool,
}

/// Configuration of `keyword_search`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one for each key that is true or false")]
pub struct KeywordConfig {
    /// Whether the tool may be called.
    pub enabled: bool,
    /// Which models may be asked.
    pub model: ModelChoice,
    /// Whether the built-in preferences are used.
    pub builtin: bool,
    /// Further preferences, after the built-in ones.
    pub models: Vec<ConfiguredModel>,
    /// Time limit of a model's answer, in seconds.
    pub model_timeout_seconds: u64,
    /// Most bytes of a term's text.
    pub term_bytes: u64,
    /// Most bytes of all terms' texts.
    pub total_bytes: u64,
    /// Whether terms whose texts exceed these limits are skipped, as document 002 has it.
    pub skip_broad_terms: bool,
    /// Whether missing search terms are derived from the query.
    pub terms_from_query: bool,
}

const KEYS: [&str; 9] = [
    "enabled",
    "model",
    "builtin",
    "models",
    "model_timeout_seconds",
    "term_bytes",
    "total_bytes",
    "skip_broad_terms",
    "terms_from_query",
];
const ENTRY_KEYS: [&str; 6] =
    ["name", "protocol", "base_url", "model", "key_variable", "allow_plain_http"];

/// Values of `model` that are not names.
const WORDS: [&str; 2] = ["auto", "none"];
/// Most entries of `models`.
const MAX_MODELS: usize = 32;
/// Longest name, model id, variable and base URL, in bytes.
const MAX_NAME: usize = 64;
const MAX_ID: usize = 256;
const MAX_URL: usize = 2048;

impl KeywordConfig {
    /// The preset's values. No preset sends anything unless a key is set.
    pub fn preset(preset: Preset) -> Self {
        Self {
            enabled: preset == Preset::Agent,
            model: ModelChoice::Auto,
            builtin: true,
            models: Vec::new(),
            model_timeout_seconds: 8,
            term_bytes: 64 << 10,
            total_bytes: 256 << 10,
            // The document skips such terms, and demands terms.
            skip_broad_terms: preset == Preset::Documents,
            terms_from_query: preset == Preset::Agent,
        }
    }

    fn ranges(&self) -> [(&'static str, u64, u64, u64); 3] {
        [
            ("model_timeout_seconds", self.model_timeout_seconds, 1, 120),
            ("term_bytes", self.term_bytes, 1 << 10, 1 << 20),
            ("total_bytes", self.total_bytes, 1 << 10, 4 << 20),
        ]
    }

    pub(super) fn set(&mut self, key: &str, name: &str, value: &Value) -> Result<(), ConfigError> {
        match name {
            "enabled" => self.enabled = flag(key, value)?,
            "model" => {
                self.model = match text(key, value)?.as_str() {
                    "auto" => ModelChoice::Auto,
                    "none" => ModelChoice::None,
                    name => ModelChoice::Only(name.to_owned()),
                }
            }
            "builtin" => self.builtin = flag(key, value)?,
            "models" => {
                let entries =
                    value.as_array().ok_or_else(|| invalid(key, value, "an array of tables"))?;
                let entry = |(index, entry): (usize, &Value)| {
                    let key = format!("{key}[{index}]");
                    let table = entry.as_table().ok_or_else(|| invalid(&key, entry, "a table"))?;
                    ConfiguredModel::read(&key, table)
                };
                self.models = entries.iter().enumerate().map(entry).collect::<Result<_, _>>()?;
            }
            "model_timeout_seconds" => self.model_timeout_seconds = integer(key, value)?,
            "term_bytes" => self.term_bytes = integer(key, value)?,
            "total_bytes" => self.total_bytes = integer(key, value)?,
            "skip_broad_terms" => self.skip_broad_terms = flag(key, value)?,
            "terms_from_query" => self.terms_from_query = flag(key, value)?,
            _ => return Err(unknown(key, &KEYS)),
        }
        Ok(())
    }

    /// The preferences that may be asked, most preferred first.
    pub fn preferences(&self) -> Vec<Preference> {
        let built_in = if self.builtin { built_in() } else { Vec::new() };
        let configured = self.models.iter().map(|model| model.preference.clone());
        let all = built_in.into_iter().chain(configured);
        match &self.model {
            ModelChoice::Auto => all.collect(),
            ModelChoice::None => Vec::new(),
            ModelChoice::Only(name) => all.filter(|preference| preference.name == *name).collect(),
        }
    }

    /// Checks every value, and each against the others.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        for (name, value, least, most) in self.ranges() {
            if !(least..=most).contains(&value) {
                return Err(out_of_range(&format!("tools.keyword.{name}"), value, least, most));
            }
        }
        if self.models.len() > MAX_MODELS {
            let count = self.models.len() as u64;
            return Err(out_of_range("tools.keyword.models", count, 0, MAX_MODELS as u64));
        }
        if let ModelChoice::Only(name) = &self.model {
            let what = format!("configuration key `tools.keyword.model` = {name}");
            Feature::LanguageModel.require(what, "set it to auto or none")?;
        }
        if !self.models.is_empty() {
            let what = "configuration key `tools.keyword.models`";
            Feature::LanguageModel.require(what, "leave it out")?;
        }
        let built_in = if self.builtin { built_in() } else { Vec::new() };
        let mut names: Vec<&str> =
            built_in.iter().map(|preference| preference.name.as_str()).collect();
        let mut taken: HashSet<&str> = names.iter().copied().collect();
        for (index, entry) in self.models.iter().enumerate() {
            let key = format!("tools.keyword.models[{index}]");
            #[cfg(feature = "language-model")]
            entry.validate(&key)?;
            let name = entry.preference.name.as_str();
            if !taken.insert(name) {
                let allowed = "a name that no other model has; `builtin = false` frees those that need no configuration";
                return Err(refused(&format!("{key}.name"), name, allowed));
            }
            names.push(name);
        }
        match &self.model {
            ModelChoice::Only(name) if !names.contains(&name.as_str()) => {
                let words: Vec<&str> = WORDS.into_iter().chain(names).collect();
                Err(refused("tools.keyword.model", name, &words.join(", ")))
            }
            _ => Ok(()),
        }
    }
}

impl ConfiguredModel {
    fn read(key: &str, table: &Table) -> Result<Self, ConfigError> {
        let mut preference = Preference {
            name: String::new(),
            protocol: Protocol::OpenAi,
            base_url: String::new(),
            model: String::new(),
            key_variable: None,
        };
        let mut allow_plain_http = false;
        if let Some(missing) =
            ENTRY_KEYS.into_iter().take(4).find(|name| !table.contains_key(*name))
        {
            let allowed = format!(
                "a table with name, protocol, base_url and model, of which {missing} is missing"
            );
            let there: Vec<&str> = table.keys().map(String::as_str).collect();
            return Err(refused(key, &format!("a table with {}", there.join(", ")), &allowed));
        }
        for (name, value) in table {
            let key = format!("{key}.{name}");
            match name.as_str() {
                "name" => preference.name = text(&key, value)?,
                "protocol" => {
                    let named =
                        Protocol::ALL.into_iter().find(|one| value.as_str() == Some(one.name()));
                    let all = Protocol::ALL.map(Protocol::name).join(", ");
                    preference.protocol = named.ok_or_else(|| invalid(&key, value, &all))?;
                }
                "base_url" => preference.base_url = text(&key, value)?,
                "model" => preference.model = text(&key, value)?,
                "key_variable" => preference.key_variable = Some(text(&key, value)?),
                "allow_plain_http" => allow_plain_http = flag(&key, value)?,
                _ => return Err(unknown(&key, &ENTRY_KEYS)),
            }
        }
        Ok(Self { preference, allow_plain_http })
    }

    #[cfg(feature = "language-model")]
    fn validate(&self, key: &str) -> Result<(), ConfigError> {
        let Preference { name, base_url, model, key_variable, .. } = &self.preference;
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let well_named = name.len() <= MAX_NAME
            && name.bytes().next().is_some_and(plain)
            && name.bytes().all(|byte| plain(byte) || b"-_.".contains(&byte))
            && !WORDS.contains(&name.as_str());
        if !well_named {
            let allowed = "1 to 64 of a-z, 0-9, `-`, `_` and `.`, a letter or digit first; neither auto nor none";
            return Err(refused(&format!("{key}.name"), name, allowed));
        }
        if model.is_empty()
            || model.len() > MAX_ID
            || model.trim() != model
            || model.contains(char::is_control)
        {
            let allowed = "the model's name at its server: 1 to 256 bytes, no control characters, no blank at its ends";
            return Err(refused(&format!("{key}.model"), model, allowed));
        }
        if let Some(variable) = key_variable {
            let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
            let well_named = variable.len() <= MAX_NAME
                && variable.bytes().next().is_some_and(letter)
                && variable.bytes().all(|byte| letter(byte) || byte.is_ascii_digit());
            if !well_named {
                // A wrong value may be the key itself, so it is not repeated.
                let allowed = "the name of an environment variable, at most 64 letters, digits and `_`; never a key";
                return Err(refused(&format!("{key}.key_variable"), "[not shown]", allowed));
            }
        }
        address::validate(&format!("{key}.base_url"), base_url, self.allow_plain_http)
    }
}

fn refused(key: &str, value: &str, allowed: &str) -> ConfigError {
    ConfigError::Invalid {
        key: key.to_owned(),
        value: value.to_owned(),
        allowed: allowed.to_owned(),
    }
}

#[cfg(test)]
mod tests;
