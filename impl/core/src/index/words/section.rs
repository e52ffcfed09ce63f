//! Pieces of bytes, one after the other, and where each ends. The ends are at hand; the pieces are
//! read when they are asked for.

use std::ops::Range;

use super::{BAD, Fault, Stored, take_slice};

/// Pieces being written.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// The pieces; what is behind the last end is the piece at hand.
    pub(super) bytes: Vec<u8>,
    /// Where each ends, four bytes each.
    pub(super) ends: Vec<u8>,
}

impl Pieces {
    /// Ends the piece at hand.
    pub(super) fn close(&mut self) -> Result<(), Fault> {
        let end = u32::try_from(self.bytes.len());
        let end = end.map_err(|_| Fault::Malformed("more words than can be stored"))?;
        self.ends.extend(end.to_le_bytes());
        Ok(())
    }
}

/// Pieces that are stored.
#[derive(Debug)]
pub(super) struct Section {
    start: u64,
    ends: Vec<u32>,
}

impl Section {
    /// Takes the ends of so many pieces, which begin at `start`, off the front of `head`; `start`
    /// becomes where they end.
    pub(super) fn take(head: &mut &[u8], count: u64, start: &mut u64) -> Option<Self> {
        let (ends, _) = take_slice(head, count.checked_mul(4)?)?.as_chunks();
        let ends: Vec<u32> = ends.iter().map(|end| u32::from_le_bytes(*end)).collect();
        let section = Self { start: *start, ends };
        let last = section.ends.last().copied().unwrap_or(0);
        *start = start.checked_add(u64::from(last))?;
        section.ends.is_sorted().then_some(section)
    }

    /// How many pieces there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many bytes all pieces have.
    pub(super) fn size(&self) -> u64 {
        self.ends.last().copied().map_or(0, u64::from)
    }

    /// Where a piece is among the bytes of all.
    fn place(&self, number: usize) -> Option<Range<u64>> {
        let start = number.checked_sub(1).map_or(Some(&0), |before| self.ends.get(before))?;
        Some(u64::from(*start)..u64::from(*self.ends.get(number)?))
    }

    /// Reads neighbouring pieces at once, and hands them out one by one.
    pub(super) fn each(
        &self,
        stored: &dyn Stored,
        pieces: Range<usize>,
        mut each: impl FnMut(&[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Some(last) = pieces.end.checked_sub(1) else { return Ok(()) };
        let (first, last) = self.place(pieces.start).zip(self.place(last)).ok_or(BAD)?;
        let bytes = exactly(stored, self.start + first.start..self.start + last.end)?;
        let mut rest = bytes.as_slice();
        for number in pieces {
            let length = self.place(number).map(|place| place.end - place.start);
            each(length.and_then(|length| take_slice(&mut rest, length)).ok_or(BAD)?)?;
        }
        Ok(())
    }

    /// Reads one piece.
    pub(super) fn read(&self, stored: &dyn Stored, number: usize) -> Result<Vec<u8>, Fault> {
        let place = self.place(number).ok_or(BAD)?;
        exactly(stored, self.start + place.start..self.start + place.end)
    }
}

/// The bytes of a range, no more and no fewer.
pub(super) fn exactly(stored: &dyn Stored, range: Range<u64>) -> Result<Vec<u8>, Fault> {
    let length = range.end.saturating_sub(range.start);
    let bytes = stored.bytes(range)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(BAD) }
}
