//! The files that are compared over: those that the service itself would search, so that ignore
//! rules are not what is compared.

use std::{
    fs,
    os::fd::AsFd,
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::fs::{Advice, fadvise};

/// After so long the system has written a file.
const RECENT: Duration = Duration::from_secs(600);

/// One file.
pub struct File {
    /// Below the tree, as answers show it.
    pub path: String,
    place: PathBuf,
}

impl File {
    /// Its text, if it is text.
    pub fn text(&self) -> Option<String> {
        let bytes = fs::read(&self.place).ok()?;
        if memchr::memchr(0, &bytes).is_some() {
            return None;
        }
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The files of these paths.
pub fn files(tree: &Path, mut paths: Vec<String>) -> Vec<File> {
    paths.sort();
    paths.into_iter().map(|path| File { place: tree.join(&path), path }).collect()
}

/// Has the system forget the contents of files, a directory's with all below it.
pub fn evict(place: &Path) {
    if place.is_dir() {
        for entry in fs::read_dir(place).into_iter().flatten().flatten() {
            evict(&entry.path());
        }
    } else if let Ok(file) = fs::File::open(place) {
        // What is yet to be written would stay; most has been written long ago, and asking costs
        // more than that.
        if file
            .metadata()
            .is_ok_and(|found| found.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age < RECENT)))
        {
            let _ = file.sync_all();
        }
        let _ = fadvise(file.as_fd(), 0, None, Advice::DontNeed);
    }
}

/// Bytes of a directory's files.
pub fn size(place: &Path) -> u64 {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries
        .map(|entry| {
            if entry.path().is_dir() {
                size(&entry.path())
            } else {
                entry.metadata().map_or(0, |found| found.len())
            }
        })
        .sum()
}
