//! Symbols of up to sixteen bytes, learnt from names, each written as one number of few bits.

use std::{cmp::Reverse, collections::HashMap};

use super::{
    Fault,
    bits::{BitReader, BitWriter},
    put, take, take_slice,
};

/// Bytes of a symbol at most.
const MOST_BYTES: usize = 16;
/// Symbols at most; the number after the last one says that a byte follows as it is.
const MOST: usize = (1 << 12) - 1;
/// How often the symbols are chosen anew.
const ROUNDS: usize = 5;
/// How often a symbol must stand in a sample to be worth its place.
const LEAST_TIMES: u64 = 4;
const BAD: Fault = Fault::Malformed("a table of symbols");

/// What numbers stand for.
#[derive(Clone, Debug)]
pub(super) struct Symbols<'b> {
    /// Where each symbol ends in the bytes.
    ends: Vec<usize>,
    bytes: &'b [u8],
}

impl<'b> Symbols<'b> {
    pub(super) fn read(bytes: &mut &'b [u8]) -> Result<Self, Fault> {
        (|| {
            let count = take(bytes).filter(|count| *count <= MOST as u64)?;
            let mut end = 0;
            let lengths = take_slice(bytes, count)?.iter().map(|length| {
                end += usize::from(*length);
                end
            });
            let ends: Vec<usize> = lengths.collect();
            Some(Self { bytes: take_slice(bytes, end as u64)?, ends })
        })()
        .ok_or(BAD)
    }

    /// Takes as many numbers, and appends what they stand for.
    pub(super) fn decode(
        &self,
        bits: &mut BitReader<'_>,
        numbers: u64,
        out: &mut Vec<u8>,
    ) -> Option<()> {
        let width = width(self.ends.len());
        for _ in 0..numbers {
            let number = usize::try_from(bits.bits(width)?).ok()?;
            if number == self.ends.len() {
                out.push((bits.bits(8)? & 0xFF) as u8);
                continue;
            }
            let start = number.checked_sub(1).map_or(Some(&0), |before| self.ends.get(before))?;
            out.extend_from_slice(self.bytes.get(*start..*self.ends.get(number)?)?);
        }
        Some(())
    }
}

/// Bits of a number among so many symbols, and the one that is none.
fn width(symbols: usize) -> u32 {
    symbols.checked_ilog2().map_or(0, |bits| bits + 1)
}

/// Finds symbols in texts.
#[derive(Debug, Default)]
pub(super) struct Encoder {
    all: Vec<Vec<u8>>,
    /// For each two first bytes the symbols that begin with them, the longest first: their bytes as
    /// a number, which bits of that count, and the symbol's number.
    by_start: HashMap<[u8; 2], Vec<(u128, u128, usize)>>,
    /// The symbols of one byte.
    single: HashMap<u8, usize>,
}

impl Encoder {
    fn new(mut all: Vec<Vec<u8>>) -> Self {
        all.sort_by_key(|symbol| Reverse(symbol.len()));
        let mut by_start: HashMap<_, Vec<_>> = HashMap::new();
        let mut single = HashMap::new();
        for (number, symbol) in all.iter().enumerate() {
            if let Some(start) = symbol.first_chunk::<2>() {
                let mask = u128::MAX >> (128 - 8 * symbol.len());
                by_start.entry(*start).or_default().push((word(symbol), mask, number));
            } else if let [byte] = symbol.as_slice() {
                single.insert(*byte, number);
            }
        }
        Self { all, by_start, single }
    }

    /// Symbols that make these texts short.
    pub(super) fn learn(texts: &[&[u8]]) -> Self {
        let mut symbols = Self::default();
        for _ in 0..ROUNDS {
            let mut times: HashMap<Vec<u8>, u64> = HashMap::new();
            for text in texts {
                let mut rest = *text;
                let mut before: &[u8] = &[];
                while !rest.is_empty() {
                    let (symbol, behind) = rest.split_at(symbols.longest(rest).1);
                    *times.entry(symbol.to_vec()).or_default() += 1;
                    if !before.is_empty() && before.len() + symbol.len() <= MOST_BYTES {
                        *times.entry([before, symbol].concat()).or_default() += 1;
                    }
                    (before, rest) = (symbol, behind);
                }
            }
            // What is no symbol takes most of two for one byte.
            let worth = |symbol: &[u8], times: u64| {
                times * if symbol.len() == 1 { 8 } else { symbol.len() as u64 }
            };
            let mut best: Vec<(u64, Vec<u8>)> = times
                .into_iter()
                .filter(|(_, times)| *times >= LEAST_TIMES)
                .map(|(symbol, times)| (worth(&symbol, times), symbol))
                .collect();
            best.sort_unstable_by(|a, b| b.cmp(a));
            best.truncate(MOST);
            symbols = Self::new(best.into_iter().map(|(_, symbol)| symbol).collect());
        }
        symbols
    }

    /// The longest symbol that a text begins with, if there is one, and the bytes to go on by.
    fn longest(&self, text: &[u8]) -> (Option<usize>, usize) {
        let start = word(text);
        let list = text.first_chunk::<2>().and_then(|two| self.by_start.get(two));
        let fits = |(bytes, mask, _): &&(u128, u128, usize)| {
            start & mask == *bytes && mask.count_ones() as usize <= text.len() * 8
        };
        let found = list.and_then(|list| list.iter().find(fits));
        found.map_or_else(
            || (text.first().and_then(|byte| self.single.get(byte)).copied(), 1),
            |(_, mask, number)| (Some(*number), mask.count_ones() as usize / 8),
        )
    }

    /// Appends the numbers of a text; how many there are.
    pub(super) fn encode(&self, mut text: &[u8], out: &mut BitWriter) -> u64 {
        let width = width(self.all.len());
        let mut count = 0;
        while let Some(first) = text.first() {
            let (number, length) = self.longest(text);
            out.bits(number.unwrap_or(self.all.len()) as u64, width);
            if number.is_none() {
                out.bits(u64::from(*first), 8);
            }
            text = text.get(length..).unwrap_or_default();
            count += 1;
        }
        count
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        put(out, self.all.len() as u64);
        out.extend(self.all.iter().map(|symbol| u8::try_from(symbol.len()).unwrap_or(u8::MAX)));
        self.all.iter().for_each(|symbol| out.extend_from_slice(symbol));
    }
}

/// Up to sixteen first bytes as a number.
fn word(bytes: &[u8]) -> u128 {
    bytes.first_chunk().map_or_else(
        || bytes.iter().rev().fold(0, |word, byte| word << 8 | u128::from(*byte)),
        |chunk| u128::from_le_bytes(*chunk),
    )
}
