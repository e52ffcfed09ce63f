//! A call without a watcher: it looks at every directory and file itself, and for as long as it lasts the index is lent to it (docs/index-service.md, section 4; E-C08, M-24, D8).

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Instant,
};

use forge_search_core::index::{
    machine::{Reason, Trigger},
    need::Need,
    segment::{Fault, Fingerprint, RankSet},
};

use super::{
    apply::{Difference, same},
    control::{Guard, RootIndex},
    enumerate::Candidates,
    fault::Shortcut,
    files::{ExtraKind, View},
    gate::{Bypass, Loan, Permit, Wanted, above_is_readable},
    scan::{Directory, scan},
    segment::Segment,
    tree::{self, StoredTree},
};
use crate::root::{Kind, Root};

impl RootIndex {
    /// Without a watcher: the call looks at every directory and file itself, unless that costs more than reading what would be excluded.
    pub(super) fn alone(
        &self,
        mut control: Guard<'_>,
        wanted: &Wanted<'_>,
        directory: &[u8],
        need: &Need,
        deadline: Instant,
    ) -> Result<Permit<'_>, Bypass> {
        let view = control.files.view();
        let mut candidates = self.by_filters(&view, need).map_err(|fault| match fault {
            Fault::Busy => Bypass::LockTimeout,
            Fault::Gone => Bypass::IndexUnavailable,
            Fault::Malformed(_) | Fault::Unreadable(_) => {
                control.tick(&[Trigger::IntegrityFailed]);
                Bypass::IndexFault
            }
        })?;
        let files = control.files.count();
        let read = u64::from(candidates.base.len()) + view.extras.len() as u64;
        if read * 2 > files {
            return Err(Bypass::ScanIsCheaper);
        }
        let first = control.root_id.is_none();
        if control.directories.is_empty() && first {
            let tree = control
                .store
                .as_ref()
                .and_then(|store| Some((store, control.files.base().id()?)))
                .and_then(|(store, base)| Some((store, tree::load(store, base).ok()?)))
                // It may be that of another process, which has stored more since; then it proves names that are not known here.
                .filter(|(store, _)| store.segments().is_ok_and(|now| now == control.opened))
                .map(|(_, tree)| tree);
            recall(&mut control, tree);
        }
        self.verify(&mut control, deadline)?;
        let step = control.tick(&[Trigger::IndexAccessed, Trigger::CallVerified]);
        if !step.may_exclude {
            return Err(Bypass::IndexUnavailable);
        }
        let loan = Some(Loan(self));
        let view = control.files.view();
        let known = directory.is_empty() || control.directories.contains_key(directory);
        let above = above_is_readable(&control, directory);
        drop(control);
        if !known {
            return Err(Bypass::PathNotIndexed);
        }
        above?;
        // The segments are those that were asked; what changed is dead in them, or pending.
        let more = self.always(&view, wanted.max_file_size_bytes);
        candidates.base.unite(&more.base);
        for (set, more) in candidates.deltas.iter_mut().zip(&more.deltas) {
            set.unite(more);
        }
        Ok(Permit { view, candidates: Some(candidates), loan })
    }

    /// The files that no filter may exclude from a call that has looked at everything itself: too large, or racy.
    fn always(&self, view: &View, cap: u64) -> Candidates {
        let of = |segment: &Segment| {
            let mut set = RankSet::none(segment.catalog.len());
            for rank in 0..segment.catalog.len() {
                let racy = segment.catalog.is_racy(rank) && !self.skips(Shortcut::Racy);
                if racy || segment.catalog.fingerprint(rank).size > cap {
                    set.insert(rank);
                }
            }
            set
        };
        Candidates { base: of(&view.base), deltas: view.deltas.iter().map(|delta| of(delta)).collect() }
    }

    /// Looks at every directory and file. Afterwards the catalog is the tree's (E-C08, D8).
    fn verify(&self, control: &mut Guard<'_>, deadline: Instant) -> Result<(), Bypass> {
        let root = self.ground.open().map_err(|_| Bypass::IndexUnavailable)?;
        let id = root.stat(b"").map(|stat| (stat.fingerprint.device, stat.fingerprint.inode)).ok();
        if control.root_id.is_some() && control.root_id != id {
            control.root_id = None;
            control.tick(&[Trigger::KeyChanged]);
            return Err(Bypass::IndexUnavailable);
        }
        let other_rules = [Reason::PolicyChanged, Reason::EligibilityChanged, Reason::EnumerationError];
        let names = !control.directories.is_empty()
            && !other_rules.iter().any(|reason| control.status.reasons.contains(*reason))
            && !control.directories.values().any(|known| known.racy)
            && control.files.troubles().is_empty()
            && control.inputs_are_known()
            && Self::names_are_known(control, &root);
        if names {
            let changed = self.changed_files(control, &root, deadline)?;
            for (path, now) in changed {
                match now {
                    Some(now) => control.files.put(&path, now),
                    None => {
                        control.files.remove(&path);
                    }
                }
            }
        } else {
            let found =
                scan(&self.ground, b"", None, &*self.options.faults, &mut |_| Instant::now() < deadline);
            match found {
                Ok(scan) if !scan.stopped && !scan.hiding => control.take_over(self, b"", scan),
                _ => return Err(Bypass::IndexUnavailable),
            }
        }
        control.root_id = id;
        control.queue.clear();
        Ok(())
    }

    /// Whether every directory has the names it had, and every ignore file says what it said.
    fn names_are_known(control: &Guard<'_>, root: &Root) -> bool {
        let ignore_files = control
            .ignore_files
            .iter()
            .all(|(path, known)| root.stat(path).is_ok_and(|stat| stat.fingerprint == *known));
        let directories: Vec<(&Vec<u8>, Fingerprint)> =
            control.directories.iter().map(|(path, known)| (path, known.fingerprint)).collect();
        let unchanged = AtomicBool::new(ignore_files);
        in_parallel(&directories, threads(), |(path, known)| {
            let now = root.stat(path).map(|stat| stat.fingerprint);
            if now.is_err() || now.is_ok_and(|now| now != *known) {
                unchanged.store(false, Ordering::Relaxed);
            }
            unchanged.load(Ordering::Relaxed)
        });
        unchanged.into_inner()
    }

    /// Files that are not what they were, with what they are.
    fn changed_files(
        &self,
        control: &mut Guard<'_>,
        root: &Root,
        deadline: Instant,
    ) -> Result<Vec<Difference>, Bypass> {
        let view = control.files.view();
        let changed = parking_lot::Mutex::new(Vec::new());
        let late = AtomicBool::new(false);
        let look = |path: &[u8], known: Fingerprint| {
            let now =
                root.stat(path).ok().filter(|stat| stat.kind == Kind::File).map(|stat| stat.fingerprint);
            if now.is_none_or(|now| !same(self, known, now)) {
                changed.lock().push((path.to_vec(), now));
            }
        };
        let catalog = &view.base.catalog;
        let ranks: Vec<u32> = (0..catalog.len()).filter(|rank| !view.dead.contains(*rank)).collect();
        in_parallel(&ranks, threads(), |rank| {
            look(catalog.path(*rank), catalog.fingerprint(*rank));
            let on_time = rank % 1024 != 0 || Instant::now() < deadline;
            late.fetch_or(!on_time, Ordering::Relaxed);
            on_time
        });
        for extra in view.extras.iter().filter(|extra| !matches!(extra.kind, ExtraKind::Trouble(_))) {
            look(view.path(extra), view.fingerprint(extra));
        }
        if late.into_inner() {
            return Err(Bypass::ScanIsCheaper);
        }
        Ok(changed.into_inner())
    }
}

/// Takes over what the store knows of directories; without rules, which are read if a directory changed.
fn recall(control: &mut Guard<'_>, tree: Option<StoredTree>) {
    let Some(tree) = tree else { return };
    if tree.troubles > 0 {
        return;
    }
    for (path, fingerprint, racy) in tree.directories {
        control.directories.insert(path, Directory { rules: Arc::default(), fingerprint, racy });
    }
    control.inputs = tree.inputs;
    control.ignore_files = tree.ignore_files;
    control.repositories = tree.repositories;
}

/// Threads for looking at a tree.
fn threads() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8)
}

/// Does something with each item, on several threads, as long as it says to go on.
fn in_parallel<T: Sync>(items: &[T], threads: usize, each: impl Fn(&T) -> bool + Sync) {
    let part = items.len().div_ceil(threads.max(1)).max(1);
    if items.len() < 512 {
        let _ = items.iter().all(&each);
        return;
    }
    thread::scope(|scope| {
        for part in items.chunks(part) {
            scope.spawn(|| {
                let _ = part.iter().all(&each);
            });
        }
    });
}
