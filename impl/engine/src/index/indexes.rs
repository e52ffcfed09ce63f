//! What a service's callers can ask of its indexes, and the indexes of a service.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use forge_search_core::{
    ToolError,
    content::escape_name,
    index::machine::State,
    index::need::Variant,
    index::settings::{Mode, StorageKind},
    response::{BuildProgress, IndexStats},
};
use parking_lot::Mutex;

use super::{
    IndexCheck, IndexOptions, IndexStatus, IndexUse, TraceStep, cache,
    coverage::Coverage,
    gate::Bypass,
    key::Key,
    proof::Proofs,
    root_index::{RootIndex, Setup, Snapshot},
    schedule::Task,
};
use crate::{
    config::{Config, ConfigError},
    root::path_bytes,
    rulebook::Rulebook,
    sandbox::Sandbox,
    service::Service,
};

/// How often whoever waits looks.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// Time to store what is known at the end, at least. What is not committed by then is not stored.
const LEAST_TO_STORE: Duration = Duration::from_millis(300);

/// How long clearing waits for the service's own work to let go.
const CLEAR_WAIT: Duration = Duration::from_secs(2);

/// The indexes of a service, one for each index root.
#[derive(Debug, Default)]
pub(crate) struct Indexes {
    roots: Vec<Arc<RootIndex>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    using: IndexUse,
}

impl Indexes {
    /// The indexes that the configuration asks for (FR-LSI-BG-01..04, FR-LSI-IDX-ROOT-01).
    pub(crate) fn new(
        config: &Config,
        sandbox: &Sandbox,
        rulebook: &Arc<Rulebook>,
        options: &IndexOptions,
    ) -> Result<Self, ConfigError> {
        let settings = &config.index;
        let stays_off = settings.index_mode == Mode::Off && options.using != IndexUse::Stepped;
        if options.using == IndexUse::None || stays_off {
            return Ok(Self::default());
        }
        let given: Vec<PathBuf> = settings.index_roots.iter().map(PathBuf::from).collect();
        let by_default = given.is_empty();
        let roots = if by_default { vec![sandbox.working_dir().to_owned()] } else { given };
        let mut canonical: Vec<PathBuf> = Vec::new();
        for root in &roots {
            let refuse = |source| ConfigError::Root { path: root.clone(), source };
            let found = sandbox.working_dir().join(root).canonicalize().map_err(refuse)?;
            let allowed =
                sandbox.root_of(&found).is_some() && !sandbox.is_denied(&found) && found.is_dir();
            if !allowed && by_default {
                // Nothing in a denied working directory is searched, so there is nothing to index.
                return Ok(Self::default());
            }
            if !allowed {
                return Err(ConfigError::IndexRoot {
                    path: root.clone(),
                    allowed: "a directory inside the permitted roots",
                });
            }
            if canonical.contains(&found) {
                continue;
            }
            canonical.push(found);
        }
        // They are all in use, and none would ever make room for another (E-C37).
        let most = usize::try_from(settings.index_max_indexes).unwrap_or(usize::MAX);
        if settings.index_storage == StorageKind::Sqlite
            && let Some(beyond) = roots.get(most)
        {
            return Err(ConfigError::IndexRoot {
                path: beyond.clone(),
                allowed: "no more roots than `index_max_indexes` allows stored indexes",
            });
        }
        let sandbox = Arc::new(sandbox.clone());
        let indexes: Vec<Arc<RootIndex>> = canonical
            .iter()
            .filter_map(|root| {
                let key = Key::new(root, settings);
                let coverage = Coverage::new(root, &sandbox, rulebook, &key, &options.clock)?;
                let (settings, roots) = (settings.clone(), canonical.clone());
                let setup = Setup { key, settings, coverage, roots, options: options.clone() };
                Some(Arc::new(RootIndex::new(setup)))
            })
            .collect();
        if settings.index_mode == Mode::Off {
            // Known from the start, not from the first turn.
            for index in &indexes {
                index.open(false);
            }
        }
        let threads =
            if options.using == IndexUse::Background { Self::spawn(&indexes) } else { Vec::new() };
        Ok(Self { roots: indexes, threads: Mutex::new(threads), using: options.using })
    }

