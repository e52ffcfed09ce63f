//! One file's text to its matches, already rendered (FR-SF-SRC-01 to FR-SF-SRC-03, MATF-SF-*;
//! docs/search-files.md, section 4).
//!
//! Responsible for: which matches a line has, their context, the cap of one file. Left to
//! neighbours: proposing lines ([`crate::scan::Proposer`]), the caps on the answer
//! ([`super::collect`]). Invariants: a match that no budget can hold is counted and not kept, so
//! that what is in memory never exceeds the budget however often a long line matches.

use memchr::memchr_iter;

use super::answer::{FileMatch, push_context, push_match};
use crate::{
    error::Interrupted,
    pattern::Pattern,
    scan::{Proposer, next_line},
    similarity::Similarity,
    text::{self, Span},
};

/// What finds matches in a line.
#[derive(Clone, Debug)]
pub enum Finder {
    /// A literal or a regular expression.
    Expression(Pattern),
    /// A query to be resembled.
    Resemblance(Box<Similarity>),
}

/// What ends the scan of one file early.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// Lines of context on each side.
    pub context: usize,
    /// Matches that count; one more is looked for, to know whether the cap cut anything.
    pub max_matches: Option<usize>,
    /// Matches after which no more are needed: one more than the answer can hold.
    pub enough: u64,
    /// Bytes of rendered matches that an answer can hold.
    pub budget: u64,
}

/// What one file contributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileMatches {
    /// Rendered, in order; those that the budget can hold.
    pub kept: Vec<String>,
    /// How many count.
    pub count: u64,
    /// A match beyond `max_matches` exists.
    pub cut: bool,
    /// Lines that hold a match.
    pub lines: usize,
}

/// Scans one decoded text, which is valid UTF-8. `go_on` is asked now and then and ends the scan by
/// saying no.
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

/// One file on the way to its matches.
struct File<'t> {
    text: &'t [u8],
    path: &'t str,
    limits: ScanLimits,
    bytes: u64,
    /// A match did not fit, so no later one is kept either.
    full: bool,
    found: FileMatches,
}

/// A line that has been proposed.
struct Line<'t> {
    span: Span,
    number: u64,
    text: &'t str,
    /// `before` and `after`, rendered, once a match of the line needs them.
    context: Option<String>,
}

impl<'t> File<'t> {
    /// Takes the matches of one line. Whether the scan is over.
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

    /// Takes one match. Whether the scan is over.
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

    /// Keeps a match if an answer can hold it beside those before it.
    fn keep(&mut self, line: &mut Line<'t>, (start, end): (usize, usize), score: Option<f64>) {
        let room =
            usize::try_from(self.limits.budget.saturating_sub(self.bytes)).unwrap_or(usize::MAX);
        // Rendered text is never shorter than the text.
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

    /// `before` and `after` of a line, rendered. Cut short once it is longer than `room`: then no
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
        // The whole text is UTF-8, and lines end where characters do.
        std::str::from_utf8(span.visible(self.text)).unwrap_or_default()
    }
}

/// The matches of one line, from left to right.
struct Spans<'l> {
    pattern: &'l Pattern,
    line: &'l str,
    /// Where the next search starts.
    at: usize,
    /// Where the last match ended.
    last_end: Option<usize>,
}

impl Spans<'_> {
    fn next(
        &mut self,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(usize, usize)>, Interrupted> {
        while self.at <= self.line.len() {
            // Every search may go as far as the line's end.
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
                // Passed over: on to the next character.
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
