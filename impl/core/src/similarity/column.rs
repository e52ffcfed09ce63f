//! Bit-parallel dynamic programmes over the columns of query against text: distance (Myers 1999, in
//! the form and with the carries of Hyyrö 2003) and longest common subsequence (Hyyrö 2004).
//!
//! Neighbouring cells of a column differ by at most one, so a column is two sets of rows: those
//! that are one more, and those that are one less, than the row above. One character of the text
//! takes a dozen operations for 64 rows.

use super::Poller;
use crate::error::Interrupted;

/// For every symbol, the rows (characters of the query) that have it.
#[derive(Clone, Debug)]
pub(super) struct Masks {
    /// Query length.
    length: usize,
    words: usize,
    /// `words` words for each symbol, symbol 0 first.
    bits: Vec<u64>,
}

impl Masks {
    pub(super) fn of(query: &[u16]) -> Self {
        let words = query.len().div_ceil(64);
        let kinds = usize::from(query.iter().copied().max().unwrap_or(0)) + 1;
        let mut bits = vec![0; kinds * words];
        for (row, &symbol) in query.iter().enumerate() {
            if let Some(word) = bits.get_mut(usize::from(symbol) * words + row / 64) {
                *word |= 1 << (row % 64);
            }
        }
        Self { length: query.len(), words, bits }
    }

    /// Words per column.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The rows of a symbol.
    pub(super) fn of_symbol(&self, symbol: u16) -> &[u64] {
        let start = usize::from(symbol) * self.words;
        self.bits.get(start..start + self.words).unwrap_or_default()
    }
}

/// A column of distances.
pub(super) struct Column {
    /// Rows one more than the row above them, and rows one less, word by word.
    steps: Vec<(u64, u64)>,
    /// The last row's bit in the last word.
    last: u32,
    distance: usize,
}

impl Column {
    /// The column before any text: each row is its own distance.
    pub(super) fn new(masks: &Masks) -> Self {
        let last = u32::try_from((masks.length - 1) % 64).unwrap_or_default();
        Self { steps: vec![(u64::MAX, 0); masks.words], last, distance: masks.length }
    }

    /// Distance of the whole query to the text so far: to all of it if `anchored`, else to the
    /// nearest of its suffixes.
    pub(super) fn distance(&self) -> usize {
        self.distance
    }

    /// Advances by one character of the text, which occurs at `rows`.
    pub(super) fn step(&mut self, rows: &[u64], anchored: bool) {
        // The change of the row above the word, against the previous column: one more, one less.
        let (mut more, mut less) = (u64::from(anchored), 0);
        let mut last = (0, 0);
        for ((up, down), &rows) in self.steps.iter_mut().zip(rows) {
            let vertical = rows | *down;
            let rows = rows | less;
            let diagonal = ((rows & *up).wrapping_add(*up) ^ *up) | rows | *down;
            let rising = *down | !(diagonal | *up);
            let falling = *up & diagonal;
            last = (rising, falling);
            let (shifted_up, shifted_down) = (rising << 1 | more, falling << 1 | less);
            *up = shifted_down | !(vertical | shifted_up);
            *down = shifted_up & vertical;
            (more, less) = (rising >> 63, falling >> 63);
        }
        self.distance += usize::from(last.0 >> self.last & 1 == 1);
        self.distance -= usize::from(last.1 >> self.last & 1 == 1);
    }
}

/// The length of the longest common subsequence of the query and a text.
pub(super) fn common(
    masks: &Masks,
    text: impl Iterator<Item = u16>,
    poller: &mut Poller,
) -> Result<usize, Interrupted> {
    // Rows at which the subsequence does not grow.
    let mut flat = vec![u64::MAX; masks.words];
    for symbol in text {
        poller.spend(masks.words)?;
        let mut carry = false;
        for (flat, rows) in flat.iter_mut().zip(masks.of_symbol(symbol)) {
            let (sum, first) = flat.overflowing_add(*flat & rows);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *flat = sum | (*flat & !rows);
        }
    }
    // Rows beyond the query stay flat.
    Ok(flat.iter().map(|flat| flat.count_zeros() as usize).sum())
}
