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

    fn is_of(&self, base: &Arc<Segment>) -> bool {
        std::ptr::eq(self.base.as_ptr(), Arc::as_ptr(base))
    }

    /// What the words of a query come to; `None` if files have to be read for one of them.
    fn find(&self, words: &[Word<'_>], demand: Demand) -> Result<Option<KnownFiles>, Fault> {
        let all: Vec<_> = self.shards.iter().zip(&self.ranks).collect();
        let done = parking_lot::Mutex::new(Ok(Some(KnownFiles::default())));
        in_parallel(&all, 1, |(shard, ranks)| {
            let found = find_in(shard, ranks, words, demand);
            let mut done = done.lock();
            match (&mut *done, found) {
                (Ok(Some(known)), Ok(Some(more))) => known.extend(more),
                (Ok(_), found) => *done = found,
                (Err(_), _) => {}
            }
            matches!(*done, Ok(Some(_)))
        });
        Ok(done.into_inner()?.map(|mut known| {
            known.files.sort_unstable_by_key(|file| file.rank);
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
) -> Result<Option<KnownFiles>, Fault> {
    let found = shard.words.find(words, demand)?;
    let Some(lists) = found.into_iter().collect::<Option<Vec<Vec<Found>>>>() else {
        return Ok(None);
    };
    let mut rest: Vec<&[Found]> = lists.iter().map(Vec::as_slice).collect();
    let mut known = KnownFiles { words: words.len(), ..KnownFiles::default() };
    for number in candidates(&lists, demand) {
        let at = number as usize;
        let Some(rank) = ranks.get(at).filter(|rank| **rank != u32::MAX) else { continue };
        let begin = known.found.len();
        let mut is_enough = true;
        for list in &mut rest {
            let from = list.partition_point(|found| found.file < number);
            *list = list.get(from..).unwrap_or_default();
            let found = list.first().filter(|found| found.file == number).copied();
            is_enough &= found.is_some() || demand == Demand::Any;
            known.found.push(found.unwrap_or_default());
        }
        match shard.files.get(at) {
            Some(file) if is_enough => {
                known.files.push(KnownFile { rank: *rank, bytes: file.bytes, found: begin });
            }
            _ => known.found.truncate(begin),
        }
    }
    Ok(Some(known))
}

/// The files that may have enough of these ascending lists, ascending.
fn candidates(lists: &[Vec<Found>], demand: Demand) -> Vec<u32> {
    let files = |list: &Vec<Found>| list.iter().map(|found| found.file).collect();
    match demand {
        Demand::All => lists.iter().min_by_key(|list| list.len()).map(files).unwrap_or_default(),
        Demand::Any => {
            let mut all: Vec<u32> = lists.iter().flat_map(files).collect();
            all.sort_unstable();
            all.dedup();
            all
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
#[derive(Debug, Default)]
pub(crate) struct KnownFiles {
    words: usize,
    /// By rank.
    files: Vec<KnownFile>,
    /// What each word has in a file, which may be nothing, file after file.
    found: Vec<Found>,
}

impl KnownFiles {
    /// The bytes of a file's text, and what each word has there.
    pub(crate) fn get(&self, rank: u32) -> Option<(u64, &[Found])> {
        let at = self.files.binary_search_by_key(&rank, |file| file.rank).ok()?;
        let file = self.files.get(at)?;
        Some((file.bytes, self.found.get(file.found..file.found + self.words)?))
    }

    /// Adds the files of another shard.
    fn extend(&mut self, more: Self) {
        let behind = self.found.len();
        let moved = |file: KnownFile| KnownFile { found: file.found + behind, ..file };
        self.words = more.words;
        self.files.extend(more.files.into_iter().map(moved));
        self.found.extend(more.found);
    }

    /// Replaces candidates that the shards know, of at most `cap` bytes and at no mount point, by
    /// those in which enough words occur. Candidates among `read` stay, and are not known.
    pub(super) fn narrow(
        &mut self,
        index: &WordIndex,
        base: &Segment,
        cap: u64,
        mounted: &[u32],
        read: Option<&RankSet>,
        candidates: &mut RankSet,
    ) {
        let mut known = index.covered.clone();
        for rank in mounted {
            known.remove(*rank);
        }
        if base.largest > cap {
            let is_larger = |rank: &u32| base.catalog.fingerprint(*rank).size > cap;
            for rank in index.covered.iter().filter(is_larger) {
                known.remove(rank);
            }
        }
        if let Some(read) = read {
            known.subtract(read);
        }
        candidates.subtract(&known);
        self.files.retain(|file| known.contains(file.rank));
        self.files.iter().for_each(|file| candidates.insert(file.rank));
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
        let found = index.and_then(|index| Ok((index.find(query.words, query.demand)?, index)));
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
