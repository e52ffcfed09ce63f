//! Sections 5.3 to 5.5: how an indexer ends and what the next process makes of what it finds.

use std::fs;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use forge_search_core::index::machine::{Reason, State, Trigger};
use forge_search_engine::index::{Faults, Point};
use forge_search_engine::{IndexUse, Service};

use super::home::{
    Gate, Home, LONG, called, eventually, excluded, literal, paths, settle, state, status,
};

/// States that the only index went through, each once per run, with the reason shown.
fn walked(service: &Service) -> Vec<(&'static str, Option<&'static str>)> {
    let shown = |status: forge_search_core::index::machine::Status| {
        (status.state.name(), status.shown_reason().map(Reason::name))
    };
    let mut states: Vec<_> =
        service.index_trace().iter().map(|step| shown(step.step.status)).collect();
    states.dedup();
    states
}

#[test]
fn a_stored_index_is_opened_compared_and_used_without_reading_files_again() {
    touchstone::verifies!("FR-LSI-BG-50", "FR-LSI-SAFE-04", "TT-15", "D-OPEN_REQUIRES_VALIDATION");
    let home = Home::of_words(60);
    let first = home.settled("");
    first.index_shutdown();
    drop(first);
    // Fingerprints of files that were just written prove nothing, so time has to pass before they
    // do.
    let gate = Gate::open();
    let second = home.with_faults(IndexUse::Stepped, "", gate.clone());
    let opened = home.asked(&second, &literal("chalk"));
    settle(&second);
    let trace = second.index_trace();
    let at = trace
        .iter()
        .position(|step| step.triggers.contains(Trigger::IndexOpened))
        .expect("it was opened");
    let status_then = trace[at].step.status;
    assert_eq!(status_then.state, State::Uncertain);
    assert!(status_then.reasons.contains(Reason::OpenRequiresValidation));
    assert!(
        trace[..=at].iter().all(|step| !step.step.may_exclude || step.step.status.lent),
        "nothing is excluded before it was compared"
    );
    assert!(trace[at..].iter().any(|step| step.triggers.contains(Trigger::ReconcileStarted)
        || step.triggers.contains(Trigger::CallVerified)));
    assert_eq!(state(&second), ("COMPLETE", None));
    assert_eq!(gate.count(Point::BuildBegin), 0, "it was compared and not built anew");
    assert_eq!(paths(&opened).len(), 5);
    assert!(excluded(&home.asked(&second, &literal("chalk"))).1 > 0);
}

#[test]
fn a_change_while_no_process_watched_is_found_by_the_first_search() {
    touchstone::verifies!(
        "FR-LSI-BG-50",
        "FR-LSI-SAFE-04",
        "FR-LSI-REC-03",
        "NFR-LSI-COR-01",
        "E-C48"
    );
    for using in [IndexUse::Stepped, IndexUse::Existing, IndexUse::Background] {
        let home = Home::of_words(60);
        home.settled("").index_shutdown();
        home.write("d0/f000", "xylophone\n");
        home.write("d9/new", "xylophone\n");
        fs::remove_file(home.root.join("d2/f002")).unwrap();
        let service = home.service(using, "");
        for _ in 0..2 {
            assert_eq!(
                paths(&home.asked(&service, &literal("xylophone"))),
                ["d0/f000", "d9/new"],
                "{using:?}"
            );
            assert_eq!(paths(&home.asked(&service, &literal("chalk"))).len(), 4, "{using:?}");
            match using {
                IndexUse::Stepped => settle(&service),
                IndexUse::Background => assert!(service.index_wait(LONG)),
                IndexUse::Existing | IndexUse::None => {}
            }
        }
    }
}

