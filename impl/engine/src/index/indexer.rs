//! The background's loop: what was said, what happened, then one slice of what has to be done (docs/index-service.md, section 5).
//!
//! One turn of it does one thing that may take long at most; the state says which (docs/index.md, rule 8), so that nothing is lost with an event.

use std::{
    sync::{Arc, atomic::Ordering},
    thread,
    time::{Duration, Instant},
};

use forge_search_core::index::{
    budget::{Spent, reconcile_exceeded},
    machine::{Action, Duty, State, Trigger},
    segment::Fault,
};

use super::{
    apply::Applied,
    cache,
    control::{Message, RootIndex},
    fault::Point,
    opening::RETRY_MS,
    scan::scan,
    tokenize::lower_priority,
    watch::{Watcher, is_limit},
};

/// How long the thread waits at most before it looks again.
const LONGEST_WAIT: Duration = Duration::from_millis(200);
/// Time that applying changes takes of the lock at once.
const APPLY_SLICE: Duration = Duration::from_millis(50);
/// Slices of one scan, after which it is given up.
const MOST_SLICES: u64 = 10_000;
/// Pause before a scan that failed is repeated.
const SCAN_RETRY_MS: u64 = 2_000;

impl RootIndex {
    /// The thread's loop.
    pub(crate) fn run(&self) {
        lower_priority();
        while !self.ending.load(Ordering::Relaxed) {
            if self.turn() {
                continue;
            }
            let watcher = self.control().watcher.clone();
            if let Some(watcher) = watcher {
                *self.waited_for.lock() = Arc::downgrade(&watcher);
                watcher.wait(LONGEST_WAIT);
            } else {
                let mut waking = self.waking.lock();
                if !*waking {
                    self.woken.wait_for(&mut waking, LONGEST_WAIT);
                }
                *waking = false;
            }
        }
    }

    /// One turn. Whether there was something to do.
    pub(crate) fn turn(&self) -> bool {
        if self.ending.load(Ordering::Relaxed) {
            return false;
        }
        // What was stopped, if anything, was the last turn's work.
        self.stop_work.store(false, Ordering::Relaxed);
        // A process begins with what is stored, whatever it is told.
        if !self.control().process_known && self.open_if_wanted() {
            return true;
        }
        if let Some(message) = self.next_message() {
            self.hear(message);
            return true;
        }
        if self.open_if_wanted() || self.check_if_wanted() {
            return true;
        }
        if self.snapshot().status.state == State::Disabled {
            return self.look_at_disabled();
        }
        self.take_events() || self.do_duty() || self.maintain()
    }

    /// What was said first; to build anew waits until what is stored has been removed or opened.
    fn next_message(&self) -> Option<Message> {
        let mut control = self.control();
        let opens_first =
            control.opens_first() && matches!(control.status.state, State::Absent | State::Corrupt);
        let at =
            control.messages.iter().position(|message| !(opens_first && *message == Message::Rebuild))?;
        control.messages.remove(at)
    }

    fn hear(&self, message: Message) {
        match message {
            Message::Mode(mode) => self.set_mode(mode),
            Message::Rebuild => {
                let state = {
                    let mut control = self.control();
                    control.dormant = false;
                    control.status.state
                };
                if !matches!(state, State::Disabled | State::Building) {
                    self.build(Some(Trigger::RebuildRequested));
                }
            }
            Message::LockTimedOut => {
                self.control().tick(&[Trigger::LockTimedOut]);
            }
            Message::Broken => {
                self.control().tick(&[Trigger::IntegrityFailed]);
            }
            Message::Reload => {
                let mut control = self.control();
                control.tick(&[Trigger::IndexDeleted]);
                control.open_wanted = true;
            }
            Message::Evict => {
                if self.options.faults.at(Point::Evict).is_ok() {
                    let mut control = self.control();
                    control.dormant = true;
                    control.tick(&[Trigger::Evicted]);
                }
            }
        }
    }

    /// Sets the mode; `off` takes effect for calls that begin from here on (FR-LSI-ROLL-03).
    pub(crate) fn set_mode(&self, mode: &'static str) {
        let mut control = self.control();
        let before = std::mem::replace(&mut control.mode, mode);
        if mode == "off" {
            control.tick(&[Trigger::ModeOff]);
        } else if before == "off" {
            control.tick(&[Trigger::ModeOn]);
        }
    }

