//! Checking one path, and what a check proves.

use std::{fs::File, io, path::Path, time::Duration};

use forge_search_core::index::segment::Fingerprint;
use forge_search_sys::{Writers, writers};

use super::{Clock, fault::Sabotage, root_index::RootIndex};
use crate::root::{Kind, Root};

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

/// The fingerprint of an input of eligibility; `None` if nothing is there. Of a directory only what
/// it is counts, since every use of a repository changes the times of `.git`.
pub(crate) fn input(directory: &Root, name: &[u8], clock: &dyn Clock) -> Option<Fingerprint> {
    let found = directory.stat(name).ok()?;
    Some(match found.kind {
        Kind::Dir => found.identity(),
        // An input whose times prove nothing yet counts as changed.
        _ if found.fingerprint.is_racy(clock.stamp_ns()) => Fingerprint::default(),
        _ => found.fingerprint,
    })
}

/// Whether some process has the file of this name open for writing.
pub(crate) fn is_written(directory: &Root, name: &[u8]) -> bool {
    directory.open_file(name).is_ok_and(|(file, _)| writers(&file) == Writers::Some)
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
        std::fs::write(place.path().join("file"), "a\n").unwrap();
        let directory = Root::open(place.path()).unwrap();
        let written = directory.stat(b"file").unwrap().fingerprint;
        let clock = Stamps(AtomicI64::new(written.ctime_ns));
        assert_eq!(input(&directory, b"file", &clock), Some(Fingerprint::default()));
        assert_eq!(input(&directory, b"file", &clock), Some(written));
    }

    #[test]
    fn another_directory_is_a_change_and_its_use_is_none() {
        let place = tempfile::tempdir().unwrap();
        let [git, other] = [".git", "other"].map(|name| place.path().join(name));
        for directory in [&git, &other] {
            std::fs::create_dir(directory).unwrap();
        }
        let directory = Root::open(place.path()).unwrap();
        let clock = Stamps(AtomicI64::new(0));
        let before = input(&directory, b".git", &clock);
        std::fs::write(git.join("index"), "").unwrap();
        assert_eq!(input(&directory, b".git", &clock), before);
        std::fs::rename(&git, place.path().join("old")).unwrap();
        std::fs::rename(&other, &git).unwrap();
        assert!(input(&directory, b".git", &clock).is_some_and(|now| Some(now) != before));
    }
}
