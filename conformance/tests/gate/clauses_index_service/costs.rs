//! What background and upkeep spend, by a clock that the test turns and by points that it counts.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};
use std::{fs, io};

use forge_search_core::index::machine::Trigger;
use forge_search_core::index::settings::Settings;
use forge_search_engine::IndexUse;
use forge_search_engine::index::{Faults, Point};
use serde_json::json;

use super::failing::Failing;
use super::home::{Gate, Home, LONG, eventually, excluded, literal, paths, settle, state, status};
use crate::clauses::{Hand, Spy};

/// Takes a while at a point; notes which threads got there.
#[derive(Debug)]
struct Busy {
    gate: Arc<Gate>,
    point: Point,
    takes: Duration,
    threads: Mutex<HashSet<ThreadId>>,
}

impl Busy {
    fn at(point: Point, milliseconds: u64) -> Arc<Self> {
        let takes = Duration::from_millis(milliseconds);
        Arc::new(Self { gate: Gate::open(), point, takes, threads: Mutex::default() })
    }
}

impl Faults for Busy {
    fn at(&self, point: Point) -> io::Result<()> {
        if point == self.point {
            self.threads.lock().unwrap().insert(thread::current().id());
            let until = Instant::now() + self.takes;
            while let Some(left) = until.checked_duration_since(Instant::now()) {
                thread::park_timeout(left);
            }
        }
        self.gate.at(point)
    }
}

#[test]
fn a_build_uses_its_share_of_processors_and_pauses_below_one() {
    touchstone::verifies!(
        "FR-LSI-BG-31",
        "CFGKEY-LSI-index_build_max_cpu_percent",
        "CFGKEY-LSI-index_build_throttle_ms"
    );
    for settings in [Settings::documents(), Settings::agent()] {
        assert_eq!(
            (settings.index_build_max_cpu_percent, settings.index_build_throttle_ms),
            (50, 10)
        );
    }
    let cores = thread::available_parallelism().unwrap().get();
    let home = Home::of_words(512 * cores.clamp(2, 6));
    let built = |percent: usize, faults: Arc<Busy>| {
        let _ = fs::remove_dir_all(&home.cache);
        let settings =
            format!("index_build_max_cpu_percent = {percent}\nindex_idle_boost_ms = 3600000");
        let begun = Instant::now();
        let service = home.by_clock(
            IndexUse::Background,
            &settings,
            faults.clone(),
            Arc::new(Hand::default()),
        );
        assert!(service.index_wait(LONG));
        assert_eq!(state(&service), ("COMPLETE", None));
        let threads = faults.threads.lock().unwrap().len();
        (threads, begun.elapsed())
    };
    // Each batch takes so long that every thread there is takes one.
    let (all, _) = built(100, Busy::at(Point::BuildBatch, 200));
    assert_eq!(all, cores.min(6), "of {cores}");
    let (half, _) = built(50, Busy::at(Point::BuildBatch, 200));
    assert_eq!(half, cores.div_ceil(2).min(6), "of {cores}");
}

#[test]
fn a_build_with_less_than_one_processor_pauses_in_proportion_to_its_work() {
    touchstone::verifies!("FR-LSI-BG-31", "CFGKEY-LSI-index_build_max_cpu_percent");
    let cores = thread::available_parallelism().unwrap().get() as u64;
    let home = Home::of_words(12);
    for percent in [100, 1] {
        let _ = fs::remove_dir_all(&home.cache);
        let settings =
            format!("index_build_max_cpu_percent = {percent}\nindex_idle_boost_ms = 3600000");
        // One batch, of twelve files that take five milliseconds each.
        let begun = Instant::now();
        let busy = Busy::at(Point::ReadFile, 5);
        let clock = Arc::new(Hand::default());
        let service = home.by_clock(IndexUse::Background, &settings, busy.clone(), clock);
        assert!(service.index_wait(LONG));
        let took = begun.elapsed();
        let least = Duration::from_millis(60 * 100 / (cores * percent).max(1));
        assert!(took >= least, "{percent}: {took:?}, not {least:?}");
        assert_eq!(busy.threads.lock().unwrap().len(), 1, "{percent}");
    }
}

#[test]
fn a_throttled_build_is_still_stopped_by_its_limits() {
    touchstone::verifies!("FR-LSI-BUD-05", "FR-LSI-BUD-INIT-01");
    let throttled = "index_build_throttle_ms = 50\nindex_idle_boost_ms = 3600000";
    for limit in ["index_build_max_files = 50", "index_build_max_bytes = 500"] {
        let home = Home::of_words(200);
        let settings = format!("{throttled}\n{limit}");
        let clock = Arc::new(Hand::default());
        let service = home.by_clock(IndexUse::Background, &settings, Gate::open(), clock);
        eventually("the build to end", || {
            state(&service).0 != "BUILDING" && state(&service).0 != "ABSENT"
        });
        assert_eq!(state(&service), ("UNCERTAIN", Some("BUILD_BUDGET_EXCEEDED")), "{limit}");
    }
}

