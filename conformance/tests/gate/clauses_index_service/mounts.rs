//! Sections 7.9 and 14: what is mounted in a tree, and away, changes it without an event in it.
//!
//! Each test runs in a mount namespace of its own, in another process.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use forge_search_engine::index::{Clock, NoFaults};
use forge_search_engine::{IndexUse, Service};
use rustix::mount::{MountFlags, UnmountFlags, mount, mount_bind, unmount};
use touchstone_acts::{Mounts, Remote};

use super::changes::{WATCHED, finds};
use super::home::{Home, WORDS, allowed, eventually, settle};

/// Whether this process may mount things. If not, the test was run in one that may, or is skipped.
fn may_mount(test: &str) -> bool {
    may_mount_in(&format!("clauses_index_service::mounts::{test}"))
}

/// As [`may_mount`], given the test's whole name.
pub(crate) fn may_mount_in(name: &str) -> bool {
    match Mounts::of_test(name).unwrap() {
        Mounts::Own => return true,
        Mounts::Ran(output) => {
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            assert!(output.status.success(), "{said}");
            assert!(said.contains("1 passed"), "{name} is not the name of this test: {said}");
        }
        Mounts::Forbidden(why) => {
            let skipped: Option<()> = allowed("mounts", Err(std::io::Error::other(why)));
            assert_eq!(skipped, None);
        }
    }
    false
}

/// Something mounted. What is dropped is unmounted, so that directories can be removed.
struct Mounted(PathBuf);

impl Mounted {
    fn tmpfs(at: &Path) -> Self {
        mount("tmpfs", at, "tmpfs", MountFlags::empty(), None).unwrap();
        Self(at.to_owned())
    }

    fn bound(from: &Path, at: &Path) -> Self {
        mount_bind(from, at).unwrap();
        Self(at.to_owned())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        unmount(&self.0, UnmountFlags::DETACH).unwrap();
    }
}

/// Files whose times prove something, and a file and a directory beside them.
fn aged() -> (Home, PathBuf, PathBuf) {
    let home = Home::of_words(60);
    let (file, directory) = (home.base().join("file"), home.base().join("directory"));
    fs::write(&file, "apple\n").unwrap();
    fs::create_dir(&directory).unwrap();
    fs::write(directory.join("x"), "apple\n").unwrap();
    home.age();
    (home, file, directory)
}

/// These files have the word, at once and when the indexer has done its work.
fn has(home: &Home, service: &Service, word: &str, files: &[&str], settings: &str) {
    assert_eq!(finds(home, service, word), files, "{settings}");
    settle(service);
    assert_eq!(finds(home, service, word), files, "{settings}, afterwards");
}

#[test]
fn a_file_system_mounted_over_a_watched_directory_is_searched() {
    if !may_mount("a_file_system_mounted_over_a_watched_directory_is_searched") {
        return;
    }
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-SAFE-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let (home, ..) = aged();
        let service = home.settled(settings);
        home.uses_index(&service);
        let mounted = Mounted::tmpfs(&home.root.join("d1"));
        has(&home, &service, "number 26", &[], settings);
        home.write("d1/x", "quartz\n");
        has(&home, &service, "quartz", &["d1/x"], settings);
        home.write("d1/x", "xylophone\n");
        has(&home, &service, "xylophone", &["d1/x"], settings);
        drop(mounted);
        has(&home, &service, "xylophone", &[], settings);
        has(&home, &service, "number 26", &["d1/f026"], settings);
    }
}

#[test]
fn a_file_written_below_a_new_mount_is_found() {
    if !may_mount("a_file_written_below_a_new_mount_is_found") {
        return;
    }
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-SAFE-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let (home, ..) = aged();
        let service = home.settled(settings);
        home.uses_index(&service);
        let _mounted = Mounted::tmpfs(&home.root.join("d1"));
        home.write("d1/x", "quartz\n");
        has(&home, &service, "quartz", &["d1/x"], settings);
    }
}

