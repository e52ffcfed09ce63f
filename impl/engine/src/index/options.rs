//! Options of an index, and the result of a check.

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