#[test]
fn a_written_file_is_read_after_the_configured_debounce() {
    touchstone::verifies!("FR-LSI-TRK-06", "FR-LSI-TRK-04");
    let waits =
        [("", 250), ("index_watch_debounce_ms = 1000", 1_000), ("index_watch_debounce_ms = 0", 0)];
    for (settings, debounce_ms) in waits {
        for written in ["d0/new", "d0/f000"] {
            let home = Home::of_words(60);
            let (gate, clock) = (Gate::open(), Arc::new(Hand::default()));
            let service = home.by_clock(IndexUse::Stepped, settings, gate.clone(), clock.clone());
            settle(&service);
            let before = gate.count(Point::ReadFile);
            home.write(written, "quartz\n");
            settle(&service);
            if debounce_ms > 0 {
                clock.goes_on(debounce_ms - 1);
                // Another file has a time of its own.
                home.write("d1/other", "sphinx\n");
                settle(&service);
                assert_eq!(gate.count(Point::ReadFile), before, "{written}, {settings}");
                clock.goes_on(1);
                settle(&service);
            }
            assert_eq!(gate.count(Point::ReadFile), before + 1, "{written}, {settings}");
        }
    }
}

#[test]
fn a_search_does_not_wait_for_the_debounce_of_a_recent_write() {
    touchstone::verifies!("FR-LSI-TRK-06", "E-C09");
    let home = Home::of_words(60);
    let clock = Arc::new(Hand::default());
    let service = home.by_clock(IndexUse::Stepped, "", Gate::open(), clock);
    settle(&service);
    home.write("d0/f000", "quartz\n");
    service.index_turn();
    let seen = home.asked(&service, &literal("quartz"));
    assert_eq!(paths(&seen), ["d0/f000"]);
    assert!(excluded(&seen).1 > 0, "{}", seen["stats"]);
}

#[test]
fn changes_are_processed_oldest_first_and_then_by_path() {
    touchstone::verifies!("FR-LSI-TRK-10");
    for apart in [false, true] {
        let home = Home::of_words(60);
        let clock = Arc::new(Hand::default());
        let service = home.by_clock(IndexUse::Stepped, "", Gate::open(), clock.clone());
        settle(&service);
        let spy = Spy::on(std::slice::from_ref(&home.root));
        for name in ["z", "m", "a"] {
            // Directories alone are opened when they are looked at.
            fs::create_dir(home.root.join(name)).unwrap();
            if apart {
                service.index_turn();
                clock.goes_on(10);
            }
        }
        service.index_turn();
        clock.goes_on(250);
        settle(&service);
        let mut opened: Vec<String> =
            spy.touched().into_iter().filter(|name| name.len() == 1).collect();
        opened.dedup();
        let expected = if apart { ["z", "m", "a"] } else { ["a", "m", "z"] };
        assert_eq!(opened, expected, "{apart}");
    }
}

/// Turns the clock on with every directory.
#[derive(Debug)]
struct Ticking(Arc<Gate>, Arc<Hand>);
impl Faults for Ticking {
    fn at(&self, point: Point) -> io::Result<()> {
        if point == Point::List {
            self.1.goes_on(100);
        }
        self.0.at(point)
    }
}

#[test]
fn a_slice_of_a_reconcile_ends_at_its_limit_and_the_index_stays_uncertain_until_the_end() {
    touchstone::verifies!(
        "FR-LSI-REC-02",
        "CFGKEY-LSI-reconcile_max_ms",
        "CFGKEY-LSI-reconcile_max_files",
        "T-LSI-SAFE-03"
    );
    let home = Home::of_words(60);
    home.settled("").index_shutdown();
    // Six directories, each a tenth of a second and, but for the root, twelve files.
    for (settings, slices) in [
        ("", 0..=0),
        ("reconcile_max_ms = 10000\nreconcile_max_files = 1000", 0..=0),
        ("reconcile_max_ms = 250", 1..=2),
        ("reconcile_max_ms = 99", 4..=6),
        ("reconcile_max_files = 24", 1..=2),
        ("reconcile_max_files = 1", 4..=30),
    ] {
        let (gate, clock) = (Gate::open(), Arc::new(Hand::default()));
        let ticking = Arc::new(Ticking(gate.clone(), clock.clone()));
        let service = home.by_clock(IndexUse::Stepped, settings, ticking, clock);
        settle(&service);
        let seen = gate.count(Point::ScanSlice);
        assert!(slices.contains(&seen), "{settings}: {seen}");
        assert_eq!(state(&service), ("COMPLETE", None), "{settings}");
        service.index_shutdown();
    }
    let small = "reconcile_max_files = 12";
    let gate = Gate::at_point(Point::ScanSlice);
    let service = home.with_faults(IndexUse::Background, small, gate.clone());
    gate.wait();
    let seen = home.asked(&service, &literal("chalk"));
    assert_eq!(excluded(&seen), (Some("INDEX_UNAVAILABLE"), 0));
    assert_eq!(state(&service), ("UNCERTAIN", Some("OPEN_REQUIRES_VALIDATION")));
    gate.release();
    assert!(service.index_wait(LONG));
    home.uses_index(&service);
    service.index_shutdown();
    drop(service);
    // One that is given up leaves the doubt, and is repeated later.
    let (clock, faults) = (Arc::new(Hand::default()), Failing::at(Point::ScanSlice, 0..1));
    let service = home.by_clock(IndexUse::Stepped, small, faults, clock.clone());
    settle(&service);
    let over = Trigger::ReconcileOverBudget;
    assert!(service.index_trace().iter().any(|step| step.triggers.contains(over)));
    assert_eq!(state(&service), ("UNCERTAIN", Some("OPEN_REQUIRES_VALIDATION")));
    assert_eq!(excluded(&home.asked(&service, &literal("chalk"))).1, 0);
    clock.goes_on(10_000);
    settle(&service);
    home.uses_index(&service);
}

