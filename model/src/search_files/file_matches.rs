//! The matches of one file: whether it is searched, its matches with context, and the cap on
//! matches of one file (sections 4 and 5).
//!
//! Matches are in the order of lines and columns; every match has its own context (E-I28).

use super::Config;
use super::checks::Call;
use super::matching::Span;
use crate::meter::Meter;
use crate::place;
use crate::tables::Problem;
use crate::tables::caps::{Cap, Counted};
use crate::tables::files::Shortfall;
use crate::text;
use crate::walk::Candidate;

/// A match as in the answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Match {
    /// Relative to the search root.
    pub(super) path: String,
    /// 1-based.
    pub(super) line: u64,
    /// 1-based byte offset in `line_text`.
    pub(super) column: u64,
    /// The text of the match, or of the window, from the file.
    pub(super) matched: String,
    /// Without LF and one CR before it.
    pub(super) line_text: String,
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
    /// Score of an approximate match.
    pub(super) score: Option<f64>,
}

/// The matches of an eligible file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct FileMatches {
    lines: Vec<String>,
    /// The matches that count, each with its line number, 0-based.
    found: Vec<(usize, Span)>,
    /// The cap that left out some of its matches, or all of the file.
    pub(super) lost: Option<Shortfall>,
    pub(super) binary: bool,
    /// The error to record.
    pub(super) problem: Option<Problem>,
}

/// A file that a cap leaves out.
pub(super) fn left_out(cap: Cap<Shortfall>) -> FileMatches {
    FileMatches {
        lost: Some(cap.reason),
        problem: Some(Problem::RootTooLarge),
        ..FileMatches::default()
    }
}

/// Reads an eligible file.
pub(super) fn read(config: &Config, call: &Call<'_>, file: &Candidate<'_>) -> FileMatches {
    if !file.readable {
        return FileMatches { problem: Some(Problem::PermissionDenied), ..FileMatches::default() };
    }
    let text = text::decode(file.bytes);
    if is_binary(&text) {
        let problem = config.record_binary.then_some(Problem::RootBinary);
        return FileMatches { binary: true, problem, ..FileMatches::default() };
    }
    // Decoding loses nothing: invalid UTF-8 is binary.
    let lines: Vec<String> = text::lines(&text).into_iter().map(place::lossy).collect();
    let spans = call.matcher.spans(&lines);
    let found = spans
        .into_iter()
        .enumerate()
        .flat_map(|(line, spans)| spans.into_iter().map(move |span| (line, span)));
    let caps = config.search.tables.caps.search_files;
    let mut meter = Meter::new(caps, true, |limit| call.request.limit(limit));
    let passed = meter.pass(found, |_, counted| (counted == Counted::Matches).then_some(1));
    let skipped = passed.gone_through.iter().find_map(|(_, cap)| *cap);
    let lost = passed.stopped.map(|(_, cap)| cap).or(skipped).map(|cap| cap.reason);
    FileMatches { lines, found: passed.kept().copied().collect(), lost, ..FileMatches::default() }
}

/// Whether a decoded text has a NUL or is invalid UTF-8 anywhere (FR-SF-SRC-04). Decoded UTF-16 is
/// valid UTF-8.
fn is_binary(text: &[u8]) -> bool {
    text.contains(&0) || std::str::from_utf8(text).is_err()
}

impl FileMatches {
    /// Number of matches that count.
    pub(super) fn matches(&self) -> u64 {
        count(self.found.len())
    }

    /// The matches of the file at `path`, with `context` lines around each.
    pub(super) fn all(&self, path: &str, context: u64) -> Vec<Match> {
        let context = usize::try_from(context).unwrap_or(usize::MAX);
        self.found.iter().map(|(line, span)| self.one(path, context, *line, *span)).collect()
    }

    fn one(&self, path: &str, context: usize, line: usize, span: Span) -> Match {
        let text = self.lines.get(line).cloned().unwrap_or_default();
        let Span { start, end, score } = span;
        Match {
            path: path.to_owned(),
            line: count(line) + 1,
            column: count(start) + 1,
            matched: text.get(start..end).unwrap_or_default().to_owned(),
            before: self.lines.get(line.saturating_sub(context)..line).unwrap_or_default().to_vec(),
            after: self.lines.iter().skip(line + 1).take(context).cloned().collect(),
            line_text: text,
            score,
        }
    }
}

pub(super) fn count(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
