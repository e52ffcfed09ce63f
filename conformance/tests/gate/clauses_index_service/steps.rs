//! Section 4.2: steps of the state machine as a service takes them: what it costs, what it leaves
//! in the store, and that searches exclude nothing meanwhile.

use std::os::unix::fs::MetadataExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use forge_search_core::index::machine::Trigger;
use forge_search_engine::index::{Faults, Point};
use forge_search_engine::{Config, IndexMode, IndexOptions, IndexUse, Sandbox, Service};
use rusqlite::types::Value;
use serde_json::json;

use super::database::{count, fact};
use super::failing::Failing;
use super::home::{Gate, Home, LONG, called, excluded, literal, paths, settle, state, status};
use crate::clauses::Hand;

/// Whether any step since the last time was of this trigger.
fn told(service: &Service, trigger: Trigger) -> bool {
    service.index_trace().iter().any(|step| step.triggers.contains(trigger))
}

/// Opens what is stored and begins to watch. Before that a call would look at everything itself.
fn begin_to_watch(service: &Service) {
    while !status(service).watcher_live {
        assert!(service.index_turn(), "{:?}", status(service));
    }
    assert_eq!(state(service).0, "UNCERTAIN");
}

#[test]
fn a_missing_index_file_at_opening_is_absent_and_then_rebuilt() {
    touchstone::verifies!("TT-05", "STATE-ABSENT", "FR-LSI-BG-10");
    let home = Home::of_words(60);
    home.settled("").index_shutdown();
    for path in home.stored(".sqlite") {
        fs::remove_file(path).unwrap();
    }
    let gate = Gate::open();
    let service = home.with_faults(IndexUse::Stepped, "", gate.clone());
    assert!(service.index_turn());
    assert_eq!((state(&service), gate.count(Point::OpenStore)), (("ABSENT", None), 1));
    assert!(told(&service, Trigger::IndexMissing));
    let seen = home.asked(&service, &literal("chalk"));
    assert_eq!(excluded(&seen), (Some("INDEX_UNAVAILABLE"), 0));
    assert_eq!(seen["stats"]["index_safety_state"], "ABSENT");
    settle(&service);
    assert_eq!((state(&service), gate.count(Point::BuildBegin)), (("COMPLETE", None), 1));
    home.uses_index(&service);
}

#[test]
fn an_epoch_begins_only_with_a_proof_of_the_whole_tree() {
    touchstone::verifies!("TT-11", "TT-29");
    let home = Home::of_words(30);
    let epoch = || fact(&home, "epoch");
    let gate = Gate::at_point(Point::BeforeFlip);
    let first = home.with_faults(IndexUse::Background, "", gate.clone());
    gate.wait();
    assert_eq!(epoch(), None, "nothing is built yet");
    gate.release();
    assert!(first.index_wait(LONG));
    assert_eq!((state(&first), epoch()), (("COMPLETE", None), Some(Value::Integer(1))));
    first.index_rebuild();
    assert!(first.index_wait(LONG));
    assert_eq!(epoch(), Some(Value::Integer(2)));
    home.write("d0/f000", "quartz\n");
    home.asked(&first, &literal("quartz"));
    assert!(first.index_wait(LONG));
    first.index_shutdown();
    assert_eq!(epoch(), Some(Value::Integer(2)), "a change is no proof of the whole");
    drop(first);
    let second = home.settled("");
    assert!(told(&second, Trigger::ReconcileCompleted));
    assert_eq!(state(&second), ("COMPLETE", None));
    second.index_shutdown();
    drop(second);
    assert_eq!(epoch(), Some(Value::Integer(3)));
    let third = home.with_faults(IndexUse::Stepped, "", Failing::at(Point::List, 0..usize::MAX));
    settle(&third);
    assert_eq!(state(&third).0, "UNCERTAIN");
    third.index_shutdown();
    assert_eq!(epoch(), Some(Value::Integer(3)), "a reconcile that failed proves nothing");
}

#[test]
fn rules_that_change_while_a_build_is_stored_count_before_it_is_complete() {
    touchstone::verifies!("TT-20", "FR-LSI-TRK-07");
    let home = Home::of_words(30);
    let gate = Gate::at_point(Point::BeforeFlip);
    let service = home.with_faults(IndexUse::Background, "", gate.clone());
    gate.wait();
    home.write(".ignore", "d0/\n");
    gate.release();
    assert!(service.index_wait(LONG));
    assert!(told(&service, Trigger::EligibilityChanged));
    assert_eq!(state(&service), ("COMPLETE", None));
    let plain = Service::new(home.config("index_mode = \"off\""), home.sandbox()).unwrap();
    let request = literal("number");
    assert_eq!(paths(&home.asked(&service, &request)), paths(&called(&plain, &request)));
}

