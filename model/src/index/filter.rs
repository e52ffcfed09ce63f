//! The Bloom filter of a file (`docs/claims.md`, section 2): its size, the bits of an n-gram, the
//! packed form, and membership.
//!
//! An n-gram that was added passes; the packed form has the bits and nothing else.

mod xxhash64;

use std::collections::BTreeSet;

use super::tables::{Arithmetic, BitOrder, FilterTables, Rounding};
use super::tokens::Grams;

/// The parameters of all filters of an index (FR-LSI-CAND-LIT-04).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scheme<'a> {
    tables: &'a FilterTables,
    /// n: number of n-grams that a filter is sized for.
    pub basis: u64,
    /// m: bits of a filter.
    pub bits: u64,
    /// Bits set by an n-gram.
    pub hashes: u64,
    pub seed: u64,
}

impl<'a> Scheme<'a> {
    /// The scheme for `index_max_tokenized_bytes`, `bloom_target_fp_rate` and `bloom_hash_seed`
    /// (FR-LSI-BLOOM-01).
    pub fn new(tables: &'a FilterTables, max_tokenized_bytes: u64, rate: f64, seed: u64) -> Self {
        let basis = max_tokenized_bytes / tables.basis_divisor.max(1);
        let ln_2 = std::f64::consts::LN_2;
        let bits = whole(tables.bits_rounding, -real(basis) * rate.ln() / (ln_2 * ln_2));
        let hashes = whole(tables.hashes_rounding, real(bits) / real(basis) * ln_2);
        Self { tables, basis, bits, hashes: hashes.max(tables.hashes_minimum), seed }
    }

    /// The bits of an n-gram, in the order of computation.
    pub fn probes(&self, gram: &[char]) -> Vec<u64> {
        let text: String = gram.iter().collect();
        let first = xxhash64::hash(text.as_bytes(), self.tables.first_seed);
        let second = xxhash64::hash(text.as_bytes(), self.seed);
        let numbers =
            (self.tables.first_probe..).take(usize::try_from(self.hashes).unwrap_or(usize::MAX));
        numbers.filter_map(|number| self.probe(first, second, number)).collect()
    }

    /// The probe of a number; `None` in a filter without bits.
    fn probe(&self, first: u64, second: u64, number: u64) -> Option<u64> {
        match self.tables.arithmetic {
            Arithmetic::Wrapping64 => {
                first.wrapping_add(number.wrapping_mul(second)).checked_rem(self.bits)
            }
            Arithmetic::Exact => {
                let sum = u128::from(first) + u128::from(number) * u128::from(second);
                u64::try_from(sum.checked_rem(u128::from(self.bits))?).ok()
            }
        }
    }

    /// The bits of a set of n-grams.
    pub fn set_bits(&self, grams: &Grams) -> BTreeSet<u64> {
        grams.iter().flat_map(|gram| self.probes(gram)).collect()
    }

    /// The packed filter of these n-grams (FR-LSI-BLOOM-03).
    pub fn packed(&self, grams: &Grams) -> Vec<u8> {
        let length = self.bits.div_ceil(self.tables.bits_per_byte.max(1));
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
        for bit in self.set_bits(grams) {
            let (at, mask) = self.place(bit);
            if let Some(byte) = bytes.get_mut(at) {
                *byte |= mask;
            }
        }
        bytes
    }

    /// Whether all probes of an n-gram are set in a packed filter.
    pub fn passes(&self, packed: &[u8], gram: &[char]) -> bool {
        self.probes(gram).into_iter().all(|bit| {
            let (at, mask) = self.place(bit);
            packed.get(at).is_some_and(|byte| byte & mask != 0)
        })
    }

    /// The byte of a bit in the packed form, and its mask.
    fn place(&self, bit: u64) -> (usize, u8) {
        let width = self.tables.bits_per_byte.max(1);
        let from_low = match self.tables.bit_order {
            BitOrder::LsbFirst => bit % width,
            BitOrder::MsbFirst => width - 1 - bit % width,
        };
        let mask = u32::try_from(from_low).ok().and_then(|shift| 1u8.checked_shl(shift));
        (usize::try_from(bit / width).unwrap_or(usize::MAX), mask.unwrap_or(0))
    }
}

/// The stored form of a seed: the same 64 bits as a signed number (E-A17).
pub const fn stored_seed(seed: u64) -> i64 {
    seed.cast_signed()
}

#[expect(clippy::cast_precision_loss, reason = "the formula is one in binary64")]
fn real(number: u64) -> f64 {
    number as f64
}

/// The integer part of a number; 0 for NaN and negative numbers.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the conversion is exact for the whole numbers it is given, and saturates beyond"
)]
fn whole(rounding: Rounding, number: f64) -> u64 {
    let rounded = match rounding {
        Rounding::Ceil => number.ceil(),
        Rounding::Floor => number.floor(),
        Rounding::HalfUp => (number + 0.5).floor(),
    };
    rounded as u64
}

#[cfg(test)]
mod tests;
