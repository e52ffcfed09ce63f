//! Runs that stand in so many blocks that looking through them takes too long: lists of their files
//! of their own.

use std::collections::HashMap;

use super::{
    Fault, Pair,
    bits::{BitReader, BitWriter},
    keys::entry,
    lists::{Before, read_pairs, write_pairs},
    put,
    split::{Kind, Split, key, text_of},
    take, take_slice, word_at,
};

const BAD: Fault = Fault::Malformed("a list of a common word");

/// A list being gathered: its first pairs have each file once, in order.
#[derive(Debug, Default)]
struct List {
    text: String,
    pairs: Vec<Pair>,
    tidy: usize,
}

impl List {
    fn add(&mut self, pairs: &[Pair]) {
        self.pairs.extend_from_slice(pairs);
        if self.pairs.len() > 2 * self.tidy + 1_024 {
            self.tidy();
        }
    }

    fn tidy(&mut self) {
        self.pairs.sort_by_key(|pair| pair.file);
        self.pairs.dedup_by(|pair, kept| {
            let same = pair.file == kept.file;
            if same {
                kept.count = kept.count.saturating_add(pair.count);
                kept.level = kept.level.max(pair.level);
            }
            same
        });
        self.tidy = self.pairs.len();
    }
}

/// The lists of all common runs, being gathered.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    by_key: HashMap<u32, Vec<usize>>,
    lists: Vec<List>,
    /// Those that the name at hand adds to.
    at: Vec<usize>,
}

impl Gathering {
    /// What is in more than so many blocks by these entries, which are in order.
    pub(super) fn new(entries: &[u64], blocks: usize) -> Self {
        let groups = entries.chunk_by(|a, b| a >> 32 == b >> 32);
        let keys = groups.filter(|group| group.len() > blocks).filter_map(|group| group.first());
        let by_key = keys.map(|entry| ((entry >> 32) as u32, Vec::new())).collect();
        Self { by_key, ..Self::default() }
    }

    /// Whether a name has a common run; if so its pairs are to be added.
    pub(super) fn takes(&mut self, name: &Split) -> bool {
        let Self { by_key, lists, at } = self;
        at.clear();
        name.each_run(|run| {
            let Some(same) = by_key.get_mut(&key(Kind::Run, run)) else { return };
            let is_it = |at: &&usize| lists.get(**at).is_some_and(|list| list.text == run);
            let number = same.iter().find(is_it).copied().unwrap_or_else(|| {
                same.push(lists.len());
                lists.push(List { text: run.to_owned(), ..List::default() });
                lists.len() - 1
            });
            at.push(number);
        });
        at.sort_unstable();
        at.dedup();
        !at.is_empty()
    }

    /// Adds the pairs of that name of a block, and the entries by which it is found besides.
    pub(super) fn add(&mut self, name: &Split, pairs: &[Pair], block: u32, entries: &mut Vec<u64>) {
        for at in &self.at {
            if let Some(list) = self.lists.get_mut(*at) {
                list.add(pairs);
            }
        }
        let is_common = |run: &str| self.by_key.contains_key(&key(Kind::Run, run));
        if let Some(whole) = name.whole().filter(|whole| is_common(whole)) {
            entries.push(entry(key(Kind::Whole, whole), block));
        }
        if name.len() > 1 && pairs.iter().any(|pair| pair.level > 0) && name.parts().all(is_common)
        {
            let text = text_of(&name.parts().collect());
            entries.push(entry(key(Kind::Parts, &text), block));
        }
    }

    /// Appends the stored form: keys and places in order, then each run with its list.
    pub(super) fn write(self, files: u32, out: &mut Vec<u8>) -> Result<(), Fault> {
        let (mut places, mut bytes) = (Vec::new(), Vec::new());
        for mut list in self.lists {
            list.tidy();
            let place = u32::try_from(bytes.len()).map_err(|_| BAD)?;
            places.push((key(Kind::Run, &list.text), place));
            put(&mut bytes, list.text.len() as u64);
            bytes.extend_from_slice(list.text.as_bytes());
            let mut bits = BitWriter::default();
            write_pairs(&mut bits, &mut Before::default(), &list.pairs, files);
            bytes.extend(bits.finish());
        }
        places.sort_unstable();
        put(out, places.len() as u64);
        for (key, place) in places {
            out.extend(key.to_le_bytes().into_iter().chain(place.to_le_bytes()));
        }
        out.extend(bytes);
        Ok(())
    }
}

/// The stored form, being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common<'b> {
    places: &'b [u8],
    bytes: &'b [u8],
}

impl<'b> Common<'b> {
    pub(super) fn new(mut bytes: &'b [u8]) -> Result<Self, Fault> {
        let places = take(&mut bytes)
            .and_then(|count| take_slice(&mut bytes, count.checked_mul(8)?))
            .ok_or(BAD)?;
        Ok(Self { places, bytes })
    }

    /// The list of a run, if it is common.
    pub(super) fn list(&self, run: &str) -> Result<Option<CommonList<'b>>, Fault> {
        let wanted = key(Kind::Run, run) as usize;
        let key_at = |at: usize| word_at(self.places, at * 2);
        let (mut low, mut high) = (0, self.places.len() / 8);
        while low < high {
            let middle = low.midpoint(high);
            if key_at(middle).ok_or(BAD)? < wanted { low = middle + 1 } else { high = middle }
        }
        while key_at(low) == Some(wanted) {
            let place = word_at(self.places, low * 2 + 1).ok_or(BAD)?;
            let mut rest = self.bytes.get(place..).ok_or(BAD)?;
            let text = take(&mut rest).and_then(|length| take_slice(&mut rest, length));
            if text.ok_or(BAD)? == run.as_bytes() {
                return Ok(Some(CommonList(rest)));
            }
            low += 1;
        }
        Ok(None)
    }
}

/// The list of a common run.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommonList<'b>(&'b [u8]);

impl CommonList<'_> {
    pub(super) fn pairs(self, files: u32) -> Result<Vec<Pair>, Fault> {
        let mut list = Vec::new();
        let mut bits = BitReader::new(self.0);
        read_pairs(&mut bits, &mut Before::default(), files, true, &mut list).ok_or(BAD)?;
        Ok(list)
    }
}

#[cfg(test)]
mod tests;
