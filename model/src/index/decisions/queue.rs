//! The dirty queue: outdated paths, their order, and which may be cleared when a scan or an update
//! ends (FR-LSI-TRK-05, FR-LSI-TRK-10, E-C02, E-C03, E-C46).
//!
//! Invariants: one entry per path, and none below a SUBTREE; numbers only grow; an entry queued
//! again after a scan began or an update was handed out stays. Paths are bytes with `/` between
//! names, relative to the root, which is the empty path.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::index::tables::{DecisionTables, QueueOrder};

/// The extent of an outdated path; the larger kind is last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    File,
    Subtree,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub path: Vec<u8>,
    pub kind: Kind,
    /// When it was first queued: its position in the order.
    pub number: u64,
    /// When it, or an entry that it covers, was last queued: determines whether it may be cleared.
    pub generation: u64,
}

#[derive(Debug, Clone)]
pub struct DirtyQueue<'a> {
    tables: DecisionTables<'a>,
    entries: BTreeMap<Vec<u8>, Entry>,
    next: u64,
}

impl<'a> DirtyQueue<'a> {
    /// An empty queue.
    pub fn new(tables: &DecisionTables<'a>) -> Self {
        Self { tables: *tables, entries: BTreeMap::new(), next: 0 }
    }

    /// The number of the next entry. Entries of a smaller generation were queued before.
    pub fn mark(&self) -> u64 {
        self.next
    }

    pub fn queue(&mut self, path: &[u8], kind: Kind) {
        let now = self.next;
        self.next = now.saturating_add(1);
        if let Some(covering) = self.entries.values_mut().find(|entry| covers(entry, path)) {
            covering.generation = now;
            return;
        }
        let mut entry = Entry { path: path.to_vec(), kind, number: now, generation: now };
        if let Some(queued) = self.entries.remove(path) {
            entry.kind = entry.kind.max(queued.kind);
            entry.number = queued.number;
        }
        self.entries.retain(|below, _| !covers(&entry, below));
        self.entries.insert(path.to_vec(), entry);
        if self.entries.len() as u64 > self.tables.queue_limit {
            self.entries.clear();
            let root =
                Entry { path: Vec::new(), kind: Kind::Subtree, number: now, generation: now };
            self.entries.insert(Vec::new(), root);
        }
    }

    /// The entries in the order of processing.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries: Vec<Entry> = self.entries.values().cloned().collect();
        entries.sort_by(|one, other| goes_first(self.tables.queue, one, other));
        entries
    }

    /// `clear_older_entries`: removes entries queued before a scan or build began; `began` is the
    /// mark of that moment.
    pub fn clear_older(&mut self, began: u64) {
        self.entries.retain(|_, entry| entry.generation >= began);
    }

    /// `clear_applied_entries`: removes entries that were applied, unless they were queued again.
    pub fn clear_applied(&mut self, applied: &[Entry]) {
        let is_applied = |entry: &Entry| {
            applied
                .iter()
                .any(|done| done.path == entry.path && done.generation >= entry.generation)
        };
        self.entries.retain(|_, entry| !is_applied(entry));
    }

    /// `clear_queue`: removes all entries. Numbers continue to grow.
    pub fn clear(&mut self) {
        self.entries.clear();
    }
}

/// Whether an entry is a SUBTREE with this path below it.
fn covers(entry: &Entry, path: &[u8]) -> bool {
    let below_root = entry.path.is_empty() && !path.is_empty();
    let below = path.strip_prefix(entry.path.as_slice()).is_some_and(|rest| rest.starts_with(b"/"));
    entry.kind == Kind::Subtree && (below_root || below)
}

/// Whether `one` is processed before `other`.
fn goes_first(criteria: &[QueueOrder], one: &Entry, other: &Entry) -> Ordering {
    let compared = criteria.iter().map(|criterion| match criterion {
        QueueOrder::OldestSequence => one.number.cmp(&other.number),
        QueueOrder::PathBytes => one.path.cmp(&other.path),
    });
    compared.fold(Ordering::Equal, Ordering::then)
}
