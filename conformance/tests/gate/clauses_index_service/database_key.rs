//! Sections 7.2 and 11: which settings make another index, and when one that was given up comes
//! back.

use std::fs;
use std::sync::Arc;

use forge_search_engine::IndexUse;
use forge_search_engine::index::Point;

use super::eviction::various;
use super::home::{Gate, Home, excluded, literal, paths, settle, state, status};
use crate::clauses::Hand;

#[test]
fn a_disabled_index_returns_after_its_cooldown() {
    touchstone::verifies!("TT-03", "TT-04", "TT-24", "FR-LSI-BUD-04.expire", "E-C21");
    let home = Home::new(&[]);
    various(&home, 40);
    let (gate, clock) = (Gate::open(), Arc::new(Hand::default()));
    let settings = "index_storage = \"memory\"\nindex_max_db_bytes = 1048576\nindex_disable_cooldown_ms = 1000";
    let service = home.by_clock(IndexUse::Stepped, settings, gate.clone(), clock.clone());
    settle(&service);
    assert_eq!(state(&service), ("DISABLED", Some("MEMORY_BUDGET_EXCEEDED")));
    // What was too much goes, and nobody looks before the time has come.
    for number in 1..40 {
        fs::remove_file(home.root.join(format!("f{number}"))).unwrap();
    }
    home.write("g", "needle\n");
    clock.goes_on(999);
    let seen = home.asked(&service, &literal("needle"));
    assert_eq!((paths(&seen).len(), excluded(&seen).1), (1, 0));
    settle(&service);
    assert_eq!((state(&service).0, gate.count(Point::BuildBegin)), ("DISABLED", 1));
    clock.goes_on(1);
    settle(&service);
    assert_eq!((state(&service), gate.count(Point::BuildBegin)), (("COMPLETE", None), 2));
    assert_eq!(excluded(&home.asked(&service, &literal("needle"))).1, 1);
}

#[test]
fn another_selection_of_files_or_grams_makes_another_index() {
    touchstone::verifies!(
        "FR-LSI-IDX-KEY-01",
        "FR-LSI-CAND-LIT-04",
        "CFGKEY-LSI-bloom_ngram_k",
        "CFGKEY-LSI-bloom_target_fp_rate",
        "CFGKEY-LSI-bloom_hash_seed"
    );
    let home = Home::of_words(60);
    let mut stored = Vec::new();
    for settings in [
        "",
        "index_default_hidden = true",
        "index_default_follow = true",
        "index_default_no_ignore = true",
        "bloom_ngram_k = 2",
        "bloom_target_fp_rate = 0.02",
        "bloom_hash_seed = 7",
        "index_max_tokenized_bytes = 65536",
    ] {
        let service = home.settled(settings);
        let file = status(&service).file.unwrap();
        assert!(file.exists() && !stored.contains(&file), "{settings}");
        stored.push(file);
        service.index_shutdown();
        drop(service);
        let gate = Gate::open();
        let again = home.with_faults(IndexUse::Stepped, settings, gate.clone());
        settle(&again);
        assert_eq!((state(&again).0, gate.count(Point::BuildBegin)), ("COMPLETE", 0), "{settings}");
    }
    // Grams of two characters say something of a pattern of two.
    for (settings, reason) in [("", Some("PATTERN_NEEDS_NOTHING")), ("bloom_ngram_k = 2", None)] {
        let seen = home.asked(&home.settled(settings), &literal("wa"));
        assert_eq!(
            (excluded(&seen).0, excluded(&seen).1 > 0),
            (reason, reason.is_none()),
            "{settings}"
        );
    }
}
