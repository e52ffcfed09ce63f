//! A segment: its catalog in memory; its postings in memory or in the store, or packed filters
//! instead.

use std::sync::{Arc, OnceLock};

use forge_search_core::{
    index::{
        filter::Filter,
        gram::Gram,
        need::{Need, Variant},
        segment::{
            Block, Blocks, Catalog, Dictionary, Fault, Fingerprint, RankMap, RankSet, Sketch,
            Source, merge, read_rows, sketches, write_rows,
        },
    },
    text::{BinaryRule, TextKind},
};

use super::{
    key::Key,
    spill::Spill,
    store::{BlockKind, Store},
};

mod batch;

pub(crate) use self::batch::{Batch, TokenizedFile};

/// Files of one block of a catalog.
const CATALOG_FILES: u32 = 1024;
/// Most files of a catalog for which memory is reserved in advance.
const MOST_RESERVED: u32 = 1 << 20;
/// Bytes of one row of a long value.
const CHUNK: usize = 1 << 20;

/// Device and inode of a file. The rest of the fingerprint shows whether the number was reused.
pub(crate) type Object = (u64, u64);

/// The object of a fingerprint; `None` if the system has no inode numbers or the file was
/// unreadable.
pub(crate) fn object(fingerprint: Fingerprint) -> Option<Object> {
    (fingerprint.inode != 0).then_some((fingerprint.device, fingerprint.inode))
}

/// A segment.
#[derive(Debug)]
pub(crate) struct Segment {
    id: OnceLock<u32>,
    pub(crate) catalog: Catalog,
    /// Files that no filter may exclude: not tokenized, or not completely. Those of unknown kind
    /// are among them.
    pub(crate) never_excluded: RankSet,
    /// Files with an early NUL.
    early_nul: RankSet,
    /// Files with a NUL or invalid UTF-8.
    not_text: RankSet,
    /// Files with more than one link: events do not report all changes.
    pub(crate) linked: Vec<u32>,
    /// The size of the largest file.
    pub(crate) largest: u64,
    postings: Postings,
    dictionary: OnceLock<Arc<Dictionary>>,
    /// The ranks in the order of their objects; computed at first use.
    objects: OnceLock<Vec<u32>>,
}

#[derive(Debug)]
enum Postings {
    Memory(Memory),
    Stored(Stored),
    /// No n-grams are known.
    Unread,
    /// Both filters of each file: SENSITIVE, INSENSITIVE.
    Packed(Vec<[Vec<u8>; 2]>),
}

/// Postings outside the store.
#[derive(Debug)]
struct Memory {
    blocks: Arc<dyn Blocks>,
    first: Vec<Gram>,
    /// Bytes of blocks in memory.
    bytes: u64,
}

#[derive(Debug)]
struct Stored {
    store: Arc<Store>,
    segment: u32,
}

impl Blocks for Stored {
    fn block(&self, number: usize) -> Result<Arc<[u8]>, Fault> {
        let number = u32::try_from(number).map_err(|_| Fault::Malformed("a block's number"))?;
        self.store.block(self.segment, BlockKind::Postings, number)
    }
}

impl Segment {
    fn with(id: Option<u32>, mut catalog: Catalog, postings: Postings) -> Self {
        catalog.shrink_to_fit();
        let mut never_excluded = RankSet::none(catalog.len());
        let mut early_nul = RankSet::none(catalog.len());
        let mut not_text = RankSet::none(catalog.len());
        let mut linked = Vec::new();
        let mut largest = 0;
        for rank in 0..catalog.len() {
            let fingerprint = catalog.fingerprint(rank);
            largest = largest.max(fingerprint.size);
            let kind = catalog.kind(rank);
            if !catalog.is_proof(rank) || kind == TextKind::Unknown {
                never_excluded.insert(rank);
            }
            if kind.is_binary(BinaryRule::EarlyNul) {
                early_nul.insert(rank);
            }
            if kind.is_binary(BinaryRule::NotText) {
                not_text.insert(rank);
            }
            if fingerprint.links > 1 {
                linked.push(rank);
            }
        }
        let id = id.map_or_else(OnceLock::new, OnceLock::from);
        let (dictionary, objects) = (OnceLock::new(), OnceLock::new());
        Self {
            id,
            catalog,
            never_excluded,
            early_nul,
            not_text,
            linked,
            largest,
            postings,
            dictionary,
            objects,
        }
    }

    /// The binary files, by the rule of the search.
    pub(crate) fn binary(&self, rule: BinaryRule) -> &RankSet {
        match rule {
            BinaryRule::EarlyNul => &self.early_nul,
            BinaryRule::NotText => &self.not_text,
        }
    }

    /// A segment without files.
    pub(crate) fn empty() -> Self {
        Self::in_memory(Catalog::default(), Vec::new())
    }