    /// Removes what is to be removed, and opens what is to be opened.
    fn open_if_wanted(&self) -> bool {
        let (remove, open, disabled, known, retry) = {
            let control = self.control();
            let disabled = control.status.state == State::Disabled;
            (
                control.remove_wanted,
                control.open_wanted && !control.rests(),
                disabled,
                control.process_known,
                control.store_retry_ms,
            )
        };
        if remove {
            let mut control = self.control();
            (control.remove_wanted, control.open_wanted) = (false, true);
            let store = control.store.take();
            control.forget_files();
            drop(control);
            if let Some(store) = store {
                let cache = store.path().parent().map(std::path::Path::to_path_buf);
                if store.is_writer()
                    && let Some(cache) = cache
                    && cache::remove(&cache, &self.key.hash()).is_err()
                {
                    let mut control = self.control();
                    if control.status.state == State::Corrupt {
                        control.tick(&[Trigger::IndexMissing]);
                    }
                    drop(control);
                    return self.fall_back(cache::Unusable::Store);
                }
                drop(store);
            }
            return true;
        }
        if !open || (disabled && known) || self.now_ms() < retry {
            return false;
        }
        if !self.open(true) {
            self.control().store_retry_ms = self.now_ms() + RETRY_MS;
        }
        true
    }

