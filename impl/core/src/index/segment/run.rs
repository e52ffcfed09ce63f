//! A batch of files turned round: from files with their grams to grams with their files.
//!
//! Grams of ASCII scalars are sorted by counting, with one counter for each possible one; the
//! others, and all of a small batch, by comparison. No allocation for a gram.

use super::{
    Fault,
    block::{Block, Writer},
};
use crate::index::gram::Gram;

/// Bits of a scalar in the window of an ASCII gram.
const SCALAR_BITS: usize = 7;
/// Most ASCII grams of a small batch. Counting takes some milliseconds and 8 MB however few there
/// are.
const SMALL: usize = 1 << 15;

/// Turns batches round; keeps its tables between them.
#[derive(Debug)]
pub struct Inverter {
    /// Scalars in a gram.
    ngram: usize,
    /// For each ASCII gram how many files hold it, then where its ranks end. Empty for a small
    /// batch.
    counts: Vec<u32>,
    /// The ASCII grams of the batch's files, one file after the other.
    narrow: Vec<u32>,
    /// For each file where its ASCII grams end.
    ends: Vec<(u32, usize)>,
    wide: Vec<(Gram, u32)>,
}

impl Inverter {
    /// An inverter for grams of so many scalars.
    pub fn new(ngram: usize) -> Self {
        Self { ngram, counts: Vec::new(), narrow: Vec::new(), ends: Vec::new(), wide: Vec::new() }
    }

    /// Adds a file, with a rank above those before, and its SENSITIVE grams, each once, in order.
    pub fn add(&mut self, rank: u32, grams: &[Gram]) {
        for &gram in grams {
            match gram.ascii_window() {
                Some(window) => self.narrow.push(window),
                None => self.wide.push((gram, rank)),
            }
        }
        self.ends.push((rank, self.narrow.len()));
    }

    /// Ranks and grams held so far, which determines the memory.
    pub fn held(&self) -> usize {
        self.narrow.len() + self.wide.len() * 4
    }

    /// The blocks of what was added, out of `files` ranks, and room for the next batch.
    pub fn finish(&mut self, files: u32) -> Result<Vec<Block>, Fault> {
        self.finish_by(files, SMALL)
    }

    /// As [`Self::finish`], with another bound of small batches.
    pub(super) fn finish_by(&mut self, files: u32, small: usize) -> Result<Vec<Block>, Fault> {
        self.counts.clear();
        let ranks = if self.narrow.len() <= small {
            self.widen();
            Vec::new()
        } else {
            self.count()
        };
        self.wide.sort_unstable();
        let blocks = self.encode(&ranks, files)?;
        self.narrow.clear();
        self.ends.clear();
        self.wide.clear();
        Ok(blocks)
    }

    /// Hands the ASCII grams to those that are sorted by comparison.
    fn widen(&mut self) {
        let mut from = 0;
        for &(rank, to) in &self.ends {
            let windows = self.narrow.get(from..to).unwrap_or_default();
            let grams = windows.iter().filter_map(|&it| Gram::from_ascii_window(it, self.ngram));
            self.wide.extend(grams.map(|gram| (gram, rank)));
            from = to;
        }
    }

    /// The ranks of the ASCII grams in the order of grams.
    fn count(&mut self) -> Vec<u32> {
        self.counts.resize(1 << (SCALAR_BITS * self.ngram), 0);
        for &window in &self.narrow {
            if let Some(count) = self.counts.get_mut(window as usize) {
                *count += 1;
            }
        }
        let mut end = 0;
        for count in &mut self.counts {
            end += std::mem::replace(count, end);
        }
        let mut ranks = vec![0_u32; self.narrow.len()];
        let mut from = 0;
        for &(rank, to) in &self.ends {
            for &window in self.narrow.get(from..to).unwrap_or_default() {
                if let Some(place) = self.counts.get_mut(window as usize) {
                    if let Some(slot) = ranks.get_mut(*place as usize) {
                        *slot = rank;
                    }
                    *place += 1;
                }
            }
            from = to;
        }
        ranks
    }

    fn encode(&self, ranks: &[u32], files: u32) -> Result<Vec<Block>, Fault> {
        let mut blocks = Vec::new();
        let mut writer = Writer::new(files, |block| {
            blocks.push(block);
            Ok(())
        });
        let mut wide = self.wide.chunk_by(|a, b| a.0 == b.0).peekable();
        let mut list = Vec::new();
        let mut start = 0;
        // Narrow and wide grams alternate in the order of words.
        for (window, &end) in (0_u32..).zip(&self.counts) {
            if end == start {
                continue;
            }
            let Some(gram) = Gram::from_ascii_window(window, self.ngram) else { continue };
            while let Some(group) =
                wide.next_if(|group| group.first().is_some_and(|(wide, _)| *wide < gram))
            {
                add_group(&mut writer, group, &mut list)?;
            }
            writer.add(gram, ranks.get(start as usize..end as usize).unwrap_or_default())?;
            start = end;
        }
        for group in wide {
            add_group(&mut writer, group, &mut list)?;
        }
        writer.flush()?;
        Ok(blocks)
    }
}

fn add_group<F: FnMut(Block) -> Result<(), Fault>>(
    writer: &mut Writer<F>,
    group: &[(Gram, u32)],
    list: &mut Vec<u32>,
) -> Result<(), Fault> {
    list.clear();
    list.extend(group.iter().map(|(_, rank)| rank));
    let Some((gram, _)) = group.first() else { return Ok(()) };
    writer.add(*gram, list)
}
