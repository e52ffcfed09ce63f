//! The background loop: first tasks, then events, then one slice of the state's duty
//! (docs/index-service.md, section 5).
//!
//! One turn of it does one thing that may take long at most; the state says which (docs/claims.md,
//! rule 8), so that nothing is lost with an event.

use std::{
    thread,
    time::{Duration, Instant},
};

use forge_search_core::index::{
    budget::{Spent, reconcile_exceeded},
    machine::{Duty, State, Trigger},
    segment::Fault,
    settings::Mode,
};

use super::{
    apply::Applied,
    cache,
    drain::{Drained, Extent},
    fault::Point,
    opening::RETRY_MS,
    root_index::RootIndex,
    scan::scan,
    schedule::{Retry, Task},
    tokenize::lower_priority,
    watch::{Watcher, is_limit},
};
use crate::observe;

/// The longest wait of the thread.
const LONGEST_WAIT: Duration = Duration::from_millis(200);
/// The longest slice of applying changes.
const APPLY_SLICE: Duration = Duration::from_millis(50);
/// Slices of one scan before it is abandoned.
const MOST_SLICES: u64 = 10_000;
/// Pause before a scan that failed is repeated.
const SCAN_RETRY_MS: u64 = 2_000;

impl RootIndex {
    /// The thread's loop.
    pub(crate) fn run(&self) {
        lower_priority();
        while !self.is_ending() {
            if !self.turn() {
                self.wait(LONGEST_WAIT);
            }
        }
    }

    /// One turn. Whether there was work.
    pub(crate) fn turn(&self) -> bool {
        if self.is_ending() {
            return false;
        }
        // A stop request concerned the work of the last turn.
        self.set_halted(false);
        // The store is opened first, whatever tasks there are.
        if self.control().schedule().has(Task::Begin) && self.open_if_wanted() {
            return true;
        }
        if let Some(message) = self.next_message() {
            self.run_task(message);
            return true;
        }
        if self.open_if_wanted() || self.check_if_wanted() {
            return true;
        }
        if self.snapshot().status.state == State::Disabled {
            return self.enable_if_due();
        }
        self.apply_events() || self.do_duty() || self.maintain()
    }

    /// The oldest task; a rebuild waits until the store has been removed or opened.
    fn next_message(&self) -> Option<Task> {
        let mut control = self.control();
        let waits = control.schedule().opens_first()
            && matches!(control.state(), State::Absent | State::Corrupt);
        control.schedule_mut().next_message(waits)
    }

    fn run_task(&self, message: Task) {
        match message {
            Task::Mode(mode) => self.set_mode(mode),
            Task::Rebuild => {
                self.calls().set_dormant(false);
                if !matches!(self.control().state(), State::Disabled | State::Building) {
                    self.build(Some(Trigger::RebuildRequested));
                }
            }
            Task::LockTimedOut => {
                self.control().tick(&[Trigger::LockTimedOut]);
            }
            Task::Broken => {
                self.control().tick(&[Trigger::IntegrityFailed]);
            }
            Task::Reload => {
                let mut control = self.control();
                control.tick(&[Trigger::IndexDeleted]);
                control.schedule_mut().add(Task::Open);
            }
            Task::Evict => {
                if self.options.faults.at(Point::Evict).is_ok() {
                    self.calls().set_dormant(true);
                    self.control().tick(&[Trigger::Evicted]);
                }
            }
            Task::Begin
            | Task::Remove
            | Task::Open
            | Task::Check
            | Task::Purge
            | Task::Tidy
            | Task::TidyAll => {}
        }
    }

    /// Sets the mode; `off` takes effect for calls that begin from here on (FR-LSI-ROLL-03).
    pub(crate) fn set_mode(&self, mode: Mode) {
        let mut control = self.control();
        let before = control.set_mode(mode);
        if mode == Mode::Off {
            control.tick(&[Trigger::ModeOff]);
        } else if before == Mode::Off {
            control.tick(&[Trigger::ModeOn]);
        }
    }