#[test]
fn a_call_limits_its_upkeep_to_its_share_and_answers_in_time() {
    touchstone::verifies!(
        "NFR-LSI-PERF-03",
        "FR-LSI-BUD-MAINT-01",
        "FR-LSI-BUD-02",
        "FR-LSI-BUD-03"
    );
    let home = Home::of_words(60);
    let busy = Busy::at(Point::List, 50);
    let service = home.with_faults(IndexUse::Stepped, "", busy.clone());
    settle(&service);
    for number in 0..80 {
        home.write(&format!("late{number:02}/f"), "chalk\n");
    }
    // A quarter of four seconds; all of it would take as long as the call may.
    let before = busy.gate.count(Point::List);
    let request = json!({"pattern": "chalk", "fixed_strings": true, "timeout_ms": 4_000});
    let seen = home.asked(&service, &request);
    let listed = busy.gate.count(Point::List) - before;
    assert!((1..=21).contains(&listed), "{listed} directories of 50 ms within a second");
    assert_eq!((excluded(&seen), &seen["timed_out"]), ((Some("MAINT_BUDGET"), 0), &json!(false)));
    assert_eq!(paths(&seen).len(), 85);
}

#[test]
fn verifying_every_file_counts_as_upkeep() {
    touchstone::verifies!("FR-LSI-BUD-MAINT-01", "FR-LSI-BUD-MAINT-02");
    let home = Home::of_words(60);
    home.age();
    let unwatched = "index_watch = false";
    let service = home.settled(unwatched);
    assert!(excluded(&home.asked(&service, &literal("chalk"))).1 > 0);
    drop(service);
    let none = home.settled(&format!("{unwatched}\nindex_maint_budget_fraction = 0.0"));
    for _ in 0..2 {
        let seen = home.asked(&none, &literal("chalk"));
        assert_eq!((excluded(&seen), paths(&seen).len()), ((Some("MAINT_BUDGET"), 0), 5));
        settle(&none);
    }
}

#[test]
fn builds_and_whole_reconciles_are_not_charged_to_calls() {
    touchstone::verifies!("FR-LSI-BUD-MAINT-03");
    let home = Home::of_words(60);
    let none = "index_maint_budget_fraction = 0.0";
    let first = home.settled(none);
    home.uses_index(&first);
    first.index_shutdown();
    drop(first);
    let second = home.settled(none);
    let done = Trigger::ReconcileCompleted;
    assert!(second.index_trace().iter().any(|step| step.triggers.contains(done)));
    home.uses_index(&second);
    home.write("d2/.gitignore", "f002\n");
    home.asked(&second, &literal("chalk"));
    assert_eq!(state(&second), ("UNCERTAIN", Some("ELIGIBILITY_CHANGED")));
    settle(&second);
    home.uses_index(&second);
}

