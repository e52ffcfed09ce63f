//! A line's context as it is shown.

use super::cut::{Anchor, Cut, cut};
use crate::text::{self, Span};

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

    pub(super) fn to_json(&self) -> serde_json::Value {
        let texts = |lines: &[Cut]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
        serde_json::json!({ "before": texts(&self.before), "after": texts(&self.after) })
    }

    /// The lines with their numbers; `line` is the number of the line in the middle.
    pub(super) fn numbered(&self, line: u64) -> Vec<(u64, String)> {
        let above =
            self.before.iter().rev().zip(1..).map(|(cut, back)| (line - back, cut.text.clone()));
        let below = self.after.iter().zip(1..).map(|(cut, on)| (line + on, cut.text.clone()));
        above.chain(below).collect()
    }
}

/// A line as it is shown, truncated around `anchor`.
pub(super) fn shown(text: &[u8], line: Span, anchor: Anchor) -> Cut {
    cut(&String::from_utf8_lossy(line.visible(text)), anchor)
}
