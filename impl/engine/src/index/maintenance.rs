//! Maintenance: work that makes searches faster or the store smaller without changing an answer,
//! and shutdown (docs/index-service.md, section 5; FR-LSI-BG-40..43, FR-LSI-IDX-RM-01..03).

use std::{sync::Arc, time::Duration};

use forge_search_core::index::{
    eviction::victims,
    machine::{State, Trigger},
    segment::RankSet,
    settings::IntegrityCheck,
};

use super::{
    IndexUse,
    build::BuildEnd,
    cache,
    catalog::{Extra, UnindexedFile, View},
    fault::Point,
    merging,
    root_index::RootIndex,
    schedule::{Retry, Task},
    segment::Segment,
    spill::Spill,
    store::{BlockKind, BorrowedRow},
    stored_directories,
    tokenize::{Pace, batches, tokenize},
};

/// Files tokenized in one turn.
const TOKENIZE_SLICE: usize = 1024;
/// Most deltas before they are merged into one.
const MOST_DELTAS: usize = 12;
/// Pause before checking again whether other processes use the index.
const TIDY_RETRY_MS: u64 = 10_000;
/// Pause before storing is tried again.
const STORE_RETRY_MS: u64 = 5_000;
/// Pause before files that had a writer are read again.
const READ_RETRY_MS: u64 = 1_000;

impl RootIndex {
    /// Does one step of maintenance. Whether there was one.
    pub(super) fn maintain(&self) -> bool {
        if !self.control().is_usable() {
            return false;
        }
        self.tokenize_pending()
            || self.store_changes()
            || self.merge_if_due()
            || self.tidy()
            || self.build_words()
            || self.check_now_and_then()
    }

    fn tokenize_pending(&self) -> bool {
        let pending = {
            let mut control = self.control();
            let files = control.catalog().files();
            let due = control.has_untried()
                || (files.pending_count() > 0
                    && control.schedule().is_due(Retry::Read, self.now_ms()));
            if !due {
                return false;
            }
            let edits = files.edits();
            let view = control.catalog_mut().files_mut().view();
            // A file with unsettled events is read later.
            let pending: Vec<UnindexedFile> =
                view.pending().filter(|file| !control.changes().is_settling(file.path())).collect();
            if pending.is_empty() {
                return false;
            }
            control.watermarks_mut().tried_edits = edits;
            control.schedule_mut().retry_at(Retry::Read, self.now_ms() + READ_RETRY_MS);
            pending
        };
        let mut adopted = 0;
        for slice in pending.chunks(TOKENIZE_SLICE) {
            let pace = Pace { threads: 1, rest: Box::new(|_| Duration::ZERO) };
            let batches = batches(slice);
            let Ok(read) = tokenize(self, &batches, &pace, &Spill::none(), &|_, _| !self.halted())
            else {
                break;
            };
            let mut control = self.control();
            for (batch, wanted) in read.into_iter().zip(batches) {
                let segment = Arc::new(batch.into_segment(wanted));
                adopted += control.catalog_mut().files_mut().adopt(&segment, wanted);
            }
            if control.catalog().files().deltas().len() > MOST_DELTAS {
                break;
            }
        }
        let mut control = self.control();
        // Files that could not be read are not tried again before the next edit.
        let files = control.catalog().files();
        let again = adopted > 0 && files.pending_count() > 0;
        control.watermarks_mut().tried_edits = if again { u64::MAX } else { files.edits() };
        adopted > 0
    }

    fn store_changes(&self) -> bool {
        let store = {
            let control = self.control();
            let due =
                !control.is_stored() && control.schedule().is_due(Retry::Store, self.now_ms());
            match control.storage().writer().filter(|_| due) {
                Some(store) => store,
                None => return false,
            }
        };
        if self.store_deltas(&store).is_err() {
            self.roll_back();
        } else if store.size() > self.settings.index_max_db_bytes {
            self.exceed();
        }
        true
    }

    /// A transaction failed and was rolled back. It is tried again.
    fn roll_back(&self) {
        let mut control = self.control();
        control.schedule_mut().retry_at(Retry::Store, self.now_ms() + STORE_RETRY_MS);
        if control.is_usable() {
            control.tick(&[Trigger::WriteRolledBack]);
        }
    }

    fn merge_if_due(&self) -> bool {
        let (view, whole, purge) = {
            let mut control = self.control();
            let files = control.catalog().files();
            let live = files.count() - files.pending_count();
            let base = u64::from(files.base().catalog.len());
            let dead = files.dead_count();
            let extras = live.saturating_sub(base - dead);
            let purge = control.schedule().has(Task::Purge) && control.state() == State::Complete;
            let whole = extras > (base / 8).max(4096) || dead > (base / 5).max(4096) || purge;
            let waits = whole && !control.schedule().is_due(Retry::Store, self.now_ms());
            if waits || (!whole && files.deltas().len() <= MOST_DELTAS) {
                return false;
            }
            (control.catalog_mut().files_mut().view(), whole, purge)
        };
        if !whole {
            let extras =
                view.extras.iter().map(|extra| Extra { before: 0, ..extra.clone() }).collect();
            let base = Arc::new(Segment::empty());
            let dead = Arc::new(RankSet::none(0));
            let alone = View { base, dead, deltas: Arc::clone(&view.deltas), extras };
            let Ok(delta) = merging::in_memory(self, &alone, &[]) else { return false };
            let mut control = self.control();
            control.catalog_mut().files_mut().compact(&Arc::new(delta), &view);
            control.schedule_mut().add(Task::Tidy);
            return true;
        }
        let base = match self.write_base(&view, &[]) {
            Ok(base) => base,
            Err(BuildEnd::TooLarge) => {
                self.exceed();
                return true;
            }
            Err(_) => {
                self.roll_back();
                // Retried later; the deltas stay.
                return false;
            }
        };
        self.control().catalog_mut().files_mut().rebase(&base, &view);
        if purge && self.purge_words().is_err() {
            // The task stays.
            self.roll_back();
            return true;
        }
        let mut control = self.control();
        if purge {
            control.schedule_mut().drop(Task::Purge);
            control.schedule_mut().add(Task::TidyAll);
        }
        control.schedule_mut().add(Task::Tidy);
        drop(control);
        self.make_room();
        true
    }

