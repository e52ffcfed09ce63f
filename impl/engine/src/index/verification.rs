//! Verification without a watcher: a call on a file system that does not report every change checks
//! every directory and file itself, and the index is COMPLETE for that call (docs/index-service.md,
//! section 4; E-C08, M-24, D8, D17).
//!
//! Invariants: the call checks a copy of the catalog, without a lock; its result is its own, and is
//! shared only if no other thread has changed the catalog meanwhile.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use forge_search_core::index::{
    budget::maintenance_ms,
    machine::{Reason, Status, Trigger},
    need::Need,
    segment::{Fingerprint, RankSet},
};

use super::{
    catalog::{Catalog, Difference, ExtraKind, View},
    depth::too_deep,
    enumerate::Candidates,
    fault::Sabotage,
    fingerprint::is_unchanged,
    gate::{Bypass, CompleteForCall, Permit, above_is_readable},
    inputs::{Moment, are_still},
    linked_files::{FEW, in_parallel},
    query::IndexQuery,
    root_index::RootIndex,
    scan::scan,
    segment::Segment,
    stored_directories,
};
use crate::root::{Kind, Proof, Proofs, Root};

impl RootIndex {
    /// Verifies every directory and file, unless that costs more than reading the files that would
    /// be excluded.
    pub(super) fn permit_verified(
        &self,
        query: &IndexQuery<'_>,
        directory: &[u8],
        need: &Need,
        deadline: Instant,
    ) -> Result<Permit<'_>, Bypass> {
        let (mut catalog, edits, status) = {
            let control = self.control();
            (control.catalog().clone(), control.catalog().files().edits(), control.status())
        };
        let view = catalog.files_mut().view();
        let mut candidates =
            self.by_filters(&view, need, query, None).map_err(|fault| self.bypass_for(&fault))?;
        let read = u64::from(candidates.base.len()) + view.extras.len() as u64;
        if read * 2 > catalog.files().count() {
            return Err(Bypass::ScanIsCheaper);
        }
        self.restore_directories(&mut catalog);
        // Checking every file is maintenance (FR-LSI-BUD-MAINT-02).
        let left = deadline.saturating_duration_since(Instant::now());
        let left_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
        let share = Duration::from_millis(maintenance_ms(&self.settings, left_ms));
        self.verify(&mut catalog, status, Instant::now() + share)?;
        if catalog.proof() > Proof::Stat {
            return Err(Bypass::IndexUnavailable);
        }
        let view = catalog.files_mut().view();
        let known = catalog.has_directory(directory);
        let above = above_is_readable(&catalog, directory);
        let too_deep = too_deep(&catalog, directory, query.scope);
        let complete_for_call = {
            let mut control = self.control();
            if !control.is_usable() {
                return Err(Bypass::IndexUnavailable);
            }
            if control.catalog().files().edits() == edits {
                *control.catalog_mut() = catalog;
                control.changes_mut().clear();
            }
            let step = control.tick(&[Trigger::IndexAccessed, Trigger::CallVerified]);
            if !step.may_exclude {
                return Err(Bypass::IndexUnavailable);
            }
            Some(CompleteForCall(self))
        };
        if !known {
            return Err(Bypass::PathNotIndexed);
        }
        above?;
        // The segments are those that were queried; changed files are dead in them, or pending.
        let more = self.never_excluded(&view, query.max_file_size_bytes);
        candidates.base.unite(&more.base);
        for (set, more) in candidates.deltas.iter_mut().zip(&more.deltas) {
            set.unite(more);
        }
        let proofs = Proofs { names: Proof::Stat, contents: Proof::Stat };
        let told = self.told_by_words(&view, query)?;
        let known = self.narrow(&view, query, told, &[], &mut candidates)?;
        let candidates = Some(candidates);
        Ok(Permit { view, candidates, known, too_deep, proofs, complete_for_call })
    }

    /// Loads the stored directories in the first call of a process; rules are read anew if a
    /// directory changed.
    fn restore_directories(&self, catalog: &mut Catalog) {
        if catalog.is_known() || catalog.root().is_some() {
            return;
        }
        let store = {
            let control = self.control();
            control.storage().store().cloned().filter(|_| control.storage().is_as_opened())
        };
        let stored = store.zip(catalog.files().base().id());
        if let Some((directories, rules)) =
            stored.and_then(|(store, base)| stored_directories::load(&store, base).ok()?)
        {
            catalog.restore_directories(directories, rules);
        }
    }

    /// The files that a verified call may not exclude by their n-grams: too large, or racy.
    fn never_excluded(&self, view: &View, cap: u64) -> Candidates {
        let of = |segment: &Segment| {
            let mut set = RankSet::none(segment.catalog.len());
            for rank in 0..segment.catalog.len() {
                let racy = segment.catalog.is_racy(rank) && !self.is_sabotaged(Sabotage::Racy);
                if racy || segment.catalog.fingerprint(rank).size > cap {
                    set.insert(rank);
                }
            }
            set
        };
        Candidates {
            base: of(&view.base),
            deltas: view.deltas.iter().map(|delta| of(delta)).collect(),
        }
    }

    /// Checks every directory and file, within the call's share of time. Afterwards the catalog
    /// equals the tree (E-C08, D8).
    fn verify(
        &self,
        catalog: &mut Catalog,
        status: Status,
        deadline: Instant,
    ) -> Result<(), Bypass> {
        let root = self.coverage.open().map_err(|_| Bypass::IndexUnavailable)?;
        let id = root.stat(b"").map(|stat| (stat.fingerprint.device, stat.fingerprint.inode)).ok();
        if catalog.root().is_some() && catalog.root() != id {
            let mut control = self.control();
            if control.is_usable() {
                control.catalog_mut().set_root(None);
                control.tick(&[Trigger::KeyChanged]);
            }
            return Err(Bypass::IndexUnavailable);
        }
        for (device, path) in catalog.unproved() {
            catalog.prove(device, root.proof(&path).unwrap_or_default());
        }
        let other_rules =
            [Reason::PolicyChanged, Reason::EligibilityChanged, Reason::EnumerationError];
        let names = catalog.is_known()
            && !other_rules.iter().any(|reason| status.reasons.contains(*reason))
            && self.names_are_known(catalog, &root);
        if names {
            let changed = self.changed_files(catalog, &root, deadline)?;
            for (path, now) in changed {
                match now {
                    Some(now) => catalog.files_mut().take(&path, now),
                    None => {
                        catalog.files_mut().remove(&path);
                    }
                }
            }
        } else {
            let is_late = || Instant::now() >= deadline;
            match scan(&self.coverage, b"", None, &*self.options.faults, &is_late, &mut |_| {
                !is_late()
            }) {
                Ok(scan) if !scan.stopped && !scan.incomplete => {
                    let unwatched = catalog.take_over(self, b"", scan);
                    self.unwatch(&unwatched);
                }
                _ if is_late() => return Err(Bypass::MaintBudget),
                _ => return Err(Bypass::IndexUnavailable),
            }
        }
        catalog.set_root(id);
        Ok(())
    }

    /// Whether the names in every directory and the contents of every ignore file are unchanged.
    fn names_are_known(&self, catalog: &Catalog, root: &Root) -> bool {
        let rules = catalog.rules();
        let is_same = |path: &[u8], known: Fingerprint| {
            root.stat_by_path(path).is_ok_and(|stat| stat.fingerprint == known)
        };
        let inputs = self.coverage.inputs(&rules.repositories, Moment::Now);
        let directories: Vec<_> = catalog.directories().iter().collect();
        catalog.files().walk_errors().is_empty()
            && !directories.iter().any(|(_, known)| known.racy)
            && are_still(&rules.inputs, &inputs)
            && rules.files.iter().all(|file| file.proved && is_same(&file.path, file.fingerprint))
            && in_parallel(&directories, FEW, |(path, known)| is_same(path, known.fingerprint))
    }

    /// Changed files, with their present fingerprints.
    fn changed_files(
        &self,
        catalog: &mut Catalog,
        root: &Root,
        deadline: Instant,
    ) -> Result<Vec<Difference>, Bypass> {
        let view = catalog.files_mut().view();
        let changed = parking_lot::Mutex::new(Vec::new());
        let late = AtomicBool::new(false);
        let look = |path: &[u8], known: Fingerprint| {
            let now = root.stat_by_path(path).ok().filter(|stat| stat.kind == Kind::File);
            let now = now.map(|stat| stat.fingerprint);
            if now.is_none_or(|now| !is_unchanged(self, known, now)) {
                changed.lock().push((path.to_vec(), now));
            }
        };
        let catalog = &view.base.catalog;
        let ranks: Vec<u32> =
            (0..catalog.len()).filter(|rank| !view.dead.contains(*rank)).collect();
        in_parallel(&ranks, FEW, |rank| {
            look(catalog.path(*rank), catalog.fingerprint(*rank));
            let on_time = rank % 1024 != 0 || Instant::now() < deadline;
            late.fetch_or(!on_time, Ordering::Relaxed);
            on_time
        });
        for extra in
            view.extras.iter().filter(|extra| !matches!(extra.kind, ExtraKind::WalkError(_)))
        {
            look(view.path(extra), view.fingerprint(extra));
        }
        if late.into_inner() {
            return Err(Bypass::MaintBudget);
        }
        Ok(changed.into_inner())
    }
}
