//! Turns bursts of watcher events into the changes worth indexing (FR-LSI-TRK-06, FR-LSI-TRK-09,
//! E-C09).
//!
//! Responsible for: one change for each path that was touched, however often; what a rename comes
//! to; what an overflow leaves. Not here: where events come from (the engine's watcher),
//! which object an event is about ([`super::names`]), what is done about a change
//! ([`super::queue`]). Invariants: reads no clock; a burst is handed out at most `debounce_ms`
//! after its *first* event, so that a file written without pause is not put off for ever;
//! [`Debouncer::drain_all`] holds nothing back, which is what a search needs.

use std::collections::BTreeMap;

/// Paths that are pending at most; beyond, it is an overflow.
pub const MOST_PENDING: usize = 100_000;

/// What a watcher reports, with paths relative to the index root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawEvent {
    /// Something has this name that did not have it before.
    Appeared(Vec<u8>),
    /// The content or the attributes of what has this name, or had it, changed.
    Written(Vec<u8>),
    /// It is gone.
    Removed(Vec<u8>),
    /// It has another name now.
    Renamed {
        /// Its old name.
        from: Vec<u8>,
        /// Its new one.
        to: Vec<u8>,
    },
    /// Something was renamed from or to a name that is not known.
    RenamedPartly(Vec<u8>),
    /// Events were lost.
    Overflow,
}

/// What became of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is there, and may be different.
    Changed(Vec<u8>),
    /// It is gone.
    Removed(Vec<u8>),
    /// It is as it was, under another name.
    Renamed {
        /// Its old name.
        from: Vec<u8>,
        /// Its new one.
        to: Vec<u8>,
    },
    /// What was renamed is not clear (`RENAME_UNCERTAIN`).
    Unclear(Vec<u8>),
    /// Events were lost: anything may have changed (`WATCHER_OVERFLOW`). Comes alone, before what
    /// was reported later.
    Overflow,
}

#[derive(Clone, Debug)]
struct Pending {
    first_ms: u64,
    outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Changed,
    Removed,
    Unclear,
    /// The new name of a rename; the entry stands under it. The old name has an entry
    /// [`Outcome::Left`].
    RenamedFrom(Vec<u8>),
    /// The old name of a rename, until something else touches either name.
    Left(Vec<u8>),
}

/// Collects events and hands out changes.
#[derive(Clone, Debug)]
pub struct Debouncer {
    debounce_ms: u64,
    pending: BTreeMap<Vec<u8>, Pending>,
    overflow: bool,
}

impl Debouncer {
    /// A debouncer that waits this long (`index_watch_debounce_ms`).
    pub fn new(debounce_ms: u64) -> Self {
        Self { debounce_ms, pending: BTreeMap::new(), overflow: false }
    }

    /// Takes an event that arrived at `at_ms`.
    pub fn push(&mut self, event: RawEvent, at_ms: u64) {
        match event {
            RawEvent::Appeared(path) | RawEvent::Written(path) => {
                self.touch(path, Outcome::Changed, at_ms);
            }
            RawEvent::Removed(path) => self.touch(path, Outcome::Removed, at_ms),
            RawEvent::RenamedPartly(path) => self.touch(path, Outcome::Unclear, at_ms),
            RawEvent::Renamed { from, to } => self.rename(from, to, at_ms),
            RawEvent::Overflow => self.overflow(),
        }
        if self.pending.len() > MOST_PENDING {
            self.overflow();
        }
    }

    /// What was lost may concern any path, so what is known of some says nothing. What comes
    /// afterwards does.
    fn overflow(&mut self) {
        self.overflow = true;
        self.pending.clear();
    }

    fn rename(&mut self, from: Vec<u8>, to: Vec<u8>, at_ms: u64) {
        let untouched =
            !self.pending.contains_key(&from) && !self.pending.contains_key(&to) && from != to;
        if untouched {
            self.note(from.clone(), Outcome::Left(to.clone()), at_ms);
            self.note(to, Outcome::RenamedFrom(from), at_ms);
        } else {
            self.touch(from, Outcome::Removed, at_ms);
            self.touch(to, Outcome::Changed, at_ms);
        }
    }

    /// One name was touched: a rename that it was part of falls apart.
    fn touch(&mut self, path: Vec<u8>, outcome: Outcome, at_ms: u64) {
        let parted = match self.pending.get(&path).map(|pending| &pending.outcome) {
            Some(Outcome::RenamedFrom(from)) => Some((from.clone(), Outcome::Removed)),
            Some(Outcome::Left(to)) => Some((to.clone(), Outcome::Changed)),
            _ => None,
        };
        if let Some((other, outcome)) = parted {
            self.note(other, outcome, at_ms);
        }
        // What is unclear stays so.
        let unclear =
            self.pending.get(&path).is_some_and(|pending| pending.outcome == Outcome::Unclear);
        self.note(path, if unclear { Outcome::Unclear } else { outcome }, at_ms);
    }

