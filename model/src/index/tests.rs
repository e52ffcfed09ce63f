//! Golden values of the index's computations, from a separate program (`golden/index`).

#![expect(clippy::disallowed_methods, reason = "tests read golden files")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::exclusion::{Filters, Literal, Need, Variant, excluded, excluded_by_grams, needed};
use super::filter::{Scheme, stored_seed};
use super::tables::Fold;
use super::tokens::{Grams, Parameters, TokenStatus, fold, tokenize};
use crate::generated::index::INDEX;

fn golden(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../golden/index").join(name);
    serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn fold_named(name: &str) -> Fold {
    match name {
        "ASCII" => Fold::Ascii,
        "UNICODE_SIMPLE" => Fold::UnicodeSimple,
        other => panic!("no fold is called `{other}`"),
    }
}

fn status_name(status: TokenStatus) -> &'static str {
    match status {
        TokenStatus::Full => "FULL",
        TokenStatus::SkippedTooLarge => "SKIPPED_TOO_LARGE",
        TokenStatus::SkippedEncoding => "SKIPPED_ENCODING",
        TokenStatus::SkippedBinary => "SKIPPED_BINARY",
    }
}

/// Hexadecimal digits, with or without blanks.
fn from_hex(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| u8::try_from(pair[0] * 16 + pair[1]).unwrap()).collect()
}

/// The bytes of a golden text.
fn bytes(entry: &Value) -> Vec<u8> {
    if let Some(text) = entry["text"].as_str() {
        return text.as_bytes().to_vec();
    }
    if let Some(hex) = entry["hex"].as_str() {
        return from_hex(hex);
    }
    text(&entry["repeat"])
        .repeat(usize::try_from(entry["times"].as_u64().unwrap()).unwrap())
        .into_bytes()
}

/// A literal of the goldens, in one of three cases.
fn literal<'a>(pattern: &'a Value, case: &str, fold: Fold) -> Literal<'a> {
    let text = text(&pattern["pattern"]);
    let insensitive =
        case == "insensitive" || case == "smart" && !text.chars().any(|c| c.is_ascii_uppercase());
    Literal { pattern: text, insensitive, fold, fuzzy: pattern["fuzzy"].as_bool().unwrap() }
}

const CASES: [&str; 3] = ["sensitive", "insensitive", "smart"];

fn need(literal: &Literal<'_>, ngram: u64) -> Option<Need> {
    needed(&INDEX.exclusion, &INDEX.text, literal, ngram)
}

#[test]
fn literals_need_the_grams_of_the_goldens() {
    for pattern in list(&golden("patterns.json")) {
        for case in CASES {
            for fold in ["ASCII", "UNICODE_SIMPLE"] {
                let asked = literal(pattern, case, fold_named(fold));
                let found = need(&asked, pattern["ngram_k"].as_u64().unwrap());
                let expected = &pattern["needed"][case][fold];
                let grams =
                    found.as_ref().map(|need| need.grams.iter().map(String::from_iter).collect());
                let wanted: Option<BTreeSet<String>> = expected
                    .as_array()
                    .map(|grams| grams.iter().map(|gram| text(gram).to_owned()).collect());
                assert_eq!(grams, wanted, "{pattern} {case} {fold}");
                let variant = found.map(|need| match need.variant {
                    Variant::Sensitive => "SENSITIVE",
                    Variant::Insensitive => "INSENSITIVE",
                });
                assert!(
                    variant.is_none_or(|variant| variant == pattern["variant"][case]),
                    "{pattern}"
                );
            }
        }
    }
}