    /// A segment whose postings are kept in memory.
    pub(crate) fn in_memory(catalog: Catalog, blocks: Vec<Block>) -> Self {
        Self::with(None, catalog, Postings::Memory(Memory::held(blocks, &Spill::none())))
    }

    /// Files without n-grams.
    pub(crate) fn unread(catalog: Catalog) -> Self {
        Self::with(None, catalog, Postings::Unread)
    }

    /// Whether it has no n-grams.
    pub(crate) fn is_unread(&self) -> bool {
        matches!(self.postings, Postings::Unread)
    }

    /// A segment of the packed layout, with the two filters of each file.
    pub(crate) fn packed(catalog: Catalog, filters: Vec<[Vec<u8>; 2]>) -> Self {
        Self::with(None, catalog, Postings::Packed(filters))
    }

    /// The ranks of an object's names.
    pub(crate) fn ranks_of(&self, wanted: Object) -> impl Iterator<Item = u32> {
        let of = |rank: &u32| object(self.catalog.fingerprint(*rank));
        let objects = self.objects.get_or_init(|| {
            let mut ranks: Vec<u32> = (0..self.catalog.len()).collect();
            ranks.sort_by_key(of);
            ranks
        });
        let from = objects.partition_point(|rank| of(rank) < Some(wanted));
        objects.iter().skip(from).take_while(move |rank| of(rank) == Some(wanted)).copied()
    }

    /// Its number in the store, if it is stored.
    pub(crate) fn id(&self) -> Option<u32> {
        self.id.get().copied()
    }

    /// Sets its number in the store.
    pub(crate) fn name(&self, id: u32) {
        let _ = self.id.set(id);
    }

    /// Bytes in memory.
    pub(crate) fn memory(&self) -> u64 {
        let postings = match &self.postings {
            Postings::Memory(memory) => memory.bytes,
            Postings::Stored(_) | Postings::Unread => 0,
            Postings::Packed(filters) => {
                filters.iter().flatten().map(|bits| bits.len() as u64).sum()
            }
        };
        postings + u64::from(self.catalog.len()) * 96
    }

    /// The files that meet a need by their n-grams, and those without complete n-grams.
    pub(crate) fn candidates(&self, need: &Need, key: &Key) -> Result<RankSet, Fault> {
        let mut candidates = match &self.postings {
            Postings::Memory(memory) => self.dictionary(key)?.meeting(&*memory.blocks, need)?,
            Postings::Stored(stored) => self.dictionary(key)?.meeting(stored, need)?,
            // None is excluded, since each is in `always`.
            Postings::Unread => RankSet::none(self.catalog.len()),
            Postings::Packed(filters) => {
                let mut meeting = RankSet::none(self.catalog.len());
                for (rank, [sensitive, insensitive]) in (0..).zip(filters) {
                    let mut passes = |variant, gram| {
                        let bits =
                            if variant == Variant::Sensitive { sensitive } else { insensitive };
                        Filter::packed_passes(bits, &key.filter, gram)
                    };
                    if need.met(&mut passes) {
                        meeting.insert(rank);
                    }
                }
                meeting
            }
        };
        candidates.unite(&self.never_excluded);
        Ok(candidates)
    }

    /// The dictionary of the postings; built or read at first use.
    fn dictionary(&self, key: &Key) -> Result<Arc<Dictionary>, Fault> {
        if let Some(dictionary) = self.dictionary.get() {
            return Ok(Arc::clone(dictionary));
        }
        let made = match &self.postings {
            Postings::Memory(memory) => {
                let grams = memory.grams(self.catalog.len())?;
                let sketches = sketches(&grams, key.fold, &key.filter);
                Dictionary::new(
                    key.filter,
                    key.fold,
                    self.catalog.len(),
                    memory.first.clone(),
                    sketches,
                )
            }
            Postings::Stored(stored) => stored.dictionary(self.catalog.len(), key)?,
            Postings::Unread | Postings::Packed(_) => {
                return Err(Fault::Malformed("a segment without postings"));
            }
        };
        Ok(Arc::clone(self.dictionary.get_or_init(|| Arc::new(made))))
    }

