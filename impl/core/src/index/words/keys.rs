//! From keys to the blocks where what they stand for may be. Keys are cut to few bits, so that some
//! share an entry: its blocks are more, and none is missing.

use super::{
    Fault, Stored,
    bits::{BitReader, BitWriter},
    lists::{read_blocks, write_blocks},
    section::{Pieces, Section},
};

/// Bits of a key beyond those that tell so many keys apart.
const SPARE: u32 = 4;
/// Bits by which keys of one bucket differ.
const BUCKET: u32 = 9;
/// The orders of how many entries a bucket has, and of how far one is from the one before.
const ORDERS: (u32, u32) = (4, 3);
const BAD: Fault = Fault::Malformed("a table of words");

/// An entry to be: a key, and a block.
pub(super) fn entry(key: u32, block: u32) -> u64 {
    u64::from(key) << 32 | u64::from(block)
}

fn block_of(entry: u64) -> u32 {
    u32::try_from(entry & u64::from(u32::MAX)).unwrap_or(u32::MAX)
}

/// The stored form of entries in order, each once: how many bits a key has, and the buckets.
pub(super) fn write(entries: &[u64], blocks: u32) -> Result<(u8, Pieces), Fault> {
    let distinct = entries.chunk_by(|a, b| a >> 32 == b >> 32).count() as u64;
    let width = (distinct.max(1).ilog2() + SPARE).clamp(BUCKET, 32);
    let cut = |entry: u64| entry >> (64 - width);
    let mut buckets = Pieces::default();
    let mut rest = entries;
    let mut list: Vec<u32> = Vec::new();
    for bucket in 0..1_u64 << (width - BUCKET) {
        let here = rest.partition_point(|entry| cut(*entry) >> BUCKET <= bucket);
        let (own, behind) = rest.split_at(here);
        rest = behind;
        let groups = own.chunk_by(|a, b| cut(*a) == cut(*b));
        let mut bits = BitWriter::default();
        bits.number(groups.clone().count() as u64, ORDERS.0);
        let mut next = bucket << BUCKET;
        for group in groups {
            let key = group.first().map_or(next, |entry| cut(*entry));
            bits.number(key - next, ORDERS.1);
            next = key + 1;
            list.clear();
            list.extend(group.iter().map(|entry| block_of(*entry)));
            list.sort_unstable();
            list.dedup();
            write_blocks(&mut bits, &list, blocks);
        }
        buckets.bytes.extend(bits.finish());
        buckets.close()?;
    }
    Ok(((width & 0xFF) as u8, buckets))
}

/// The stored form, being read.
#[derive(Debug)]
pub(super) struct Keys {
    width: u32,
    blocks: u32,
    buckets: Section,
}

impl Keys {
    /// Reads its part from the front of `head`, and moves `head` behind it.
    pub(super) fn take(head: &mut &[u8], blocks: u32, start: &mut u64) -> Option<Self> {
        let (width, rest) = head.split_first()?;
        *head = rest;
        let width = u32::from(*width);
        if !(BUCKET..=32).contains(&width) {
            return None;
        }
        let buckets = Section::take(head, 1 << (width - BUCKET), start)?;
        Some(Self { width, blocks, buckets })
    }

    /// How many bytes the buckets have.
    pub(super) fn size(&self) -> u64 {
        self.buckets.size()
    }

    /// The blocks of a key, ascending.
    pub(super) fn blocks(&self, stored: &dyn Stored, key: u32) -> Result<Vec<u32>, Fault> {
        let key = u64::from(key) >> (32 - self.width);
        let bucket = usize::try_from(key >> BUCKET).map_err(|_| BAD)?;
        let bytes = self.buckets.read(stored, bucket)?;
        let mut list = Vec::new();
        self.read(&bytes, key, &mut list).ok_or(BAD)?;
        Ok(list)
    }

    fn read(&self, bucket: &[u8], key: u64, list: &mut Vec<u32>) -> Option<()> {
        let mut bits = BitReader::new(bucket);
        let mut next = key >> BUCKET << BUCKET;
        for _ in 0..bits.number(ORDERS.0)? {
            let here = next.checked_add(bits.number(ORDERS.1)?)?;
            if here > key {
                break;
            }
            read_blocks(&mut bits, self.blocks, (here == key).then_some(&mut *list))?;
            next = here + 1;
        }
        Some(())
    }
}
