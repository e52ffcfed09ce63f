//! The clocks of a life: one for what is due when, one that stamps files.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Instant;

use forge_search_engine::index::{Clock, SystemClock};

/// A clock that a life advances; in real time only for a background thread. The clock of file times
/// runs in real time, and a life may step it.
#[derive(Debug)]
pub(super) struct ManualClock {
    /// Milliseconds between the clock that stamps files and the system's.
    stepped: AtomicI64,
    told: AtomicU64,
    runs: AtomicBool,
    since: Instant,
}

impl Default for ManualClock {
    fn default() -> Self {
        Self {
            stepped: AtomicI64::new(0),
            told: AtomicU64::new(0),
            runs: AtomicBool::new(false),
            since: Instant::now(),
        }
    }
}

impl ManualClock {
    /// Advances the clock.
    pub(super) fn advance(&self, milliseconds: u64) {
        self.told.fetch_add(milliseconds, Ordering::SeqCst);
    }

    /// Steps the clock of file times.
    pub(super) fn step(&self, milliseconds: i64) {
        self.stepped.fetch_add(milliseconds, Ordering::SeqCst);
    }

    /// Runs in real time from now on, for good: stopping would turn it back.
    pub(super) fn run(&self) {
        self.runs.store(true, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> u64 {
        let own =
            if self.runs.load(Ordering::SeqCst) { self.since.elapsed().as_millis() } else { 0 };
        // Never 0, which might look like a clock that was not set.
        let own = u64::try_from(own).unwrap_or(u64::MAX);
        self.told.load(Ordering::SeqCst).saturating_add(own).saturating_add(1_000_000)
    }

    fn stamp_ns(&self) -> i64 {
        let stepped = self.stepped.load(Ordering::SeqCst).saturating_mul(1_000_000);
        SystemClock(self.since).stamp_ns().saturating_add(stepped)
    }
}
