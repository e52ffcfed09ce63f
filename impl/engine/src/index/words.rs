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
    index::segment::{Catalog, Fault, RankSet},
    text::TextKind,
};
use xxhash_rust::xxh3::xxh3_128;

use super::{
    linked_files::in_parallel, query::WordQuery, root_index::RootIndex, segment::Segment,
    store::Store,
};

mod known;
mod shard;
mod upkeep;

pub(crate) use known::KnownFiles;
use known::find_in;
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
        && catalog.kind(rank) == TextKind::Text
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
        query: &WordQuery<'_>,
    ) -> Result<Option<KnownFiles>, Fault> {
        let WordQuery { words, demand, tell_all, .. } = *query;
        let all: Vec<_> = self.shards.iter().zip(&self.ranks).collect();
        let none = KnownFiles::none(base, words.len(), tell_all);
        let done = parking_lot::Mutex::new(Ok(Some(none)));
        in_parallel(&all, 1, |(shard, ranks)| {
            let found = find_in(shard, ranks, words, demand);
            let mut done = done.lock();
            match (&mut *done, found) {
                (Ok(Some(known)), Ok(Some(found))) => known.extend(found),
                (Ok(known), Ok(None)) => *known = None,
                (Ok(_), Err(fault)) => *done = Err(fault),
                (Ok(None) | Err(_), _) => {}
            }
            matches!(*done, Ok(Some(_)))
        });
        Ok(done.into_inner()?.map(KnownFiles::sorted))
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
        let found = index.and_then(|index| Ok((index.find(base, query)?, index)));
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
