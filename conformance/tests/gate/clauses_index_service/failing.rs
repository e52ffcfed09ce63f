//! What the system refuses an index: which state that leaves, that searches are right meanwhile,
//! what the log says, and that the index comes back.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{fs, ops::Range};

use forge_search_core::index::machine::{Reason, Trigger};
use forge_search_engine::index::{Faults, Point};
use forge_search_engine::{IndexUse, Service};
use tracing::Level;

use super::home::{Gate, Home, excluded, literal, paths, settle, state, status};
use crate::clauses::Hand;
use crate::clauses_agent::log::logged;

/// Fails some of the visits of a point.
#[derive(Debug)]
pub(super) struct Failing {
    pub(super) gate: Arc<Gate>,
    point: Point,
    visits: AtomicUsize,
    fails: Range<usize>,
}

impl Failing {
    /// Visits are counted from 0.
    pub(super) fn at(point: Point, fails: Range<usize>) -> Arc<Self> {
        Arc::new(Self { gate: Gate::open(), point, visits: AtomicUsize::new(0), fails })
    }
}

impl Faults for Failing {
    fn at(&self, point: Point) -> io::Result<()> {
        self.gate.at(point)?;
        if point == self.point && self.fails.contains(&self.visits.fetch_add(1, Ordering::SeqCst)) {
            return Err(io::Error::from_raw_os_error(5));
        }
        Ok(())
    }
}

/// Everything is found, by reading every file.
fn bypassed(home: &Home, service: &Service) {
    let seen = home.asked(service, &literal("chalk"));
    assert_eq!((paths(&seen).len(), excluded(&seen).1), (5, 0), "{}", seen["stats"]);
    let now = status(service);
    assert_eq!(seen["stats"]["index_safety_state"], now.state);
    assert_eq!(seen["stats"]["index_uncertain_reason"].as_str(), now.reason);
}

#[test]
fn an_unstorable_index_is_kept_in_memory_and_the_cause_is_logged() {
    touchstone::verifies!(
        "FR-LSI-STOR-FALLBACK-01",
        "SEC-LSI-STORE-02",
        "STAT-storage_fallback_reason",
        "T-LSI-SAFE-07"
    );
    let home = Home::of_words(60);
    let stored = home.settled("");
    assert!(home.asked(&stored, &literal("chalk"))["stats"]["storage_fallback_reason"].is_null());
    drop(stored);
    for (point, reason) in
        [(Point::CacheRoot, "PERMISSION_DENIED"), (Point::OpenStore, "STORE_UNUSABLE")]
    {
        for (files, ends) in [(60, ("DISABLED", Some("BELOW_THRESHOLD"))), (59, ("COMPLETE", None))]
        {
            let lines = logged(Level::WARN, || {
                let settings =
                    format!("index_mode = \"auto\"\nindex_auto_threshold_files = {files}");
                let faults = Failing::at(point, 0..usize::MAX);
                let service = home.with_faults(IndexUse::Stepped, &settings, faults);
                settle(&service);
                assert_eq!(state(&service), ends, "{point:?}");
                let seen = home.asked(&service, &literal("chalk"));
                assert_eq!(seen["stats"]["storage_fallback_reason"], reason, "{}", seen["stats"]);
                let built = service
                    .index_trace()
                    .iter()
                    .any(|s| s.triggers.contains(Trigger::BuildStarted));
                assert_eq!(built, ends.0 == "COMPLETE");
                if built {
                    assert_eq!(status(&service).storage, "memory");
                    home.uses_index(&service);
                }
            });
            assert_eq!(lines.len(), 1, "{point:?}: {lines:#?}");
            assert!(lines[0].contains("WARN") && lines[0].contains(reason), "{}", lines[0]);
        }
    }
}

#[test]
fn without_disk_and_memory_there_is_no_index_and_stats_report_it() {
    touchstone::verifies!("TT-02", "D-PERSISTENCE_NOT_PERMITTED", "FR-LSI-STOR-FALLBACK-02");
    let home = Home::of_words(60);
    let faults = Failing::at(Point::OpenMemory, 0..usize::MAX);
    let service = home.with_faults(IndexUse::Stepped, "index_storage = \"memory\"", faults);
    settle(&service);
    assert_eq!(state(&service), ("DISABLED", Some("PERSISTENCE_NOT_PERMITTED")));
    bypassed(&home, &service);
}

