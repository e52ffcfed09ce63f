//! Changes that are not applied yet: the watcher, the debouncer with its events, and the queue of
//! paths to inspect.

use std::sync::Arc;

use forge_search_core::index::{
    debounce::{Change, Debouncer, RawEvent},
    machine::Trigger,
    queue::{DirtyEntry, DirtyKind, DirtyQueue},
};

use super::watch::Watcher;

#[derive(Debug)]
pub(crate) struct Changes {
    watcher: Option<Arc<Watcher>>,
    debounce_ms: u64,
    debouncer: Debouncer,
    queue: DirtyQueue,
    /// The queue's mark at the start of the scan or build.
    mark: u64,
}

impl Changes {
    pub(crate) fn new(debounce_ms: u64) -> Self {
        let debouncer = Debouncer::new(debounce_ms);
        Self { watcher: None, debounce_ms, debouncer, queue: DirtyQueue::new(), mark: 0 }
    }

    pub(crate) fn watcher(&self) -> Option<Arc<Watcher>> {
        self.watcher.clone()
    }

    pub(crate) fn watch(&mut self, watcher: Watcher) {
        self.watcher = Some(Arc::new(watcher));
    }

    /// Drops the watcher. Its earlier events are kept.
    pub(crate) fn lose_watcher(&mut self) {
        self.watcher = None;
    }

    /// Drops the watcher and the debouncer's events.
    pub(crate) fn stop(&mut self) {
        self.watcher = None;
        self.debouncer = Debouncer::new(self.debounce_ms);
    }

    pub(crate) fn push(&mut self, event: RawEvent, now_ms: u64) {
        self.debouncer.push(event, now_ms);
    }

    /// Moves changes from the debouncer to the queue: those that have settled by `now_ms`, or all
    /// if it is `None`. Adds the triggers that follow. Returns whether there was a rename.
    pub(crate) fn settle(
        &mut self,
        now_ms: Option<u64>,
        building: bool,
        triggers: &mut Vec<Trigger>,
    ) -> bool {
        let mut renamed = false;
        loop {
            let changes = match now_ms {
                Some(now_ms) => self.debouncer.drain(now_ms),
                None => self.debouncer.drain_all(),
            };
            if changes.is_empty() {
                return renamed;
            }
            for change in changes {
                match change {
                    Change::Changed(path) | Change::Removed(path) => {
                        self.queue.push(&path, DirtyKind::File);
                    }
                    Change::Renamed { from, to } => {
                        renamed = true;
                        self.queue.push(&from, DirtyKind::File);
                        self.queue.push(&to, DirtyKind::File);
                    }
                    Change::Unclear(path) => {
                        self.queue.push(&path, DirtyKind::File);
                        triggers.push(Trigger::RenameAmbiguous);
                    }
                    Change::Overflow if building => {
                        triggers.push(Trigger::WatcherOverflowedInBuild);
                    }
                    Change::Overflow => triggers.push(Trigger::WatcherOverflowed),
                }
            }
        }
    }

    /// Queues a file or a subtree.
    pub(crate) fn enqueue(&mut self, path: &[u8], kind: DirtyKind) {
        self.queue.push(path, kind);
    }

    /// The queue, oldest entry first.
    pub(crate) fn queued(&self) -> Vec<DirtyEntry> {
        self.queue.ordered()
    }

    /// Whether the queue still has this entry unchanged; `None` if it was removed.
    pub(crate) fn is_current(&self, entry: &DirtyEntry) -> Option<bool> {
        self.queue.generation(&entry.path).map(|generation| generation == entry.generation)
    }

    pub(crate) fn applied(&mut self, entry: &DirtyEntry) {
        self.queue.clear_applied(&entry.path, entry.generation);
    }

    /// Marks the queue at the start of a scan or build.
    pub(crate) fn begin_scan(&mut self) {
        self.mark = self.queue.mark();
    }

    pub(crate) fn has_newer(&self) -> bool {
        self.queue.ordered().iter().any(|entry| entry.generation > self.mark)
    }

    pub(crate) fn clear_older(&mut self) {
        self.queue.clear_older(self.mark);
    }

    pub(crate) fn clear(&mut self) {
        self.queue.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.queue.len()
    }

    /// Whether the queue is empty.
    pub(crate) fn is_applied(&self) -> bool {
        self.queue.is_empty()
    }

    /// Whether the debouncer holds an event of this path.
    pub(crate) fn is_settling(&self, path: &[u8]) -> bool {
        self.debouncer.has(path)
    }

    /// Whether the debouncer is empty.
    pub(crate) fn is_settled(&self) -> bool {
        self.debouncer.is_empty()
    }
}

#[cfg(test)]
mod tests;
