//! Shown lines are short: where a long one is cut (docs/agent-tools.md, section 7).

/// Most bytes of a shown line, marks of omission apart.
pub const MAX_SHOWN_BYTES: usize = 400;
/// What comes first is shown from the beginning if it starts within so many bytes.
const NEAR_BYTES: usize = 300;
/// Bytes shown ahead of what comes first, if that is further in.
const AHEAD_BYTES: usize = 100;
const OMITTED: &str = "…";

/// What a cut line has to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// This byte.
    At(usize),
}

/// A line as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// What is shown.
    pub text: String,
    /// Something was left out.
    pub cut: bool,
}

/// Cuts a line.
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

/// The last place at or before `at` where a character starts, or the line's end.
pub(super) fn boundary(line: &str, at: usize) -> usize {
    (0..=at.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0)
}
