//! Words: every identifier of many files, with how often it stands in each and how surely it is
//! defined there, so that files are ranked for words without being read (docs/ranking.md, *Words in
//! the index*). So far only a bench and tests use it.
//!
//! Responsible for: turning files round ([`Builder`]), the bytes that are stored, merging them
//! ([`merge`]), and what words come to by them ([`Words::find`]), which is what reading every file
//! would come to. Not here: what the identifiers of a text are and where one is defined
//! ([`crate::agent::search_text::Names`]), the score, where bytes are kept and whether they are the
//! ones that were written. Invariants: what is malformed is an error, never an absent file.
//!
//! Worked example: with files 0 = `fn read_line`, 1 = `read_line(); ReadLine`, the names in the
//! order of bytes are `ReadLine → 1`, `fn → 0`, `read_line → 0, 1`. The word `read_line` has the
//! parts `read`, `line`. By their keys, and by that of `readline`, all three names' block is looked
//! through, and the answer is file 0 with two units and file 1 with four.

use super::segment::{Fault, put, take, take_slice};

mod bits;
mod block;
mod builder;
mod frequent;
mod keys;
mod lists;
mod lookup;
mod merge;
mod split;
mod symbols;
mod writer;

pub use builder::Builder;
pub use lookup::Found;
pub use merge::{Source, merge};

use block::Block;
use frequent::{Common, Gathering};
use keys::Keys;
use split::Split;
use symbols::Symbols;

const BAD: Fault = Fault::Malformed("an index of words");

/// What a name has in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    file: u32,
    /// How often it stands there, at least once.
    count: u32,
    /// The greatest level it is defined at, 0 to 3.
    level: u8,
}

/// How words are put into blocks.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Names of a block at most.
    pub names: usize,
    /// Blocks beyond which a run is common and has a list of its files.
    pub blocks: usize,
}

impl Default for Shape {
    fn default() -> Self {
        Self { names: 192, blocks: 400 }
    }
}

/// A stored index of words.
#[derive(Debug)]
pub struct Words<'b> {
    blocks: Blocks<'b>,
    keys: Keys<'b>,
    common: Common<'b>,
    sizes: Sizes,
}

/// Bytes by what they are for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// Names.
    pub names: usize,
    /// Lists of the files of names, with counts and levels.
    pub lists: usize,
    /// Keys and their blocks.
    pub keys: usize,
    /// Lists of the files of common runs.
    pub common: usize,
}

impl<'b> Words<'b> {
    /// The index that is stored in these bytes.
    pub fn new(mut bytes: &'b [u8]) -> Result<Self, Fault> {
        let blocks = Blocks::read(&mut bytes)?;
        let tables = take(&mut bytes).and_then(|length| take_slice(&mut bytes, length));
        let tables = tables.ok_or(BAD)?;
        let keys = Keys::new(tables, blocks.keyed)?;
        let sizes = Sizes { keys: tables.len(), common: bytes.len(), ..Sizes::default() };
        Ok(Self { blocks, keys, common: Common::new(bytes)?, sizes })
    }

    /// How many files there are.
    pub fn files(&self) -> u32 {
        self.blocks.files
    }

    /// How the bytes are shared out.
    pub fn sizes(&self) -> Result<Sizes, Fault> {
        let mut sizes = self.sizes;
        for number in 0..self.blocks.count() {
            let (names, lists) = Block::sizes(self.blocks.bytes(number)?);
            sizes.names += names;
            sizes.lists += lists;
        }
        Ok(sizes)
    }
}

/// The blocks of names, first those with keys.
#[derive(Debug)]
struct Blocks<'b> {
    files: u32,
    keyed: u32,
    symbols: Symbols<'b>,
    /// Of each block of names without keys these, folded, a line for each.
    folded: Vec<&'b [u8]>,
    ends: &'b [u8],
    bytes: &'b [u8],
}

impl<'b> Blocks<'b> {
    /// Takes the blocks off the front.
    fn read(bytes: &mut &'b [u8]) -> Result<Self, Fault> {
        let mut number = || u32::try_from(take(bytes)?).ok();
        let (files, keyed, long) = (number(), number(), number());
        let symbols = Symbols::read(bytes)?;
        (|| {
            let (keyed, long) = (keyed?, long?);
            let mut folded = || take(bytes).and_then(|length| take_slice(bytes, length));
            let folded = (0..long).map(|_| folded()).collect::<Option<Vec<_>>>()?;
            let ends = take_slice(bytes, (u64::from(keyed) + u64::from(long)) * 4)?;
            let length = take(bytes)?;
            let bytes = take_slice(bytes, length)?;
            Some(Self { files: files?, keyed, symbols, folded, ends, bytes })
        })()
        .ok_or(BAD)
    }

    fn count(&self) -> usize {
        self.ends.len() / 4
    }

    fn bytes(&self, number: usize) -> Result<&'b [u8], Fault> {
        let start = number.checked_sub(1).map_or(Some(0), |before| word_at(self.ends, before));
        let end = word_at(self.ends, number);
        start.zip(end).and_then(|(start, end)| self.bytes.get(start..end)).ok_or(BAD)
    }

    /// Gathers what is common.
    fn gather(&self, gathering: &mut Gathering, entries: &mut Vec<u64>) -> Result<(), Fault> {
        let (mut split, mut list, mut buffer) = (Split::default(), Vec::new(), Vec::new());
        for number in 0..self.keyed {
            let mut block = Block::new(self.bytes(number as usize)?, buffer)?;
            while let Some(name) = block.next(&self.symbols)? {
                split.set(name);
                if gathering.takes(&split) {
                    block.list(self.files, &mut list)?;
                    gathering.add(&split, &list, number, entries);
                }
            }
            buffer = block.into_buffer();
        }
        Ok(())
    }
}

/// A number of four bytes, one of many.
fn word_at(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at.checked_mul(4)?..)?.first_chunk()?;
    usize::try_from(u32::from_le_bytes(*word)).ok()
}

#[cfg(test)]
mod tests;
