//! Section 5.2: how fast an indexer works beside whatever else runs.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use forge_search_engine::IndexUse;
use forge_search_engine::index::Point;
use forge_search_engine::json::JsonCalls as _;

use super::home::{Gate, Home, LONG, PAUSE, literal, state};
use crate::clauses::Hand;

#[test]
fn the_indexer_yields_during_searches_and_not_afterwards() {
    touchstone::verifies!(
        "FR-LSI-BG-31",
        "FR-LSI-BG-32",
        "FR-LSI-BUD-05",
        "E-C49",
        "E-C40",
        "CFGKEY-LSI-index_build_throttle_ms"
    );
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
    // Pauses are not counted as work (E-C40), so a build with them keeps within a limit shorter
    // than they are.
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
fn a_build_makes_no_pauses_after_an_idle_period_without_calls() {
    touchstone::verifies!(
        "FR-LSI-BG-32",
        "FR-LSI-BG-31",
        "CFGKEY-LSI-index_idle_boost_ms",
        "E-C49"
    );
    // A pause of a second after each batch of at most 512 files, on one thread as long as there are
    // at most a hundred processors.
    let paused = "index_build_throttle_ms = 1000\nindex_idle_boost_ms = 5000";
    let took = |files: usize, percent: u64, idle_ms: u64| {
        let home = Home::of_words(files);
        let clock = Arc::new(Hand::default());
        clock.goes_on(idle_ms);
        let settings = format!("{paused}\nindex_build_max_cpu_percent = {percent}");
        let begun = Instant::now();
        let service = home.by_clock(IndexUse::Background, &settings, Gate::open(), clock);
        assert!(service.index_wait(LONG));
        assert_eq!(state(&service), ("COMPLETE", None));
        begun.elapsed()
    };
    let early = took(40, 100, 4_999);
    assert!(early >= Duration::from_millis(950), "{early:?}");
    let idle = took(6_000, 1, 5_000);
    assert!(idle < Duration::from_secs(11), "{idle:?}, and twelve pauses take twelve seconds");
}

#[test]
fn indexer_threads_run_at_low_priority() {
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
        // The nineteenth field of the whole line is the nice value; the command's name ends with
        // the second.
        nices.extend(fields.get(16).and_then(|nice| nice.parse::<i32>().ok()));
    }
    gate.release();
    assert!(nices.contains(&10), "{nices:?}");
    assert!(service.index_wait(LONG));
}
