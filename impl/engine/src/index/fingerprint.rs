//! Checking one path, and what a check proves.

use std::{fs::File, io, path::Path, thread, time::Duration};

use forge_search_core::index::segment::Fingerprint;
use forge_search_sys::{Writers, writers};

use super::{Clock, fault::Sabotage, root_index::RootIndex};
use crate::{
    root::{Root, os_path, path_bytes},
    rules::REPOSITORY,
};

/// After this time the times of a file prove that it was not written since.
pub(crate) const RACY_PERIOD: Duration = Duration::from_millis(25);

/// Whether a file is the one that was read.
pub(crate) fn is_unchanged(index: &RootIndex, then: Fingerprint, now: Fingerprint) -> bool {
    if index.is_sabotaged(Sabotage::Fingerprint) {
        return (then.size, then.mtime_ns) == (now.size, now.mtime_ns);
    }
    // A file without times could not be checked.
    then == now && now != Fingerprint::default()
}

/// Whether the error means that nothing is there, or that a parent is no directory.
pub(crate) fn is_gone(err: &io::Error) -> bool {
    /// ELOOP: a link has replaced a parent, and links are not followed.
    const LINK: i32 = 40;
    matches!(err.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        || err.raw_os_error() == Some(LINK)
}

/// The fingerprint of a path; `None` if nothing is there.
pub(crate) fn look(path: &Path) -> Option<Fingerprint> {
    let parent = Root::open(path.parent()?).ok()?;
    let name = path_bytes(Path::new(path.file_name()?));
    parent.stat(&name).ok().map(|stat| stat.fingerprint)
}

/// The fingerprint of an input of eligibility. Of `.git` only existence and kind count, since every
/// use of a repository changes its times.
pub(crate) fn input(path: &Path, clock: &dyn Clock) -> Option<Fingerprint> {
    let found = look(path)?;
    if path.file_name().is_some_and(|name| name == os_path(REPOSITORY).as_os_str()) {
        return Some(Fingerprint {
            inode: found.inode,
            device: found.device,
            ..Fingerprint::default()
        });
    }
    // An input whose times prove nothing yet counts as changed.
    Some(if found.is_racy(clock.stamp_ns()) { Fingerprint::default() } else { found })
}

/// The same before reading. A file written a moment ago is awaited until its times prove something;
/// one that is open for writing proves nothing.
pub(crate) fn input_fingerprint_before_reading(
    path: &Path,
    clock: &dyn Clock,
) -> Option<Fingerprint> {
    let mut found = input(path, clock);
    if found == Some(Fingerprint::default()) {
        thread::sleep(RACY_PERIOD);
        found = input(path, clock);
    }
    if found.is_some() && is_open_for_writing(path) { Some(Fingerprint::default()) } else { found }
}

/// Whether some process has the file open for writing.
pub(crate) fn is_open_for_writing(path: &Path) -> bool {
    path.is_file() && File::open(path).is_ok_and(|file| writers(&file) == Writers::Some)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    /// The stamp moves on by [`RACY_PERIOD`] each time it is read.
    #[derive(Debug)]
    struct Stamps(AtomicI64);

    impl Clock for Stamps {
        fn now_ms(&self) -> u64 {
            0
        }

        fn stamp_ns(&self) -> i64 {
            let period = i64::try_from(RACY_PERIOD.as_nanos()).unwrap();
            self.0.fetch_add(period, Ordering::Relaxed)
        }
    }

    #[test]
    fn a_just_written_input_counts_as_changed_until_its_times_are_conclusive() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(".gitignore");
        std::fs::write(&path, "a\n").unwrap();
        let written = look(&path).unwrap();
        let clock = Stamps(AtomicI64::new(written.ctime_ns));
        assert_eq!(input(&path, &clock), Some(Fingerprint::default()));
        assert_eq!(input(&path, &clock), Some(written));
    }

    #[test]
    fn another_git_directory_is_a_change_and_its_use_is_none() {
        let place = tempfile::tempdir().unwrap();
        let [git, other] = [".git", "other"].map(|name| place.path().join(name));
        for directory in [&git, &other] {
            std::fs::create_dir(directory).unwrap();
        }
        let clock = Stamps(AtomicI64::new(0));
        let before = input(&git, &clock);
        std::fs::write(git.join("index"), "").unwrap();
        assert_eq!(input(&git, &clock), before);
        std::fs::rename(&git, place.path().join("old")).unwrap();
        std::fs::rename(&other, &git).unwrap();
        assert!(input(&git, &clock).is_some_and(|now| Some(now) != before));
    }

    #[test]
    fn a_just_written_input_is_awaited_before_it_is_read() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(".gitignore");
        let writer = File::create(&path).unwrap();
        let written = look(&path).unwrap();
        let clock = || Stamps(AtomicI64::new(written.ctime_ns));
        let unproved = Some(Fingerprint::default());
        assert_eq!(input_fingerprint_before_reading(&path, &clock()), unproved, "it is open");
        drop(writer);
        assert_eq!(input_fingerprint_before_reading(&path, &clock()), Some(written));
    }
}
