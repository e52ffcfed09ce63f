//! Watching a tree (docs/index-service.md, section 3; E-C07, E-C09, D8).
//!
//! Responsible for: reporting what happens in the directories it was told of, in the order of the
//! system's queue, up to a cookie when a call asks. Not here: what an event comes to
//! ([`forge_search_core::index::debounce`]), looking at what changed ([`super::apply`]).

use std::{collections::BTreeSet, io};

use forge_search_core::index::debounce::RawEvent;

/// What was noticed since the last time, in order.
#[derive(Debug, Default)]
pub(crate) struct WatcherEvents {
    pub(crate) events: Vec<RawEvent>,
    /// Ignore files, or what decides which apply, were touched in these directories.
    pub(crate) ignore_files: Vec<Vec<u8>>,
    /// The root itself went away or was moved.
    pub(crate) root_gone: bool,
    /// Something else is mounted at these places.
    pub(crate) mounted: Vec<Vec<u8>>,
    /// All places below the root where something is mounted, if that has changed.
    pub(crate) mounts: Option<BTreeSet<Vec<u8>>>,
}

/// Names that decide which files are eligible.
pub(crate) fn is_ignore_file(name: &[u8]) -> bool {
    matches!(name, b".gitignore" | b".ignore" | b".git")
}

/// A limit of the system, after which not everything is watched.
pub(crate) fn is_limit(err: &io::Error) -> bool {
    // ENOSPC: watches; EMFILE and ENFILE: instances; ENOMEM.
    matches!(err.raw_os_error(), Some(28 | 24 | 23 | 12))
}

#[cfg(target_os = "linux")]
mod mounts;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::Watcher;

#[cfg(not(target_os = "linux"))]
mod none;
#[cfg(not(target_os = "linux"))]
pub(crate) use none::Watcher;
