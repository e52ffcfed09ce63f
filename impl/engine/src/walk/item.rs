//! The items of a walk.

use std::sync::Arc;

use forge_search_core::index::segment::Fingerprint;

use super::WalkError;
use crate::root::{Root, path_bytes};

/// An eligible file.
#[derive(Clone, Debug)]
pub(crate) struct FoundFile {
    /// Relative to the search root (to its parent if it is a file), as walked. Where all roots are
    /// searched, it begins with the root's name.
    pub(crate) walked: Vec<u8>,
    /// Bytes of the root's name in `walked`, with the slash.
    pub(crate) name: usize,
    /// Where to open it, if a link was followed on the way or all roots are searched.
    pub(crate) opened_at: Option<(Arc<Root>, Vec<u8>)>,
    /// From the listing of its directory, if requested.
    pub(crate) fingerprint: Option<Fingerprint>,
    /// Known to be binary, so it is not read.
    pub(crate) binary: bool,
}

impl FoundFile {
    /// A file of which nothing is known but its name.
    pub(crate) fn new(walked: Vec<u8>) -> Self {
        Self { walked, name: 0, opened_at: None, fingerprint: None, binary: false }
    }

    /// The path below its own root, or below the search root.
    pub(crate) fn below(&self) -> &[u8] {
        self.walked.get(self.name..).unwrap_or_default()
    }
}

/// Eligible files in a row that the index lets a search leave unread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unread {
    pub(crate) files: u64,
    /// Those that match, as the index knows: how many of the files stand before each, and its place
    /// in what is known.
    pub(crate) known: Vec<(u64, usize)>,
}

impl Unread {
    /// The first of them.
    pub(crate) fn first(mut self, files: u64) -> Self {
        self.files = self.files.min(files);
        let within = self.known.partition_point(|(before, _)| *before < self.files);
        self.known.truncate(within);
        self
    }
}

/// The next item in path order.
#[derive(Clone, Debug)]
pub(crate) enum WalkItem {
    File(FoundFile),
    /// A place that could not be searched.
    Problem(WalkError),
    Unread(Unread),
    /// A directory below the depth limit.
    NotEntered,
    /// The deadline expired. Nothing follows.
    Interrupted,
}

impl WalkItem {
    pub(super) fn problem_path(&self) -> Option<Vec<u8>> {
        match self {
            Self::Problem(error) => Some(path_bytes(&error.path)),
            Self::File(_) | Self::Unread(_) | Self::NotEntered | Self::Interrupted => None,
        }
    }
}
