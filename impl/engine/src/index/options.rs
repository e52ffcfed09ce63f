//! Options and status of an index.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use super::fault::{Faults, NoFaults};

/// How a process uses indexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexUse {
    /// Not at all.
    #[default]
    None,
    /// A stored index is read, after each call has checked it against the tree. Nothing is written.
    Existing,
    /// One background thread for each root builds, watches and stores.
    Background,
    /// As `Background`, but the work is done by [`crate::Service::index_turn`], on the caller's
    /// thread.
    Stepped,
}

/// The options of an index.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// How it is used.
    pub using: IndexUse,
    /// Injected faults.
    pub faults: Arc<dyn Faults>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Whether to record every step of the state machine for [`crate::Service::index_trace`].
    pub trace: bool,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            using: IndexUse::default(),
            faults: Arc::new(NoFaults),
            clock: Arc::new(SystemClock(Instant::now())),
            trace: false,
        }
    }
}

/// A monotonic clock, and the clock of file times.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Milliseconds since an arbitrary start.
    fn now_ms(&self) -> u64;

    /// Nanoseconds since the epoch, by the clock of file times, which may step either way.
    fn stamp_ns(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    }
}

/// The system's clocks.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(pub Instant);

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The status of an index.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct IndexStatus {
    /// The index root.
    pub root: PathBuf,
    /// `ABSENT`, `BUILDING`, `COMPLETE`, `UNCERTAIN`, `CORRUPT` or `DISABLED`.
    pub state: &'static str,
    /// The reason of UNCERTAIN or DISABLED.
    pub reason: Option<&'static str>,
    /// The duty of the background thread.
    pub duty: &'static str,
    /// Whether the tree is watched.
    pub watcher_live: bool,
    /// Whether this process writes the store; of the processes that share an index one does.
    pub writer: bool,
    /// Files in the catalog.
    pub files: u64,
    /// Files among them whose n-grams are not known yet.
    pub pending: u64,
    /// Bytes of the files whose n-grams are known.
    pub indexed_bytes: u64,
    /// Directories in the catalog.
    pub directories: u64,
    /// Number of segments.
    pub segments: u64,
    /// `memory`, `sqlite` or `none`.
    pub storage: &'static str,
    /// Why it differs from the configured storage.
    pub storage_fallback_reason: Option<&'static str>,
    /// The path of the database.
    pub file: Option<PathBuf>,
    /// Bytes on disk or in memory.
    pub size_bytes: u64,
    /// `ENUMERATE`, `TOKENIZE`, `PERSIST` or `ACTIVATE`, while a build runs.
    pub build_phase: Option<&'static str>,
    /// Files to index, once they have been enumerated.
    pub build_files_total: Option<u64>,
    /// Files indexed so far.
    pub build_files_done: Option<u64>,
    /// Milliseconds since the build began.
    pub build_elapsed_ms: Option<u64>,
}

/// The result of comparing an index with its tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct IndexCheck {
    /// The index root.
    pub root: PathBuf,
    /// Files compared.
    pub files: u64,
    /// Blocks whose checksums were verified.
    pub blocks: u64,
    /// The differences, in path order, at most 1000; empty if there are none.
    pub findings: Vec<String>,
}
