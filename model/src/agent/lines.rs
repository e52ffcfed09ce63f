//! Shown lines: truncation, and the context of a line (section 7; `context` of section 4).
//!
//! Lines are cut between characters, and each cut is marked.

use serde_json::{Value, json};

use crate::place;
use crate::tables::agent::AgentLimits;

/// The mark of omission.
pub(super) const MARK: &str = "\u{2026}";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShownLine {
    pub(super) text: String,
    pub(super) cut: bool,
}

/// A line, truncated if it is too long: from its beginning, or around a match that starts at offset
/// `first_match`.
pub(super) fn shown(line: &str, first_match: usize, limits: &AgentLimits) -> ShownLine {
    let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
    let most = size(limits.line_bytes);
    if line.len() <= most {
        return ShownLine { text: line.to_owned(), cut: false };
    }
    let far = first_match > size(limits.line_start_bytes);
    let lead = first_match.saturating_sub(size(limits.line_lead_bytes));
    let from = if far { boundary_before(line, lead) } else { 0 };
    let to = boundary_before(line, from.saturating_add(most));
    let mark = |is_cut: bool| if is_cut { MARK } else { "" };
    let kept = line.get(from..to).unwrap_or_default();
    ShownLine { text: format!("{}{kept}{}", mark(from > 0), mark(to < line.len())), cut: true }
}

/// The last character boundary at or before `at`, or the end of the line.
pub(super) fn boundary_before(line: &str, at: usize) -> usize {
    (0..=at.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0)
}

/// `context` of the line `number` (0-based), and whether a line of it is truncated; `None` if the
/// request has no context.
pub(super) fn around(
    lines: &[&[u8]],
    line: usize,
    context: u64,
    limits: &AgentLimits,
) -> Option<(Value, bool)> {
    let context = usize::try_from(context).unwrap_or(usize::MAX);
    if context == 0 {
        return None;
    }
    let show = |lines: &[&[u8]]| -> Vec<ShownLine> {
        lines.iter().map(|line| shown(&place::lossy(line), 0, limits)).collect()
    };
    let before = show(lines.get(line.saturating_sub(context)..line).unwrap_or_default());
    let behind = lines.get(line + 1..).unwrap_or_default();
    let after = show(behind.get(..context.min(behind.len())).unwrap_or_default());
    let cut = before.iter().chain(&after).any(|line| line.cut);
    let texts =
        |lines: &[ShownLine]| lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
    Some((json!({ "before": texts(&before), "after": texts(&after) }), cut))
}

#[cfg(test)]
mod tests;
