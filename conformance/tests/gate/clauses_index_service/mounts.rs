//! Sections 7.9 and 14: what is mounted in a tree, and away, changes it without an event in it.
//!
//! Each test runs in a mount namespace of its own, in another process.

use std::fs;
use std::path::{Path, PathBuf};

use forge_search_engine::{IndexUse, Service};
use rustix::mount::{MountFlags, UnmountFlags, mount, mount_bind, unmount};
use touchstone_acts::{Mounts, Remote};

use super::changes::{WATCHED, finds};
use super::home::{Home, WORDS, allowed, settle};

/// Whether this process may mount things. If not, the test was run in one that may, or is skipped.
fn may_mount(test: &str) -> bool {
    let name = format!("clauses_index_service::mounts::{test}");
    match Mounts::of_test(&name).unwrap() {
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
fn a_file_system_mounted_over_a_watched_directory_shows_its_files() {
    if !may_mount("a_file_system_mounted_over_a_watched_directory_shows_its_files") {
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
fn a_file_mounted_over_a_file_is_read_while_the_service_runs() {
    if !may_mount("a_file_mounted_over_a_file_is_read_while_the_service_runs") {
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
fn a_file_mounted_over_a_file_changes_where_it_comes_from() {
    if !may_mount("a_file_mounted_over_a_file_changes_where_it_comes_from") {
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
fn a_file_mounted_over_a_file_changes_through_the_tree() {
    if !may_mount("a_file_mounted_over_a_file_changes_through_the_tree") {
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
fn a_directory_mounted_twice_changes_at_both_places() {
    if !may_mount("a_directory_mounted_twice_changes_at_both_places") {
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
fn what_a_mount_covered_is_searched_when_it_is_taken_away() {
    if !may_mount("what_a_mount_covered_is_searched_when_it_is_taken_away") {
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

#[test]
fn a_remote_file_that_was_edited_by_its_server_is_found_by_one_search() {
    if !may_mount("a_remote_file_that_was_edited_by_its_server_is_found_by_one_search") {
        return;
    }
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-SAFE-04", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = Home::new(&[]);
        let text = |number: usize| format!("{} too\n", WORDS[number % WORDS.len()]);
        let texts: Vec<(String, String)> =
            (0..60).map(|number| (format!("f{number:03}"), text(number))).collect();
        let files: Vec<(&str, &str)> =
            texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let Some(remote) = allowed("fuse", Remote::mount(&home.root, &files)) else { return };
        let first = home.settled(settings);
        home.uses_index(&first);
        first.index_shutdown();
        drop(first);
        for (name, _) in &files {
            fs::metadata(home.root.join(name)).unwrap();
        }
        remote.edit("f001", "quartz to\n").unwrap();
        let length = fs::metadata(home.root.join("f001")).unwrap().len();
        assert_eq!(length, 10, "an edit of the same length");
        let reader = home.service(IndexUse::Existing, settings);
        assert_eq!(finds(&home, &reader, "quartz"), ["f001"], "{settings}");
    }
}
