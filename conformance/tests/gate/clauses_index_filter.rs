//! Clauses about a file's two filters: FR-LSI-BLOOM-01 to 04 and T-LSI-BLOOM-01, 03 and 04. That
//! whole filters are right byte for byte is `index_goldens`.

use crate::clauses_index::TABLES;
use crate::clauses_index::text::{PAGE, gram, known};
use forge_search_core::index::filter::{DEFAULT_SEED, Filter, FilterParameters};
use forge_search_core::index::fold::Fold;
use forge_search_core::index::need::Variant;
use forge_search_core::index::postings::Postings;
use forge_search_core::index::settings::{Given, Settings};
use touchstone_model::index::filter::{Scheme, stored_seed};
use touchstone_model::index::tables::{Arithmetic, FilterTables};

/// xxHash64 of a gram's bytes with the seeds 0, 1 and the default one, by another implementation.
const HASHES: [(&str, [u64; 3]); 10] = [
    ("ab", [0x65f7_08ca_92d0_4a61, 0x15d0_b33c_2a84_8c6f, 0x8bac_e0ae_57a2_3c09]),
    ("abc", [0x44bc_2cf5_ad77_0999, 0xbea9_ca81_9932_8908, 0x2ed0_f59d_6b43_ac8b]),
    ("\0\0\0", [0x3188_6f2e_7daf_8ca4, 0x0b8b_315c_a1a6_fdef, 0xb086_047c_3c26_563d]),
    ("\u{e9}\n!", [0x2236_506f_b5e2_d54b, 0xde4b_28e2_ba98_a718, 0xaf9d_bc20_5c40_6d37]),
    ("\u{65e5}\u{672c}", [0x80c2_e40b_8486_afab, 0xb3bb_762b_60fa_c71a, 0x3f5b_5fc9_0ba7_3fe3]),
    (
        "\u{65e5}\u{672c}\u{8a9e}",
        [0x7179_a19f_3719_f5e1, 0xb718_9fd8_4b5f_5f07, 0xb8c9_19b7_96b1_74d7],
    ),
    ("\u{1f600}ab", [0xcb9b_c496_d880_4c91, 0x5228_97fc_392c_5327, 0x4589_5cfa_2a93_62d8]),
    ("\u{1f600}\u{1f601}", [0x1fcb_676f_bf4c_d56e, 0x3d45_3b83_261c_4b04, 0xfc2b_fb8f_e320_6ed1]),
    (
        "\u{1f600}\u{e9}\u{1f601}",
        [0x9a8b_a323_5431_6793, 0xa89d_c9c6_9bc7_1fea, 0x5616_329a_220b_233c],
    ),
    (
        "\u{1f600}\u{1f601}\u{1f602}",
        [0x56fd_4e1c_ac64_21c8, 0x44a5_4d2d_3300_007b, 0x048d_6c05_ef04_9a8d],
    ),
];

/// The probes of a gram, the same by both sides.
fn probes(text: &str, bits: u64, hashes: u32, seed: u64) -> Vec<u64> {
    let theirs: Vec<u64> = FilterParameters { bits, hashes, seed }.probes(gram(text)).collect();
    let mut scheme = Scheme::new(&TABLES.filter, 4_096, 0.01, seed);
    (scheme.bits, scheme.hashes) = (bits, u64::from(hashes));
    let ours = scheme.probes(&text.chars().collect::<Vec<_>>());
    assert_eq!(theirs, ours, "{text:?}");
    theirs
}

