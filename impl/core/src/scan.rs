//! Scans one file's text for events: confirms proposed lines, merges context, applies the cap per
//! file (FR-LS-SRC-07, FR-LS-SRC-10, E-D01, E-D13, E-D14).

use std::borrow::Cow;

use memchr::memchr_iter;

pub use crate::error::Interrupted;
use crate::{
    pattern::Pattern,
    text::{self, Span},
};

/// Proposes lines that may match: possibly too many, never too few.
pub trait Proposer {
    /// The offset of some byte of the next line that may match, at or after `from`. Calls `go_on`
    /// every few milliseconds.
    fn next(
        &mut self,
        text: &[u8],
        from: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, Interrupted>;
}

/// Limits that end the scan of one file.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// Context lines on each side.
    pub context: usize,
    /// Matching lines to report. One more is looked for, to learn whether the cap cut something.
    pub max_matches: Option<usize>,
    /// Events after which no more are needed: one more than the answer can hold.
    pub max_events: usize,
    /// Bytes of line text after which no more events are needed.
    pub max_bytes: u64,
}

/// A line of the answer, without its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineEvent {
    /// Line number, 1-based.
    pub line: u64,
    /// The line, lossily decoded. Empty if `bytes` exceeds what the answer may hold.
    pub text: String,
    /// Length of the text.
    pub bytes: u64,
    /// For a matching line, the 1-based byte column in `text` and the matched text.
    pub matched: Option<(u64, String)>,
}

/// The events of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileEvents {
    /// In line order, up to the scan's limits.
    pub events: Vec<LineEvent>,
    /// Whether a matching line beyond `max_matches` exists.
    pub cut: bool,
}

/// Scans one decoded text. Fails once `go_on` returns false.
pub fn scan(
    text: &[u8],
    pattern: &Pattern,
    proposer: &mut dyn Proposer,
    limits: ScanLimits,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<FileEvents, Interrupted> {
    let mut lines = Lines { text, at: 0, number: 1 };
    let mut out = Output { text, limits, bytes: 0, last: None, file: FileEvents::default() };
    let mut from = 0;
    let mut matches = 0;
    while let Some(line) = next_line(text, from, proposer, go_on)? {
        from = line.end + 1;
        let Some(found) = pattern.find_while(line.visible(text), go_on)? else { continue };
        let number = lines.number_of(line);
        if limits.max_matches.is_some_and(|most| matches >= most) {
            out.file.cut = true;
            out.trailing(Some(line));
            return Ok(out.file);
        }
        matches += 1;
        out.matched(line, number, found);
        if out.full() {
            return Ok(out.file);
        }
    }
    out.trailing(None);
    Ok(out.file)
}

/// The next proposed line at or after `from`.
pub(crate) fn next_line(
    text: &[u8],
    from: usize,
    proposer: &mut dyn Proposer,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Span>, Interrupted> {
    if from >= text.len() {
        return Ok(None);
    }
    if !go_on() {
        return Err(Interrupted);
    }
    let offset = proposer.next(text, from, go_on)?;
    Ok(offset.and_then(|offset| text::line_at(text, offset)))
}

/// Counts lines up to increasing offsets.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    number: u64,
}

impl Lines<'_> {
    fn number_of(&mut self, line: Span) -> u64 {
        let passed = self.text.get(self.at..line.start).unwrap_or_default();
        self.number += memchr_iter(b'\n', passed).count() as u64;
        self.at = line.start;
        self.number
    }
}

struct Output<'t> {
    text: &'t [u8],
    limits: ScanLimits,
    bytes: u64,
    /// The last match. Its trailing context is emitted once its end is known.
    last: Option<(Span, u64)>,
    file: FileEvents,
}

impl Output<'_> {
    fn full(&self) -> bool {
        self.file.events.len() >= self.limits.max_events || self.bytes > self.limits.max_bytes
    }

    fn matched(&mut self, line: Span, number: u64, (start, end): (usize, usize)) {
        let shown = self.trailing(Some(line));
        // Leading context: the lines directly above that were not emitted.
        let mut above = Vec::new();
        let mut next = text::line_before(self.text, line);
        while let Some(previous) =
            next.filter(|previous| above.len() < self.limits.context && previous.start >= shown)
        {
            above.push(previous);
            next = text::line_before(self.text, previous);
        }
        for (distance, &span) in above.iter().enumerate().rev() {
            self.push(span, number - 1 - distance as u64, None);
        }
        let visible = line.visible(self.text);
        let before = String::from_utf8_lossy(visible.get(..start).unwrap_or_default()).len() as u64;
        let matched =
            String::from_utf8_lossy(visible.get(start..end).unwrap_or_default()).into_owned();
        self.push(line, number, Some((before + 1, matched)));
        self.last = Some((line, number));
    }

    /// Emits the context below the last match, up to `before` or the end. Returns the offset from
    /// which nothing is emitted.
    fn trailing(&mut self, before: Option<Span>) -> usize {
        let Some((mut line, mut number)) = self.last.take() else { return 0 };
        for _ in 0..self.limits.context {
            let next = text::line_after(self.text, line);
            let Some(next) = next.filter(|next| before.is_none_or(|stop| next.start < stop.start))
            else {
                break;
            };
            (line, number) = (next, number + 1);
            self.push(line, number, None);
        }
        line.end + 1
    }

    fn push(&mut self, span: Span, line: u64, matched: Option<(u64, String)>) {
        if self.full() {
            return;
        }
        let text: Cow<'_, str> = String::from_utf8_lossy(span.visible(self.text));
        let bytes = text.len() as u64;
        self.bytes = self.bytes.saturating_add(bytes);
        // A text that no answer can hold is not kept; the event itself shows that there is more.
        let text =
            if self.bytes > self.limits.max_bytes { String::new() } else { text.into_owned() };
        self.file.events.push(LineEvent { line, text, bytes, matched });
    }
}

#[cfg(test)]
mod tests;
