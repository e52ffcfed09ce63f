//! The choice of a model (docs/keyword-search.md, section 6; E-I25).
//!
//! Responsible for: the ordered preferences, as data; the first that is available, with its key.
//! Not here: reading and checking the configuration (`config/keyword.rs`). Invariants: only a
//! listed preference is ever asked; nothing prints a key, `Debug` included.

use std::fmt;

/// The protocol of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI's chat completions; also Fireworks, vLLM, llama.cpp, LM Studio and others.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Ollama's chat.
    Ollama,
}

impl Protocol {
    /// In the order in which messages list them.
    pub const ALL: [Self; 3] = [Self::OpenAi, Self::Anthropic, Self::Ollama];

    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Ollama => "ollama",
        }
    }
}

/// One entry of the ordered preferences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preference {
    /// The name in the configuration and in answers.
    pub name: String,
    /// The protocol of its server.
    pub protocol: Protocol,
    /// The address of the server, without the protocol's path.
    pub base_url: String,
    /// The model's name at that server.
    pub model: String,
    /// The environment variable of the key, without which the model is not available. `None`: no
    /// key is needed.
    pub key_variable: Option<String>,
}

/// The built-in preferences: name, protocol, base URL, model, variable.
///
/// The documents fix the names. Model ids are the current ones of each family, since providers
/// retire models. Users who need others set `builtin = false` and configure entries of the same
/// names.
const BUILT_IN: [(&str, Protocol, &str, &str, &str); 4] = [
    (
        // Fireworks offers it only on dedicated deployments since February 2026; there is no newer
        // Qwen coder.
        "fireworks-qwen-coder",
        Protocol::OpenAi,
        "https://api.fireworks.ai/inference/v1",
        "accounts/fireworks/models/qwen3-coder-480b-a35b-instruct",
        "FIREWORKS_API_KEY",
    ),
    // `gpt-5-mini` itself ends on 2026-12-11. These two variants stay.
    ("gpt-5-mini", Protocol::OpenAi, "https://api.openai.com/v1", "gpt-5.4-mini", "OPENAI_API_KEY"),
    ("gpt-5-nano", Protocol::OpenAi, "https://api.openai.com/v1", "gpt-5.4-nano", "OPENAI_API_KEY"),
    (
        "claude-sonnet",
        Protocol::Anthropic,
        "https://api.anthropic.com",
        "claude-sonnet-5-5",
        "ANTHROPIC_API_KEY",
    ),
];

/// The built-in preferences, most preferred first.
pub(crate) fn built_in() -> Vec<Preference> {
    BUILT_IN
        .iter()
        .map(|&(name, protocol, base_url, model, variable)| Preference {
            name: name.to_owned(),
            protocol,
            base_url: base_url.to_owned(),
            model: model.to_owned(),
            key_variable: Some(variable.to_owned()),
        })
        .collect()
}

/// An API key, which no format prints.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The key, for a request's header and for redacting responses.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Key {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key([redacted])")
    }
}

/// An available preference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The preference.
    pub preference: Preference,
    /// Its key, if it needs one.
    pub key: Option<Key>,
}

/// The first preference that needs no key, or whose variable is set and not blank.
pub fn choose(
    preferences: &[Preference],
    variable: &dyn Fn(&str) -> Option<String>,
) -> Option<Chosen> {
    preferences.iter().find_map(|preference| {
        let key = match &preference.key_variable {
            None => None,
            Some(name) => {
                let value = variable(name)?;
                let value = value.trim();
                if value.is_empty() {
                    return None;
                }
                Some(Key(value.to_owned()))
            }
        };
        Some(Chosen { preference: preference.clone(), key })
    })
}

#[cfg(test)]
#[cfg(feature = "language-model")]
mod tests;
