//! One text to the lines in it that match.
//!
//! Invariant: texts are kept of lines that may be the page's, and of no more than `KEPT_BYTES` of
//! them at a time; the rest are counted.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use memchr::memchr_iter;

use super::{Output, Request};
use crate::{
    agent::{
        Page,
        cut::{Anchor, Cut},
        excerpt::{Excerpt, shown},
    },
    error::Interrupted,
    pattern::Pattern,
    scan::{Proposer, next_line},
    text::Span,
};

/// Bytes of shown lines that are kept of files that are scanned one after the other, before they
/// are added up.
const KEPT_BYTES: usize = 16 << 20;

/// One line that matches, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchingLine {
    pub(super) line: u64,
    pub(super) text: Cut,
    pub(super) around: Excerpt,
}

impl MatchingLine {
    fn bytes(&self) -> usize {
        self.text.text.len() + self.around.bytes()
    }
}

/// What one file contributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLines {
    /// How many lines match, as far as they were counted.
    pub count: usize,
    /// How many of them stand before those that are kept.
    pub passed_over: usize,
    /// The first of the others.
    pub first: Vec<MatchingLine>,
    /// The file itself is a result if a line matches.
    pub listed: bool,
}

/// Finds the lines of one text after the other.
#[derive(Clone, Debug)]
pub struct Finder {
    /// Matchers keep scratch memory per clone.
    pattern: Pattern,
    page: Page,
    counted: usize,
    context: usize,
    output: Output,
    /// Lines added up so far, by the collector.
    settled: Arc<AtomicU64>,
    /// Lines that are still to be passed over before the page, if that is known (see
    /// [`Request::is_deep`]).
    passed_over: usize,
    is_deep: bool,
    /// Lines, and bytes of them, that can still be kept.
    room: (usize, usize),
}

impl Finder {
    pub(super) fn new(request: &Request, settled: Arc<AtomicU64>) -> Self {
        Self {
            pattern: request.pattern.clone(),
            page: request.page,
            counted: request.counted(),
            context: request.context,
            output: request.output,
            settled,
            passed_over: 0,
            is_deep: request.is_deep(),
            room: (0, 0),
        }
    }

    /// Files follow each other from here on: lines of one leave less room for the page in the next.
    pub fn begin(&mut self) {
        if self.output != Output::Lines {
            // Lines are counted and not kept.
            return;
        }
        let settled = usize::try_from(self.settled.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
        self.passed_over = if self.is_deep { self.page.offset.saturating_sub(settled) } else { 0 };
        // No line can be of the page behind so many.
        let last = self.page.end().saturating_sub(settled);
        self.room = (last.saturating_sub(self.passed_over), KEPT_BYTES);
    }

    /// Scans one text in the lines that `proposer` names.
    pub fn scan(
        &mut self,
        text: &[u8],
        proposer: &mut dyn Proposer,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<FileLines, Interrupted> {
        let listed = self.output == Output::Files;
        let mut file = FileLines { listed, ..FileLines::default() };
        let (mut from, mut at, mut number) = (0, 0, 1_u64);
        while let Some(line) = next_line(text, from, proposer, go_on)? {
            from = line.end + 1;
            let Some((start, _)) = self.pattern.find_while(line.visible(text), go_on)? else {
                continue;
            };
            file.count += 1;
            if file.count > self.counted {
                return Ok(file);
            }
            if self.passed_over > 0 {
                self.passed_over -= 1;
                file.passed_over += 1;
                continue;
            }
            let (lines, bytes) = self.room;
            if lines > 0 && bytes > 0 {
                let passed = text.get(at..line.start).unwrap_or_default();
                number += memchr_iter(b'\n', passed).count() as u64;
                at = line.start;
                let line = self.line(text, line, number, start);
                self.room = (lines - 1, bytes.saturating_sub(line.bytes()));
                file.first.push(line);
            } else if lines > 0 {
                // What follows would leave a gap.
                self.room = (0, 0);
            }
        }
        Ok(file)
    }

    fn line(&self, text: &[u8], line: Span, number: u64, start: usize) -> MatchingLine {
        // The offset in the text as it is shown, which is decoded.
        let ahead = line.visible(text).get(..start).unwrap_or_default();
        let anchor = Anchor::At(String::from_utf8_lossy(ahead).len());
        MatchingLine {
            line: number,
            text: shown(text, line, anchor),
            around: Excerpt::of(text, line, self.context),
        }
    }
}

impl FileLines {
    /// Whether there is nothing to show of the file, not even its path.
    pub fn is_silent(&self) -> bool {
        self.first.is_empty() && !(self.listed && self.count > 0)
    }
}
