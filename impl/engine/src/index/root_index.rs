//! One index: its setup, its state behind one lock, and a snapshot of it that is read without that
//! lock.
//!
//! Responsible for: who holds which lock, waking the indexer, the snapshot that calls read. Not
//! here: the state ([`super::control`]), the background's work ([`super::indexer`]), calls
//! ([`super::gate`]). Invariants: the state's lock is held for work in memory only, never during a
//! system call.

use std::{
    ops::Deref,
    path::PathBuf,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use forge_search_core::index::{machine::Status, settings::Settings};
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::{
    IndexOptions, IndexUse,
    control::{Control, Guard},
    coverage::Coverage,
    fault::{self, Sabotage},
    key::Key,
    schedule::Task,
    watch::Watcher,
    words::WordState,
};

/// A build's progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) phase: &'static str,
    pub(crate) total: Option<u64>,
    pub(crate) done: u64,
    pub(crate) since_ms: u64,
}

/// A copy of the state that is read without the lock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snapshot {
    pub(crate) status: Status,
    /// `mode` and `fallback` of the storage.
    pub(crate) storage: (&'static str, Option<&'static str>),
    pub(crate) progress: Option<Progress>,
}

/// The constant part of an index.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) key: Key,
    pub(crate) settings: Settings,
    pub(crate) coverage: Coverage,
    /// All index roots of the service: the cache must be in none of them.
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) options: IndexOptions,
}

/// How long the indexer waits for running calls before it works for a slice beside them, and the
/// length of that slice.
const WAIT_FOR_CALLS: Duration = Duration::from_millis(100);
const SLICE_BESIDE_CALLS: Duration = Duration::from_millis(2);
/// How long no call must run before the indexer goes on: calls often follow each other.
const QUIET: Duration = Duration::from_millis(2);
/// The longest sum of such waits in one build, so that steady calls delay an index by a minute at
/// most.
const MOST_WAITED_MS: u64 = 60_000;

/// The running calls. The indexer waits for them.
#[derive(Debug, Default)]
struct UnderWay {
    calls: usize,
    /// Until when the indexer works beside calls, so that it is not starved.
    slice: Option<Instant>,
}

/// A running call.
pub(crate) struct InCall<'i>(&'i Calls);

impl Drop for InCall<'_> {
    fn drop(&mut self) {
        let mut under_way = self.0.under_way.lock();
        under_way.calls -= 1;
        if under_way.calls == 0 {
            self.0.idle.notify_all();
        }
    }
}

/// Counts and times of calls.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    under_way: Mutex<UnderWay>,
    idle: Condvar,
    /// How long the indexer has waited for calls since a build began.
    waited_ms: AtomicU64,
    last_ms: AtomicU64,
    since_counting: AtomicU64,
    since_check: AtomicU64,
    /// Calls in a row whose share of time did not cover the changes.
    misses: AtomicU32,
    /// Evicted: not opened or built again before the next call.
    dormant: AtomicBool,
}

impl Calls {
    pub(crate) fn begin(&self, now_ms: u64) -> InCall<'_> {
        self.last_ms.store(now_ms, Ordering::Relaxed);
        self.under_way.lock().calls += 1;
        InCall(self)
    }

    /// Waits for running calls: a search uses all cores.
    fn give_way(&self) {
        let mut under_way = self.under_way.lock();
        let began = Instant::now();
        let enough = self.waited_ms() >= MOST_WAITED_MS;
        if enough || under_way.calls == 0 || under_way.slice.is_some_and(|until| began < until) {
            return;
        }
        let until = began + WAIT_FOR_CALLS;
        while under_way.calls > 0 && !self.idle.wait_until(&mut under_way, until).timed_out() {
            // The start of a call sends no notification; this is a pause.
            self.idle.wait_for(&mut under_way, QUIET);
        }
        let ended = Instant::now();
        under_way.slice = (under_way.calls > 0).then(|| ended + SLICE_BESIDE_CALLS);
        let waited = u64::try_from((ended - began).as_millis()).unwrap_or(u64::MAX);
        self.waited_ms.fetch_add(waited, Ordering::Relaxed);
    }

    /// Resets the sum of waits.
    pub(crate) fn begin_build(&self) {
        self.waited_ms.store(0, Ordering::Relaxed);
    }

    pub(crate) fn waited_ms(&self) -> u64 {
        self.waited_ms.load(Ordering::Relaxed)
    }

    /// Counts a call that may use the index.
    pub(crate) fn count_call(&self) {
        self.since_counting.fetch_add(1, Ordering::Relaxed);
        self.since_check.fetch_add(1, Ordering::Relaxed);
        self.dormant.store(false, Ordering::Relaxed);
    }

    pub(crate) fn last_ms(&self) -> u64 {
        self.last_ms.load(Ordering::Relaxed)
    }

    pub(crate) fn since_counting(&self) -> u64 {
        self.since_counting.load(Ordering::Relaxed)
    }

    pub(crate) fn reset_count(&self) {
        self.since_counting.store(0, Ordering::Relaxed);
    }

    /// Whether there were `calls` calls since the last check. If so, resets that count.
    pub(crate) fn check_is_due(&self, calls: u64) -> bool {
        let due = self.since_check.load(Ordering::Relaxed) >= calls;
        if due {
            self.since_check.store(0, Ordering::Relaxed);
        }
        due
    }

    pub(crate) fn reset_late(&self) {
        self.misses.store(0, Ordering::Relaxed);
    }

    /// Counts a late call. The number of late calls in a row.
    pub(crate) fn count_late(&self) -> u32 {
        self.misses.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(crate) fn is_dormant(&self) -> bool {
        self.dormant.load(Ordering::Relaxed)
    }

    pub(crate) fn set_dormant(&self, dormant: bool) {
        self.dormant.store(dormant, Ordering::Relaxed);
    }
}

