//! What was learnt of a batch of files: little of each, since what is known of them stays where it
//! is.

use forge_search_core::{
    index::{
        segment::{Block, Catalog, Fault, Fingerprint, RankMap, Row, Source},
        tokens::TokenStatus,
    },
    text::TextKind,
};

use super::{Memory, Postings, Segment};
use crate::index::{catalog::UnindexedFile, spill::Spill};

/// What was learnt of a file by reading it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenizedFile {
    pub(crate) status: Option<TokenStatus>,
    pub(crate) kind: TextKind,
    pub(crate) complete: bool,
    pub(crate) racy: bool,
}

impl TokenizedFile {
    /// The file with this path, which was this when it was read.
    pub(crate) fn row(self, path: &[u8], fingerprint: Fingerprint) -> Row {
        let Self { status, kind, complete, racy } = self;
        Row { path: path.to_vec(), fingerprint, status, kind, complete, racy }
    }
}

/// What was learnt of a batch of files.
#[derive(Debug)]
pub(crate) struct Batch {
    /// Of each file of the batch; none of one that was not what it was. The others have the ranks
    /// of the postings.
    files: Vec<Option<TokenizedFile>>,
    postings: Postings,
}

impl Batch {
    /// Nothing was learnt of so many files.
    pub(crate) fn unread(files: usize) -> Self {
        Self { files: vec![None; files], postings: Postings::Unread }
    }

    /// With postings, in memory or on disk where they have become many.
    pub(crate) fn held(
        files: Vec<Option<TokenizedFile>>,
        blocks: Vec<Block>,
        spill: &Spill,
    ) -> Self {
        Self { files, postings: Postings::Memory(Memory::held(blocks, spill)) }
    }

    /// With the two filters of each file that was read.
    pub(crate) fn packed(files: Vec<Option<TokenizedFile>>, filters: Vec<[Vec<u8>; 2]>) -> Self {
        Self { files, postings: Postings::Packed(filters) }
    }

    /// Each file of the batch, in order.
    pub(crate) fn files(&self) -> &[Option<TokenizedFile>] {
        &self.files
    }

    /// The files that were read as a segment of their own, given those of the batch.
    pub(crate) fn into_segment(self, wanted: &[UnindexedFile]) -> Segment {
        let mut catalog = Catalog::default();
        for (learnt, file) in self.files.iter().zip(wanted) {
            if let Some(learnt) = learnt {
                catalog.push(&learnt.row(file.path(), file.fingerprint()));
            }
        }
        Segment::with(None, catalog, self.postings)
    }

    /// The batch as part of a merge, with the new rank of each file that was read; none if it has
    /// no postings.
    pub(crate) fn source(&self, table: Vec<u32>) -> Option<Source<'_>> {
        let Postings::Memory(memory) = &self.postings else { return None };
        Some(memory.source(table))
    }

    /// The packed filters of a file that was read.
    pub(crate) fn filters(&self, rank: u32) -> Result<[Vec<u8>; 2], Fault> {
        let Postings::Packed(filters) = &self.postings else {
            return Err(Fault::Malformed("a packed batch"));
        };
        filters.get(rank as usize).cloned().ok_or(Fault::Malformed("a packed batch"))
    }
}

impl Memory {
    pub(super) fn held(blocks: Vec<Block>, spill: &Spill) -> Self {
        let first = blocks.iter().map(|block| block.first).collect();
        let (blocks, bytes) = spill.hold(blocks);
        Self { blocks, first, bytes }
    }

    pub(super) fn source(&self, table: Vec<u32>) -> Source<'_> {
        let files = u32::try_from(table.len()).unwrap_or(u32::MAX);
        Source { blocks: &*self.blocks, count: self.first.len(), files, map: RankMap::Table(table) }
    }
}
