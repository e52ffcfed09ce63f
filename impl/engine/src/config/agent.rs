//! The table `[tools.agent]`: what `search_text`, the path search and `grep` take from
//! configuration (docs/agent-tools.md, section 9).
//!
//! Responsible for: its keys, their values in each preset, reading and checking them. Not here: the
//! other tables ([`super`]); what the searched tree itself may lower; what the values do.

use forge_search_core::request::Reading;
use toml::Value;

use super::{ConfigError, MAX_OUTPUT_BYTES, Preset, flag, integer, invalid, out_of_range, unknown};
use crate::feature::Feature;

/// How tokens are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenizerName {
    /// The public encoding `o200k_base`, of a build with the feature `tokens`.
    #[cfg(feature = "tokens")]
    #[default]
    O200kBase,
    /// Three bytes are one token.
    #[cfg_attr(not(feature = "tokens"), default)]
    Bytes,
}

/// The encoding's name.
pub(crate) const O200K_BASE: &str = "o200k_base";

impl TokenizerName {
    /// The values that this build supports.
    pub const ALL: &[Self] = &[
        #[cfg(feature = "tokens")]
        Self::O200kBase,
        Self::Bytes,
    ];

    /// The value of the key.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "tokens")]
            Self::O200kBase => O200K_BASE,
            Self::Bytes => "bytes",
        }
    }
}

/// Configuration of the agent's tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentConfig {
    /// Whether the tools may be called.
    pub enabled: bool,
    /// Results of requests that name no limit.
    pub default_max_results: u64,
    /// Lines above and below a match, in requests that do not say.
    pub default_context_lines: u64,
    /// Calls of one session within any 60 seconds.
    pub searches_per_minute: u64,
    /// Deadline of a call, in seconds.
    pub timeout_seconds: u64,
    /// Most tokens of an answer.
    pub max_answer_tokens: u64,
    /// Most bytes of an answer.
    pub max_answer_bytes: u64,
    /// How tokens are counted.
    pub tokenizer: TokenizerName,
    /// By whose conventions requests are read; the preset decides.
    pub reading: Reading,
}

const KEYS: [&str; 8] = [
    "enabled",
    "default_max_results",
    "default_context_lines",
    "searches_per_minute",
    "timeout_seconds",
    "max_answer_tokens",
    "max_answer_bytes",
    "tokenizer",
];

impl AgentConfig {
    /// The preset's values.
    pub fn preset(preset: Preset) -> Self {
        let agent = preset == Preset::Agent;
        Self {
            enabled: agent,
            default_max_results: 20,
            default_context_lines: 2,
            searches_per_minute: if agent { 120 } else { 30 },
            timeout_seconds: 10,
            max_answer_tokens: 4_000,
            max_answer_bytes: 32 << 10,
            tokenizer: TokenizerName::default(),
            reading: if agent { Reading::Callers } else { Reading::Documents },
        }
    }

    /// The keys that hold numbers: name, value, minimum and maximum. A searched tree may lower
    /// them, except those of the answer's length.
    pub fn ranges(&self) -> [(&'static str, u64, u64, u64); 6] {
        [
            ("default_max_results", self.default_max_results, 1, 200),
            ("default_context_lines", self.default_context_lines, 0, 20),
            ("searches_per_minute", self.searches_per_minute, 1, 100_000),
            ("timeout_seconds", self.timeout_seconds, 1, 600),
            ("max_answer_tokens", self.max_answer_tokens, 200, 100_000),
            ("max_answer_bytes", self.max_answer_bytes, 4_096, MAX_OUTPUT_BYTES),
        ]
    }

    pub(super) fn set(&mut self, key: &str, name: &str, value: &Value) -> Result<(), ConfigError> {
        match name {
            "enabled" => self.enabled = flag(key, value)?,
            "default_max_results" => self.default_max_results = integer(key, value)?,
            "default_context_lines" => self.default_context_lines = integer(key, value)?,
            "searches_per_minute" => self.searches_per_minute = integer(key, value)?,
            "timeout_seconds" => self.timeout_seconds = integer(key, value)?,
            "max_answer_tokens" => self.max_answer_tokens = integer(key, value)?,
            "max_answer_bytes" => self.max_answer_bytes = integer(key, value)?,
            "tokenizer" => {
                if value.as_str() == Some(O200K_BASE) {
                    let what = format!("configuration key `{key}` = {O200K_BASE}");
                    Feature::Tokens.require(what, "set it to bytes")?;
                }
                let named = TokenizerName::ALL
                    .iter()
                    .find(|tokenizer| value.as_str() == Some(tokenizer.name()));
                self.tokenizer = *named.ok_or_else(|| invalid(key, value, "o200k_base, bytes"))?;
            }
            _ => return Err(unknown(key, &KEYS)),
        }
        Ok(())
    }

    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        for (name, value, least, most) in self.ranges() {
            if !(least..=most).contains(&value) {
                return Err(out_of_range(&format!("tools.agent.{name}"), value, least, most));
            }
        }
        Ok(())
    }
}
