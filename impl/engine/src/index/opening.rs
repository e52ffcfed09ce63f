//! Opening an index: the cache root, the store and its content (FR-LSI-BG-50..52,
//! FR-LSI-CACHE-ROOT-02, FR-LSI-STOR-FALLBACK-01, E-C19..E-C25, E-C31).

use std::sync::Arc;

use forge_search_core::index::{
    machine::{State, Trigger},
    segment::{Fault, RankSet},
    settings::{IntegrityCheck, Mode},
};

use super::{
    cache::{self, Unusable},
    catalog::{Catalog, Files},
    fault::{Point, Sabotage},
    root_index::RootIndex,
    schedule::Task,
    segment::Segment,
    storage::Location,
    store::{OpenOutcome, Store, StoredSegment},
};
use crate::observe;

/// Pause before opening is tried again while another process has the store.
pub(crate) const RETRY_MS: u64 = 1_000;

/// The content of a stored index.
struct Loaded {
    listed: Vec<StoredSegment>,
    files: Files,
    complete: bool,
    clean: bool,
    epoch: i64,
}

impl RootIndex {
    /// Opens the index or finds that there is none. Returns `false` if it must be tried again.
    pub(crate) fn open(&self, write: bool) -> bool {
        // Another thread is opening it.
        let Some(_alone) = self.opening() else { return true };
        {
            let mut control = self.control();
            if !control.schedule().has(Task::Open) {
                return true;
            }
            if control.schedule_mut().drop(Task::Begin) {
                control.tick(&[Trigger::ProcessStarted]);
            }
            if control.state() == State::Corrupt {
                // This process no longer uses the broken store.
                control.tick(&[Trigger::IndexMissing]);
            }
            control.schedule_mut().drop(Task::Remove);
            control.schedule_mut().drop(Task::Open);
            if control.mode() == Mode::Off {
                control.tick(&[Trigger::ModeOff]);
                return true;
            }
            if control.storage().is_in_memory() {
                drop(control);
                return self.open_memory();
            }
        }
        match cache::prepare(
            &self.settings,
            &self.coverage.sandbox,
            &self.roots,
            &*self.options.faults,
            write,
        ) {
            Ok(cache) => self.open_store(&cache, write),
            Err(why) => self.fall_back(why),
        }
    }

    fn open_memory(&self) -> bool {
        let possible = self.options.faults.at(Point::OpenMemory).is_ok();
        let mut control = self.control();
        if !possible {
            control.tick(&[Trigger::StorageImpossible]);
            return true;
        }
        control.storage_mut().set(Location::Memory);
        control.schedule_mut().drop(Task::Open);
        control.tick(&[Trigger::IndexMissing]);
        true
    }

    /// Keeps the index in memory, for the reason `why` (FR-LSI-STOR-FALLBACK-01).
    pub(crate) fn fall_back(&self, why: Unusable) -> bool {
        observe::storage_fell_back(&self.coverage.root, why.name());
        {
            let mut control = self.control();
            control.storage_mut().fall_back(why);
            control.tick(&[Trigger::StorageFellBack]);
        }
        self.open_memory()
    }

    fn open_store(&self, cache: &std::path::Path, write: bool) -> bool {
        if !write && !cache.join(format!("{}.sqlite", self.key.hash())).exists() {
            // A reader creates no files.
            let mut control = self.control();
            control.schedule_mut().add(Task::Open);
            control.tick(&[Trigger::IndexMissing]);
            return false;
        }
        // An unusable file is removed once; if it returns, another program creates it.
        for _ in 0..2 {
            let (store, found) = match Store::open(
                cache,
                &self.key,
                self.lock_wait(),
                write,
                &self.options.faults,
            ) {
                Ok(opened) => opened,
                Err(Fault::Busy) => {
                    let mut control = self.control();
                    control.schedule_mut().add(Task::Open);
                    control.tick(&[Trigger::LockTimedOut]);
                    return false;
                }
                Err(_) => return self.fall_back(Unusable::Store),
            };
            let writer = store.is_writer();
            match found {
                OpenOutcome::New => {
                    let mut control = self.control();
                    // There is no index yet; opening is tried again.
                    control.schedule_mut().set(Task::Open, !writer);
                    let store = writer.then(|| Arc::new(store));
                    control.storage_mut().set(Location::Database(store));
                    control.tick(&[Trigger::IndexMissing]);
                    return writer;
                }
                OpenOutcome::Index => return self.load_into_control(Arc::new(store)),
                OpenOutcome::Mismatched => {
                    let mut control = self.control();
                    if control.state() != State::Disabled {
                        control.tick(&[Trigger::IndexMismatched]);
                    }
                }
                OpenOutcome::Broken(why) => {
                    observe::index_is_broken(&self.coverage.root, &why);
                    self.control().tick(&[Trigger::IntegrityFailed]);
                }
            }
            drop(store);
            if !writer || cache::remove(cache, &self.key.hash()).is_err() {
                let mut control = self.control();
                control.schedule_mut().drop(Task::Remove);
                control.schedule_mut().set(Task::Open, !writer);
                drop(control);
                // The writer repairs it; opening is tried again.
                return writer && self.fall_back(Unusable::Store);
            }
            let mut control = self.control();
            control.schedule_mut().drop(Task::Remove);
            if control.has_given_up() {
                control.schedule_mut().add(Task::Open);
                return true;
            }
        }
        self.fall_back(Unusable::Store)
    }

