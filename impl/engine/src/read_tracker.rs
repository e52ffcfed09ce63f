//! Which files have been read by an explicit read (SEC-LSI-CACHE-01, SEC-LSI-CACHE-02, D12).
//!
//! Edit tools ask here whether a file may be edited. Only a tool whose purpose is to read a file
//! marks it; searching and indexing see files without reading them in that sense, and have no way
//! to this: nothing in the service but its owner holds it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// Files remembered at most; beyond, the tracker forgets all, so that edits ask for a new read.
const MOST_FILES: usize = 100_000;

/// Remembers which files have been read.
#[derive(Debug, Default)]
pub struct ReadTracker {
    read: Mutex<BTreeSet<PathBuf>>,
}

impl ReadTracker {
    /// A file was read by an explicit read; its canonical path.
    pub fn mark_read(&self, path: &Path) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if read.len() >= MOST_FILES {
            read.clear();
        }
        read.insert(path.to_owned());
    }

    /// Whether a file has been read.
    pub fn is_read(&self, path: &Path) -> bool {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).contains(path)
    }

    /// How many files have been read.
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
    fn only_what_was_marked_is_read() {
        let tracker = ReadTracker::default();
        tracker.mark_read(Path::new("/tree/a"));
        assert!(tracker.is_read(Path::new("/tree/a")) && !tracker.is_read(Path::new("/tree/b")));
        assert_eq!(tracker.len(), 1);
    }
}
