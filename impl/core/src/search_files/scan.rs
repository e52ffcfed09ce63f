//! Scans one file's text for matches and serialises them (FR-SF-SRC-01 to FR-SF-SRC-03, MATF-SF-*;
//! docs/search-files.md, section 4).
//!
//! Invariant: a match that no budget can hold is counted and not kept, so memory stays within the
//! budget however often a long line matches.

use memchr::memchr_iter;

use super::answer::{FileMatch, push_context, push_match};
use crate::{
    error::Interrupted,
    pattern::Pattern,
    scan::{Proposer, next_line},
    similarity::Similarity,
    text::{self, Span},
};

/// Finds matches in a line.
#[derive(Clone, Debug)]
pub enum Finder {
    /// A literal or a regular expression.
    Expression(Pattern),
    /// A query of mode fuzzy.
    Resemblance(Box<Similarity>),
}

/// Limits that end the scan of one file.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// Context lines on each side.
    pub context: usize,
    /// Matches that count. One more is looked for, to learn whether the cap cut something.
    pub max_matches: Option<usize>,
    /// Matches after which no more are needed: one more than the answer can hold.
    pub enough: u64,
    /// Bytes of serialised matches that an answer can hold.
    pub budget: u64,
}

/// The matches of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileMatches {
    /// Serialised, in order, as many as the budget can hold.
    pub kept: Vec<String>,
    /// Number of matches that count.
    pub count: u64,
    /// Whether a match beyond `max_matches` exists.
    pub cut: bool,
    /// Lines with a match.
    pub lines: usize,
}

/// Scans one decoded text, which is valid UTF-8. Fails once `go_on` returns false.
pub fn scan(
    text: &str,
    path: &str,
    finder: &Finder,
    proposer: &mut dyn Proposer,
    limits: ScanLimits,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<FileMatches, Interrupted> {
    let mut file = File {
        text: text.as_bytes(),
        path,
        limits,
        bytes: 0,
        full: false,
        found: FileMatches::default(),
    };
    let (mut at, mut number, mut from) = (0, 1, 0);
    while let Some(line) = next_line(file.text, from, proposer, go_on)? {
        from = line.end + 1;
        number +=
            memchr_iter(b'\n', file.text.get(at..line.start).unwrap_or_default()).count() as u64;
        at = line.start;
        let matches_before = file.found.count;
        let mut line = Line { span: line, number, text: file.visible(line), context: None };
        let done = file.line(&mut line, finder, go_on)?;
        file.found.lines += usize::from(file.found.count > matches_before || file.found.cut);
        if done {
            return Ok(file.found);
        }
    }
    Ok(file.found)
}

/// The scan of one file.
struct File<'t> {
    text: &'t [u8],
    path: &'t str,
    limits: ScanLimits,
    bytes: u64,
    /// Whether a match did not fit, so that no later one is kept.
    full: bool,
    found: FileMatches,
}

/// A proposed line.
struct Line<'t> {
    span: Span,
    number: u64,
    text: &'t str,
    /// `before` and `after`, serialised on first use.
    context: Option<String>,
}

impl<'t> File<'t> {
    /// Adds the matches of one line. Returns whether the scan has ended.
    fn line(
        &mut self,
        line: &mut Line<'t>,
        finder: &Finder,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Interrupted> {
        match finder {
            Finder::Resemblance(similarity) => {
                let window = similarity.best_window(line.text, go_on)?;
                Ok(window.is_some_and(|found| {
                    self.matched(line, (found.start, found.end), Some(found.score))
                }))
            }
            Finder::Expression(pattern) => {
                let mut spans = Spans { pattern, line: line.text, at: 0, last_end: None };
                while let Some(span) = spans.next(go_on)? {
                    if self.matched(line, span, None) {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Adds one match. Returns whether the scan has ended.
    fn matched(
        &mut self,
        line: &mut Line<'t>,
        (start, end): (usize, usize),
        score: Option<f64>,
    ) -> bool {
        if self.limits.max_matches.is_some_and(|most| self.found.count >= most as u64) {
            self.found.cut = true;
            return true;
        }
        self.found.count += 1;
        self.keep(line, (start, end), score);
        self.found.count >= self.limits.enough
    }

    /// Keeps a match if an answer can hold it together with the earlier ones.
    fn keep(&mut self, line: &mut Line<'t>, (start, end): (usize, usize), score: Option<f64>) {
        let room =
            usize::try_from(self.limits.budget.saturating_sub(self.bytes)).unwrap_or(usize::MAX);
        // Serialised text is never shorter than the text.
        if self.full || line.text.len() > room {
            self.full = true;
            return;
        }
        let context = line.context.get_or_insert_with(|| self.context(line.span, room));
        let mut rendered = String::new();
        push_match(
            &mut rendered,
            &FileMatch {
                path: self.path,
                line: line.number,
                column: start as u64 + 1,
                match_text: line.text.get(start..end).unwrap_or_default(),
                line_text: line.text,
                context,
                score,
            },
        );
        self.full = rendered.len() > room;
        if !self.full {
            self.bytes += rendered.len() as u64;
            self.found.kept.push(rendered);
        }
    }

    /// `before` and `after` of a line, serialised. Stops once longer than `room`, in which case no
    /// match with it is kept.
    fn context(&self, line: Span, room: usize) -> String {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let mut length = 0;
        let mut next = text::line_before(self.text, line);
        while let Some(span) = next.filter(|_| above.len() < self.limits.context && length <= room)
        {
            length += span.end - span.start;
            above.push(self.visible(span));
            next = text::line_before(self.text, span);
        }
        above.reverse();
        let mut next = text::line_after(self.text, line);
        while let Some(span) = next.filter(|_| below.len() < self.limits.context && length <= room)
        {
            length += span.end - span.start;
            below.push(self.visible(span));
            next = text::line_after(self.text, span);
        }
        let mut rendered = String::new();
        push_context(&mut rendered, &above, &below);
        rendered
    }

    fn visible(&self, span: Span) -> &'t str {
        // The whole text is UTF-8, and lines end at character boundaries.
        std::str::from_utf8(span.visible(self.text)).unwrap_or_default()
    }
}

/// The matches of one line, from left to right.
struct Spans<'l> {
    pattern: &'l Pattern,
    line: &'l str,
    /// Offset of the next search.
    at: usize,
    /// End of the last match.
    last_end: Option<usize>,
}

impl Spans<'_> {
    fn next(
        &mut self,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(usize, usize)>, Interrupted> {
        while self.at <= self.line.len() {
            // Each search may read up to the end of the line.
            if !go_on() {
                return Err(Interrupted);
            }
            let Some((start, end)) =
                self.pattern.find_from(self.line.as_bytes(), self.at, go_on)?
            else {
                break;
            };
            let empty = start == end;
            if empty && (self.last_end == Some(end) || !self.line.is_char_boundary(end)) {
                // An empty match after a match is skipped: continue at the next character.
                self.at = (end + 1..=self.line.len())
                    .find(|&at| self.line.is_char_boundary(at))
                    .unwrap_or(self.line.len() + 1);
                continue;
            }
            (self.at, self.last_end) = (end, Some(end));
            return Ok(Some((start, end)));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