#[test]
fn a_build_reports_the_number_of_files_read_and_the_elapsed_time() {
    touchstone::verifies!("FR-LSI-BG-21", "FR-LSI-BG-20", "FR-LSI-BG-20.2");
    let home = Home::of_words(600);
    let (gate, clock) = (Gate::at_point(Point::BuildBatch), Arc::new(Hand::default()));
    let service = home.by_clock(IndexUse::Stepped, "", gate.clone(), clock.clone());
    let shown = || {
        let stats = home.asked(&service, &literal("chalk"))["stats"].clone();
        let number = |name: &str| stats[name].as_u64();
        let phase = stats["build_phase"].as_str().map(str::to_owned);
        (phase, number("build_files_done"), number("build_elapsed_ms"))
    };
    clock.goes_on(1_000);
    thread::scope(|scope| {
        let building = scope.spawn(|| settle(&service));
        gate.wait();
        clock.goes_on(1_234);
        let tokenizing = Some("TOKENIZE".to_owned());
        assert_eq!(shown(), (tokenizing, Some(512), Some(1_234)));
        gate.go_on_to(Point::BeforeFlip);
        gate.wait();
        clock.goes_on(1);
        assert_eq!(shown(), (Some("PERSIST".to_owned()), Some(600), Some(1_235)));
        gate.release();
        building.join().unwrap();
    });
    assert_eq!((state(&service), shown()), (("COMPLETE", None), (None, None, None)));
    // Every file was tokenized, for both kinds of case.
    for (pattern, case, files) in [
        ("chalk", "sensitive", 50),
        ("CHALK", "insensitive", 50),
        ("CHALK", "sensitive", 0),
        ("Chalk", "smart", 0),
    ] {
        let request = json!({"pattern": pattern, "fixed_strings": true, "case": case});
        let seen = home.asked(&service, &request);
        assert_eq!((paths(&seen).len(), excluded(&seen)), (files, (None, 600 - files as u64)));
    }
}

#[test]
fn a_stored_index_is_checked_after_the_configured_number_of_calls() {
    touchstone::verifies!(
        "CFGKEY-LSI-index_integrity_period_calls",
        "CFGKEY-LSI-index_integrity_check"
    );
    let home = Home::of_words(30);
    for period in [1, 3] {
        let gate = Gate::open();
        let settings = format!(
            "index_integrity_check = \"periodic\"\nindex_integrity_period_calls = {period}"
        );
        let service = home.with_faults(IndexUse::Stepped, &settings, gate.clone());
        settle(&service);
        for call in 1..=2 * period {
            assert_eq!(gate.count(Point::Check), (call - 1) / period, "{period}, {call}");
            home.asked(&service, &literal("chalk"));
            settle(&service);
        }
        assert_eq!(gate.count(Point::Check), 2, "{period}");
        service.index_shutdown();
    }
}

#[test]
fn a_store_not_closed_in_time_is_checked_at_the_next_opening() {
    touchstone::verifies!("FR-LSI-BG-43", "CFGKEY-LSI-index_shutdown_timeout_ms");
    let home = Home::of_words(60);
    home.settled("").index_shutdown();
    for (is_held, checks) in [(false, 0), (true, 1)] {
        let gate = Gate::open();
        if is_held {
            gate.hold(Point::List);
        }
        let settings = "index_shutdown_timeout_ms = 300\nindex_integrity_check = \"off\"";
        let service = home.with_faults(IndexUse::Background, settings, gate.clone());
        if is_held {
            gate.wait();
        } else {
            assert!(service.index_wait(LONG));
        }
        let begun = Instant::now();
        service.index_shutdown();
        let took = begun.elapsed();
        assert!(!is_held || took >= Duration::from_millis(300), "{took:?}");
        // The setting, and not the five seconds that are its default.
        assert!(took < Duration::from_secs(3), "{took:?}");
        gate.release();
        drop(service);
        let gate = Gate::open();
        let next = home.with_faults(IndexUse::Stepped, settings, gate.clone());
        settle(&next);
        let unclean = Trigger::UncleanShutdownFound;
        let told = next.index_trace().iter().any(|step| step.triggers.contains(unclean));
        assert_eq!((told, gate.count(Point::Check)), (is_held, checks));
        home.uses_index(&next);
        next.index_shutdown();
    }
}

#[test]
fn the_cost_of_a_change_does_not_depend_on_the_size_of_the_tree() {
    touchstone::verifies!("NFR-LSI-PERF-01", "FR-LSI-TRK-04", "TT-16");
    let costs = [60, 900].map(|files| {
        [1, 8].map(|changes| {
            let home = Home::of_words(files);
            let gate = Gate::open();
            let service = home.with_faults(IndexUse::Stepped, "", gate.clone());
            settle(&service);
            let count = || {
                let points = [Point::ReadFile, Point::List, Point::WriteBase, Point::WriteDelta];
                points.map(|point| gate.count(point))
            };
            let before = count();
            for number in 0..changes {
                home.write(&format!("d0/f{:03}", number * 5), "quartz\n");
            }
            assert_eq!(paths(&home.asked(&service, &literal("quartz"))).len(), changes);
            settle(&service);
            assert_eq!((state(&service), status(&service).pending), (("COMPLETE", None), 0));
            let after = count();
            [0, 1, 2, 3].map(|at| after[at] - before[at])
        })
    });
    assert_eq!(costs, [[[1, 0, 0, 1], [8, 0, 0, 1]]; 2], "files read, directories listed, writes");
}
