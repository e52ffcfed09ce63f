//! The filter (`index/filter.yaml`).

use serde::Deserialize;

use super::figure::Figure;
use super::files;
use crate::closed::ids;
use crate::place::At;

/// How a filter is sized, filled and packed, with worked examples.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// n is the maximum length divided by this.
    pub basis_divisor: Figure<u64>,
    /// Rounding of m.
    pub bits_rounding: Figure<Rounding>,
    /// Rounding of the number of hashes.
    pub hashes_rounding: Figure<Rounding>,
    /// Least number of hashes.
    pub hashes_minimum: Figure<u64>,
    pub first_seed: Figure<u64>,
    /// Number of the first probe.
    pub first_probe: Figure<u64>,
    /// Arithmetic of a probe's product and sum.
    pub arithmetic: Figure<Arithmetic>,
    pub bit_order: Figure<BitOrder>,
    /// Bits in a byte of the packed form.
    pub bits_per_byte: Figure<u64>,
    pub sizing: Vec<SizingVector>,
    pub probes: Vec<ProbeVector>,
    pub seeds: Vec<SeedVector>,
}

ids! {
    /// Rounding of a real number.
    Rounding {
        Ceil = "ceil",
        Floor = "floor",
        /// To the nearest, halves up.
        HalfUp = "half_up",
    }
}

ids! {
    /// Width of intermediate results.
    Arithmetic {
        Wrapping64 = "wrapping64",
        /// Arbitrary precision.
        Exact = "exact",
    }
}

ids! {
    /// The position of bit 0 in a byte.
    BitOrder {
        LsbFirst = "lsb_first",
        MsbFirst = "msb_first",
    }
}

/// A worked example of sizes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizingVector {
    pub max_bytes: At<u64>,
    pub rate: f64,
    pub n: u64,
    pub m: u64,
    pub hashes: u64,
    /// Length of the packed form.
    pub packed_bytes: u64,
    pub clauses: Vec<At<String>>,
}

/// A worked example of a probe.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeVector {
    /// First hash.
    pub h1: At<u64>,
    /// Second hash.
    pub h2: u64,
    /// Bits of the filter.
    pub m: u64,
    /// Number of the probe.
    pub i: u64,
    pub bit: u64,
    pub clauses: Vec<At<String>>,
}

/// A worked example of a stored seed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeedVector {
    pub seed: At<u64>,
    pub stored: i64,
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
