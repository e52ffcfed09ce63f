use super::*;
use crate::generated::index::INDEX;

const TABLES: FilterTables = INDEX.filter;

fn scheme(tables: &FilterTables, max_tokenized_bytes: u64) -> Scheme<'_> {
    Scheme::new(tables, max_tokenized_bytes, tables.target_fp_rate, tables.seed)
}

fn gram(text: &str) -> Vec<char> {
    text.chars().collect()
}

fn grams(texts: &[&str]) -> Grams {
    texts.iter().map(|text| gram(text)).collect()
}

/// E-A12: the document's own example has another m.
#[test]
fn sizes_follow_the_formula_in_binary64() {
    let rows: [(u64, f64, u64, u64, u64); 9] = [
        (1_048_576, 0.01, 524_288, 5_025_332, 7),
        (1_048_576, 0.000_001, 524_288, 15_075_994, 20),
        (1_048_576, 0.5, 524_288, 756_388, 1),
        (33_554_432, 0.01, 16_777_216, 160_810_595, 7),
        (1_073_741_824, 0.000_001, 536_870_912, 15_437_817_098, 20),
        (4096, 0.01, 2048, 19_631, 7),
        (4097, 0.001, 2048, 29_446, 10),
        (2, 0.99, 1, 1, 1),
        (1, 0.01, 0, 0, 1),
    ];
    for (max_tokenized_bytes, rate, basis, bits, hashes) in rows {
        let found = Scheme::new(&TABLES, max_tokenized_bytes, rate, 1);
        assert_eq!(
            (found.basis, found.bits, found.hashes),
            (basis, bits, hashes),
            "{max_tokenized_bytes} {rate}"
        );
    }
}

#[test]
fn other_roundings_give_other_sizes() {
    let tables =
        FilterTables { bits_rounding: Rounding::Floor, hashes_rounding: Rounding::Floor, ..TABLES };
    let found = scheme(&tables, 1_048_576);
    assert_eq!((found.bits, found.hashes), (5_025_331, 6));
    let tables = FilterTables {
        basis_divisor: 4,
        hashes_minimum: 9,
        bits_rounding: Rounding::HalfUp,
        ..TABLES
    };
    let found = scheme(&tables, 1_048_576);
    assert_eq!((found.basis, found.bits, found.hashes), (262_144, 2_512_666, 9));
}

#[test]
fn probes_wrap_in_64_bits_and_are_reduced_once() {
    let wrapping = scheme(&TABLES, 1_048_576);
    let abc = [2_353_209, 3_851_388, 324_235, 1_822_414, 3_417_973, 4_916_152, 1_388_999];
    assert_eq!(wrapping.probes(&gram("abc")), abc);
    let kanji = [4_702_993, 2_087_436, 4_399_831, 1_784_274, 4_194_049, 1_578_492, 3_890_887];
    assert_eq!(wrapping.probes(&gram("日本語")), kanji);

    let tables = FilterTables { arithmetic: Arithmetic::Exact, ..TABLES };
    let exact = [2_353_209, 3_851_388, 324_235, 1_822_414, 3_320_593, 4_818_772, 1_291_619];
    assert_eq!(scheme(&tables, 1_048_576).probes(&gram("abc")), exact);
    let tables = FilterTables { first_probe: 1, ..TABLES };
    assert_eq!(scheme(&tables, 1_048_576).probes(&gram("abc"))[..6], abc[1..]);
    let tables = FilterTables { first_seed: TABLES.seed, seed: 0, ..TABLES };
    assert_ne!(scheme(&tables, 1_048_576).probes(&gram("abc")), abc);
}

/// E-A16: the case in which a product that wraps and one that does not differ.
#[test]
fn the_width_of_the_product_matters() {
    let wrapping = scheme(&TABLES, 1_048_576);
    assert_eq!(wrapping.probe(u64::MAX, u64::MAX, 1), Some(4_927_950));
    let tables = FilterTables { arithmetic: Arithmetic::Exact, ..TABLES };
    assert_eq!(scheme(&tables, 1_048_576).probe(u64::MAX, u64::MAX, 1), Some(4_830_570));
}

#[test]
fn packed_bits_have_the_places_of_the_layout() {
    let small = Scheme { bits: 61, ..scheme(&TABLES, 4096) };
    let set = grams(&["abc", "bcd"]);
    assert_eq!(
        small.set_bits(&set).into_iter().collect::<Vec<_>>(),
        [0, 7, 30, 35, 37, 43, 44, 51, 54]
    );
    assert_eq!(small.packed(&set), [0x81, 0x00, 0x00, 0x40, 0x28, 0x18, 0x48, 0x00]);

    let tables = FilterTables { bit_order: BitOrder::MsbFirst, ..TABLES };
    let other = Scheme { bits: 61, ..scheme(&tables, 4096) };
    assert_eq!(other.packed(&set), [0x81, 0x00, 0x00, 0x02, 0x14, 0x18, 0x12, 0x00]);
    assert_eq!(scheme(&TABLES, 1_048_576).packed(&Grams::new()).len(), 628_167);
}

#[test]
fn a_gram_passes_exactly_if_all_its_bits_are_set() {
    let all: Vec<Vec<char>> =
        ('a'..='z').flat_map(|one| ('a'..='z').map(move |two| vec![one, two, '-'])).collect();
    let put_in: Grams = all.iter().step_by(40).cloned().collect();
    for bits in [61, 113, 977] {
        let small = Scheme { bits, ..scheme(&TABLES, 4096) };
        let (packed, set) = (small.packed(&put_in), small.set_bits(&put_in));
        for one in &all {
            let expected = small.probes(one).iter().all(|bit| set.contains(bit));
            assert_eq!(small.passes(&packed, one), expected, "{one:?}");
            assert!(expected || !put_in.contains(one));
        }
    }
}

#[test]
fn a_seed_is_kept_as_a_signed_number() {
    assert_eq!(stored_seed(TABLES.seed), -7_046_029_254_386_353_131);
}
