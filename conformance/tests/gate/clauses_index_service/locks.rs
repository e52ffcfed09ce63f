//! Sections 4.3.2 and 5.4: callers do not wait for a process that holds the lock or has stopped,
//! be it this service's indexer or another connection.

use std::sync::Arc;
use std::time::{Duration, Instant};

use forge_search_core::index::machine::Trigger;
use forge_search_engine::IndexUse;
use forge_search_engine::index::Point::{
    self, AfterDelta, AfterFlip, BeforeFlip, BuildBatch, BuildBegin, CacheRoot, Check, Checkpoint,
    DeleteInactive, List, OpenStore, ReadFile, WriteBase, WriteDelta,
};
use rusqlite::Connection;

use super::database::{count, opened};
use super::home::{Gate, Home, LONG, excluded, literal, paths, settle, state, status};
use crate::clauses::Hand;

/// More than any lock may be waited for here, and less than whoever waited for one would take.
const SHORT: Duration = Duration::from_secs(10);

/// Whoever waits for this longer than [`SHORT`] is held up.
const PATIENT: &str = "index_lock_timeout_ms = 60000";

#[test]
fn searches_do_not_wait_for_an_indexer_blocked_at_any_point() {
    touchstone::verifies!(
        "FR-LSI-BG-00",
        "FR-LSI-BG-10",
        "FR-LSI-BG-11",
        "FR-LSI-BG-13",
        "FR-LSI-BUD-INIT-03",
        "FR-LSI-IDX-CONC-02"
    );
    let home = Home::of_words(60);
    // The first build, and then what is stored of it opened and compared, changed and built anew.
    for (points, begins) in [
        (
            &[
                CacheRoot, OpenStore, List, BuildBegin, ReadFile, BuildBatch, WriteBase,
                BeforeFlip, AfterFlip, Checkpoint,
            ][..],
            "with nothing",
        ),
        (&[CacheRoot, OpenStore, Check, List], "with an index"),
        (&[ReadFile, WriteDelta, AfterDelta], "with a change"),
        (&[List, WriteBase, BeforeFlip, AfterFlip, DeleteInactive, Checkpoint], "anew"),
    ] {
        for point in points {
            let _ = std::fs::remove_dir_all(&home.cache);
            let stored = begins != "with nothing";
            if stored {
                home.settled("").index_shutdown();
            }
            let gate = Gate::open();
            let waits = ["with a change", "anew"].contains(&begins);
            if !waits {
                gate.hold(*point);
            }
            let service = home.with_faults(IndexUse::Background, PATIENT, gate.clone());
            if waits {
                assert!(service.index_wait(LONG));
                gate.hold(*point);
                if begins == "anew" {
                    service.index_rebuild();
                } else {
                    home.write("d0/f000", &format!("changed {point:?}\n"));
                    home.asked(&service, &literal("chalk"));
                }
            }
            gate.wait();
            let begun = Instant::now();
            for word in ["chalk", "number 59"] {
                let seen = home.asked(&service, &literal(word));
                let by_index = excluded(&seen).1 > 0;
                assert!(!by_index || seen["stats"]["index_safety_state"] == "COMPLETE");
                // What only changes on disk leaves the index that is in memory as it is.
                assert!(by_index || begins != "with a change", "{point:?}: {}", seen["stats"]);
            }
            assert!(begun.elapsed() < SHORT, "{point:?} {begins}: {:?}", begun.elapsed());
            gate.release();
            assert!(service.index_wait(LONG), "{point:?} {begins}");
            assert_eq!(state(&service), ("COMPLETE", None), "{point:?} {begins}");
        }
    }
}

/// Nobody else gets at the database as long as this is there.
fn taken(home: &Home) -> Connection {
    let other = opened(home);
    other.pragma_update(None, "locking_mode", "EXCLUSIVE").unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    other
}

#[test]
fn a_store_locked_by_another_process_is_awaited_within_the_lock_timeout() {
    touchstone::verifies!(
        "FR-LSI-IDX-05",
        "FR-LSI-BG-13.4",
        "TT-07",
        "FR-LSI-IDX-CONC-02",
        "CFGKEY-LSI-index_lock_timeout_ms"
    );
    let home = Home::of_words(60);
    home.settled("").index_shutdown();
    for wait_ms in [50, 600] {
        let other = taken(&home);
        let settings = format!("index_lock_timeout_ms = {wait_ms}");
        let (gate, clock) = (Gate::open(), Arc::new(Hand::default()));
        let service = home.by_clock(IndexUse::Stepped, &settings, gate.clone(), clock.clone());
        let begun = Instant::now();
        assert!(service.index_turn());
        let took = begun.elapsed();
        assert!(took >= Duration::from_millis(wait_ms) && took < SHORT, "{wait_ms}: {took:?}");
        let told = service.index_trace();
        assert!(told.iter().any(|step| step.triggers.contains(Trigger::LockTimedOut)));
        let reader = home.service(IndexUse::Existing, &settings);
        for one in [&service, &reader] {
            let begun = Instant::now();
            let seen = home.asked(one, &literal("chalk"));
            assert_eq!((paths(&seen).len(), excluded(&seen).1), (5, 0), "{wait_ms}");
            assert!(begun.elapsed() < SHORT);
        }
        drop(other);
        clock.goes_on(10_000);
        settle(&service);
        // It was left as it is.
        assert_eq!((state(&service), gate.count(Point::BuildBegin)), (("COMPLETE", None), 0));
        home.uses_index(&service);
        assert!(excluded(&home.asked(&reader, &literal("chalk"))).1 > 0);
        service.index_shutdown();
    }
}

