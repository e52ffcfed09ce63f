//! Proposes lines that may have a window at the threshold.
//!
//! Text is swept in pieces, small ones first, so that a text full of matches is not swept ahead
//! repeatedly. A line with a hit is then checked alone, so that few lines are proposed in vain.

use std::sync::Arc;

use memchr::{memchr, memrchr};

use super::sweep::{BLOCK, Filter, class};
use crate::{error::Interrupted, scan::Proposer};

/// Returns whether to continue.
type GoOn<'g> = &'g mut dyn FnMut() -> bool;

/// Bytes swept at first, and at most. The latter also bounds the text between two calls of `go_on`.
const FIRST: usize = 1 << 8;
const MOST: usize = 1 << 15;

/// Proposes lines that may have a window at the threshold. The text is UTF-8.
#[derive(Clone, Debug)]
pub struct SimilarityProposer {
    filter: Arc<Filter>,
    /// Units of non-ASCII text, and the offset of each block's first unit.
    units: Vec<u8>,
    offsets: Vec<usize>,
    hits: Vec<usize>,
}

impl SimilarityProposer {
    pub(super) fn new(filter: Arc<Filter>) -> Self {
        Self { filter, units: Vec::new(), offsets: Vec::new(), hits: Vec::new() }
    }

    /// The first line from `from` on that passes a check of its own.
    fn judged(
        &mut self,
        text: &[u8],
        mut from: usize,
        go_on: GoOn<'_>,
    ) -> Result<Option<usize>, Interrupted> {
        let mut asked = from;
        while from < text.len() {
            let end = line_end(text, from);
            if self.passes(text.get(from..end).unwrap_or_default()) {
                return Ok(Some(from));
            }
            from = end + 1;
            if from - asked >= MOST {
                asked = from;
                ask(go_on)?;
            }
        }
        Ok(None)
    }

    fn swept(
        &mut self,
        text: &[u8],
        mut from: usize,
        go_on: GoOn<'_>,
    ) -> Result<Option<usize>, Interrupted> {
        let (mut size, mut at) = (FIRST, from);
        while at < text.len() {
            if size == MOST {
                ask(go_on)?;
            }
            let end = boundary(text, at + size);
            let overlapping =
                |bytes: usize| text.get(boundary(text, at.saturating_sub(bytes).max(from))..end);
            let piece = overlapping(self.filter.overlap).unwrap_or_default();
            let is_ascii = piece.is_ascii();
            // A scalar value has at most four bytes.
            let piece = if is_ascii {
                piece
            } else {
                overlapping(4 * self.filter.overlap).unwrap_or_default()
            };
            let start = end - piece.len();
            let mut hits = std::mem::take(&mut self.hits);
            hits.clear();
            if is_ascii {
                self.filter.sweep(piece, &mut hits);
            } else {
                self.transcribe(piece);
                self.filter.sweep(&self.units, &mut hits);
            }
            for &block in &hits {
                let first =
                    if is_ascii { block * BLOCK } else { self.offset(block).unwrap_or_default() };
                let beyond = if is_ascii {
                    first + BLOCK
                } else {
                    self.offset(block + 1).unwrap_or(piece.len())
                };
                if let Some(line) =
                    self.judged_within(text, &mut from, start + first, start + beyond)
                {
                    self.hits = hits;
                    return Ok(Some(line));
                }
            }
            self.hits = hits;
            at = end.max(from);
            size = (size * 2).min(MOST);
        }
        Ok(None)
    }

    /// The first line that passes and has bytes in `first..beyond`, from `from` on. Moves `from`
    /// past the lines that do not.
    fn judged_within(
        &mut self,
        text: &[u8],
        from: &mut usize,
        first: usize,
        beyond: usize,
    ) -> Option<usize> {
        let mut start = line_start(text, first.max(*from));
        while start < beyond.min(text.len()) {
            let end = line_end(text, start);
            if self.passes(text.get(start..end).unwrap_or_default()) {
                return Some(start);
            }
            start = end + 1;
            *from = start;
        }
        None
    }

    fn passes(&mut self, line: &[u8]) -> bool {
        if line.len() < self.filter.least {
            false
        } else if line.is_ascii() {
            self.filter.may_reach(line)
        } else {
            // The units of a piece are still needed.
            let (units, offsets) =
                (std::mem::take(&mut self.units), std::mem::take(&mut self.offsets));
            self.transcribe(line);
            let passes = self.filter.may_reach(&self.units);
            (self.units, self.offsets) = (units, offsets);
            passes
        }
    }

    fn offset(&self, block: usize) -> Option<usize> {
        self.offsets.get(block).copied()
    }

    /// Replaces the units by those of `piece`.
    fn transcribe(&mut self, piece: &[u8]) {
        self.units.clear();
        self.offsets.clear();
        let mut bytes = piece.iter().copied().enumerate();
        while let Some((at, byte)) = bytes.next() {
            if self.units.len().is_multiple_of(BLOCK) {
                self.offsets.push(at);
            }
            if byte.is_ascii() {
                self.units.push(byte);
                continue;
            }
            let mut scalar = u32::from(byte);
            for _ in 1..width(byte) {
                let (_, next) = bytes.next().unwrap_or_default();
                scalar = scalar << 6 | u32::from(next & 0x3f);
            }
            self.units.push(class(scalar));
        }
    }
}

impl Proposer for SimilarityProposer {
    fn next(
        &mut self,
        text: &[u8],
        from: usize,
        go_on: GoOn<'_>,
    ) -> Result<Option<usize>, Interrupted> {
        let start = line_start(text, from);
        let line = if self.filter.sweeps() {
            self.swept(text, start, go_on)?
        } else {
            self.judged(text, start, go_on)?
        };
        Ok(line.map(|line| line.max(from)))
    }
}

fn ask(go_on: GoOn<'_>) -> Result<(), Interrupted> {
    if go_on() { Ok(()) } else { Err(Interrupted) }
}

/// The start of the line that contains `at`.
fn line_start(text: &[u8], at: usize) -> usize {
    text.get(..at).and_then(|head| memrchr(b'\n', head)).map_or(0, |lf| lf + 1)
}

/// The offset of the LF that ends the line starting at `start`, or the text's end.
fn line_end(text: &[u8], start: usize) -> usize {
    text.get(start..)
        .and_then(|rest| memchr(b'\n', rest))
        .map_or(text.len(), |length| start + length)
}

/// The first character boundary at or after `at`.
fn boundary(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at.min(text.len()) + rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count()
}

/// Length of a character by its first byte.
fn width(lead: u8) -> usize {
    match lead {
        0xf0.. => 4,
        0xe0.. => 3,
        0xc0.. => 2,
        _ => 1,
    }
}
