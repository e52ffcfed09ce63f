//! Blocks of names as they are looked through, and those that are kept for the next question.
//!
//! Names are unpacked all at once, so that one search of the block finds those that hold a word; of
//! lists only those are read that are wanted. Invariant: what is kept of an index stays below
//! [`MOST_KEPT`].

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use memchr::{memchr, memchr_iter, memmem::Finder, memrchr};

use super::{
    Fault,
    bits::BitReader,
    block::{BAD, Names},
    lists::{Before, read_pairs},
    pair::Pair,
    symbols::Symbols,
};

/// Bytes of unpacked blocks that are kept, about.
const MOST_KEPT: usize = 8 << 20;

/// A block, its names unpacked.
#[derive(Debug)]
pub(super) struct Unpacked {
    /// Each with a line feed behind it.
    names: String,
    folded: Vec<u8>,
    lists: Vec<u8>,
}

impl Unpacked {
    pub(super) fn read(bytes: &[u8], symbols: &Symbols) -> Result<Self, Fault> {
        let mut block = Names::new(bytes)?;
        let mut names = String::new();
        while let Some(name) = block.next(symbols)? {
            names.push_str(name);
            names.push('\n');
        }
        let folded = names.bytes().map(|byte| byte.to_ascii_lowercase()).collect();
        Ok(Self { names, folded, lists: block.lists().to_vec() })
    }

    /// The names that hold this when folded, with their numbers, in order.
    pub(super) fn holding<'u>(
        &'u self,
        sought: &'u Finder<'_>,
    ) -> impl Iterator<Item = (usize, &'u str)> {
        // `from` is where a name starts, and `number` is its number.
        let (mut from, mut number) = (0, 0);
        std::iter::from_fn(move || {
            let rest = self.folded.get(from..).filter(|rest| !rest.is_empty())?;
            let (before, behind) = rest.split_at_checked(sought.find(rest)?)?;
            let start = from + memrchr(b'\n', before).map_or(0, |end| end + 1);
            number += memchr_iter(b'\n', before).count();
            let end = from + before.len() + memchr(b'\n', behind)?;
            let found = (number, self.names.get(start..end)?);
            (from, number) = (end + 1, number + 1);
            Some(found)
        })
    }

    /// The lists of its names.
    pub(super) fn lists(&self) -> Lists<'_> {
        Lists { bits: BitReader::new(&self.lists), before: Before::default(), next: 0 }
    }

    fn held(&self) -> usize {
        size_of::<Self>() + self.names.len() + self.folded.len() + self.lists.len()
    }
}

/// The lists of a block, which are read in order.
pub(super) struct Lists<'u> {
    bits: BitReader<'u>,
    before: Before,
    next: usize,
}

impl Lists<'_> {
    /// Reads the list of the name with this number, which is greater than those before, into `list`.
    pub(super) fn read(
        &mut self,
        number: usize,
        files: u32,
        list: &mut Vec<Pair>,
    ) -> Result<(), Fault> {
        while self.next <= number {
            let is_wanted = self.next == number;
            read_pairs(&mut self.bits, &mut self.before, files, is_wanted, list).ok_or(BAD)?;
            self.next += 1;
        }
        Ok(())
    }
}

/// The blocks of an index that are kept. When there is no room for one more, all are forgotten: what
/// is asked for often is soon there again.
#[derive(Debug, Default)]
pub(super) struct Kept(Mutex<Blocks>);

#[derive(Debug, Default)]
struct Blocks {
    bytes: usize,
    by_number: HashMap<u32, Arc<Unpacked>>,
}

impl Kept {
    pub(super) fn get(&self, number: u32) -> Option<Arc<Unpacked>> {
        self.blocks().by_number.get(&number).cloned()
    }

    pub(super) fn keep(&self, number: u32, block: Arc<Unpacked>) {
        let mut blocks = self.blocks();
        let held = block.held();
        if blocks.bytes + held > MOST_KEPT {
            *blocks = Blocks::default();
        }
        if held <= MOST_KEPT && blocks.by_number.insert(number, block).is_none() {
            blocks.bytes += held;
        }
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        // A panic under the lock leaves a map that is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(names: &str) -> Unpacked {
        let folded = names.to_ascii_lowercase().into_bytes();
        Unpacked { names: names.to_owned(), folded, lists: Vec::new() }
    }

    #[test]
    fn names_that_hold_a_word_are_found_once_each_with_their_numbers() {
        let block = unpacked("Line\na\nlineLine\nx_LINE\n");
        let holding = |sought: &str| -> Vec<(usize, String)> {
            let finder = Finder::new(sought);
            block.holding(&finder).map(|(number, name)| (number, name.to_owned())).collect()
        };
        let found = |all: &[(usize, &str)]| -> Vec<(usize, String)> {
            all.iter().map(|(number, name)| (*number, (*name).to_owned())).collect()
        };
        assert_eq!(holding("line"), found(&[(0, "Line"), (2, "lineLine"), (3, "x_LINE")]));
        assert_eq!(holding("a"), found(&[(1, "a")]));
        assert_eq!(holding("b"), found(&[]));
        assert_eq!(holding("").len(), 4);
    }

    #[test]
    fn kept_blocks_are_forgotten_before_they_are_too_many() {
        let kept = Kept::default();
        let block = Arc::new(unpacked(&"a".repeat(1 << 20)));
        for number in 0..40 {
            kept.keep(number, Arc::clone(&block));
            assert!(kept.get(number).is_some());
            let blocks = kept.blocks();
            assert!(blocks.bytes <= MOST_KEPT);
            assert_eq!(blocks.bytes, blocks.by_number.len() * block.held());
        }
        assert!(kept.get(0).is_none());
        kept.keep(41, Arc::new(unpacked(&"a".repeat(MOST_KEPT))));
        assert!(kept.get(41).is_none(), "one that is too large");
    }
}
