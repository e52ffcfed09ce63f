//! Upkeep: what makes searches faster or the store smaller and changes no answer, and the end (docs/index-service.md, section 5; FR-LSI-BG-40..43, FR-LSI-IDX-RM-01..03).

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use forge_search_core::index::{
    eviction::victims,
    machine::{State, Trigger},
    segment::RankSet,
};

use super::{
    IndexUse,
    build::End,
    cache,
    control::RootIndex,
    fault::Point,
    files::{Extra, View},
    merging,
    segment::Segment,
    store::{BlockKind, BorrowedRow},
    tokenize::{Pace, batches, tokenize},
    tree,
};

/// Files tokenized in one turn.
const TOKENIZE_SLICE: usize = 1024;
/// Deltas kept before they are made one.
const MOST_DELTAS: usize = 12;
/// Pause before it is looked again whether others use the index.
const TIDY_RETRY_MS: u64 = 10_000;
/// Pause before storing is tried again.
const STORE_RETRY_MS: u64 = 5_000;

impl RootIndex {
    /// What makes searches faster or the store smaller, and changes no answer.
    pub(super) fn maintain(&self) -> bool {
        if !self.control().is_usable() {
            return false;
        }
        self.tokenize_pending()
            || self.store_changes()
            || self.merge_if_due()
            || self.tidy()
            || self.check_now_and_then()
    }

    fn tokenize_pending(&self) -> bool {
        let pending = {
            let mut control = self.control();
            let edits = control.files.edits();
            if control.files.pending_count() == 0 || control.tried_edits == edits {
                return false;
            }
            let pending = control.files.pending(usize::MAX);
            control.tried_edits = edits;
            pending
        };
        let mut adopted = 0;
        for slice in pending.chunks(TOKENIZE_SLICE) {
            let pace = Pace { threads: 1, rest: Box::new(|_| Duration::ZERO) };
            let batches = batches(slice);
            let Ok(segments) = tokenize(self, &batches, &pace, &|_, _| !self.halted()) else { break };
            let mut control = self.control();
            for (segment, batch) in segments.into_iter().zip(batches) {
                adopted += segment.map_or(0, |segment| control.files.adopt(&Arc::new(segment), batch));
            }
            if control.files.deltas().len() > MOST_DELTAS {
                break;
            }
        }
        let mut control = self.control();
        // What could not be read is not tried again before something changes.
        if adopted > 0 && control.files.pending_count() > 0 {
            control.tried_edits = u64::MAX;
        } else {
            control.tried_edits = control.files.edits();
        }
        adopted > 0
    }

    fn store_changes(&self) -> bool {
        let store = {
            let control = self.control();
            let due = control.files.edits() != control.stored_edits
                && control.files.base().id().is_some()
                && self.now_ms() >= control.store_retry_ms;
            match control.store.clone().filter(|store| due && store.is_writer()) {
                Some(store) => store,
                None => return false,
            }
        };
        if self.store_deltas(&store).is_err() {
            let mut control = self.control();
            control.store_retry_ms = self.now_ms() + STORE_RETRY_MS;
            if control.is_usable() {
                control.tick(&[Trigger::WriteRolledBack]);
            }
        } else if store.size() > self.settings.index_max_db_bytes {
            self.exceed();
        }
        true
    }

    fn merge_if_due(&self) -> bool {
        let (view, deltas, purge) = {
            let mut control = self.control();
            let live = control.files.count() - control.files.pending_count();
            let base = u64::from(control.files.base().catalog.len());
            let dead = control.files.dead_count();
            let extras = live.saturating_sub(base - dead);
            let purge = control.purge_wanted && control.status.state == State::Complete;
            let whole = extras > (base / 8).max(4096) || dead > (base / 5).max(4096) || purge;
            let deltas = control.files.deltas().len();
            let waits = whole && self.now_ms() < control.store_retry_ms;
            if waits || (!whole && deltas <= MOST_DELTAS) {
                return false;
            }
            (control.files.view(), (!whole).then_some(deltas), purge)
        };
        if deltas.is_some() {
            let extras = view.extras.iter().map(|extra| Extra { before: 0, ..extra.clone() }).collect();
            let base = Arc::new(Segment::empty());
            let dead = Arc::new(RankSet::none(0));
            let alone = View { base, dead, deltas: Arc::clone(&view.deltas), extras };
            let Ok(delta) = merging::in_memory(self, &alone) else { return false };
            self.control().files.compact(&Arc::new(delta), &view);
            self.control().tidy_wanted = true;
            return true;
        }
        let base = match self.write_base(&view) {
            Ok(base) => base,
            Err(End::TooLarge) => {
                self.exceed();
                return true;
            }
            Err(_) => {
                let mut control = self.control();
                control.store_retry_ms = self.now_ms() + STORE_RETRY_MS;
                if control.is_usable() {
                    control.tick(&[Trigger::WriteRolledBack]);
                }
                // Not at once again: the deltas stay as they are.
                return false;
            }
        };
        let mut control = self.control();
        control.files.rebase(base, &view);
        control.purge_wanted &= !purge;
        control.tidy_forced |= purge;
        control.tidy_wanted = true;
        drop(control);
        self.make_room();
        true
    }