/// Probes of every n-gram, if the golden lists them, and the packed form, if it is short.
fn agree_on_filter(
    expected: &Value,
    variant: &str,
    scheme: &Scheme<'_>,
    grams: &Grams,
    about: &str,
) {
    if let Some(wanted) = expected["grams"][variant].as_array() {
        let wanted: BTreeMap<Vec<char>, Vec<u64>> = wanted
            .iter()
            .map(|row| {
                let probes = list(&row[1]).iter().map(|bit| bit.as_u64().unwrap()).collect();
                (text(&row[0]).chars().collect(), probes)
            })
            .collect();
        let found = grams.iter().map(|gram| (gram.clone(), scheme.probes(gram))).collect();
        assert_eq!(wanted, found, "{about} {variant}");
    }
    let packed = &expected["packed"][variant];
    let found = scheme.packed(grams);
    assert_eq!(found.len() as u64, packed["bytes"].as_u64().unwrap(), "{about} {variant}");
    let set: u64 = found.iter().map(|byte| u64::from(byte.count_ones())).sum();
    assert_eq!(set, packed["bits_set"].as_u64().unwrap(), "{about} {variant}");
    if let Some(lines) = packed["hex"].as_array() {
        let wanted: String = lines.iter().map(text).collect();
        assert_eq!(found, from_hex(&wanted), "{about} {variant}");
    }
}

#[test]
fn files_have_the_grams_filters_and_exclusions_of_the_goldens() {
    let patterns = golden("patterns.json");
    for entry in list(&golden("texts.json")["texts"]) {
        let name = text(&entry["id"]);
        let bytes = bytes(entry);
        let answers = golden(&format!("expected/{name}.json"))["answers"].clone();
        for (set, expected) in answers.as_object().unwrap() {
            let about = format!("{name} {set}");
            let configured = &expected["parameters"];
            let parameters = Parameters {
                max_tokenized_bytes: configured["max_tokenized_bytes"].as_u64().unwrap(),
                ngram: configured["ngram_k"].as_u64().unwrap(),
            };
            let found = tokenize(&INDEX.text, &parameters, &bytes);
            assert_eq!(status_name(found.status), expected["token_status"], "{about}");
            assert_eq!(found.complete, expected["token_complete"], "{about}");
            assert_eq!(found.tokenized_bytes, expected["tokenized_bytes"], "{about}");

            let seed = text(&configured["hash_seed"]).trim_start_matches("0x");
            let seed = u64::from_str_radix(seed, 16).unwrap();
            let rate = configured["fp_rate"].as_f64().unwrap();
            let scheme = Scheme::new(&INDEX.filter, parameters.max_tokenized_bytes, rate, seed);
            assert_eq!(scheme.basis, expected["n"], "{about}");
            assert_eq!(scheme.bits, expected["m"], "{about}");
            assert_eq!(scheme.hashes, expected["k_hashes"], "{about}");
            assert_eq!(stored_seed(seed), expected["hash_seed_stored"], "{about}");

            let folded_by = fold_named(text(&configured["fold"]));
            let folded = fold(&INDEX.text, folded_by, &found.sensitive);
            agree_on_filter(expected, "SENSITIVE", &scheme, &found.sensitive, &about);
            agree_on_filter(expected, "INSENSITIVE", &scheme, &folded, &about);

            let filters = Filters::of(&INDEX.text, &scheme, &found, folded_by);
            let of_set = |pattern: &&Value| pattern["ngram_k"] == configured["ngram_k"];
            for case in CASES {
                let wanted: BTreeSet<&str> =
                    list(&expected["excluded"][case]).iter().map(text).collect();
                for pattern in list(&patterns).iter().filter(of_set) {
                    let need = need(&literal(pattern, case, folded_by), parameters.ngram);
                    let need = need.as_ref();
                    let id = text(&pattern["id"]);
                    let by_filters = excluded(&INDEX.exclusion, &scheme, need, &found, &filters);
                    assert_eq!(by_filters, wanted.contains(id), "{about} {case} {id}");
                    let by_grams = excluded_by_grams(
                        &INDEX.exclusion,
                        &INDEX.text,
                        &scheme,
                        need,
                        &found,
                        folded_by,
                    );
                    assert_eq!(by_grams, by_filters, "{about} {case} {id}");
                }
            }
        }
    }
}
