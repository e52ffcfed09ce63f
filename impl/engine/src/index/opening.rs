//! Opening: the cache root, the store, what is in it (FR-LSI-BG-50..52, FR-LSI-CACHE-ROOT-02, FR-LSI-STOR-FALLBACK-01, E-C19..E-C25, E-C31).

use std::sync::Arc;

use forge_search_core::index::{
    machine::{State, Trigger},
    segment::{Fault, RankSet},
};

use super::{
    cache::{self, Unusable},
    control::{Control, Message, RootIndex},
    fault::{Point, Shortcut},
    files::Files,
    segment::Segment,
    store::{Found, Listed, Store},
};

/// How soon it is tried again to open what another process has in hand.
pub(crate) const RETRY_MS: u64 = 1_000;

/// What an index that was opened holds.
struct Loaded {
    listed: Vec<Listed>,
    files: Files,
    complete: bool,
    clean: bool,
    epoch: i64,
}

impl Control {
    /// Nothing is opened or built before somebody needs it: it was evicted, or what was built after it was corrupt is corrupt as well (E-C25).
    pub(crate) fn rests(&self) -> bool {
        (self.dormant || self.gave_up()) && !self.messages.contains(&Message::Rebuild)
    }

    /// Corrupt once more than it is built anew for.
    pub(crate) fn gave_up(&self) -> bool {
        self.status.state == State::Corrupt && self.corruptions > self.most_corruptions
    }
}

impl RootIndex {
    /// Opens the index if that is wanted, or finds that there is none. Whether that is settled; if not, it is tried again later.
    pub(crate) fn open(&self, write: bool) -> bool {
        // Whoever comes second does without.
        let Some(_alone) = self.opening.try_lock() else { return true };
        {
            let mut control = self.control();
            if !control.open_wanted {
                return true;
            }
            if !control.process_known {
                control.process_known = true;
                control.tick(&[Trigger::ProcessStarted]);
            }
            if control.status.state == State::Corrupt {
                // What was broken is gone, as far as this process is concerned.
                control.tick(&[Trigger::IndexMissing]);
            }
            (control.remove_wanted, control.open_wanted) = (false, false);
            if control.mode == "off" {
                control.tick(&[Trigger::ModeOff]);
                return true;
            }
            if control.memory_wanted {
                drop(control);
                return self.open_memory();
            }
        }
        match cache::prepare(&self.settings, &self.ground.sandbox, &self.roots, &*self.options.faults) {
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
        control.storage.mode = "memory";
        control.open_wanted = false;
        control.tick(&[Trigger::IndexMissing]);
        true
    }

    /// The index is kept in memory, for that reason (FR-LSI-STOR-FALLBACK-01).
    pub(crate) fn fall_back(&self, why: Unusable) -> bool {
        {
            let mut control = self.control();
            control.storage.fallback = Some(why.name());
            control.tick(&[Trigger::StorageFellBack]);
        }
        self.open_memory()
    }

    fn open_store(&self, cache: &std::path::Path, write: bool) -> bool {
        if !write && !cache.join(format!("{}.sqlite", self.key.hash())).exists() {
            // Whoever only reads leaves nothing behind.
            let mut control = self.control();
            control.open_wanted = true;
            control.tick(&[Trigger::IndexMissing]);
            return false;
        }
        // What stands in the way is removed at most once; then it is somebody else's doing.
        for _ in 0..2 {
            let (store, found) =
                match Store::open(cache, &self.key, self.lock_wait(), write, &self.options.faults) {
                    Ok(opened) => opened,
                    Err(Fault::Busy) => {
                        let mut control = self.control();
                        control.open_wanted = true;
                        control.tick(&[Trigger::LockTimedOut]);
                        return false;
                    }
                    Err(_) => return self.fall_back(Unusable::Store),
                };
            let writer = store.is_writer();
            match found {
                Found::New => {
                    let mut control = self.control();
                    control.storage.mode = "sqlite";
                    // If another process builds it, or nobody does, it is looked for again.
                    control.open_wanted = !writer;
                    if writer {
                        control.store = Some(Arc::new(store));
                    }
                    control.tick(&[Trigger::IndexMissing]);
                    return writer;
                }
                Found::Index => return self.take_in(Arc::new(store)),
                Found::Mismatched => {
                    let mut control = self.control();
                    if control.status.state != State::Disabled {
                        control.tick(&[Trigger::IndexMismatched]);
                    }
                }
                Found::Broken(_) => {
                    self.control().tick(&[Trigger::IntegrityFailed]);
                }
            }
            drop(store);
            if !writer || cache::remove(cache, &self.key.hash()).is_err() {
                let mut control = self.control();
                control.remove_wanted = false;
                control.open_wanted = !writer;
                drop(control);
                return !writer || self.fall_back(Unusable::Store);
            }
            let mut control = self.control();
            control.remove_wanted = false;
            if control.gave_up() {
                control.open_wanted = true;
                return true;
            }
        }
        self.fall_back(Unusable::Store)
    }

    /// Reads what is stored.
    fn take_in(&self, store: Arc<Store>) -> bool {
        let loaded = match self.load(&store) {
            Ok(Some(loaded)) => loaded,
            Ok(None) => {
                // Begun and never finished: nothing of it is an index.
                let mut control = self.control();
                control.storage.mode = "sqlite";
                control.open_wanted = !store.is_writer();
                control.store = Some(store);
                control.tick(&[Trigger::IndexMissing]);
                return true;
            }
            Err(Fault::Busy | Fault::Gone) => {
                let mut control = self.control();
                control.open_wanted = true;
                control.tick(&[Trigger::LockTimedOut]);
                return false;
            }
            Err(_) => {
                let mut control = self.control();
                control.storage.mode = "sqlite";
                control.store = Some(store);
                control.tick(&[Trigger::IntegrityFailed]);
                control.remove_wanted = true;
                return true;
            }
        };
        let policy = self.policy();
        let (same_policy, same_global) = match &policy {
            [policy, global] => (
                self.skips(Shortcut::Policy)
                    || store.text_fact("policy").ok().flatten().as_ref() == Some(policy),
                store.text_fact("global_ignore").ok().flatten().as_ref() == Some(global),
            ),
        };
        if store.is_writer() {
            let [_, global] = &policy;
            let written =
                store.set_facts(&[("clean", 0)]).and_then(|()| store.set_text_fact("global_ignore", global));
            if written.is_err() {
                return self.fall_back(Unusable::Store);
            }
        }
        let mut control = self.control();
        control.storage.mode = "sqlite";
        // Also if it was asked for once more meanwhile, by off and on.
        control.open_wanted = false;
        control.epoch = loaded.epoch;
        control.opened = loaded.listed;
        control.files = loaded.files;
        control.stored_edits = control.files.edits();
        control.store = Some(store);
        if !loaded.clean {
            control.tick(&[Trigger::UncleanShutdownFound]);
        }
        // After an unclean end it is checked in any case.
        control.check_wanted |= self.settings.index_integrity_check == "on_open";
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
        if self.skips(Shortcut::Reopen) {
            control.status.reasons = forge_search_core::index::machine::Reasons::NONE;
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
                // A stopped build has deltas and no base.
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

    /// The deny patterns and the global ignore files, as they are compared when an index is opened.
    pub(crate) fn policy(&self) -> [String; 2] {
        self.ground.policy()
    }
}
