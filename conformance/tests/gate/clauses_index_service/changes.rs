//! Section 7.9 and 14: what changed after it was indexed is found by the next search, whoever
//! watches.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use forge_search_engine::index::{Clock, Faults, Point};
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, IndexOptions, IndexUse, Service, ToolContext};
use serde_json::json;

use super::home::{Gate, Home, LONG, excluded, literal, paths, settle, state, status};

/// One with a watcher and one without.
pub(super) const WATCHED: [&str; 2] = ["", "index_watch = false"];

/// Where the pattern is found.
pub(super) fn finds(home: &Home, service: &Service, pattern: &str) -> Vec<String> {
    paths(&home.asked(service, &literal(pattern)))
}

#[test]
fn excludes_of_a_nested_repository_take_effect_when_they_are_written() {
    touchstone::verifies!("FR-LSI-ELIG-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = Home::of_words(60);
        home.write("inner/.git/info/exclude", "");
        home.write("inner/f", "xylophone\n");
        home.age();
        let service = home.settled(settings);
        assert_eq!(finds(&home, &service, "xylophone"), ["inner/f"], "{settings}");
        home.write("inner/.git/info/exclude", "f\n");
        assert_eq!(finds(&home, &service, "xylophone"), [""; 0], "{settings}");
    }
}

#[test]
fn a_search_sees_every_change_made_before_its_start() {
    touchstone::verifies!(
        "NFR-LSI-COR-01",
        "FR-LSI-TRK-01",
        "FR-LSI-TRK-04",
        "FR-LSI-REC-03",
        "FR-LSI-BUD-MAINT-02",
        "E-C09",
        "E-C48",
        "TT-31"
    );
    for settings in WATCHED {
        let home = Home::of_words(60);
        let service = home.settled(settings);
        for round in 0..25 {
            let word = format!("quartz{round}");
            home.write("d0/f000", &format!("{word}\n"));
            assert_eq!(finds(&home, &service, &word), ["d0/f000"], "written, {settings}");
            home.write(&format!("new{round}/deep/f"), &format!("{word}\n"));
            let both = ["d0/f000".to_owned(), format!("new{round}/deep/f")];
            assert_eq!(finds(&home, &service, &word), both, "added, {settings}");
            fs::rename(
                home.root.join(format!("new{round}")),
                home.root.join(format!("old{round}")),
            )
            .unwrap();
            assert_eq!(
                finds(&home, &service, &word)[1],
                format!("old{round}/deep/f"),
                "renamed, {settings}"
            );
            fs::remove_dir_all(home.root.join(format!("old{round}"))).unwrap();
            assert_eq!(finds(&home, &service, &word), ["d0/f000"], "removed, {settings}");
            if round % 5 == 0 {
                settle(&service);
            }
        }
        settle(&service);
        // Without a watcher nobody looks again at what was written just before it was looked at;
        // calls do.
        let checks = service.index_verify().unwrap();
        let sound = checks.iter().all(|check| check.findings.is_empty());
        assert!(sound || settings != WATCHED[0], "{settings}: {checks:?}");
    }
}

#[test]
fn an_edit_with_unchanged_size_and_modification_time_is_found() {
    touchstone::verifies!("FR-LSI-TRK-01", "FR-LSI-TRK-02", "FR-LSI-TRK-03", "E-C10");
    for settings in WATCHED {
        let home = Home::of_words(60);
        let service = home.settled(settings);
        let path = home.root.join("d1/f001");
        let metadata = fs::metadata(&path).unwrap();
        let length = usize::try_from(metadata.size()).unwrap();
        let text = format!("{:<width$}\n", "quartz", width = length - 1);
        fs::write(&path, &text).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().size(), metadata.size());
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.set_modified(metadata.modified().unwrap()).unwrap();
        drop(file);
        assert_eq!(finds(&home, &service, "quartz"), ["d1/f001"], "{settings}");
        settle(&service);
        assert_eq!(finds(&home, &service, "quartz"), ["d1/f001"], "{settings}, afterwards");
    }
}

#[test]
fn an_edit_by_another_name_is_found() {
    touchstone::verifies!("FR-LSI-TRK-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = Home::of_words(60);
        let outside = home.base().join("outside");
        fs::hard_link(home.root.join("d1/f001"), &outside).unwrap();
        let service = home.settled(settings);
        fs::write(&outside, "quartz\n").unwrap();
        assert_eq!(finds(&home, &service, "quartz"), ["d1/f001"], "{settings}");
    }
}

