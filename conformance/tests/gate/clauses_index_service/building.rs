//! Sections 5 and 6: who builds an index, when, in which steps, and what searches do meanwhile.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use forge_search_engine::index::Point;
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{
    Config, ErrorClass, IndexMode, IndexOptions, IndexUse, Sandbox, Service,
};
use serde_json::json;

use super::home::{
    Gate, Home, LONG, called, eventually, excluded, literal, paths, settle, state, status,
};

#[test]
fn every_root_has_an_indexer_that_starts_without_a_search() {
    touchstone::verifies!(
        "FR-LSI-BG-01",
        "FR-LSI-BG-02",
        "FR-LSI-BG-03",
        "FR-LSI-IDX-ROOT-01",
        "FR-LSI-IDX-SCHED-01",
        "FR-LSI-IDX-04",
        "CFGKEY-LSI-index_roots"
    );
    let home = Home::new(&[("a/f", "apple\n"), ("b/f", "brick\n"), ("c/f", "chalk\n")]);
    let roots: Vec<String> =
        ["a", "b"].iter().map(|name| format!("{}/{name}", home.root.display())).collect();
    let service = home.service(IndexUse::Background, &format!("index_roots = {roots:?}"));
    assert!(service.index_wait(LONG));
    let indexed: Vec<(String, &str)> = service
        .index_status()
        .into_iter()
        .map(|one| (one.root.file_name().unwrap().to_string_lossy().into_owned(), one.state))
        .collect();
    assert_eq!(indexed, [("a".to_owned(), "COMPLETE"), ("b".to_owned(), "COMPLETE")]);
    // Without roots of its own it is the working directory, whatever its size, under `on`.
    let alone = home.service(IndexUse::Background, "index_auto_threshold_files = 1000000");
    assert!(alone.index_wait(LONG));
    assert_eq!((status(&alone).root, state(&alone)), (home.root.clone(), ("COMPLETE", None)));
}

#[test]
fn an_index_root_outside_the_sandbox_or_denied_is_refused_at_the_start() {
    touchstone::verifies!("FR-LSI-IDX-ROOT-01", "FR-LSI-IDX-SCOPE-02");
    let home = Home::new(&[("a/f", "apple\n")]);
    let start = |config: Config| {
        let sandbox = Sandbox::new(std::slice::from_ref(&home.root), &home.root).unwrap();
        let options = IndexOptions { using: IndexUse::Stepped, ..IndexOptions::default() };
        Service::with_index(config, sandbox, options).map(drop).map_err(|error| error.to_string())
    };
    let of = |root: &str| home.config(&format!("index_roots = [{root:?}]"));
    let outside = home.base().to_string_lossy().into_owned();
    let refused = start(of(&outside)).unwrap_err();
    assert!(refused.contains("index_roots"), "{refused}");
    let inside = home.root.join("a").to_string_lossy().into_owned();
    assert_eq!(start(of(&inside)), Ok(()));
    let denied = Config { deny: vec!["a".to_owned()], ..of(&inside) };
    let refused = start(denied).unwrap_err();
    assert!(refused.contains("index_roots"), "{refused}");
}

#[test]
fn a_denied_working_directory_has_no_index_and_the_service_starts() {
    let home = Home::new(&[("a/f", "apple\n"), ("g", "apple\n")]);
    let config = Config { deny: vec!["a".to_owned()], ..home.config("") };
    let sandbox = Sandbox::new(std::slice::from_ref(&home.root), &home.root.join("a")).unwrap();
    let options = IndexOptions { using: IndexUse::Stepped, ..IndexOptions::default() };
    let service = Service::with_index(config, sandbox, options).unwrap();
    assert!(service.index_status().is_empty());
    let error = service.call("Search", &literal("apple")).unwrap_err();
    assert_eq!(error.class, ErrorClass::SandboxViolation);
}

