//! Which model is asked (docs/keyword-search.md, section 6; E-I25).
//!
//! Responsible for: the ordered preferences, as data; which of them is the first that can be had;
//! its key. Left to neighbours: reading and checking what is configured (`config/keyword.rs`);
//! asking ([`super::remote`]). Invariants: a model that is no preference is never asked; a key is
//! shown by nothing, `Debug` included.

use std::fmt;

use crate::config::{KeywordConfig, ModelChoice};

/// How a server is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Chat completions as OpenAI has them; also Fireworks, vLLM, llama.cpp, LM Studio and most
    /// others.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Ollama's chat.
    Ollama,
}

impl Protocol {
    /// Every protocol, in the order in which they are named.
    pub const ALL: [Self; 3] = [Self::OpenAi, Self::Anthropic, Self::Ollama];

    /// Its name in the configuration.
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
    /// What it is called in the configuration and in answers.
    pub name: String,
    /// How its server is spoken to.
    pub protocol: Protocol,
    /// Where its server is; what the protocol adds comes behind it.
    pub base_url: String,
    /// The model's name at that server.
    pub model: String,
    /// The environment variable that holds the key and without which the model cannot be had. None:
    /// it needs no key.
    pub key_variable: Option<String>,
}

/// The preferences of every configuration that does not leave them out: name, protocol, base URL,
/// model, variable.
///
/// Names are the document's and stay; models are retired by those who serve them, so their ids are
/// the current ones of each family. Whoever needs another leaves these out (`builtin = false`) and
/// configures entries of the same names.
const BUILT_IN: [(&str, Protocol, &str, &str, &str); 4] = [
    (
        // Fireworks has it on dedicated deployments alone since February 2026; there is no newer
        // Qwen coder.
        "fireworks-qwen-coder",
        Protocol::OpenAi,
        "https://api.fireworks.ai/inference/v1",
        "accounts/fireworks/models/qwen3-coder-480b-a35b-instruct",
        "FIREWORKS_API_KEY",
    ),
    // `gpt-5-mini` itself ends on 2026-12-11. These two are the variants that stay.
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

/// The preferences that take part by default, most wanted first.
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

/// All that may be asked under a configuration, most wanted first.
pub fn preferences(config: &KeywordConfig) -> Vec<Preference> {
    let built_in = if config.builtin { built_in() } else { Vec::new() };
    let configured = config.models.iter().map(|model| model.preference.clone());
    let all = built_in.into_iter().chain(configured);
    match &config.model {
        ModelChoice::Auto => all.collect(),
        ModelChoice::None => Vec::new(),
        ModelChoice::Only(name) => all.filter(|preference| preference.name == *name).collect(),
    }
}

/// What opens a server's door.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The key itself, for the one header that carries it, and for taking it out of what a server
    /// said.
    pub(super) fn reveal(&self) -> &str {
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

/// A preference that can be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Which.
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