    /// Whether opening and building wait for the next call: the index was evicted, or was corrupt
    /// again after a rebuild (E-C25).
    pub(crate) fn awaits_call(&self) -> bool {
        let control = self.control();
        (self.calls().is_dormant() || control.has_given_up())
            && !control.schedule().has(Task::Rebuild)
    }

    /// Carries out a pending removal or opening.
    fn open_if_wanted(&self) -> bool {
        let awaits_call = self.awaits_call();
        let (remove, open) = {
            let control = self.control();
            let schedule = control.schedule();
            let disabled = control.state() == State::Disabled && !schedule.has(Task::Begin);
            let due = !disabled && !awaits_call && schedule.is_due(Retry::Store, self.now_ms());
            (schedule.has(Task::Remove), schedule.has(Task::Open) && due)
        };
        if remove {
            self.remove();
            return true;
        }
        if open && !self.open(true) {
            self.control().schedule_mut().retry_at(Retry::Store, self.now_ms() + RETRY_MS);
        }
        open
    }

    /// Removes the stored index.
    fn remove(&self) {
        let store = {
            let mut control = self.control();
            control.schedule_mut().drop(Task::Remove);
            control.schedule_mut().add(Task::Open);
            control.forget();
            control.storage_mut().take_store()
        };
        let Some(store) = store.filter(|store| store.is_writer()) else { return };
        let path = store.path();
        if path.parent().is_some_and(|cache| cache::remove(cache, &self.key.hash()).is_err()) {
            self.fall_back(cache::Unusable::Store);
        }
    }

    /// The full check after an unclean end, or by the settings.
    fn check_if_wanted(&self) -> bool {
        let store = {
            let mut control = self.control();
            if !control.schedule_mut().drop(Task::Check) {
                return false;
            }
            control.storage().store().cloned()
        };
        let Some(store) = store else { return true };
        let found = match store.check() {
            Ok(None) => match store.verify_rows() {
                Ok((_, findings)) if findings.is_empty() => Trigger::IntegrityConfirmed,
                Err(Fault::Busy) => return true,
                _ => Trigger::IntegrityFailed,
            },
            Err(Fault::Busy) => return true,
            _ => Trigger::IntegrityFailed,
        };
        if found == Trigger::IntegrityFailed {
            observe::index_is_broken(&self.coverage.root, &"a check of all that is stored failed");
        }
        let mut control = self.control();
        // If the state changed meanwhile, its trigger was stronger.
        if control.is_usable() || control.state() == State::Building {
            control.tick(&[found]);
        }
        true
    }

    /// Drains settled events and applies them for one slice.
    fn apply_events(&self) -> bool {
        let Some(Drained { mut control, triggers, renamed }) = self.drain_events(Extent::Settled)
        else {
            return false;
        };
        let had = !triggers.is_empty();
        if had {
            control.tick(&triggers);
        }
        if control.state() != State::Complete || control.changes().is_applied() {
            return had;
        }
        drop(control);
        let applied = self.apply_queue(Some(Instant::now() + APPLY_SLICE));
        let trigger = match (applied, renamed) {
            (Applied::All, true) => Trigger::RenameApplied,
            (Applied::All, false) => Trigger::DirtyUpdateApplied,
            (Applied::Late, true) => Trigger::RenameNotApplied,
            (Applied::Late, false) => Trigger::DirtyUpdateFailed,
            (Applied::Incomplete, _) => Trigger::EnumerationFailed,
        };
        let mut control = self.control();
        // If the state changed meanwhile, its trigger was stronger.
        if control.state() == State::Complete {
            control.tick(&[trigger]);
        }
        true
    }

