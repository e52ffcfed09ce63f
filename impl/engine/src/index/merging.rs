//! Making one base of everything that is known, in memory or in the store (docs/index-service.md, section 2; E-C32).

use std::sync::Arc;

use forge_search_core::index::segment::{Block, Catalog, Fault, RankMap, Source, merge, sketches};

use super::{
    catalog::{ExtraKind, View},
    fault::Point,
    root_index::RootIndex,
    segment::{Segment, catalog_rows, lookup_rows},
    store::{BlockKind, Store},
};

/// Bytes of one transaction.
const TRANSACTION: usize = 4 << 20;

/// Where each file of a view goes, and the catalog that comes of it.
struct Layout {
    catalog: Catalog,
    base: Vec<u32>,
    deltas: Vec<Vec<u32>>,
}

impl Layout {
    fn new(view: &View) -> Self {
        let nowhere = |files: u32| vec![u32::MAX; files as usize];
        let segments = || std::iter::once(&view.base).chain(view.deltas.iter());
        let files = segments().map(|segment| segment.catalog.len() as usize).sum();
        let path_bytes = segments().map(|segment| segment.catalog.path_bytes()).sum();
        let mut layout = Self {
            catalog: Catalog::with_capacity(files, path_bytes),
            base: nowhere(view.base.catalog.len()),
            deltas: view.deltas.iter().map(|delta| nowhere(delta.catalog.len())).collect(),
        };
        let mut extras = view.extras.iter().peekable();
        for rank in 0..=view.base.catalog.len() {
            while let Some(extra) = extras.next_if(|extra| extra.before <= rank) {
                if let ExtraKind::Delta(delta, rank) = extra.kind {
                    layout.take(view, Some(delta), rank);
                }
            }
            if rank < view.base.catalog.len() && !view.dead.contains(rank) {
                layout.take(view, None, rank);
            }
        }
        layout
    }

    fn take(&mut self, view: &View, delta: Option<usize>, rank: u32) {
        let segment = match delta {
            None => Some(&view.base),
            Some(delta) => view.deltas.get(delta),
        };
        let table = match delta {
            None => Some(&mut self.base),
            Some(delta) => self.deltas.get_mut(delta),
        };
        let row = segment.and_then(|segment| segment.catalog.row(rank));
        if let (Some(row), Some(to)) = (row, table.and_then(|table| table.get_mut(rank as usize))) {
            *to = self.catalog.len();
            self.catalog.push(&row);
        }
    }
}

/// The base of everything that a view knows the n-grams of, in memory.
pub(crate) fn in_memory(index: &RootIndex, view: &View) -> Result<Segment, Fault> {
    let layout = Layout::new(view);
    if index.key.packed {
        return packed(index, view, layout);
    }
    let mut blocks: Vec<Block> = Vec::new();
    let files = layout.catalog.len();
    let sources = sources(index, view, &layout)?;
    merge(&sources, files, |block| {
        blocks.push(block);
        if index.may_go_on() { Ok(()) } else { Err(Fault::Busy) }
    })?;
    drop(sources);
    Ok(Segment::in_memory(layout.catalog, blocks))
}

fn packed(index: &RootIndex, view: &View, layout: Layout) -> Result<Segment, Fault> {
    let mut filters = vec![[Vec::new(), Vec::new()]; layout.catalog.len() as usize];
    let tables = std::iter::once(&layout.base).chain(&layout.deltas);
    for (segment, table) in std::iter::once(&view.base).chain(view.deltas.iter()).zip(tables) {
        for (rank, to) in (0..).zip(table) {
            if let Some(slot) = filters.get_mut(*to as usize) {
                *slot = segment.filters(rank, &index.key)?;
            }
        }
    }
    Ok(Segment::packed(layout.catalog, filters))
}

fn sources<'v>(index: &RootIndex, view: &'v View, layout: &Layout) -> Result<Vec<Source<'v>>, Fault> {
    let mut sources = Vec::new();
    let tables = std::iter::once(&layout.base).chain(&layout.deltas);
    for (segment, table) in std::iter::once(&view.base).chain(view.deltas.iter()).zip(tables) {
        if segment.catalog.is_empty() {
            continue;
        }
        sources.extend(segment.source(RankMap::Table(table.clone()), &index.key)?);
    }
    Ok(sources)
}

/// The same, written to the store as a new segment that is not active yet. Its number.
pub(crate) fn in_store(index: &RootIndex, view: &View, store: &Arc<Store>) -> Result<u32, Fault> {
    let id = store.new_segment(true)?;
    let mut writer = Writer { index, store, id, waiting: Vec::new(), bytes: 0 };
    if index.key.packed {
        for row in in_memory(index, view)?.rows(&index.key)? {
            writer.add(row)?;
        }
    } else {
        let layout = Layout::new(view);
        let mut number = 0;
        let sources = sources(index, view, &layout)?;
        let merged = merge(&sources, layout.catalog.len(), |block| {
            writer.add((BlockKind::Postings, number, block.bytes))?;
            number += 1;
            Ok(())
        })?;
        drop(sources);
        let sketches = sketches(&merged.grams, index.key.fold, &index.key.filter);
        let mut rows = Vec::new();
        let cells = lookup_rows(&merged.first, &sketches, &mut rows);
        for row in rows.into_iter().chain(catalog_rows(&layout.catalog, merged.first.len(), cells)) {
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
        if !self.index.may_go_on() {
            return Err(Fault::Busy);
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Fault> {
        let rows: Vec<(BlockKind, u32, &[u8])> =
            self.waiting.iter().map(|(kind, number, bytes)| (*kind, *number, bytes.as_slice())).collect();
        self.store.write(self.id, &rows, Point::WriteBase)?;
        self.waiting.clear();
        self.bytes = 0;
        Ok(())
    }
}
