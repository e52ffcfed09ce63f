//! Merging all files into one base, in memory or in the store (docs/index-service.md, section 2;
//! E-C32).

use std::sync::Arc;

use forge_search_core::index::segment::{Block, Catalog, Fault, Source, merge, sketches};

use super::{
    catalog::{Entry, Extra, ExtraKind, View},
    fault::Point,
    root_index::RootIndex,
    segment::{Batch, Segment, catalog_rows, lookup_rows},
    store::{BlockKind, Store},
};

/// Bytes of one transaction.
const TRANSACTION: usize = 4 << 20;

/// The new rank of each file of a view, and the new catalog.
struct Layout {
    catalog: Catalog,
    /// The new ranks of the base's files, then of each delta's; `u32::MAX` if a file is dropped.
    known: Vec<Vec<u32>>,
    /// The new rank of each file that was read, by batch.
    read: Vec<Vec<u32>>,
}

impl Layout {
    /// The layout of a view's files and its tokenized pending files.
    fn new(view: &View, batches: &[Batch]) -> Self {
        let catalogs = || segments(view).map(|segment| &segment.catalog);
        let files = catalogs().map(|catalog| catalog.len() as usize).sum();
        let path_bytes = catalogs().map(Catalog::path_bytes).sum();
        let mut catalog = Catalog::with_capacity(files, path_bytes);
        let mut known: Vec<Vec<u32>> =
            catalogs().map(|catalog| vec![u32::MAX; catalog.len() as usize]).collect();
        let mut read = vec![Vec::new(); batches.len()];
        let files =
            |(number, batch)| Batch::files(batch).iter().map(move |learnt| (number, *learnt));
        let mut pending = batches.iter().enumerate().flat_map(files);
        for entry in view.entries() {
            let Some((path, file)) = view.file(entry) else { continue };
            if file.pending {
                if let Some((number, Some(learnt))) = pending.next()
                    && let Some(table) = read.get_mut(number)
                {
                    table.push(catalog.len());
                    catalog.push(&learnt.row(path, file.fingerprint));
                }
                continue;
            }
            let (number, rank) = match entry {
                Entry::Base(rank) => (0, rank),
                Entry::Extra(Extra { kind: ExtraKind::Delta(delta, rank), .. }) => {
                    (1 + delta, *rank)
                }
                Entry::Extra(_) => continue,
            };
            let row = segments(view).nth(number).and_then(|segment| segment.catalog.row(rank));
            let slot = known.get_mut(number).and_then(|table| table.get_mut(rank as usize));
            if let (Some(row), Some(slot)) = (row, slot) {
                *slot = catalog.len();
                catalog.push(&row);
            }
        }
        Self { catalog, known, read }
    }
}

/// The base of a view, then its deltas.
fn segments(view: &View) -> impl Iterator<Item = &Segment> {
    std::iter::once(&view.base).chain(view.deltas.iter()).map(AsRef::as_ref)
}

/// Merges a view and its tokenized pending files into a base in memory.
pub(crate) fn in_memory(
    index: &RootIndex,
    view: &View,
    batches: &[Batch],
) -> Result<Segment, Fault> {
    let layout = Layout::new(view, batches);
    if index.key.packed {
        return packed(index, view, batches, layout);
    }
    let mut blocks: Vec<Block> = Vec::new();
    let sources = sources(index, view, batches, layout.known, layout.read)?;
    merge(&sources, layout.catalog.len(), |block| {
        blocks.push(block);
        if index.may_continue() { Ok(()) } else { Err(Fault::Busy) }
    })?;
    drop(sources);
    Ok(Segment::in_memory(layout.catalog, blocks))
}

fn packed(
    index: &RootIndex,
    view: &View,
    batches: &[Batch],
    layout: Layout,
) -> Result<Segment, Fault> {
    let mut filters = vec![[Vec::new(), Vec::new()]; layout.catalog.len() as usize];
    for (segment, table) in segments(view).zip(&layout.known) {
        for (rank, to) in (0..).zip(table) {
            if let Some(slot) = filters.get_mut(*to as usize) {
                *slot = segment.filters(rank, &index.key)?;
            }
        }
    }
    for (batch, table) in batches.iter().zip(&layout.read) {
        for (rank, to) in (0..).zip(table) {
            if let Some(slot) = filters.get_mut(*to as usize) {
                *slot = batch.filters(rank)?;
            }
        }
    }
    Ok(Segment::packed(layout.catalog, filters))
}

fn sources<'v>(
    index: &RootIndex,
    view: &'v View,
    batches: &'v [Batch],
    known: Vec<Vec<u32>>,
    read: Vec<Vec<u32>>,
) -> Result<Vec<Source<'v>>, Fault> {
    let mut sources = Vec::new();
    for (segment, table) in segments(view).zip(known).filter(|(_, table)| !table.is_empty()) {
        sources.extend(segment.source(table, &index.key)?);
    }
    sources.extend(batches.iter().zip(read).filter_map(|(batch, table)| batch.source(table)));
    Ok(sources)
}

/// The same, written to the store as an inactive segment. Returns its number.
pub(crate) fn in_store(
    index: &RootIndex,
    view: &View,
    batches: &[Batch],
    store: &Arc<Store>,
) -> Result<u32, Fault> {
    let id = store.new_segment(true)?;
    let mut writer = Writer { index, store, id, waiting: Vec::new(), bytes: 0 };
    if index.key.packed {
        for row in in_memory(index, view, batches)?.rows(&index.key)? {
            writer.add(row)?;
        }
    } else {
        let Layout { catalog, known, read } = Layout::new(view, batches);
        let mut number = 0;
        let sources = sources(index, view, batches, known, read)?;
        let merged = merge(&sources, catalog.len(), |block| {
            writer.add((BlockKind::Postings, number, block.bytes))?;
            number += 1;
            Ok(())
        })?;
        drop(sources);
        let sketches = sketches(&merged.grams, index.key.fold, &index.key.filter);
        let mut rows = Vec::new();
        let cells = lookup_rows(&merged.first, &sketches, &mut rows);
        for row in rows.into_iter().chain(catalog_rows(&catalog, merged.first.len(), cells)) {
            writer.add(row)?;
        }
    }
    writer.flush()?;
    Ok(id)
}

/// Collects rows into transactions.
struct Writer<'w> {
    index: &'w RootIndex,
    store: &'w Store,
    id: u32,
    waiting: Vec<(BlockKind, u32, Vec<u8>)>,
    bytes: usize,
}

impl Writer<'_> {
    fn add(&mut self, row: (BlockKind, u32, Vec<u8>)) -> Result<(), Fault> {
        self.bytes += row.2.len();
        self.waiting.push(row);
        if self.bytes < TRANSACTION {
            return Ok(());
        }
        if !self.index.may_continue() {
            return Err(Fault::Busy);
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Fault> {
        let rows: Vec<(BlockKind, u32, &[u8])> = self
            .waiting
            .iter()
            .map(|(kind, number, bytes)| (*kind, *number, bytes.as_slice()))
            .collect();
        self.store.write(self.id, &rows, Point::WriteBase)?;
        self.waiting.clear();
        self.bytes = 0;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
