//! A batch of files turned round: from files with their identifiers to names with their files.

use xxhash_rust::xxh3::xxh3_64;

use super::{Fault, Pair, Shape, writer::Writer};

/// Turns files round.
#[derive(Debug, Default)]
pub struct Builder {
    /// The names, one after the other, and where each ends.
    text: String,
    ends: Vec<usize>,
    /// Numbers of names by hash, one more than they are; 0 where there is none. Its length is a
    /// power of two.
    table: Vec<u32>,
    /// Name and pair, in the order of files.
    pairs: Vec<(u32, Pair)>,
    /// For each name where its newest pair is.
    newest: Vec<u32>,
}

impl Builder {
    /// Adds one identifier of a file, with the level it is defined at there, 0 to 3. Files come one
    /// after the other, with ascending numbers.
    pub fn add(&mut self, file: u32, name: &str, level: u8) {
        let level = level.min(3);
        let number = self.number(name);
        let newest = self.newest.get_mut(number as usize);
        let Some(newest) = newest else { return };
        match self.pairs.get_mut(*newest as usize) {
            Some((same, pair)) if *same == number && pair.file == file => {
                pair.count = pair.count.saturating_add(1);
                pair.level = pair.level.max(level);
            }
            _ => {
                *newest = u32::try_from(self.pairs.len()).unwrap_or(u32::MAX);
                self.pairs.push((number, Pair { file, count: 1, level }));
            }
        }
    }

    /// Bytes held so far, about.
    pub fn held(&self) -> usize {
        self.text.len() + self.ends.len() * 16 + self.table.len() * 4 + self.pairs.len() * 32
    }

    fn name(&self, number: usize) -> &str {
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before));
        let end = self.ends.get(number).copied().unwrap_or(0);
        self.text.get(start.copied().unwrap_or(0)..end).unwrap_or_default()
    }

    /// The number of a name, a new one if it has none.
    fn number(&mut self, name: &str) -> u32 {
        if self.ends.len() * 2 >= self.table.len() {
            self.grow();
        }
        let slot = self.slot(name);
        let known = self.table.get(slot).copied().unwrap_or(0);
        if let Some(number) = known.checked_sub(1) {
            return number;
        }
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.newest.push(u32::MAX);
        let count = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        if let Some(slot) = self.table.get_mut(slot) {
            *slot = count;
        }
        count - 1
    }

    /// Where a name is in the table, or would be.
    fn slot(&self, name: &str) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = usize::try_from(xxh3_64(name.as_bytes()) & mask as u64).unwrap_or(0);
        while let Some(number) = self.table.get(slot).and_then(|known| known.checked_sub(1)) {
            if self.name(number as usize) == name {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.table = vec![0; (self.table.len() * 4).max(1 << 10)];
        for number in 0..self.ends.len() {
            let slot = self.slot(self.name(number));
            if let Some(slot) = self.table.get_mut(slot) {
                *slot = u32::try_from(number + 1).unwrap_or(u32::MAX);
            }
        }
    }

    /// The stored form of what was added, out of `files` files.
    pub fn finish(mut self, files: u32, shape: Shape) -> Result<Vec<u8>, Fault> {
        (self.table, self.newest) = (Vec::new(), Vec::new());
        let mut order: Vec<u32> = (0..).take(self.ends.len()).collect();
        order.sort_unstable_by(|a, b| self.name(*a as usize).cmp(self.name(*b as usize)));
        let mut starts = vec![0_usize; self.ends.len() + 1];
        for (name, _) in &self.pairs {
            if let Some(start) = starts.get_mut(*name as usize + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut lists = vec![Pair { file: 0, count: 1, level: 0 }; self.pairs.len()];
        let mut next = starts.clone();
        for (name, pair) in std::mem::take(&mut self.pairs) {
            if let Some(at) = next.get_mut(name as usize) {
                if let Some(place) = lists.get_mut(*at) {
                    *place = pair;
                }
                *at += 1;
            }
        }
        let mut writer = Writer::new(files, shape);
        for number in order {
            let number = number as usize;
            let list = starts.get(number).zip(starts.get(number + 1));
            let list = list.and_then(|(start, end)| lists.get(*start..*end)).unwrap_or_default();
            writer.add(self.name(number), list)?;
        }
        writer.finish()
    }
}
