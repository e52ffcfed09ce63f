//! The words of the base's files, by which `search_text` ranks them without reading them
//! (docs/index-service.md, section 2).
//!
//! Words are kept in shards, each made of some thousand files at a time and never changed. A shard
//! knows its files by a hash of path and fingerprint, so that it is valid for later bases too: a file
//! that changed has another hash. Responsible for: which files of a base the shards know, what the
//! words of a query come to in them, and making shards. Not here: the bytes of a shard
//! ([`forge_search_core::index::words`]). Invariants: what no shard knows is read; a file comes into
//! a shard only if its times prove that what was read is what its fingerprint names.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use forge_search_core::{
    identifier::{Demand, Word},
    index::{
        segment::{Catalog, Fault, RankSet},
        words::Found,
    },
};
use xxhash_rust::xxh3::xxh3_128;

use super::{
    linked_files::in_parallel, query::WordQuery, root_index::RootIndex, segment::Segment,
    store::Store,
};

mod shard;
mod upkeep;

use shard::{Shard, ShardFile};

/// Files, and their bytes, that are read without asking whether their n-grams exclude them: asking
/// takes about as long.
const FEW_FILES: u32 = 64;
const FEW_BYTES: u64 = 1 << 20;

/// Which file a rank is.
fn identity(catalog: &Catalog, rank: u32) -> u128 {
    let now = catalog.fingerprint(rank);
    let numbers = [
        now.size,
        now.mtime_ns.cast_unsigned(),
        now.ctime_ns.cast_unsigned(),
        now.device,
        now.inode,
        now.links,
    ];
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend_from_slice(catalog.path(rank));
    xxh3_128(&bytes)
}

/// The shards of a store, and which files of a base they know.
#[derive(Debug)]
pub(crate) struct WordIndex {
    /// Not held: it would keep the store open.
    base: Weak<Segment>,
    shards: Vec<Arc<Shard>>,
    /// For each shard the rank of each file; `u32::MAX` if the base does not have it.
    ranks: Vec<Vec<u32>>,
    /// The files of the base that a shard knows.
    covered: RankSet,
}

/// Whether a shard may know a file: it is text, its n-grams are complete, and changes under another
/// name, which raise no event, are impossible.
fn is_eligible(base: &Segment, rank: u32) -> bool {
    let catalog = &base.catalog;
    !base.never_excluded.contains(rank)
        && !base.binary.contains(rank)
        && catalog.fingerprint(rank).links == 1
}

impl WordIndex {
    fn new(base: &Arc<Segment>, shards: Vec<Arc<Shard>>) -> Self {
        let catalog = &base.catalog;
        let mut covered = RankSet::none(catalog.len());
        let mut by_identity: HashMap<u128, u32> = HashMap::new();
        if !shards.is_empty() {
            let eligible = (0..catalog.len()).filter(|rank| is_eligible(base, *rank));
            by_identity = eligible.map(|rank| (identity(catalog, rank), rank)).collect();
        }
        let mut rank_of = |file: &ShardFile| {
            // A file that two shards know counts in the first.
            let rank = by_identity.remove(&file.identity)?;
            covered.insert(rank);
            Some(rank)
        };
        let mut of_shard = |shard: &Arc<Shard>| {
            shard.files.iter().map(|file| rank_of(file).unwrap_or(u32::MAX)).collect()
        };
        let ranks = shards.iter().map(&mut of_shard).collect();
        Self { base: Arc::downgrade(base), shards, ranks, covered }
    }

    /// The files that no shard knows, if they may as well be read as their n-grams be asked.
    pub(super) fn few_unknown(&self, base: &Segment) -> Option<RankSet> {
        let mut unknown = RankSet::all(self.covered.files());
        unknown.subtract(&self.covered);
        let mut excludable = unknown.clone();
        excludable.subtract(&base.never_excluded);
        let bytes =
            || excludable.iter().map(|rank| base.catalog.fingerprint(rank).size).sum::<u64>();
        (excludable.len() <= FEW_FILES && bytes() <= FEW_BYTES).then_some(unknown)
    }

    fn is_of(&self, base: &Arc<Segment>) -> bool {
        std::ptr::eq(self.base.as_ptr(), Arc::as_ptr(base))
    }

