//! Sections 5.2 and 11: what an indexer and a call may spend.

use std::fs;
use std::time::{Duration, Instant};

use forge_search_cli::json::JsonCalls as _;
use forge_search_engine::IndexUse;
use forge_search_engine::index::Point;
use serde_json::json;

use super::home::{Gate, Home, LONG, PAUSE, excluded, literal, paths, settle, state, status};

#[test]
fn a_call_that_cannot_afford_its_upkeep_excludes_nothing() {
    touchstone::verifies!(
        "FR-LSI-BUD-MAINT-01",
        "FR-LSI-BUD-MAINT-03",
        "NFR-LSI-PERF-03",
        "TT-26",
        "E-C33",
        "E-C34"
    );
    let home = Home::of_words(60);
    let service = home.settled("index_maint_budget_fraction = 0.0");
    assert!(
        excluded(&home.asked(&service, &literal("chalk"))).1 > 0,
        "nothing waits, so nothing is to be paid"
    );
    home.write("d0/f000", "chalk\n");
    let seen = home.asked(&service, &literal("chalk"));
    assert!(paths(&seen).contains(&"d0/f000".to_owned()));
    assert_eq!(excluded(&seen), (Some("MAINT_BUDGET"), 0));
    settle(&service);
    assert_eq!(state(&service), ("COMPLETE", None), "nobody else is worse off");
    assert!(excluded(&home.asked(&service, &literal("chalk"))).1 > 0);
}

#[test]
fn upkeep_never_makes_a_call_overrun_its_time() {
    touchstone::verifies!("NFR-LSI-PERF-03", "FR-LSI-BUD-MAINT-01", "FR-LSI-BUD-MAINT-03");
    let home = Home::of_words(200);
    let service = home.settled("");
    for number in 0..2_000 {
        home.write(&format!("late/{}/f{number}", number % 40), "quartz\n");
    }
    let begun = Instant::now();
    let request = json!({"pattern": "chalk", "fixed_strings": true, "timeout_ms": 3_000});
    let seen = home.asked(&service, &request);
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    assert_eq!((&seen["timed_out"], paths(&seen).len()), (&json!(false), 17));
}

#[test]
fn limits_of_a_build_stop_it_and_delay_no_search() {
    touchstone::verifies!("FR-LSI-BUD-INIT-03", "FR-LSI-BUD-INIT-01", "FR-LSI-BUD-INIT-02", "TT-12", "E-B24");
    for settings in ["index_build_max_files = 50", "index_build_max_bytes = 500"] {
        let home = Home::of_words(200);
        let service = home.settled(settings);
        assert_eq!(state(&service), ("UNCERTAIN", Some("BUILD_BUDGET_EXCEEDED")), "{settings}");
        let seen = home.asked(&service, &literal("number 199"));
        assert_eq!((paths(&seen).len(), excluded(&seen)), (1, (Some("INDEX_UNAVAILABLE"), 0)), "{settings}");
    }
}

#[test]
fn what_a_budget_stopped_is_kept_whatever_is_kept_of_what_a_shutdown_stops() {
    touchstone::verifies!("CFGKEY-LSI-index_checkpoint_on_shutdown", "TT-12", "FR-LSI-BUD-INIT-02");
    let home = Home::of_words(3_000);
    let gate = Gate::open();
    let settings = "index_build_max_files = 1500\nindex_checkpoint_on_shutdown = false";
    let first = home.with_faults(IndexUse::Stepped, settings, gate.clone());
    settle(&first);
    assert_eq!(state(&first), ("UNCERTAIN", Some("BUILD_BUDGET_EXCEEDED")));
    let read_first = gate.count(Point::ReadFile);
    first.index_shutdown();
    drop(first);
    let gate = Gate::open();
    let second = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&second);
    assert_eq!(state(&second), ("COMPLETE", None));
    let read_again = gate.count(Point::ReadFile);
    assert!(read_again < 3_000, "{read_first} of 3000 had been read, and {read_again} were read again");
}

