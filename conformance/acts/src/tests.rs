//! Each act does what it says.

use std::{
    env,
    fmt::Display,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    mem::MaybeUninit,
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::MetadataExt,
    },
    path::PathBuf,
    time::{Duration, Instant},
};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use tempfile::TempDir;

use super::*;

/// A directory with one file, which is watched.
struct Watched {
    _scratch: TempDir,
    path: PathBuf,
    events: OwnedFd,
}

impl Watched {
    fn with(text: &str) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("f");
        fs::write(&path, text).unwrap();
        let events = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).unwrap();
        let wanted = WatchFlags::MODIFY | WatchFlags::ATTRIB | WatchFlags::CLOSE_WRITE;
        inotify::add_watch(&events, scratch.path(), wanted).unwrap();
        Self { _scratch: scratch, path, events }
    }

    fn open(&self) -> File {
        OpenOptions::new().read(true).write(true).open(&self.path).unwrap()
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.path).unwrap()
    }

    /// Events since the last time.
    fn seen(&self) -> Vec<ReadFlags> {
        let mut buffer = [MaybeUninit::uninit(); 4096];
        let mut reader = inotify::Reader::new(self.events.as_fd(), &mut buffer);
        let mut seen = Vec::new();
        while let Ok(event) = reader.next() {
            seen.push(event.events());
        }
        seen
    }
}

/// What the system allows; in CI it has to allow everything.
fn allowed<T>(act: &str, result: io::Result<T>) -> Option<T> {
    match result {
        Ok(allowed) => Some(allowed),
        Err(err) => skipped(act, &err),
    }
}

fn skipped<T>(act: &str, why: &dyn Display) -> Option<T> {
    assert!(env::var_os("CI").is_none(), "{act}: {why}");
    println!("skipped, the system forbids it: {act}: {why}");
    None
}

#[test]
fn an_asynchronous_write_is_seen_by_a_watcher_when_the_file_is_closed() {
    let watched = Watched::with("apple");
    let mut file = watched.open();
    let Some(mut aio) = allowed("io_setup", Aio::new()) else { return };
    aio.write(&file, 1, b"b").unwrap();
    assert_eq!((watched.text().as_str(), watched.seen()), ("abple", vec![]));
    file.write_all(b"x").unwrap();
    assert_eq!(watched.seen(), [ReadFlags::MODIFY], "another write");
    aio.write(&file, 2, b"b").unwrap();
    drop(file);
    assert_eq!((watched.text().as_str(), watched.seen()), ("xbble", vec![ReadFlags::CLOSE_WRITE]));
    let refused = aio.write(&File::open(&watched.path).unwrap(), 0, b"x").unwrap_err();
    assert_eq!(refused.raw_os_error(), Some(libc::EBADF));
}

#[test]
fn a_write_by_a_ring_is_seen_by_a_watcher_when_it_has_ended() {
    let watched = Watched::with("apple");
    let file = watched.open();
    if allowed("io_uring_setup", ring_write(&file, 1, b"b")).is_none() {
        return;
    }
    assert_eq!((watched.text().as_str(), watched.seen()), ("abple", vec![ReadFlags::MODIFY]));
    let refused = ring_write(&File::open(&watched.path).unwrap(), 0, b"x").unwrap_err();
    assert_eq!(refused.raw_os_error(), Some(libc::EBADF));
}

#[test]
fn a_store_to_a_mapping_is_seen_by_a_watcher_when_it_is_unmapped() {
    let watched = Watched::with("apple");
    let file = watched.open();
    let mut mapping = Mapping::of(&file, 5).unwrap();
    drop(file);
    mapping.store(3, b"ly").unwrap();
    assert_eq!((watched.text().as_str(), watched.seen()), ("apply", vec![]));
    assert!(mapping.store(4, b"ly").is_err(), "beyond the end");
    assert!(Mapping::of(&watched.open(), 6).is_err(), "more than there is");
    watched.seen();
    drop(mapping);
    assert_eq!(watched.seen(), [ReadFlags::CLOSE_WRITE]);
}

#[test]
fn a_stalled_write_has_changed_the_times_and_not_yet_the_text() {
    let watched = Watched::with("apple");
    let times = || {
        let now = fs::metadata(&watched.path).unwrap();
        (now.mtime(), now.mtime_nsec(), now.ctime(), now.ctime_nsec())
    };
    let before = times();
    // The clock of the file system has ticks.
    let until = Instant::now() + Duration::from_secs(10);
    let probe = watched.path.with_file_name("probe");
    let probed = || {
        fs::write(&probe, "").unwrap();
        fs::metadata(&probe).map(|now| (now.mtime(), now.mtime_nsec())).unwrap()
    };
    while probed() <= (before.0, before.1) {
        assert!(Instant::now() < until, "the clock stands still");
    }
    let file = watched.open();
    watched.seen();
    let Some(stalled) = allowed("userfaultfd", Stalled::begin(&file, 1, 3)) else { return };
    let meanwhile = times();
    assert!(meanwhile > before, "{meanwhile:?} {before:?}");
    assert_eq!((watched.text().as_str(), watched.seen()), ("apple", vec![]));
    stalled.finish(b"xyz").unwrap();
    assert_eq!((watched.text().as_str(), watched.seen()), ("axyze", vec![ReadFlags::MODIFY]));
    assert_eq!(times(), meanwhile, "the times tell nothing of the end");
    let stalled = Stalled::begin(&file, 0, 5).unwrap();
    drop(stalled);
    assert_eq!(watched.text(), "\0\0\0\0\0", "what is given up writes zeros");
    let reader = File::open(&watched.path).unwrap();
    assert_eq!(Stalled::begin(&reader, 0, 1).unwrap_err().raw_os_error(), Some(libc::EBADF));
    Stalled::begin(&file, 0, 5_000).unwrap().finish(&[b'y'; 5_000]).unwrap();
    assert_eq!(watched.text(), "y".repeat(5_000), "more than a page");
}

#[test]
fn a_remote_file_changes_and_its_attributes_do_not() {
    match Mounts::of_test("tests::a_remote_file_changes_and_its_attributes_do_not").unwrap() {
        Mounts::Own => {}
        Mounts::Ran(output) => {
            let said = [output.stdout, output.stderr].concat();
            return assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
        }
        Mounts::Forbidden(why) => return skipped("mount", &why).unwrap_or_default(),
    }
    let scratch = tempfile::tempdir().unwrap();
    let mounted = Remote::mount(scratch.path(), &[("a", "apple\n"), ("b", "brick\n")]);
    let Some(remote) = allowed("fuse", mounted) else { return };
    let mut names: Vec<_> =
        fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a", "b"]);
    let a = scratch.path().join("a");
    let before = fs::metadata(&a).unwrap();
    assert_eq!((before.len(), fs::read_to_string(&a).unwrap().as_str()), (6, "apple\n"));
    remote.edit("a", "chalk\n").unwrap();
    let after = fs::metadata(&a).unwrap();
    assert_eq!((before.mtime(), before.ctime_nsec()), (after.mtime(), after.ctime_nsec()));
    assert_eq!(fs::read_to_string(&a).unwrap(), "chalk\n");
    assert_eq!(fs::metadata(scratch.path().join("c")).unwrap_err().kind(), io::ErrorKind::NotFound);
    assert!(remote.edit("c", "").is_err());
}