#[test]
fn the_deepest_of_nested_roots_serves_a_search() {
    touchstone::verifies!("FR-LSI-IDX-ROOT-01", "FR-LSI-IDX-ROOT-02", "E-C50");
    let home = Home::new(&[("a/f", "apple\n"), ("a/in/f", "brick\n"), ("a/in/g", "chalk\n")]);
    let roots = ["a", "a/in", "a"].map(|name| format!("{}/{name}", home.root.display()));
    let service = home.settled(&format!("index_roots = {roots:?}"));
    let files: Vec<u64> = service.index_status().iter().map(|one| one.files).collect();
    assert_eq!(
        files,
        [3, 2],
        "a root that is named twice is one, and a file may be in two indexes"
    );
    home.write("a/in/f", "quartz\n");
    for (path, at) in [("a", "in/f"), ("a/in", "f")] {
        let seen = home
            .asked(&service, &json!({ "pattern": "quartz", "fixed_strings": true, "path": path }));
        assert_eq!(paths(&seen), [format!("{path}/{at}")]);
        let total = if path == "a" { 3 } else { 2 };
        let stats = &seen["stats"];
        assert_eq!(
            (&stats["candidates_total"], &stats["index_exclusion_used"]),
            (&json!(total), &json!(true))
        );
    }
}

#[test]
fn mode_off_starts_no_indexer_and_no_watcher_and_writes_no_file() {
    touchstone::verifies!(
        "FR-LSI-BG-04",
        "FR-LSI-IDX-01",
        "FR-LSI-IDX-02",
        "T-LSI-BASE-02",
        "TT-01",
        "STATE-DISABLED"
    );
    let home = Home::of_words(20);
    drop(home.settled(""));
    let kept = home.stored(".sqlite");
    assert_eq!(kept.len(), 1, "an index is there, and must not be used");
    let before = fs::read(&kept[0]).unwrap();
    let gate = Gate::open();
    let service = home.with_faults(IndexUse::Background, "index_mode = \"off\"", gate.clone());
    assert!(service.index_wait(LONG));
    let seen = home.asked(&service, &literal("chalk"));
    assert_eq!(excluded(&seen), (Some("INDEX_OFF"), 0));
    assert_eq!(seen["stats"]["index_safety_state"], "DISABLED");
    assert_eq!(seen["stats"]["index_uncertain_reason"], "MODE_OFF");
    for point in [Point::BuildBegin, Point::List, Point::Watch, Point::OpenStore, Point::Cookie] {
        assert_eq!(gate.count(point), 0, "{point:?}");
    }
    assert_eq!(fs::read(&kept[0]).unwrap(), before);
    assert!(home.config("index_mode = \"auto\"").validate().is_ok());
    let other = "[tools.search]\nindex_mode = \"sometimes\"\n";
    assert!(Config::from_toml(other, forge_search_engine::Preset::Agent).is_err());
}

#[test]
fn index_mode_can_be_switched_on_a_running_service() {
    touchstone::verifies!("FR-LSI-ROLL-03", "FR-LSI-IDX-02", "TT-01");
    let home = Home::of_words(20);
    let service = home.settled("");
    assert!(excluded(&home.asked(&service, &literal("chalk"))).1 > 0);
    service.index_set_mode(IndexMode::Off);
    assert_eq!(state(&service), ("DISABLED", Some("MODE_OFF")));
    assert!(!status(&service).watcher_live);
    assert_eq!(excluded(&home.asked(&service, &literal("chalk"))).1, 0);
    home.write("d0/new", "chalk\n");
    assert!(paths(&home.asked(&service, &literal("chalk"))).contains(&"d0/new".to_owned()));
    settle(&service);
    assert_eq!(state(&service), ("DISABLED", Some("MODE_OFF")), "nothing is done any more");
    service.index_set_mode(IndexMode::On);
    settle(&service);
    assert_eq!(state(&service), ("COMPLETE", None));
    assert!(excluded(&home.asked(&service, &literal("chalk"))).1 > 0);
    assert_eq!(IndexMode::named("perhaps"), None);
}

