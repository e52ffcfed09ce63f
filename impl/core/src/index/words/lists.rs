//! Ascending ranks as gaps, and lists of files with counts and levels.

use super::{
    bits::{BitReader, BitWriter, best_order, cost},
    pair::{Pair, Uses},
};

/// Lists so long can be passed over without being read.
const LONG: usize = 32;
/// Fewer counts are not worth an order of their own.
const FEW_COUNTS: usize = 8;
/// The order of how far a list's first file is from that of the list before.
const NEAR: u32 = 5;

/// Bits of a rank below `ranks`.
fn rank_bits(ranks: u32) -> u32 {
    ranks.checked_sub(1).and_then(u32::checked_ilog2).map_or(0, |bits| bits + 1)
}

fn write_gaps(out: &mut BitWriter, ranks: impl Iterator<Item = u32> + Clone) {
    let gaps = ranks.clone().zip(ranks.skip(1)).map(|(a, b)| u64::from(b - a - 1));
    if gaps.clone().next().is_some() {
        let order = best_order(&gaps);
        out.bits(u64::from(order), 4);
        gaps.for_each(|gap| out.number(gap, order));
    }
}

/// Hands out `more` ranks after `last`, all below `ranks`.
fn read_gaps(
    bits: &mut BitReader<'_>,
    more: u32,
    mut last: u32,
    ranks: u32,
    mut each: impl FnMut(u32),
) -> Option<()> {
    if more == 0 {
        return Some(());
    }
    let order = u32::try_from(bits.bits(4)?).ok()?;
    for _ in 0..more {
        last = bits.small(order)?.checked_add(last)?.checked_add(1).filter(|rank| *rank < ranks)?;
        each(last);
    }
    Some(())
}

/// Appends ascending numbers of blocks, at least one, out of `blocks`.
pub(super) fn write_blocks(out: &mut BitWriter, list: &[u32], blocks: u32) {
    let Some(first) = list.first() else { return };
    out.number(list.len() as u64 - 1, 0);
    out.bits(u64::from(*first), rank_bits(blocks));
    let mut gaps = BitWriter::default();
    write_gaps(&mut gaps, list.iter().copied());
    if list.len() >= LONG {
        out.number(gaps.len(), 8);
    }
    out.append(&gaps);
}

/// Takes such a list, into `list` if it is wanted.
pub(super) fn read_blocks(
    bits: &mut BitReader<'_>,
    blocks: u32,
    list: Option<&mut Vec<u32>>,
) -> Option<()> {
    let more = bits.small(0)?;
    let first = u32::try_from(bits.bits(rank_bits(blocks))?).ok().filter(|at| *at < blocks)?;
    let length = if more as usize + 1 >= LONG { Some(bits.number(8)?) } else { None };
    match (list, length) {
        (None, Some(length)) => bits.skip(length),
        (None, None) => read_gaps(bits, more, first, blocks, |_| ()),
        (Some(list), _) => {
            list.push(first);
            read_gaps(bits, more, first, blocks, |at| list.push(at))
        }
    }
}

/// What the lists of a block know of the one before, long ones aside.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    files: Vec<u32>,
}

impl Before {
    fn first(&self) -> u32 {
        self.files.first().copied().unwrap_or(0)
    }

    fn set(&mut self, files: impl Iterator<Item = u32>) {
        self.files.clear();
        self.files.extend(files);
    }
}

/// Appends the files of a name, at least one, out of `files`.
pub(super) fn write_pairs(out: &mut BitWriter, before: &mut Before, list: &[Pair], files: u32) {
    let ranks = list.iter().map(|pair| pair.file);
    let Some(first) = ranks.clone().next() else { return };
    let mut body = BitWriter::default();
    if ranks.clone().eq(before.files.iter().copied()) {
        out.number(0, 0);
    } else {
        out.number(list.len() as u64, 0);
        let distance = i64::from(first) - i64::from(before.first());
        let near = (distance << 1 ^ distance >> 63).cast_unsigned();
        let far = rank_bits(files);
        if cost(near, NEAR) < u64::from(far) {
            out.bits(1, 1);
            out.number(near, NEAR);
        } else {
            out.bits(u64::from(first) << 1, far + 1);
        }
        write_gaps(&mut body, ranks.clone());
    }
    let counts = list.iter().map(|pair| u64::from(pair.uses.count()) - 1);
    let order = if list.len() < FEW_COUNTS { 0 } else { best_order(&counts) };
    if list.len() >= FEW_COUNTS {
        body.bits(u64::from(order), 4);
    }
    counts.for_each(|count| body.number(count, order));
    write_levels(&mut body, list);
    if list.len() < LONG {
        before.set(ranks);
    } else {
        out.number(body.len(), 8);
    }
    out.append(&body);
}

/// One level for all, or one for each: two bits if it is not 0.
fn write_levels(out: &mut BitWriter, list: &[Pair]) {
    let level = list.first().map_or(0, |pair| pair.uses.level());
    let same = list.iter().all(|pair| pair.uses.level() == level);
    out.bits(u64::from(!same), 1);
    let each = if same { list.get(..1).unwrap_or_default() } else { list };
    for pair in each {
        let level = u64::from(pair.uses.level());
        if level == 0 { out.bits(0, 1) } else { out.bits(1 | level << 1, 3) }
    }
}

fn read_level(bits: &mut BitReader<'_>) -> Option<u8> {
    Some(if bits.bits(1)? == 0 { 0 } else { (bits.bits(2)? & 3) as u8 })
}

/// Takes such a list into `list`, which is left empty if it is long and not wanted.
pub(super) fn read_pairs(
    bits: &mut BitReader<'_>,
    before: &mut Before,
    files: u32,
    is_wanted: bool,
    list: &mut Vec<Pair>,
) -> Option<()> {
    list.clear();
    let length = bits.small(0)?;
    let new = |file| Pair { file, uses: Uses::new(1, 0) };
    if length == 0 {
        list.extend(before.files.iter().copied().map(new));
    } else {
        let first = if bits.bits(1)? == 1 {
            let near = bits.number(NEAR)?;
            let distance = (near >> 1).cast_signed() ^ -(near & 1).cast_signed();
            u32::try_from(i64::from(before.first()) + distance).ok()?
        } else {
            u32::try_from(bits.bits(rank_bits(files))?).ok()?
        };
        if length as usize >= LONG {
            let bits_left = bits.number(8)?;
            if !is_wanted {
                return bits.skip(bits_left);
            }
        }
        list.extend(Some(first).filter(|file| *file < files).map(new));
        read_gaps(bits, length - 1, first, files, |file| list.push(new(file)))?;
    }
    if list.is_empty() {
        return None;
    }
    let order = if list.len() < FEW_COUNTS { 0 } else { u32::try_from(bits.bits(4)?).ok()? };
    for pair in list.iter_mut() {
        pair.uses = Uses::new(bits.small(order)?.checked_add(1)?, 0);
    }
    let differ = bits.bits(1)? == 1;
    let mut level = 0;
    for (at, pair) in list.iter_mut().enumerate() {
        if at == 0 || differ {
            level = read_level(bits)?;
        }
        pair.uses = Uses::new(pair.uses.count(), level);
    }
    if list.len() < LONG {
        before.set(list.iter().map(|pair| pair.file));
    }
    Some(())
}
