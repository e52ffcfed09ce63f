//! Blocks: names in the order of their bytes, each without what it shares with the one before, and
//! their lists of files.

use super::{
    Fault,
    bits::{BitReader, BitWriter},
    lists::{Before, write_pairs},
    pair::Turned,
    put,
    symbols::{Encoder, Symbols},
    take, take_slice,
};

/// The orders of how many bytes a name shares, and of how many symbols follow.
const ORDERS: (u32, u32) = (3, 1);
pub(super) const BAD: Fault = Fault::Malformed("a block of words");

/// What names of a block have of their own: how many bytes each shares with the one before, and
/// what follows.
pub(super) fn own<'n>(
    names: impl Iterator<Item = &'n str>,
) -> impl Iterator<Item = (usize, &'n [u8])> {
    let mut last: &[u8] = &[];
    names.map(move |name| {
        let name = name.as_bytes();
        let shared = last.iter().zip(name).take_while(|(a, b)| a == b).count();
        last = name;
        (shared, name.get(shared..).unwrap_or_default())
    })
}

/// Appends the stored form of names, given by their numbers in order, out of `files` files.
pub(super) fn write(
    numbers: &[u32],
    names: &Turned,
    files: u32,
    symbols: &Encoder,
    out: &mut Vec<u8>,
) {
    let (mut bits, mut lists) = (BitWriter::default(), BitWriter::default());
    let (mut before, mut spelled) = (Before::default(), Vec::new());
    for (shared, text) in own(numbers.iter().map(|number| names.name(*number))) {
        symbols.encode(text, &mut spelled);
        bits.number(shared as u64, ORDERS.0);
        bits.number(spelled.len() as u64, ORDERS.1);
        for (number, width) in &spelled {
            bits.bits(*number, *width);
        }
    }
    for number in numbers {
        write_pairs(&mut lists, &mut before, names.list(*number), files);
    }
    let bits = bits.finish();
    put(out, numbers.len() as u64);
    put(out, bits.len() as u64);
    out.extend_from_slice(&bits);
    out.extend_from_slice(&lists.finish());
}

/// The names of a block being read, one by one.
#[derive(Debug)]
pub(super) struct Names<'b> {
    left: u64,
    bits: BitReader<'b>,
    name: Vec<u8>,
    lists: &'b [u8],
}

impl<'b> Names<'b> {
    /// Starts to read.
    pub(super) fn new(mut bytes: &'b [u8]) -> Result<Self, Fault> {
        let block = (|| {
            let left = take(&mut bytes)?;
            let names = take(&mut bytes)?;
            let bits = BitReader::new(take_slice(&mut bytes, names)?);
            Some(Self { left, bits, name: Vec::new(), lists: bytes })
        })();
        block.ok_or(BAD)
    }

    /// Steps to the next name.
    pub(super) fn next(&mut self, symbols: &Symbols) -> Result<Option<&str>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        (|| {
            let shared = usize::try_from(self.bits.number(ORDERS.0)?).ok()?;
            let numbers = self.bits.number(ORDERS.1)?;
            if shared > self.name.len() {
                return None;
            }
            self.name.truncate(shared);
            symbols.decode(&mut self.bits, numbers, &mut self.name)
        })()
        .ok_or(BAD)?;
        self.left -= 1;
        std::str::from_utf8(&self.name).map(Some).map_err(|_| BAD)
    }

    /// The lists of the names.
    pub(super) fn lists(&self) -> &'b [u8] {
        self.lists
    }

    /// Bytes of names and of lists.
    pub(super) fn sizes(mut bytes: &[u8]) -> (usize, usize) {
        let all = bytes.len();
        let (_, names) = (take(&mut bytes), take(&mut bytes));
        let lists = take_slice(&mut bytes, names.unwrap_or(0)).map_or(0, |_| bytes.len());
        (all - lists, lists)
    }
}
