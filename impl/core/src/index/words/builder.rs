//! A batch of files turned round: from files with their identifiers to names with their files.

use xxhash_rust::xxh3::xxh3_64;

use super::{
    Fault, Shape,
    pair::{Pair, Turned, Uses, place, sorted},
    writer::write,
};

/// Places of a table to begin with.
const PLACES: usize = 1 << 10;

/// Turns files round. The identifiers of one file are first put together in a table of its own,
/// which is small.
#[derive(Debug, Default)]
pub struct Builder {
    own: Table,
    uses: Vec<Uses>,
    names: Table,
    /// Names by number with what they have, one file after the other.
    pairs: Vec<(u32, Uses)>,
    /// Of each file where its pairs end. The last one's are still in `own`.
    files: Vec<(u32, usize)>,
    is_unordered: bool,
}

impl Builder {
    /// Adds one identifier of a file, with the level it is defined at there, 0 to 3. Files come one
    /// after the other, with ascending numbers.
    pub fn add(&mut self, file: u32, name: &str, level: u8) {
        let last = self.files.last().map(|(last, _)| *last);
        if last != Some(file) {
            self.close();
            self.is_unordered |= last > Some(file);
            self.files.push((file, 0));
        }
        let number = self.own.number(name) as usize;
        let uses = Uses::new(1, level);
        match self.uses.get_mut(number) {
            Some(known) => *known = known.and(uses),
            None => self.uses.push(uses),
        }
    }

    /// Moves what the last file has to the others.
    fn close(&mut self) {
        for (number, uses) in (0..).zip(self.uses.drain(..)) {
            let name = self.names.number(self.own.name(number));
            self.pairs.push((name, uses));
        }
        self.own.clear();
        if let Some((_, end)) = self.files.last_mut() {
            *end = self.pairs.len();
        }
    }

    /// Bytes held, and that [`Self::finish`] needs besides: what is stored, and the keys of blocks,
    /// come to less than the pairs that are given up before.
    pub fn held(&self) -> usize {
        let pairs = self.pairs.capacity() + self.pairs.len() + self.uses.capacity();
        let sorted = self.names.ends.len() * size_of::<([u8; 16], u32)>();
        self.own.held() + self.names.held() + sorted + pairs * 8 + self.files.capacity() * 16
    }

    /// The stored form of what was added, out of `files` files.
    pub fn finish(mut self, files: u32, shape: Shape) -> Result<Vec<u8>, Fault> {
        self.close();
        let Self { names: Table { text, ends, slots }, mut pairs, files: of, is_unordered, .. } =
            self;
        drop(slots);
        let is_stored = |length: usize| u32::try_from(length).is_ok();
        if is_unordered || of.last().is_some_and(|(last, _)| *last >= files) {
            return Err(Fault::Malformed("a list of files"));
        }
        if !is_stored(text.len()) || !is_stored(pairs.len()) {
            return Err(Fault::Malformed("more words than can be stored"));
        }
        let (text, ends, numbers) = sorted(&text, &ends);
        for (name, _) in &mut pairs {
            *name = numbers.get(*name as usize).copied().unwrap_or(0);
        }
        drop(numbers);
        let turned = turn(&pairs, of, ends.len());
        drop(pairs);
        let (pairs, lists) = turned;
        write(&Turned { text, ends, pairs, lists }, files, shape)
    }
}

/// The pairs of each of so many names, and where they end.
fn turn(pairs: &[(u32, Uses)], files: Vec<(u32, usize)>, names: usize) -> (Vec<Pair>, Vec<u32>) {
    // First how many pairs each name has, then where the next one goes, at last where they end.
    let mut lists = vec![0; names];
    for (name, _) in pairs {
        if let Some(count) = lists.get_mut(*name as usize) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for count in &mut lists {
        sum += std::mem::replace(count, sum);
    }
    let mut turned = vec![Pair::default(); pairs.len()];
    let mut start = 0;
    for (file, end) in files {
        for (name, uses) in pairs.get(start..end).unwrap_or_default() {
            let Some(next) = lists.get_mut(*name as usize) else { continue };
            if let Some(place) = turned.get_mut(*next as usize) {
                *place = Pair { file, uses: *uses };
            }
            *next += 1;
        }
        start = end;
    }
    (turned, lists)
}

/// Names with numbers.
#[derive(Debug, Default)]
struct Table {
    /// The names, one after the other, and where each ends.
    text: String,
    ends: Vec<u32>,
    /// By hash: in the high half some bits of it, in the low one a number and one more; 0 where
    /// there is none. Its length is a power of two.
    slots: Vec<u64>,
}

impl Table {
    fn held(&self) -> usize {
        self.text.capacity() + self.ends.capacity() * 4 + self.slots.capacity() * 8
    }

    fn name(&self, number: u32) -> &str {
        let (start, end) = place(&self.ends, number);
        self.text.get(start..end).unwrap_or_default()
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.slots.truncate(PLACES);
        self.slots.fill(0);
    }

    /// The number of a name, a new one if it has none.
    fn number(&mut self, name: &str) -> u32 {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let hash = xxh3_64(name.as_bytes()) >> 32;
        let slot = self.slot(hash, |number| self.name(number) == name);
        let Some(slot) = self.slots.get_mut(slot) else { return 0 };
        if *slot == 0 {
            self.text.push_str(name);
            self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
            *slot = hash << 32 | self.ends.len() as u64;
        }
        number(*slot) - 1
    }

    /// Where a name is, or would be.
    fn slot(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = usize::try_from(hash).unwrap_or(0) & mask;
        while let Some(slot) = self.slots.get(at).filter(|slot| **slot != 0) {
            if slot >> 32 == hash && is_it(number(*slot) - 1) {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let slots = vec![0; (self.slots.len() * 2).max(PLACES)];
        for slot in std::mem::replace(&mut self.slots, slots) {
            if slot != 0 {
                let at = self.slot(slot >> 32, |_| false);
                if let Some(place) = self.slots.get_mut(at) {
                    *place = slot;
                }
            }
        }
    }
}

fn number(slot: u64) -> u32 {
    u32::try_from(slot & u64::from(u32::MAX)).unwrap_or(0)
}
