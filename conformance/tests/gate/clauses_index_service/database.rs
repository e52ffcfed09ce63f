//! The database as somebody else's connection finds it: what the key says of itself, facts, and
//! what became of an index whose facts were changed.

use std::os::unix::ffi::OsStrExt as _;

use forge_search_core::index::machine::Trigger;
use forge_search_core::index::need::Variant;
use forge_search_engine::IndexUse;
use forge_search_engine::index::Point;
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _};
use touchstone_model::index::filter::Scheme;
use touchstone_model::index::tables;
use touchstone_model::index::tokens::{Parameters, fold, tokenize};

use super::home::{Gate, Home, excluded, literal, settle, state, status};
use crate::clauses_index::TABLES;

/// A connection to the only stored index.
pub(super) fn opened(home: &Home) -> Connection {
    let stored = home.stored(".sqlite");
    assert_eq!(stored.len(), 1, "{stored:?}");
    Connection::open(&stored[0]).unwrap()
}

/// A fact of the only stored index, or a component of its key.
pub(super) fn fact(home: &Home, name: &str) -> Option<Value> {
    let asked = "SELECT value FROM meta WHERE name = ?1";
    opened(home).query_row(asked, [name], |row| row.get(0)).optional().unwrap()
}

/// How many rows a condition picks from a table of the only stored index.
pub(super) fn count(home: &Home, rows: &str) -> i64 {
    opened(home).query_row(&format!("SELECT count(*) FROM {rows}"), [], |row| row.get(0)).unwrap()
}