    /// Loads the stored index into the state.
    fn load_into_control(&self, store: Arc<Store>) -> bool {
        let loaded = match self.load(&store) {
            Ok(Some(loaded)) => loaded,
            Ok(None) => {
                // An unfinished build without a usable part; the writer continues it.
                let writer = store.is_writer();
                let mut control = self.control();
                control.schedule_mut().set(Task::Open, !writer);
                control.storage_mut().set(Location::Database(Some(store)));
                control.tick(&[Trigger::IndexMissing]);
                return writer;
            }
            Err(Fault::Busy | Fault::Gone) => {
                let mut control = self.control();
                control.schedule_mut().add(Task::Open);
                control.tick(&[Trigger::LockTimedOut]);
                return false;
            }
            Err(fault) => {
                observe::index_is_broken(&self.coverage.root, &fault);
                let mut control = self.control();
                control.storage_mut().set(Location::Database(Some(store)));
                control.tick(&[Trigger::IntegrityFailed]);
                control.schedule_mut().add(Task::Remove);
                return true;
            }
        };
        let policy = self.policy();
        let (same_policy, same_global) = match &policy {
            [policy, global] => (
                self.is_sabotaged(Sabotage::Policy)
                    || store.text_fact("policy").ok().flatten().as_ref() == Some(policy),
                store.text_fact("global_ignore").ok().flatten().as_ref() == Some(global),
            ),
        };
        if store.is_writer() {
            let [_, global] = &policy;
            let written = store
                .set_facts(&[("clean", 0)])
                .and_then(|()| store.set_text_fact("global_ignore", global));
            if written.is_err() {
                return self.fall_back(Unusable::Store);
            }
        }
        let mut control = self.control();
        // Also if the mode was switched off and on meanwhile.
        control.schedule_mut().drop(Task::Open);
        *control.catalog_mut() = Catalog::stored(loaded.files);
        let edits = control.catalog().files().edits();
        let watermarks = control.watermarks_mut();
        (watermarks.stored_edits, watermarks.epoch) = (edits, loaded.epoch);
        control.storage_mut().opened(store, loaded.listed);
        if !loaded.clean {
            control.tick(&[Trigger::UncleanShutdownFound]);
        }
        // After an unclean end it is always checked.
        if self.settings.index_integrity_check == IntegrityCheck::OnOpen {
            control.schedule_mut().add(Task::Check);
        }
        if !loaded.complete {
            control.tick(&[Trigger::CheckpointFound]);
            return true;
        }
        control.tick(&[Trigger::IndexOpened]);
        if !same_policy {
            control.tick(&[Trigger::PolicyChanged]);
        }
        if !same_global {
            control.tick(&[Trigger::EligibilityChanged]);
        }
        if self.is_sabotaged(Sabotage::Reopen) {
            control.believe();
        }
        true
    }

    fn load(&self, store: &Arc<Store>) -> Result<Option<Loaded>, Fault> {
        let mut files: Option<Files> = None;
        let all = store.segments()?;
        for listed in &all {
            let segment = Segment::load(store, listed.id, listed.base, &self.key)?;
            let dead = match &listed.dead {
                None => None,
                Some(bytes) => {
                    let dead = RankSet::from_bytes(bytes, segment.catalog.len());
                    Some(dead.ok_or(Fault::Malformed("a bitmap of dead files"))?)
                }
            };
            match &mut files {
                None if listed.base => files = Some(Files::new(Arc::new(segment), dead)),
                // An interrupted build has deltas without a base.
                None => files.insert(Files::default()).add_stored(segment, dead.as_ref()),
                Some(files) => files.add_stored(segment, dead.as_ref()),
            }
        }
        let Some(files) = files else { return Ok(None) };
        let fact = |name| store.fact(name).map(Option::unwrap_or_default);
        Ok(Some(Loaded {
            listed: all,
            files,
            complete: fact("build_complete")? == 1,
            clean: fact("clean")? == 1,
            epoch: fact("epoch")?,
        }))
    }

    /// The deny patterns and global ignore files, in the form that is compared at opening.
    pub(crate) fn policy(&self) -> [String; 2] {
        self.coverage.policy()
    }
}