    /// Deletes inactive rows and frees pages, one slice a turn, while the index is idle.
    fn tidy(&self) -> bool {
        let (store, kept, forced) = {
            let control = self.control();
            let schedule = control.schedule();
            let forced = schedule.has(Task::TidyAll);
            let due = self.is_idle() || self.options.using == IndexUse::Stepped || forced;
            if !(forced || schedule.has(Task::Tidy))
                || !due
                || !schedule.is_due(Retry::Tidy, self.now_ms())
            {
                return false;
            }
            let files = control.catalog().files();
            let segments = std::iter::once(files.base()).chain(files.deltas());
            let kept: Vec<u32> = segments.filter_map(|segment| segment.id()).collect();
            (control.storage().writer(), kept, forced)
        };
        if let Some(store) = store {
            // Other processes may still read replaced segments, which stay while there is room.
            if !forced && store.size() <= self.settings.index_max_db_bytes && !store.is_alone() {
                self.control().schedule_mut().retry_at(Retry::Tidy, self.now_ms() + TIDY_RETRY_MS);
                return false;
            }
            if let Ok(true) = store.delete_inactive(&kept) {
                return true;
            }
            // Readers may prevent truncation of the log, which does no harm.
            let _ = store.tidy();
            if store.size() > self.settings.index_max_db_bytes {
                self.exceed();
            }
        }
        let mut control = self.control();
        control.schedule_mut().drop(Task::Tidy);
        control.schedule_mut().drop(Task::TidyAll);
        false
    }

    /// Whether the last search was some time ago.
    pub(super) fn is_idle(&self) -> bool {
        const WHILE_MS: u64 = 200;
        self.now_ms().saturating_sub(self.calls().last_ms()) >= WHILE_MS
    }

    fn exceed(&self) {
        let mut control = self.control();
        let exceeded = control.exceeded();
        if control.is_usable() {
            control.tick(&[exceeded]);
        }
    }

    fn check_now_and_then(&self) -> bool {
        let due = self.settings.index_integrity_check == IntegrityCheck::Periodic
            && self.calls().check_is_due(self.settings.index_integrity_period_calls);
        if due {
            self.control().schedule_mut().add(Task::Check);
        }
        due
    }

    /// Evicts indexes beyond the limits (FR-LSI-IDX-RM-01..03, E-C37, E-C43): those that no process
    /// has open.
    pub(crate) fn make_room(&self) {
        let Some(store) = self.control().storage().store().cloned() else { return };
        let path = store.path();
        let Some(cache) = path.parent() else { return };
        let Ok(stored) = cache::list(cache) else { return };
        for hash in
            victims(&stored, self.settings.index_max_db_bytes, self.settings.index_max_indexes)
        {
            if self.options.faults.at(Point::Evict).is_ok()
                && let Some(_alone) = cache::exclusive(cache, &hash)
            {
                // The lock is held during removal, so that no process opens it. A failed removal is
                // tried again the next time.
                let _ = cache::remove(cache, &hash);
            }
        }
    }

    /// Shutdown: stores an unfinished build and unstored changes, and marks the store clean
    /// (FR-LSI-BG-40..43).
    pub(crate) fn shut_down(&self) {
        let (store, state) = {
            let mut control = self.control();
            let state = control.state();
            control.tick(&[Trigger::Shutdown]);
            control.changes_mut().lose_watcher();
            (control.storage().writer(), state)
        };
        let Some(store) = store else { return };
        if matches!(state, State::Complete | State::Uncertain) {
            let stored = self.control().is_stored() || self.store_deltas(&store).is_ok();
            let (rows, base, epoch) = {
                let control = self.control();
                let base = control.catalog().files().base().id();
                (
                    stored_directories::rows(control.catalog(), control.is_stored()),
                    base,
                    control.watermarks().epoch,
                )
            };
            if let Some(base) = base.filter(|_| stored && state == State::Complete) {
                let rows: Vec<BorrowedRow<'_>> = rows
                    .iter()
                    .map(|(kind, number, bytes)| (*kind, *number, bytes.as_slice()))
                    .collect();
                // After a failure here the index is verified when it is opened.
                let _ = store.replace(base, BlockKind::Tree, &rows);
            }
            if stored && self.options.faults.at(Point::MarkClean).is_ok() {
                let _ = store.set_facts(&[("clean", 1), ("epoch", epoch)]);
            }
        }
        let _ = store.tidy();
        self.control().storage_mut().take_store();
    }
}

#[cfg(test)]
mod tests;