#[test]
fn auto_mode_builds_above_a_threshold_and_counts_again() {
    touchstone::verifies!(
        "FR-LSI-BG-05",
        "FR-LSI-BG-06",
        "FR-LSI-BG-06.1",
        "FR-LSI-BG-06.2",
        "FR-LSI-IDX-03",
        "CFG-LSI-IDX-02",
        "TT-06",
        "FR-LSI-BG-05.2",
        "FR-LSI-BG-05.3",
        "FR-LSI-BG-06.4",
        "CFGKEY-LSI-index_auto_reeval_calls"
    );
    let home = Home::new(&[("a", "apple\n"), ("b", "brick\n"), ("c", "chalk\n")]);
    let auto = "index_mode = \"auto\"\nindex_auto_threshold_files = 3\nindex_auto_reeval_calls = 2";
    let gate = Gate::open();
    let service = home.with_faults(IndexUse::Stepped, auto, gate.clone());
    settle(&service);
    assert_eq!(
        state(&service),
        ("DISABLED", Some("BELOW_THRESHOLD")),
        "exactly at a threshold is below it"
    );
    assert_eq!((gate.count(Point::BuildBegin), gate.count(Point::ReadFile)), (0, 0));
    // Two calls have the files counted, and are not counted again themselves.
    for _ in 0..2 {
        called(&service, &literal("chalk"));
    }
    settle(&service);
    assert_eq!(state(&service).0, "DISABLED");
    home.write("d", "dwarf\n");
    called(&service, &literal("chalk"));
    settle(&service);
    assert_eq!(state(&service).0, "DISABLED", "one call is not two");
    called(&service, &literal("chalk"));
    settle(&service);
    assert_eq!(state(&service), ("COMPLETE", None));
    // Bytes alone are enough, and a new process counts anew.
    let home = Home::new(&[("a", "apple\n")]);
    let bytes = |most: u64| format!("index_mode = \"auto\"\nindex_auto_threshold_bytes = {most}");
    assert_eq!(state(&home.settled(&bytes(6))), ("DISABLED", Some("BELOW_THRESHOLD")));
    assert_eq!(state(&home.settled(&bytes(5))), ("COMPLETE", None));
    // No mode but `auto` knows thresholds.
    let home = Home::new(&[("a", "apple\n")]);
    assert_eq!(
        state(&home.settled("index_auto_threshold_files = 9007199254740992")),
        ("COMPLETE", None)
    );
}

#[test]
fn counting_ends_at_a_passed_threshold() {
    touchstone::verifies!("FR-LSI-BG-05.1", "FR-LSI-BG-05");
    let home = Home::new(&[]);
    for number in 0..60 {
        home.write(&format!("d{number:02}/f"), "apple\n");
    }
    let gate = Gate::open();
    let auto = "index_mode = \"auto\"\nindex_auto_threshold_files = 3";
    let service = home.with_faults(IndexUse::Stepped, auto, gate.clone());
    settle(&service);
    assert_eq!(state(&service), ("COMPLETE", None));
    let seen = gate.seen.lock().unwrap();
    let begun = seen.iter().position(|point| *point == Point::BuildBegin).expect("a build");
    let listed = seen[..begun].iter().filter(|point| **point == Point::List).count();
    assert!(listed < 30, "{listed} of 61 directories were listed before the build began");
}

#[test]
fn a_build_passes_through_its_phases_and_shows_its_progress() {
    touchstone::verifies!(
        "FR-LSI-BG-20",
        "FR-LSI-BG-20.1",
        "FR-LSI-BG-20.2",
        "FR-LSI-BG-20.3",
        "FR-LSI-BG-21"
    );
    let home = Home::of_words(200);
    home.write(".gitignore", "ignored\n");
    home.write("ignored", "apple ignored\n");
    // The builder is held where each phase does its work, and asked how far it is.
    for (point, phase) in
        [(Point::List, "ENUMERATE"), (Point::ReadFile, "TOKENIZE"), (Point::WriteBase, "PERSIST")]
    {
        let path = home.base().join(phase);
        let gate = Gate::at_point(point);
        let settings = format!("index_path = {:?}", path.to_str().unwrap());
        let service = home.with_faults(IndexUse::Background, &settings, gate.clone());
        gate.wait();
        let stats = home.asked(&service, &literal("chalk"))["stats"].clone();
        assert_eq!(stats["build_phase"], phase, "{stats}");
        assert!(
            stats["build_elapsed_ms"].is_u64() && stats["build_files_done"].is_u64(),
            "{stats}"
        );
        if phase != "ENUMERATE" {
            assert_eq!(stats["build_files_total"], 200, "{stats}");
        }
        gate.release();
        // Phases that follow come in their order, and none of them twice.
        let order = ["ENUMERATE", "TOKENIZE", "PERSIST", "ACTIVATE"];
        let (mut last, until) = (0, Instant::now() + LONG);
        while state(&service).0 != "COMPLETE" && Instant::now() < until {
            let now = status(&service).build_phase;
            let place =
                now.map_or(last, |now| order.iter().position(|known| *known == now).unwrap());
            assert!(place >= last, "{now:?} after {}", order[last]);
            last = place;
        }
        assert!(service.index_wait(LONG));
        eventually("the build's phase to be over", || status(&service).build_phase.is_none());
        assert_eq!(state(&service), ("COMPLETE", None));
    }
    let service = home.settled("");
    let now = status(&service);
    assert_eq!((now.state, now.files, now.pending, now.build_phase), ("COMPLETE", 200, 0, None));
    // What was stored is the whole of it: a process that only reads has nothing left to look for.
    drop(service);
    let reader = home.service(IndexUse::Existing, "");
    assert!(excluded(&home.asked(&reader, &literal("chalk"))).1 > 0);
}