    /// The full check that an unclean end asks for, or the settings do.
    fn check_if_wanted(&self) -> bool {
        let store = {
            let mut control = self.control();
            if !std::mem::take(&mut control.check_wanted) {
                return false;
            }
            control.store.clone()
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
        let mut control = self.control();
        // Whatever has overtaken the check has said more.
        if control.is_usable() || control.status.state == State::Building {
            control.tick(&[found]);
        }
        true
    }

    /// Takes what the watcher has, and applies it while that is quick.
    fn take_events(&self) -> bool {
        let mut control = self.control();
        let mut triggers = Vec::new();
        control.read_watcher(false, &mut triggers);
        let renamed = control.queue_changes(self, false, &mut triggers);
        let had = !triggers.is_empty();
        if had {
            control.tick(&triggers);
        }
        if control.status.state != State::Complete || control.queue.is_empty() {
            return had;
        }
        let applied = control.apply_queue(self, Some(Instant::now() + APPLY_SLICE));
        let trigger = match (applied, renamed) {
            (Applied::All, true) => Trigger::RenameApplied,
            (Applied::All, false) => Trigger::DirtyUpdateApplied,
            (Applied::Late, true) => Trigger::RenameNotApplied,
            (Applied::Late, false) => Trigger::DirtyUpdateFailed,
            (Applied::Hiding, _) => Trigger::EnumerationFailed,
        };
        control.tick(&[trigger]);
        true
    }

    fn do_duty(&self) -> bool {
        let (duty, state) = {
            let control = self.control();
            (control.status.duty(), control.status.state)
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
        let (failed, dormant, mode, usable) = {
            let control = self.control();
            let usable = control.storage.mode == "memory"
                || control.store.as_ref().is_some_and(|store| store.is_writer());
            (control.build_failed, control.dormant, control.mode, usable)
        };
        if !usable || dormant || (failed && !self.settings.index_retry_on_failure) {
            return false;
        }
        if mode == "auto" && self.control().status.state == State::Absent && !self.is_large() {
            let mut control = self.control();
            if control.status.state == State::Absent {
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

    /// Starts watching what is known, if it may be tried. Whether something came of it.
    pub(crate) fn start_watcher(&self) -> bool {
        let (live, retry, directories, store) = {
            let control = self.control();
            let directories: Vec<Vec<u8>> = control.directories.keys().cloned().collect();
            (control.watcher.is_some(), control.watch_retry_ms, directories, control.store.clone())
        };
        if live || !self.settings.index_watch || self.now_ms() < retry {
            return false;
        }
        let cookies = match store
            .as_ref()
            .and_then(|store| store.path().parent().map(std::path::Path::to_path_buf))
        {
            Some(cache) => cache,
            None => match cache::prepare(&self.settings, &self.ground.sandbox, &self.roots, &super::NoFaults)
            {
                Ok(cache) => cache,
                Err(_) => std::env::temp_dir(),
            },
        };
        let in_tree =
            self.ground.sandbox.contains(&cookies.canonicalize().unwrap_or_else(|_| cookies.clone()));
        let started = if in_tree {
            Err(std::io::ErrorKind::Unsupported.into())
        } else {
            Watcher::start(&cookies, &self.options.faults)
        };
        let watched = started.and_then(|watcher| {
            for directory in &directories {
                match watcher.add(&self.ground.absolute(directory), directory) {
                    Err(err) if is_limit(&err) => return Err(err),
                    // What is gone or closed is found by the scan that has to follow.
                    _ => {}
                }
            }
            Ok(watcher)
        });
        let mut control = self.control();
        if matches!(control.status.state, State::Complete | State::Corrupt | State::Disabled) {
            // Lent to a call that has verified it, or found broken or switched off a moment ago; the duty comes again if it has to.
            return false;
        }
        if let Ok(watcher) = watched {
            control.watcher = Some(Arc::new(watcher));
            control.tick(&[Trigger::WatcherStarted]);
        } else {
            let mut triggers = Vec::new();
            control.lose_watcher(&mut triggers);
            control.tick(&triggers);
        }
        true
    }

    /// Looks at everything, and keeps what is unchanged (FR-LSI-REC-01..03, E-C28, E-C29).
    fn reconcile(&self) -> bool {
        let (watcher, mark) = {
            let mut control = self.control();
            if !matches!(control.status.duty(), Duty::Reconcile | Duty::Drain) {
                // Something has overtaken it since the duty was read, such as being switched off.
                return true;
            }
            if self.now_ms() < control.scan_retry_ms {
                return false;
            }
            control.tick(&[Trigger::ReconcileStarted]);
            (control.watcher.clone(), control.queue.mark())
        };
        let root = self.ground.open().and_then(|root| root.stat(b""));
        let mut slice = (0, self.now_ms());
        let mut slices = 0;
        let found = scan(&self.ground, b"", watcher.as_deref(), &*self.options.faults, &mut |files| {
            let elapsed_ms = self.now_ms().saturating_sub(slice.1);
            if reconcile_exceeded(&self.settings, Spent { elapsed_ms, files: files - slice.0, bytes: 0 }) {
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
        let mut triggers = Vec::new();
        if !control.is_usable() {
            // Something has overtaken the scan; it is of no use any more.
            return true;
        }
        match (found, root) {
            (Ok(scan), Ok(root)) if !scan.stopped && !scan.hiding && scan.unwatched.is_none() => {
                control.root_id = Some((root.fingerprint.device, root.fingerprint.inode));
                control.remote = self.ground.open().map_or(true, |root| root.is_remote());
                control.take_over(self, b"", scan);
                control.read_watcher(false, &mut triggers);
                control.queue_changes(self, true, &mut triggers);
                if !triggers.is_empty() {
                    control.tick(&triggers);
                }
                let newer = control.queue.ordered().iter().any(|entry| entry.generation > mark);
                let trigger =
                    if newer { Trigger::ReconcileCompletedWithChanges } else { Trigger::ReconcileCompleted };
                let step = control.tick(&[trigger]);
                if step.actions.contains(Action::ClearOlderEntries) {
                    control.queue.clear_older(mark);
                }
            }
            (Ok(scan), _) => {
                if scan.hiding {
                    triggers.push(Trigger::EnumerationFailed);
                }
                if scan.unwatched.is_some() {
                    control.lose_watcher(&mut triggers);
                }
                triggers.push(Trigger::ReconcileOverBudget);
                control.tick(&triggers);
                control.scan_retry_ms = self.now_ms() + SCAN_RETRY_MS;
            }
            (Err(_), _) => {
                control.tick(&[Trigger::EnumerationFailed, Trigger::ReconcileOverBudget]);
                control.scan_retry_ms = self.now_ms() + SCAN_RETRY_MS;
            }
        }
        true
    }

    /// Applies what is queued, in slices; what is too long for that is scanned.
    fn drain(&self) -> bool {
        let mut control = self.control();
        if control.status.duty() != Duty::Drain {
            // Something has overtaken it since the duty was read, and said more.
            return true;
        }
        let before = control.queue.len();
        match control.apply_queue(self, Some(Instant::now() + APPLY_SLICE)) {
            // Under the same lock, so that nothing comes in between being applied and being said to be.
            Applied::All => {
                control.tick(&[Trigger::QueueDrained]);
            }
            Applied::Late if control.queue.len() < before => {}
            // No headway: the whole tree is looked at, without the lock.
            Applied::Late => {
                drop(control);
                return self.reconcile();
            }
            Applied::Hiding => {
                control.tick(&[Trigger::EnumerationFailed]);
                control.scan_retry_ms = self.now_ms() + SCAN_RETRY_MS;
            }
        }
        true
    }
}
