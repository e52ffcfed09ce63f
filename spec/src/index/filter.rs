//! The filter: `index/filter.yaml`.

use serde::Deserialize;

use super::figure::Figure;
use super::files;
use crate::closed::ids;
use crate::place::At;

/// How a filter is sized, filled and packed, and worked examples of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// By what the limit on length is divided to give n.
    pub basis_divisor: Figure<u64>,
    /// How m is made whole.
    pub bits_rounding: Figure<Rounding>,
    /// How the number of hashes is made whole.
    pub hashes_rounding: Figure<Rounding>,
    /// The least number of hashes.
    pub hashes_minimum: Figure<u64>,
    /// The seed of the first hash.
    pub first_seed: Figure<u64>,
    /// The number of the first probe.
    pub first_probe: Figure<u64>,
    /// How wide a probe's product and sum are.
    pub arithmetic: Figure<Arithmetic>,
    /// Which bit of a byte is bit 0.
    pub bit_order: Figure<BitOrder>,
    /// Bits in a byte of the packed form.
    pub bits_per_byte: Figure<u64>,
    /// Sizes.
    pub sizing: Vec<SizingVector>,
    /// Probes.
    pub probes: Vec<ProbeVector>,
    /// Seeds as stored.
    pub seeds: Vec<SeedVector>,
}

ids! {
    /// How a real number is made whole.
    Rounding {
        /// Up.
        Ceil = "ceil",
        /// Down.
        Floor = "floor",
        /// To the nearest, halves up.
        HalfUp = "half_up",
    }
}

ids! {
    /// How wide intermediate results are.
    Arithmetic {
        /// Modulo 2^64.
        Wrapping64 = "wrapping64",
        /// As wide as needed.
        Exact = "exact",
    }
}

ids! {
    /// Which bit of a byte is bit 0.
    BitOrder {
        /// The least significant.
        LsbFirst = "lsb_first",
        /// The most significant.
        MsbFirst = "msb_first",
    }
}

/// The size that follows from a configuration.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizingVector {
    /// `index_max_tokenized_bytes`.
    pub max_bytes: At<u64>,
    /// `bloom_target_fp_rate`.
    pub rate: f64,
    /// n.
    pub n: u64,
    /// m.
    pub m: u64,
    /// k_hashes.
    pub hashes: u64,
    /// The length of the packed form.
    pub packed_bytes: u64,
    /// The requirements and errata it shows.
    pub clauses: Vec<At<String>>,
}

/// One probe.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeVector {
    /// The first hash.
    pub h1: At<u64>,
    /// The second.
    pub h2: u64,
    /// Bits of the filter.
    pub m: u64,
    /// Which probe.
    pub i: u64,
    /// The bit.
    pub bit: u64,
    /// The requirements and errata it shows.
    pub clauses: Vec<At<String>>,
}

/// A seed as it is stored.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedVector {
    /// `bloom_hash_seed`.
    pub seed: At<u64>,
    /// What the store holds.
    pub stored: i64,
    /// The requirements and errata it shows.
    pub clauses: Vec<At<String>>,
}

impl Filter {
    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let figures = [
            ("basis_divisor", &self.basis_divisor.clauses),
            ("bits_rounding", &self.bits_rounding.clauses),
            ("hashes_rounding", &self.hashes_rounding.clauses),
            ("hashes_minimum", &self.hashes_minimum.clauses),
            ("first_seed", &self.first_seed.clauses),
            ("first_probe", &self.first_probe.clauses),
            ("arithmetic", &self.arithmetic.clauses),
            ("bit_order", &self.bit_order.clauses),
            ("bits_per_byte", &self.bits_per_byte.clauses),
        ];
        let figures = figures.into_iter().map(|(name, clauses)| (format!("`{name}`"), clauses));
        let sizing = self
            .sizing
            .iter()
            .map(|row| (format!("the size for {}", row.max_bytes.value), &row.clauses));
        let probes = self
            .probes
            .iter()
            .map(|row| (format!("probe {} of {}", row.i, row.h1.value), &row.clauses));
        let seeds = self.seeds.iter().map(|row| (format!("seed {}", row.seed.value), &row.clauses));
        let all = figures.chain(sizing).chain(probes).chain(seeds);
        all.map(|(what, clauses)| (files::FILTER, what, &**clauses)).collect()
    }
}
