//! The table `[tools.keyword]`: what `keyword_search` takes from configuration
//! (docs/keyword-search.md, section 9).
//!
//! Responsible for: its keys, one row each, and the entries of `models`. Not here: the other tables ([`super`]); the models that need no
//! configuration, and which is asked (`language_model/preference.rs`). Invariants: a key never
//! stands in a configuration, only the name of the variable that holds it; a model on another
//! machine is reached without encryption only if its entry says so.

use std::collections::HashSet;

use toml::{Table, Value};

use super::{
    ConfigError, Preset,
    table::{Setting, invalid, out_of_range, refused, table, unknown},
};
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
    /// Likewise of the entries of `models` alone.
    Configured,
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

table! {
    /// Configuration of `keyword_search`. Preset agent sends nothing unless a model is named or
    /// allowed (D27); preset documents sends nothing unless a key is set.
    #[derive(Clone, Debug, PartialEq, Eq)]
    KeywordConfig = "tools.keyword" {
        /// Whether the tool may be called.
        enabled: bool = false, true;
        /// Which models may be asked.
        model: ModelChoice = ModelChoice::Auto, ModelChoice::Configured;
        /// Whether a call that does not say asks a model, and is an error where none can be had.
        use_model_default: bool = true, false;
        /// Whether the built-in preferences are used.
        builtin: bool = true, true;
        /// Further preferences, after the built-in ones.
        models: Vec<ConfiguredModel> = Vec::new(), Vec::new(), 0..=MAX_MODELS;
        /// Time limit of a model's answer, in seconds.
        model_timeout_seconds: u64 = 8, 8, 1..=120;
        /// Most bytes of a term's text.
        term_bytes: u64 = 64 << 10, 64 << 10, 1 << 10..=1 << 20;
        /// Most bytes of all terms' texts.
        total_bytes: u64 = 256 << 10, 256 << 10, 1 << 10..=4 << 20;
        /// Whether terms whose texts exceed these limits are skipped, as document 002 has it.
        skip_broad_terms: bool = true, false;
        /// Whether missing search terms, which document 002 demands, are derived from the query.
        terms_from_query: bool = false, true;
    }
}

const ENTRY_KEYS: [&str; 6] =
    ["name", "protocol", "base_url", "model", "key_variable", "allow_plain_http"];

/// Values of `model` that are not names.
const WORDS: [&str; 3] = ["auto", "configured", "none"];
/// Most entries of `models`.
const MAX_MODELS: u64 = 32;
/// Longest name, model id, variable and base URL, in bytes.
const MAX_NAME: usize = 64;
const MAX_ID: usize = 256;
const MAX_URL: usize = 2048;

impl Setting for ModelChoice {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        Ok(match String::read(key, value)?.as_str() {
            "auto" => Self::Auto,
            "configured" => Self::Configured,
            "none" => Self::None,
            name => Self::Only(name.to_owned()),
        })
    }
}

impl Setting for Vec<ConfiguredModel> {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        let entries = value.as_array().ok_or_else(|| invalid(key, value, "an array of tables"))?;
        let entry = |(index, entry): (usize, &Value)| {
            let key = format!("{key}[{index}]");
            let table = entry.as_table().ok_or_else(|| invalid(&key, entry, "a table"))?;
            ConfiguredModel::read(&key, table)
        };
        entries.iter().enumerate().map(entry).collect()
    }

    /// How many there are.
    fn number(&self) -> Option<u64> {
        u64::try_from(self.len()).ok()
    }
}

impl KeywordConfig {
    /// The preferences that may be asked, most preferred first.
    pub fn preferences(&self) -> Vec<Preference> {
        let built_in = if self.builtin { built_in() } else { Vec::new() };
        let configured = self.models.iter().map(|model| model.preference.clone());
        if self.model == ModelChoice::Configured {
            return configured.collect();
        }
        let all = built_in.into_iter().chain(configured);
        match &self.model {
            ModelChoice::Auto | ModelChoice::Configured => all.collect(),
            ModelChoice::None => Vec::new(),
            ModelChoice::Only(name) => all.filter(|preference| preference.name == *name).collect(),
        }
    }

    /// Lets every model be asked that can be had, as `--allow-model` does (D27). What
    /// configuration names or rules out stands.
    ///
    /// # Errors
    /// Configuration rules every model out.
    pub fn allow_model(&mut self) -> Result<(), ConfigError> {
        match self.model {
            ModelChoice::Configured => self.model = ModelChoice::Auto,
            ModelChoice::None => {
                let allowed =
                    "auto, configured or a model's name, if a model is allowed on the command line";
                return Err(refused("tools.keyword.model", "none", allowed));
            }
            ModelChoice::Auto | ModelChoice::Only(_) => {}
        }
        Ok(())
    }

    /// Checks every value, and each against the others.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        self.check_ranges()?;
        if let ModelChoice::Only(name) = &self.model {
            let what = format!("configuration key `tools.keyword.model` = {name}");
            Feature::LanguageModel.require(what, "set it to auto, configured or none")?;
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
                "name" => preference.name = Setting::read(&key, value)?,
                "protocol" => preference.protocol = Setting::read(&key, value)?,
                "base_url" => preference.base_url = Setting::read(&key, value)?,
                "model" => preference.model = Setting::read(&key, value)?,
                "key_variable" => preference.key_variable = Some(Setting::read(&key, value)?),
                "allow_plain_http" => allow_plain_http = Setting::read(&key, value)?,
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
            let allowed = "1 to 64 of a-z, 0-9, `-`, `_` and `.`, a letter or digit first; none of auto, configured, none";
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

#[cfg(test)]
mod tests;
