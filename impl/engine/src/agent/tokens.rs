//! Counts the tokens of a text, and checks it against a limit.
//!
//! Responsible for: counting by a public encoding or by bytes; stopping as soon as a text exceeds
//! the limit. Not here: the configured tokenizer and limit; shortening of answers. Invariants:
//! `fits` is `count` compared with the limit, always; the vocabulary is loaded when tokens are
//! first counted, once a process; a text never contains special tokens.

use forge_search_core::budget::TokenCounter;

use crate::config::TokenizerName;

#[cfg(feature = "tokens")]
mod encoding;

/// How tokens are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// The public encoding of this name.
    #[cfg(feature = "tokens")]
    O200kBase,
    /// Three bytes count as a token.
    Bytes,
}

impl From<TokenizerName> for Tokenizer {
    fn from(name: TokenizerName) -> Self {
        match name {
            #[cfg(feature = "tokens")]
            TokenizerName::O200kBase => Self::O200kBase,
            TokenizerName::Bytes => Self::Bytes,
        }
    }
}

impl TokenCounter for Tokenizer {
    fn count(&self, text: &str) -> u64 {
        match self {
            #[cfg(feature = "tokens")]
            // The encoding is compiled in; otherwise bytes are counted.
            Self::O200kBase => {
                encoding::encoding().map_or_else(|| by_bytes(text), |one| one.count(text) as u64)
            }
            Self::Bytes => by_bytes(text),
        }
    }

    /// Stops early in a text that is far too long.
    fn fits(&self, text: &str, limit: u64) -> bool {
        match self {
            #[cfg(feature = "tokens")]
            Self::O200kBase => encoding::encoding().map_or_else(
                || by_bytes(text) <= limit,
                |one| encoding::within(one, text, limit).0,
            ),
            Self::Bytes => by_bytes(text) <= limit,
        }
    }
}

impl Tokenizer {
    /// Loads the vocabulary in advance of the first call.
    pub fn prepare(self) {
        #[cfg(feature = "tokens")]
        if self == Self::O200kBase {
            let _ = encoding::encoding();
        }
    }
}

fn by_bytes(text: &str) -> u64 {
    (text.len() as u64).div_ceil(3)
}

#[cfg(test)]
#[cfg(feature = "tokens")]
mod tests;
