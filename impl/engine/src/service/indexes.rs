//! What callers may do with the indexes of a service.

use std::{path::PathBuf, time::Duration};

use forge_search_core::{
    ToolError, content::escape_name, index::need::Variant, index::settings::Mode,
};

use super::Service;
use crate::{
    index::{IndexCheck, TraceStep, cache_directory},
    index_status::IndexStatus,
};

impl Service {
    /// The status of each index, by root.
    pub fn index_status(&self) -> Vec<IndexStatus> {
        self.indexes.status()
    }

    /// The directory where indexes are kept, checked to be the user's alone, and made if `create`
    /// says so; none if there can be no such directory.
    pub fn cache_directory(&self, create: bool) -> Option<PathBuf> {
        cache_directory(&self.config.index, &self.sandbox, create)
    }

    /// Waits until the background has nothing to do, at most `limit`. Whether that came about.
    pub fn index_wait(&self, limit: Duration) -> bool {
        self.indexes.wait(limit)
    }

    /// Does one turn of the background's work on this thread
    /// ([`crate::index::IndexUse::Stepped`]). Whether there was any.
    pub fn index_turn(&self) -> bool {
        self.indexes.turn()
    }

    /// Sets `index_mode` on the running service: `off` is the kill switch (FR-LSI-ROLL-03).
    pub fn index_set_mode(&self, mode: Mode) {
        self.indexes.set_mode(mode);
    }

    /// Requests a new build of every index.
    pub fn index_rebuild(&self) {
        self.indexes.rebuild();
    }

    /// Evicts every index, as when the cache is over its limits.
    pub fn index_evict(&self) {
        self.indexes.evict();
    }

    /// Compares the indexes with their trees: every file's entry and n-grams, every block's
    /// checksum.
    pub fn index_verify(&self) -> Result<Vec<IndexCheck>, ToolError> {
        self.indexes.verify()
    }

    /// The packed filter of one file, as the documents define it, rebuilt from the stored form
    /// (D2). `path` as a request gives it.
    pub fn index_export(&self, path: &str, variant: Variant) -> Result<Vec<u8>, ToolError> {
        let place = self.sandbox.resolve(path)?;
        let missing =
            || ToolError::failed("path", format!("`{}` is not in an index", escape_name(path)));
        let (index, below) = self.indexes.of(&place.path).ok_or_else(missing)?;
        index.export(&below, variant).ok_or_else(missing)
    }

    /// Removes the stored indexes of the roots. Bytes freed.
    pub fn index_clear(&self) -> Result<u64, ToolError> {
        self.indexes.clear()
    }

    /// The recorded steps of the state machines, one index after the other, each in order, if
    /// [`crate::index::IndexOptions::trace`]. They are removed from the record.
    pub fn index_trace(&self) -> Vec<TraceStep> {
        self.indexes.trace()
    }

    /// Ends the background work as at the end of the process: within `index_shutdown_timeout_ms`,
    /// with a checkpoint.
    pub fn index_shutdown(&self) {
        self.indexes.shut_down();
    }
}
