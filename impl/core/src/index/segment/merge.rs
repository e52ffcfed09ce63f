//! Merging: the blocks of several segments into those of one, with new ranks.
//!
//! The parts are gone through side by side, gram by gram, so that little is held of each; a build
//! merges its batches the same way.

use std::{cmp::Reverse, collections::BinaryHeap, sync::Arc};

use super::{
    Fault,
    block::{Block, Blocks, Entries, Writer},
};
use crate::index::gram::Gram;

/// What becomes of a part's ranks.
#[derive(Clone, Debug)]
pub enum RankMap {
    /// All move up by so many.
    Offset(u32),
    /// Each to its own place, or nowhere (`u32::MAX`). Order is kept.
    Table(Vec<u32>),
}

/// One part of a merge.
#[derive(Debug)]
pub struct Source<'s> {
    /// Where its blocks are.
    pub blocks: &'s dyn Blocks,
    /// How many blocks it has.
    pub count: usize,
    /// How many files it has.
    pub files: u32,
    /// Where its files go.
    pub map: RankMap,
}

/// What a merge leaves besides blocks.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// Every gram, in order.
    pub grams: Vec<Gram>,
    /// The first gram of each block.
    pub first: Vec<Gram>,
}

/// A part being gone through.
struct Cursor<'s> {
    source: &'s Source<'s>,
    block: Arc<[u8]>,
    /// Which block comes next, and how far the present one is.
    next: usize,
    at: usize,
    last: u64,
}

impl Cursor<'_> {
    /// Appends the new ranks of the present entry and steps to the next; the gram of that, if there
    /// is one.
    fn take(&mut self, ranks: &mut Vec<u32>) -> Result<Option<Gram>, Fault> {
        let mut entries = self.entries();
        if let Some((gram, list)) = entries.next()? {
            let map = &self.source.map;
            list.each(self.source.files, |rank| match map {
                RankMap::Offset(by) => ranks.push(rank + by),
                RankMap::Table(table) => {
                    ranks.extend(table.get(rank as usize).filter(|to| **to != u32::MAX));
                }
            })?;
            self.at = self.block.len() - entries.left();
            self.last = gram.word();
        }
        self.peek()
    }

    fn peek(&mut self) -> Result<Option<Gram>, Fault> {
        while self.at >= self.block.len() {
            if self.next >= self.source.count {
                return Ok(None);
            }
            self.block = self.source.blocks.block(self.next)?;
            self.next += 1;
            self.at = 0;
            self.last = 0;
        }
        Ok(self.entries().next()?.map(|(gram, _)| gram))
    }

    fn entries(&self) -> Entries<'_> {
        Entries::resumed(self.block.get(self.at..).unwrap_or_default(), self.last)
    }
}

/// Merges segments into one of `files` files; finished blocks go to `full`.
pub fn merge(
    sources: &[Source<'_>],
    files: u32,
    mut full: impl FnMut(Block) -> Result<(), Fault>,
) -> Result<Merged, Fault> {
    let mut merged = Merged::default();
    let mut first = Vec::new();
    let mut writer = Writer::new(files, |block: Block| {
        first.push(block.first);
        full(block)
    });
    let mut cursors: Vec<Cursor<'_>> = sources
        .iter()
        .map(|source| Cursor { source, block: Arc::from([]), next: 0, at: 0, last: 0 })
        .collect();
    let mut heads = BinaryHeap::new();
    for (number, cursor) in cursors.iter_mut().enumerate() {
        heads.extend(cursor.peek()?.map(|gram| Reverse((gram, number))));
    }
    let mut ranks = Vec::new();
    while let Some(Reverse((gram, mut number))) = heads.pop() {
        ranks.clear();
        loop {
            if let Some(cursor) = cursors.get_mut(number) {
                heads.extend(cursor.take(&mut ranks)?.map(|gram| Reverse((gram, number))));
            }
            match heads.peek() {
                Some(Reverse((same, other))) if *same == gram => number = *other,
                _ => break,
            }
            heads.pop();
        }
        if ranks.is_empty() {
            continue;
        }
        if !ranks.is_sorted() {
            ranks.sort_unstable();
        }
        merged.grams.push(gram);
        writer.add(gram, &ranks)?;
    }
    writer.flush()?;
    drop(writer);
    merged.first = first;
    Ok(merged)
}
