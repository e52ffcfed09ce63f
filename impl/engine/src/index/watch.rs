//! Watching a tree (docs/index-service.md, section 3; E-C07, E-C09, D8).
//!
//! Responsible for: reporting events of the watched directories in the system's order, up to a
//! cookie if required. Not here: debouncing ([`forge_search_core::index::debounce`]), inspecting
//! what changed ([`super::apply`]).

use std::{collections::BTreeSet, io};

use forge_search_core::index::debounce::RawEvent;

/// Events since the last read, in order.
#[derive(Debug, Default)]
pub(crate) struct WatcherEvents {
    pub(crate) events: Vec<RawEvent>,
    /// Directories with an event of an ignore file or `.git`.
    pub(crate) ignore_files: Vec<Vec<u8>>,
    /// The root was removed or moved.
    pub(crate) root_gone: bool,
    /// Mount points whose mount changed.
    pub(crate) mounted: Vec<Vec<u8>>,
    /// All mount points below the root, if they changed.
    pub(crate) mounts: Option<BTreeSet<Vec<u8>>>,
}

/// Whether the error is a limit of the system, so that not everything is watched.
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