#[test]
fn a_stopped_build_resumes_after_checking_all_files() {
    touchstone::verifies!(
        "FR-LSI-BG-40",
        "FR-LSI-BG-41",
        "FR-LSI-BG-51",
        "E-C31",
        "E-B24",
        "CFGKEY-LSI-index_checkpoint_on_shutdown",
        "FR-LSI-BG-41.1",
        "FR-LSI-BG-41.2",
        "FR-LSI-BG-41.3"
    );
    let home = Home::of_words(FILES);
    let read_first = stopped_halfway(&home, SLOW);
    assert!(read_first > 0 && read_first < FILES, "{read_first}");
    home.write("d0/f000", "xylophone\n");
    home.write("d9/new", "xylophone\n");
    let gate = Gate::open();
    let second = home.with_faults(IndexUse::Stepped, "", gate.clone());
    assert_eq!(paths(&home.asked(&second, &literal("xylophone"))), ["d0/f000", "d9/new"]);
    settle(&second);
    assert_eq!(state(&second), ("COMPLETE", None));
    let sought = home.asked(&second, &literal("xylophone"));
    assert_eq!(paths(&sought), ["d0/f000", "d9/new"]);
    assert!(excluded(&sought).1 > 300);
    assert!(
        gate.count(Point::ReadFile) <= FILES + 1 - read_first / 2,
        "what was done is not done again"
    );
}

/// Blocks the writer of a base, whose write then fails.
#[derive(Debug)]
struct CutOff(Arc<Gate>);

impl Faults for CutOff {
    fn at(&self, point: Point) -> io::Result<()> {
        self.0.at(point)?;
        if point == Point::WriteBase { Err(io::Error::other("cut off")) } else { Ok(()) }
    }
}

#[test]
fn files_read_by_a_build_stopped_while_storing_are_not_read_again() {
    touchstone::verifies!("FR-LSI-BG-40", "FR-LSI-BG-41");
    let home = Home::of_words(60);
    home.age();
    let gate = Gate::at_point(Point::WriteBase);
    let faults = Arc::new(CutOff(gate.clone()));
    let service = home.with_faults(IndexUse::Background, "index_shutdown_timeout_ms = 300", faults);
    gate.wait();
    // Returns when its time is up; the builder is let go on after that.
    service.index_shutdown();
    gate.release();
    eventually("the checkpoint", || gate.count(Point::AfterDelta) > 0);
    drop(service);
    let gate = Gate::open();
    let next = home.with_faults(IndexUse::Background, "", gate.clone());
    eventually("the index", || state(&next) == ("COMPLETE", None));
    let found = next.index_trace();
    assert!(found.iter().any(|step| step.triggers.contains(Trigger::CheckpointFound)));
    assert_eq!(gate.count(Point::ReadFile), 0, "what was read is not read again");
}

#[test]
fn a_change_unread_at_shutdown_is_found_by_the_next_process() {
    touchstone::verifies!("FR-LSI-BG-50", "FR-LSI-SAFE-04", "NFR-LSI-COR-01", "E-C48");
    for using in [IndexUse::Stepped, IndexUse::Existing] {
        let home = Home::of_words(60);
        home.age();
        let first = home.settled("index_watch = false");
        home.write("d0/f000", "xylophone\n");
        // This call notices it; its n-grams would be read later, by the background.
        home.asked(&first, &literal("chalk"));
        first.index_shutdown();
        drop(first);
        let next = home.service(using, "index_watch = false");
        if using == IndexUse::Stepped {
            settle(&next);
        }
        assert_eq!(paths(&home.asked(&next, &literal("xylophone"))), ["d0/f000"], "{using:?}");
    }
}

#[test]
fn a_catalogued_name_does_not_prove_a_file_unread_before_the_shutdown() {
    touchstone::verifies!("FR-LSI-BG-50", "NFR-LSI-COR-01", "E-C48");
    let home = Home::of_words(60);
    // The next process would read again what was written a moment before it was read.
    home.age();
    home.settled("").index_shutdown();
    home.write("d0/new", "xylophone\n");
    home.age();
    let second = home.service(IndexUse::Stepped, "");
    while state(&second).0 != "COMPLETE" {
        assert!(second.index_turn(), "{:?}", status(&second));
    }
    assert_eq!(
        status(&second).pending,
        1,
        "every directory was listed, and the new file is still to be read"
    );
    second.index_shutdown();
    drop(second);
    let reader = home.service(IndexUse::Existing, "");
    assert_eq!(paths(&home.asked(&reader, &literal("xylophone"))), ["d0/new"]);
}

