//! The table `[tools.agent]`: what `search_text`, the path search and `grep` take from
//! configuration (docs/agent-tools.md, section 9).
//!
//! Responsible for: its keys, one row each. Not here: the
//! other tables ([`super`]); what the searched tree itself may lower; what the values do.

use forge_search_core::request::Reading;
use toml::Value;

use super::{
    ConfigError, MAX_OUTPUT_BYTES, Preset, reading,
    table::{Setting, invalid, out_of_range, table, unknown},
};
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

impl Setting for TokenizerName {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        if value.as_str() == Some(O200K_BASE) {
            let what = format!("configuration key `{key}` = {O200K_BASE}");
            Feature::Tokens.require(what, "set it to bytes")?;
        }
        let named = Self::ALL.iter().find(|tokenizer| value.as_str() == Some(tokenizer.name()));
        named.copied().ok_or_else(|| invalid(key, value, "o200k_base, bytes"))
    }
}

table! {
    /// Configuration of the agent's tools. A searched tree may lower the numbers, except those of
    /// the answer's length.
    #[derive(Clone, Debug, PartialEq, Eq)]
    AgentConfig = "tools.agent" {
        /// Whether the tools may be called.
        enabled: bool = false, true;
        /// Results of requests that name no limit.
        default_max_results: u64 = 20, 20, 1..=200;
        /// Lines above and below a match, in requests that do not say.
        default_context_lines: u64 = 2, 2, 0..=20;
        /// Calls of one session within any 60 seconds.
        searches_per_minute: u64 = 30, 120, 1..=100_000;
        /// Deadline of a call, in seconds.
        timeout_seconds: u64 = 10, 10, 1..=600;
        /// Most tokens of an answer.
        max_answer_tokens: u64 = 4_000, 4_000, 200..=100_000;
        /// Most bytes of an answer.
        max_answer_bytes: u64 = 32 << 10, 32 << 10, 4_096..=MAX_OUTPUT_BYTES;
        /// How tokens are counted.
        tokenizer: TokenizerName = TokenizerName::default(), TokenizerName::default();
    }
    and {
        /// By whose conventions requests are read.
        reading: Reading = reading;
    }
}