    /// This segment as a source of a merge, with the new rank of each file; `None` without
    /// postings.
    pub(crate) fn source(&self, table: Vec<u32>, key: &Key) -> Result<Option<Source<'_>>, Fault> {
        Ok(match &self.postings {
            Postings::Memory(memory) => Some(memory.source(table)),
            Postings::Stored(stored) => {
                let (count, files) = (self.dictionary(key)?.first().len(), self.catalog.len());
                Some(Source { blocks: stored, count, files, map: RankMap::Table(table) })
            }
            Postings::Unread | Postings::Packed(_) => None,
        })
    }

    /// The packed filters of a file; empty if it was not read.
    pub(crate) fn filters(&self, rank: u32, key: &Key) -> Result<[Vec<u8>; 2], Fault> {
        let grams = match &self.postings {
            Postings::Memory(memory) => self.dictionary(key)?.grams_of(&*memory.blocks, rank)?,
            Postings::Stored(stored) => self.dictionary(key)?.grams_of(stored, rank)?,
            Postings::Unread => return Ok([Vec::new(), Vec::new()]),
            Postings::Packed(filters) => {
                return filters
                    .get(rank as usize)
                    .cloned()
                    .ok_or(Fault::Malformed("a packed segment"));
            }
        };
        Ok(pack(&grams, key))
    }

    /// The SENSITIVE grams of every file, by rank; `None` if the segment has none.
    pub(crate) fn all_grams(&self, key: &Key) -> Result<Option<Vec<Vec<Gram>>>, Fault> {
        let blocks: &dyn Blocks = match &self.postings {
            Postings::Memory(memory) => &*memory.blocks,
            Postings::Stored(stored) => stored,
            Postings::Unread | Postings::Packed(_) => return Ok(None),
        };
        Ok(Some(self.dictionary(key)?.grams_of_all(blocks)?))
    }

    /// The rows of a segment that is kept in memory, for the store.
    pub(crate) fn rows(&self, key: &Key) -> Result<Vec<(BlockKind, u32, Vec<u8>)>, Fault> {
        let mut rows = Vec::new();
        let (postings, cells) = match &self.postings {
            Postings::Memory(memory) => {
                for (row, number) in (0..).zip(0..memory.first.len()) {
                    rows.push((BlockKind::Postings, row, memory.blocks.block(number)?.to_vec()));
                }
                let dictionary = self.dictionary(key)?;
                (
                    memory.first.len(),
                    lookup_rows(dictionary.first(), dictionary.sketches(), &mut rows),
                )
            }
            Postings::Unread if !key.packed => {
                (0, lookup_rows(&[], &sketches(&[], key.fold, &key.filter), &mut rows))
            }
            Postings::Unread | Postings::Packed(_) => {
                for rank in 0..self.catalog.len() {
                    let [sensitive, insensitive] = self.filters(rank, key)?;
                    rows.push((BlockKind::PackedSensitive, rank, sensitive));
                    rows.push((BlockKind::PackedInsensitive, rank, insensitive));
                }
                (0, [0, 0])
            }
            Postings::Stored(_) => {
                return Err(Fault::Malformed("a segment that is stored already"));
            }
        };
        rows.extend(catalog_rows(&self.catalog, postings, cells));
        Ok(rows)
    }

    /// Loads a stored segment. The postings of the base stay in the store.
    pub(crate) fn load(
        store: &Arc<Store>,
        segment: u32,
        base: bool,
        key: &Key,
    ) -> Result<Self, Fault> {
        let header = store.block(segment, BlockKind::Header, 0)?;
        let [files, catalogs, postings] = header_counts(&header)?;
        // A corrupt header must not cause a large allocation.
        let most = files.min(MOST_RESERVED) as usize;
        let mut catalog = Catalog::with_capacity(most, 0);
        for number in 0..catalogs {
            read_rows(&store.block(segment, BlockKind::Catalog, number)?, &mut catalog)?;
        }
        if catalog.len() != files {
            return Err(Fault::Malformed("a catalog"));
        }
        let postings = if key.packed {
            let filter = |rank, kind| store.block(segment, kind, rank).map(|bits| bits.to_vec());
            let both = |rank| {
                Ok([
                    filter(rank, BlockKind::PackedSensitive)?,
                    filter(rank, BlockKind::PackedInsensitive)?,
                ])
            };
            Postings::Packed((0..files).map(both).collect::<Result<_, Fault>>()?)
        } else if base {
            Postings::Stored(Stored { store: Arc::clone(store), segment })
        } else {
            let stored = Stored { store: Arc::clone(store), segment };
            let first = stored.dictionary(files, key)?.first().to_vec();
            let blocks: Vec<Arc<[u8]>> = (0..postings as usize)
                .map(|number| stored.block(number))
                .collect::<Result<_, _>>()?;
            let bytes = blocks.iter().map(|block| block.len() as u64).sum();
            Postings::Memory(Memory { blocks: Arc::new(blocks), first, bytes })
        };
        Ok(Self::with(Some(segment), catalog, postings))
    }
}

impl Memory {
    fn grams(&self, files: u32) -> Result<Vec<Gram>, Fault> {
        let source = Source {
            blocks: &*self.blocks,
            count: self.first.len(),
            files,
            map: RankMap::Offset(0),
        };
        Ok(merge(&[source], files, |_| Ok(()))?.grams)
    }
}

