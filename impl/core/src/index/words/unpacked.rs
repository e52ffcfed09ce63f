//! Blocks of names as they are looked through, and those that are kept for the next question.
//!
//! Names are unpacked all at once, so that one search of the block finds those that hold a word; of
//! lists only those are read that are wanted. Invariant: what is kept of an index stays below
//! [`MOST_KEPT`].

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use memchr::{memchr, memchr_iter, memmem::Finder, memrchr};
use quick_cache::{Weighter, unsync::Cache};

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
/// Those of a usual block.
const USUAL: usize = 10 << 10;
/// Lists from one place where reading can begin to the next.
const STEP: usize = 16;
/// Bytes of such a place, about.
const STEP_BYTES: usize = 80;

/// A block, its names unpacked.
#[derive(Debug)]
pub(super) struct Unpacked {
    /// Each with a line feed behind it.
    names: String,
    folded: Vec<u8>,
    lists: Vec<u8>,
    /// How many names there are.
    count: usize,
    /// Where reading of lists can begin, once the block is asked a second time.
    steps: OnceLock<Vec<Step>>,
}

/// Where a list begins, and what is known of the one before.
#[derive(Clone, Debug)]
struct Step {
    at: usize,
    before: Before,
}

impl Unpacked {
    pub(super) fn read(bytes: &[u8], symbols: &Symbols) -> Result<Self, Fault> {
        let mut block = Names::new(bytes)?;
        let (mut names, mut count) = (String::new(), 0);
        while let Some(name) = block.next(symbols)? {
            names.push_str(name);
            names.push('\n');
            count += 1;
        }
        let folded = names.bytes().map(|byte| byte.to_ascii_lowercase()).collect();
        let (lists, steps) = (block.lists().to_vec(), OnceLock::new());
        Ok(Self { names, folded, lists, count, steps })
    }

    /// The names that hold this when folded, with their numbers and folded forms, in order.
    pub(super) fn holding<'u>(
        &'u self,
        sought: &'u Finder<'_>,
    ) -> impl Iterator<Item = (usize, &'u str, &'u [u8])> {
        // `from` is where a name starts, and `number` is its number.
        let (mut from, mut number) = (0, 0);
        std::iter::from_fn(move || {
            let rest = self.folded.get(from..).filter(|rest| !rest.is_empty())?;
            let (before, behind) = rest.split_at_checked(sought.find(rest)?)?;
            let start = from + memrchr(b'\n', before).map_or(0, |end| end + 1);
            number += memchr_iter(b'\n', before).count();
            let end = from + before.len() + memchr(b'\n', behind)?;
            let found = (number, self.names.get(start..end)?, self.folded.get(start..end)?);
            (from, number) = (end + 1, number + 1);
            Some(found)
        })
    }

    /// The lists of its names.
    pub(super) fn lists(&self) -> Lists<'_> {
        let steps = self.steps.get().map_or(&[][..], Vec::as_slice);
        Lists { bits: BitReader::new(&self.lists), before: Before::default(), next: 0, steps }
    }

    /// The same, which can be read from several places on.
    pub(super) fn lists_by_steps(&self, files: u32) -> Lists<'_> {
        self.steps.get_or_init(|| {
            let (mut lists, mut list) = (self.lists(), Vec::new());
            // A list that cannot be read is found again by who wants it.
            let step = |number| {
                lists.pass(number, files, &mut list).ok()?;
                Some(Step { at: lists.bits.at(), before: lists.before.clone() })
            };
            (0..self.count).step_by(STEP).map_while(step).collect()
        });
        self.lists()
    }

    fn held(&self) -> usize {
        let steps = self.count.div_ceil(STEP) * STEP_BYTES;
        size_of::<Self>() + self.names.len() + self.folded.len() + self.lists.len() + steps
    }
}

/// The lists of a block, which are read in order.
pub(super) struct Lists<'u> {
    bits: BitReader<'u>,
    before: Before,
    next: usize,
    steps: &'u [Step],
}

impl Lists<'_> {
    /// Reads the list of the name with this number, which is greater than those before, into `list`.
    pub(super) fn read(
        &mut self,
        number: usize,
        files: u32,
        list: &mut Vec<Pair>,
    ) -> Result<(), Fault> {
        let nearest = number / STEP;
        if let Some(step) = self.steps.get(nearest).filter(|_| nearest * STEP > self.next) {
            self.bits.go_to(step.at);
            self.before.clone_from(&step.before);
            self.next = nearest * STEP;
        }
        self.pass(number, files, list)?;
        self.next += 1;
        read_pairs(&mut self.bits, &mut self.before, files, true, list).ok_or(BAD)
    }

    /// Passes the lists before the name with this number.
    fn pass(&mut self, number: usize, files: u32, list: &mut Vec<Pair>) -> Result<(), Fault> {
        while self.next < number {
            read_pairs(&mut self.bits, &mut self.before, files, false, list).ok_or(BAD)?;
            self.next += 1;
        }
        Ok(())
    }
}

/// The blocks of an index that are kept.
#[derive(Debug)]
pub(super) struct Kept(Mutex<Cache<u32, Arc<Unpacked>, Held>>);

/// Weighs blocks by the bytes that they hold.
#[derive(Clone, Debug)]
struct Held;

impl Weighter<u32, Arc<Unpacked>> for Held {
    fn weight(&self, _number: &u32, block: &Arc<Unpacked>) -> u64 {
        block.held() as u64
    }
}

impl Default for Kept {
    fn default() -> Self {
        Self(Mutex::new(Cache::with_weighter(MOST_KEPT / USUAL, MOST_KEPT as u64, Held)))
    }
}

impl Kept {
    pub(super) fn get(&self, number: u32) -> Option<Arc<Unpacked>> {
        self.blocks().get(&number).cloned()
    }

    pub(super) fn keep(&self, number: u32, block: Arc<Unpacked>) {
        self.blocks().insert(number, block);
    }

    fn blocks(&self) -> MutexGuard<'_, Cache<u32, Arc<Unpacked>, Held>> {
        // A panic under the lock leaves no block half kept.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unpacked(names: &str) -> Unpacked {
        let folded = names.to_ascii_lowercase().into_bytes();
        let (count, steps) = (0, OnceLock::new());
        Unpacked { names: names.to_owned(), folded, lists: Vec::new(), count, steps }
    }

    #[test]
    fn names_that_hold_a_word_are_found_once_each_with_their_numbers() {
        let block = unpacked("Line\na\nlineLine\nx_LINE\n");
        let holding = |sought: &str| -> Vec<(usize, String)> {
            let finder = Finder::new(sought);
            block.holding(&finder).map(|(number, name, _)| (number, name.to_owned())).collect()
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
    fn blocks_are_kept_up_to_their_bytes_and_those_asked_for_again_longest() {
        let kept = Kept::default();
        let block = Arc::new(unpacked(&"a".repeat(1 << 18)));
        kept.keep(0, Arc::clone(&block));
        for number in 1..90 {
            assert!(kept.get(0).is_some(), "before {number}");
            kept.keep(number, Arc::clone(&block));
            assert!(kept.blocks().weight() <= MOST_KEPT as u64);
        }
        assert!(kept.blocks().len() > MOST_KEPT / block.held() / 2);
        kept.keep(90, Arc::new(unpacked(&"a".repeat(MOST_KEPT))));
        assert!(kept.get(90).is_none(), "one that is too large");
    }
}