#[test]
fn a_failed_build_leaves_no_usable_index_data() {
    touchstone::verifies!("TT-13", "FR-LSI-BG-22", "E-C32");
    for point in [Point::BuildBegin, Point::WriteBase] {
        let home = Home::of_words(60);
        let faults = Failing::at(point, 0..usize::MAX);
        let service = home.with_faults(IndexUse::Stepped, "", faults);
        settle(&service);
        assert_eq!(state(&service), ("ABSENT", None), "{point:?}");
        let active = count(&home, "segment WHERE active = 1");
        assert_eq!((active, fact(&home, "build_complete")), (0, None), "{point:?}");
        assert_eq!(count(&home, "block"), 0, "{point:?}: what failed was not committed");
        service.index_shutdown();
        drop(service);
        let next = home.settled("");
        assert_eq!(state(&next), ("COMPLETE", None), "{point:?}");
        // Shards of words have numbers beyond those of segments.
        let left = "block WHERE segment < 1048576 AND segment NOT IN \
            (SELECT id FROM segment WHERE active = 1)";
        assert_eq!(count(&home, left), 0, "{point:?}: the rest is deleted");
    }
}

/// A service without an index, with the same configuration otherwise.
fn plain(config: &Config, home: &Home) -> Service {
    let mut config = config.clone();
    config.index.index_mode = IndexMode::Off;
    Service::new(config, home.sandbox()).unwrap()
}

#[test]
fn global_ignore_files_are_read_at_start_and_others_make_a_stored_index_uncertain() {
    touchstone::verifies!(
        "TT-20",
        "FR-LSI-TRK-07",
        "D-ELIGIBILITY_CHANGED",
        "THREAT-04",
        "STAT-index_uncertain_reason"
    );
    let home = Home::of_words(60);
    let global = home.base().join("global");
    fs::write(&global, "nothing\n").unwrap();
    let config = Config { global_ignore_files: vec![global.clone()], ..home.config("") };
    let start = |faults| home.configured(IndexUse::Stepped, config.clone(), faults);
    let first = start(Gate::open());
    settle(&first);
    let (before, request) = (plain(&config, &home), literal("chalk"));
    let all = paths(&called(&before, &request));
    assert_eq!(all.len(), 5);
    fs::write(&global, "f002\n").unwrap();
    // They are read at the start, so that nothing changes for a service that runs, with an index
    // or without.
    let seen = called(&first, &request);
    assert_eq!((paths(&seen), paths(&called(&before, &request))), (all.clone(), all.clone()));
    assert!(excluded(&seen).1 > 0 && state(&first) == ("COMPLETE", None));
    first.index_shutdown();
    drop(first);
    let gate = Gate::open();
    let second = start(gate.clone());
    begin_to_watch(&second);
    assert!(told(&second, Trigger::EligibilityChanged));
    for _ in 0..2 {
        let seen = called(&second, &request);
        assert_eq!(paths(&seen), paths(&called(&plain(&config, &home), &request)));
        assert_eq!((paths(&seen).len(), excluded(&seen).1), (4, 0));
        let stats = &seen["stats"];
        assert_eq!(stats["index_safety_state"], "UNCERTAIN", "{stats}");
        assert_eq!(stats["index_uncertain_reason"], "ELIGIBILITY_CHANGED", "{stats}");
    }
    settle(&second);
    let seen = called(&second, &request);
    assert_eq!((state(&second), paths(&seen).len()), (("COMPLETE", None), 4));
    assert!(excluded(&seen).1 > 0 && gate.count(Point::BuildBegin) == 0);
}

#[test]
fn another_policy_excludes_nothing_before_a_scan_of_the_whole_tree() {
    touchstone::verifies!("TT-21", "SEC-LSI-02", "D-POLICY_CHANGED", "STAT-index_uncertain_reason");
    let home = Home::of_words(60);
    home.settled("").index_shutdown();
    let config = Config { deny: vec!["f002".to_owned()], ..home.config("") };
    let gate = Gate::open();
    let service = home.configured(IndexUse::Stepped, config.clone(), gate.clone());
    begin_to_watch(&service);
    let request = literal("chalk");
    for _ in 0..2 {
        let seen = called(&service, &request);
        assert_eq!(paths(&seen), paths(&called(&plain(&config, &home), &request)));
        assert_eq!((paths(&seen).len(), excluded(&seen).1), (4, 0));
        let stats = &seen["stats"];
        assert_eq!(stats["index_safety_state"], "UNCERTAIN", "{stats}");
        assert_eq!(stats["index_uncertain_reason"], "POLICY_CHANGED", "{stats}");
    }
    settle(&service);
    assert_eq!((state(&service), gate.count(Point::BuildBegin)), (("COMPLETE", None), 0));
    assert!(excluded(&called(&service, &request)).1 > 0);
}