    fn note(&mut self, path: Vec<u8>, outcome: Outcome, at_ms: u64) {
        if let Some(pending) = self.pending.get_mut(&path) {
            pending.outcome = outcome;
            return;
        }
        self.pending.insert(path, Pending { first_ms: at_ms, outcome });
    }

    /// What has settled by `now_ms`, in the order of first events, then of paths; a rename stands
    /// where its old name does.
    pub fn drain(&mut self, now_ms: u64) -> Vec<Change> {
        let debounce = self.debounce_ms;
        self.take(|pending| now_ms.saturating_sub(pending.first_ms) >= debounce)
    }

    /// Everything, settled or not; after an overflow, that alone, and the rest when asked again.
    pub fn drain_all(&mut self) -> Vec<Change> {
        self.take(|_| true)
    }

    /// Whether something happened to a path that has not been handed out.
    pub fn has(&self, path: &[u8]) -> bool {
        self.pending.contains_key(path)
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty() && !self.overflow
    }

    fn take(&mut self, due: impl Fn(&Pending) -> bool) -> Vec<Change> {
        if std::mem::take(&mut self.overflow) {
            return vec![Change::Overflow];
        }
        let mut taken: Vec<(u64, Vec<u8>, Change)> = Vec::new();
        // Both names of a rename have the same first event, so that they are due together.
        self.pending.retain(|path, pending| {
            if !due(pending) {
                return true;
            }
            let path = path.clone();
            let (place, change) = match &pending.outcome {
                Outcome::Changed => (path.clone(), Change::Changed(path)),
                Outcome::Removed => (path.clone(), Change::Removed(path)),
                Outcome::Unclear => (path.clone(), Change::Unclear(path)),
                Outcome::RenamedFrom(from) => {
                    (from.clone(), Change::Renamed { from: from.clone(), to: path })
                }
                Outcome::Left(_) => return false,
            };
            taken.push((pending.first_ms, place, change));
            false
        });
        taken.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        taken.into_iter().map(|(.., change)| change).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<u8> {
        text.as_bytes().to_vec()
    }

    fn settled(events: Vec<RawEvent>) -> Vec<Change> {
        let mut debouncer = Debouncer::new(250);
        for (at, event) in (0..).zip(events) {
            debouncer.push(event, at);
        }
        debouncer.drain_all()
    }

    #[test]
    fn a_burst_is_one_change_and_waits_from_its_first_event() {
        let mut debouncer = Debouncer::new(250);
        for at in [0, 100, 200] {
            debouncer.push(RawEvent::Written(path("a")), at);
        }
        assert_eq!(debouncer.drain(249), []);
        assert_eq!(debouncer.drain(250), [Change::Changed(path("a"))]);
        assert!(debouncer.is_empty());
    }

    #[test]
    fn the_last_event_of_a_path_decides() {
        let changes = settled(vec![
            RawEvent::Written(path("b")),
            RawEvent::Removed(path("a")),
            RawEvent::Removed(path("b")),
            RawEvent::Written(path("a")),
        ]);
        assert_eq!(changes, [Change::Removed(path("b")), Change::Changed(path("a"))]);
    }

    #[test]
    fn a_rename_stays_one_change_unless_a_name_is_touched_again() {
        let rename = || RawEvent::Renamed { from: path("a"), to: path("b") };
        assert_eq!(settled(vec![rename()]), [Change::Renamed { from: path("a"), to: path("b") }]);
        for events in [
            vec![rename(), RawEvent::Written(path("b"))],
            vec![RawEvent::Written(path("a")), rename()],
        ] {
            assert_eq!(settled(events), [Change::Removed(path("a")), Change::Changed(path("b"))]);
        }
        let chain = vec![rename(), RawEvent::Renamed { from: path("b"), to: path("c") }];
        assert_eq!(
            settled(chain),
            [Change::Removed(path("a")), Change::Removed(path("b")), Change::Changed(path("c"))]
        );
    }

    #[test]
    fn a_partial_rename_stays_unclear_and_an_overflow_replaces_all_events() {
        let changes =
            settled(vec![RawEvent::RenamedPartly(path("a")), RawEvent::Written(path("a"))]);
        assert_eq!(changes, [Change::Unclear(path("a"))]);
        let mut debouncer = Debouncer::new(0);
        for event in
            [RawEvent::Written(path("a")), RawEvent::Overflow, RawEvent::Written(path("b"))]
        {
            debouncer.push(event, 0);
        }
        assert_eq!(debouncer.drain_all(), [Change::Overflow]);
        assert_eq!(debouncer.drain_all(), [Change::Changed(path("b"))]);
    }
}
