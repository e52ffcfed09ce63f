//! The state of one index: its parts under one lock, and the one way to change the status
//! (docs/claims.md, section 5).
//!
//! Responsible for: steps of the state machine with their immediate actions, and applying the
//! watcher's events. Not here: the parts ([`super::catalog`], [`super::changes`],
//! [`super::storage`], [`super::schedule`]), inspecting changed paths ([`super::apply`]), the
//! permission of a call ([`super::gate`]), the background's work ([`super::indexer`],
//! [`super::opening`], [`super::build`]). Invariants: the status changes in [`Guard::tick`] only;
//! nothing here makes a system call.

use std::{collections::VecDeque, ops::Deref};

use forge_search_core::index::{
    budget,
    machine::{self, Action, State, Status, Step, Trigger, Triggers},
    queue::DirtyKind,
    settings::{Mode, Settings, StorageKind},
};
use parking_lot::MutexGuard;

use super::{
    TraceStep,
    catalog::Catalog,
    changes::Changes,
    fault::Sabotage,
    root_index::{Progress, RootIndex, Snapshot},
    schedule::{Retry, Schedule, Task},
    storage::{Location, Storage},
    watch::WatcherEvents,
};
use crate::rules::decides;

/// Size of the ring buffer of trace steps.
const MOST_STEPS: usize = 1 << 20;
/// Pause before a lost watcher is started again.
const WATCH_RETRY_MS: u64 = 30_000;

/// Values of [`super::catalog::Files::edits`] at certain moments, and the epoch of the index.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watermarks {
    /// At the last attempt to tokenize all pending files.
    pub(crate) tried_edits: u64,
    /// At the last write of the store.
    pub(crate) stored_edits: u64,
    /// Whether that write held files without n-grams.
    pub(crate) stored_unread: bool,
    pub(crate) epoch: i64,
}

/// The variable part of an index.
#[derive(Debug)]
pub(crate) struct Control {
    status: Status,
    mode: Mode,
    catalog: Catalog,
    changes: Changes,
    storage: Storage,
    schedule: Schedule,
    watermarks: Watermarks,
    progress: Option<Progress>,
    trace: Option<VecDeque<TraceStep>>,
}

impl Control {
    pub(crate) fn new(settings: &Settings, trace: bool) -> Self {
        Self {
            status: Status::START,
            mode: settings.index_mode,
            catalog: Catalog::default(),
            changes: Changes::new(settings.index_watch_debounce_ms),
            storage: Storage::new(settings.index_storage == StorageKind::Memory),
            schedule: Schedule::new(settings),
            watermarks: Watermarks::default(),
            progress: None,
            trace: trace.then(VecDeque::new),
        }
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let storage = (self.storage.mode(), self.storage.fallback());
        Snapshot { status: self.status, storage, progress: self.progress }
    }

    pub(crate) fn status(&self) -> Status {
        self.status
    }

    pub(crate) fn state(&self) -> State {
        self.status.state
    }

    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }

    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    pub(crate) fn storage(&self) -> &Storage {
        &self.storage
    }

    pub(crate) fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    pub(crate) fn watermarks(&self) -> Watermarks {
        self.watermarks
    }

    pub(crate) fn progress(&self) -> Option<Progress> {
        self.progress
    }

    /// Whether the state permits searches to consult the index.
    pub(crate) fn is_usable(&self) -> bool {
        matches!(self.state(), State::Complete | State::Uncertain)
    }

    /// Whether rebuilt indexes were corrupt too often; nothing is done before the next call
    /// (E-C25).
    pub(crate) fn has_given_up(&self) -> bool {
        self.state() == State::Corrupt && self.schedule.has_given_up()
    }

    /// Whether the store equals the catalog.
    pub(crate) fn is_stored(&self) -> bool {
        let files = self.catalog.files();
        files.edits() == self.watermarks.stored_edits || files.base().id().is_none()
    }

    /// Whether there are pending files that were not tried since the last edit.
    pub(crate) fn has_untried(&self) -> bool {
        let files = self.catalog.files();
        files.pending_count() > 0 && self.watermarks.tried_edits != files.edits()
    }

    /// Size in bytes, in memory or on disk.
    pub(crate) fn size(&self) -> u64 {
        let files = self.catalog.files();
        let memory: u64 = files.deltas().iter().map(|delta| delta.memory()).sum();
        self.storage.store().map_or_else(|| memory + files.base().memory(), |store| store.size())
    }

    /// The trigger of an index that is too large. A process that does not write holds it in memory.
    pub(crate) fn exceeded(&self) -> Trigger {
        if self.storage.writer().is_some() {
            Trigger::DiskExceeded
        } else {
            Trigger::MemoryExceeded
        }
    }
}

/// The locked state. Publishes a snapshot when it is dropped.
pub(crate) struct Guard<'i> {
    control: MutexGuard<'i, Control>,
    index: &'i RootIndex,
}

impl Deref for Guard<'_> {
    type Target = Control;

    fn deref(&self) -> &Control {
        &self.control
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        debug_assert!(
            self.status.state != State::Complete || self.status.lent || self.catalog.is_known(),
            "whoever gets the lock next would believe a catalog that was forgotten"
        );
        self.index.publish(self.control.snapshot());
    }
}

impl<'i> Guard<'i> {
    pub(super) fn new(control: MutexGuard<'i, Control>, index: &'i RootIndex) -> Self {
        Self { control, index }
    }

    pub(crate) fn catalog_mut(&mut self) -> &mut Catalog {
        &mut self.control.catalog
    }

    pub(crate) fn changes_mut(&mut self) -> &mut Changes {
        &mut self.control.changes
    }

    pub(crate) fn storage_mut(&mut self) -> &mut Storage {
        &mut self.control.storage
    }

