//! Words: every identifier of many files, with how often it stands in each and how surely it is
//! defined there, so that files are ranked for words without being read (docs/ranking.md, *Words in
//! the index*).
//!
//! Responsible for: turning a batch of files round ([`Builder`]), the bytes that are stored for it,
//! and what words come to by them ([`Words::find`]), which is what reading every file would come to.
//! Not here: what the identifiers of a text are and where one is defined
//! ([`crate::agent::search_text::names`]), the score, which files a batch is of, where bytes are
//! kept ([`Stored`]) and whether they are the ones that were written. Invariants: what is malformed
//! is an error, never an absent file; nothing is reserved that is not there to be read.
//!
//! Worked example: with files 0 = `fn read_line`, 1 = `read_line(); ReadLine`, the names in the
//! order of bytes are `ReadLine → 1`, `fn → 0`, `read_line → 0, 1`. The word `read_line` has the
//! parts `read`, `line`. By their keys, and by that of `readline`, all three names' block is looked
//! through, and the answer is file 0 with two units and file 1 with four.

use std::{fmt, ops::Range, sync::Arc};

use super::segment::{Fault, put, take, take_slice};

mod bits;
mod block;
mod builder;
mod frequent;
mod keys;
mod lists;
mod lookup;
mod pair;
mod section;
mod split;
mod symbols;
mod unpacked;
mod writer;

pub use builder::Builder;
pub use lookup::Found;

use block::Names;
use frequent::Common;
use keys::Keys;
use section::{Section, exactly};
use symbols::Symbols;
use unpacked::Kept;

const BAD: Fault = Fault::Malformed("an index of words");
/// Bytes that say how long the head is.
const LENGTH: u64 = 8;

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
        Self { names: 192, blocks: 80 }
    }
}

/// Where the bytes of a stored index are read from.
pub trait Stored: fmt::Debug + Send + Sync {
    /// The bytes of a range; an error if there are not so many.
    fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Fault>;
}

impl Stored for Vec<u8> {
    fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Fault> {
        let place = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
        let bytes = place.and_then(|(start, end)| self.get(start..end));
        bytes.map(<[u8]>::to_vec).ok_or(BAD)
    }
}

/// A stored index of the words of some files. What every question needs is at hand, the rest is
/// read when it is asked for.
#[derive(Debug)]
pub struct Words {
    stored: Arc<dyn Stored>,
    files: u32,
    keyed: u32,
    symbols: Symbols,
    /// Of each block of names without keys these, folded, a line for each.
    folded: Vec<Vec<u8>>,
    /// The blocks of names, first those with keys.
    blocks: Section,
    keys: Keys,
    common: Common,
    /// Bytes of the head.
    head: u64,
    /// Blocks of names that were looked through.
    kept: Kept,
}

/// Bytes by what they are for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// What is read when the index is opened, and kept.
    pub head: u64,
    /// Names.
    pub names: u64,
    /// Lists of the files of names, with counts and levels.
    pub lists: u64,
    /// Keys and their blocks.
    pub keys: u64,
    /// Lists of the files of common runs.
    pub common: u64,
}

impl Words {
    /// The index that is stored in so many bytes.
    pub fn open(stored: Arc<dyn Stored>, length: u64) -> Result<Self, Fault> {
        if length < LENGTH {
            return Err(BAD);
        }
        let first = exactly(stored.as_ref(), 0..LENGTH)?;
        let kept = first.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let kept = kept.filter(|kept| *kept <= length - LENGTH).ok_or(BAD)?;
        let head = exactly(stored.as_ref(), LENGTH..LENGTH + kept)?;
        Self::read(stored, &head, length).ok_or(BAD)
    }

    fn read(stored: Arc<dyn Stored>, mut head: &[u8], length: u64) -> Option<Self> {
        let whole = head.len() as u64;
        let mut start = LENGTH + whole;
        let mut number = || u32::try_from(take(&mut head)?).ok();
        let (files, keyed, long) = (number()?, number()?, number()?);
        let symbols = Symbols::read(&mut head)?;
        let mut folded = || {
            let length = take(&mut head)?;
            take_slice(&mut head, length).map(<[u8]>::to_vec)
        };
        let folded = (0..long).map(|_| folded()).collect::<Option<Vec<_>>>()?;
        let blocks = u64::from(keyed) + u64::from(long);
        let blocks = Section::take(&mut head, blocks, &mut start)?;
        let keys = Keys::take(&mut head, keyed, &mut start)?;
        let common = Common::take(&mut head, &mut start)?;
        let is_all = head.is_empty() && start == length;
        let kept = Kept::default();
        let words =
            Self { stored, files, keyed, symbols, folded, blocks, keys, common, head: whole, kept };
        is_all.then_some(words)
    }

    /// How many files there are.
    pub fn files(&self) -> u32 {
        self.files
    }

    /// How the bytes are shared out. This reads all names.
    pub fn sizes(&self) -> Result<Sizes, Fault> {
        let (keys, common) = (self.keys.size(), self.common.size());
        let mut sizes = Sizes { head: LENGTH + self.head, keys, common, ..Sizes::default() };
        for number in 0..self.blocks.len() {
            let (names, lists) = Names::sizes(&self.blocks.read(self.stored.as_ref(), number)?);
            sizes.names += names as u64;
            sizes.lists += lists as u64;
        }
        Ok(sizes)
    }
}

#[cfg(test)]
mod tests;