    fn spawn(indexes: &[Arc<RootIndex>]) -> Vec<JoinHandle<()>> {
        indexes
            .iter()
            .filter_map(|index| {
                let index = Arc::clone(index);
                thread::Builder::new()
                    .name("forge-index".to_owned())
                    .spawn(move || index.run())
                    .ok()
            })
            .collect()
    }

    /// Whether this process builds them.
    pub(crate) fn are_built(&self) -> bool {
        matches!(self.using, IndexUse::Background | IndexUse::Stepped)
    }

    /// The index of the deepest root at or above a path, and the path below it
    /// (FR-LSI-IDX-ROOT-02).
    pub(crate) fn of(&self, path: &Path) -> Option<(&RootIndex, Vec<u8>)> {
        let above = self.roots.iter().filter(|index| path.starts_with(&index.coverage.root));
        let index = above.max_by_key(|index| index.coverage.root.components().count())?;
        if self.using == IndexUse::Existing && index.control().schedule().has(Task::Open) {
            index.open(false);
        }
        Some((index, path_bytes(path.strip_prefix(&index.coverage.root).ok()?)))
    }

    /// The index of a path excluded a file that matches.
    pub(crate) fn distrust(&self, path: &Path) {
        if let Some((index, _)) = self.of(path) {
            index.distrust();
        }
    }

    /// Ends the work of all of them, each within its time (FR-LSI-BG-40..43).
    pub(crate) fn shut_down(&self) {
        for index in &self.roots {
            index.end();
        }
        let longest = self.roots.iter().map(|index| index.settings.index_shutdown_timeout_ms).max();
        let until = Instant::now() + Duration::from_millis(longest.unwrap_or(0));
        let threads = std::mem::take(&mut *self.threads.lock());
        let mut quiet = true;
        for thread in threads {
            while !thread.is_finished() && Instant::now() < until {
                thread::sleep(LOOK_EVERY);
            }
            // One that does not end in time is left behind; what it has not committed never was.
            quiet &= thread.is_finished() && thread.join().is_ok();
        }
        match self.using {
            IndexUse::Stepped => self.roots.iter().for_each(|index| index.shut_down()),
            IndexUse::Background if quiet => {
                let roots = self.roots.clone();
                let (done, ended) = mpsc::channel();
                thread::spawn(move || {
                    for index in roots {
                        index.shut_down();
                    }
                    // Nobody waits for it any more if it took too long.
                    let _ = done.send(());
                });
                let left = until.saturating_duration_since(Instant::now()).max(LEAST_TO_STORE);
                let _ = ended.recv_timeout(left);
            }
            IndexUse::None | IndexUse::Existing | IndexUse::Background => {}
        }
    }
}

impl Drop for Indexes {
    fn drop(&mut self) {
        if self.using == IndexUse::Background && !self.threads.lock().is_empty() {
            self.shut_down();
        }
    }
}

/// What `stats` says of a call.
pub(crate) fn stats(
    index: &RootIndex,
    found: Snapshot,
    used: Result<Proofs, Bypass>,
) -> IndexStats {
    let build = found.progress.filter(|_| found.status.state == State::Building);
    IndexStats {
        state: found.status.state.name(),
        reason: found.status.shown_reason().map(forge_search_core::index::machine::Reason::name),
        exclusion_used: used.is_ok(),
        bypass_reason: used.err().map(Bypass::name),
        proof_names: used.unwrap_or_default().names.name(),
        proof_contents: used.unwrap_or_default().contents.name(),
        storage_mode: found.storage.0,
        storage_fallback_reason: found.storage.1,
        build: build.map(|progress| BuildProgress {
            phase: progress.phase,
            files_total: progress.total,
            files_done: progress.done,
            elapsed_ms: index.now_ms().saturating_sub(progress.since_ms),
        }),
    }
}