fn number(value: u64) -> Value {
    Value::Integer(value.cast_signed())
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

/// Golden ratio, the default seed of the second hash.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

#[test]
fn every_key_component_has_a_separate_row() {
    touchstone::verifies!(
        "FR-LSI-IDX-KEY-01",
        "FR-LSI-IDX-KEY-02",
        "FR-LSI-CAND-LIT-04",
        "CFGKEY-LSI-bloom_target_fp_rate",
        "CFGKEY-LSI-bloom_hash_seed",
        "ALG-LSI-C1",
        "ALG-LSI-C1.8",
        "E-F20"
    );
    let home = Home::of_words(12);
    // Files, filter bits and hashes are those of clauses_index_filter, worked out by hand.
    let changed = "index_default_hidden = true\nindex_default_follow = true\n\
        index_default_no_ignore = true\nindex_max_tokenized_bytes = 65536\nbloom_ngram_k = 2\n\
        bloom_target_fp_rate = 0.02\nbloom_hash_seed = 7\nindex_filter_layout = \"packed\"";
    for (settings, flags, [most, basis, bits, hashes, grams, seed], rate, layout) in [
        ("", 0, [33_554_432, 16_777_216, 160_810_595, 7, 3, SEED], 0.01, "factored"),
        (changed, 1, [65_536, 32_768, 266_809, 6, 2, 7], 0.02, "packed"),
    ] {
        home.settled(settings).index_shutdown();
        let root = home.root.as_os_str().as_bytes().to_vec();
        for (name, expected) in [
            ("root", Value::Blob(root)),
            ("hidden", number(flags)),
            ("follow", number(flags)),
            ("no_ignore", number(flags)),
            ("unicode_normalization", text("NFC")),
            ("casefold_strategy", text("ASCII")),
            ("max_tokenized_bytes", number(most)),
            ("bloom_ngram_k", number(grams)),
            ("bloom_m_bits", number(bits)),
            ("bloom_k_hashes", number(hashes)),
            ("bloom_hash_seed", number(seed)),
            ("bloom_target_fp_rate", Value::Real(rate)),
            ("bloom_basis_ngrams", number(basis)),
            ("layout", text(layout)),
        ] {
            assert_eq!(fact(&home, name), Some(expected), "{name}, {settings}");
        }
        assert_eq!(fact(&home, "backend_id"), None, "no program is part of it");
        assert!(matches!(fact(&home, "schema_version"), Some(Value::Integer(1..))));
        let Some(Value::Text(tokenizer)) = fact(&home, "tokenizer") else { panic!("no tokenizer") };
        assert!(tokenizer.contains("grams") && tokenizer.contains("unicode-"), "{tokenizer}");
        std::fs::remove_dir_all(&home.cache).unwrap();
    }
}

#[test]
fn different_spellings_of_a_root_are_one_root() {
    touchstone::verifies!("NFR-LSI-PORT-02", "ALG-LSI-C1", "ALG-LSI-C1.8", "FR-LSI-IDX-KEY-01");
    let home = Home::new(&[("a/f", "apple\n"), ("a/b/g", "brick\n")]);
    std::os::unix::fs::symlink("a", home.root.join("link")).unwrap();
    let root = home.root.display();
    for spelt in [
        format!("{root}/a"),
        format!("{root}/a/"),
        format!("{root}/./a/."),
        format!("{root}//a"),
        format!("{root}/a/b/.."),
        format!("{root}/link"),
        "a".to_owned(),
        "./a/b/../".to_owned(),
    ] {
        let gate = Gate::open();
        let settings = format!("index_roots = [{spelt:?}]");
        let service = home.with_faults(IndexUse::Stepped, &settings, gate.clone());
        settle(&service);
        assert_eq!(status(&service).root, home.root.join("a"), "{spelt}");
        let first = spelt == format!("{root}/a");
        assert_eq!(gate.count(Point::BuildBegin), usize::from(first), "{spelt}");
        service.index_shutdown();
        let kept = home.root.join("a");
        assert_eq!(fact(&home, "root"), Some(Value::Blob(kept.as_os_str().as_bytes().to_vec())));
    }
}

#[test]
fn an_index_with_another_stored_key_excludes_nothing_and_is_rebuilt() {
    touchstone::verifies!(
        "TT-08",
        "FR-LSI-TOK-04",
        "FR-LSI-IDX-KEY-01",
        "FR-LSI-IDX-KEY-02",
        "FR-LSI-CAND-LIT-04",
        "FR-LSI-BG-52"
    );
    let home = Home::of_words(30);
    for (component, other) in [
        ("schema_version", Value::Integer(1)),
        ("root", Value::Blob(b"/elsewhere".to_vec())),
        ("hidden", Value::Integer(1)),
        ("tokenizer", Value::Text("words/1".to_owned())),
        ("unicode_normalization", Value::Text("NFD".to_owned())),
        ("casefold_strategy", Value::Text("UNICODE_SIMPLE".to_owned())),
        ("bloom_m_bits", Value::Integer(8)),
        ("bloom_k_hashes", Value::Integer(1)),
        ("bloom_ngram_k", Value::Integer(2)),
        ("bloom_hash_seed", Value::Integer(1)),
    ] {
        home.settled("").index_shutdown();
        let was = fact(&home, component);
        let changed = "UPDATE meta SET value = ?2 WHERE name = ?1";
        let rows = opened(&home).execute(changed, rusqlite::params![component, other]).unwrap();
        assert_eq!(rows, 1, "{component}");
        let gate = Gate::open();
        let service = home.with_faults(IndexUse::Stepped, "", gate.clone());
        assert!(service.index_turn());
        let noticed = service
            .index_trace()
            .iter()
            .any(|step| step.triggers.contains(Trigger::IndexMismatched));
        assert!(noticed, "{component}");
        let seen = home.asked(&service, &literal("chalk"));
        assert_eq!(excluded(&seen), (Some("INDEX_UNAVAILABLE"), 0), "{component}");
        assert!(gate.count(Point::ReadBlock) == 0, "{component}: nothing of it is read");
        settle(&service);
        let work = (gate.count(Point::BuildBegin), gate.count(Point::ReadFile));
        assert_eq!((state(&service), work), (("COMPLETE", None), (1, 30)), "{component}");
        home.uses_index(&service);
        service.index_shutdown();
        assert_eq!(fact(&home, component), was, "{component}");
    }
}

#[test]
fn built_filters_have_the_configured_size_rate_and_seed() {
    touchstone::verifies!(
        "CFGKEY-LSI-bloom_target_fp_rate",
        "CFGKEY-LSI-bloom_hash_seed",
        "CFGKEY-LSI-bloom_ngram_k",
        "FR-LSI-CAND-LIT-04"
    );
    let words = "Some Words, caf\u{e9}, and Others\n";
    let home = Home::new(&[("f", words), ("g", "hay\n")]);
    for (rate, seed, grams) in [(0.01, SEED, 3), (0.001, SEED, 3), (0.01, 7, 3), (0.3, 1, 2)] {
        let settings = format!(
            "index_max_tokenized_bytes = 4096\nbloom_target_fp_rate = {rate}\n\
             bloom_hash_seed = \"{seed:#x}\"\nbloom_ngram_k = {grams}"
        );
        let service = home.settled(&settings);
        let scheme = Scheme::new(&TABLES.filter, 4_096, rate, seed);
        let parameters = Parameters { max_tokenized_bytes: 4_096, ngram: grams };
        let sensitive = tokenize(&TABLES.text, &parameters, words.as_bytes()).sensitive;
        let insensitive = fold(&TABLES.text, tables::Fold::Ascii, &sensitive);
        for (variant, grams) in
            [(Variant::Sensitive, sensitive), (Variant::Insensitive, insensitive)]
        {
            let built = service.index_export("f", variant).unwrap();
            assert_eq!(built, scheme.packed(&grams), "{settings}, {variant:?}");
        }
    }
}
