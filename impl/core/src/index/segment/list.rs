//! Numbers and lists of ranks as bytes: varints, and for each list gaps or a bitmap, whichever is
//! smaller.

use super::{Fault, RankSet};

const BAD: Fault = Fault::Malformed("a list");

/// Appends a number, seven bits a byte, the lowest first.
pub(in crate::index) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push((number & 0x7F) as u8 | 0x80);
        number >>= 7;
    }
    out.push((number & 0x7F) as u8);
}

/// Takes a number off the front.
pub(in crate::index) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Takes a run of bytes off the front.
pub(in crate::index) fn take_slice<'b>(bytes: &mut &'b [u8], length: u64) -> Option<&'b [u8]> {
    let (slice, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
    *bytes = rest;
    Some(slice)
}

/// The ranks of one gram, as stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum List<'b> {
    /// Gaps between ranks; the first is the first rank.
    Gaps(&'b [u8]),
    /// One bit a file.
    Bits(&'b [u8]),
}

impl List<'_> {
    /// Appends the form of these ascending ranks out of `files`.
    pub(super) fn write(ranks: &[u32], files: u32, out: &mut Vec<u8>, scratch: &mut Vec<u8>) {
        scratch.clear();
        let bitmap = files.div_ceil(8) as usize;
        let mut next = 0;
        for &rank in ranks {
            put(scratch, u64::from(rank - next));
            next = rank + 1;
            if scratch.len() >= bitmap {
                break;
            }
        }
        if scratch.len() < bitmap {
            put(out, (scratch.len() as u64) << 1);
            out.extend_from_slice(scratch);
            return;
        }
        put(out, (bitmap as u64) << 1 | 1);
        let start = out.len();
        out.resize(start + bitmap, 0);
        for &rank in ranks {
            if let Some(byte) = out.get_mut(start + (rank / 8) as usize) {
                *byte |= 1 << (rank % 8);
            }
        }
    }

    /// Takes a list off the front.
    pub(super) fn read<'b>(bytes: &mut &'b [u8]) -> Option<List<'b>> {
        let head = take(bytes)?;
        let body = take_slice(bytes, head >> 1)?;
        Some(if head & 1 == 0 { List::Gaps(body) } else { List::Bits(body) })
    }

    /// Hands out the ranks, ascending, all below `files`.
    pub(super) fn each(self, files: u32, mut each: impl FnMut(u32)) -> Result<(), Fault> {
        match self {
            List::Gaps(mut bytes) => {
                let mut next = 0_u64;
                while !bytes.is_empty() {
                    // Nearly all gaps are one byte.
                    let gap = match bytes.split_first() {
                        Some((&byte, rest)) if byte < 0x80 => {
                            bytes = rest;
                            u64::from(byte)
                        }
                        _ => take(&mut bytes).ok_or(BAD)?,
                    };
                    let rank = next.checked_add(gap).ok_or(BAD)?;
                    let known = u32::try_from(rank).ok().filter(|rank| *rank < files);
                    each(known.ok_or(BAD)?);
                    next = rank + 1;
                }
            }
            List::Bits(bytes) => {
                for (at, &byte) in (0_u32..).zip(bytes) {
                    let mut rest = byte;
                    while rest != 0 {
                        let rank = at * 8 + rest.trailing_zeros();
                        if rank >= files {
                            return Err(BAD);
                        }
                        each(rank);
                        rest &= rest - 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds the ranks to a set.
    pub(super) fn add_to(self, set: &mut RankSet) -> Result<(), Fault> {
        match self {
            List::Bits(bytes) => set.add_bits(bytes).ok_or(BAD),
            List::Gaps(_) => self.each(set.files(), |rank| set.insert(rank)),
        }
    }
}