    /// Deletes what is inactive and gives space back, a slice at a time, when nobody has searched for a while.
    fn tidy(&self) -> bool {
        let (store, kept, forced) = {
            let control = self.control();
            let stepped = self.options.using == IndexUse::Stepped;
            let due = self.is_idle() || stepped || control.tidy_forced;
            if !control.tidy_wanted || !due || self.now_ms() < control.tidy_retry_ms {
                return false;
            }
            let segments = std::iter::once(control.files.base()).chain(control.files.deltas());
            let kept: Vec<u32> = segments.filter_map(|segment| segment.id()).collect();
            (control.store.clone(), kept, control.tidy_forced)
        };
        if let Some(store) = store.filter(|store| store.is_writer()) {
            // Other processes may still read what has been replaced; they are left to it while there is room.
            if !forced && store.size() <= self.settings.index_max_db_bytes && !store.is_alone() {
                self.control().tidy_retry_ms = self.now_ms() + TIDY_RETRY_MS;
                return false;
            }
            if let Ok(true) = store.delete_inactive(&kept) {
                return true;
            }
            // Readers may keep the log from being emptied; that is no loss.
            let _ = store.tidy();
            if store.size() > self.settings.index_max_db_bytes {
                self.exceed();
            }
        }
        let mut control = self.control();
        (control.tidy_wanted, control.tidy_forced) = (false, false);
        false
    }

    /// Whether nobody has searched for a while.
    pub(super) fn is_idle(&self) -> bool {
        const WHILE_MS: u64 = 200;
        self.now_ms().saturating_sub(self.last_call_ms.load(Ordering::Relaxed)) >= WHILE_MS
    }

    fn exceed(&self) {
        let mut control = self.control();
        let exceeded = control.exceeded();
        if control.is_usable() {
            control.tick(&[exceeded]);
        }
    }

    fn check_now_and_then(&self) -> bool {
        let mut control = self.control();
        let due = self.settings.index_integrity_check == "periodic"
            && control.calls_since_check >= self.settings.index_integrity_period_calls;
        if due {
            control.calls_since_check = 0;
            control.check_wanted = true;
        }
        due
    }

    /// Evicts indexes beyond the limits (FR-LSI-IDX-RM-01..03, E-C37, E-C43): those that nobody has open, in whichever process.
    pub(crate) fn make_room(&self) {
        let Some(store) = self.control().store.clone() else { return };
        let path = store.path();
        let Some(cache) = path.parent() else { return };
        let Ok(stored) = cache::list(cache) else { return };
        for hash in victims(&stored, self.settings.index_max_db_bytes, self.settings.index_max_indexes) {
            if self.options.faults.at(Point::Evict).is_ok()
                && let Some(_alone) = cache::exclusive(cache, &hash)
            {
                // Held until it is gone, so that nobody opens what is being removed. What cannot be removed is tried again the next time.
                let _ = cache::remove(cache, &hash);
            }
        }
    }

    /// The end: what is being built is written down, what is not stored is stored, and the store is marked clean (FR-LSI-BG-40..43).
    pub(crate) fn shut_down(&self) {
        let (store, state) = {
            let mut control = self.control();
            let state = control.status.state;
            control.tick(&[Trigger::Shutdown]);
            control.watcher = None;
            (control.store.clone().filter(|store| store.is_writer()), state)
        };
        let Some(store) = store else { return };
        if matches!(state, State::Complete | State::Uncertain) {
            let stored = {
                let control = self.control();
                control.files.edits() == control.stored_edits || control.files.base().id().is_none()
            };
            let stored = stored || self.store_deltas(&store).is_ok();
            let (rows, base, epoch, used) = {
                let control = self.control();
                (tree::rows(&control), control.files.base().id(), control.epoch, control.last_used_ms)
            };
            let _ = used;
            if let Some(base) = base.filter(|_| stored && state == State::Complete) {
                let rows: Vec<BorrowedRow<'_>> =
                    rows.iter().map(|(kind, number, bytes)| (*kind, *number, bytes.as_slice())).collect();
                // Whatever fails here leaves an index that is checked more closely when it is opened.
                let _ = store.replace(base, BlockKind::Tree, &rows);
            }
            if stored && self.options.faults.at(Point::MarkClean).is_ok() {
                let _ = store.set_facts(&[("clean", 1), ("epoch", epoch)]);
            }
        }
        let _ = store.tidy();
        self.control().store = None;
    }
}