#[test]
fn a_file_mounted_over_a_file_during_service_is_read() {
    if !may_mount("a_file_mounted_over_a_file_during_service_is_read") {
        return;
    }
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let (home, file, _) = aged();
        fs::write(&file, "quartz\n").unwrap();
        home.age();
        let service = home.settled(settings);
        home.uses_index(&service);
        let mounted = Mounted::bound(&file, &home.root.join("d1/f001"));
        has(&home, &service, "quartz", &["d1/f001"], settings);
        fs::write(&file, "sphinx\n").unwrap();
        has(&home, &service, "sphinx", &["d1/f001"], settings);
        drop(mounted);
        has(&home, &service, "sphinx", &[], settings);
    }
}

#[test]
fn a_write_to_the_source_of_a_file_mounted_over_a_file_is_found() {
    if !may_mount("a_write_to_the_source_of_a_file_mounted_over_a_file_is_found") {
        return;
    }
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let (home, file, _) = aged();
        let _mounted = Mounted::bound(&file, &home.root.join("d1/f001"));
        let service = home.settled(settings);
        home.uses_index(&service);
        fs::write(&file, "quartz\n").unwrap();
        has(&home, &service, "quartz", &["d1/f001"], settings);
    }
}

#[test]
fn a_write_through_the_tree_to_a_file_mounted_over_a_file_is_found() {
    if !may_mount("a_write_through_the_tree_to_a_file_mounted_over_a_file_is_found") {
        return;
    }
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let (home, file, _) = aged();
        let _mounted = Mounted::bound(&file, &home.root.join("d1/f001"));
        let service = home.settled(settings);
        home.uses_index(&service);
        home.write("d1/f001", "quartz\n");
        has(&home, &service, "quartz", &["d1/f001"], settings);
    }
}

#[test]
fn a_change_in_a_directory_mounted_twice_is_found_at_both_places() {
    if !may_mount("a_change_in_a_directory_mounted_twice_is_found_at_both_places") {
        return;
    }
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let (home, _, directory) = aged();
        let places = ["a", "b"].map(|name| home.root.join(name));
        for place in &places {
            fs::create_dir(place).unwrap();
        }
        let _mounted = places.each_ref().map(|place| Mounted::bound(&directory, place));
        home.age();
        let service = home.settled(settings);
        home.uses_index(&service);
        for (place, word) in [("a/x", "quartz"), ("b/x", "sphinx")] {
            home.write(place, word);
            has(&home, &service, word, &["a/x", "b/x"], settings);
        }
        home.write("b/y", "xylophone\n");
        has(&home, &service, "xylophone", &["a/y", "b/y"], settings);
    }
}

#[test]
fn files_below_a_removed_mount_are_searched() {
    if !may_mount("files_below_a_removed_mount_are_searched") {
        return;
    }
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-SAFE-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let (home, _, directory) = aged();
        home.write("d1/f001", "quartz\n");
        home.age();
        let mounted = Mounted::bound(&directory, &home.root.join("d1"));
        let service = home.settled(settings);
        assert_eq!(finds(&home, &service, "quartz"), [""; 0], "{settings}");
        home.uses_index(&service);
        drop(mounted);
        has(&home, &service, "quartz", &["d1/f001"], settings);
    }
}

/// Files of a remote file system.
const REMOTE: usize = 60;

/// A tree that is a remote file system.
fn remote() -> std::io::Result<(Home, Remote)> {
    let home = Home::new(&[]);
    let text = |number: usize| format!("{} too\n", WORDS[number % WORDS.len()]);
    let texts: Vec<(String, String)> =
        (0..REMOTE).map(|number| (format!("f{number:03}"), text(number))).collect();
    let files: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let remote = Remote::mount(&home.root, &files)?;
    Ok((home, remote))
}

#[test]
fn a_remote_file_edited_on_its_server_is_found_by_one_search() {
    if !may_mount("a_remote_file_edited_on_its_server_is_found_by_one_search") {
        return;
    }
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-SAFE-04", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let Some((home, remote)) = allowed("fuse", remote()) else { return };
        let first = home.settled(settings);
        home.uses_index(&first);
        first.index_shutdown();
        drop(first);
        for number in 0..REMOTE {
            fs::metadata(home.root.join(format!("f{number:03}"))).unwrap();
        }
        remote.edit("f001", "quartz to\n").unwrap();
        let length = fs::metadata(home.root.join("f001")).unwrap().len();
        assert_eq!(length, 10, "an edit of the same length");
        let reader = home.service(IndexUse::Existing, settings);
        assert_eq!(finds(&home, &reader, "quartz"), ["f001"], "{settings}");
    }
}