#[test]
fn a_narrower_sandbox_is_compared_with_the_tree_before_exclusion() {
    touchstone::verifies!("TT-21", "SEC-LSI-02");
    let home = Home::of_words(60);
    // Holds from the sandbox root down, as long as that is above.
    home.write(".gitignore", "f002\n");
    let settings = format!("index_roots = [\"{}/d2\"]", home.root.display());
    let over = |root: &std::path::Path, using: IndexUse| {
        let sandbox = Sandbox::new(&[root.to_owned()], root).unwrap();
        let options = IndexOptions { using, trace: true, ..IndexOptions::default() };
        Service::with_index(home.config(&settings), sandbox, options).unwrap()
    };
    let inner = home.root.join("d2");
    let asked = |service: &Service, path: &str| {
        called(service, &json!({"pattern": "chalk", "fixed_strings": true, "path": path}))
    };
    let wide = over(&home.root, IndexUse::Stepped);
    settle(&wide);
    assert_eq!(asked(&wide, "d2")["count"], 0, "it is ignored");
    assert!(excluded(&asked(&wide, "d2")).1 > 0);
    wide.index_shutdown();
    drop(wide);
    let narrow = over(&inner, IndexUse::Stepped);
    begin_to_watch(&narrow);
    let seen = asked(&narrow, ".");
    assert_eq!((paths(&seen), excluded(&seen).1), (vec!["f002".to_owned()], 0));
    assert_eq!(state(&narrow).0, "UNCERTAIN");
    settle(&narrow);
    let seen = asked(&narrow, ".");
    assert_eq!((state(&narrow).0, paths(&seen)), ("COMPLETE", vec!["f002".to_owned()]));
    assert!(excluded(&seen).1 > 0);
}

/// Takes longer to list a directory, while it is told to, than a slice of work may take.
#[derive(Debug, Default)]
struct Slow {
    gate: Gate,
    is_slow: AtomicBool,
}

impl Faults for Slow {
    fn at(&self, point: Point) -> io::Result<()> {
        if point == Point::List && self.is_slow.load(Ordering::SeqCst) {
            let until = Instant::now() + Duration::from_millis(60);
            while let Some(left) = until.checked_duration_since(Instant::now()) {
                thread::park_timeout(left);
            }
        }
        self.gate.at(point)
    }
}

#[test]
fn changes_left_over_by_a_slice_are_a_backlog_that_needs_no_scan() {
    touchstone::verifies!(
        "TT-25",
        "TT-27",
        "D-DIRTY_BACKLOG",
        "STAT-index_uncertain_reason",
        "FR-LSI-TRK-05"
    );
    let home = Home::of_words(60);
    let (clock, slow) = (Arc::new(Hand::default()), Arc::new(Slow::default()));
    let service = home.by_clock(IndexUse::Stepped, "", slow.clone(), clock.clone());
    settle(&service);
    let settled = |ends: (&str, Option<&str>)| {
        // Events are read, settle, and are applied.
        service.index_turn();
        clock.goes_on(250);
        service.index_turn();
        assert_eq!(state(&service), ends);
    };
    let listed = || slow.gate.count(Point::List);
    let before = listed();
    home.write("new/f", "chalk\n");
    settled(("COMPLETE", None));
    assert_eq!(listed(), before + 1, "the new directory");
    assert!(told(&service, Trigger::DirtyUpdateApplied));

    slow.is_slow.store(true, Ordering::SeqCst);
    // After the first of them the slice is over.
    for name in ["late", "later"] {
        home.write(&format!("{name}/f"), "chalk\n");
    }
    settled(("UNCERTAIN", Some("DIRTY_BACKLOG")));
    assert!(told(&service, Trigger::DirtyUpdateFailed));
    let seen = home.asked(&service, &literal("chalk"));
    assert_eq!((paths(&seen).len(), excluded(&seen).1), (8, 0));
    assert_eq!(seen["stats"]["index_uncertain_reason"], "DIRTY_BACKLOG");

    slow.is_slow.store(false, Ordering::SeqCst);
    let before = listed();
    settle(&service);
    assert_eq!(state(&service), ("COMPLETE", None));
    let trace = service.index_trace();
    let took = |trigger| trace.iter().any(|step| step.triggers.contains(trigger));
    assert!(took(Trigger::QueueDrained) && !took(Trigger::ReconcileStarted));
    assert!(listed() <= before + 2, "no directory but the new ones");
    home.uses_index(&service);
}