#[test]
fn data_stored_by_another_process_proves_nothing_to_an_earlier_reader() {
    touchstone::verifies!("FR-LSI-IDX-CONC-01", "NFR-LSI-COR-01", "E-C48");
    let home = Home::of_words(60);
    home.age();
    let first = home.settled("");
    let reader = home.service(IndexUse::Existing, "");
    // Every file has it: the index is opened, and the tree is not yet compared with it.
    assert_eq!(paths(&home.asked(&reader, &literal("number"))).len(), 60);
    home.write("d0/new", "xylophone\n");
    home.age();
    settle(&first);
    for service in [first, home.service(IndexUse::Stepped, "")] {
        // The second one lists every directory, and stores what it saw.
        settle(&service);
        service.index_shutdown();
    }
    assert_eq!(paths(&home.asked(&reader, &literal("xylophone"))), ["d0/new"]);
}

/// Files of a tree that a throttled build does not get through at once.
const FILES: usize = 6_000;

/// A build that makes long pauses.
const SLOW: &str = "index_build_throttle_ms = 1000\nindex_idle_boost_ms = 3600000";

/// Begins a build, ends the service in order, and says how many files had been read.
fn stopped_halfway(home: &Home, settings: &str) -> usize {
    let gate = Gate::at_point(Point::ReadFile);
    let service = home.with_faults(IndexUse::Background, settings, gate.clone());
    gate.wait();
    assert_eq!(called(&service, &literal("chalk"))["stats"]["index_safety_state"], "BUILDING");
    gate.release();
    service.index_shutdown();
    drop(service);
    assert_eq!(
        gate.count(Point::SavePartial) > 0,
        !settings.contains("checkpoint_on_shutdown = false")
    );
    gate.count(Point::ReadFile)
}

#[test]
fn without_a_checkpoint_a_stopped_build_begins_anew() {
    touchstone::verifies!("FR-LSI-BG-40", "CFGKEY-LSI-index_checkpoint_on_shutdown");
    let home = Home::of_words(FILES);
    stopped_halfway(&home, &format!("{SLOW}\nindex_checkpoint_on_shutdown = false"));
    let gate = Gate::open();
    let second = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&second);
    assert_eq!((state(&second), gate.count(Point::ReadFile)), (("COMPLETE", None), FILES));
}

#[test]
fn shutdown_does_not_wait_for_a_hanging_indexer() {
    touchstone::verifies!("FR-LSI-BG-43", "FR-LSI-BG-40", "CFGKEY-LSI-index_shutdown_timeout_ms");
    let home = Home::of_words(40);
    let gate = Gate::at_point(Point::ReadFile);
    let service =
        home.with_faults(IndexUse::Background, "index_shutdown_timeout_ms = 300", gate.clone());
    gate.wait();
    let begun = Instant::now();
    service.index_shutdown();
    // The setting, and not the five seconds that are its default.
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    gate.release();
    drop(service);
    let next = home.service(IndexUse::Background, "");
    assert!(next.index_wait(LONG));
    assert_eq!(paths(&home.asked(&next, &literal("chalk"))).len(), 4);
}

#[test]
fn a_damaged_store_is_never_used_and_is_replaced() {
    touchstone::verifies!(
        "FR-LSI-BG-22",
        "FR-LSI-BG-52",
        "FR-LSI-IDX-05",
        "NFR-LSI-COR-02",
        "TT-09"
    );
    for damage in ["truncated", "overwritten", "emptied"] {
        let home = Home::of_words(60);
        let first = home.settled("");
        first.index_shutdown();
        drop(first);
        let stored = home.stored(".sqlite").remove(0);
        let length = fs::metadata(&stored).unwrap().len();
        let file = fs::OpenOptions::new().write(true).open(&stored).unwrap();
        match damage {
            "truncated" => file.set_len(length / 2).unwrap(),
            "emptied" => file.set_len(0).unwrap(),
            // Behind the first page, most of which is empty.
            _ => file.write_all_at(&vec![0x5a; 40_000], 16_384).unwrap(),
        }
        // Its number is another's only when nobody has it any more.
        fs::hard_link(&stored, home.base().join("kept")).unwrap();
        let was = fs::metadata(&stored).unwrap().ino();
        let gate = Gate::open();
        let service = home.with_faults(IndexUse::Stepped, "", gate.clone());
        assert_eq!(paths(&home.asked(&service, &literal("chalk"))).len(), 5, "{damage}");
        settle(&service);
        assert_eq!(paths(&home.asked(&service, &literal("chalk"))).len(), 5, "{damage}");
        settle(&service);
        assert_eq!(state(&service), ("COMPLETE", None), "{damage}: {:?}", walked(&service));
        // Nothing of it is kept: an empty file is no index, and may be the place of the next.
        assert!(damage == "emptied" || fs::metadata(&stored).unwrap().ino() != was, "{damage}");
        let work = (gate.count(Point::BuildBegin), gate.count(Point::ReadFile));
        assert_eq!(work, (1, 60), "{damage}: built anew");
    }
}

