//! One index and its state: everything under one lock, and the one way to change the state (docs/index.md, section 5).
//!
//! Responsible for: ticks and what they demand at once, what a call or the indexer finds when it asks. Left to neighbours: looking at changed paths ([`super::apply`]), the permission of
//! a call ([`super::gate`]), the background's work ([`super::indexer`], [`super::opening`], [`super::build`]).
//! Invariants: the state changes in [`Control::tick`] only; nothing here waits for IO longer than a few system calls.

use std::{
    collections::{BTreeMap, VecDeque},
    path::PathBuf,
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use forge_search_core::index::{
    budget,
    machine::{self, Action, State, Status, Step, Trigger, Triggers},
    queue::{DirtyKind, DirtyQueue},
    segment::Fingerprint,
    settings::Settings,
    settle::Settler,
};
use parking_lot::{Condvar, Mutex, MutexGuard};

use super::{
    IndexOptions, TraceStep,
    fault::Shortcut,
    files::Files,
    ground::Ground,
    key::Key,
    scan::Directory,
    store::{Listed, Store},
    watch::{Noticed, Watcher},
};

mod ground;

/// Steps kept for whoever asks; older ones are forgotten.
const MOST_STEPS: usize = 1 << 20;
/// Messages waiting for the indexer at most; they are few kinds, and each is worth having once.
const MOST_MESSAGES: usize = 64;

/// What the indexer is told by others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// `index_mode` is another now.
    Mode(&'static str),
    /// Build anew.
    Rebuild,
    /// A call could not get at the index in time.
    LockTimedOut,
    /// A call found what was stored broken.
    Broken,
    /// Another process replaced what this one had read.
    Reload,
    /// This index goes, as if its room were needed.
    Evict,
}

/// Where the index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Storage {
    pub(crate) mode: &'static str,
    pub(crate) fallback: Option<&'static str>,
}

/// A build's progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) phase: &'static str,
    pub(crate) total: Option<u64>,
    pub(crate) done: u64,
    pub(crate) since_ms: u64,
}

/// Everything about one index that changes.
#[expect(clippy::struct_excessive_bools, reason = "wishes for the indexer, each on its own")]
#[derive(Debug)]
pub(crate) struct Control {
    pub(crate) status: Status,
    pub(crate) files: Files,
    pub(crate) directories: BTreeMap<Vec<u8>, Directory>,
    pub(crate) repositories: Vec<Vec<u8>>,
    pub(crate) ignore_files: Vec<(Vec<u8>, Fingerprint)>,
    /// What outside the watched directories decides what is eligible, with what it was.
    pub(crate) inputs: Vec<(PathBuf, Option<Fingerprint>)>,
    /// Device and inode of the root that was indexed.
    pub(crate) root_id: Option<(u64, u64)>,
    /// Some directory lies on a file system whose changes may raise no event.
    pub(crate) remote: bool,
    pub(crate) watcher: Option<Arc<Watcher>>,
    pub(crate) settler: Settler,
    pub(crate) queue: DirtyQueue,
    pub(crate) store: Option<Arc<Store>>,
    /// The segments of the store that were read when it was opened.
    pub(crate) opened: Vec<Listed>,
    pub(crate) storage: Storage,
    pub(crate) messages: VecDeque<Message>,
    pub(crate) mode: &'static str,
    /// The store has to be opened.
    pub(crate) open_wanted: bool,
    pub(crate) process_known: bool,
    pub(crate) check_wanted: bool,
    pub(crate) purge_wanted: bool,
    pub(crate) memory_wanted: bool,
    pub(crate) remove_wanted: bool,
    pub(crate) cooldown_until: Option<u64>,
    /// When the watcher may be tried again.
    pub(crate) watch_retry_ms: u64,
    /// When storing may be tried again.
    pub(crate) store_retry_ms: u64,
    /// When a scan that found something hidden may be tried again.
    pub(crate) scan_retry_ms: u64,
    /// `Files::edits` after the last time all pending files were tried.
    pub(crate) tried_edits: u64,
    /// Something inactive may be left in the store; whether it goes although others read it; when it may be tried again.
    pub(crate) tidy_wanted: bool,
    pub(crate) tidy_forced: bool,
    pub(crate) tidy_retry_ms: u64,
    /// Builds begun in this process, and whether one failed; how often what had been built was found corrupt, and may be (E-C25).
    pub(crate) builds: u64,
    pub(crate) build_failed: bool,
    pub(crate) corruptions: u64,
    pub(crate) most_corruptions: u64,
    /// Evicted: neither opened nor built again before somebody searches or asks for it.
    pub(crate) dormant: bool,
    pub(crate) epoch: i64,
    /// `Files::edits` when the store was last written.
    pub(crate) stored_edits: u64,
    pub(crate) calls_since_counting: u64,
    pub(crate) calls_since_check: u64,
    pub(crate) budget_misses: u32,
    pub(crate) last_used_ms: u64,
    pub(crate) progress: Option<Progress>,
    trace: Option<VecDeque<TraceStep>>,
}

