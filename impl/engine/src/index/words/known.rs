//! What the words of a query come to in the files of a base, of which most need not be read for it.

use std::sync::Arc;

use forge_search_core::{
    identifier::{Demand, Word},
    index::{
        segment::{Fault, RankSet},
        words::Found,
    },
};

use super::{WordIndex, shard::Shard};
use crate::index::segment::Segment;

/// A file of a base.
#[derive(Debug)]
pub(super) struct KnownFile {
    pub(super) rank: u32,
    /// Of its text.
    pub(super) bytes: u64,
    /// Where begins what the words have there.
    pub(super) found: usize,
}

/// The files of a shard, and what each word has in them.
type InShard = (Vec<KnownFile>, Vec<Found>);

/// The files of a base in which enough words of a query occur.
#[derive(Debug)]
pub(crate) struct KnownFiles {
    pub(super) base: Arc<Segment>,
    /// Bytes of paths that are of the search root.
    below: usize,
    words: usize,
    /// Whether files are ranked by nothing else.
    pub(in crate::index) tell_all: bool,
    /// By rank.
    pub(super) files: Vec<KnownFile>,
    /// What each word has in a file, which may be nothing, file after file.
    found: Vec<Found>,
}

impl KnownFiles {
    /// No file of a base, for so many words.
    pub(super) fn none(base: &Arc<Segment>, words: usize, tell_all: bool) -> Self {
        let (files, found) = (Vec::new(), Vec::new());
        Self { base: Arc::clone(base), below: 0, words, tell_all, files, found }
    }

    /// The files by rank.
    pub(super) fn sorted(mut self) -> Self {
        // Those of each shard are in order, mostly.
        self.files.sort_by_key(|file| file.rank);
        self
    }

    /// As a search sees them below a directory, whose path has so many bytes with the slash.
    pub(in crate::index) fn below(self, below: usize) -> Self {
        Self { below, ..self }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// The rank of a file.
    pub(in crate::index) fn rank(&self, place: usize) -> Option<u32> {
        self.files.get(place).map(|file| file.rank)
    }

    /// A file's path below the search root, the bytes of its text, and what each word has there.
    pub(crate) fn get(&self, place: usize) -> Option<(&[u8], u64, &[Found])> {
        let file = self.files.get(place)?;
        let walked = self.base.catalog.path(file.rank).get(self.below..)?;
        Some((walked, file.bytes, self.found.get(file.found..file.found + self.words)?))
    }

    /// Adds the files of another shard.
    pub(super) fn extend(&mut self, (files, found): InShard) {
        let behind = self.found.len();
        let moved = |file: KnownFile| KnownFile { found: file.found + behind, ..file };
        self.files.extend(files.into_iter().map(moved));
        self.found.extend(found);
    }

    /// Takes out candidates that the shards know, but not those that have to be read for what else is
    /// asked of files with the words; keeps what is known of them. Those of more than
    /// `cap` bytes, mounted ones and those among `read` are candidates, of which nothing is known.
    pub(in crate::index) fn narrow(
        &mut self,
        index: &WordIndex,
        cap: u64,
        mounted: &[u32],
        read: Option<&RankSet>,
        candidates: &mut RankSet,
    ) {
        let mut unknown = read.cloned().unwrap_or_else(|| RankSet::none(index.covered.files()));
        for rank in mounted {
            unknown.insert(*rank);
        }
        if self.base.largest > cap {
            let is_larger = |rank: &u32| self.base.catalog.fingerprint(*rank).size > cap;
            for rank in index.covered.iter().filter(is_larger) {
                unknown.insert(rank);
            }
        }
        let mut known = index.covered.clone();
        known.subtract(&unknown);
        self.files.retain(|file| known.contains(file.rank));
        if !self.tell_all {
            // Those with the words are as much candidates as they were.
            self.files.drain(..).for_each(|file| known.remove(file.rank));
        }
        candidates.subtract(&known);
        candidates.unite(&unknown);
    }
}

/// The files of a shard in which enough words occur; `None` if files have to be read for one of
/// them.
pub(super) fn find_in(
    shard: &Shard,
    ranks: &[u32],
    words: &[Word<'_>],
    demand: Demand,
) -> Result<Option<InShard>, Fault> {
    let found = shard.words.find(words, demand)?;
    let Some(lists) = found.into_iter().collect::<Option<Vec<Vec<Found>>>>() else {
        return Ok(None);
    };
    let mut rest: Vec<&[Found]> = lists.iter().map(Vec::as_slice).collect();
    let (mut files, mut found) = (Vec::new(), Vec::new());
    for number in candidates(&lists, ranks.len(), demand) {
        let at = number as usize;
        let Some(rank) = ranks.get(at).filter(|rank| **rank != u32::MAX) else { continue };
        let begin = found.len();
        let mut is_enough = true;
        for list in &mut rest {
            *list = from(list, number);
            let here = list.first().filter(|found| found.file == number).copied();
            is_enough &= here.is_some() || demand == Demand::Any;
            found.push(here.unwrap_or_default());
        }
        match shard.files.get(at) {
            Some(file) if is_enough => {
                files.push(KnownFile { rank: *rank, bytes: file.bytes, found: begin });
            }
            _ => found.truncate(begin),
        }
    }
    Ok(Some((files, found)))
}

/// An ascending list from a file on, which is mostly near.
fn from(list: &[Found], file: u32) -> &[Found] {
    let is_before = |found: &Found| found.file < file;
    let mut far = 1;
    while list.get(far - 1).is_some_and(is_before) {
        far *= 2;
    }
    let near = list.get(..far.min(list.len())).unwrap_or_default();
    list.get(near.partition_point(is_before)..).unwrap_or_default()
}

/// The files of a shard that may have enough of these ascending lists, ascending.
fn candidates(lists: &[Vec<Found>], files_of_shard: usize, demand: Demand) -> Vec<u32> {
    let files = |list: &Vec<Found>| list.iter().map(|found| found.file).collect();
    match demand {
        Demand::All => lists.iter().min_by_key(|list| list.len()).map(files).unwrap_or_default(),
        Demand::Any => {
            let mut all = RankSet::none(u32::try_from(files_of_shard).unwrap_or(u32::MAX));
            lists.iter().flatten().for_each(|found| all.insert(found.file));
            all.iter().collect()
        }
    }
}
