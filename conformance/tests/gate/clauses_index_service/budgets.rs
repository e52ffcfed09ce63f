//! Sections 5.2 and 11: what an indexer and a call may spend.

use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

use forge_search_core::index::machine::Trigger;
use forge_search_engine::IndexUse;
use forge_search_engine::index::{Faults, Point};
use serde_json::json;

use super::home::{Gate, Home, LONG, called, excluded, literal, paths, settle, state, status};
use crate::clauses::Hand;

#[test]
fn a_call_without_time_for_upkeep_excludes_nothing() {
    touchstone::verifies!(
        "FR-LSI-BUD-MAINT-01",
        "FR-LSI-BUD-MAINT-03",
        "NFR-LSI-PERF-03",
        "TT-26",
        "E-C33",
        "E-C34",
        "FR-LSI-STABLE-02",
        "FR-LSI-BUD-02",
        "FR-LSI-BUD-03"
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
fn upkeep_never_makes_a_call_exceed_its_deadline() {
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
fn the_third_consecutive_call_without_time_for_upkeep_reports_it() {
    touchstone::verifies!(
        "FR-LSI-BUD-02",
        "FR-LSI-BUD-MAINT-01",
        "E-C33",
        "CFGKEY-LSI-index_maint_budget_fraction"
    );
    let home = Home::of_words(60);
    // A thousandth of 900 ms is no whole millisecond, of ten minutes it is more than a change
    // takes.
    let service = home.settled("index_maint_budget_fraction = 0.001");
    let call = |timeout_ms: u64| {
        home.write("d0/f000", &format!("chalk {timeout_ms}\n"));
        let request = json!({"pattern": "chalk", "fixed_strings": true, "timeout_ms": timeout_ms});
        let seen = called(&service, &request);
        assert_eq!(excluded(&seen).0, (timeout_ms == 900).then_some("MAINT_BUDGET"));
        settle(&service);
        assert_eq!(
            state(&service),
            ("COMPLETE", None),
            "no state changes for what callers ask for"
        );
    };
    let told = || {
        let exhausted = Trigger::BudgetsExhaustedRepeatedly;
        service.index_trace().iter().filter(|step| step.triggers.contains(exhausted)).count()
    };
    // The trace is of what happened since it was asked for last.
    for (timeouts, times) in [(&[900, 900, 600_000, 900, 900][..], 0), (&[900], 1), (&[900], 1)] {
        timeouts.iter().copied().for_each(call);
        assert_eq!(told(), times, "{timeouts:?}");
    }
    assert!(excluded(&home.asked(&service, &literal("chalk"))).1 > 0);
}

#[test]
fn build_limits_stop_a_build_and_delay_no_search() {
    touchstone::verifies!(
        "FR-LSI-BUD-INIT-03",
        "FR-LSI-BUD-INIT-01",
        "FR-LSI-BUD-INIT-02",
        "TT-12",
        "E-B24",
        "CFGKEY-LSI-index_build_max_files",
        "CFGKEY-LSI-index_build_max_bytes",
        "D-BUILD_BUDGET_EXCEEDED"
    );
    for settings in ["index_build_max_files = 50", "index_build_max_bytes = 500"] {
        let home = Home::of_words(200);
        let service = home.settled(settings);
        assert_eq!(state(&service), ("UNCERTAIN", Some("BUILD_BUDGET_EXCEEDED")), "{settings}");
        assert!(service.index_wait(Duration::ZERO), "{settings}: it is not gone on with by itself");
        let seen = home.asked(&service, &literal("number 199"));
        assert_eq!(
            (paths(&seen).len(), excluded(&seen)),
            (1, (Some("INDEX_UNAVAILABLE"), 0)),
            "{settings}"
        );
        let retries = format!("{settings}\nindex_retry_on_failure = true");
        let home = Home::of_words(200);
        let service = home.service(IndexUse::Stepped, &retries);
        // It is opened, then built.
        assert!(service.index_turn() && service.index_turn(), "{settings}");
        assert_eq!(state(&service), ("UNCERTAIN", Some("BUILD_BUDGET_EXCEEDED")), "{settings}");
        assert!(!service.index_wait(Duration::ZERO), "{settings}: it is gone on with");
    }
}

/// Turns the clock on when the first file of a build is read.
#[derive(Debug)]
struct Slow {
    gate: Arc<Gate>,
    clock: Arc<Hand>,
    by_ms: u64,
}

impl Faults for Slow {
    fn at(&self, point: Point) -> io::Result<()> {
        if point == Point::ReadFile && self.gate.count(point) == 0 {
            self.clock.goes_on(self.by_ms);
        }
        self.gate.at(point)
    }
}

#[test]
fn a_build_over_its_time_limit_is_kept_and_resumed_later() {
    touchstone::verifies!(
        "FR-LSI-BUD-INIT-01",
        "FR-LSI-BUD-INIT-02",
        "CFGKEY-LSI-index_build_timeout_ms",
        "TT-12"
    );
    for (by_ms, ends) in
        [(5_000, ("COMPLETE", None)), (5_001, ("UNCERTAIN", Some("BUILD_BUDGET_EXCEEDED")))]
    {
        let home = Home::of_words(1_500);
        let (gate, clock) = (Gate::open(), Arc::new(Hand::default()));
        let slow = Arc::new(Slow { gate: gate.clone(), clock: clock.clone(), by_ms });
        let service =
            home.by_clock(IndexUse::Stepped, "index_build_timeout_ms = 5000", slow, clock.clone());
        settle(&service);
        assert_eq!(state(&service), ends, "{by_ms}");
        let seen = home.asked(&service, &literal("number 1499"));
        assert_eq!(paths(&seen), ["d4/f1499"]);
        assert_eq!(excluded(&seen).1 == 0, ends.0 == "UNCERTAIN");
        let read = gate.count(Point::ReadFile);
        service.index_shutdown();
        drop(service);
        let gate = Gate::open();
        let next = home.with_faults(IndexUse::Stepped, "", gate.clone());
        settle(&next);
        assert_eq!(state(&next), ("COMPLETE", None));
        let again = gate.count(Point::ReadFile);
        assert!(read + again < 2 * 1_500, "{read} files were read, and {again} again");
    }
}

#[test]
fn a_build_stopped_by_a_budget_is_kept_regardless_of_the_shutdown_setting() {
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
    assert!(
        read_again < 3_000,
        "{read_first} of 3000 had been read, and {read_again} were read again"
    );
}

#[test]
fn a_call_waits_for_the_index_only_within_its_limit() {
    touchstone::verifies!("FR-LSI-IDX-CONC-02", "FR-LSI-BG-13.4", "FR-LSI-IDX-05", "TT-07");
    for point in [Point::WriteDelta, Point::Checkpoint, Point::ReadFile] {
        let home = Home::of_words(60);
        let first = home.settled("");
        first.index_shutdown();
        drop(first);
        let gate = Gate::at_point(point);
        let service =
            home.with_faults(IndexUse::Background, "index_lock_timeout_ms = 50", gate.clone());
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
fn a_call_that_times_out_on_a_lock_excludes_nothing_and_reports_it() {
    touchstone::verifies!(
        "FR-LSI-IDX-CONC-02",
        "FR-LSI-IDX-05",
        "CFGKEY-LSI-index_lock_timeout_ms"
    );
    for wait_ms in [50, 1_000] {
        let home = Home::of_words(60);
        let gate = Gate::open();
        let settings = format!("index_lock_timeout_ms = {wait_ms}");
        let service = home.with_faults(IndexUse::Stepped, &settings, gate.clone());
        settle(&service);
        home.write("d0/f000", "chalk\n");
        gate.hold(Point::Cookie);
        thread::scope(|scope| {
            // One call has the right to read events, and stands still.
            let first = scope.spawn(|| called(&service, &literal("chalk")));
            gate.wait();
            let begun = Instant::now();
            let seen = home.asked(&service, &literal("chalk"));
            let took = begun.elapsed();
            assert_eq!(excluded(&seen), (Some("LOCK_TIMEOUT"), 0));
            assert_eq!(paths(&seen).len(), 6);
            assert!(
                took >= Duration::from_millis(wait_ms) && took < LONG / 3,
                "{wait_ms}: {took:?}"
            );
            assert_eq!(state(&service), ("COMPLETE", None), "nobody else is worse off");
            gate.release();
            assert_eq!(paths(&first.join().unwrap()), paths(&seen));
        });
        home.uses_index(&service);
    }
}

#[test]
fn a_second_process_answers_correctly_and_does_not_demote_the_first() {
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
fn a_file_up_to_the_tokenization_limit_is_excluded_and_a_longer_one_is_searched() {
    touchstone::verifies!(
        "CFGKEY-LSI-index_max_tokenized_bytes",
        "FR-LSI-TOK-01",
        "FR-LSI-TOK-01.4"
    );
    for most in [4_096, 4_097] {
        let files =
            [4_095, 4_096, 4_097, 4_098].map(|length| (length.to_string(), "x".repeat(length)));
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), &**text)).collect();
        let home = Home::new(&files);
        let service = home.settled(&format!("index_max_tokenized_bytes = {most}"));
        let stats = home.asked(&service, &literal("chalk"))["stats"].clone();
        let read = 4_098 - most;
        assert_eq!(
            (&stats["candidates_excluded"], &stats["candidates_scanned"]),
            (&json!(4 - read), &json!(read)),
            "{most}"
        );
    }
}

#[test]
fn repeated_searches_read_little_more_than_the_candidates() {
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
