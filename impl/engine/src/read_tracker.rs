//! The record of explicit reads (SEC-LSI-CACHE-01, SEC-LSI-CACHE-02, D12).
//!
//! Edit tools check here whether a file may be edited. Only a tool whose purpose is to read a file
//! marks it. Searching and indexing have no access: only the service's owner holds the tracker.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Most files remembered; beyond, the tracker is cleared, so that edits need a new read.
const MOST_FILES: usize = 100_000;

/// The files that have been read explicitly.
#[derive(Debug, Default)]
pub struct ReadTracker {
    read: Mutex<BTreeSet<PathBuf>>,
}

impl ReadTracker {
    /// Records an explicit read of a file, by its canonical path.
    pub fn mark_read(&self, path: &Path) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.len() >= MOST_FILES {
            read.clear();
        }
        read.insert(path.to_owned());
    }

    /// Whether a file has been read explicitly.
    pub fn is_read(&self, path: &Path) -> bool {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).contains(path)
    }

    /// The number of files read.
    pub fn len(&self) -> usize {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether no file has been read.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marked_paths_count_as_read() {
        let tracker = ReadTracker::default();
        tracker.mark_read(Path::new("/tree/a"));
        assert!(tracker.is_read(Path::new("/tree/a")) && !tracker.is_read(Path::new("/tree/b")));
        assert_eq!(tracker.len(), 1);
    }
}
