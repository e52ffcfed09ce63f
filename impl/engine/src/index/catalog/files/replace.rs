//! Replacing many files at once: after a first scan, after tokenizing, after a merge.

use std::{collections::HashMap, sync::Arc};

use forge_search_core::{
    index::segment::{Catalog, Fingerprint},
    order,
};

use super::{
    Entry, Extra, ExtraKind, Files, Known, PendingFile, UnindexedFile, View, keyed_path::KeyedPath,
};
use crate::index::segment::{Segment, object};

impl Files {
    /// Sets the files of a first scan as a base without n-grams. Files for which `same` holds keep
    /// their n-grams.
    pub(crate) fn found(&mut self, scanned: Catalog, same: impl Fn(Known, Fingerprint) -> bool) {
        let before = std::mem::replace(self, Self::new(Arc::new(Segment::unread(scanned)), None));
        (self.deltas, self.walk_errors, self.edits) =
            (before.deltas, before.walk_errors, before.edits + 1);
        let base = Arc::clone(&self.base);
        for (path_key, extra) in before.extras {
            if let (Some(known), Ok(rank)) =
                (self.known(&extra), base.catalog.find(path_key.path()))
                && same(known, base.catalog.fingerprint(rank))
            {
                self.dead.insert(rank);
                self.insert(path_key, extra.kind);
            }
        }
        // The last fingerprint of an object holds for all its names.
        let linked = || base.linked.iter().map(|rank| (*rank, base.catalog.fingerprint(*rank)));
        let last: HashMap<_, _> =
            linked().filter_map(|(_, found)| Some((object(found)?, found))).collect();
        for (rank, found) in linked() {
            if let Some(last) =
                object(found).and_then(|object| last.get(&object)).filter(|last| **last != found)
            {
                self.put(base.catalog.path(rank), *last);
            }
        }
    }

    /// Adds a delta with the n-grams of pending files; files edited since stay pending. Returns how
    /// many were taken.
    ///
    /// Equal fingerprints do not prove that a file was not edited: it can be written twice within a
    /// tick of the clock. An event in between replaces the entry.
    pub(crate) fn adopt(&mut self, delta: &Arc<Segment>, wanted: &[UnindexedFile]) -> u32 {
        let number = self.deltas.len();
        self.deltas.push(Arc::clone(delta));
        let mut adopted = 0;
        let mut wanted = wanted.iter();
        for rank in 0..delta.catalog.len() {
            let path = delta.catalog.path(rank);
            // The rows are the wanted files in their order, some left out.
            let Some(asked) = wanted.find(|asked| asked.path() == path) else { break };
            let known = ExtraKind::Delta(number, rank);
            match asked {
                UnindexedFile::Extra(asked) => {
                    let Some(extra) = self.extras.get_mut(&asked.path_key) else { continue };
                    if !matches!(&extra.kind, ExtraKind::Pending(file) if Arc::ptr_eq(file, asked))
                    {
                        continue;
                    }
                    extra.kind = known;
                    self.pending -= 1;
                }
                UnindexedFile::Unread(base, at) => {
                    if !Arc::ptr_eq(base, &self.base) || self.dead.contains(*at) {
                        continue;
                    }
                    self.dead.insert(*at);
                    self.insert(Arc::new(KeyedPath::new(path)), known);
                }
            }
            adopted += 1;
        }
        if adopted == 0 {
            self.deltas.pop();
        } else {
            self.view = None;
            self.edits += 1;
        }
        adopted
    }

    /// The files over a new base made from `merged`; later changes are kept.
    pub(crate) fn rebased(&mut self, base: &Arc<Segment>, merged: &View) -> Self {
        let now = self.view();
        let mut rebased = Self::new(Arc::clone(base), None);
        rebased.walk_errors.clone_from(&self.walk_errors);
        let mut ranks = (0..base.catalog.len()).peekable();
        // Both are in order.
        for entry in now.entries() {
            let Some((path, known)) = now.file(entry) else { continue };
            while let Some(gone) =
                ranks.next_if(|rank| order::compare(base.catalog.path(*rank), path).is_lt())
            {
                rebased.dead.insert(gone);
            }
            if let Some(rank) = ranks.next_if(|rank| base.catalog.path(*rank) == path) {
                if merged.has(&now, entry) {
                    continue;
                }
                rebased.dead.insert(rank);
            }
            let kind = match entry {
                Entry::Extra(Extra { kind: ExtraKind::Delta(delta, rank), .. }) => {
                    let Some(delta) = now.deltas.get(*delta) else { continue };
                    let number = rebased.deltas.iter().position(|kept| Arc::ptr_eq(kept, delta));
                    let number = number.unwrap_or_else(|| {
                        rebased.deltas.push(Arc::clone(delta));
                        rebased.deltas.len() - 1
                    });
                    ExtraKind::Delta(number, *rank)
                }
                Entry::Extra(Extra { kind: ExtraKind::Pending(file), .. }) => {
                    ExtraKind::Pending(Arc::clone(file))
                }
                Entry::Base(_) | Entry::Extra(_) => {
                    rebased.put(path, known.fingerprint);
                    continue;
                }
            };
            rebased.insert(Arc::new(KeyedPath::new(path)), kind);
        }
        ranks.for_each(|gone| rebased.dead.insert(gone));
        rebased.edits = self.edits + 1;
        rebased
    }

    /// Sets a new base made from `merged`.
    pub(crate) fn rebase(&mut self, base: &Arc<Segment>, merged: &View) {
        *self = self.rebased(base, merged);
    }

    /// Replaces the deltas of `merged` by the one that was made from them.
    pub(crate) fn compact(&mut self, delta: &Arc<Segment>, merged: &View) {
        let replaced: Vec<bool> = self
            .deltas
            .iter()
            .map(|mine| merged.deltas.iter().any(|theirs| Arc::ptr_eq(mine, theirs)))
            .collect();
        let mut kept: Vec<Arc<Segment>> = Vec::new();
        let mut numbers = Vec::new();
        for (mine, replaced) in self.deltas.iter().zip(&replaced) {
            numbers.push(if *replaced { None } else { Some(kept.len()) });
            if !replaced {
                kept.push(Arc::clone(mine));
            }
        }
        let new = kept.len();
        kept.push(Arc::clone(delta));
        for (path_key, extra) in &mut self.extras {
            let ExtraKind::Delta(number, _) = extra.kind else { continue };
            extra.kind =
                match (numbers.get(number).copied().flatten(), delta.catalog.find(path_key.path()))
                {
                    (Some(number), _) => match extra.kind {
                        ExtraKind::Delta(_, rank) => ExtraKind::Delta(number, rank),
                        _ => continue,
                    },
                    (None, Ok(rank)) => ExtraKind::Delta(new, rank),
                    // Unreachable: the file was live when the delta was made. It becomes pending.
                    (None, Err(_)) => {
                        self.pending += 1;
                        let (path_key, fingerprint) =
                            (Arc::clone(path_key), Fingerprint::default());
                        ExtraKind::Pending(Arc::new(PendingFile { path_key, fingerprint }))
                    }
                };
        }
        self.deltas = kept;
        self.view = None;
        self.edits += 1;
    }
}
