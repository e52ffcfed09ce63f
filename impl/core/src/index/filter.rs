//! The Bloom filter of one file and variant (FR-LSI-BLOOM-01..04, FR-LSI-BLOOM-Q-02).
//!
//! Responsible for: sizing, the probes of a gram, the packed form, and whether a gram passes. This
//! is the filter as the document writes it; what is stored is its factored form
//! ([`super::postings`]), which answers alike. Invariants: no false negatives; the packed form is
//! the same on every system.

use xxhash_rust::xxh64::xxh64;

use super::gram::Gram;

/// The seed of the second hash when nothing is configured.
pub const DEFAULT_SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// What all filters of an index have in common (FR-LSI-CAND-LIT-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterParameters {
    /// m: bits in a filter; at least 1.
    pub bits: u64,
    /// k_hashes: probes of a gram.
    pub hashes: u32,
    /// The seed of the second hash.
    pub seed: u64,
}

impl FilterParameters {
    /// The parameters for files of at most `max_tokenized_bytes` and a false-positive rate of
    /// `fp_rate` at half as many grams.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the document's formula is in real numbers; settings bound n by 2^29, so that m is far below 2^53"
    )]
    pub fn sized(max_tokenized_bytes: u64, fp_rate: f64, seed: u64) -> Self {
        let n = (max_tokenized_bytes / 2).max(1) as f64;
        let ln_2 = std::f64::consts::LN_2;
        let bits = (-n * fp_rate.ln() / (ln_2 * ln_2)).ceil();
        let hashes = ((bits / n) * ln_2 + 0.5).floor().max(1.0);
        Self { bits: (bits as u64).max(1), hashes: hashes as u32, seed }
    }

    /// Bytes of the packed form.
    pub fn bytes(&self) -> usize {
        usize::try_from(self.bits.div_ceil(8)).unwrap_or(usize::MAX)
    }

    /// The bits that a gram sets: wrapping arithmetic, one reduction at the end (E-A16).
    pub fn probes(&self, gram: Gram) -> impl Iterator<Item = u64> + use<> {
        let (buffer, length) = gram.utf8();
        let bytes = buffer.get(..length).unwrap_or_default();
        let first = xxh64(bytes, 0);
        let second = xxh64(bytes, self.seed);
        let bits = self.bits.max(1);
        (0..u64::from(self.hashes)).map(move |i| first.wrapping_add(i.wrapping_mul(second)) % bits)
    }
}

/// A packed filter: bit b is `1 << (b % 8)` of byte `b / 8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    bits: Vec<u8>,
}

impl Filter {
    /// The filter of these grams.
    pub fn build(parameters: &FilterParameters, grams: &[Gram]) -> Self {
        let mut filter = Self { bits: vec![0; parameters.bytes()] };
        for gram in grams {
            parameters.probes(*gram).for_each(|bit| filter.set(bit));
        }
        filter
    }

    fn set(&mut self, bit: u64) {
        let (byte, mask) = place(bit);
        if let Some(byte) = self.bits.get_mut(byte) {
            *byte |= mask;
        }
    }

    /// Whether a gram may be in the text: all its probes are set.
    pub fn passes(&self, parameters: &FilterParameters, gram: Gram) -> bool {
        Self::packed_passes(&self.bits, parameters, gram)
    }

    /// The same, of a packed form that is kept elsewhere.
    pub fn packed_passes(bits: &[u8], parameters: &FilterParameters, gram: Gram) -> bool {
        parameters.probes(gram).all(|bit| {
            let (byte, mask) = place(bit);
            // A filter that is too short is no filter of these parameters: nothing is excluded by
            // it.
            bits.get(byte).is_none_or(|byte| byte & mask != 0)
        })
    }

    /// The packed form.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bits
    }
}

/// Where a bit stands in the packed form.
fn place(bit: u64) -> (usize, u8) {
    (usize::try_from(bit / 8).unwrap_or(usize::MAX), 1 << (bit % 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gram(text: &str) -> Gram {
        Gram::new(&text.chars().collect::<Vec<_>>()).expect("two or three scalars")
    }

    #[test]
    fn the_default_filter_has_the_size_of_the_formula() {
        let parameters = FilterParameters::sized(1 << 20, 0.01, DEFAULT_SEED);
        assert_eq!((parameters.bits, parameters.hashes), (5_025_332, 7));
        assert_eq!(parameters.bytes(), 628_167);
    }

    #[test]
    fn a_filter_passes_its_grams_and_sets_few_bits() {
        let parameters = FilterParameters::sized(128, 0.01, DEFAULT_SEED);
        let filter = Filter::build(&parameters, &[gram("abc"), gram("éxy")]);
        assert!(filter.passes(&parameters, gram("abc")) && filter.passes(&parameters, gram("éxy")));
        assert!(!filter.passes(&parameters, gram("xyz")));
        let set: u32 = filter.as_bytes().iter().map(|byte| byte.count_ones()).sum();
        assert!(set <= 14);
    }

    #[test]
    fn a_filter_bit_has_the_place_of_the_layout() {
        assert_eq!(place(0), (0, 1));
        assert_eq!(place(7), (0, 128));
        assert_eq!(place(8), (1, 1));
    }

    #[test]
    fn products_wrap_before_they_are_reduced() {
        let max = u64::MAX;
        assert_eq!(max.wrapping_add(max) % 5_025_332, 4_927_950);
    }
}