#[test]
fn an_index_readable_by_others_is_stored_with_a_warning_if_the_configuration_allows_it() {
    touchstone::verifies!("SEC-LSI-STORE-02.3", "CFGKEY-LSI-index_allow_insecure_persistence");
    for (mode, warnings) in [(0o755, 1), (0o700, 0)] {
        let home = Home::of_words(30);
        fs::create_dir(&home.cache).unwrap();
        fs::set_permissions(&home.cache, fs::Permissions::from_mode(mode)).unwrap();
        let lines = logged(Level::WARN, || {
            let service = home.settled("index_allow_insecure_persistence = true");
            assert_eq!((status(&service).storage, state(&service).0), ("sqlite", "COMPLETE"));
        });
        assert_eq!(lines.len(), warnings, "{mode:o}: {lines:#?}");
        assert!(
            lines.iter().all(|line| line.contains("WARN") && line.contains("others")),
            "{lines:?}"
        );
    }
}

#[test]
fn a_failed_build_leaves_no_index_logs_the_cause_and_is_retried_only_if_configured() {
    touchstone::verifies!(
        "FR-LSI-BG-22",
        "TT-13",
        "TT-14",
        "CFGKEY-LSI-index_retry_on_failure",
        "E-C32"
    );
    for (point, phase, trigger) in [
        (Point::BuildBegin, "ENUMERATE", Trigger::BuildFailedClean),
        (Point::WriteBase, "PERSIST", Trigger::BuildFailedClean),
        (Point::BeforeFlip, "PERSIST", Trigger::BuildFailedInconsistent),
    ] {
        for retries in [false, true] {
            let home = Home::of_words(60);
            let faults = Failing::at(point, 0..1);
            let settings = format!("index_retry_on_failure = {retries}");
            let lines = logged(Level::WARN, || {
                let service = home.with_faults(IndexUse::Stepped, &settings, faults.clone());
                settle(&service);
                let failed =
                    service.index_trace().iter().any(|step| step.triggers.contains(trigger));
                assert!(failed, "{point:?}");
                let builds = faults.gate.count(Point::BuildBegin);
                if retries {
                    assert_eq!((state(&service), builds), (("COMPLETE", None), 2), "{point:?}");
                } else {
                    assert_eq!((state(&service), builds), (("ABSENT", None), 1), "{point:?}");
                    bypassed(&home, &service);
                    // Nothing that was written is taken for an index by another.
                    let other = home.service(IndexUse::Existing, "");
                    assert_eq!(excluded(&home.asked(&other, &literal("chalk"))).1, 0, "{point:?}");
                    service.index_rebuild();
                    settle(&service);
                    assert_eq!(state(&service), ("COMPLETE", None), "somebody asked for it");
                }
                home.uses_index(&service);
            });
            let told = lines.iter().filter(|line| line.contains(phase) && line.contains("cause"));
            assert_eq!((told.count(), lines.len()), (1, 1), "{point:?}: {lines:#?}");
        }
    }
}

#[test]
fn an_unlistable_directory_keeps_the_index_uncertain_until_it_is_listed() {
    touchstone::verifies!(
        "TT-22",
        "FR-LSI-SAFE-COMPLETE-02",
        "D-ENUMERATION_ERROR",
        "STAT-index_uncertain_reason",
        "STAT-index_safety_state"
    );
    for stored in [false, true] {
        let home = Home::of_words(60);
        if stored {
            home.settled("").index_shutdown();
        }
        // The third directory of six; for a while also when it is tried again.
        let (clock, faults) = (Arc::new(Hand::default()), Failing::at(Point::List, 2..3));
        let service = home.by_clock(IndexUse::Stepped, "", faults.clone(), clock.clone());
        let doubted = |service: &Service| {
            let trace = service.index_trace();
            let failed =
                trace.iter().find(|step| step.triggers.contains(Trigger::EnumerationFailed));
            failed.map(|step| step.step.status)
        };
        let mut failed = None;
        for _ in 0..100 {
            service.index_turn();
            failed = doubted(&service);
            if failed.is_some() {
                break;
            }
        }
        let failed = failed.expect("a listing failed");
        assert!(failed.reasons.contains(Reason::EnumerationError), "{failed:?}");
        assert_eq!(state(&service).0, "UNCERTAIN");
        assert!(stored || state(&service).1 == Some("ENUMERATION_ERROR"), "{:?}", state(&service));
        bypassed(&home, &service);
        for _ in 0..3 {
            clock.goes_on(60_000);
            settle(&service);
        }
        assert_eq!(state(&service), ("COMPLETE", None), "stored: {stored}");
        home.uses_index(&service);
    }
}

