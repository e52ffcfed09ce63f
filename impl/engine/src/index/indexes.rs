//! The indexes of a service: made, found by path, ended.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use forge_search_core::{
    index::machine::State,
    index::settings::{Mode, Settings, StorageKind},
    response::{BuildProgress, IndexStats},
};
use parking_lot::Mutex;

use super::{
    IndexOptions, IndexUse,
    coverage::Coverage,
    gate::Bypass,
    key::Key,
    root_index::{RootIndex, Setup, Snapshot},
    schedule::Task,
};
use crate::{
    config::{Config, ConfigError},
    root::{Proofs, path_bytes},
    rulebook::Rulebook,
    sandbox::Sandbox,
};

/// How often a waiting thread checks.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Time to store what is known at the end, at least. What is not committed by then is not stored.
const LEAST_TO_STORE: Duration = Duration::from_millis(300);

/// The indexes of a service, one for each index root.
#[derive(Debug, Default)]
pub(crate) struct Indexes {
    pub(super) roots: Vec<Arc<RootIndex>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
    pub(super) using: IndexUse,
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
        let roots = if by_default { searched_roots(sandbox, settings) } else { given };
        let mut canonical: Vec<PathBuf> = Vec::new();
        for root in &roots {
            let refuse = |source| ConfigError::Root { path: root.clone(), source };
            let found = dunce::canonicalize(sandbox.working_dir().join(root)).map_err(refuse)?;
            let allowed =
                sandbox.root_of(&found).is_some() && !sandbox.is_denied(&found) && found.is_dir();
            if !allowed && by_default {
                // Nothing in a denied working directory is searched, so there is nothing to index.
                continue;
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
                thread::sleep(POLL_INTERVAL);
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
                    // After the timeout the receiver is gone.
                    let _ = done.send(());
                });
                let left = until.saturating_duration_since(Instant::now()).max(LEAST_TO_STORE);
                let _ = ended.recv_timeout(left);
            }
            IndexUse::None | IndexUse::Existing | IndexUse::Background => {}
        }
    }
}

/// What is searched unless a request says otherwise: the working directory, or each of several
/// roots, as many as may have a stored index.
fn searched_roots(sandbox: &Sandbox, settings: &Settings) -> Vec<PathBuf> {
    let most = usize::try_from(settings.index_max_indexes).unwrap_or(usize::MAX);
    match sandbox.named() {
        [] => vec![sandbox.working_dir().to_owned()],
        roots => roots.iter().take(most).map(|root| root.path.clone()).collect(),
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
