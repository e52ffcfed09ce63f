//! The result of tokenizing a batch of files.

use forge_search_core::{
    index::{
        segment::{Block, Catalog, Fault, Fingerprint, RankMap, Row, Source},
        tokens::TokenStatus,
    },
    text::TextKind,
};

use super::{Memory, Postings, Segment};
use crate::index::{catalog::UnindexedFile, spill::Spill};

/// The result of tokenizing a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenizedFile {
    pub(crate) status: Option<TokenStatus>,
    pub(crate) kind: TextKind,
    pub(crate) complete: bool,
    pub(crate) racy: bool,
}

impl TokenizedFile {
    /// The catalog's row of the file.
    pub(crate) fn row(self, path: &[u8], fingerprint: Fingerprint) -> Row {
        let Self { status, kind, complete, racy } = self;
        Row { path: path.to_vec(), fingerprint, status, kind, complete, racy }
    }
}

/// The result of tokenizing a batch.
#[derive(Debug)]
pub(crate) struct Batch {
    /// By file of the batch; `None` if the file had changed. The ranks of the postings count the
    /// others.
    files: Vec<Option<TokenizedFile>>,
    postings: Postings,
}

impl Batch {
    /// A batch of which no file was read.
    pub(crate) fn unread(files: usize) -> Self {
        Self { files: vec![None; files], postings: Postings::Unread }
    }

    /// With postings, in memory or spilled to disk.
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

    /// The files that were read, as a segment; `wanted` are the files of the batch.
    pub(crate) fn into_segment(self, wanted: &[UnindexedFile]) -> Segment {
        let mut catalog = Catalog::default();
        for (learnt, file) in self.files.iter().zip(wanted) {
            if let Some(learnt) = learnt {
                catalog.push(&learnt.row(file.path(), file.fingerprint()));
            }
        }
        Segment::with(None, catalog, self.postings)
    }

    /// The batch as a source of a merge, with the new rank of each file that was read; `None`
    /// without postings.
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