    pub(crate) fn schedule_mut(&mut self) -> &mut Schedule {
        &mut self.control.schedule
    }

    pub(crate) fn watermarks_mut(&mut self) -> &mut Watermarks {
        &mut self.control.watermarks
    }

    pub(crate) fn progress_mut(&mut self) -> &mut Option<Progress> {
        &mut self.control.progress
    }

    /// Sets the mode and returns the previous one.
    pub(crate) fn set_mode(&mut self, mode: Mode) -> Mode {
        std::mem::replace(&mut self.control.mode, mode)
    }

    /// The steps recorded since the last call.
    pub(crate) fn take_trace(&mut self) -> Vec<TraceStep> {
        self.control.trace.as_mut().map(std::mem::take).unwrap_or_default().into()
    }

    /// Injects the bug [`Sabotage::Reopen`].
    pub(crate) fn believe(&mut self) {
        self.control.status.reasons = machine::Reasons::NONE;
    }

    /// Forgets the catalog.
    pub(crate) fn forget(&mut self) {
        self.control.catalog.forget();
        self.control.watermarks.stored_edits = 0;
    }

    /// One step of the state machine over a set of triggers. Carries out its actions; long ones
    /// become tasks.
    pub(crate) fn tick(&mut self, triggers: &[Trigger]) -> Step {
        let triggers = Triggers::of(triggers);
        let before = self.status;
        let step = machine::step(before, triggers);
        if let Some(trace) = &mut self.control.trace {
            if trace.len() >= MOST_STEPS {
                trace.pop_front();
            }
            trace.push_back(TraceStep { before, triggers, step });
        }
        self.control.status = step.status;
        let was_built = !triggers.contains(Trigger::BuildFailedInconsistent);
        if step.status.state == State::Corrupt && before.state != State::Corrupt && was_built {
            self.control.schedule.count_corruption();
        }
        for action in step.actions.iter() {
            self.carry_out(action);
        }
        let opens_first = self.schedule.opens_first();
        debug_assert!(
            self.state() != State::Corrupt || opens_first,
            "what is corrupt is to be removed or opened anew"
        );
        debug_assert!(
            !(self.is_usable() || self.state() == State::Building) || !opens_first,
            "nothing is built or relied on that is yet to be removed or opened"
        );
        step
    }

    /// Carries out an action, or adds a task for the indexer if it takes long.
    fn carry_out(&mut self, action: Action) {
        let index = self.index;
        let control = &mut *self.control;
        match action {
            Action::EnqueueSubtree => control.changes.enqueue(b"", DirtyKind::Subtree),
            Action::PurgeDenied => control.schedule.add(Task::Purge),
            Action::StopBuild => {
                index.set_halted(true);
                control.progress = None;
            }
            Action::StopWatchers => control.changes.stop(),
            Action::RemoveIndex => {
                control.schedule.add(Task::Remove);
                self.forget();
            }
            Action::ClearQueue => control.changes.clear(),
            Action::ClearOlderEntries => control.changes.clear_older(),
            Action::BumpEpoch => control.watermarks.epoch += 1,
            Action::CloseStore => {
                control.storage.set(Location::Nowhere);
                control.schedule.add(Task::Open);
                self.forget();
            }
            Action::UseMemory => {
                control.storage.use_memory();
                self.forget();
            }
            Action::SetCooldown => {
                let until = budget::cooldown_until(&index.settings, index.now_ms());
                control.schedule.set_cooldown(until);
            }
            Action::ClearCooldown => control.schedule.set_cooldown(None),
            Action::OpenIndex => control.schedule.add(Task::Open),
            Action::CheckIntegrity => control.schedule.add(Task::Check),
            Action::TouchAccess => control.storage.touch(),
        }
    }

    /// Applies the watcher's events and adds the triggers that follow.
    pub(super) fn apply_watcher_events(
        &mut self,
        noticed: WatcherEvents,
        triggers: &mut Vec<Trigger>,
    ) {
        let index = self.index;
        let now = index.now_ms();
        if noticed.root_gone {
            triggers.push(Trigger::KeyChanged);
            self.control.catalog.set_root(None);
        }
        let known = |directory: &Vec<u8>| self.catalog.directories().contains_key(directory);
        if index.coverage.heeds_ignore_files()
            && noticed.ignore_files.iter().any(known)
            && !index.is_sabotaged(Sabotage::IgnoreFiles)
        {
            triggers.push(Trigger::EligibilityChanged);
        }
        for event in noticed.events {
            if self.control.catalog.apply_event(index, &event) {
                self.control.changes.push(event, now);
            }
        }
        let has_catalog = self.state() != State::Absent;
        if has_catalog
            && index.coverage.heeds_ignore_files()
            && noticed
                .mounted
                .iter()
                .any(|location| location.split(|byte| *byte == b'/').any(decides))
        {
            triggers.push(Trigger::EligibilityChanged);
        }
        for location in noticed.mounted {
            self.control.changes.enqueue(&location, DirtyKind::Subtree);
        }
        if let Some(mounts) = noticed.mounts {
            self.control.catalog.set_mounts(mounts);
        }
        self.queue_untraced();
    }

    /// Queues the whole tree after a write that could not be attributed to a file.
    pub(super) fn queue_untraced(&mut self) {
        if self.control.catalog.take_untraced() {
            self.control.changes.enqueue(b"", DirtyKind::Subtree);
        }
    }

    /// Drops a watcher that failed or does not watch everything.
    pub(crate) fn lose_watcher(&mut self, triggers: &mut Vec<Trigger>) {
        let retry = self.index.now_ms().saturating_add(WATCH_RETRY_MS);
        self.control.changes.lose_watcher();
        self.control.schedule.retry_at(Retry::Watch, retry);
        triggers.push(Trigger::WatcherStopped);
    }
}