    fn do_duty(&self) -> bool {
        let (duty, state) = {
            let control = self.control();
            (control.status().duty(), control.state())
        };
        match duty {
            Duty::Build => self.build_if_due(),
            Duty::ResumeBuild => self.resume_if_due(),
            Duty::StartWatchers => self.start_watcher(),
            Duty::Reconcile => self.reconcile(),
            Duty::Drain => self.drain(),
            Duty::None if state == State::Building && self.snapshot().progress.is_none() => {
                // A checkpoint was found: the build goes on.
                self.build(None)
            }
            Duty::None => false,
        }
    }

    fn build_if_due(&self) -> bool {
        let (due, mode, absent) = {
            let control = self.control();
            let failed = control.schedule().has_failed() && !self.settings.index_retry_on_failure;
            let due = control.storage().is_writable() && !self.calls().is_dormant() && !failed;
            (due, control.mode(), control.state() == State::Absent)
        };
        if !due {
            return false;
        }
        if mode == Mode::Auto && absent && !self.is_large() {
            let mut control = self.control();
            if control.state() == State::Absent {
                control.tick(&[Trigger::BelowThreshold]);
            }
            return true;
        }
        self.build(Some(Trigger::BuildStarted))
    }

    fn resume_if_due(&self) -> bool {
        if !self.settings.index_retry_on_failure {
            return false;
        }
        self.build(Some(Trigger::BuildResumed))
    }

    /// Starts a watcher of the known directories, if it is due. Whether it made progress.
    pub(crate) fn start_watcher(&self) -> bool {
        let (due, directories, store) = {
            let control = self.control();
            let due = control.changes().watcher().is_none()
                && control.schedule().is_due(Retry::Watch, self.now_ms());
            let directories: Vec<Vec<u8>> =
                control.catalog().directories().keys().cloned().collect();
            (due, directories, control.storage().store().cloned())
        };
        if !due || !self.settings.index_watch {
            return false;
        }
        let cache = store.and_then(|store| store.path().parent().map(std::path::Path::to_path_buf));
        let cookies = cache.unwrap_or_else(|| {
            let cache = cache::prepare(
                &self.settings,
                &self.coverage.sandbox,
                &self.roots,
                &super::NoFaults,
                true,
            );
            cache.unwrap_or_else(|_| std::env::temp_dir())
        });
        let in_tree = self
            .coverage
            .sandbox
            .contains(&dunce::canonicalize(&cookies).unwrap_or_else(|_| cookies.clone()));
        let started = if in_tree {
            Err(std::io::ErrorKind::Unsupported.into())
        } else {
            Watcher::start(&self.coverage.root, &cookies, &self.options.faults)
        };
        let watched = started.and_then(|watcher| {
            for directory in &directories {
                match watcher.add(&self.coverage.absolute(directory), directory) {
                    Err(err) if is_limit(&err) => return Err(err),
                    // The scan that follows finds directories that are gone or unreadable.
                    _ => {}
                }
            }
            Ok(watcher)
        });
        let mut control = self.control();
        if matches!(control.state(), State::Complete | State::Corrupt | State::Disabled) {
            // The state changed meanwhile; the duty returns if it still applies.
            return false;
        }
        if let Ok(watcher) = watched {
            control.catalog_mut().set_mounts(watcher.mounts());
            control.changes_mut().watch(watcher);
            control.tick(&[Trigger::WatcherStarted]);
        } else {
            let mut triggers = Vec::new();
            control.lose_watcher(&mut triggers);
            control.tick(&triggers);
        }
        true
    }

