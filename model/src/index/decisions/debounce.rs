//! Debouncer of watcher events (FR-LSI-TRK-06).
//!
//! Responsible for: what a burst of events comes to for each path, and when it is handed out.
//! Left to neighbours: what the index does with a change; searches take everything at once (E-C09).
//! Invariants: a path waits no longer than the debounce after its first event, however often it is
//! touched; nothing is lost but to an
//! overflow, which is then told.

use std::collections::BTreeMap;

/// What a watcher reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A path was made or written.
    Changed(Vec<u8>),
    /// A path is gone.
    Removed(Vec<u8>),
    /// A path got another name, both known.
    Renamed {
        /// The old name.
        from: Vec<u8>,
        /// The new name.
        to: Vec<u8>,
    },
    /// Events were lost.
    Overflow,
}

/// What a burst settles to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A path is there and may be new.
    Changed(Vec<u8>),
    /// A path is gone.
    Removed(Vec<u8>),
    /// A path got another name, and nothing else happened to either.
    Renamed {
        /// The old name.
        from: Vec<u8>,
        /// The new name.
        to: Vec<u8>,
    },
    /// Events were lost.
    Overflow,
}

/// One event as one path sees it.
#[derive(Debug, Clone)]
struct Touch {
    at: u64,
    removed: bool,
    /// If it was a rename: the other path.
    other: Option<Vec<u8>>,
}

impl Touch {
    fn is_rename_with(&self, path: &[u8]) -> bool {
        self.other.as_deref() == Some(path)
    }
}

/// Events that were not handed out yet.
#[derive(Debug, Clone)]
pub struct Debouncer {
    debounce_ms: u64,
    /// For every path its touches in the order they were reported.
    pending: BTreeMap<Vec<u8>, Vec<Touch>>,
    overflown: bool,
}

impl Debouncer {
    /// Nothing pending; `index_watch_debounce_ms`.
    pub fn new(debounce_ms: u64) -> Self {
        Self { debounce_ms, pending: BTreeMap::new(), overflown: false }
    }

    /// Takes an event that was reported at a time.
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

    /// Hands out what has waited long enough: by first event, then by the bytes of the path. An
    /// overflow does not wait, and comes alone.
    pub fn drain(&mut self, now: u64) -> Vec<Change> {
        self.hand_out(|first, debounce_ms| now.saturating_sub(first) >= debounce_ms)
    }

    /// Hands out everything.
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

    /// What the touches of one path come to; nothing for the new name of a rename, which the old
    /// name tells.
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
