//! One shard of words, in the store or in memory.

use std::{
    ops::Range,
    sync::{Arc, Weak},
};

use forge_search_core::{
    agent::search_text::names_version,
    index::{
        segment::Fault,
        words::{Stored, Words},
    },
};

use crate::index::{
    fault::Point,
    store::{BlockKind, BorrowedRow, Store},
};

/// Bytes of one row: about those of a block of names. Four rows fit into a page of the store.
const ROW: u64 = 4_000;
/// Rows of one transaction.
const TRANSACTION: usize = 256;
/// A file of a shard: which one, and the bytes of its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShardFile {
    pub(super) identity: u128,
    pub(super) bytes: u64,
}

/// A shard, in the store or in memory.
#[derive(Debug)]
pub(super) struct Shard {
    pub(super) id: u32,
    pub(super) length: u64,
    pub(super) words: Words,
    pub(super) files: Vec<ShardFile>,
}

/// The rows of a shard. The store may be closed before.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) store: Weak<Store>,
    pub(super) id: u32,
}

impl Stored for Rows {
    fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Fault> {
        let store = self.store.upgrade().ok_or(Fault::Gone)?;
        let mut bytes = Vec::new();
        for row in range.start / ROW..range.end.div_ceil(ROW) {
            let number = u32::try_from(row).map_err(|_| BAD)?;
            let content = store.block(self.id, BlockKind::Words, number)?;
            let at =
                |place: u64| usize::try_from(place.saturating_sub(row * ROW)).unwrap_or(usize::MAX);
            let end = at(range.end).min(content.len());
            bytes.extend_from_slice(content.get(at(range.start)..end).ok_or(BAD)?);
        }
        let wanted = range.end.saturating_sub(range.start);
        if bytes.len() as u64 == wanted { Ok(bytes) } else { Err(BAD) }
    }
}

pub(super) const BAD: Fault = Fault::Malformed("the words of an index");

impl Shard {
    /// Loads a stored shard; `None` if it is of another version.
    pub(super) fn load(store: &Arc<Store>, id: u32) -> Result<Option<Self>, Fault> {
        let header = store.block(id, BlockKind::Header, 0)?;
        let (head, files) = header.split_at_checked(16).ok_or(BAD)?;
        let number = |at: usize| {
            let bytes = head.get(at..).and_then(|rest| rest.first_chunk());
            bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        if number(0) != names_version() {
            return Ok(None);
        }
        let (files, rest) = files.as_chunks::<24>();
        let file = |bytes: &[u8; 24]| {
            let (identity, bytes) = bytes.split_at(16);
            Some(ShardFile {
                identity: u128::from_le_bytes(identity.try_into().ok()?),
                bytes: u64::from_le_bytes(bytes.try_into().ok()?),
            })
        };
        let files: Option<Vec<ShardFile>> = files.iter().map(file).collect();
        let rows = Rows { store: Arc::downgrade(store), id };
        let files = files.filter(|_| rest.is_empty()).ok_or(BAD)?;
        Self::open(id, Arc::new(rows), number(8), files).map(Some)
    }

    pub(super) fn open(
        id: u32,
        stored: Arc<dyn Stored>,
        length: u64,
        files: Vec<ShardFile>,
    ) -> Result<Self, Fault> {
        let words = Words::open(stored, length)?;
        if files.len() != words.files() as usize {
            return Err(BAD);
        }
        Ok(Self { id, length, words, files })
    }

    /// The row that says that a shard of these bytes is whole.
    pub(super) fn header(files: &[ShardFile], length: u64) -> Vec<u8> {
        let mut row = [names_version().to_le_bytes(), length.to_le_bytes()].concat();
        for file in files {
            row.extend(file.identity.to_le_bytes());
            row.extend(file.bytes.to_le_bytes());
        }
        row
    }
}

/// The shards of a store. What is unfinished or of another version is deleted.
pub(super) fn load(store: &Arc<Store>) -> Result<Vec<Arc<Shard>>, Fault> {
    let mut shards = Vec::new();
    for (id, is_whole) in store.shards()? {
        let shard = if is_whole { Shard::load(store, id)? } else { None };
        match shard {
            Some(shard) => shards.push(Arc::new(shard)),
            None if store.is_writer() => delete(store, id)?,
            None => {}
        }
    }
    Ok(shards)
}

pub(super) fn delete(store: &Store, id: u32) -> Result<(), Fault> {
    // A shard without its header is not read.
    store.replace(id, BlockKind::Header, &[])?;
    store.replace(id, BlockKind::Words, &[])
}

/// Stores a shard, its header last.
pub(super) fn store_shard(
    store: &Store,
    id: u32,
    files: &[ShardFile],
    bytes: &[u8],
) -> Result<(), Fault> {
    let rows: Vec<BorrowedRow<'_>> = (0..)
        .zip(bytes.chunks(usize::try_from(ROW).unwrap_or(usize::MAX)))
        .map(|(number, row)| (BlockKind::Words, number, row))
        .collect();
    for rows in rows.chunks(TRANSACTION) {
        store.write(id, rows, Point::WriteWords)?;
    }
    let header = Shard::header(files, bytes.len() as u64);
    store.write(id, &[(BlockKind::Header, 0, &header)], Point::WriteWords)
}