#[test]
fn searches_go_on_while_a_build_is_blocked() {
    touchstone::verifies!(
        "FR-LSI-BG-00",
        "FR-LSI-BG-10",
        "FR-LSI-BG-11",
        "FR-LSI-BG-12",
        "FR-LSI-BUD-INIT-03",
        "FR-LSI-SAFE-03",
        "STATE-BUILDING",
        "TT-10"
    );
    let home = Home::of_words(60);
    let gate = Gate::at_point(Point::ReadFile);
    let service =
        home.with_faults(IndexUse::Background, "index_lock_timeout_ms = 100", gate.clone());
    gate.wait();
    let begun = Instant::now();
    let seen = home.asked(&service, &literal("chalk"));
    assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    assert_eq!(seen["stats"]["index_safety_state"], "BUILDING");
    assert_eq!(excluded(&seen).1, 0, "what is half built is not used");
    assert!(seen["stats"]["build_phase"].is_string(), "{}", seen["stats"]);
    gate.release();
    assert!(service.index_wait(LONG));
    assert_eq!(state(&service), ("COMPLETE", None));
    assert!(excluded(&home.asked(&service, &literal("chalk"))).1 > 0);
}

#[test]
fn eight_threads_search_correctly_during_a_build() {
    touchstone::verifies!(
        "FR-LSI-BG-11",
        "FR-LSI-IDX-CONC-01",
        "FR-LSI-BG-13",
        "NFR-LSI-COR-01",
        "STATE-COMPLETE"
    );
    let home = Home::of_words(300);
    let service = home.service(IndexUse::Background, "");
    let plain = Service::new(home.config("index_mode = \"off\""), home.sandbox()).unwrap();
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let searchers: Vec<_> = (0..8)
            .map(|number| {
                let (service, plain, ended) = (&service, &plain, &ended);
                scope.spawn(move || {
                    let request = literal(super::home::WORDS[number]);
                    let expected = called(plain, &request)["matches"].clone();
                    let mut rounds = 0;
                    while !ended.load(Ordering::SeqCst) || rounds < 5 {
                        assert_eq!(called(service, &request)["matches"], expected, "{request}");
                        rounds += 1;
                    }
                })
            })
            .collect();
        let until = Instant::now() + LONG;
        while state(&service).0 != "COMPLETE" && Instant::now() < until {
            thread::park_timeout(Duration::from_millis(5));
        }
        ended.store(true, Ordering::SeqCst);
        for searcher in searchers {
            searcher.join().unwrap();
        }
    });
    assert!(service.index_wait(LONG));
    assert_eq!(state(&service), ("COMPLETE", None));
    let checks = service.index_verify().unwrap();
    assert!(checks.iter().all(|check| check.findings.is_empty()), "{checks:?}");
    assert_eq!(paths(&called(&service, &json!({"pattern": "number 299"}))).len(), 1);
}

#[test]
fn a_search_is_complete_while_rebuilds_are_requested() {
    touchstone::verifies!("FR-LSI-BG-11", "FR-LSI-IDX-CONC-01", "NFR-LSI-COR-01", "FR-LSI-SAFE-03");
    let home = Home::of_words(24);
    let service = home.service(IndexUse::Background, "index_storage = \"memory\"");
    assert!(service.index_wait(LONG));
    let plain = Service::new(home.config("index_mode = \"off\""), home.sandbox()).unwrap();
    let request = literal("chalk");
    let expected = called(&plain, &request)["matches"].clone();
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !ended.load(Ordering::SeqCst) {
                    let found = called(&service, &request)["matches"].clone();
                    ended.fetch_or(found != expected, Ordering::SeqCst);
                    assert_eq!(found, expected);
                }
            });
        }
        let mut rounds = 0;
        while rounds < 50 && !ended.load(Ordering::SeqCst) {
            service.index_rebuild();
            // If it does not come about, that is told below; the searchers have to be let go first.
            service.index_wait(LONG);
            rounds += 1;
        }
        ended.store(true, Ordering::SeqCst);
    });
    assert!(service.index_wait(LONG));
    assert_eq!(state(&service), ("COMPLETE", None));
}