#[test]
fn one_flipped_bit_in_the_database_is_detected() {
    touchstone::verifies!("NFR-LSI-COR-02", "E-C44", "TT-09", "THREAT-03");
    let home = Home::of_words(24);
    let first = home.settled("");
    first.index_shutdown();
    drop(first);
    let stored = home.stored(".sqlite").remove(0);
    let sound = fs::read(&stored).unwrap();
    // Every so many bytes; what falls into unused space changes nothing, and nothing else may go
    // unnoticed.
    let step = (sound.len() / 150).max(1);
    for at in (100..sound.len()).step_by(step) {
        let mut flipped = sound.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&stored, &flipped).unwrap();
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", stored.display()));
        }
        let service = home.service(IndexUse::Existing, "");
        for word in ["chalk", "number 23", "knack number"] {
            home.asked(&service, &literal(word));
        }
    }
}

#[test]
fn a_stored_index_is_checked_at_opening_if_configured() {
    touchstone::verifies!("CFGKEY-LSI-index_integrity_check", "E-C44", "FR-LSI-BG-50");
    let home = Home::of_words(30);
    home.settled("").index_shutdown();
    for (setting, checks) in [("on_open", 1), ("off", 0), ("periodic", 0)] {
        let gate = Gate::open();
        let settings = format!("index_integrity_check = {setting:?}");
        let service = home.with_faults(IndexUse::Stepped, &settings, gate.clone());
        settle(&service);
        assert_eq!(
            (state(&service), gate.count(Point::Check)),
            (("COMPLETE", None), checks),
            "{setting}"
        );
        let confirmed = |trace: &forge_search_engine::index::TraceStep| {
            trace.triggers.contains(Trigger::IntegrityConfirmed)
        };
        assert_eq!(service.index_trace().iter().any(confirmed), checks > 0, "{setting}");
        service.index_shutdown();
    }
}

/// Reads no block while it is told to.
#[derive(Debug, Default)]
pub(super) struct Unreadable(pub(super) AtomicBool);

impl Faults for Unreadable {
    fn at(&self, point: Point) -> io::Result<()> {
        let fails = point == Point::ReadBlock && self.0.load(Ordering::SeqCst);
        if fails { Err(io::Error::other("a block that cannot be read")) } else { Ok(()) }
    }
}

#[test]
fn a_corrupt_index_is_rebuilt_once_and_then_left_to_the_next_process() {
    touchstone::verifies!(
        "E-C25",
        "FR-LSI-BG-22",
        "CFGKEY-LSI-index_retry_on_failure",
        "TT-09",
        "STATE-CORRUPT"
    );
    for retries in [false, true] {
        let home = Home::of_words(60);
        let faults = Arc::new(Unreadable::default());
        let settings = format!("index_retry_on_failure = {retries}");
        let service = home.with_faults(IndexUse::Stepped, &settings, faults.clone());
        settle(&service);
        let spoil = || {
            faults.0.store(true, Ordering::SeqCst);
            assert_eq!(
                excluded(&home.asked(&service, &literal("chalk"))),
                (Some("INDEX_FAULT"), 0)
            );
            faults.0.store(false, Ordering::SeqCst);
            settle(&service);
            assert!(service.index_wait(LONG), "there is nothing to wait for");
            state(&service).0
        };
        assert_eq!(spoil(), "COMPLETE", "once for each launch");
        assert_eq!(spoil(), if retries { "COMPLETE" } else { "CORRUPT" });
        if !retries {
            assert_eq!(home.stored(".sqlite").len(), 0, "it is removed all the same");
            home.asked(&service, &literal("chalk"));
            settle(&service);
            assert_eq!(state(&service).0, "CORRUPT", "no search changes that");
            service.index_rebuild();
            settle(&service);
            assert_eq!(state(&service), ("COMPLETE", None), "somebody asked for it");
            assert_eq!(spoil(), "CORRUPT");
            service.index_shutdown();
            drop(service);
            assert_eq!(state(&home.settled("")), ("COMPLETE", None), "another launch");
        }
    }
}

