//! Symbols of up to sixteen bytes, learnt from names, each written as one number of few bits.

use std::{cmp::Reverse, collections::HashMap};

use super::{bits::BitReader, put, take, take_slice};

/// Bytes of a symbol at most.
const MOST_BYTES: usize = 16;
/// Symbols at most; the number after the last one says that a byte follows as it is.
const MOST: usize = (1 << 12) - 1;
/// How often the symbols are chosen anew.
const ROUNDS: usize = 5;
/// How often a symbol must stand in a sample to be worth its place.
const LEAST_TIMES: u64 = 4;

/// What numbers stand for.
#[derive(Clone, Debug)]
pub(super) struct Symbols {
    /// Where each symbol ends in the bytes.
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

impl Symbols {
    /// Takes the symbols off the front of the head.
    pub(super) fn read(head: &mut &[u8]) -> Option<Self> {
        let count = take(head).filter(|count| *count <= MOST as u64)?;
        let mut end = 0;
        let lengths = take_slice(head, count)?.iter().map(|length| {
            end += usize::from(*length);
            (usize::from(*length) <= MOST_BYTES).then_some(end)
        });
        let ends = lengths.collect::<Option<Vec<usize>>>()?;
        Some(Self { bytes: take_slice(head, end as u64)?.to_vec(), ends })
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
    /// Of each symbol its bytes as a number, and which bits of that count.
    words: Vec<(u128, u128)>,
    /// For each two first bytes where the symbols that begin with them end, the longest first.
    ends: Vec<usize>,
    /// The symbols of one byte.
    single: Vec<Option<usize>>,
}

impl Encoder {
    fn new(mut all: Vec<Vec<u8>>) -> Self {
        // Those of one byte come first.
        all.sort_by_key(|symbol| (symbol.first_chunk::<2>().copied(), Reverse(symbol.len())));
        let mut single = vec![None; 1 << 8];
        let mut ends = vec![0; 1 << 16];
        for (number, symbol) in all.iter().enumerate() {
            let end = match symbol.as_slice() {
                [byte] => {
                    single
                        .get_mut(usize::from(*byte))
                        .into_iter()
                        .for_each(|at| *at = Some(number));
                    ends.first_mut()
                }
                symbol => ends.get_mut(start(symbol)),
            };
            if let Some(end) = end {
                *end = number + 1;
            }
        }
        let mut last = 0;
        for end in &mut ends {
            last = last.max(*end);
            *end = last;
        }
        let mask = |symbol: &Vec<u8>| u128::MAX >> (128 - 8 * symbol.len());
        let words = all.iter().map(|symbol| (word(symbol), mask(symbol))).collect();
        Self { all, words, ends, single }
    }

    /// Symbols that make these texts short.
    pub(super) fn learn(texts: &[&[u8]]) -> Self {
        let mut symbols = Self::default();
        for _ in 0..ROUNDS {
            let mut times: HashMap<&[u8], u64> = HashMap::new();
            for text in texts {
                let (mut before, mut at) = (0, 0);
                while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
                    let end = at + symbols.longest(rest).1;
                    let mut count = |symbol| *times.entry(symbol).or_default() += 1;
                    text.get(at..end).into_iter().for_each(&mut count);
                    if before < at && end - before <= MOST_BYTES {
                        text.get(before..end).into_iter().for_each(&mut count);
                    }
                    (before, at) = (at, end);
                }
            }
            // What is no symbol takes most of two for one byte.
            let worth = |symbol: &[u8], times: u64| {
                times * if symbol.len() == 1 { 8 } else { symbol.len() as u64 }
            };
            let mut best: Vec<(u64, &[u8])> = times
                .into_iter()
                .filter(|(_, times)| *times >= LEAST_TIMES)
                .map(|(symbol, times)| (worth(symbol, times), symbol))
                .collect();
            best.sort_unstable_by(|a, b| b.cmp(a));
            best.truncate(MOST);
            symbols = Self::new(best.into_iter().map(|(_, symbol)| symbol.to_vec()).collect());
        }
        symbols
    }

    /// The longest symbol that a text begins with, if there is one, and the bytes to go on by.
    fn longest(&self, text: &[u8]) -> (Option<usize>, usize) {
        let place = start(text);
        let begins = place.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let (begins, ends) = (begins.unwrap_or(0), self.ends.get(place).copied().unwrap_or(0));
        let first = word(text);
        let fits = |(bytes, mask): &(u128, u128)| {
            first & mask == *bytes && mask.count_ones() as usize <= text.len() * 8
        };
        let list = self.words.get(begins..ends).unwrap_or_default();
        let found = list.iter().position(fits).map(|at| begins + at);
        found.and_then(|number| Some((number, self.all.get(number)?.len()))).map_or_else(
            || {
                let byte = text.first().map_or(0, |byte| usize::from(*byte));
                (self.single.get(byte).copied().flatten(), 1)
            },
            |(number, length)| (Some(number), length),
        )
    }

    /// The numbers of a text, each with how many bits it takes.
    pub(super) fn encode(&self, mut text: &[u8], numbers: &mut Vec<(u64, u32)>) {
        let width = width(self.all.len());
        numbers.clear();
        while let Some(first) = text.first() {
            let (number, length) = self.longest(text);
            numbers.push(match number {
                Some(number) => (number as u64, width),
                None => (self.all.len() as u64 | u64::from(*first) << width, width + 8),
            });
            text = text.get(length..).unwrap_or_default();
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        put(out, self.all.len() as u64);
        out.extend(self.all.iter().map(|symbol| u8::try_from(symbol.len()).unwrap_or(u8::MAX)));
        self.all.iter().for_each(|symbol| out.extend_from_slice(symbol));
    }
}

/// The first two bytes as a number.
fn start(bytes: &[u8]) -> usize {
    bytes.first_chunk().map_or(0, |two| usize::from(u16::from_be_bytes(*two)))
}

/// Up to sixteen first bytes as a number.
fn word(bytes: &[u8]) -> u128 {
    bytes.first_chunk().map_or_else(
        || bytes.iter().rev().fold(0, |word, byte| word << 8 | u128::from(*byte)),
        |chunk| u128::from_le_bytes(*chunk),
    )
}