#[test]
fn a_reader_excludes_files_while_another_process_holds_the_write_lock() {
    touchstone::verifies!(
        "FR-LSI-BG-13",
        "FR-LSI-BG-13.2",
        "FR-LSI-BG-13.4",
        "FR-LSI-IDX-CONC-03",
        "E-C43"
    );
    let home = Home::of_words(60);
    let (gate, clock) = (Gate::open(), Arc::new(Hand::default()));
    let settings = "index_lock_timeout_ms = 1500";
    let service = home.by_clock(IndexUse::Stepped, settings, gate.clone(), clock.clone());
    settle(&service);
    let other = opened(&home);
    other.execute_batch("BEGIN IMMEDIATE; UPDATE meta SET value = value").unwrap();
    // Only one may write, and whoever reads does without that one's lock.
    let begun = Instant::now();
    let blocks = gate.count(Point::ReadBlock);
    home.uses_index(&service);
    let reader = home.service(IndexUse::Existing, PATIENT);
    home.uses_index(&reader);
    assert!(gate.count(Point::ReadBlock) > blocks && begun.elapsed() < SHORT);

    home.write("d0/f000", "quartz\n");
    assert_eq!(paths(&home.asked(&service, &literal("quartz"))), ["d0/f000"]);
    let begun = Instant::now();
    service.index_turn();
    while status(&service).pending > 0 || gate.count(Point::AfterDelta) == 0 {
        if !service.index_turn() {
            break;
        }
    }
    let waited = begun.elapsed();
    assert!(waited >= Duration::from_millis(1_500) && waited < SHORT, "{waited:?}");
    assert_eq!(gate.count(Point::AfterDelta), 0, "nothing is written while another writes");
    assert_eq!(paths(&home.asked(&service, &literal("quartz"))), ["d0/f000"]);
    other.execute_batch("ROLLBACK").unwrap();
    clock.goes_on(5_000);
    settle(&service);
    assert_eq!((state(&service), gate.count(Point::AfterDelta)), (("COMPLETE", None), 1));
    home.uses_index(&service);
}

#[test]
fn one_service_writes_a_store_and_others_read_it() {
    touchstone::verifies!("FR-LSI-BG-13.2", "FR-LSI-IDX-CONC-01", "E-C43");
    let home = Home::of_words(60);
    let first = home.settled("");
    let gate = Gate::open();
    let second = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&second);
    assert!(status(&first).writer && !status(&second).writer);
    home.write("d0/f000", "quartz\n");
    for service in [&second, &first] {
        assert_eq!(paths(&home.asked(service, &literal("quartz"))), ["d0/f000"]);
    }
    settle(&second);
    let written = [Point::WriteBase, Point::BeforeFlip, Point::WriteDelta, Point::Checkpoint];
    assert_eq!(written.map(|point| gate.count(point)), [0; 4]);
    assert_eq!(count(&home, "segment WHERE active = 1"), 1);
    settle(&first);
    assert!(count(&home, "segment WHERE active = 1") > 1, "the writer stores what changed");
}

#[test]
fn the_write_ahead_log_is_emptied_after_an_idle_period() {
    touchstone::verifies!("FR-LSI-BG-13.5", "E-C43");
    let home = Home::of_words(60);
    let (gate, clock) = (Gate::open(), Arc::new(Hand::default()));
    let service = home.by_clock(IndexUse::Background, "", gate.clone(), clock.clone());
    assert!(service.index_wait(LONG));
    for round in 0..3 {
        // Somebody searches a moment before it would be idle, and there is something to store.
        clock.goes_on(199);
        home.write("d0/f000", &format!("quartz{round}\n"));
        home.asked(&service, &literal("quartz"));
        assert!(service.index_wait(LONG));
        assert_eq!((gate.count(Point::Checkpoint), state(&service).0), (0, "COMPLETE"), "{round}");
    }
    clock.goes_on(200);
    super::home::eventually("a checkpoint", || gate.count(Point::Checkpoint) > 0);
    assert!(service.index_wait(LONG));
    home.uses_index(&service);
}