#[test]
fn another_schema_version_is_another_index() {
    touchstone::verifies!("FR-LSI-ROLL-02", "FR-LSI-BG-52", "TT-08");
    let home = Home::of_words(30);
    let first = home.settled("");
    first.index_shutdown();
    drop(first);
    let stored = home.stored(".sqlite").remove(0);
    // The version is part of the key, and stands in the database under its name; here it gets
    // another name.
    let mut bytes = fs::read(&stored).unwrap();
    let name = b"schema_version";
    let at = bytes
        .windows(name.len())
        .position(|window| window == name)
        .expect("the schema has a version");
    bytes[at] = b'S';
    fs::write(&stored, bytes).unwrap();
    let gate = Gate::open();
    let second = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&second);
    assert_eq!((state(&second), status(&second).files), (("COMPLETE", None), 30));
    assert!(gate.count(Point::BuildBegin) > 0, "it was built anew");
    home.asked(&second, &literal("chalk"));
}

/// Files that services of earlier schemas stored, under the name that this one looks for, and under
/// their own.
#[test]
fn an_index_of_an_earlier_version_is_rebuilt() {
    touchstone::verifies!("FR-LSI-ROLL-02", "FR-LSI-BG-52", "FR-LSI-IDX-KEY-01");
    let first: &[u8] = include_bytes!("../../../../golden/index/stored/schema-1.sqlite");
    let second: &[u8] = include_bytes!("../../../../golden/index/stored/schema-2.sqlite");
    let stored =
        [(first, "899bc439a2b5d8186252329efa30ddcc"), (second, "3983c653bd17c25e8290504272169517")];
    for ((old, name), settings) in stored
        .into_iter()
        .flat_map(|old| ["", "index_watch = false"].map(|settings| (old, settings)))
    {
        let home = Home::of_words(30);
        let first = home.settled(settings);
        first.index_shutdown();
        drop(first);
        let stored = home.stored(".sqlite").remove(0);
        fs::write(&stored, old).unwrap();
        fs::write(stored.with_file_name(format!("{name}.sqlite")), old).unwrap();
        let gate = Gate::open();
        let second = home.with_faults(IndexUse::Stepped, settings, gate.clone());
        home.asked(&second, &literal("chalk"));
        settle(&second);
        assert_eq!(
            (state(&second).0, status(&second).files),
            (state(&home.settled(settings)).0, 30)
        );
        assert!(gate.count(Point::BuildBegin) > 0, "it was built anew");
        assert!(excluded(&home.asked(&second, &literal("chalk"))).1 > 0);
    }
}

#[test]
fn a_deleted_index_file_disables_exclusion_and_fails_no_call() {
    touchstone::verifies!("FR-LSI-IDX-05", "NFR-LSI-COR-02", "T-LSI-BASE-02");
    let home = Home::of_words(60);
    let service = home.settled("");
    for path in home.stored("") {
        if path.is_file() {
            fs::remove_file(path).unwrap();
        }
    }
    for _ in 0..3 {
        assert_eq!(paths(&home.asked(&service, &literal("chalk"))).len(), 5);
        settle(&service);
    }
    home.write("d0/late", "chalk\n");
    assert_eq!(paths(&home.asked(&service, &literal("chalk"))).len(), 6);
}
