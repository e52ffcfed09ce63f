//! Blocks: runs of grams with their lists, in the order of grams.

use std::sync::Arc;

use super::{
    Fault,
    list::{List, put, take},
};
use crate::index::gram::Gram;

/// Bytes of a block that is full. With its key a row of it fills a page of 16 KiB of the store.
const FULL: usize = 15_800;

/// One block: its first gram, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The first gram in it.
    pub first: Gram,
    /// Entries: the gram as the distance from the one before (the first from 0), then its list.
    pub bytes: Vec<u8>,
}

/// Where the blocks of a segment are.
pub trait Blocks: std::fmt::Debug + Send + Sync {
    /// The bytes of one block, verified.
    fn block(&self, number: usize) -> Result<Arc<[u8]>, Fault>;
}

impl Blocks for Vec<Arc<[u8]>> {
    fn block(&self, number: usize) -> Result<Arc<[u8]>, Fault> {
        self.get(number).cloned().ok_or(Fault::Malformed("a directory of blocks"))
    }
}

/// Puts grams into blocks.
#[derive(Debug)]
pub(super) struct Writer<F> {
    files: u32,
    first: Option<Gram>,
    last: u64,
    bytes: Vec<u8>,
    entry: Vec<u8>,
    scratch: Vec<u8>,
    full: F,
}

impl<F: FnMut(Block) -> Result<(), Fault>> Writer<F> {
    /// A writer of lists out of `files` ranks, which hands on each block that is full.
    pub(super) fn new(files: u32, full: F) -> Self {
        Self {
            files,
            first: None,
            last: 0,
            bytes: Vec::with_capacity(FULL),
            entry: Vec::new(),
            scratch: Vec::new(),
            full,
        }
    }

    /// Adds a gram, larger than any before, with its ascending ranks.
    pub(super) fn add(&mut self, gram: Gram, ranks: &[u32]) -> Result<(), Fault> {
        self.entry.clear();
        List::write(ranks, self.files, &mut self.entry, &mut self.scratch);
        // The gram before it takes at most ten bytes.
        if self.first.is_some() && self.bytes.len() + self.entry.len() + 10 > FULL {
            self.flush()?;
        }
        let before = if self.first.is_some() { self.last } else { 0 };
        self.first.get_or_insert(gram);
        put(&mut self.bytes, gram.word() - before);
        self.bytes.extend_from_slice(&self.entry);
        self.last = gram.word();
        Ok(())
    }

    /// Hands on what is left.
    pub(super) fn flush(&mut self) -> Result<(), Fault> {
        if let Some(first) = self.first.take() {
            let bytes = std::mem::replace(&mut self.bytes, Vec::with_capacity(FULL));
            (self.full)(Block { first, bytes })?;
        }
        Ok(())
    }
}

/// Goes through a block's entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entries<'b> {
    bytes: &'b [u8],
    last: u64,
}

impl<'b> Entries<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, last: 0 }
    }

    /// Goes on after the gram with the word `last`.
    pub(super) fn resumed(bytes: &'b [u8], last: u64) -> Self {
        Self { bytes, last }
    }

    /// The next gram and its list.
    pub(super) fn next(&mut self) -> Result<Option<(Gram, List<'b>)>, Fault> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let entry = (|| {
            self.last = self.last.checked_add(take(&mut self.bytes)?)?;
            Some((Gram::from_stored(self.last)?, List::read(&mut self.bytes)?))
        })();
        entry.map(Some).ok_or(Fault::Malformed("a block"))
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }
}
