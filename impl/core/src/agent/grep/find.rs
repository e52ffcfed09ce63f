//! Finds the matching lines of one text.
//!
//! Invariant: at most `KEPT_BYTES` of lines are kept at a time, and only lines that may be on the
//! page; the rest are counted.

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

/// Bytes of shown lines kept from files that are scanned one after another, until the collector has
/// them.
const KEPT_BYTES: usize = 16 << 20;

/// A matching line as it is shown.
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

/// The matching lines of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLines {
    /// Matching lines counted.
    pub count: usize,
    /// Matching lines before the kept ones.
    pub passed_over: usize,
    /// The kept lines.
    pub first: Vec<MatchingLine>,
    /// Whether the file itself is a result if a line matches.
    pub listed: bool,
}

/// Finds matching lines in one text after another.
#[derive(Clone, Debug)]
pub struct Finder {
    /// Matchers keep scratch memory per clone.
    pattern: Pattern,
    page: Page,
    counted: usize,
    context: usize,
    output: Output,
    /// Lines counted so far by the collector.
    settled: Arc<AtomicU64>,
    /// Lines to skip before the page, if that number is known (see [`Request::is_deep`]).
    passed_over: usize,
    is_deep: bool,
    /// Lines and bytes that can still be kept.
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

    /// Starts a run of consecutive files: lines kept of one leave less room for the next.
    pub fn begin(&mut self) {
        if self.output != Output::Lines {
            // Lines are counted only.
            return;
        }
        let settled = usize::try_from(self.settled.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
        self.passed_over = if self.is_deep { self.page.offset.saturating_sub(settled) } else { 0 };
        // No line of the page can come after this many.
        let last = self.page.end().saturating_sub(settled);
        self.room = (last.saturating_sub(self.passed_over), KEPT_BYTES);
    }

    /// Scans one text, looking at the lines that `proposer` names.
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
                // Keeping later lines would leave a gap.
                self.room = (0, 0);
            }
        }
        Ok(file)
    }

    fn line(&self, text: &[u8], line: Span, number: u64, start: usize) -> MatchingLine {
        // The offset in the shown text, which is decoded.
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
    /// Whether nothing of the file is shown, not even its path.
    pub fn is_omitted(&self) -> bool {
        self.first.is_empty() && !(self.listed && self.count > 0)
    }
}
