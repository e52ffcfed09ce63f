//! Files whose changes may raise no event: they have other names, possibly outside the tree, or are
//! mounts of their own. Every call checks each of them before it excludes it (D17).

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
};

use forge_search_core::index::{
    machine::{State, Trigger},
    queue::DirtyKind,
    segment::Fingerprint,
};

use super::{
    catalog::{ExtraKind, View},
    enumerate::Candidates,
    fault::Sabotage,
    fingerprint::is_unchanged,
    root_index::RootIndex,
    segment::{Object, object},
};
use crate::job::cores;

/// A file that would be excluded, with its last known fingerprint.
struct Linked<'v> {
    object: Object,
    /// The delta, `None` for the base; and the rank in it.
    at: (Option<usize>, u32),
    path: &'v [u8],
    fingerprint: Fingerprint,
}

impl RootIndex {
    /// Checks files before they are excluded. Changed ones become candidates, and so do those whose
    /// times prove nothing. Returns whether any was checked.
    pub(super) fn verify_linked_files(
        &self,
        view: &View,
        mounts: &BTreeSet<Vec<u8>>,
        candidates: &mut Candidates,
    ) -> bool {
        if self.is_sabotaged(Sabotage::HardLinks) {
            return false;
        }
        let (mut linked, racy) = excluded(view, mounts, candidates);
        for at in racy {
            candidates.insert(at);
        }
        if linked.is_empty() {
            return false;
        }
        linked.sort_by(|a, b| (a.object, a.path).cmp(&(b.object, b.path)));
        let objects: Vec<&[Linked<'_>]> = linked.chunk_by(|a, b| a.object == b.object).collect();
        let Ok(root) = self.coverage.open() else {
            for file in &linked {
                candidates.insert(file.at);
            }
            return false;
        };
        let changed = parking_lot::Mutex::new(Vec::new());
        in_parallel(&objects, FEW, |names| {
            let Some(first) = names.first() else { return true };
            let now = root.stat_by_path(first.path).ok().map(|stat| stat.fingerprint);
            if !names
                .iter()
                .all(|name| now.is_some_and(|now| is_unchanged(self, name.fingerprint, now)))
            {
                changed.lock().extend(names.iter().map(|name| (name.at, name.path.to_vec())));
            }
            true
        });
        let changed = changed.into_inner();
        if changed.is_empty() {
            return true;
        }
        let mut control = self.control();
        for (at, path) in changed {
            candidates.insert(at);
            control.changes_mut().enqueue(&path, DirtyKind::File);
        }
        // Another thread changed the state, after which everything is checked again.
        if control.state() == State::Complete {
            control.tick(&[Trigger::FingerprintMismatched]);
        }
        drop(control);
        self.wake();
        true
    }
}

/// Files that would be excluded although their changes may raise no event; separately, those whose
/// times prove nothing.
fn excluded<'v>(
    view: &'v View,
    mounts: &BTreeSet<Vec<u8>>,
    candidates: &Candidates,
) -> (Vec<Linked<'v>>, Vec<(Option<usize>, u32)>) {
    let (mut linked, mut racy) = (Vec::new(), Vec::new());
    let mut add =
        |at: (Option<usize>, u32), path: &'v [u8], fingerprint: Fingerprint, is_racy: bool| {
            if candidates.contains(at) {
                return;
            }
            match object(fingerprint).filter(|_| !is_racy) {
                Some(object) => linked.push(Linked { object, at, path, fingerprint }),
                None => racy.push(at),
            }
        };
    let catalog = &view.base.catalog;
    let mounted = mounts.iter().filter_map(|path| catalog.find(path).ok());
    for rank in
        view.base.linked.iter().copied().chain(mounted).filter(|rank| !view.dead.contains(*rank))
    {
        add((None, rank), catalog.path(rank), catalog.fingerprint(rank), catalog.is_racy(rank));
    }
    for extra in view.extras.iter() {
        let ExtraKind::Delta(delta, rank) = extra.kind else { continue };
        let Some(segment) = view.deltas.get(delta) else { continue };
        let (path, fingerprint) = (segment.catalog.path(rank), segment.catalog.fingerprint(rank));
        if fingerprint.links > 1 || (!mounts.is_empty() && mounts.contains(path)) {
            add((Some(delta), rank), path, fingerprint, segment.catalog.is_racy(rank));
        }
    }
    (linked, racy)
}

/// Most files or directories that are looked at on one thread.
pub(super) const FEW: usize = 512;
/// Parts of the items for each thread, since items take different times.
const PARTS: usize = 8;

/// Calls `each` for every item, on several threads if there are more than `few`, until it returns
/// `false`. Returns whether it never did.
pub(super) fn in_parallel<T: Sync>(
    items: &[T],
    few: usize,
    each: impl Fn(&T) -> bool + Sync,
) -> bool {
    let threads = cores().min(8);
    if items.len() <= few || threads == 1 {
        return items.iter().all(&each);
    }
    let (all, next) = (AtomicBool::new(true), AtomicUsize::new(0));
    let parts: Vec<&[T]> = items.chunks(items.len().div_ceil(threads * PARTS)).collect();
    let work = || {
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let done = part.iter().all(|item| all.load(Ordering::Relaxed) && each(item));
            all.fetch_and(done, Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    all.into_inner()
}