#[test]
fn filters_have_the_size_of_the_formula() {
    touchstone::verifies!("FR-LSI-BLOOM-01", "FR-LSI-BLOOM-01.n");
    // Worked out with sixty decimal digits.
    for (max_bytes, rate, n, m, hashes) in [
        (1_048_576, 0.01, 524_288, 5_025_332, 7),
        (33_554_432, 0.01, 16_777_216, 160_810_595, 7),
        (1_073_741_824, 0.01, 536_870_912, 5_145_939_033, 7),
        (1_048_576, 0.001, 524_288, 7_537_997, 10),
        (65_536, 0.02, 32_768, 266_809, 6),
        (4_096, 0.01, 2_048, 19_631, 7),
        (4_097, 0.01, 2_048, 19_631, 7),
        (4_096, 0.5, 2_048, 2_955, 1),
        (4_096, 0.000_001, 2_048, 58_891, 20),
        (64, 0.3, 32, 81, 2),
    ] {
        let theirs = FilterParameters::sized(max_bytes, rate, DEFAULT_SEED);
        let ours = Scheme::new(&TABLES.filter, max_bytes, rate, DEFAULT_SEED);
        assert_eq!((theirs.bits, u64::from(theirs.hashes)), (m, hashes), "{max_bytes} {rate}");
        assert_eq!((ours.basis, ours.bits, ours.hashes), (n, m, hashes), "{max_bytes} {rate}");
        assert_eq!(theirs.bytes() as u64, m.div_ceil(8));
    }
}

/// The number of bits that the document prints.
const PRINTED: u64 = 5_021_884;

#[test]
fn the_example_of_the_document_contradicts_its_formula() {
    // E-A12: every bit of every filter would be another, for m is the modulus.
    touchstone::verifies!("FR-LSI-BLOOM-01.example", "E-A12");
    let sized = FilterParameters::sized(1_048_576, 0.01, DEFAULT_SEED);
    assert_eq!((sized.bits, sized.hashes), (5_025_332, 7));
    assert_eq!(Scheme::new(&TABLES.filter, 1_048_576, 0.01, DEFAULT_SEED).bits, 5_025_332);
    assert_ne!(sized.bits, PRINTED);
    assert_ne!(probes("abc", sized.bits, 7, DEFAULT_SEED), probes("abc", PRINTED, 7, DEFAULT_SEED));
    // In binary64 and backwards: the printed number belongs to no n that is whole and near.
    let ln_2 = std::f64::consts::LN_2;
    let basis = 5_021_884.0 * ln_2 * ln_2 / -(0.01_f64.ln());
    assert!((basis - 524_288.0).abs() > 300.0, "{basis}");
}

#[test]
fn equal_bytes_and_seeds_have_equal_hashes() {
    touchstone::verifies!("T-LSI-BLOOM-03", "FR-LSI-BLOOM-02");
    for (text, [plain, one, default]) in HASHES {
        for (seed, second) in [(1, one), (DEFAULT_SEED, default)] {
            // With as many bits as there are numbers, the probes are the hashes themselves.
            let expected = [plain, plain.wrapping_add(second) % u64::MAX];
            assert_eq!(probes(text, u64::MAX, 2, seed), expected, "{text:?}");
        }
    }
}

#[test]
fn a_gram_sets_its_k_probes_in_wrapping_arithmetic_with_one_reduction() {
    // E-A16: exact arithmetic gives other bits.
    touchstone::verifies!("FR-LSI-BLOOM-02", "E-A16");
    let bits = 5_025_332;
    for (text, [first, _, second]) in HASHES {
        let expected: Vec<u64> =
            (0..7_u64).map(|i| first.wrapping_add(i.wrapping_mul(second)) % bits).collect();
        assert_eq!(probes(text, bits, 7, DEFAULT_SEED), expected, "{text:?}");
        assert_eq!(expected.len(), 7);
    }
    let exact = FilterTables { arithmetic: Arithmetic::Exact, ..TABLES.filter };
    let scheme = Scheme::new(&exact, 1_048_576, 0.01, DEFAULT_SEED);
    for (text, [first, _, second]) in HASHES {
        let overflows = u128::from(first) + 6 * u128::from(second) > u128::from(u64::MAX);
        let differs =
            scheme.probes(&text.chars().collect::<Vec<_>>()) != probes(text, bits, 7, DEFAULT_SEED);
        assert_eq!(differs, overflows, "{text:?}");
    }
    // The erratum's own numbers.
    let max = u64::MAX;
    assert_eq!(max.wrapping_add(max) % bits, 4_927_950);
    assert_eq!(2 * u128::from(max) % u128::from(bits), 4_830_570);
}

