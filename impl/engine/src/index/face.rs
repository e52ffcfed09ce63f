//! What a service's callers can ask of its indexes.

use std::time::Duration;

use forge_search_core::{ToolError, index::need::Variant};

use super::{IndexCheck, IndexStatus, TraceStep};
use crate::service::Service;

impl Service {
    /// How the indexes stand, by root.
    pub fn index_status(&self) -> Vec<IndexStatus> {
        Vec::new()
    }

    /// Waits until the background has nothing to do, at most `limit`. Whether that came about.
    pub fn index_wait(&self, _limit: Duration) -> bool {
        true
    }

    /// Does one turn of the background's work on this thread ([`super::IndexUse::Stepped`]). Whether there was any.
    pub fn index_turn(&self) -> bool {
        false
    }

    /// Sets `index_mode` on the running service: `off` is the kill switch (FR-LSI-ROLL-03).
    pub fn index_set_mode(&self, _mode: &str) -> Result<(), ToolError> {
        Ok(())
    }

    /// Asks for every index to be built anew.
    pub fn index_rebuild(&self) {}

    /// Compares the indexes with their trees: every file's entry and n-grams, every block's checksum.
    pub fn index_verify(&self) -> Result<Vec<IndexCheck>, ToolError> {
        Ok(Vec::new())
    }

    /// The packed filter of one file, as the documents define it, rebuilt from the stored form (D2). `path` as a request gives it.
    pub fn index_export(&self, path: &str, _variant: Variant) -> Result<Vec<u8>, ToolError> {
        Err(ToolError::failed("path", format!("`{path}` is not in an index")))
    }

    /// Removes the stored indexes of the roots. Bytes freed.
    pub fn index_clear(&self) -> Result<u64, ToolError> {
        Ok(0)
    }

    /// Steps of the state machines since the last time this was asked, in order, if [`super::IndexOptions::trace`].
    pub fn index_trace(&self) -> Vec<TraceStep> {
        Vec::new()
    }

    /// Ends the background work as at the end of the process: within `index_shutdown_timeout_ms`, with a checkpoint.
    pub fn index_shutdown(&self) {}
}
