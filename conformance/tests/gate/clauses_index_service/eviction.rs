//! Sections 7.4 to 7.8: what goes when there is no room, on disk and in memory.

use std::fs;

use forge_search_core::index::machine::Trigger;
use forge_search_engine::index::{Point, TraceStep};
use forge_search_engine::{IndexOptions, IndexUse, Service};
use serde_json::json;

use super::home::{Gate, Home, LONG, called, excluded, literal, paths, settle, state};

#[test]
fn the_least_recently_used_index_is_evicted_beyond_the_number_unless_in_use() {
    touchstone::verifies!("FR-LSI-IDX-RM-01", "FR-LSI-IDX-RM-03", "FR-LSI-IDX-RM-02", "TT-23");
    let home = Home::new(&[("a/f", "apple\n"), ("b/f", "brick\n"), ("c/f", "chalk\n")]);
    let at = |name: &str| {
        format!("index_roots = [\"{}/{name}\"]\nindex_max_indexes = 1", home.root.display())
    };
    let first = home.settled(&at("a"));
    // Somebody reads it: it stays, and both are there.
    let second = home.settled(&at("b"));
    assert_eq!(home.stored(".sqlite").len(), 2);
    let below = |service: &Service, path: &str, word: &str| {
        called(service, &json!({"pattern": word, "fixed_strings": true, "path": path}))["count"]
            .clone()
    };
    assert_eq!((below(&first, "a", "apple"), below(&second, "b", "brick")), (json!(1), json!(1)));
    first.index_shutdown();
    second.index_shutdown();
    drop((first, second));
    let third = home.settled(&at("c"));
    assert_eq!(home.stored(".sqlite").len(), 1);
    assert_eq!(below(&third, "c", "chalk"), json!(1));
}

#[test]
fn only_indexes_not_open_in_any_service_are_evicted() {
    touchstone::verifies!("FR-LSI-IDX-RM-01", "FR-LSI-IDX-RM-02", "E-C37");
    let home = Home::new(&[("a/f", "apple\n"), ("b/f", "brick\n"), ("x/f", "chalk\n")]);
    let of = |names: &[&str]| {
        let roots: Vec<String> =
            names.iter().map(|name| format!("{}/{name}", home.root.display())).collect();
        format!("index_roots = {roots:?}\nindex_max_indexes = 2")
    };
    let old = home.settled(&of(&["x"]));
    old.index_shutdown();
    drop(old);
    // Its age is told by the same clock as everybody else's.
    let forsaken = home.stored(".sqlite").remove(0);
    let long_ago =
        std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_577_836_800);
    fs::File::options().write(true).open(&forsaken).unwrap().set_modified(long_ago).unwrap();
    let service = home.settled(&of(&["a", "b"]));
    let states: Vec<_> = service.index_status().iter().map(|status| status.state).collect();
    assert_eq!(states, ["COMPLETE", "COMPLETE"]);
    assert!(!forsaken.exists());
    assert_eq!(home.stored(".sqlite").len(), 2);
}

#[test]
fn more_roots_than_the_allowed_stored_indexes_are_refused() {
    touchstone::verifies!("FR-LSI-IDX-RM-01");
    let home = Home::new(&[("a/f", "apple\n"), ("b/f", "brick\n")]);
    let roots = ["a", "b"].map(|name| format!("{}/{name}", home.root.display()));
    let settings = format!("index_roots = {roots:?}\nindex_max_indexes = 1");
    let options = || IndexOptions { using: IndexUse::Stepped, ..IndexOptions::default() };
    let refused =
        Service::with_index(home.config(&settings), home.sandbox(), options()).unwrap_err();
    let why = refused.to_string();
    assert!(why.contains("index_max_indexes") && why.contains(&roots[1]), "{why}");
    // What is kept in memory takes no place.
    let kept = home.settled(&format!("{settings}\nindex_storage = \"memory\""));
    assert!(kept.index_status().iter().all(|status| status.state == "COMPLETE"));
}

#[test]
fn an_evicted_index_leaves_no_file_until_it_is_needed() {
    touchstone::verifies!("FR-LSI-IDX-RM-01", "TT-23", "STATE-ABSENT");
    for needed in ["by a search", "by its builder"] {
        let home = Home::of_words(30);
        let service = home.settled("");
        service.index_evict();
        settle(&service);
        assert_eq!(
            (state(&service), home.stored(".sqlite").len()),
            (("ABSENT", None), 0),
            "{needed}"
        );
        assert!(service.index_wait(LONG), "there is nothing to wait for");
        if needed == "by a search" {
            assert_eq!(paths(&home.asked(&service, &literal("chalk"))).len(), 3);
        } else {
            service.index_rebuild();
        }
        settle(&service);
        assert_eq!(
            (state(&service), home.stored(".sqlite").len()),
            (("COMPLETE", None), 1),
            "{needed}"
        );
    }
}

/// Files of text of which hardly any three characters come twice.
pub(super) fn various(home: &Home, count: usize) {
    various_of(home, count, 40_000);
}

/// The same, of so many characters each.
fn various_of(home: &Home, count: usize, characters: usize) {
    let mut seed = 1_u64;
    for number in 0..count {
        let mut text = String::new();
        for _ in 0..characters {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push(char::from_u32(0x4e00 + u32::try_from(seed >> 51).unwrap()).unwrap_or('x'));
        }
        home.write(&format!("f{number}"), &text);
    }
}

