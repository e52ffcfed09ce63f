//! Building: ENUMERATE, TOKENIZE, PERSIST, ACTIVATE (FR-LSI-BG-20..22, FR-LSI-BUD-INIT-01..03,
//! E-C02, E-C07, E-C26, E-C32).

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use forge_search_core::index::{
    budget::{Spent, build_exceeded},
    machine::{Duty, State, Trigger},
    segment::Fault,
};

use super::{
    catalog::{UnindexedFile, View},
    drain::{Drained, Extent},
    fault::Point,
    merging,
    root_index::{Progress, RootIndex},
    scan::scan,
    schedule::Task,
    segment::{Batch, Segment},
    spill::Spill,
    store::{BlockKind, BorrowedRow, Row, Store},
    stored_directories,
    tokenize::{Pace, batches, tokenize},
};
use crate::{job::cores, observe};

/// Most time to apply changes before a build is activated.
const LAST_CHANGES: Duration = Duration::from_millis(100);

/// How a build ended.
pub(crate) enum BuildEnd {
    Whole,
    /// The state changed meanwhile, or the service ends.
    Stale,
    OverBudget,
    /// Something that a search might find could not be listed.
    Incomplete,
    Clean,
    Inconsistent,
    TooLarge,
}

impl BuildEnd {
    /// What failed, for the log; `None` if nothing did.
    const fn cause(&self) -> Option<&'static str> {
        match self {
            Self::Whole | Self::Stale | Self::OverBudget => None,
            Self::Incomplete => Some("something that a search may find could not be listed"),
            Self::Clean => Some("the tree could not be read, or nothing could be stored"),
            Self::Inconsistent => Some("what was stored could not be made an index"),
            Self::TooLarge => Some("it would be larger than index_max_db_bytes"),
        }
    }
}

/// The result of tokenizing the files of a build.
struct Tokenized {
    /// By batch.
    read: Vec<Batch>,
    /// Whether the budget of the build was exceeded.
    over: bool,
    /// Whether an index in memory exceeded its limit.
    large: bool,
}

impl RootIndex {
    /// Builds the index, or continues a build, to its end. Whether it was begun.
    pub(crate) fn build(&self, begin: Option<Trigger>) -> bool {
        // The watcher starts before the scan, so that no change is missed in between.
        self.start_watcher();
        let since_ms = self.now_ms();
        self.calls().begin_build();
        let build = {
            let mut control = self.control();
            // The state changed meanwhile.
            let overtaken = control.state() == State::Disabled
                || match begin {
                    None => false,
                    Some(Trigger::BuildResumed) => control.status().duty() != Duty::ResumeBuild,
                    Some(_) => control.schedule().opens_first(),
                };
            if overtaken {
                if begin == Some(Trigger::RebuildRequested) {
                    // The rebuild is kept until the pending opening is done.
                    control.schedule_mut().add_first(Task::Rebuild);
                }
                return false;
            }
            self.set_halted(false);
            if let Some(begin) = begin {
                if begin == Trigger::RebuildRequested {
                    // In the same step: no call may see COMPLETE without the files.
                    control.forget();
                }
                control.tick(&[begin]);
            }
            if control.state() != State::Building {
                return false;
            }
            *control.progress_mut() =
                Some(Progress { phase: "ENUMERATE", total: None, done: 0, since_ms });
            control.schedule_mut().begin_build()
        };
        let end = self.build_phases(build);
        let phase =
            self.control().progress_mut().take().map_or("ENUMERATE", |progress| progress.phase);
        let cause = end.cause();
        if let Some(cause) = cause {
            observe::build_failed(&self.coverage.root, phase, cause);
        }
        let mut control = self.control();
        control.schedule_mut().set_failed(cause.is_some());
        let stale = control.schedule().build() != build || control.state() != State::Building;
        let trigger = match end {
            BuildEnd::Whole => return true,
            BuildEnd::Stale if self.is_ending() => return true,
            _ if stale => Trigger::StaleBuildFinished,
            BuildEnd::Stale => Trigger::StaleBuildFinished,
            BuildEnd::OverBudget => Trigger::BuildOverBudget,
            BuildEnd::Incomplete => Trigger::EnumerationFailed,
            BuildEnd::Clean => Trigger::BuildFailedClean,
            BuildEnd::Inconsistent => Trigger::BuildFailedInconsistent,
            BuildEnd::TooLarge => control.exceeded(),
        };
        control.tick(&[trigger]);
        if trigger == Trigger::BuildFailedClean {
            control.forget();
        }
        true
    }

