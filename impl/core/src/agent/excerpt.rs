//! A line's context as it is shown.

use serde::Serialize;

use super::cut::{Anchor, Cut, cut};
use crate::text::{self, Span};

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its number.
    pub line: u64,
    /// Its text.
    pub text: String,
}

/// The lines directly above and below a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Lines above, top to bottom.
    pub before: Vec<Cut>,
    /// Lines below, top to bottom.
    pub after: Vec<Cut>,
}

impl Excerpt {
    /// Takes up to `most` lines on each side.
    pub(super) fn of(text: &[u8], line: Span, most: usize) -> Self {
        let run = |next: fn(&[u8], Span) -> Option<Span>| {
            let mut at = line;
            std::iter::from_fn(|| {
                at = next(text, at)?;
                Some(shown(text, at, Anchor::Start))
            })
            .take(most)
            .collect::<Vec<Cut>>()
        };
        let mut before = run(text::line_before);
        before.reverse();
        Self { before, after: run(text::line_after) }
    }

    /// Whether a line is truncated.
    pub(super) fn is_cut(&self) -> bool {
        self.before.iter().chain(&self.after).any(|line| line.cut)
    }

    /// Total length of the lines in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.before.iter().chain(&self.after).map(|line| line.text.len()).sum()
    }
}

/// The lines around a matching line, as a result has them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Context {
    /// Lines below, top to bottom.
    pub after: Vec<String>,
    /// Lines above, top to bottom.
    pub before: Vec<String>,
}

impl Context {
    /// The lines with their numbers; `line` is the number of the line in the middle.
    pub(super) fn numbered(&self, line: u64) -> impl Iterator<Item = (u64, char, &str)> {
        let above = self.before.iter().rev().zip(1..).map(move |(text, back)| (line - back, text));
        let below = self.after.iter().zip(1..).map(move |(text, on)| (line + on, text));
        above.chain(below).map(|(number, text)| (number, '-', text.as_str()))
    }
}

impl From<Excerpt> for Context {
    fn from(Excerpt { before, after }: Excerpt) -> Self {
        let texts = |lines: Vec<Cut>| lines.into_iter().map(|line| line.text).collect();
        Self { after: texts(after), before: texts(before) }
    }
}

/// A line as it is shown, truncated around `anchor`.
pub(super) fn shown(text: &[u8], line: Span, anchor: Anchor) -> Cut {
    cut(&String::from_utf8_lossy(line.visible(text)), anchor)
}