#[test]
fn a_filter_bit_equals_one_computed_by_hand() {
    touchstone::verifies!("T-LSI-BLOOM-04", "FR-LSI-BLOOM-03");
    let parameters = PAGE.filter();
    for (text, [first, _, second]) in
        HASHES.into_iter().filter(|(text, _)| text.chars().count() == 3)
    {
        let filter = Filter::build(&parameters, &[gram(text)]);
        let mut expected = vec![0_u8; 2_454];
        for i in 0..7_u64 {
            let bit = first.wrapping_add(i.wrapping_mul(second)) % 19_631;
            expected[usize::try_from(bit / 8).unwrap()] |= 1 << (bit % 8);
        }
        assert_eq!(filter.as_bytes(), expected, "{text:?}");
        let scheme = Scheme::new(&TABLES.filter, PAGE.max_bytes, 0.01, DEFAULT_SEED);
        let grams = [text.chars().collect()].into_iter().collect();
        assert_eq!(scheme.packed(&grams), expected, "{text:?}");
    }
}

#[test]
fn excess_bits_are_zero_and_a_filter_of_wrong_length_excludes_nothing() {
    // E-A23: a stored bitset may have been changed behind the index's back. One that is too short
    // excludes nothing.
    touchstone::verifies!("FR-LSI-BLOOM-03", "E-A23");
    // 2,955 bits are 369 bytes and three bits.
    let parameters = FilterParameters::sized(4_096, 0.5, DEFAULT_SEED);
    let grams: Vec<_> =
        ('\u{4e00}'..'\u{5e00}').map(|scalar| gram(&format!("a{scalar}b"))).collect();
    let full = Filter::build(&parameters, &grams);
    assert_eq!((parameters.bits, full.as_bytes().len()), (2_955, 370));
    assert_eq!(full.as_bytes()[369] & 0b1111_1000, 0);
    let scheme = Scheme::new(&TABLES.filter, 4_096, 0.5, DEFAULT_SEED);
    let ours =
        scheme.packed(&('\u{4e00}'..'\u{5e00}').map(|scalar| vec!['a', scalar, 'b']).collect());
    assert_eq!(full.as_bytes(), ours);
    let small = FilterParameters { bits: 8, ..parameters };
    let empty = Filter::build(&small, &[]);
    let unknown = grams.iter().find(|gram| parameters.probes(**gram).all(|bit| bit >= 8)).unwrap();
    assert!(empty.passes(&parameters, *unknown), "what it is not asked about it does not deny");
}

#[test]
fn each_file_has_a_filter_of_its_text_and_one_of_its_folded_text() {
    touchstone::verifies!("FR-LSI-BLOOM-04");
    let parameters = PAGE.filter();
    let text = "Stra\u{df}e UND Weg\r\nCaf\u{c9}";
    let known = known(text.as_bytes(), PAGE);
    let build = |grams: &[String]| {
        Filter::build(&parameters, &grams.iter().map(|text| gram(text)).collect::<Vec<_>>())
    };
    let (sensitive, insensitive) = (build(&known.sensitive), build(&known.insensitive));
    assert_ne!(sensitive, insensitive);
    for (text, plain, folded) in [
        ("Str", true, false),
        ("str", false, true),
        ("UND", true, false),
        ("und", false, true),
        ("f\u{c9}x", false, false),
    ] {
        assert_eq!(sensitive.passes(&parameters, gram(text)), plain, "{text}");
        assert_eq!(insensitive.passes(&parameters, gram(text)), folded, "{text}");
    }
    // ASCII's fold leaves other capitals alone.
    assert!(
        insensitive.passes(&parameters, gram("af\u{c9}"))
            && !insensitive.passes(&parameters, gram("af\u{e9}"))
    );
    // Both come back from the factored form.
    let grams: Vec<_> = known.sensitive.iter().map(|text| gram(text)).collect();
    let postings = Postings::build(parameters, Fold::Ascii, [(1, &grams[..])]);
    assert_eq!(postings.packed(Variant::Sensitive, 1), sensitive.as_bytes());
    assert_eq!(postings.packed(Variant::Insensitive, 1), insensitive.as_bytes());
}

