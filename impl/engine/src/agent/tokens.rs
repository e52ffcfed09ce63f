//! Tokens: how many a text has for whoever reads the answer, and whether it has too many.
//!
//! Responsible for: counting by a public encoding, or without one; stopping as soon as it is known
//! that a text does not fit. Not here: which tokenizer is configured, which limit, what is left out
//! of an answer that is too long. Invariants: `fits` is `count` compared with the limit, always;
//! the vocabulary is loaded when tokens are first counted, once a process; what a text says is
//! text: nothing in it stands for a special token.

use forge_search_core::budget::TokenCounter;

use crate::config::TokenizerName;

#[cfg(feature = "tokens")]
mod encoding;

/// What tokens are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// The public encoding of this name.
    #[cfg(feature = "tokens")]
    O200kBase,
    /// Three bytes a token.
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
            // It is compiled in; were it not, bytes would do.
            Self::O200kBase => {
                encoding::encoding().map_or_else(|| by_bytes(text), |one| one.count(text) as u64)
            }
            Self::Bytes => by_bytes(text),
        }
    }

    /// Texts that are far too long are not read to their end.
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
    /// Loads the vocabulary, so that the first call does not have to wait for it.
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