#[test]
fn a_changed_ignore_file_takes_effect_at_once() {
    touchstone::verifies!(
        "FR-LSI-TRK-07",
        "THREAT-04",
        "TT-20",
        "D-ELIGIBILITY_CHANGED",
        "T-LSI-SAFE-02"
    );
    for settings in WATCHED {
        let home = Home::of_words(60);
        home.write("d2/.gitignore", "nothing\n");
        let service = home.settled(settings);
        let all = finds(&home, &service, "chalk");
        home.write("d2/.gitignore", "f002\n");
        let seen = home.asked(&service, &literal("chalk"));
        assert_eq!(paths(&seen).len(), all.len() - 1, "{settings}");
        assert!(
            settings != WATCHED[0] || excluded(&seen).1 == 0,
            "no exclusion before a reconcile"
        );
        fs::remove_file(home.root.join("d2/.gitignore")).unwrap();
        assert_eq!(finds(&home, &service, "chalk"), all, "{settings}");
        home.write(".ignore", "d2\n");
        assert!(
            finds(&home, &service, "chalk").iter().all(|path| !path.starts_with("d2/")),
            "{settings}"
        );
        settle(&service);
        assert!(
            finds(&home, &service, "chalk").iter().all(|path| !path.starts_with("d2/")),
            "{settings}"
        );
    }
}

#[test]
fn another_global_ignore_file_is_noticed_when_an_index_is_opened() {
    touchstone::verifies!("FR-LSI-TRK-07", "THREAT-04", "FR-LSI-ELIG-02");
    let home = Home::of_words(60);
    let global = home.base().join("global");
    fs::write(&global, "nothing\n").unwrap();
    let config = || Config { global_ignore_files: vec![global.clone()], ..home.config("") };
    let first = home.configured(IndexUse::Stepped, config(), Gate::open());
    settle(&first);
    let all = paths(&super::home::called(&first, &literal("chalk"))).len();
    first.index_shutdown();
    drop(first);
    fs::write(&global, "f002\n").unwrap();
    let second = home.configured(IndexUse::Stepped, config(), Gate::open());
    assert_eq!(paths(&super::home::called(&second, &literal("chalk"))).len(), all - 1);
    settle(&second);
    assert_eq!(paths(&super::home::called(&second, &literal("chalk"))).len(), all - 1);
}

#[test]
fn a_file_that_becomes_readable_is_searched() {
    touchstone::verifies!(
        "FR-LSI-CAND-LIT-02",
        "E-B10",
        "FR-LSI-TRK-02",
        "ALG-LSI-E1",
        "ALG-LSI-E8"
    );
    for settings in WATCHED {
        let home = Home::of_words(60);
        let closed = home.root.join("d1/f001");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let service = home.settled(settings);
        home.asked(&service, &literal("brick"));
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(finds(&home, &service, "brick").contains(&"d1/f001".to_owned()), "{settings}");
    }
}

#[test]
fn an_exchanged_root_directory_is_searched_correctly() {
    touchstone::verifies!("THREAT-01", "FR-LSI-SAFE-02", "TT-08");
    let home = Home::of_words(60);
    let service = home.settled("");
    fs::rename(&home.root, home.base().join("aside")).unwrap();
    fs::create_dir(&home.root).unwrap();
    home.write("d0/f000", "quartz\n");
    assert_eq!(paths(&super::home::called(&service, &literal("quartz"))).len(), 1);
    assert_eq!(super::home::called(&service, &literal("chalk"))["count"], json!(0));
}

#[test]
fn the_indexer_does_not_follow_a_link_out_of_the_sandbox() {
    touchstone::verifies!("THREAT-01", "SEC-LSI-01", "T-LSI-PATH-04", "FR-LSI-BG-20.1");
    let home = Home::of_words(12);
    fs::create_dir(home.base().join("outside")).unwrap();
    fs::write(home.base().join("outside/f"), "quartz\n").unwrap();
    std::os::unix::fs::symlink("../outside", home.root.join("out")).unwrap();
    std::os::unix::fs::symlink("../outside/f", home.root.join("file")).unwrap();
    for settings in ["", "index_default_follow = true"] {
        let gate = Gate::open();
        let service = home.with_faults(IndexUse::Stepped, settings, gate.clone());
        settle(&service);
        assert_eq!((status(&service).files, gate.count(Point::ReadFile)), (12, 12), "{settings}");
        assert_eq!(finds(&home, &service, "quartz"), [""; 0]);
        drop(service);
        fs::remove_dir_all(&home.cache).unwrap();
    }
}

#[test]
fn a_few_changes_cost_a_few_reads() {
    touchstone::verifies!("NFR-LSI-PERF-01", "FR-LSI-TRK-04", "TT-16");
    let home = Home::of_words(300);
    let gate = Gate::open();
    let service = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&service);
    let (read, listed) = (gate.count(Point::ReadFile), gate.count(Point::List));
    for number in 0..3 {
        home.write(&format!("d{number}/f00{number}"), "quartz\n");
    }
    assert_eq!(finds(&home, &service, "quartz").len(), 3);
    settle(&service);
    assert_eq!(state(&service), ("COMPLETE", None));
    assert!(
        gate.count(Point::ReadFile) - read <= 6,
        "{} files read",
        gate.count(Point::ReadFile) - read
    );
    assert_eq!(gate.count(Point::List), listed, "no directory was listed again");
}

