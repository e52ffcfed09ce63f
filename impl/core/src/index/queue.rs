//! The dirty queue: what is known to have changed and is not yet applied (FR-LSI-TRK-05,
//! FR-LSI-TRK-10, E-C46).
//!
//! Responsible for: the order of processing, what covers what, and which entries a finished scan
//! may clear. Not here: bursts of watcher events ([`super::debounce`]), doing the work
//! (the engine). Invariants: at most [`MOST_ENTRIES`] entries; a path stands in it once; nothing
//! below a queued directory stands in it.

use std::collections::BTreeMap;

/// Entries at most; beyond, the whole tree is dirty.
pub const MOST_ENTRIES: usize = 100_000;

/// How much is dirty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DirtyKind {
    /// The file of this path.
    File,
    /// Whatever is at this path and below it.
    Subtree,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirtyEntry {
    /// Relative to the index root, `/`-separated, raw bytes; empty for the root itself.
    pub path: Vec<u8>,
    /// How much is dirty.
    pub kind: DirtyKind,
    /// When it was queued first: its place.
    pub first: u64,
    /// When it was queued last: what a scan must have begun after to clear it.
    pub generation: u64,
}

/// The queue. Numbers are given by the queue and only grow, whatever clocks do.
#[derive(Clone, Debug, Default)]
pub struct DirtyQueue {
    entries: BTreeMap<Vec<u8>, Stamped>,
    last: u64,
}

#[derive(Clone, Copy, Debug)]
struct Stamped {
    kind: DirtyKind,
    first: u64,
    generation: u64,
}

impl DirtyQueue {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Queues a path. One that is queued keeps its place; a directory takes over what is queued
    /// below it.
    pub fn push(&mut self, path: &[u8], kind: DirtyKind) {
        self.last += 1;
        let now = self.last;
        if let Some(above) = self.covering(path) {
            if let Some(entry) = self.entries.get_mut(&above) {
                entry.generation = now;
            }
            return;
        }
        let mut entry = Stamped { kind, first: now, generation: now };
        if let Some(old) = self.entries.remove(path) {
            entry = Stamped { kind: kind.max(old.kind), first: old.first, generation: now };
        }
        if entry.kind == DirtyKind::Subtree {
            self.drop_below(path);
        }
        if self.entries.len() >= MOST_ENTRIES {
            self.entries.clear();
            self.entries.insert(
                Vec::new(),
                Stamped { kind: DirtyKind::Subtree, first: now, generation: now },
            );
            return;
        }
        self.entries.insert(path.to_vec(), entry);
    }

    /// Forgets what is queued below a directory. Everything below `d` stands between `d/` and `d0`,
    /// the byte after the slash.
    fn drop_below(&mut self, directory: &[u8]) {
        if directory.is_empty() {
            self.entries.clear();
            return;
        }
        let first = [directory, b"/"].concat();
        let after = [directory, b"0"].concat();
        let below: Vec<Vec<u8>> =
            self.entries.range(first..after).map(|(path, _)| path.clone()).collect();
        for path in below {
            self.entries.remove(&path);
        }
    }

    /// The queued directory above `path` that covers it.
    fn covering(&self, path: &[u8]) -> Option<Vec<u8>> {
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
        let above = std::iter::once(0).filter(|_| !path.is_empty()).chain(ends);
        above
            .filter_map(|end| path.get(..end))
            .find(|directory| {
                self.entries.get(*directory).is_some_and(|entry| entry.kind == DirtyKind::Subtree)
            })
            .map(<[u8]>::to_vec)
    }

    /// What is queued, in the order of processing: by number, then by path.
    pub fn ordered(&self) -> Vec<DirtyEntry> {
        let mut entries: Vec<DirtyEntry> = self
            .entries
            .iter()
            .map(|(path, entry)| DirtyEntry {
                path: path.clone(),
                kind: entry.kind,
                first: entry.first,
                generation: entry.generation,
            })
            .collect();
        entries.sort_by_key(|entry| entry.first);
        entries
    }