#[test]
fn during_the_comparison_with_the_tree_nothing_is_excluded() {
    touchstone::verifies!("TT-28", "FR-LSI-REC-01", "FR-LSI-BG-10", "STATE-UNCERTAIN");
    let home = Home::of_words(60);
    home.settled("").index_shutdown();
    let gate = Gate::at_point(Point::List);
    let service = home.with_faults(IndexUse::Background, "", gate.clone());
    gate.wait();
    assert!(told(&service, Trigger::ReconcileStarted));
    for _ in 0..2 {
        let seen = home.asked(&service, &literal("chalk"));
        assert_eq!(excluded(&seen), (Some("INDEX_UNAVAILABLE"), 0));
        assert_eq!(seen["stats"]["index_safety_state"], "UNCERTAIN");
    }
    gate.release();
    assert!(service.index_wait(LONG));
    home.uses_index(&service);
}

#[test]
fn searches_work_in_every_state_without_exclusion() {
    touchstone::verifies!("FR-LSI-BG-10", "FR-LSI-SAFE-03", "FR-LSI-IDX-05");
    let home = Home::of_words(60);
    let ask = |service: &Service, expected: &str| {
        assert_eq!(state(service).0, expected);
        let seen = home.asked(service, &literal("chalk"));
        assert_eq!((paths(&seen).len(), excluded(&seen).1), (5, 0), "{}", seen["stats"]);
        assert_eq!(seen["stats"]["index_safety_state"], expected);
    };
    // Nobody works: whatever a search does, it does by itself.
    ask(&home.service(IndexUse::Stepped, ""), "ABSENT");
    ask(&home.service(IndexUse::Stepped, "index_mode = \"off\""), "DISABLED");
    let small = "index_mode = \"auto\"\nindex_auto_threshold_files = 60";
    ask(&home.settled(small), "DISABLED");
    let opened = home.settled("");
    opened.index_shutdown();
    drop(opened);
    let service = home.service(IndexUse::Stepped, "");
    begin_to_watch(&service);
    ask(&service, "UNCERTAIN");
    drop(service);
    // As soon as a call has met what cannot be read.
    let faults = Arc::new(super::restart::Unreadable::default());
    let service = home.with_faults(IndexUse::Stepped, "", faults.clone());
    settle(&service);
    faults.0.store(true, Ordering::SeqCst);
    assert_eq!(excluded(&home.asked(&service, &literal("chalk"))), (Some("INDEX_FAULT"), 0));
    ask(&service, "CORRUPT");
}

#[test]
fn a_shutdown_before_anything_is_stored_leaves_the_index_absent() {
    touchstone::verifies!("FR-LSI-BG-42", "FR-LSI-BG-40");
    let home = Home::of_words(60);
    let gate = Gate::at_point(Point::List);
    let first = home.with_faults(IndexUse::Stepped, "", gate.clone());
    thread::scope(|scope| {
        scope.spawn(|| while first.index_turn() {});
        gate.wait();
        first.index_shutdown();
        // The one that lists finds that all has ended, and stops.
        gate.release();
    });
    assert_eq!(gate.count(Point::ReadFile), 0, "nothing was learnt of a file");
    drop(first);
    let gate = Gate::open();
    let second = home.with_faults(IndexUse::Stepped, "", gate.clone());
    assert!(second.index_turn());
    assert_eq!(state(&second), ("ABSENT", None));
    let trace = second.index_trace();
    let took = |trigger| trace.iter().any(|step| step.triggers.contains(trigger));
    assert!(took(Trigger::IndexMissing) && !took(Trigger::IntegrityFailed));
    settle(&second);
    assert_eq!((state(&second), gate.count(Point::BuildBegin)), (("COMPLETE", None), 1));
}