#[test]
fn an_answer_holds_no_fingerprints_and_there_is_no_read_tool() {
    touchstone::verifies!("SEC-LSI-CACHE-01", "SEC-LSI-CACHE-02", "T-LSI-SEC-02");
    let home = Home::of_words(12);
    let service = home.settled("");
    let seen = home.asked(&service, &literal("chalk"));
    // Nothing that an edit could be checked against is told, and there is no tool that would read a
    // file.
    let text = seen.to_string();
    for word in ["sha", "hash", "mtime", "fingerprint", "inode", "read_at", "etag"] {
        assert!(!text.contains(word), "{word}");
    }
    for tool in ["Read", "read_file", "Edit"] {
        assert_eq!(
            service.call(tool, &json!({"path": "d0/f000"})).unwrap_err().field.as_deref(),
            Some("tool")
        );
    }
}

/// Stores no part of a base while it is told to, and counts how often that was tried.
#[derive(Debug, Default)]
struct Full {
    is_full: AtomicBool,
    tried: AtomicUsize,
}

impl Faults for Full {
    fn at(&self, point: Point) -> io::Result<()> {
        if point != Point::WriteBase || !self.is_full.load(Ordering::SeqCst) {
            return Ok(());
        }
        self.tried.fetch_add(1, Ordering::SeqCst);
        Err(io::ErrorKind::StorageFull.into())
    }
}

/// A clock that stands still, so that no pause is ever over.
#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now_ms(&self) -> u64 {
        1_000_000
    }
}

#[test]
fn a_failed_merge_is_not_retried_at_once() {
    touchstone::verifies!("FR-LSI-IDX-05", "TT-25");
    let home = Home::of_words(30);
    let faults = Arc::new(Full::default());
    let (faulty, clock) = (faults.clone(), Arc::new(Still));
    let options = IndexOptions { using: IndexUse::Stepped, faults: faulty, clock, trace: false };
    let service = Service::with_index(home.config(""), home.sandbox(), options).unwrap();
    settle(&service);
    faults.is_full.store(true, Ordering::SeqCst);
    // So many that they are worth a new base.
    for number in 0..4_200 {
        home.write(&format!("late/{}/f{number}", number % 40), "quartz\n");
    }
    home.asked(&service, &literal("chalk"));
    for _ in 0..20 {
        service.index_turn();
    }
    assert_eq!(faults.tried.load(Ordering::SeqCst), 1);
    assert_eq!(paths(&home.asked(&service, &literal("chalk"))).len(), 3);
}

#[test]
fn the_watcher_starts_before_the_listing_and_changes_during_a_build_are_found() {
    touchstone::verifies!("FR-LSI-BG-60", "FR-LSI-BG-61", "TT-11", "E-C07");
    for point in [Point::ReadFile, Point::WriteBase, Point::BeforeFlip] {
        let home = Home::of_words(60);
        let gate = Gate::at_point(point);
        let service = home.with_faults(IndexUse::Background, "", gate.clone());
        gate.wait();
        home.write("d0/f000", "quartz\n");
        home.write("d9/new", "quartz\n");
        fs::remove_file(home.root.join("d2/f002")).unwrap();
        gate.release();
        assert!(service.index_wait(LONG), "{point:?}");
        assert_eq!(finds(&home, &service, "quartz"), ["d0/f000", "d9/new"], "{point:?}");
        assert_eq!(finds(&home, &service, "chalk").len(), 4, "{point:?}");
        let seen = gate.seen.lock().unwrap().clone();
        let first = |point| seen.iter().position(|seen| *seen == point);
        assert!(
            first(Point::Watch).is_some() && first(Point::Watch) < first(Point::List),
            "{seen:?}"
        );
    }
}

#[test]
fn searching_and_indexing_do_not_mark_files_as_read() {
    touchstone::verifies!("SEC-LSI-CACHE-01", "SEC-LSI-CACHE-02");
    let home = Home::of_words(60);
    let service = home.settled("");
    home.uses_index(&service);
    let request = json!({"query": "chalk", "mode": "exact", "path": "."});
    service.call_files(&mut ToolContext::default(), &request).unwrap();
    home.write("d0/f000", "chalk\n");
    finds(&home, &service, "chalk");
    settle(&service);
    service.index_rebuild();
    settle(&service);
    assert!(service.read_tracker().is_empty());
}