    /// Scans the whole tree and keeps what is unchanged (FR-LSI-REC-01..03, E-C28, E-C29).
    #[expect(clippy::too_many_lines, reason = "one scan and its outcomes")]
    fn reconcile(&self) -> bool {
        let watcher = {
            let mut control = self.control();
            if !matches!(control.status().duty(), Duty::Reconcile | Duty::Drain) {
                // The state changed since the duty was read.
                return true;
            }
            if !control.schedule().is_due(Retry::Scan, self.now_ms()) {
                return false;
            }
            control.tick(&[Trigger::ReconcileStarted]);
            control.changes_mut().begin_scan();
            control.changes().watcher()
        };
        let root = self.coverage.open().and_then(|root| root.stat(b""));
        let mut slice = (0, self.now_ms());
        let mut slices = 0;
        let (faults, stop) = (&*self.options.faults, || self.halted());
        let found = scan(&self.coverage, b"", watcher.as_deref(), faults, &stop, &mut |files| {
            let elapsed_ms = self.now_ms().saturating_sub(slice.1);
            if reconcile_exceeded(
                &self.settings,
                Spent { elapsed_ms, files: files - slice.0, bytes: 0 },
            ) {
                slice = (files, self.now_ms());
                slices += 1;
                thread::yield_now();
                if slices > MOST_SLICES || self.options.faults.at(Point::ScanSlice).is_err() {
                    return false;
                }
            }
            !self.halted()
        });
        let mut control = self.control();
        if !control.is_usable() {
            // The state changed during the scan; its result is void.
            return true;
        }
        match (found, root) {
            (Ok(scan), Ok(root))
                if !scan.stopped && !scan.incomplete && scan.unwatched.is_none() =>
            {
                control
                    .catalog_mut()
                    .set_root(Some((root.fingerprint.device, root.fingerprint.inode)));
                let unwatched = control.catalog_mut().take_over(self, b"", scan);
                // A name may have changed after the scan passed it.
                control.queue_untraced();
                drop(control);
                self.unwatch(&unwatched);
                // A call that drains events at the same time queues them itself.
                let drained = self.drain_events(Extent::Arrived);
                let (mut control, triggers) = match drained {
                    Some(drained) => (drained.control, drained.triggers),
                    None => (self.control(), Vec::new()),
                };
                if !triggers.is_empty() {
                    control.tick(&triggers);
                }
                if !control.is_usable() {
                    return true;
                }
                let newer = control.changes().has_newer();
                let trigger = if newer {
                    Trigger::ReconcileCompletedWithChanges
                } else {
                    Trigger::ReconcileCompleted
                };
                control.tick(&[trigger]);
            }
            (Ok(scan), _) => {
                let mut triggers = Vec::new();
                if scan.incomplete {
                    triggers.push(Trigger::EnumerationFailed);
                }
                if scan.unwatched.is_some() {
                    control.lose_watcher(&mut triggers);
                }
                triggers.push(Trigger::ReconcileOverBudget);
                control.tick(&triggers);
                control.schedule_mut().retry_at(Retry::Scan, self.now_ms() + SCAN_RETRY_MS);
            }
            (Err(_), _) => {
                control.tick(&[Trigger::EnumerationFailed, Trigger::ReconcileOverBudget]);
                control.schedule_mut().retry_at(Retry::Scan, self.now_ms() + SCAN_RETRY_MS);
            }
        }
        true
    }

    /// Applies the queue in slices; falls back to a scan if that makes no progress.
    fn drain(&self) -> bool {
        let before = {
            let control = self.control();
            if control.status().duty() != Duty::Drain {
                // The state changed since the duty was read.
                return true;
            }
            control.changes().len()
        };
        let applied = self.apply_queue(Some(Instant::now() + APPLY_SLICE));
        let mut control = self.control();
        if control.status().duty() != Duty::Drain {
            return true;
        }
        match applied {
            Applied::All if control.changes().is_applied() => {
                control.tick(&[Trigger::QueueDrained]);
            }
            Applied::All => {}
            Applied::Late if control.changes().len() < before => {}
            // No progress: the whole tree is scanned.
            Applied::Late => {
                drop(control);
                return self.reconcile();
            }
            Applied::Incomplete => {
                control.tick(&[Trigger::EnumerationFailed]);
                control.schedule_mut().retry_at(Retry::Scan, self.now_ms() + SCAN_RETRY_MS);
            }
        }
        true
    }
}