    /// When what stands at a path was queued last.
    pub fn generation(&self, path: &[u8]) -> Option<u64> {
        self.entries.get(path).map(|entry| entry.generation)
    }

    /// A mark for a scan that begins now: what is queued so far is older.
    pub fn mark(&self) -> u64 {
        self.last
    }

    /// Forgets what was queued before a scan began (E-C02, E-C03). Says whether something newer is
    /// left.
    pub fn clear_older(&mut self, mark: u64) -> bool {
        self.entries.retain(|_, entry| entry.generation > mark);
        !self.entries.is_empty()
    }

    /// Forgets entries that were applied as they stood at `generation`; one that was queued again
    /// since then stays.
    pub fn clear_applied(&mut self, path: &[u8], generation: u64) {
        if self.entries.get(path).is_some_and(|entry| entry.generation <= generation) {
            self.entries.remove(path);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Whether nothing is queued.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether a file's entry is in doubt: it, or a directory above it, is queued.
    pub fn covers(&self, path: &[u8]) -> bool {
        self.entries.contains_key(path) || self.covering(path).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(paths: &[(&str, DirtyKind)]) -> DirtyQueue {
        let mut queue = DirtyQueue::new();
        for (path, kind) in paths {
            queue.push(path.as_bytes(), *kind);
        }
        queue
    }

    fn shown(queue: &DirtyQueue) -> Vec<(String, DirtyKind, u64)> {
        let text = |entry: DirtyEntry| {
            (String::from_utf8_lossy(&entry.path).into_owned(), entry.kind, entry.first)
        };
        queue.ordered().into_iter().map(text).collect()
    }

    #[test]
    fn the_queue_is_ordered_by_age_and_requeueing_keeps_the_place() {
        let queue =
            queue(&[("b", DirtyKind::File), ("a", DirtyKind::File), ("b", DirtyKind::Subtree)]);
        assert_eq!(
            shown(&queue),
            [("b".to_owned(), DirtyKind::Subtree, 1), ("a".to_owned(), DirtyKind::File, 2)]
        );
    }

    #[test]
    fn a_queued_directory_replaces_only_the_entries_below_it() {
        let queue = queue(&[
            ("d/x", DirtyKind::File),
            ("d.rs", DirtyKind::File),
            ("d", DirtyKind::Subtree),
            ("d/y/z", DirtyKind::File),
        ]);
        assert_eq!(
            shown(&queue),
            [("d.rs".to_owned(), DirtyKind::File, 2), ("d".to_owned(), DirtyKind::Subtree, 3)]
        );
        assert!(queue.covers(b"d/q") && !queue.covers(b"dd"));
    }

    #[test]
    fn a_scan_clears_only_entries_queued_before_it_began() {
        let mut queue = queue(&[("a", DirtyKind::File), ("b", DirtyKind::File)]);
        let mark = queue.mark();
        queue.push(b"a", DirtyKind::File);
        assert!(queue.clear_older(mark));
        assert_eq!(shown(&queue), [("a".to_owned(), DirtyKind::File, 1)]);
        queue.clear_applied(b"a", mark);
        assert!(!queue.is_empty(), "it was queued again after that");
        queue.clear_applied(b"a", queue.mark());
        assert!(queue.is_empty());
    }

    #[test]
    fn a_change_below_a_queued_directory_makes_the_entry_newer() {
        let mut queue = queue(&[("d", DirtyKind::Subtree)]);
        let mark = queue.mark();
        queue.push(b"d/x", DirtyKind::File);
        assert!(queue.clear_older(mark));
    }

    #[test]
    fn too_many_entries_become_the_whole_tree() {
        let mut queue = DirtyQueue::new();
        for number in 0..=MOST_ENTRIES {
            queue.push(format!("f{number}").as_bytes(), DirtyKind::File);
        }
        assert_eq!(queue.len(), 1);
        assert!(queue.covers(b"anything"));
    }
}