/// What can be read without waiting for the lock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Snapshot {
    pub(crate) status: Status,
    pub(crate) storage: Storage,
    pub(crate) progress: Option<Progress>,
}

/// One index.
#[derive(Debug)]
pub(crate) struct RootIndex {
    pub(crate) key: Key,
    pub(crate) settings: Settings,
    pub(crate) ground: Ground,
    /// All index roots of the service: the cache must be in none of them.
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) options: IndexOptions,
    control: Mutex<Control>,
    snapshot: Mutex<Snapshot>,
    /// Wakes the indexer's thread.
    pub(crate) woken: Condvar,
    pub(crate) waking: Mutex<bool>,
    /// The watcher that the thread waits for, if it waits for one.
    pub(crate) waited_for: Mutex<Weak<Watcher>>,
    /// Held by the one that opens.
    pub(crate) opening: Mutex<()>,
    /// A build, or whatever takes long, is to stop.
    pub(crate) stop_work: AtomicBool,
    /// The service ends.
    pub(crate) ending: AtomicBool,
    pub(crate) last_call_ms: AtomicU64,
}

impl RootIndex {
    /// An index about which nothing is known yet.
    pub(crate) fn new(
        key: Key,
        settings: Settings,
        ground: Ground,
        roots: Vec<PathBuf>,
        options: IndexOptions,
    ) -> Self {
        let storage = Storage { mode: "none", fallback: None };
        let control = Control {
            status: Status::START,
            files: Files::default(),
            directories: BTreeMap::new(),
            repositories: Vec::new(),
            ignore_files: Vec::new(),
            inputs: Vec::new(),
            root_id: None,
            remote: false,
            watcher: None,
            settler: Settler::new(settings.index_watch_debounce_ms),
            queue: DirtyQueue::new(),
            store: None,
            opened: Vec::new(),
            storage,
            messages: VecDeque::new(),
            mode: settings.index_mode,
            open_wanted: true,
            process_known: false,
            check_wanted: false,
            purge_wanted: false,
            memory_wanted: settings.index_storage == "memory",
            remove_wanted: false,
            cooldown_until: None,
            watch_retry_ms: 0,
            store_retry_ms: 0,
            scan_retry_ms: 0,
            tried_edits: 0,
            tidy_wanted: true,
            tidy_forced: false,
            tidy_retry_ms: 0,
            builds: 0,
            build_failed: false,
            corruptions: 0,
            most_corruptions: if settings.index_retry_on_failure { u64::MAX } else { 1 },
            dormant: false,
            epoch: 0,
            stored_edits: 0,
            calls_since_counting: 0,
            calls_since_check: 0,
            budget_misses: 0,
            last_used_ms: 0,
            progress: None,
            trace: options.trace.then(VecDeque::new),
        };
        let snapshot = Snapshot { status: Status::START, storage, progress: None };
        Self {
            key,
            settings,
            ground,
            roots,
            options,
            control: Mutex::new(control),
            snapshot: Mutex::new(snapshot),
            woken: Condvar::new(),
            waking: Mutex::new(false),
            waited_for: Mutex::default(),
            opening: Mutex::default(),
            stop_work: AtomicBool::new(false),
            ending: AtomicBool::new(false),
            last_call_ms: AtomicU64::new(0),
        }
    }