#[test]
fn indexes_of_one_service_have_separate_states() {
    touchstone::verifies!("FR-LSI-SAFE-01", "FR-LSI-BG-01");
    let home = Home::new(&[]);
    for number in 0..40 {
        let word = super::home::WORDS[number % 12];
        home.write(&format!("a/f{number}"), &format!("{word}\n"));
        home.write(&format!("b/f{number}"), &format!("{word}\n"));
    }
    let root = home.root.display();
    let service = home.settled(&format!("index_roots = [\"{root}/a\", \"{root}/b\"]"));
    let states =
        || service.index_status().iter().map(|one| (one.state, one.reason)).collect::<Vec<_>>();
    let asked = |path: &str| {
        let request = json!({"pattern": "chalk", "fixed_strings": true, "path": path});
        excluded(&home.asked(&service, &request)).1
    };
    assert_eq!(states(), [("COMPLETE", None); 2]);
    home.write("b/.gitignore", "f2\n");
    assert_eq!((asked("a") > 0, asked("b")), (true, 0));
    assert_eq!(states(), [("COMPLETE", None), ("UNCERTAIN", Some("ELIGIBILITY_CHANGED"))]);
    assert_eq!((asked("a") > 0, asked("b")), (true, 0));
    settle(&service);
    assert_eq!((states(), asked("b") > 0), (vec![("COMPLETE", None); 2], true));
}

/// Open descriptors of this process, by what they lead to.
#[cfg(target_os = "linux")]
fn handles(of: &std::path::Path) -> (usize, usize) {
    let listing = fs::read_dir("/proc/self/fd").unwrap();
    let open: Vec<_> =
        listing.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok()).collect();
    let watchers = open.iter().filter(|path| path.to_string_lossy().contains("inotify")).count();
    (open.iter().filter(|path| path.starts_with(of)).count(), watchers)
}

#[cfg(target_os = "linux")]
#[test]
fn mode_off_closes_the_store_and_the_watcher_and_stops_a_build() {
    touchstone::verifies!("TT-01", "FR-LSI-IDX-02", "FR-LSI-ROLL-03");
    let home = Home::of_words(60);
    let service = home.settled("");
    home.uses_index(&service);
    let (files, watchers) = handles(&home.cache);
    assert!(files > 0 && watchers > 0, "{files} {watchers}");
    service.index_set_mode(IndexMode::Off);
    settle(&service);
    home.asked(&service, &literal("chalk"));
    assert_eq!(handles(&home.cache), (0, 0));
    service.index_set_mode(IndexMode::On);
    settle(&service);
    home.uses_index(&service);
    drop(service);

    // While files are read, and searches are answered meanwhile.
    let (gate, other) = (Gate::at_point(Point::ReadFile), home.base().join("other"));
    let settings = format!("index_path = {:?}", other.to_str().unwrap());
    let service = home.with_faults(IndexUse::Background, &settings, gate.clone());
    gate.wait();
    service.index_set_mode(IndexMode::Off);
    let seen = home.asked(&service, &literal("chalk"));
    assert_eq!(excluded(&seen), (Some("INDEX_OFF"), 0));
    gate.release();
    assert!(service.index_wait(LONG));
    assert_eq!(state(&service), ("DISABLED", Some("MODE_OFF")));
    assert!(gate.count(Point::ReadFile) < 60, "the build went on to its end");
    assert_eq!(gate.count(Point::BeforeFlip), 0);
    super::home::eventually("all to be closed", || handles(&other) == (0, 0));
    assert!(status(&service).build_phase.is_none());
}

#[test]
fn a_damaged_checkpoint_is_discarded_and_the_build_begins_anew() {
    touchstone::verifies!("FR-LSI-BG-51", "FR-LSI-BG-52");
    for damaged in [false, true] {
        let home = Home::of_words(200);
        let first = home.settled("index_build_max_files = 50");
        assert_eq!(state(&first), ("UNCERTAIN", Some("BUILD_BUDGET_EXCEEDED")));
        first.index_shutdown();
        drop(first);
        let stored = home.stored(".sqlite").remove(0);
        if damaged {
            let spoilt = "UPDATE block SET content = zeroblob(length(content))";
            assert!(super::database::opened(&home).execute(spoilt, []).unwrap() > 0);
        }
        // Its number is another's only when nobody has it any more.
        fs::hard_link(&stored, home.base().join("kept")).unwrap();
        let was = fs::metadata(&stored).unwrap().ino();
        let gate = Gate::open();
        let second = home.with_faults(IndexUse::Stepped, "", gate.clone());
        assert_eq!(paths(&home.asked(&second, &literal("number 199"))), ["d4/f199"]);
        settle(&second);
        assert_eq!(state(&second), ("COMPLETE", None));
        let trace = second.index_trace();
        let took = |trigger| trace.iter().any(|step| step.triggers.contains(trigger));
        assert_eq!(
            (took(Trigger::CheckpointFound), took(Trigger::IntegrityFailed)),
            (!damaged, damaged)
        );
        let now = fs::metadata(&stored).unwrap().ino();
        let read = gate.count(Point::ReadFile);
        assert_eq!((read == 200, now != was), (damaged, damaged), "{read} files were read");
        home.uses_index(&second);
    }
}
