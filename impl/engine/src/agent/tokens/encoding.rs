//! The public encoding: loaded once, counted by in pieces.

use std::sync::OnceLock;

use tiktoken::CoreBpe;

use crate::config::O200K_BASE;

/// Bytes of the longest token there is; a text has no fewer tokens than its length divided by this.
pub(super) const LONGEST: u64 = 128;

/// Bytes counted between two looks at the limit, at least: enough that looking costs nothing.
pub(super) const STRIDE: usize = 4 << 10;

/// The encoding, loaded at first use; `None` if this build lacks it.
pub(super) fn encoding() -> Option<&'static CoreBpe> {
    static LOADED: OnceLock<Option<&'static CoreBpe>> = OnceLock::new();
    *LOADED.get_or_init(|| tiktoken::get_encoding(O200K_BASE))
}

/// Whether the text has at most `limit` tokens, and how many bytes had to be looked at for that.
pub(super) fn within(encoding: &CoreBpe, text: &str, limit: u64) -> (bool, usize) {
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

/// Where the text can be cut, at least `STRIDE` bytes from its beginning, so that the tokens of
/// both pieces are those of the whole; its end, if nowhere. The encoding cuts texts into words and
/// the like first, and no token crosses such a cut. There is one, whatever else the text holds,
/// behind an ASCII letter or digit that is followed by any other ASCII character, except the
/// apostrophe, which can belong to the word before it.
pub(super) fn seam(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends_word = |pair: &[u8]| {
        matches!(pair, [last, next]
            if last.is_ascii_alphanumeric() && next.is_ascii() && !next.is_ascii_alphanumeric() && *next != b'\'')
    };
    let from = STRIDE.saturating_sub(1);
    let found = bytes.get(from..).and_then(|tail| tail.windows(2).position(ends_word));
    found.map_or(bytes.len(), |at| from + at + 1)
}