/// Time stands still, at a moment.
#[derive(Debug)]
struct Still(Duration);

impl Clock for Still {
    fn now_ms(&self) -> u64 {
        0
    }

    fn stamp_ns(&self) -> i64 {
        i64::try_from(self.0.as_nanos()).unwrap()
    }
}

#[test]
fn a_second_edit_of_the_same_length_within_one_tick_of_a_coarse_clock_is_found() {
    if !may_mount("a_second_edit_of_the_same_length_within_one_tick_of_a_coarse_clock_is_found") {
        return;
    }
    touchstone::verifies!("FR-LSI-TRK-03", "E-C10", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let Some((home, remote)) = allowed("fuse", remote()) else { return };
        // Before the mount is looked at for the first time.
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() - 60;
        remote.edit_at("f001", "apples to\n", seconds).unwrap();
        let clock = Arc::new(Still(Duration::from_millis(seconds * 1_000 + 1_900)));
        let first = home.by_clock(IndexUse::Stepped, settings, Arc::new(NoFaults), clock);
        settle(&first);
        assert_eq!(finds(&home, &first, "apples"), ["f001"], "{settings}");
        first.index_shutdown();
        drop(first);
        let before = fs::metadata(home.root.join("f001")).unwrap();
        remote.edit_at("f001", "quartz to\n", seconds).unwrap();
        let after = fs::metadata(home.root.join("f001")).unwrap();
        let known = |found: &fs::Metadata| (found.len(), found.mtime(), found.ctime());
        assert_eq!(known(&before), known(&after), "the second edit changes no attribute");
        let reader = home.service(IndexUse::Existing, settings);
        assert_eq!(finds(&home, &reader, "quartz"), ["f001"], "{settings}");
        assert_eq!(finds(&home, &home.settled(settings), "quartz"), ["f001"], "{settings}");
    }
}

/// Two files of one length that differ in nothing but their file systems.
fn twins(files: &[PathBuf; 2], texts: [&str; 2]) {
    let long_ago = SystemTime::now() - Duration::from_secs(3_600);
    let known = |file: &PathBuf| {
        let found = fs::metadata(file).unwrap();
        let changed = (found.ctime(), found.ctime_nsec(), found.modified().unwrap());
        (found.ino(), found.len(), found.nlink(), changed)
    };
    eventually("two files to be made in the same moment", || {
        for (file, text) in files.iter().zip(texts) {
            // A new file: the times of one that was looked at are finer than the system's tick.
            let _ = fs::remove_file(file);
            fs::write(file, text).unwrap();
            fs::File::options().write(true).open(file).unwrap().set_modified(long_ago).unwrap();
        }
        known(&files[0]) == known(&files[1])
    });
}

#[test]
fn a_file_that_differs_only_in_its_device_is_another_file() {
    if !may_mount("a_file_that_differs_only_in_its_device_is_another_file") {
        return;
    }
    touchstone::verifies!("FR-LSI-TRK-02", "E-C10", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = Home::of_words(60);
        let place = home.root.join("m");
        fs::create_dir(&place).unwrap();
        let systems = ["one", "two"].map(|name| home.base().join(name));
        let _mounted = systems.each_ref().map(|system| {
            fs::create_dir(system).unwrap();
            Mounted::tmpfs(system)
        });
        twins(&systems.each_ref().map(|system| system.join("f")), ["apples\n", "quartz\n"]);
        home.age();
        let first = Mounted::bound(&systems[0], &place);
        let service = home.settled(settings);
        assert_eq!(finds(&home, &service, "apples"), ["m/f"], "{settings}");
        service.index_shutdown();
        drop((service, first));
        let _second = Mounted::bound(&systems[1], &place);
        let reader = home.service(IndexUse::Existing, settings);
        assert_eq!(finds(&home, &reader, "quartz"), ["m/f"], "{settings}");
        assert_eq!(finds(&home, &home.settled(settings), "quartz"), ["m/f"], "{settings}");
    }
}