#[test]
fn a_failed_watcher_is_reported_and_no_change_is_missed() {
    touchstone::verifies!(
        "TT-19",
        "FR-LSI-TRK-08",
        "D-WATCHER_DOWN",
        "STAT-index_uncertain_reason"
    );
    let home = Home::of_words(60);
    let (clock, faults) = (Arc::new(Hand::default()), Failing::at(Point::Cookie, 0..1));
    let service = home.by_clock(IndexUse::Stepped, "", faults, clock.clone());
    settle(&service);
    assert_eq!(state(&service), ("COMPLETE", None));
    home.write("d0/f000", "chalk\n");
    // The call that finds the watcher gone excludes nothing and finds what was written.
    let seen = home.asked(&service, &literal("chalk"));
    assert_eq!((paths(&seen).len(), excluded(&seen).1), (6, 0), "{}", seen["stats"]);
    assert_eq!(state(&service), ("UNCERTAIN", Some("WATCHER_DOWN")));
    assert!(!status(&service).watcher_live);
    assert_eq!(seen["stats"]["index_uncertain_reason"], "WATCHER_DOWN");
    for _ in 0..3 {
        clock.goes_on(60_000);
        settle(&service);
    }
    assert_eq!(state(&service), ("COMPLETE", None));
    home.uses_index(&service);
}

/// Loses the watcher at the first cookie. From then on no watcher has room for a directory.
#[derive(Debug)]
struct NoRoom {
    gate: Arc<Gate>,
    lost: AtomicBool,
    watches: AtomicUsize,
}

impl Faults for NoRoom {
    fn at(&self, point: Point) -> io::Result<()> {
        self.gate.at(point)?;
        let failed = match point {
            Point::Cookie if !self.lost.swap(true, Ordering::SeqCst) => 5,
            // The first is of the watcher itself.
            Point::Watch
                if self.lost.load(Ordering::SeqCst)
                    && self.watches.fetch_add(1, Ordering::SeqCst) > 0 =>
            {
                rustix::io::Errno::NOSPC.raw_os_error()
            }
            _ => return Ok(()),
        };
        Err(io::Error::from_raw_os_error(failed))
    }
}

#[test]
fn a_watcher_without_room_is_stopped_before_the_tree_is_listed() {
    touchstone::verifies!("TT-19", "D-WATCHER_DOWN");
    let home = Home::of_words(60);
    let clock = Arc::new(Hand::default());
    let (lost, watches) = (AtomicBool::new(false), AtomicUsize::new(0));
    let gate = Gate::open();
    let faults = Arc::new(NoRoom { gate: gate.clone(), lost, watches });
    let service = home.by_clock(IndexUse::Stepped, "", faults, clock.clone());
    settle(&service);
    home.write("d0/f000", "chalk\n");
    home.asked(&service, &literal("chalk"));
    assert_eq!(state(&service), ("UNCERTAIN", Some("WATCHER_DOWN")));
    let listed = gate.count(Point::List);
    let tried = gate.count(Point::Watch);
    clock.goes_on(60_000);
    settle(&service);
    assert!(gate.count(Point::Watch) > tried, "it is tried again");
    assert_eq!(state(&service), ("UNCERTAIN", Some("WATCHER_DOWN")));
    assert!(!status(&service).watcher_live);
    assert_eq!(gate.count(Point::List), listed, "no scan that could not end well is begun");
    assert_eq!(paths(&home.asked(&service, &literal("chalk"))).len(), 6);
}

#[test]
fn a_broken_stored_index_is_logged() {
    touchstone::verifies!("FR-LSI-BG-22", "TT-09");
    let home = Home::of_words(60);
    home.settled("").index_shutdown();
    let stored = home.stored(".sqlite").remove(0);
    fs::write(&stored, b"no database at all, and longer than a header would be").unwrap();
    let lines = logged(Level::WARN, || {
        let service = home.settled("");
        assert_eq!(state(&service), ("COMPLETE", None));
        home.uses_index(&service);
    });
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].contains("broken") && lines[0].contains("cause"), "{}", lines[0]);
}
