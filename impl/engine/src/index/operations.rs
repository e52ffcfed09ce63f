//! What callers may do with the indexes of a service: [`crate::Service`] has the same methods, with
//! their documentation.

use std::{
    path::PathBuf,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use forge_search_core::{
    ToolError,
    index::machine::{Reason, Trigger},
    index::settings::{Mode, Settings},
};

use super::{
    IndexCheck, IndexStatus, IndexUse, NoFaults, TraceStep, cache,
    indexes::{Indexes, POLL_INTERVAL},
    root_index::RootIndex,
    schedule::Task,
};
use crate::sandbox::Sandbox;

/// How long clearing waits for the service's own work to release the index.
const CLEAR_WAIT: Duration = Duration::from_secs(2);

/// The cache directory, made and checked; none if there can be none.
pub(crate) fn cache_directory(
    settings: &Settings,
    sandbox: &Sandbox,
    create: bool,
) -> Option<PathBuf> {
    cache::prepare(settings, sandbox, &[], &NoFaults, create).ok()
}

impl Indexes {
    pub(crate) fn status(&self) -> Vec<IndexStatus> {
        let one = |index: &Arc<RootIndex>| {
            if self.using == IndexUse::Existing && index.control().schedule().has(Task::Open) {
                index.open(false);
            }
            let control = index.control();
            let progress = control.progress();
            let elapsed = |since| index.now_ms().saturating_sub(since);
            let files = control.catalog().files();
            let has_base = !files.base().catalog.is_empty() && !files.base().is_unread();
            let segments = files.deltas().len() as u64 + u64::from(has_base);
            let bytes = files.deltas().iter().map(|delta| delta.catalog.bytes()).sum::<u64>();
            let status = control.status();
            IndexStatus {
                root: index.coverage.root.clone(),
                state: status.state.name(),
                reason: status.shown_reason().map(Reason::name),
                duty: status.duty().name(),
                watcher_live: status.watcher_live,
                writer: control.storage().writer().is_some(),
                files: files.count(),
                pending: files.pending_count(),
                indexed_bytes: files.base().catalog.bytes() + bytes,
                directories: control.catalog().directories().len() as u64,
                segments,
                storage: control.storage().mode(),
                storage_fallback_reason: control.storage().fallback(),
                file: control.storage().store().map(|store| store.path()),
                size_bytes: control.size(),
                build_phase: progress.map(|progress| progress.phase),
                build_files_total: progress.and_then(|progress| progress.total),
                build_files_done: progress.map(|progress| progress.done),
                build_elapsed_ms: progress.map(|progress| elapsed(progress.since_ms)),
            }
        };
        self.roots.iter().map(one).collect()
    }

    /// Waits at most `limit` until the background has nothing to do. Whether that came about.
    pub(crate) fn wait(&self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        loop {
            if self.roots.iter().all(|index| index.is_settled()) {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    pub(crate) fn turn(&self) -> bool {
        let turned: Vec<bool> = self.roots.iter().map(|index| index.turn()).collect();
        turned.contains(&true)
    }

    pub(crate) fn set_mode(&self, mode: Mode) {
        for index in &self.roots {
            // At once, also while a turn of the background takes long.
            index.set_mode(mode);
            index.add_task(Task::Mode(mode));
        }
    }

    pub(crate) fn rebuild(&self) {
        self.roots.iter().for_each(|index| index.add_task(Task::Rebuild));
    }

    pub(crate) fn evict(&self) {
        self.roots.iter().for_each(|index| index.add_task(Task::Evict));
    }

    pub(crate) fn verify(&self) -> Result<Vec<IndexCheck>, ToolError> {
        self.roots.iter().map(|index| index.verify_all()).collect()
    }

    pub(crate) fn clear(&self) -> Result<u64, ToolError> {
        let mut freed = 0;
        for index in &self.roots {
            let cache = cache::prepare(
                &index.settings,
                &index.coverage.sandbox,
                &index.roots,
                &NoFaults,
                true,
            )
            .map_err(|why| {
                ToolError::failed("index_path", format!("the cache cannot be used: {}", why.name()))
            })?;
            {
                let mut control = index.control();
                control.storage_mut().take_store();
                control.forget();
                control.tick(&[Trigger::IndexDeleted]);
            }
            // A running turn of the background may still hold it.
            let until = Instant::now() + CLEAR_WAIT;
            let mut alone = cache::exclusive(&cache, &index.key.hash());
            while alone.is_none() && Instant::now() < until {
                thread::sleep(POLL_INTERVAL);
                alone = cache::exclusive(&cache, &index.key.hash());
            }
            let Some(_alone) = alone else {
                return Err(ToolError::failed(
                    "index",
                    format!(
                        "the index of `{}` is in use by another process; end that first",
                        index.coverage.root.display()
                    ),
                ));
            };
            freed += cache::remove(&cache, &index.key.hash()).map_err(|err| {
                ToolError::failed("index", format!("the index cannot be removed: {err}"))
            })?;
        }
        Ok(freed)
    }

    pub(crate) fn trace(&self) -> Vec<TraceStep> {
        self.roots.iter().flat_map(|index| index.control().take_trace()).collect()
    }
}

#[cfg(test)]
mod tests;
