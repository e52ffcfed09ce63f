//! Scratch directories that are removed when their process ends, however it ends.
//!
//! Responsible for: a directory that is locked for as long as its owner lives; removing those whose
//! owner was killed. Not here: what lies in it ([`super::lay`]). Invariants: what is
//! locked is removed by its owner only; the remover holds the lock until the directory is gone.

use std::env;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Once;

use touchstone_cases::materialise;
use touchstone_cases::place::own_uid;

/// Start of the names of these directories.
const PREFIX: &str = "touchstone-hunt-";

/// Where the system offers memory as files.
const MEMORY: &str = "/dev/shm";

/// Most directories that are made before this counts as a failure.
const ATTEMPTS: usize = 16;

/// A directory that is gone when this is dropped, and removed by the next process if this one is
/// killed.
#[derive(Debug)]
pub(super) struct Scratch {
    path: PathBuf,
    /// The lock is given back after the removal.
    _held: File,
}

impl Scratch {
    /// In memory where the system offers that, else among temporary files. The first one of a
    /// process removes what was abandoned in both.
    pub(super) fn new() -> io::Result<Self> {
        static SWEPT: Once = Once::new();
        let (memory, temporary) = (Path::new(MEMORY), env::temp_dir());
        SWEPT.call_once(|| {
            remove_abandoned(memory);
            remove_abandoned(&temporary);
        });
        Self::within(memory).or_else(|_| Self::within(&temporary))
    }

    /// Between its creation and its lock a directory looks abandoned, and another process that
    /// starts at that moment may remove it: then
    /// there is another one.
    fn within(parent: &Path) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            let path = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?.keep();
            let held = File::open(&path).ok().filter(|held| held.try_lock().is_ok());
            if let Some(held) = held
                && path.exists()
            {
                return Ok(Self { path, _held: held });
            }
        }
        Err(io::ErrorKind::WouldBlock.into())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now is abandoned, and tried again by the next process.
        let _ = materialise::remove(&self.path);
    }
}

/// Removes the directories of killed processes. What is in use, foreign or odd stays.
fn remove_abandoned(parent: &Path) {
    let Ok(user) = own_uid() else { return };
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())
            && entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user);
        if is_ours
            && let Ok(held) = File::open(entry.path())
            && held.try_lock().is_ok()
        {
            // If it cannot be removed, the next one tries.
            let _ = materialise::remove(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::thread;

    use super::*;

    #[test]
    fn only_abandoned_scratch_directories_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let alive = Scratch::within(parent.path()).unwrap();
        let at = |name: &str| parent.path().join(format!("{PREFIX}{name}"));
        fs::create_dir_all(at("dead").join("1/closed")).unwrap();
        fs::write(at("file"), "").unwrap();
        symlink(alive.path(), at("link")).unwrap();
        fs::create_dir(parent.path().join("other")).unwrap();
        remove_abandoned(parent.path());
        let mut left: Vec<PathBuf> =
            fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        left.sort();
        let mut kept =
            vec![parent.path().join("other"), alive.path().to_owned(), at("file"), at("link")];
        kept.sort();
        assert_eq!(left, kept);
    }

    #[test]
    fn a_scratch_directory_in_use_survives_concurrent_removal() {
        let parent = tempfile::tempdir().unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        remove_abandoned(parent.path());
                        let Ok(own) = Scratch::within(parent.path()) else { continue };
                        remove_abandoned(parent.path());
                        assert!(own.path().is_dir());
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
