//! Paths with their sort key, and files without n-grams.

use std::{cmp::Ordering, sync::Arc};

use forge_search_core::{index::segment::Fingerprint, order};

use crate::index::segment::Segment;

/// A path, ordered by its key, then by its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KeyedPath {
    key: Box<[u8]>,
    /// The path, where it is not its own key.
    raw: Option<Box<[u8]>>,
}

impl KeyedPath {
    pub(super) fn new(path: &[u8]) -> Self {
        let key = order::sort_key(path);
        let raw = (*key != *path).then(|| Box::from(path));
        Self { key: Box::from(&*key), raw }
    }

    pub(super) fn path(&self) -> &[u8] {
        self.raw.as_deref().unwrap_or(&self.key)
    }
}

impl Ord for KeyedPath {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key).then_with(|| self.path().cmp(other.path()))
    }
}

impl PartialOrd for KeyedPath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A file whose n-grams are not known.
#[derive(Debug)]
pub(crate) struct PendingFile {
    pub(super) path_key: Arc<KeyedPath>,
    pub(crate) fingerprint: Fingerprint,
}

impl PendingFile {
    pub(crate) fn path(&self) -> &[u8] {
        self.path_key.path()
    }
}

/// A file of a view to be tokenized.
#[derive(Clone, Debug)]
pub(crate) enum UnindexedFile {
    /// In a base without n-grams, by rank.
    Unread(Arc<Segment>, u32),
    Extra(Arc<PendingFile>),
}

impl UnindexedFile {
    pub(crate) fn path(&self) -> &[u8] {
        match self {
            Self::Unread(base, rank) => base.catalog.path(*rank),
            Self::Extra(file) => file.path(),
        }
    }

    pub(crate) fn fingerprint(&self) -> Fingerprint {
        match self {
            Self::Unread(base, rank) => base.catalog.fingerprint(*rank),
            Self::Extra(file) => file.fingerprint,
        }
    }
}
