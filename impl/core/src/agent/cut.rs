//! Truncation of long lines (docs/agent-tools.md, section 7).

/// Longest shown line in bytes, without omission marks.
pub const MAX_SHOWN_BYTES: usize = 400;
/// A match that starts within this many bytes is shown with the beginning of the line.
const NEAR_BYTES: usize = 300;
/// Bytes shown before a match that starts later.
const AHEAD_BYTES: usize = 100;
const OMITTED: &str = "…";

/// The part of a line that must be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning.
    Start,
    /// The byte at this offset.
    At(usize),
}

/// A line, truncated if it is too long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The shown text.
    pub text: String,
    /// Whether something was left out.
    pub cut: bool,
}

/// Truncates a line to [`MAX_SHOWN_BYTES`] around `anchor`.
pub fn cut(line: &str, anchor: Anchor) -> Cut {
    if line.len() <= MAX_SHOWN_BYTES {
        return Cut { text: line.to_owned(), cut: false };
    }
    let start = match anchor {
        Anchor::At(at) if at > NEAR_BYTES => boundary(line, at - AHEAD_BYTES),
        Anchor::At(_) | Anchor::Start => 0,
    };
    let end = boundary(line, start + MAX_SHOWN_BYTES);
    let shown = line.get(start..end).unwrap_or_default();
    let (before, after) =
        (if start > 0 { OMITTED } else { "" }, if end < line.len() { OMITTED } else { "" });
    Cut { text: format!("{before}{shown}{after}"), cut: true }
}

/// The last character boundary at or before `at`, or the line's end.
pub(super) fn boundary(line: &str, at: usize) -> usize {
    (0..=at.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0)
}
