//! xxHash64 from its public description: the 64-bit hash of bytes under a seed (FR-LSI-BLOOM-02).
//!
//! Arithmetic is modulo 2^64; integers are little endian.

const PRIME_1: u64 = 0x9e37_79b1_85eb_ca87;
const PRIME_2: u64 = 0xc2b2_ae3d_27d4_eb4f;
const PRIME_3: u64 = 0x1656_67b1_9e37_79f9;
const PRIME_4: u64 = 0x85eb_ca77_c2b2_ae63;
const PRIME_5: u64 = 0x27d4_eb2f_1656_67c5;

pub(super) fn hash(bytes: &[u8], seed: u64) -> u64 {
    let (stripes, rest) = bytes.as_chunks::<32>();
    let mut hash =
        if stripes.is_empty() { seed.wrapping_add(PRIME_5) } else { converged(stripes, seed) };
    hash = hash.wrapping_add(bytes.len() as u64);

    let (words, rest) = rest.as_chunks::<8>();
    for word in words {
        hash ^= round(0, u64::from_le_bytes(*word));
        hash = hash.rotate_left(27).wrapping_mul(PRIME_1).wrapping_add(PRIME_4);
    }
    let (halves, rest) = rest.as_chunks::<4>();
    for half in halves {
        hash ^= u64::from(u32::from_le_bytes(*half)).wrapping_mul(PRIME_1);
        hash = hash.rotate_left(23).wrapping_mul(PRIME_2).wrapping_add(PRIME_3);
    }
    for byte in rest {
        hash ^= u64::from(*byte).wrapping_mul(PRIME_5);
        hash = hash.rotate_left(11).wrapping_mul(PRIME_1);
    }

    hash = (hash ^ hash >> 33).wrapping_mul(PRIME_2);
    hash = (hash ^ hash >> 29).wrapping_mul(PRIME_3);
    hash ^ hash >> 32
}

/// Combines the four accumulators over stripes of 32 bytes.
fn converged(stripes: &[[u8; 32]], seed: u64) -> u64 {
    let mut first = seed.wrapping_add(PRIME_1).wrapping_add(PRIME_2);
    let mut second = seed.wrapping_add(PRIME_2);
    let mut third = seed;
    let mut fourth = seed.wrapping_sub(PRIME_1);
    for stripe in stripes {
        let (words, _) = stripe.as_chunks::<8>();
        let accumulators = [&mut first, &mut second, &mut third, &mut fourth];
        for (accumulator, word) in accumulators.into_iter().zip(words) {
            *accumulator = round(*accumulator, u64::from_le_bytes(*word));
        }
    }
    let sum = first
        .rotate_left(1)
        .wrapping_add(second.rotate_left(7))
        .wrapping_add(third.rotate_left(12))
        .wrapping_add(fourth.rotate_left(18));
    [first, second, third, fourth].into_iter().fold(sum, |hash, accumulator| {
        (hash ^ round(0, accumulator)).wrapping_mul(PRIME_1).wrapping_add(PRIME_4)
    })
}

fn round(accumulator: u64, word: u64) -> u64 {
    accumulator.wrapping_add(word.wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1)
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn xxhash64_agrees_with_published_values() {
        let digits = "0123456789".repeat(10);
        let rows: [(&str, u64, u64); 7] = [
            ("", 0, 0xef46_db37_51d8_e999),
            ("a", 0, 0xd24e_c4f1_a98c_6e5b),
            ("abc", 0, 0x44bc_2cf5_ad77_0999),
            ("abc", 0x9e37_79b9_7f4a_7c15, 0x2ed0_f59d_6b43_ac8b),
            ("日本語", 0x9e37_79b9_7f4a_7c15, 0xb8c9_19b7_96b1_74d7),
            ("abcdefghijklmnopqrstuvwxyz", 0, 0xcfe1_f278_fa89_835c),
            (&digits, 0x9e37_79b9_7f4a_7c15, 0x14d1_d80a_91b9_ea55),
        ];
        for (text, seed, expected) in rows {
            assert_eq!(hash(text.as_bytes(), seed), expected, "`{text}`");
        }
    }

    #[test]
    fn xxhash64_agrees_with_known_values_for_every_tail_length() {
        let bytes: Vec<u8> = (0..200u8).map(|at| at.wrapping_mul(37).wrapping_add(11)).collect();
        let rows = [
            (0, 0xef46_db37_51d8_e999, 0xc434_9fc9_3c01_0000),
            (1, 0xf592_c0c7_639c_4cb6, 0x3f7e_bbd0_a20f_83cc),
            (3, 0x22c0_8528_601d_4f27, 0xb829_b5fb_ba7f_12fb),
            (4, 0xfb1e_5cf2_f1ae_4d95, 0x4d32_e4c8_42c6_371e),
            (7, 0x5613_ac51_0496_c04e, 0x5663_14bf_1bda_8aab),
            (8, 0x57cb_2b75_21f3_e21a, 0x696e_1fe0_e0df_37f4),
            (11, 0x1bef_4539_443a_2d5a, 0x5ec5_378d_f48b_586b),
            (12, 0x2f53_b002_6603_9e64, 0x2d02_07f8_8149_b069),
            (31, 0xe4a0_e629_e519_a4ae, 0xa348_b910_bc65_b7bd),
            (32, 0xcc6b_8aaa_da79_0b2d, 0x41c2_eada_450d_18f0),
            (33, 0x35ec_4985_0475_a832, 0xb6f8_c0b7_6af8_f9da),
            (39, 0x2298_4e41_b53c_1210, 0x36e2_0a8e_6258_2668),
            (63, 0xbf9f_0ba3_cf95_b28a, 0xdcfe_3172_0304_f52b),
            (64, 0x155c_cce4_bf32_befc, 0x4779_d2a2_6a50_85a9),
            (100, 0x4826_e367_566e_a023, 0xe384_91a6_daeb_0e8a),
            (200, 0x2f07_4b6d_d909_4e34, 0x6ed2_8da9_cdbd_792d),
        ];
        for (length, unseeded, seeded) in rows {
            assert_eq!(hash(&bytes[..length], 0), unseeded, "{length}");
            assert_eq!(hash(&bytes[..length], 0x9e37_79b9_7f4a_7c15), seeded, "{length}");
        }
    }
}