#[test]
fn the_indexer_yields_while_searches_come_and_does_not_when_they_stop() {
    touchstone::verifies!("FR-LSI-BG-31", "FR-LSI-BG-32", "FR-LSI-BUD-05", "E-C49", "E-C40");
    let home = Home::of_words(6_000);
    let took = |settings: &str| {
        let fresh = home.base().join(format!("cache-{}", settings.len()));
        let begun = Instant::now();
        let service = home.service(
            IndexUse::Background,
            &format!("{settings}\nindex_path = {:?}", fresh.to_str().unwrap()),
        );
        let mut complete = false;
        while !complete && begun.elapsed() < LONG {
            // Somebody is searching again and again; a build gets on between calls.
            service.call("Search", &literal("chalk")).unwrap();
            complete = service.index_wait(PAUSE);
        }
        assert!(complete, "{settings}");
        begun.elapsed()
    };
    let quick = took("index_build_throttle_ms = 0");
    let slow = took("index_build_throttle_ms = 1000\nindex_idle_boost_ms = 3600000");
    // At least one pause; how long the rest takes depends on the machine's other work.
    assert!(slow >= Duration::from_millis(950), "{quick:?} without pauses, {slow:?} with");
    // Pauses are not counted as work (E-C40), so a build with them keeps within a limit shorter than they are.
    let fresh = home.base().join("cache-limited");
    let settings = format!(
        "index_build_throttle_ms = 400\nindex_idle_boost_ms = 3600000\nindex_build_timeout_ms = 5000\nindex_path = {:?}",
        fresh.to_str().unwrap()
    );
    let service = home.service(IndexUse::Background, &settings);
    assert!(service.index_wait(LONG));
    assert_eq!(state(&service), ("COMPLETE", None));
}

#[test]
fn indexer_threads_step_back_behind_others() {
    touchstone::verifies!("FR-LSI-BG-30", "FR-LSI-BG-01");
    let home = Home::of_words(60);
    let gate = Gate::at_point(Point::ReadFile);
    let service = home.with_faults(IndexUse::Background, "", gate.clone());
    gate.wait();
    let mut nices = Vec::new();
    for task in fs::read_dir("/proc/self/task").unwrap() {
        let stat = fs::read_to_string(task.unwrap().path().join("stat")).unwrap_or_default();
        let fields: Vec<&str> =
            stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
        // The nineteenth field of the whole line is the nice value; the command's name ends with the second.
        nices.extend(fields.get(16).and_then(|nice| nice.parse::<i32>().ok()));
    }
    gate.release();
    assert!(nices.contains(&10), "{nices:?}");
    assert!(service.index_wait(LONG));
}

#[test]
fn a_call_waits_for_the_index_no_longer_than_it_may() {
    touchstone::verifies!("FR-LSI-IDX-CONC-02", "FR-LSI-BG-13.4", "FR-LSI-IDX-05", "TT-07");
    for point in [Point::WriteDelta, Point::Checkpoint, Point::ReadFile] {
        let home = Home::of_words(60);
        let first = home.settled("");
        first.index_shutdown();
        drop(first);
        let gate = Gate::at_point(point);
        let service = home.with_faults(IndexUse::Background, "index_lock_timeout_ms = 50", gate.clone());
        home.write("d0/f000", "chalk\n");
        let begun = Instant::now();
        let seen = home.asked(&service, &literal("chalk"));
        assert!(begun.elapsed() < Duration::from_secs(5), "{point:?}: {:?}", begun.elapsed());
        assert!(paths(&seen).contains(&"d0/f000".to_owned()), "{point:?}");
        gate.release();
        assert!(service.index_wait(LONG), "{point:?}");
        home.asked(&service, &literal("chalk"));
    }
}

#[test]
fn a_second_process_is_right_and_makes_nobody_worse_off() {
    touchstone::verifies!("FR-LSI-IDX-CONC-01", "FR-LSI-IDX-CONC-02", "E-C30");
    let home = Home::of_words(60);
    let first = home.settled("");
    let second = home.settled("");
    for round in 0..5 {
        let word = format!("quartz{round}");
        home.write("d0/f000", &format!("{word}\n"));
        for service in [&first, &second] {
            assert_eq!(paths(&home.asked(service, &literal(&word))), ["d0/f000"], "{round}");
        }
        settle(&first);
        settle(&second);
        assert_eq!(state(&first), ("COMPLETE", None), "{round}");
        assert_eq!(state(&second).0, "COMPLETE", "{round}: {:?}", status(&second));
    }
    second.index_shutdown();
    drop(second);
    assert!(excluded(&home.asked(&first, &literal("chalk"))).1 > 0);
}

#[test]
fn repeated_searches_read_what_may_match_and_little_else() {
    touchstone::verifies!("NFR-LSI-PERF-02", "FR-LSI-IDX-04");
    let home = Home::of_words(600);
    let service = home.settled("");
    for word in super::home::WORDS {
        let seen = home.asked(&service, &literal(word));
        assert_eq!(excluded(&seen), (None, 550), "{word}");
    }
    let absent = home.asked(&service, &literal("xyzzy"));
    assert_eq!((&absent["count"], excluded(&absent).1), (&json!(0), 600));
}