    /// What the words of a query come to in the files of the base; `None` if files have to be read
    /// for one of them.
    fn find(
        &self,
        base: &Arc<Segment>,
        words: &[Word<'_>],
        demand: Demand,
    ) -> Result<Option<KnownFiles>, Fault> {
        let all: Vec<_> = self.shards.iter().zip(&self.ranks).collect();
        let none = KnownFiles {
            base: Arc::clone(base),
            below: 0,
            words: words.len(),
            files: Vec::new(),
            found: Vec::new(),
        };
        let done = parking_lot::Mutex::new(Ok(Some(none)));
        in_parallel(&all, 1, |(shard, ranks)| {
            let found = find_in(shard, ranks, words, demand);
            let mut done = done.lock();
            match (&mut *done, found) {
                (Ok(Some(known)), Ok(Some((files, found)))) => known.extend(files, found),
                (Ok(known), Ok(None)) => *known = None,
                (Ok(_), Err(fault)) => *done = Err(fault),
                (Ok(None) | Err(_), _) => {}
            }
            matches!(*done, Ok(Some(_)))
        });
        Ok(done.into_inner()?.map(|mut known| {
            // Each shard's files are in order, mostly.
            known.files.sort_by_key(|file| file.rank);
            known
        }))
    }
}

/// The files of a shard in which enough words occur; `None` if files have to be read for one of
/// them.
fn find_in(
    shard: &Shard,
    ranks: &[u32],
    words: &[Word<'_>],
    demand: Demand,
) -> Result<Option<(Vec<KnownFile>, Vec<Found>)>, Fault> {
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

/// A file of a base.
#[derive(Debug)]
struct KnownFile {
    rank: u32,
    /// Of its text.
    bytes: u64,
    /// Where begins what the words have there.
    found: usize,
}

/// The files of a base in which enough words of a query occur.
#[derive(Debug)]
pub(crate) struct KnownFiles {
    base: Arc<Segment>,
    /// Bytes of paths that are of the search root.
    below: usize,
    words: usize,
    /// By rank.
    files: Vec<KnownFile>,
    /// What each word has in a file, which may be nothing, file after file.
    found: Vec<Found>,
}

impl KnownFiles {
    /// As a search sees them below a directory, whose path has so many bytes with the slash.
    pub(super) fn below(self, below: usize) -> Self {
        Self { below, ..self }
    }

    /// The rank of a file.
    pub(super) fn rank(&self, place: usize) -> Option<u32> {
        self.files.get(place).map(|file| file.rank)
    }

    /// A file's path below the search root, the bytes of its text, and what each word has there.
    pub(crate) fn get(&self, place: usize) -> Option<(&[u8], u64, &[Found])> {
        let file = self.files.get(place)?;
        let walked = self.base.catalog.path(file.rank).get(self.below..)?;
        Some((walked, file.bytes, self.found.get(file.found..file.found + self.words)?))
    }

    /// Adds the files of another shard.
    fn extend(&mut self, files: Vec<KnownFile>, found: Vec<Found>) {
        let behind = self.found.len();
        let moved = |file: KnownFile| KnownFile { found: file.found + behind, ..file };
        self.files.extend(files.into_iter().map(moved));
        self.found.extend(found);
    }

    /// Takes out candidates that the shards know, and keeps what is known of them. Those of more than
    /// `cap` bytes, mounted ones and those among `read` are candidates, of which nothing is known.
    pub(super) fn narrow(
        &mut self,
        index: &WordIndex,
        cap: u64,
        mounted: &[u32],
        read: Option<&RankSet>,
        candidates: &mut RankSet,
    ) {
        let mut unknown = read.cloned().unwrap_or_else(|| RankSet::none(index.covered.files()));
        mounted.iter().for_each(|rank| unknown.insert(*rank));
        if self.base.largest > cap {
            let is_larger = |rank: &u32| self.base.catalog.fingerprint(*rank).size > cap;
            index.covered.iter().filter(is_larger).for_each(|rank| unknown.insert(rank));
        }
        let mut known = index.covered.clone();
        known.subtract(&unknown);
        candidates.subtract(&known);
        candidates.unite(&unknown);
        self.files.retain(|file| known.contains(file.rank));
    }
}

/// What is kept of words between calls.
#[derive(Debug, Default)]
pub(crate) struct WordState {
    /// The store that the shards are of; none of those in memory.
    store: Option<Weak<Store>>,
    index: Option<Arc<WordIndex>>,
    /// Files of the base that were read for a shard, whether they came into it or not.
    tried: Option<RankSet>,
    /// Shards that are not worth keeping have been deleted for this base: once, since a full shard of
    /// files that are alike may be small.
    tidied: bool,
    /// No shard is made any more: all are made that are worth it, or one could not be stored.
    done: bool,
}

impl WordState {
    /// The shards of a store as they stand to a base.
    fn index(
        &mut self,
        store: Option<&Arc<Store>>,
        base: &Arc<Segment>,
    ) -> Result<Arc<WordIndex>, Fault> {
        let of = self.store.as_ref().map(Weak::as_ptr);
        let is_open = of == store.map(Arc::as_ptr);
        let shards = match &self.index {
            Some(index) if is_open && index.is_of(base) => {
                return Ok(Arc::clone(index));
            }
            Some(index) if is_open => index.shards.clone(),
            _ => store.map(shard::load).transpose()?.unwrap_or_default(),
        };
        *self = Self { store: store.map(Arc::downgrade), ..Self::default() };
        Ok(self.set(WordIndex::new(base, shards)))
    }

    fn set(&mut self, index: WordIndex) -> Arc<WordIndex> {
        let index = Arc::new(index);
        self.index = Some(Arc::clone(&index));
        index
    }

    /// The live files of the base that no shard knows, and that were not tried.
    fn unknown(&self, index: &WordIndex, base: &Segment, dead: &RankSet) -> Vec<u32> {
        let is_tried = |rank| self.tried.as_ref().is_some_and(|tried| tried.contains(rank));
        let is_unknown = |rank: &u32| {
            !index.covered.contains(*rank)
                && !dead.contains(*rank)
                && is_eligible(base, *rank)
                && !is_tried(*rank)
        };
        (0..base.catalog.len()).filter(is_unknown).collect()
    }
}

impl RootIndex {
    /// What the words of a query come to in the files of a base, as far as shards know them.
    pub(super) fn known_files(
        &self,
        base: &Arc<Segment>,
        query: &WordQuery<'_>,
    ) -> Result<Option<(Arc<WordIndex>, KnownFiles)>, Fault> {
        let store = self.control().storage().store().cloned();
        let index = self.word_state().index(store.as_ref(), base);
        let found =
            index.and_then(|index| Ok((index.find(base, query.words, query.demand)?, index)));
        match found {
            Ok((known, index)) => {
                Ok(known.filter(|_| !index.shards.is_empty()).map(|known| (index, known)))
            }
            // The process that writes has deleted a shard.
            Err(Fault::Gone) => {
                self.word_state().index = None;
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }
}

#[cfg(test)]
mod tests;