impl Stored {
    fn dictionary(&self, files: u32, key: &Key) -> Result<Dictionary, Fault> {
        let header = self.store.block(self.segment, BlockKind::Header, 0)?;
        let numbers = numbers(&header)?;
        let [directory, sensitive, insensitive] =
            [3, 4, 5].map(|at| numbers.get(at).copied().unwrap_or(0));
        let read = |kind, bytes| read_long(&self.store, self.segment, kind, bytes);
        let length = directory.checked_mul(8).ok_or(Fault::Malformed("a header"))?;
        let words = read(BlockKind::Directory, length)?;
        let first: Option<Vec<Gram>> = words
            .chunks_exact(8)
            .map(|word| Gram::from_stored(u64::from_le_bytes(word.try_into().ok()?)))
            .collect();
        let sketch = |kind, cells: u64| Sketch::from_bytes(read(kind, cells.div_ceil(4))?, cells);
        let sketches = [
            sketch(BlockKind::SketchSensitive, sensitive)?,
            sketch(BlockKind::SketchInsensitive, insensitive)?,
        ];
        let first = first.ok_or(Fault::Malformed("a directory of blocks"))?;
        Ok(Dictionary::new(key.filter, key.fold, files, first, sketches))
    }
}

/// Both filters of a file with these SENSITIVE grams.
pub(crate) fn pack(grams: &[Gram], key: &Key) -> [Vec<u8>; 2] {
    let folded = forge_search_core::index::tokens::folded(grams, key.fold);
    [grams, &folded].map(|grams| Filter::build(&key.filter, grams).as_bytes().to_vec())
}

/// The rows of a directory and two sketches; the cells of those.
pub(crate) fn lookup_rows(
    first: &[Gram],
    sketches: &[Sketch; 2],
    rows: &mut Vec<(BlockKind, u32, Vec<u8>)>,
) -> [u64; 2] {
    let words: Vec<u8> = first.iter().flat_map(|gram| gram.word().to_le_bytes()).collect();
    let [sensitive, insensitive] = sketches;
    for (kind, bytes) in [
        (BlockKind::Directory, words.as_slice()),
        (BlockKind::SketchSensitive, sensitive.as_bytes()),
        (BlockKind::SketchInsensitive, insensitive.as_bytes()),
    ] {
        rows.extend(
            (0..).zip(bytes.chunks(CHUNK)).map(|(number, chunk)| (kind, number, chunk.to_vec())),
        );
    }
    [sensitive.cells(), insensitive.cells()]
}

/// The rows of a catalog and its header of counts.
pub(crate) fn catalog_rows(
    catalog: &Catalog,
    postings: usize,
    cells: [u64; 2],
) -> impl Iterator<Item = (BlockKind, u32, Vec<u8>)> {
    let files = catalog.len();
    let count = files.div_ceil(CATALOG_FILES);
    let rows = (0..count).map(move |number| {
        let from = number * CATALOG_FILES;
        (BlockKind::Catalog, number, write_rows(catalog, from, (from + CATALOG_FILES).min(files)))
    });
    let [sensitive, insensitive] = cells;
    let numbers = [
        u64::from(files),
        u64::from(count),
        postings as u64,
        postings as u64,
        sensitive,
        insensitive,
    ];
    let header = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    rows.chain([(BlockKind::Header, 0, header)])
}

fn numbers(header: &[u8]) -> Result<Vec<u64>, Fault> {
    let numbers: Vec<u64> = header
        .chunks_exact(8)
        .filter_map(|word| word.try_into().ok())
        .map(u64::from_le_bytes)
        .collect();
    if numbers.len() == 6 { Ok(numbers) } else { Err(Fault::Malformed("a header")) }
}

fn header_counts(header: &[u8]) -> Result<[u32; 3], Fault> {
    let numbers = numbers(header)?;
    let mut counts = [0; 3];
    for (count, number) in counts.iter_mut().zip(numbers) {
        *count = u32::try_from(number).map_err(|_| Fault::Malformed("a header"))?;
    }
    Ok(counts)
}

/// Reads a value stored in several rows.
fn read_long(store: &Store, segment: u32, kind: BlockKind, bytes: u64) -> Result<Vec<u8>, Fault> {
    let bytes = usize::try_from(bytes).map_err(|_| Fault::Malformed("a length"))?;
    let mut long = Vec::new();
    for number in 0..u32::try_from(bytes.div_ceil(CHUNK)).unwrap_or(u32::MAX) {
        long.extend_from_slice(&store.block(segment, kind, number)?);
    }
    if long.len() == bytes { Ok(long) } else { Err(Fault::Malformed("a long value")) }
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