    /// The state, for whoever may wait for it: nothing holds it long.
    pub(crate) fn control(&self) -> Guard<'_> {
        Guard { control: self.control.lock(), index: self }
    }

    /// The state, within `index_lock_timeout_ms` (FR-LSI-IDX-CONC-02).
    pub(crate) fn control_in_time(&self) -> Option<Guard<'_>> {
        let control = self.control.try_lock_for(self.lock_wait())?;
        Some(Guard { control, index: self })
    }

    pub(crate) fn lock_wait(&self) -> Duration {
        Duration::from_millis(self.settings.index_lock_timeout_ms)
    }

    /// The state as it was left last, without waiting.
    pub(crate) fn snapshot(&self) -> Snapshot {
        *self.snapshot.lock()
    }

    pub(crate) fn now_ms(&self) -> u64 {
        self.options.clock.now_ms()
    }

    /// Tells the indexer something.
    pub(crate) fn tell(&self, message: Message) {
        {
            let mut control = self.control();
            if !control.messages.contains(&message) && control.messages.len() < MOST_MESSAGES {
                control.messages.push_back(message);
            }
        }
        self.wake();
    }

    /// Has the indexer look whether there is something to do.
    pub(crate) fn wake(&self) {
        *self.waking.lock() = true;
        self.woken.notify_all();
        if let Some(watcher) = self.waited_for.lock().upgrade() {
            watcher.ring();
        }
    }

    /// Whether a bug is to be left in (the harness finds out whether it would be noticed).
    pub(crate) fn skips(&self, shortcut: Shortcut) -> bool {
        self.options.faults.skips(shortcut)
    }

    /// Whether long work has to stop here.
    pub(crate) fn halted(&self) -> bool {
        self.stop_work.load(Ordering::Relaxed) || self.ending.load(Ordering::Relaxed)
    }
}

/// The state, locked; what others may read without the lock is renewed at the end.
pub(crate) struct Guard<'i> {
    control: MutexGuard<'i, Control>,
    index: &'i RootIndex,
}

impl std::ops::Deref for Guard<'_> {
    type Target = Control;

    fn deref(&self) -> &Control {
        &self.control
    }
}

impl std::ops::DerefMut for Guard<'_> {
    fn deref_mut(&mut self) -> &mut Control {
        &mut self.control
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let Control { status, storage, progress, .. } = *self.control;
        debug_assert!(
            status.state != State::Complete || status.lent || self.directories.contains_key(&b""[..]),
            "whoever gets the lock next would believe a catalog that was forgotten"
        );
        *self.index.snapshot.lock() = Snapshot { status, storage, progress };
    }
}

