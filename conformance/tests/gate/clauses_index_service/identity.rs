//! Sections 7.9 and 14: changes to a file that raise no event by its path, or none at all: by other
//! names of it, by handles without a name, by writes that watchers do not see.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use forge_search_engine::index::Point;
use forge_search_engine::{IndexUse, Service};
use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use touchstone_acts::{Aio, Stalled};

use super::changes::{WATCHED, finds};
use super::home::{Gate, Home, allowed, excluded, literal, paths, settle};

/// Files whose times prove something.
fn aged() -> Home {
    let home = Home::of_words(60);
    home.age();
    home
}

/// Opens a file for writing as it is.
fn opened(path: &Path) -> File {
    OpenOptions::new().write(true).open(path).unwrap()
}

/// A file without a name.
fn nameless(directory: &Path, text: &str) -> File {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::open(directory, flags, Mode::RUSR | Mode::WUSR).unwrap());
    file.write_all(text.as_bytes()).unwrap();
    file
}

/// Gives a file a name.
fn link_in(file: &File, path: &Path) {
    let handle = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(CWD, &handle, CWD, path, AtFlags::SYMLINK_FOLLOW).unwrap();
}

/// What is in the tree now is in the index: a search takes the events, the indexer reads the files
/// that nobody writes.
fn known(home: &Home, service: &Service) {
    home.age();
    home.uses_index(service);
    settle(service);
    home.uses_index(service);
}

/// These files have the word, at once and when the indexer has done its work; it leaves others out.
fn has(home: &Home, service: &Service, word: &str, files: &[&str], settings: &str) {
    assert_eq!(finds(home, service, word), files, "{settings}");
    settle(service);
    let seen = home.asked(service, &literal(word));
    assert_eq!(paths(&seen), files, "{settings}, afterwards");
    assert!(excluded(&seen).1 > 0, "{settings}: {}", seen["stats"]);
}

/// What is written to a file that somebody had open before it came to its place is found there.
fn followed(arrange: impl Fn(&Home) -> File, file: &str) {
    for settings in WATCHED {
        let home = aged();
        let service = home.settled(settings);
        let writer = arrange(&home);
        known(&home, &service);
        writer.write_all_at(b"quartz\n", 0).unwrap();
        has(&home, &service, "quartz", &[file], settings);
    }
}

#[test]
fn writes_through_a_name_removed_after_opening_are_found() {
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    let moved = |home: &Home| {
        let old = home.root.join("d1/f001");
        let writer = opened(&old);
        fs::hard_link(&old, home.root.join("d1/moved")).unwrap();
        fs::remove_file(&old).unwrap();
        writer
    };
    followed(moved, "d1/moved");
}

#[test]
fn writes_to_a_file_opened_without_a_name_are_found() {
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    let within = |home: &Home| home.root.join("d1");
    let outside = |home: &Home| home.base().to_owned();
    for place in [within as fn(&Home) -> PathBuf, outside] {
        let linked = |home: &Home| {
            let file = nameless(&place(home), "apple and apple\n");
            link_in(&file, &home.root.join("d1/linked"));
            file
        };
        followed(linked, "d1/linked");
    }
}

#[test]
fn writes_through_an_outside_name_removed_after_opening_are_found() {
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    let linked = |home: &Home| {
        let outside = home.base().join("outside");
        fs::write(&outside, "apple and apple\n").unwrap();
        let writer = opened(&outside);
        fs::hard_link(&outside, home.root.join("d1/linked")).unwrap();
        fs::remove_file(&outside).unwrap();
        writer
    };
    followed(linked, "d1/linked");
}

#[test]
fn an_edit_by_a_short_lived_name_is_found() {
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = aged();
        let service = home.settled(settings);
        home.uses_index(&service);
        let brief = home.root.join("d3/brief");
        fs::hard_link(home.root.join("d1/f001"), &brief).unwrap();
        OpenOptions::new().append(true).open(&brief).unwrap().write_all(b"quartz\n").unwrap();
        fs::remove_file(&brief).unwrap();
        has(&home, &service, "quartz", &["d1/f001"], settings);
    }
}

#[test]
fn an_edit_by_one_of_two_names_is_found_by_both() {
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        for is_old in [true, false] {
            let home = Home::of_words(60);
            let link = || {
                fs::hard_link(home.root.join("d1/f001"), home.root.join("d3/twin")).unwrap();
                home.age();
            };
            let service = if is_old {
                link();
                home.settled(settings)
            } else {
                home.age();
                let service = home.settled(settings);
                link();
                known(&home, &service);
                service
            };
            for (name, word) in [("d3/twin", "quartz\n"), ("d1/f001", "xylophone\n")] {
                home.uses_index(&service);
                opened(&home.root.join(name)).write_all_at(word.as_bytes(), 0).unwrap();
                let both = ["d1/f001", "d3/twin"];
                has(&home, &service, word.trim_end(), &both, &format!("{settings} {is_old}"));
            }
        }
    }
}

#[test]
fn a_write_by_an_unsearched_name_is_found_by_the_searched_ones() {
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-02", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = aged();
        let service = home.settled(settings);
        let hidden = home.root.join("d1/.hidden");
        fs::hard_link(home.root.join("d1/f001"), &hidden).unwrap();
        OpenOptions::new().append(true).open(&hidden).unwrap().write_all(b"quartz\n").unwrap();
        has(&home, &service, "quartz", &["d1/f001"], settings);
    }
}

