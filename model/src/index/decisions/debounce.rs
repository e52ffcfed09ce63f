//! Debouncing of watcher events: the change of each path, and when it is emitted (FR-LSI-TRK-06). A
//! search drains everything at once (E-C09).
//!
//! Invariants: a path waits at most the debounce time after its first event, however often it
//! changes; only an overflow loses events, and it is emitted.

use std::collections::BTreeMap;

/// An event of a watcher.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The path was created or written.
    Changed(Vec<u8>),
    Removed(Vec<u8>),
    /// The path was renamed, with both names known.
    Renamed {
        from: Vec<u8>,
        to: Vec<u8>,
    },
    /// Events were lost.
    Overflow,
}

/// The change of a path after debouncing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The path exists and may have changed.
    Changed(Vec<u8>),
    Removed(Vec<u8>),
    /// The path was renamed, and nothing else happened to either name.
    Renamed {
        from: Vec<u8>,
        to: Vec<u8>,
    },
    /// Events were lost.
    Overflow,
}

/// An event from the view of one path.
#[derive(Debug, Clone)]
struct Touch {
    at: u64,
    removed: bool,
    /// The other path of a rename.
    other: Option<Vec<u8>>,
}

impl Touch {
    fn is_rename_with(&self, path: &[u8]) -> bool {
        self.other.as_deref() == Some(path)
    }
}

/// Events not yet emitted.
#[derive(Debug, Clone)]
pub struct Debouncer {
    debounce_ms: u64,
    /// The events of each path, in order.
    pending: BTreeMap<Vec<u8>, Vec<Touch>>,
    overflown: bool,
}

impl Debouncer {
    /// An empty debouncer; `debounce_ms` is `index_watch_debounce_ms`.
    pub fn new(debounce_ms: u64) -> Self {
        Self { debounce_ms, pending: BTreeMap::new(), overflown: false }
    }

    /// Adds an event with its time.
    pub fn push(&mut self, event: Event, at: u64) {
        match event {
            Event::Changed(path) => self.touch(path, Touch { at, removed: false, other: None }),
            Event::Removed(path) => self.touch(path, Touch { at, removed: true, other: None }),
            Event::Renamed { from, to } => {
                self.touch(from.clone(), Touch { at, removed: true, other: Some(to.clone()) });
                self.touch(to, Touch { at, removed: false, other: Some(from) });
            }
            Event::Overflow => {
                self.pending.clear();
                self.overflown = true;
            }
        }
    }

    fn touch(&mut self, path: Vec<u8>, touch: Touch) {
        self.pending.entry(path).or_default().push(touch);
    }

    /// Emits the changes that have waited long enough: by first event, then by path bytes. An
    /// overflow does not wait, and is emitted alone.
    pub fn drain(&mut self, now: u64) -> Vec<Change> {
        self.hand_out(|first, debounce_ms| now.saturating_sub(first) >= debounce_ms)
    }

    /// Emits all changes.
    pub fn drain_all(&mut self) -> Vec<Change> {
        self.hand_out(|_, _| true)
    }

    fn hand_out(&mut self, is_due: impl Fn(u64, u64) -> bool) -> Vec<Change> {
        if self.overflown {
            self.overflown = false;
            return vec![Change::Overflow];
        }
        let first =
            |touches: &[Touch]| touches.iter().map(|touch| touch.at).min().unwrap_or_default();
        let mut settled: Vec<(u64, Vec<u8>, Change)> = Vec::new();
        for (path, touches) in &self.pending {
            let first = first(touches);
            if is_due(first, self.debounce_ms)
                && let Some(change) = self.coalesce(path, touches)
            {
                settled.push((first, path.clone(), change));
            }
        }
        let debounce_ms = self.debounce_ms;
        self.pending.retain(|_, touches| !is_due(first(touches), debounce_ms));
        settled.sort_by(|(one_first, one_path, _), (other_first, other_path, _)| {
            (one_first, one_path).cmp(&(other_first, other_path))
        });
        settled.into_iter().map(|(.., change)| change).collect()
    }

    /// The change of one path; `None` for the new name of a rename, which the old name reports.
    fn coalesce(&self, path: &[u8], touches: &[Touch]) -> Option<Change> {
        if let [touch] = touches
            && let Some(other) = &touch.other
            && let Some([others]) = self.pending.get(other).map(Vec::as_slice)
            && others.is_rename_with(path)
        {
            let renamed = Change::Renamed { from: path.to_vec(), to: other.clone() };
            return touch.removed.then_some(renamed);
        }
        let removed = touches.last()?.removed;
        Some(if removed { Change::Removed(path.to_vec()) } else { Change::Changed(path.to_vec()) })
    }
}