/// What wakes the indexer's thread, and what stops its work.
#[derive(Debug, Default)]
struct Signal {
    woken: Condvar,
    waking: Mutex<bool>,
    /// The watcher that the thread waits for, if it waits for one.
    waited_for: Mutex<Weak<Watcher>>,
    /// Long work must stop.
    stop: AtomicBool,
    ending: AtomicBool,
}

/// One index.
#[derive(Debug)]
pub(crate) struct RootIndex {
    setup: Setup,
    control: Mutex<Control>,
    snapshot: Mutex<Snapshot>,
    /// Held while events are read and applied, since their order matters.
    draining: Mutex<()>,
    /// Held by the thread that opens.
    opening: Mutex<()>,
    signal: Signal,
    calls: Calls,
    words: Mutex<WordState>,
}

impl Deref for RootIndex {
    type Target = Setup;

    fn deref(&self) -> &Setup {
        &self.setup
    }
}

impl RootIndex {
    /// An index that has not been opened.
    pub(crate) fn new(setup: Setup) -> Self {
        let control = Control::new(&setup.settings, setup.options.trace);
        let snapshot = Mutex::new(control.snapshot());
        Self {
            setup,
            control: Mutex::new(control),
            snapshot,
            draining: Mutex::default(),
            opening: Mutex::default(),
            signal: Signal::default(),
            calls: Calls::default(),
            words: Mutex::default(),
        }
    }