#[test]
fn traceable_writes_cause_no_scan_of_the_tree() {
    touchstone::verifies!("FR-LSI-BUD-MAINT-02", "FR-LSI-TRK-04");
    let home = aged();
    let gate = Gate::open();
    let service = home.with_faults(IndexUse::Stepped, "", gate.clone());
    settle(&service);
    home.uses_index(&service);
    gate.seen.lock().unwrap().clear();
    for round in 0..3 {
        let word = format!("quartz{round}");
        home.write("d1/.log", &word);
        home.write("d1/f001", &format!("{word}\n"));
        // As editors save.
        home.write("d1/.f006.new", &format!("{word}\n"));
        fs::rename(home.root.join("d1/.f006.new"), home.root.join("d1/f006")).unwrap();
        assert_eq!(finds(&home, &service, &word), ["d1/f001", "d1/f006"]);
        settle(&service);
    }
    let seen = gate.seen.lock().unwrap();
    assert!(!seen.contains(&Point::List), "{seen:?}");
}

/// A tree whose `d2/.gitignore` excludes `hidden` and `late`; the other name of that file.
fn ignoring(home: &Home) -> PathBuf {
    home.write("d2/.gitignore", "hidden\nlate\n");
    home.write("d2/hidden", "quartz\n");
    let outside = home.base().join("outside");
    fs::hard_link(home.root.join("d2/.gitignore"), &outside).unwrap();
    home.age();
    outside
}

#[test]
fn a_file_no_longer_excluded_by_an_ignore_file_edited_by_another_name_is_found() {
    touchstone::verifies!("FR-LSI-TRK-07", "E-C10", "E-C48", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = Home::of_words(60);
        let outside = ignoring(&home);
        let service = home.settled(settings);
        assert_eq!(finds(&home, &service, "quartz"), [""; 0]);
        home.uses_index(&service);
        fs::write(&outside, "nothing\n").unwrap();
        has(&home, &service, "quartz", &["d2/hidden"], settings);
    }
}

#[test]
fn a_new_file_obeys_an_ignore_file_edited_by_another_name() {
    touchstone::verifies!("FR-LSI-TRK-07", "E-C10", "E-C48", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = Home::of_words(60);
        let outside = ignoring(&home);
        let service = home.settled(settings);
        home.uses_index(&service);
        fs::write(&outside, "hidden\n").unwrap();
        home.write("d2/late", "quartz\n");
        has(&home, &service, "quartz", &["d2/late"], settings);
    }
}

#[test]
fn a_file_newly_excluded_by_an_ignore_file_edited_by_another_name_is_left_out() {
    touchstone::verifies!("FR-LSI-TRK-07", "E-C10", "E-C48", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = Home::of_words(60);
        let outside = ignoring(&home);
        let service = home.settled(settings);
        home.uses_index(&service);
        fs::write(&outside, "hidden\nf002\n").unwrap();
        let rest = ["d0/f050", "d1/f026", "d3/f038", "d4/f014"];
        has(&home, &service, "chalk", &rest, settings);
    }
}

#[test]
fn an_asynchronous_write_is_found_after_the_last_close() {
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-03", "NFR-LSI-COR-01");
    let Some(mut aio) = allowed("io_setup", Aio::new()) else { return };
    for settings in WATCHED {
        let home = aged();
        let service = home.settled(settings);
        home.uses_index(&service);
        let file = opened(&home.root.join("d1/f001"));
        aio.write(&file, 0, b"quartz").unwrap();
        drop(file);
        has(&home, &service, "quartz", &["d1/f001"], settings);
    }
}

#[test]
fn an_asynchronous_write_is_found_at_once_if_the_file_was_open_during_the_read() {
    touchstone::verifies!("E-C10", "E-C48", "FR-LSI-TRK-03", "NFR-LSI-COR-01");
    let Some(mut aio) = allowed("io_setup", Aio::new()) else { return };
    for settings in WATCHED {
        let home = aged();
        let file = opened(&home.root.join("d1/f001"));
        let service = home.settled(settings);
        for word in ["quartz", "sphinx"] {
            home.uses_index(&service);
            aio.write(&file, 0, word.as_bytes()).unwrap();
            has(&home, &service, word, &["d1/f001"], settings);
        }
    }
}

/// Begins to write over the beginning of `d1/f001`, whose times change; the write goes on.
fn stalled(home: &Home) -> io::Result<Stalled> {
    let stalled = Stalled::begin(&opened(&home.root.join("d1/f001")), 0, "quartz".len())?;
    home.age();
    Ok(stalled)
}

#[test]
fn a_write_still_going_on_during_the_read_is_found() {
    touchstone::verifies!("E-C10", "E-C11", "E-C48", "FR-LSI-TRK-03", "NFR-LSI-COR-01");
    for settings in WATCHED {
        let home = aged();
        let Some(stalled) = allowed("userfaultfd", stalled(&home)) else { return };
        let service = home.settled(settings);
        home.uses_index(&service);
        stalled.finish(b"quartz").unwrap();
        has(&home, &service, "quartz", &["d1/f001"], settings);
    }
}

#[test]
fn a_write_going_on_during_the_read_is_found_by_the_next_process() {
    touchstone::verifies!("E-C10", "E-C11", "E-C48", "FR-LSI-BG-50", "NFR-LSI-COR-01");
    for settings in WATCHED {
        for using in [IndexUse::Existing, IndexUse::Stepped] {
            let home = aged();
            let Some(stalled) = allowed("userfaultfd", stalled(&home)) else { return };
            let first = home.settled(settings);
            home.uses_index(&first);
            first.index_shutdown();
            drop(first);
            stalled.finish(b"quartz").unwrap();
            let next = home.service(using, settings);
            if using == IndexUse::Stepped {
                settle(&next);
            }
            home.uses_index(&next);
            has(&home, &next, "quartz", &["d1/f001"], &format!("{settings} {using:?}"));
        }
    }
}
