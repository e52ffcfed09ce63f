//! Runs that stand in so many blocks that looking through them takes too long: lists of their files
//! of their own.

use std::collections::BTreeMap;

use super::{
    Fault, Stored,
    bits::{BitReader, BitWriter},
    keys::entry,
    lists::{Before, read_pairs, write_pairs},
    pair::{Pair, Turned, Uses},
    put,
    section::{Pieces, Section},
    split::{Kind, Split, key, text_of},
    take, take_slice,
};

/// Bits by which most keys that are not common are recognised.
const KNOWN: u32 = 16;
const BAD: Fault = Fault::Malformed("a list of a common word");

/// A common run, and the names that have it.
#[derive(Debug)]
struct Run {
    text: String,
    names: Vec<u32>,
}

/// All common runs, with their names being gathered.
#[derive(Debug)]
pub(super) struct Gathering {
    /// The keys of common runs, in order, and the runs of each.
    keys: Vec<(u32, Vec<usize>)>,
    /// The lowest bits of those keys: most runs are not common, and are recognised by it.
    known: Vec<bool>,
    runs: Vec<Run>,
    /// The name at hand, and its runs, each with the number of its last part.
    last: Split,
    at: Vec<(usize, usize)>,
}

impl Gathering {
    /// What is in more than so many blocks by these entries, which are in order.
    pub(super) fn new(entries: &[u64], blocks: usize) -> Self {
        let groups = entries.chunk_by(|a, b| a >> 32 == b >> 32);
        let common = groups.filter(|group| group.len() > blocks).filter_map(|group| group.first());
        let keys: Vec<_> = common.map(|entry| ((entry >> 32) as u32, Vec::new())).collect();
        let mut known = vec![false; 1 << KNOWN];
        for (key, _) in &keys {
            known.get_mut(low(*key)).into_iter().for_each(|known| *known = true);
        }
        Self { keys, known, runs: Vec::new(), last: Split::default(), at: Vec::new() }
    }

    /// The place of a run's key, if it is that of a common one.
    fn place(&self, run: &str) -> Option<usize> {
        let key = key(Kind::Run, run);
        self.known.get(low(key)).filter(|known| **known)?;
        self.keys.binary_search_by_key(&key, |(key, _)| *key).ok()
    }

    /// Adds a name of a block, and the entries by which it is found besides.
    pub(super) fn add(
        &mut self,
        name: &Split,
        number: u32,
        names: &Turned,
        block: u32,
        entries: &mut Vec<u64>,
    ) {
        let known = name.common_parts(&self.last);
        self.at.retain(|(last, _)| *last < known);
        name.each_run_beyond(known, |last, run| {
            let Some((_, same)) = self.place(run).and_then(|at| self.keys.get_mut(at)) else {
                return;
            };
            let is_it = |at: &&usize| self.runs.get(**at).is_some_and(|known| known.text == run);
            let at = same.iter().find(is_it).copied().unwrap_or_else(|| {
                same.push(self.runs.len());
                self.runs.push(Run { text: run.to_owned(), names: Vec::new() });
                self.runs.len() - 1
            });
            self.at.push((last, at));
        });
        self.last.clone_from(name);
        for (_, at) in &self.at {
            // A run may stand in a name more than once.
            if let Some(run) =
                self.runs.get_mut(*at).filter(|run| run.names.last() != Some(&number))
            {
                run.names.push(number);
            }
        }
        if self.at.is_empty() {
            return;
        }
        let is_common = |run: &str| self.place(run).is_some();
        if let Some(whole) = name.whole().filter(|whole| is_common(whole)) {
            entries.push(entry(key(Kind::Whole, whole), block));
        }
        let is_defined = || names.list(number).iter().any(|pair| pair.uses.level() > 0);
        if name.len() > 1 && name.parts().all(is_common) && is_defined() {
            let text = text_of(&name.parts().collect());
            entries.push(entry(key(Kind::Parts, &text), block));
        }
    }

    /// The stored form: runs in order, and their lists out of `files` files.
    pub(super) fn write(mut self, names: &Turned, files: u32) -> Result<(Vec<u8>, Pieces), Fault> {
        self.runs.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        let (mut texts, mut lists) = (Vec::new(), Pieces::default());
        put(&mut texts, self.runs.len() as u64);
        let (mut sums, mut list) = (vec![Uses::default(); files as usize], Vec::new());
        for run in self.runs {
            let (mut low, mut high) = (files, 0);
            for number in &run.names {
                let pairs = names.list(*number);
                for pair in pairs {
                    if let Some(sum) = sums.get_mut(pair.file as usize) {
                        *sum = sum.and(pair.uses);
                    }
                }
                low = pairs.first().map_or(low, |pair| low.min(pair.file));
                high = pairs.last().map_or(high, |pair| high.max(pair.file + 1));
            }
            list.clear();
            let touched = sums.get_mut(low as usize..high as usize).unwrap_or_default();
            for (file, sum) in (low..).zip(touched) {
                let uses = std::mem::take(sum);
                if uses.count() > 0 {
                    list.push(Pair { file, uses });
                }
            }
            put(&mut texts, run.text.len() as u64);
            texts.extend_from_slice(run.text.as_bytes());
            let mut bits = BitWriter::default();
            write_pairs(&mut bits, &mut Before::default(), &list, files);
            lists.bytes.extend(bits.finish());
            lists.close()?;
        }
        Ok((texts, lists))
    }
}

fn low(key: u32) -> usize {
    key as usize & ((1 << KNOWN) - 1)
}

/// The stored form, being read.
#[derive(Debug)]
pub(super) struct Common {
    runs: BTreeMap<Vec<u8>, usize>,
    lists: Section,
}

impl Common {
    /// Reads its part from the front of `head`, and moves `head` behind it.
    pub(super) fn take(head: &mut &[u8], start: &mut u64) -> Option<Self> {
        let count = take(head)?;
        let mut runs = BTreeMap::new();
        for number in 0..usize::try_from(count).ok()? {
            let length = take(head)?;
            runs.insert(take_slice(head, length)?.to_vec(), number);
        }
        Some(Self { runs, lists: Section::take(head, count, start)? })
    }

    /// How many bytes the lists have.
    pub(super) fn size(&self) -> u64 {
        self.lists.size()
    }

    /// Whether a run is common.
    pub(super) fn has(&self, run: &str) -> bool {
        self.runs.contains_key(run.as_bytes())
    }

    /// The list of a run, out of `files` files, if it is common.
    pub(super) fn list(
        &self,
        stored: &dyn Stored,
        run: &str,
        files: u32,
    ) -> Result<Option<Vec<Pair>>, Fault> {
        let Some(number) = self.runs.get(run.as_bytes()) else { return Ok(None) };
        let bytes = self.lists.read(stored, *number)?;
        let mut list = Vec::new();
        let mut bits = BitReader::new(&bytes);
        read_pairs(&mut bits, &mut Before::default(), files, true, &mut list).ok_or(BAD)?;
        Ok(Some(list))
    }
}