impl Service {
    /// How the indexes stand, by root.
    pub fn index_status(&self) -> Vec<IndexStatus> {
        let one = |index: &Arc<RootIndex>| {
            if self.indexes().using == IndexUse::Existing
                && index.control().schedule().has(Task::Open)
            {
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
                reason: status.shown_reason().map(forge_search_core::index::machine::Reason::name),
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
        self.indexes().roots.iter().map(one).collect()
    }

    /// The directory where indexes are kept, made and found to be the user's alone; none if there
    /// can be no such directory.
    pub fn cache_directory(&self) -> Option<PathBuf> {
        let faults = super::NoFaults;
        cache::prepare(&self.config().index, self.sandbox(), &[], &faults).ok()
    }

    /// Waits until the background has nothing to do, at most `limit`. Whether that came about.
    pub fn index_wait(&self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        loop {
            if self.indexes().roots.iter().all(|index| index.is_settled()) {
                return true;
            }
            if Instant::now() >= until {
                return false;
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Does one turn of the background's work on this thread ([`super::IndexUse::Stepped`]).
    /// Whether there was any.
    pub fn index_turn(&self) -> bool {
        let turned: Vec<bool> = self.indexes().roots.iter().map(|index| index.turn()).collect();
        turned.contains(&true)
    }

    /// Sets `index_mode` on the running service: `off` is the kill switch (FR-LSI-ROLL-03).
    pub fn index_set_mode(&self, mode: Mode) {
        for index in &self.indexes().roots {
            // At once, also while a turn of the background takes long.
            index.set_mode(mode);
            index.add_task(Task::Mode(mode));
        }
    }

    /// Asks for every index to be built anew.
    pub fn index_rebuild(&self) {
        self.indexes().roots.iter().for_each(|index| index.add_task(Task::Rebuild));
    }

    /// Has every index evicted, as when the cache is over its limits.
    pub fn index_evict(&self) {
        self.indexes().roots.iter().for_each(|index| index.add_task(Task::Evict));
    }

    /// Compares the indexes with their trees: every file's entry and n-grams, every block's
    /// checksum.
    pub fn index_verify(&self) -> Result<Vec<IndexCheck>, ToolError> {
        self.indexes().roots.iter().map(|index| index.verify_all()).collect()
    }

    /// The packed filter of one file, as the documents define it, rebuilt from the stored form
    /// (D2). `path` as a request gives it.
    pub fn index_export(&self, path: &str, variant: Variant) -> Result<Vec<u8>, ToolError> {
        let place = self.sandbox().resolve(path)?;
        let missing =
            || ToolError::failed("path", format!("`{}` is not in an index", escape_name(path)));
        let (index, below) = self.indexes().of(&place.path).ok_or_else(missing)?;
        index.export(&below, variant).ok_or_else(missing)
    }

    /// Removes the stored indexes of the roots. Bytes freed.
    pub fn index_clear(&self) -> Result<u64, ToolError> {
        let mut freed = 0;
        for index in &self.indexes().roots {
            let cache = cache::prepare(
                &index.settings,
                &index.coverage.sandbox,
                &index.roots,
                &super::NoFaults,
            )
            .map_err(|why| {
                ToolError::failed("index_path", format!("the cache cannot be used: {}", why.name()))
            })?;
            {
                let mut control = index.control();
                control.storage_mut().take_store();
                control.forget();
                control.tick(&[forge_search_core::index::machine::Trigger::IndexDeleted]);
            }
            // A turn of the background may have it in hand a moment longer.
            let until = Instant::now() + CLEAR_WAIT;
            let mut alone = cache::exclusive(&cache, &index.key.hash());
            while alone.is_none() && Instant::now() < until {
                thread::sleep(LOOK_EVERY);
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

    /// Steps of the state machines since the last time this was asked, one index after the other,
    /// each in order, if [`super::IndexOptions::trace`].
    pub fn index_trace(&self) -> Vec<TraceStep> {
        self.indexes().roots.iter().flat_map(|index| index.control().take_trace()).collect()
    }

    /// Ends the background work as at the end of the process: within `index_shutdown_timeout_ms`,
    /// with a checkpoint.
    pub fn index_shutdown(&self) {
        self.indexes().shut_down();
    }
}