    #[expect(
        clippy::too_many_lines,
        reason = "one phase after the other, each ended by the same check"
    )]
    fn build_phases(&self, build: u64) -> BuildEnd {
        if self.options.faults.at(Point::BuildBegin).is_err() {
            return BuildEnd::Clean;
        }
        let watcher = {
            let mut control = self.control();
            control.changes_mut().begin_scan();
            control.changes().watcher()
        };
        let root = self.coverage.open().and_then(|root| root.stat(b""));
        let (stop, mut go_on) = (|| !self.may_continue(), |_| self.may_continue());
        let faults = &*self.options.faults;
        let found = scan(&self.coverage, b"", watcher.as_deref(), faults, &stop, &mut go_on);
        let (Ok(root), Ok(scan)) = (root, found) else { return BuildEnd::Clean };
        if scan.stopped {
            return BuildEnd::Stale;
        }
        let incomplete = scan.incomplete;
        let view = {
            let mut control = self.control();
            control.catalog_mut().set_root(Some((root.fingerprint.device, root.fingerprint.inode)));
            if scan.unwatched.is_some() {
                let mut triggers = Vec::new();
                control.lose_watcher(&mut triggers);
                control.tick(&triggers);
            }
            control.catalog_mut().take_over(self, b"", scan);
            control.queue_untraced();
            let files = control.catalog().files().pending_count();
            if let Some(progress) = control.progress_mut() {
                (progress.phase, progress.total) = ("TOKENIZE", Some(files));
            }
            control.catalog_mut().files_mut().view()
        };
        if incomplete {
            return BuildEnd::Incomplete;
        }
        let pending: Vec<UnindexedFile> = view.pending().collect();
        // Filters have a fixed size, so this is known before files are read, which takes most of
        // the time.
        if self.filters_outgrow_limit(&view) {
            return BuildEnd::TooLarge;
        }
        // The list of entries is as large as the tree; free it.
        forge_search_sys::release_free_memory();
        let batches = batches(&pending);
        let Ok(Tokenized { read, over, large }) = self.tokenize_all(&batches) else {
            return BuildEnd::Clean;
        };
        let current = self.is_current(build);
        if large && current {
            return BuildEnd::TooLarge;
        }
        if over || !current {
            self.keep(&view, read);
            if current || self.is_ending() {
                self.save_partial();
            }
            return if current { BuildEnd::OverBudget } else { BuildEnd::Stale };
        }
        drop(pending);
        forge_search_sys::release_free_memory();
        self.set_phase("PERSIST");
        let base = match self.write_base(&view, &read) {
            Ok(base) => base,
            Err(_) if self.is_ending() => {
                self.keep(&view, read);
                self.save_partial();
                return BuildEnd::Stale;
            }
            Err(end) => return if self.is_current(build) { end } else { BuildEnd::Stale },
        };
        drop(read);
        self.set_phase("ACTIVATE");
        {
            let mut control = self.control();
            if control.schedule().build() != build || control.state() != State::Building {
                return BuildEnd::Stale;
            }
            control.catalog_mut().files_mut().rebase(&base, &view);
            control.watermarks_mut().stored_edits = control.catalog().files().edits();
            // The walk has seen all changes queued before it began (E-C02).
            control.changes_mut().clear_older();
        }
        if let Some(Drained { mut control, triggers, .. }) = self.drain_events(Extent::Arrived)
            && !triggers.is_empty()
        {
            control.tick(&triggers);
        }
        self.apply_queue(Some(Instant::now() + LAST_CHANGES));
        let mut control = self.control();
        if control.schedule().build() != build || control.state() != State::Building {
            return BuildEnd::Stale;
        }
        let end = if control.changes().is_applied() {
            Trigger::BuildCompleted
        } else {
            Trigger::BuildCompletedWithChanges
        };
        *control.progress_mut() = None;
        control.tick(&[end]);
        drop(control);
        self.make_room();
        BuildEnd::Whole
    }

    /// Adopts what a build that was stopped has learnt of a view's pending files.
    fn keep(&self, view: &View, read: Vec<Batch>) {
        let pending: Vec<UnindexedFile> = view.pending().collect();
        let mut control = self.control();
        for (batch, wanted) in read.into_iter().zip(batches(&pending)) {
            let segment = Arc::new(batch.into_segment(wanted));
            control.catalog_mut().files_mut().adopt(&segment, wanted);
        }
    }

    fn is_current(&self, build: u64) -> bool {
        let control = self.control();
        control.schedule().build() == build && control.state() == State::Building && !self.halted()
    }

    fn set_phase(&self, phase: &'static str) {
        if let Some(progress) = self.control().progress_mut() {
            progress.phase = phase;
        }
    }

    /// Tokenizes all pending files within the limits.
    fn tokenize_all(&self, batches: &[&[UnindexedFile]]) -> Result<Tokenized, Fault> {
        let (files, bytes, worked) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let (over, large) = (AtomicBool::new(false), AtomicBool::new(false));
        let store = self.control().storage().writer();
        // With a store, postings beyond a limit are spilled to a file.
        let in_memory = store.is_none();
        let spill = store.map_or_else(Spill::none, |store| Spill::in_directory(store.directory()));
        let pace = self.pace(&worked);
        let started = self.now_ms();
        let rested = &worked;
        let waited_before = self.calls().waited_ms();
        let went_on = |more_files: u64, more_bytes: u64| {
            let files = files.fetch_add(more_files, Ordering::Relaxed) + more_files;
            let bytes = bytes.fetch_add(more_bytes, Ordering::Relaxed) + more_bytes;
            if let Some(progress) = self.control().progress_mut() {
                progress.done = files;
            }
            // Pauses do not count as work (E-C40).
            let waited_ms = self.calls().waited_ms() - waited_before;
            let idle_ms = rested.load(Ordering::Relaxed) + waited_ms;
            let elapsed_ms = (self.now_ms() - started).saturating_sub(idle_ms);
            let exceeded = build_exceeded(&self.settings, Spent { elapsed_ms, files, bytes });
            over.fetch_or(exceeded, Ordering::Relaxed);
            let outgrown = in_memory && spill.kept() > self.settings.index_max_db_bytes;
            large.fetch_or(outgrown, Ordering::Relaxed);
            !exceeded
                && !outgrown
                && self.options.faults.at(Point::BuildBatch).is_ok()
                && !self.halted()
        };
        let read = tokenize(self, batches, &pace, &spill, &went_on)?;
        let [over, large] = [&over, &large].map(|seen| seen.load(Ordering::Relaxed));
        Ok(Tokenized { read, over, large })
    }

    /// The indexer's share of the machine (FR-LSI-BG-31, FR-LSI-BG-32). Pauses in milliseconds are
    /// added to `rested`.
    fn pace<'p>(&'p self, rested: &'p AtomicU64) -> Pace<'p> {
        let cores = cores();
        let percent = self.settings.index_build_max_cpu_percent;
        // As many threads as the share permits; a remainder becomes pauses.
        let share = (cores as u64 * percent).div_ceil(100);
        let threads = usize::try_from(share).unwrap_or(1).clamp(1, cores);
        let stepped = self.options.using == super::IndexUse::Stepped;
        let (throttle, boost) =
            (self.settings.index_build_throttle_ms, self.settings.index_idle_boost_ms);
        let over_share = (threads as u64 * 100).saturating_sub(cores as u64 * percent);
        let rest = move |worked: Duration| {
            let since_call = self.now_ms().saturating_sub(self.calls().last_ms());
            if stepped || since_call >= boost {
                return Duration::ZERO;
            }
            let worked_ms = u64::try_from(worked.as_millis()).unwrap_or(u64::MAX);
            let for_share = worked_ms.saturating_mul(over_share) / (cores as u64 * percent).max(1);
            let rest = throttle.saturating_add(for_share).min(10_000);
            rested.fetch_add(rest, Ordering::Relaxed);
            Duration::from_millis(rest)
        };
        Pace { threads: if stepped { 1 } else { threads }, rest: Box::new(rest) }
    }

    /// Writes a base of a view's files and the tokenized pending ones, in the store or in memory.
    pub(crate) fn write_base(&self, view: &View, read: &[Batch]) -> Result<Arc<Segment>, BuildEnd> {
        let Some(store) = self.control().storage().writer() else {
            let base = merging::in_memory(self, view, read).map_err(|_| BuildEnd::Clean)?;
            if base.memory() > self.settings.index_max_db_bytes {
                return Err(BuildEnd::TooLarge);
            }
            return Ok(Arc::new(base));
        };
        if self.filters_outgrow_limit(view) {
            return Err(BuildEnd::TooLarge);
        }
        let is_first = view.base.catalog.is_empty() || view.base.is_unread();
        let failed = |_| if is_first { BuildEnd::Clean } else { BuildEnd::Inconsistent };
        let id = merging::in_store(self, view, read, &store).map_err(failed)?;
        if store.size() > self.settings.index_max_db_bytes && is_first {
            return Err(BuildEnd::TooLarge);
        }
        let base =
            Segment::load(&store, id, true, &self.key).map_err(|_| BuildEnd::Inconsistent)?;
        let base = Arc::new(base);
        self.activate(&store, view, &base, id).map_err(|_| BuildEnd::Inconsistent)?;
        self.control().schedule_mut().add(Task::Tidy);
        Ok(base)
    }

    /// Activates a base, with the list of pending files, the dead ranks and the stored directories,
    /// unless an unrelated part of the state changed.
    fn activate(
        &self,
        store: &Store,
        view: &View,
        base: &Arc<Segment>,
        id: u32,
    ) -> Result<(), Fault> {
        let [policy, global] = self.policy();
        let (tree, epoch, dead, unread) = {
            let mut control = self.control();
            let files = control.catalog_mut().files_mut();
            let mut rebased = files.rebased(base, view);
            let proves = rebased.deltas().is_empty();
            let ((dead, _), unread) = (rebased.dead_sets(), rebased.view().unread());
            control.watermarks_mut().stored_unread = unread.is_some();
            (
                stored_directories::rows(control.catalog(), proves),
                control.watermarks().epoch + 1,
                dead,
                unread,
            )
        };
        let mut active = Vec::new();
        let mut rows = Vec::new();
        if let Some(unread) = unread {
            rows = unread.rows(&self.key)?;
            active.push(store.new_segment(false)?);
        }
        store.replace(id, BlockKind::Tree, &borrowed(&tree))?;
        store.set_text_fact("policy", &policy)?;
        store.set_text_fact("global_ignore", &global)?;
        let facts = [("build_complete", 1), ("clean", 0), ("epoch", epoch)];
        let rows = borrowed(&rows);
        let added = active.first().map(|unread| (*unread, rows.as_slice()));
        let active: Vec<_> = [(id, Some(&dead))]
            .into_iter()
            .chain(active.iter().map(|unread| (*unread, None)))
            .collect();
        store.flip(added, &active, &facts, (Point::BeforeFlip, Point::AfterFlip))
    }

    fn filters_outgrow_limit(&self, view: &View) -> bool {
        let files = u64::from(view.base.catalog.len() - view.dead.len()) + view.extras.len() as u64;
        let bytes = files.saturating_mul(2).saturating_mul(self.key.filter.bytes() as u64);
        self.key.packed && bytes > self.settings.index_max_db_bytes
    }

    /// Stores an unfinished build, so that a later process can continue it (FR-LSI-BG-41, E-C41).
    pub(crate) fn save_partial(&self) {
        // The setting concerns builds interrupted by shutdown, not those stopped by a budget.
        let wanted = self.settings.index_checkpoint_on_shutdown || !self.is_ending();
        if !wanted || self.options.faults.at(Point::SavePartial).is_err() {
            return;
        }
        let Some(store) = self.control().storage().writer() else { return };
        // If this fails, the files are tokenized again.
        if store.set_facts(&[("build_complete", 0)]).is_ok() {
            let _ = self.store_deltas(&store);
        }
    }

    /// Stores the deltas that are only in memory, the pending files, and the dead ranks of each
    /// segment.
    pub(crate) fn store_deltas(&self, store: &Store) -> Result<(), Fault> {
        let (view, edits, base_dead, dead, unread) = {
            let mut control = self.control();
            let files = control.catalog_mut().files_mut();
            let (base_dead, dead) = files.dead_sets();
            let view = files.view();
            let unread = view.unread();
            (view, files.edits(), base_dead, dead, unread)
        };
        let mut active = Vec::new();
        if let Some(base) = view.base.id() {
            active.push((base, Some(&base_dead)));
        }
        // One transaction for each but the last, which activates all.
        let mut numbered = Vec::new();
        let mut last: Option<(u32, Vec<Row>)> = None;
        let mut write = |segment: &Segment| {
            let id = store.new_segment(false)?;
            if let Some((id, rows)) = last.replace((id, segment.rows(&self.key)?)) {
                store.write(id, &borrowed(&rows), Point::WriteDelta)?;
            }
            Ok::<u32, Fault>(id)
        };
        for (delta, dead) in view.deltas.iter().zip(&dead) {
            let id = if let Some(id) = delta.id() {
                id
            } else {
                let id = write(delta)?;
                numbered.push((Arc::clone(delta), id));
                id
            };
            active.push((id, Some(dead)));
        }
        let stored_unread = unread.is_some();
        if let Some(unread) = unread {
            active.push((write(&unread)?, None));
        }
        let rows = last.as_ref().map(|(id, rows)| (*id, borrowed(rows)));
        let added = rows.as_ref().map(|(id, rows)| (*id, rows.as_slice()));
        store.flip(added, &active, &[], (Point::WriteDelta, Point::AfterDelta))?;
        for (delta, id) in numbered {
            delta.name(id);
        }
        let mut control = self.control();
        control.watermarks_mut().stored_edits = edits;
        // The earlier list of pending files is inactive now.
        let before = std::mem::replace(&mut control.watermarks_mut().stored_unread, stored_unread);
        if before {
            control.schedule_mut().add(Task::Tidy);
        }
        Ok(())
    }
}

fn borrowed(rows: &[Row]) -> Vec<BorrowedRow<'_>> {
    rows.iter().map(|(kind, number, bytes)| (*kind, *number, bytes.as_slice())).collect()
}

#[cfg(test)]
mod tests;