#[test]
fn a_filter_has_no_false_negatives() {
    touchstone::verifies!("FR-LSI-CAND-LIT-01", "FR-LSI-BLOOM-Q-02");
    let parameters = FilterParameters { bits: 61, hashes: 5, seed: DEFAULT_SEED };
    let mut grams = Vec::new();
    for text in ["The quick brown fox", "jumps over\nthe lazy dog", "\u{65e5}\u{672c}\u{8a9e} text"]
    {
        grams.extend(known(text.as_bytes(), PAGE).sensitive.iter().map(|text| gram(text)));
        let filter = Filter::build(&parameters, &grams);
        assert!(grams.iter().all(|gram| filter.passes(&parameters, *gram)));
    }
}

#[test]
fn the_seed_is_stored_as_a_signed_number_and_zero_is_refused() {
    // E-A17: as a decimal literal the default does not fit a column of 64 signed bits. E-A18: with
    // zero both hashes are one.
    touchstone::verifies!("E-A17", "E-A18");
    assert_eq!(stored_seed(DEFAULT_SEED), -7_046_029_254_386_353_131);
    assert_eq!(stored_seed(DEFAULT_SEED).cast_unsigned(), DEFAULT_SEED);
    assert!(i64::try_from(DEFAULT_SEED).is_err());
    assert_eq!(stored_seed(1), 1);
    let mut settings = Settings::documents();
    assert!(settings.set("bloom_hash_seed", Given::Integer(0)).is_err());
    assert!(settings.set("bloom_hash_seed", Given::Text("0x0".to_owned())).is_err());
    assert!(settings.set("bloom_hash_seed", Given::Text("0x9E3779B97F4A7C15".to_owned())).is_ok());
    assert!(settings.set("bloom_hash_seed", Given::Integer(1)).is_ok());
    // Why: with one hash twice, probes are the multiples of it, and a hash that the bits divide
    // sets a single bit.
    let [first, second, third] = probes("abc", u64::MAX, 3, 0)[..] else { panic!("three probes") };
    assert_eq!(second, first.wrapping_mul(2) % u64::MAX);
    assert_eq!(third, first.wrapping_mul(3) % u64::MAX);
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
fn two_packed_filters_a_file_exceed_the_default_limits() {
    // E-A13, E-A14: so what is stored is the factored form. E-A15: the rate holds at n grams, and
    // not at what a file may have.
    touchstone::verifies!("E-A13", "E-A14", "E-A15");
    let (settings, parameters) =
        (Settings::documents(), FilterParameters::sized(1_048_576, 0.01, DEFAULT_SEED));
    let per_file = 2 * parameters.bytes() as u64;
    assert_eq!(per_file, 1_256_334);
    let fit = settings.index_max_db_bytes / per_file;
    assert!(fit == 854 && fit < settings.index_auto_threshold_files, "{fit}");
    assert_eq!(settings.get("index_filter_layout"), Some(Given::Text("factored".to_owned())));
    // A file of eight kilobytes is read faster than its filter.
    assert!(parameters.bytes() > 70 * 8_192);
    let rate = |grams: f64| (1.0 - (-7.0 * grams / parameters.bits as f64).exp()).powi(7);
    assert!((rate(524_288.0) - 0.01).abs() < 0.001);
    assert!((rate(2.0 * 524_288.0) - 0.157).abs() < 0.001);
}
