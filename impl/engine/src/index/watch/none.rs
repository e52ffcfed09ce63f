//! Systems on which no watcher has been proven (docs/watchers.md): every call looks for itself.

use std::{io, path::Path, sync::Arc, time::Duration};

use super::WatcherEvents;
use crate::index::fault::Faults;

/// Never made.
#[derive(Debug)]
pub(crate) enum Watcher {}

impl Watcher {
    pub(crate) fn start(
        _root: &Path,
        _cookies: &Path,
        _faults: &Arc<dyn Faults>,
    ) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn add(&self, _directory: &Path, _walked: &[u8]) -> io::Result<()> {
        match *self {}
    }

    pub(crate) fn forget(&self, _directory: &[u8]) {
        match *self {}
    }

    pub(crate) fn read(&self) -> io::Result<WatcherEvents> {
        match *self {}
    }

    pub(crate) fn read_to_cookie(&self) -> io::Result<WatcherEvents> {
        match *self {}
    }

    pub(crate) fn mounts(&self) -> std::collections::BTreeSet<Vec<u8>> {
        match *self {}
    }

    pub(crate) fn wait(&self, _limit: Duration) {
        match *self {}
    }

    pub(crate) fn wake(&self) {
        match *self {}
    }
}