#[test]
fn an_in_memory_index_beyond_its_limit_is_disabled() {
    touchstone::verifies!(
        "FR-LSI-STOR-FALLBACK-02",
        "FR-LSI-IDX-RM-04",
        "TT-24",
        "D-MEMORY_BUDGET_EXCEEDED"
    );
    let home = Home::new(&[]);
    various(&home, 40);
    let service = home.settled("index_storage = \"memory\"\nindex_max_db_bytes = 1048576");
    assert_eq!(state(&service), ("DISABLED", Some("MEMORY_BUDGET_EXCEEDED")));
    home.write("f0", "needle\n");
    assert_eq!(paths(&home.asked(&service, &literal("needle"))), ["f0"]);
}

#[test]
fn an_index_that_grows_beyond_its_limit_by_changes_is_disabled() {
    touchstone::verifies!(
        "FR-LSI-STOR-FALLBACK-02",
        "FR-LSI-IDX-RM-04",
        "TT-24",
        "D-MEMORY_BUDGET_EXCEEDED"
    );
    for (storage, reason) in
        [("memory", "MEMORY_BUDGET_EXCEEDED"), ("sqlite", "DISK_BUDGET_EXCEEDED")]
    {
        let home = Home::of_words(30);
        let bound = format!("index_storage = {storage:?}\nindex_max_db_bytes = 1048576");
        let service = home.settled(&bound);
        assert_eq!(state(&service), ("COMPLETE", None), "{storage}");
        various(&home, 12);
        // So many that they are worth a new base.
        for number in 0..4_200 {
            home.write(&format!("late/{}/f{number}", number % 40), "quartz\n");
        }
        home.asked(&service, &literal("chalk"));
        settle(&service);
        assert_eq!(state(&service), ("DISABLED", Some(reason)), "{storage}");
        home.write("late/0/f0", "needle\n");
        assert_eq!(paths(&home.asked(&service, &literal("needle"))), ["late/0/f0"], "{storage}");
    }
}

#[test]
fn the_last_used_of_idle_indexes_beyond_the_total_limit_stays() {
    touchstone::verifies!("FR-LSI-IDX-RM-01", "FR-LSI-IDX-RM-02", "TT-23");
    // One that writes leaves traces in the file anyway; one that only reads does not.
    for using in [IndexUse::Stepped, IndexUse::Existing] {
        let home = Home::new(&[("c/f", "chalk\n")]);
        for name in ["a", "b"] {
            let other = Home::new(&[]);
            various(&other, 3);
            fs::rename(&other.root, home.root.join(name)).unwrap();
        }
        home.age();
        let only = |name: &str, more: &str| {
            format!("index_roots = [\"{}/{name}\"]\n{more}", home.root.display())
        };
        let at = |name: &str, more: &str| home.settled(&only(name, more));
        let ended = |service: Service| {
            let file = service.index_status()[0].file.clone().unwrap();
            service.index_shutdown();
            drop(service);
            (fs::metadata(&file).unwrap().len(), file)
        };
        let (first_size, first) = ended(at("a", ""));
        let (second_size, second) = ended(at("b", ""));
        // The one that was built first is searched again: then it was used last.
        let again = home.service(using, &only("a", ""));
        let request = json!({"pattern": "needle", "fixed_strings": true, "path": "a"});
        if using == IndexUse::Stepped {
            settle(&again);
        }
        assert_eq!(excluded(&called(&again, &request)), (None, 3), "{using:?}");
        ended(again);
        // Room for both, and for nothing else.
        let most = first_size + second_size;
        assert!(most > 1 << 20, "{most}");
        let third = at("c", &format!("index_max_db_bytes = {most}"));
        assert_eq!(third.index_status()[0].state, "COMPLETE");
        assert!(first.exists() && !second.exists(), "{using:?}");
        assert!(home.stored(".sqlite").len() == 2);
        // What went is absent, and is built anew when it is asked for.
        drop(third);
        let back = at("b", "");
        let missing = |step: &TraceStep| step.triggers.contains(Trigger::IndexMissing);
        assert!(back.index_trace().iter().any(missing));
        assert_eq!(back.index_status()[0].state, "COMPLETE");
    }
}

#[test]
fn an_in_memory_build_ends_as_soon_as_it_exceeds_its_limit() {
    touchstone::verifies!(
        "FR-LSI-IDX-RM-04",
        "FR-LSI-STOR-FALLBACK-02",
        "D-MEMORY_BUDGET_EXCEEDED"
    );
    let home = Home::new(&[]);
    // Two batches of 512 files.
    various_of(&home, 1_024, 1_500);
    let gate = Gate::open();
    let settings = "index_storage = \"memory\"\nindex_max_db_bytes = 1048576";
    let service = home.with_faults(IndexUse::Stepped, settings, gate.clone());
    settle(&service);
    assert_eq!(state(&service), ("DISABLED", Some("MEMORY_BUDGET_EXCEEDED")));
    let read = gate.count(Point::ReadFile);
    assert_eq!(read, 512, "of 1,024 files");
}
