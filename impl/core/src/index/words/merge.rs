//! Merging: several indexes of words to one, with new numbers of files.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{Block, Fault, Pair, Shape, Words, writer::Writer};
use crate::index::segment::RankMap;

/// One part of a merge.
#[derive(Debug)]
pub struct Source<'s> {
    /// Its words.
    pub words: Words<'s>,
    /// Where its files go.
    pub map: RankMap,
}

/// A part being gone through.
struct Cursor<'s> {
    source: &'s Source<'s>,
    block: Option<Block<'s>>,
    /// The number of the block that comes next.
    next: usize,
    list: Vec<Pair>,
}

impl Cursor<'_> {
    /// Steps to the next name: whether it is one without keys, and the name.
    fn next(&mut self) -> Result<Option<(bool, String)>, Fault> {
        let blocks = &self.source.words.blocks;
        loop {
            if let Some(block) = &mut self.block
                && let Some(name) = block.next(&blocks.symbols)?
            {
                return Ok(Some((self.next > blocks.keyed as usize, name.to_owned())));
            }
            if self.next == blocks.count() {
                return Ok(None);
            }
            let buffer = self.block.take().map(Block::into_buffer).unwrap_or_default();
            self.block = Some(Block::new(blocks.bytes(self.next)?, buffer)?);
            self.next += 1;
        }
    }

    /// Appends the pairs of the present name under their new numbers.
    fn list(&mut self, pairs: &mut Vec<Pair>) -> Result<(), Fault> {
        if let Some(block) = &mut self.block {
            block.list(self.source.words.files(), &mut self.list)?;
        }
        let map = &self.source.map;
        pairs.extend(self.list.iter().filter_map(|pair| {
            let file = match map {
                RankMap::Offset(by) => pair.file.checked_add(*by)?,
                RankMap::Table(table) => *table.get(pair.file as usize)?,
            };
            (file != u32::MAX).then_some(Pair { file, ..*pair })
        }));
        Ok(())
    }
}

/// Merges indexes into one of `files` files.
pub fn merge(sources: &[Source<'_>], files: u32, shape: Shape) -> Result<Vec<u8>, Fault> {
    let new = |source| Cursor { source, block: None, next: 0, list: Vec::new() };
    let mut cursors: Vec<Cursor<'_>> = sources.iter().map(new).collect();
    let mut heads = BinaryHeap::new();
    for (number, cursor) in cursors.iter_mut().enumerate() {
        heads.extend(cursor.next()?.map(|name| Reverse((name, number))));
    }
    let mut writer = Writer::new(files, shape);
    let mut pairs = Vec::new();
    while let Some(Reverse((name, mut number))) = heads.pop() {
        pairs.clear();
        loop {
            if let Some(cursor) = cursors.get_mut(number) {
                cursor.list(&mut pairs)?;
                heads.extend(cursor.next()?.map(|name| Reverse((name, number))));
            }
            match heads.peek() {
                Some(Reverse((same, other))) if *same == name => number = *other,
                _ => break,
            }
            heads.pop();
        }
        if !pairs.is_sorted_by_key(|pair| pair.file) {
            pairs.sort_unstable_by_key(|pair| pair.file);
        }
        if !pairs.is_empty() {
            writer.add(&name.1, &pairs)?;
        }
    }
    writer.finish()
}