impl Guard<'_> {
    /// Everything that happened at once, and what follows from it for the state; what has to be done at once is done.
    pub(crate) fn tick(&mut self, triggers: &[Trigger]) -> Step {
        let index = self.index;
        let triggers = Triggers::of(triggers);
        let before = self.status;
        let step = machine::step(before, triggers);
        if let Some(trace) = &mut self.control.trace {
            if trace.len() >= MOST_STEPS {
                trace.pop_front();
            }
            trace.push_back(TraceStep { before, triggers, step });
        }
        self.status = step.status;
        let was_built = !triggers.contains(Trigger::BuildFailedInconsistent);
        if step.status.state == State::Corrupt && before.state != State::Corrupt && was_built {
            self.corruptions += 1;
        }
        for action in step.actions.iter() {
            self.carry_out(action, index);
        }
        debug_assert!(
            self.status.state != State::Corrupt || self.opens_first(),
            "what is corrupt is to be removed or opened anew"
        );
        debug_assert!(
            !(self.is_usable() || self.status.state == State::Building) || !self.opens_first(),
            "nothing is built or relied on that is yet to be removed or opened"
        );
        step
    }

    /// What an action means here. Those that are long are wishes for the indexer.
    fn carry_out(&mut self, action: Action, index: &RootIndex) {
        match action {
            Action::StopBuild => {
                index.stop_work.store(true, Ordering::Relaxed);
                self.progress = None;
            }
            Action::StopWatchers => {
                self.watcher = None;
                self.settler = Settler::new(index.settings.index_watch_debounce_ms);
            }
            Action::ClearQueue => self.queue.clear(),
            Action::CloseStore => {
                self.store = None;
                self.storage.mode = "none";
                self.forget_files();
                self.open_wanted = true;
            }
            Action::RemoveIndex => {
                self.remove_wanted = true;
                self.forget_files();
            }
            Action::UseMemory => {
                self.store = None;
                self.memory_wanted = true;
                self.storage.mode = "memory";
                self.forget_files();
            }
            Action::SetCooldown => {
                self.cooldown_until = budget::cooldown_until(&index.settings, index.now_ms());
            }
            Action::ClearCooldown => self.cooldown_until = None,
            Action::OpenIndex => self.open_wanted = true,
            Action::CheckIntegrity => self.check_wanted = true,
            Action::PurgeDenied => self.purge_wanted = true,
            Action::BumpEpoch => self.epoch += 1,
            Action::TouchAccess => self.last_used_ms = index.now_ms(),
            Action::EnqueueSubtree => self.queue.push(b"", DirtyKind::Subtree),
            // Whoever scanned or built knows what is older, and clears it after the tick.
            Action::ClearOlderEntries => {}
        }
    }

    /// Takes in what the watcher noticed.
    pub(crate) fn notice(&mut self, noticed: Noticed, triggers: &mut Vec<Trigger>) {
        let now = self.index.now_ms();
        if noticed.root_gone {
            triggers.push(Trigger::KeyChanged);
            self.root_id = None;
        }
        if self.index.ground.heeds_ignore_files()
            && noticed.ignore_files.iter().any(|directory| self.directories.contains_key(directory))
            && !self.index.skips(Shortcut::IgnoreFiles)
        {
            triggers.push(Trigger::EligibilityChanged);
        }
        for event in noticed.events {
            self.settler.push(event, now);
        }
    }

    /// Reads what the watcher has; up to what happened before this call, if `everything`. A watcher that fails is no watcher any more.
    pub(crate) fn read_watcher(&mut self, everything: bool, triggers: &mut Vec<Trigger>) {
        let Some(watcher) = self.watcher.clone() else { return };
        if everything && self.index.skips(Shortcut::Drain) {
            return;
        }
        match if everything { watcher.read_to_cookie() } else { watcher.read() } {
            Ok(noticed) => self.notice(noticed, triggers),
            Err(_) => self.lose_watcher(triggers),
        }
    }

    /// The watcher is lost, or does not watch everything.
    pub(crate) fn lose_watcher(&mut self, triggers: &mut Vec<Trigger>) {
        /// Time until it is tried again.
        const RETRY_MS: u64 = 30_000;
        self.watcher = None;
        self.watch_retry_ms = self.index.now_ms().saturating_add(RETRY_MS);
        triggers.push(Trigger::WatcherStopped);
    }

    /// Steps since the last time.
    pub(crate) fn take_trace(&mut self) -> Vec<TraceStep> {
        self.control.trace.as_mut().map(std::mem::take).unwrap_or_default().into()
    }

    /// Whether there is anything to search by.
    pub(crate) fn is_usable(&self) -> bool {
        matches!(self.status.state, State::Complete | State::Uncertain)
    }
}

impl Control {
    /// What is stored is to be removed or opened before anything is built: it would take the place of what was built.
    pub(crate) fn opens_first(&self) -> bool {
        self.remove_wanted || self.open_wanted
    }

    /// Forgets the catalog.
    pub(crate) fn forget_files(&mut self) {
        self.files = Files::default();
        self.directories.clear();
        self.repositories.clear();
        self.ignore_files.clear();
        self.stored_edits = 0;
    }

    /// Bytes the index takes.
    pub(crate) fn size(&self) -> u64 {
        let memory: u64 = self.files.deltas().iter().map(|delta| delta.memory()).sum();
        match &self.store {
            Some(store) => store.size(),
            None => memory + self.files.base().memory(),
        }
    }
}
