//! Tokens: how many a text has for whoever reads the answer, and whether it has too many.
//!
//! Responsible for: counting by a public encoding, or without one; stopping as soon as it is known
//! that a text does not fit. Left to neighbours: which tokenizer is configured, which limit, what
//! is left out of an answer that is too long. Invariants: `fits` is `count` compared with the
//! limit, always; the vocabulary is loaded when tokens are first counted, once a process; what a
//! text says is text: nothing in it stands for a special token.

use std::sync::OnceLock;

use forge_search_core::budget::TokenCounter;
use tiktoken::CoreBpe;

use crate::config::TokenizerName;

/// What tokens are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// The public encoding of this name.
    O200kBase,
    /// Three bytes a token.
    Bytes,
}

/// The encoding's name.
const O200K_BASE: &str = "o200k_base";

/// Bytes of the longest token there is; a text has no fewer tokens than its length divided by this.
const LONGEST: u64 = 128;

/// Bytes counted between two looks at the limit, at least: enough that looking costs nothing.
const STRIDE: usize = 4 << 10;

impl From<TokenizerName> for Tokenizer {
    fn from(name: TokenizerName) -> Self {
        match name {
            TokenizerName::O200kBase => Self::O200kBase,
            TokenizerName::Bytes => Self::Bytes,
        }
    }
}

impl TokenCounter for Tokenizer {
    fn count(&self, text: &str) -> u64 {
        match self.encoding() {
            Some(encoding) => encoding.count(text) as u64,
            None => by_bytes(text),
        }
    }

    /// Texts that are far too long are not read to their end.
    fn fits(&self, text: &str, limit: u64) -> bool {
        match self.encoding() {
            Some(encoding) => within(encoding, text, limit).0,
            None => by_bytes(text) <= limit,
        }
    }
}

impl Tokenizer {
    /// Loads the vocabulary, so that the first call does not have to wait for it.
    pub fn prepare(self) {
        let _ = self.encoding();
    }

    fn encoding(self) -> Option<&'static CoreBpe> {
        static LOADED: OnceLock<Option<&'static CoreBpe>> = OnceLock::new();
        match self {
            // It is compiled in; were it not, bytes would do.
            Self::O200kBase => *LOADED.get_or_init(|| tiktoken::get_encoding(O200K_BASE)),
            Self::Bytes => None,
        }
    }
}

/// Whether the text has at most `limit` tokens, and how many bytes had to be looked at for that.
fn within(encoding: &CoreBpe, text: &str, limit: u64) -> (bool, usize) {
    let (mut rest, mut room) = (text, limit);
    loop {
        let seen = text.len() - rest.len();
        if rest.len() as u64 <= room {
            // No token is shorter than a byte.
            return (true, seen);
        }
        if rest.len() as u64 > room.saturating_mul(LONGEST) {
            return (false, seen);
        }
        let (first, behind) = rest.split_at_checked(seam(rest)).unwrap_or((rest, ""));
        match room.checked_sub(encoding.count(first) as u64) {
            Some(left) => (rest, room) = (behind, left),
            None => return (false, seen + first.len()),
        }
    }
}

fn by_bytes(text: &str) -> u64 {
    (text.len() as u64).div_ceil(3)
}

/// Where the text can be cut, at least `STRIDE` bytes from its beginning, so that the tokens of
/// both pieces are those of the whole; its end, if nowhere. The encoding cuts texts into words and
/// the like first, and no token crosses such a cut. There is one, whatever else the text holds,
/// behind an ASCII letter or digit that is followed by any other ASCII character, except the
/// apostrophe, which can belong to the word before it.
fn seam(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends_word = |pair: &[u8]| {
        matches!(pair, [last, next]
            if last.is_ascii_alphanumeric() && next.is_ascii() && !next.is_ascii_alphanumeric() && *next != b'\'')
    };
    let from = STRIDE.saturating_sub(1);
    let found = bytes.get(from..).and_then(|tail| tail.windows(2).position(ends_word));
    found.map_or(bytes.len(), |at| from + at + 1)
}

#[cfg(test)]
mod tests;