    /// Locks the state. Hold it for work in memory only.
    pub(crate) fn control(&self) -> Guard<'_> {
        Guard::new(self.control.lock(), self)
    }

    /// The snapshot that was published last. Takes no other lock.
    pub(crate) fn snapshot(&self) -> Snapshot {
        *self.snapshot.lock()
    }

    /// Locks what is kept of words. No other lock is taken under it.
    pub(super) fn word_state(&self) -> MutexGuard<'_, WordState> {
        self.words.lock()
    }

    pub(super) fn publish(&self, snapshot: Snapshot) {
        *self.snapshot.lock() = snapshot;
    }

    /// Locks the reading of events; `None` after `lock_wait`. Another thread has then applied them.
    pub(super) fn draining(&self) -> Option<MutexGuard<'_, ()>> {
        self.draining.try_lock_for(self.lock_wait())
    }

    /// Locks opening; `None` if another thread opens.
    pub(super) fn opening(&self) -> Option<MutexGuard<'_, ()>> {
        self.opening.try_lock()
    }

    /// Registers a call until the value is dropped.
    pub(crate) fn begin_call(&self) -> InCall<'_> {
        self.calls.begin(self.now_ms())
    }

    pub(crate) fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Most time to wait for a lock of the store (FR-LSI-IDX-CONC-02).
    pub(crate) fn lock_wait(&self) -> Duration {
        Duration::from_millis(self.settings.index_lock_timeout_ms)
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.options.clock.now_ms()
    }

    /// Adds a task for the indexer and wakes it.
    pub(crate) fn add_task(&self, task: Task) {
        self.control().schedule_mut().add(task);
        self.wake();
    }

    /// Wakes the indexer.
    pub(crate) fn wake(&self) {
        *self.signal.waking.lock() = true;
        self.signal.woken.notify_all();
        let waited_for = self.signal.waited_for.lock().upgrade();
        if let Some(watcher) = waited_for {
            watcher.wake();
        }
    }

    /// Waits for a wake-up or an event, at most `limit`.
    pub(crate) fn wait(&self, limit: Duration) {
        // A clone, so that the state is not locked during the wait.
        let watcher = self.control().changes().watcher();
        if let Some(watcher) = watcher {
            *self.signal.waited_for.lock() = Arc::downgrade(&watcher);
            watcher.wait(limit);
            return;
        }
        let mut waking = self.signal.waking.lock();
        if !*waking {
            self.signal.woken.wait_for(&mut waking, limit);
        }
        *waking = false;
    }

    /// Whether the harness injects this bug, to see that it is detected.
    pub(crate) fn is_sabotaged(&self, sabotage: Sabotage) -> bool {
        fault::is_sabotaged(&*self.options.faults, sabotage)
    }

    /// Pauses for `limit`, or until long work must stop.
    pub(crate) fn rest(&self, limit: Duration) {
        let mut waking = self.signal.waking.lock();
        self.signal.woken.wait_while_for(&mut waking, |_| !self.halted(), limit);
    }

    /// Stops long work, or permits it again.
    pub(crate) fn set_halted(&self, stop: bool) {
        self.signal.stop.store(stop, Ordering::Relaxed);
        // A thread that has just checked is waiting once the lock is free.
        drop(self.signal.waking.lock());
        self.signal.woken.notify_all();
    }

    pub(crate) fn end(&self) {
        self.signal.ending.store(true, Ordering::Relaxed);
        self.wake();
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.signal.ending.load(Ordering::Relaxed)
    }

    /// Waits for running calls. Whether long work may continue. The caller must hold no lock.
    pub(crate) fn may_continue(&self) -> bool {
        if self.options.using != IndexUse::Stepped {
            self.calls.give_way();
        }
        !self.halted()
    }

    /// Whether long work must stop.
    pub(crate) fn halted(&self) -> bool {
        self.signal.stop.load(Ordering::Relaxed) || self.is_ending()
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use forge_search_core::index::settings::StorageKind;

    use super::*;
    use crate::index::{Faults, Point, tests::World};

    #[test]
    fn the_indexer_waits_for_a_call_but_is_not_starved() {
        let calls = Calls::default();
        calls.give_way();
        assert_eq!(calls.waited_ms(), 0, "nobody calls");
        let call = calls.begin(0);
        calls.give_way();
        assert!(calls.waited_ms() >= 100, "it waits for the call");
        assert!(
            calls.under_way.lock().slice.is_some(),
            "it works a slice beside a call that goes on"
        );
        let waited = calls.waited_ms();
        calls.under_way.lock().slice = Some(Instant::now() + Duration::from_secs(3_600));
        calls.give_way();
        assert_eq!(calls.waited_ms(), waited, "it does not wait within a slice");
        calls.under_way.lock().slice = None;
        calls.waited_ms.store(MOST_WAITED_MS, Ordering::Relaxed);
        calls.give_way();
        assert_eq!(calls.waited_ms(), MOST_WAITED_MS, "it has waited enough");
        calls.begin_build();
        drop(call);
        calls.give_way();
        assert_eq!(calls.waited_ms(), 0, "nobody calls any more");
    }

    #[test]
    fn locks_are_awaited_as_long_as_configured() {
        let mut world = World::new(&[]);
        world.settings.index_lock_timeout_ms = 1_234;
        assert_eq!(world.index().lock_wait(), Duration::from_millis(1_234));
    }

    /// Ends an index in the midst of its work.
    #[derive(Debug, Default)]
    struct Ending(Mutex<Weak<RootIndex>>);

    impl Faults for Ending {
        fn at(&self, point: Point) -> io::Result<()> {
            if point == Point::Evict
                && let Some(index) = self.0.lock().upgrade()
            {
                index.end();
            }
            Ok(())
        }
    }

    #[test]
    fn the_indexer_does_not_wait_after_work() {
        let ending = Arc::new(Ending::default());
        let mut world = World::new(&[]);
        world.settings.index_storage = StorageKind::Memory;
        world.options.faults = Arc::<Ending>::clone(&ending);
        let index = Arc::new(world.index());
        *ending.0.lock() = Arc::downgrade(&index);
        assert!(index.open(true));
        index.add_task(Task::Evict);
        index.run();
        assert!(index.is_ending());
        assert!(*index.signal.waking.lock(), "a wait would have used up the wake-up");
    }

    #[test]
    fn the_last_call_to_end_releases_the_indexer() {
        let calls = Calls::default();
        let (first, second) = (calls.begin(0), calls.begin(0));
        drop(first);
        assert_eq!(calls.under_way.lock().calls, 1);
        drop(second);
        assert_eq!(calls.under_way.lock().calls, 0);
    }
}
