//! From keys to the blocks where what they stand for may be. Keys are cut to few bits, so that some
//! share an entry: its blocks are more, and none is missing.

use super::{
    Fault,
    bits::{BitReader, BitWriter},
    lists::{read_blocks, write_blocks},
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

/// Appends the stored form of entries in order, each once.
pub(super) fn write(entries: &[u64], blocks: u32, out: &mut Vec<u8>) -> Result<(), Fault> {
    let distinct = entries.chunk_by(|a, b| a >> 32 == b >> 32).count() as u64;
    let width = (distinct.max(1).ilog2() + SPARE).clamp(BUCKET, 32);
    let cut = |entry: u64| entry >> (64 - width);
    let (mut ends, mut bytes) = (Vec::new(), Vec::new());
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
        bytes.extend(bits.finish());
        let end = u32::try_from(bytes.len()).map_err(|_| BAD)?;
        ends.extend(end.to_le_bytes());
    }
    out.push((width & 0xFF) as u8);
    out.extend(ends);
    out.extend(bytes);
    Ok(())
}

/// The stored form, being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys<'b> {
    width: u32,
    blocks: u32,
    ends: &'b [u8],
    bytes: &'b [u8],
}

impl<'b> Keys<'b> {
    pub(super) fn new(bytes: &'b [u8], blocks: u32) -> Result<Self, Fault> {
        let (width, rest) = bytes.split_first().ok_or(BAD)?;
        let width = u32::from(*width);
        if !(BUCKET..=32).contains(&width) {
            return Err(BAD);
        }
        let (ends, bytes) = rest.split_at_checked(4 << (width - BUCKET)).ok_or(BAD)?;
        Ok(Self { width, blocks, ends, bytes })
    }

    /// The blocks of a key, ascending.
    pub(super) fn blocks(&self, key: u32) -> Result<Vec<u32>, Fault> {
        let mut list = Vec::new();
        self.read(u64::from(key) >> (32 - self.width), &mut list).ok_or(BAD)?;
        Ok(list)
    }

    fn read(&self, key: u64, list: &mut Vec<u32>) -> Option<()> {
        let bucket = usize::try_from(key >> BUCKET).ok()?;
        let end = |at| super::word_at(self.ends, at);
        let start = bucket.checked_sub(1).map_or(Some(0), end)?;
        let mut bits = BitReader::new(self.bytes.get(start..end(bucket)?)?);
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
