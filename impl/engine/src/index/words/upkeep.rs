//! Making shards in the background, and deleting those that are not worth keeping.

use std::sync::Arc;

use forge_search_core::{
    agent::search_text::names,
    index::{
        machine::State,
        segment::{Fault, RankSet},
        words::{Builder, Shape},
    },
    text::{Encoding, encoding, is_binary},
};

use super::{
    WordIndex, identity,
    shard::{BAD, Shard, ShardFile, delete, store_shard},
};
use crate::{
    index::{
        IndexUse,
        fault::Point,
        root_index::RootIndex,
        segment::Segment,
        store::Store,
        tokenize::{ProvedReader, ReadFile},
    },
    observe,
};

/// Bytes that are held for a shard until it is written.
const MOST_HELD: usize = 128 << 20;
/// Fewer files are not worth a shard: reading them takes some milliseconds.
const FEW: usize = 256;
/// Shards of fewer bytes are made anew with the next one. A full one has several times as many.
const SMALL: u64 = 1 << 20;

/// The next shard to be: where it goes, what there is, and the files that are to come into it.
struct NextShard {
    /// `None` if the index is in memory.
    store: Option<Arc<Store>>,
    base: Arc<Segment>,
    index: Arc<WordIndex>,
    wanted: Vec<u32>,
}

/// What was read for a shard.
struct ReadShard {
    files: Vec<ShardFile>,
    /// The files that were read, whether they came into it or not.
    tried: RankSet,
    bytes: Vec<u8>,
}

impl RootIndex {
    /// Whether a shard is to be made.
    pub(in crate::index) fn words_are_due(&self) -> bool {
        self.next_shard().is_ok_and(|next| next.is_some())
    }

    fn next_shard(&self) -> Result<Option<NextShard>, Fault> {
        let (store, base, dead) = {
            let mut control = self.control();
            let is_ready = control.state() == State::Complete
                && control.storage().is_writable()
                && !control.catalog().files().base().is_unread();
            if !is_ready {
                return Ok(None);
            }
            let view = control.catalog_mut().files_mut().view();
            (control.storage().writer(), Arc::clone(&view.base), Arc::clone(&view.dead))
        };
        let mut state = self.word_state();
        let index = state.index(store.as_ref(), &base)?;
        if state.done {
            return Ok(None);
        }
        let wanted = state.unknown(&index, &base, &dead);
        let few = if self.options.using == IndexUse::Stepped { 1 } else { FEW };
        state.done = wanted.len() < few;
        Ok((!state.done).then_some(NextShard { store, base, index, wanted }))
    }

    /// Makes one shard, or deletes those that are to be part of it, if one is due. Whether it was.
    pub(in crate::index) fn build_words(&self) -> bool {
        let Ok(Some(next)) = self.next_shard() else { return false };
        let is_tidied = std::mem::replace(&mut self.word_state().tidied, true);
        let done = if is_tidied { self.build_shard(&next) } else { self.delete_shards(&next) };
        if let Err(cause) = done {
            // Files are read instead.
            observe::words_are_not_kept(&self.coverage.root, &cause);
            self.word_state().done = true;
        }
        true
    }

    /// Deletes shards most of whose files are gone, and small ones.
    fn delete_shards(&self, next: &NextShard) -> Result<(), Fault> {
        let is_kept =
            |shard: &Shard, live: usize| shard.length >= SMALL && live * 2 >= shard.files.len();
        self.keep_shards(next.store.as_ref(), &next.base, &next.index, &is_kept)
    }

    /// Deletes every shard that knows a file that the base does not have: it may be denied.
    pub(in crate::index) fn purge_words(&self) -> Result<(), Fault> {
        let (store, base) = {
            let control = self.control();
            (control.storage().writer(), Arc::clone(control.catalog().files().base()))
        };
        let index = self.word_state().index(store.as_ref(), &base)?;
        self.keep_shards(store.as_ref(), &base, &index, &|shard, live| live == shard.files.len())
    }

    /// Deletes the shards that are not to be kept, by how many of their files are live.
    fn keep_shards(
        &self,
        store: Option<&Arc<Store>>,
        base: &Arc<Segment>,
        index: &WordIndex,
        is_kept: &dyn Fn(&Shard, usize) -> bool,
    ) -> Result<(), Fault> {
        let mut kept = Vec::new();
        for (shard, ranks) in index.shards.iter().zip(&index.ranks) {
            let live = ranks.iter().filter(|rank| **rank != u32::MAX).count();
            if is_kept(shard, live) {
                kept.push(Arc::clone(shard));
            } else {
                store.map_or(Ok(()), |store| delete(store, shard.id))?;
            }
        }
        if kept.len() < index.shards.len() {
            self.word_state().set(WordIndex::new(base, kept));
        }
        Ok(())
    }

    /// Makes a shard, unless it is stopped.
    fn build_shard(&self, next: &NextShard) -> Result<(), Fault> {
        let NextShard { store, base, index, wanted } = next;
        let Some(read) = self.read_shard(base, wanted)? else { return Ok(()) };
        let mut shards = index.shards.clone();
        if !read.files.is_empty() {
            let length = read.bytes.len() as u64;
            let room = self.settings.index_max_db_bytes;
            let held: u64 = shards.iter().map(|shard| shard.length).sum();
            if store.as_ref().map_or(held, |store| store.size()) + length > room {
                let why = format!("they would exceed `index_max_db_bytes`, which is {room}");
                return Err(Fault::Unreadable(why));
            }
            shards.push(Arc::new(match store {
                None => Shard::open(0, Arc::new(read.bytes), length, read.files)?,
                Some(store) => {
                    let id = store.new_shard()?;
                    store_shard(store, id, &read.files, &read.bytes)?;
                    Shard::load(store, id)?.ok_or(BAD)?
                }
            }));
        }
        let mut state = self.word_state();
        match &mut state.tried {
            Some(tried) => tried.unite(&read.tried),
            none => *none = Some(read.tried),
        }
        state.set(WordIndex::new(base, shards));
        Ok(())
    }

    /// Reads files until a shard is full; `None` if it was stopped.
    fn read_shard(&self, base: &Segment, wanted: &[u32]) -> Result<Option<ReadShard>, Fault> {
        let catalog = &base.catalog;
        let unreadable = |err: std::io::Error| Fault::Unreadable(err.to_string());
        let mut reader = ProvedReader::new(self, Point::ReadWords).map_err(unreadable)?;
        let mut builder = Builder::default();
        let (mut files, mut tried) = (Vec::new(), RankSet::none(catalog.len()));
        for rank in wanted {
            if !self.may_continue() {
                return Ok(None);
            }
            if builder.held() > MOST_HELD {
                break;
            }
            tried.insert(*rank);
            let (path, seen) = (catalog.path(*rank), catalog.fingerprint(*rank));
            if !matches!(reader.read(path, seen), ReadFile::Whole { racy: false }) {
                continue;
            }
            let Encoding::Utf8 { skip } = encoding(&reader.buffer) else { continue };
            let text = reader.buffer.get(skip..).unwrap_or_default();
            if is_binary(text) {
                continue;
            }
            let number = u32::try_from(files.len()).unwrap_or(u32::MAX);
            names(path, text, |name, level| builder.add(number, name, level));
            files.push(ShardFile { identity: identity(catalog, *rank), bytes: text.len() as u64 });
        }
        let count = u32::try_from(files.len()).unwrap_or(u32::MAX);
        let bytes = builder.finish(count, Shape::default())?;
        Ok(Some(ReadShard { files, tried, bytes }))
    }
}
