//! Blocks: names in the order of their bytes, each without what it shares with the one before, and
//! their lists of files.

use super::{
    Fault, Pair,
    bits::{BitReader, BitWriter},
    lists::{Before, read_pairs, write_pairs},
    put,
    symbols::{Encoder, Symbols},
    take, take_slice,
};

/// The orders of how many bytes a name shares, and of how many symbols follow.
const ORDERS: (u32, u32) = (3, 1);
const BAD: Fault = Fault::Malformed("a block of words");

/// Names and lists that wait for their symbols.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// Of each name how many bytes it shares, and how many follow of its own.
    names: Vec<(usize, usize)>,
    own: Vec<u8>,
    last: Vec<u8>,
    lists: BitWriter,
    before: Before,
}

impl Raw {
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Adds a name, larger than any before, with its files out of `files`.
    pub(super) fn add(&mut self, name: &str, list: &[Pair], files: u32) {
        let bytes = name.as_bytes();
        let shared = self.last.iter().zip(bytes).take_while(|(a, b)| a == b).count();
        let own = bytes.get(shared..).unwrap_or_default();
        self.names.push((shared, own.len()));
        self.own.extend_from_slice(own);
        self.last.truncate(shared);
        self.last.extend_from_slice(own);
        write_pairs(&mut self.lists, &mut self.before, list, files);
    }

    /// What names have of their own.
    pub(super) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.own.as_slice();
        self.names.iter().map(move |(_, length)| {
            let (text, behind) = rest.split_at_checked(*length).unwrap_or_default();
            rest = behind;
            text
        })
    }

    /// Appends the stored form.
    pub(super) fn encode(self, symbols: &Encoder, out: &mut Vec<u8>) {
        let mut names = BitWriter::default();
        for ((shared, _), text) in self.names.iter().zip(self.texts()) {
            let mut numbers = BitWriter::default();
            let count = symbols.encode(text, &mut numbers);
            names.number(*shared as u64, ORDERS.0);
            names.number(count, ORDERS.1);
            names.append(&numbers);
        }
        let names = names.finish();
        put(out, self.names.len() as u64);
        put(out, names.len() as u64);
        out.extend_from_slice(&names);
        out.extend_from_slice(&self.lists.finish());
    }
}

/// A block being read: its names one by one, and their lists as far behind as is wanted.
#[derive(Debug)]
pub(super) struct Block<'b> {
    left: u64,
    names: BitReader<'b>,
    name: Vec<u8>,
    lists: BitReader<'b>,
    before: Before,
    /// How many lists are to be passed over before that of the present name.
    behind: usize,
}

impl<'b> Block<'b> {
    /// Starts to read; the buffer is what names are put together in.
    pub(super) fn new(mut bytes: &'b [u8], mut name: Vec<u8>) -> Result<Self, Fault> {
        name.clear();
        let block = (|| {
            let left = take(&mut bytes)?;
            let names = take(&mut bytes)?;
            let names = BitReader::new(take_slice(&mut bytes, names)?);
            let (lists, before) = (BitReader::new(bytes), Before::default());
            Some(Self { left, names, name, lists, before, behind: 0 })
        })();
        block.ok_or(BAD)
    }

    /// Steps to the next name.
    pub(super) fn next(&mut self, symbols: &Symbols<'_>) -> Result<Option<&str>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        (|| {
            let shared = usize::try_from(self.names.number(ORDERS.0)?).ok()?;
            let numbers = self.names.number(ORDERS.1)?;
            if shared > self.name.len() {
                return None;
            }
            self.name.truncate(shared);
            symbols.decode(&mut self.names, numbers, &mut self.name)
        })()
        .ok_or(BAD)?;
        self.left -= 1;
        self.behind += 1;
        std::str::from_utf8(&self.name).map(Some).map_err(|_| BAD)
    }

    /// Reads the list of the present name, once, into `list`.
    pub(super) fn list(&mut self, files: u32, list: &mut Vec<Pair>) -> Result<(), Fault> {
        while self.behind > 0 {
            self.behind -= 1;
            let (lists, before) = (&mut self.lists, &mut self.before);
            read_pairs(lists, before, files, self.behind == 0, list).ok_or(BAD)?;
        }
        Ok(())
    }

    /// The buffer, for the next block.
    pub(super) fn into_buffer(self) -> Vec<u8> {
        self.name
    }

    /// Bytes of names and of lists.
    pub(super) fn sizes(mut bytes: &[u8]) -> (usize, usize) {
        let all = bytes.len();
        let (_, names) = (take(&mut bytes), take(&mut bytes));
        let lists = take_slice(&mut bytes, names.unwrap_or(0)).map_or(0, |_| bytes.len());
        (all - lists, lists)
    }
}
