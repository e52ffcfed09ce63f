//! The files of an index: a base, deltas over it, and pending files (docs/index-service.md,
//! sections 2 and 4).
//!
//! [`Files`] is edited under the index's lock; a [`View`] is an immutable snapshot for a call. Both
//! know every live file once, in `path_sort_key` order. State belongs to objects, identified by
//! device and inode: a change found under one name holds for all names.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use forge_search_core::{
    index::segment::{Fingerprint, RankSet},
    order,
};

use self::keyed_path::KeyedPath;
pub(crate) use self::{
    keyed_path::{PendingFile, UnindexedFile},
    view::{Entry, Extra, ExtraKind, View, partition},
};
use crate::{
    index::{
        fingerprint::is_unchanged,
        root_index::RootIndex,
        segment::{Object, Segment, object},
    },
    walk::WalkError,
};

mod keyed_path;
mod replace;
mod view;

/// The known state of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) fingerprint: Fingerprint,
    /// The fingerprint proves nothing.
    pub(crate) racy: bool,
    /// Its n-grams are not known.
    pub(crate) pending: bool,
}

impl Known {
    /// Whether a file with this fingerprint is unchanged.
    pub(crate) fn is_still(&self, index: &RootIndex, now: Fingerprint) -> bool {
        (self.pending || !self.racy) && is_unchanged(index, self.fingerprint, now)
    }
}

/// The names of one object among the extras, in order, and the fingerprint last set for all of
/// them.
#[derive(Clone, Debug, Default)]
struct Names {
    places: Vec<Arc<KeyedPath>>,
    /// Boxed, since most objects have one name and no level.
    level: Option<Box<Fingerprint>>,
}

/// The editable list of files.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    base: Arc<Segment>,
    dead: RankSet,
    deltas: Vec<Arc<Segment>>,
    extras: BTreeMap<Arc<KeyedPath>, Extra>,
    /// The extras by object.
    objects: HashMap<Object, Names>,
    /// Unreadable paths, in order.
    walk_errors: Vec<WalkError>,
    pending: u64,
    view: Option<Arc<View>>,
    /// Number of edits.
    edits: u64,
}

impl Default for Files {
    fn default() -> Self {
        Self::new(Arc::new(Segment::empty()), None)
    }
}

impl Files {
    /// The files of a base.
    pub(crate) fn new(base: Arc<Segment>, dead: Option<RankSet>) -> Self {
        let dead = dead.unwrap_or_else(|| RankSet::none(base.catalog.len()));
        Self {
            base,
            dead,
            deltas: Vec::new(),
            extras: BTreeMap::new(),
            objects: HashMap::new(),
            walk_errors: Vec::new(),
            pending: 0,
            view: None,
            edits: 0,
        }
    }

    /// Whether there is no base.
    pub(crate) fn is_new(&self) -> bool {
        self.base.id().is_none() && self.base.catalog.is_empty()
    }

    /// Adds a stored delta without its dead ranks.
    pub(crate) fn add_stored(&mut self, delta: Segment, dead: Option<&RankSet>) {
        let number = self.deltas.len();
        let delta = Arc::new(delta);
        self.deltas.push(Arc::clone(&delta));
        for rank in 0..delta.catalog.len() {
            if dead.is_none_or(|dead| !dead.contains(rank)) {
                let path = delta.catalog.path(rank).to_vec();
                self.remove(&path);
                self.insert(Arc::new(KeyedPath::new(&path)), ExtraKind::Delta(number, rank));
            }
        }
    }

    fn insert(&mut self, path_key: Arc<KeyedPath>, kind: ExtraKind) {
        self.view = None;
        self.edits += 1;
        self.pending += u64::from(matches!(kind, ExtraKind::Pending(_)));
        let before = self.base.catalog.find(path_key.path()).unwrap_or_else(|before| before);
        let extra = Extra { before, kind };
        if let Some(object) = self.known(&extra).and_then(|known| object(known.fingerprint)) {
            let names = self.objects.entry(object).or_default();
            if let Err(at) = names.places.binary_search(&path_key) {
                // Most objects have one name.
                names.places.reserve_exact(1);
                names.places.insert(at, Arc::clone(&path_key));
            }
        }
        self.extras.insert(path_key, extra);
    }

    /// The known state of an extra.
    fn known(&self, extra: &Extra) -> Option<Known> {
        match &extra.kind {
            ExtraKind::Delta(delta, rank) => {
                let catalog = &self.deltas.get(*delta)?.catalog;
                let (fingerprint, racy) = (catalog.fingerprint(*rank), catalog.is_racy(*rank));
                Some(Known { fingerprint, racy, pending: false })
            }
            ExtraKind::Pending(file) => {
                Some(Known { fingerprint: file.fingerprint, racy: false, pending: true })
            }
            ExtraKind::WalkError(_) => None,
        }
    }

    /// The known state of a path.
    pub(crate) fn find(&self, path: &[u8]) -> Option<Known> {
        if let Some(extra) = self.extras.get(&KeyedPath::new(path)) {
            return self.known(extra);
        }
        let rank = self.base.catalog.find(path).ok().filter(|rank| !self.dead.contains(*rank))?;
        let (fingerprint, racy) =
            (self.base.catalog.fingerprint(rank), self.base.catalog.is_racy(rank));
        Some(Known { fingerprint, racy, pending: self.base.is_unread() })
    }

    /// Removes a file. Whether it existed.
    pub(crate) fn remove(&mut self, path: &[u8]) -> bool {
        let path_key = KeyedPath::new(path);
        if let Some(extra) = self.extras.remove(&path_key) {
            self.view = None;
            self.edits += 1;
            self.pending -= u64::from(matches!(extra.kind, ExtraKind::Pending(_)));
            if let Some(object) = self.known(&extra).and_then(|known| object(known.fingerprint)) {
                self.remove_name(object, &path_key);
            }
            return true;
        }
        match self.base.catalog.find(path) {
            Ok(rank) if !self.dead.contains(rank) => {
                self.dead.insert(rank);
                self.view = None;
                self.edits += 1;
                true
            }
            _ => false,
        }
    }

    /// Adds or replaces a file, as pending.
    pub(crate) fn put(&mut self, path: &[u8], fingerprint: Fingerprint) {
        self.remove(path);
        let path_key = Arc::new(KeyedPath::new(path));
        let file = Arc::new(PendingFile { path_key: Arc::clone(&path_key), fingerprint });
        self.insert(path_key, ExtraKind::Pending(file));
    }

    /// The live files below a directory, unordered.
    pub(crate) fn below(&self, directory: &[u8]) -> Vec<Vec<u8>> {
        let prefix = if directory.is_empty() { Vec::new() } else { [directory, b"/"].concat() };
        let mut below: Vec<Vec<u8>> = self
            .extras
            .keys()
            .map(|path_key| path_key.path())
            .filter(|path| path.starts_with(&prefix))
            .map(<[u8]>::to_vec)
            .collect();
        let catalog = &self.base.catalog;
        // The subtree is one range of ranks by key, which may contain other paths with an equal
        // key.
        let key = order::sort_key(&prefix).into_owned();
        let from = partition(catalog.len(), |rank| {
            order::sort_key(catalog.path(rank)).as_ref() < key.as_slice()
        });
        for rank in from..catalog.len() {
            let path = catalog.path(rank);
            if !order::sort_key(path).starts_with(&key) {
                break;
            }
            if path.starts_with(&prefix) && !self.dead.contains(rank) {
                below.push(path.to_vec());
            }
        }
        below
    }

    fn remove_name(&mut self, object: Object, path_key: &KeyedPath) {
        let Some(names) = self.objects.get_mut(&object) else { return };
        if let Ok(at) = names.places.binary_search_by(|known| known.as_ref().cmp(path_key)) {
            names.places.remove(at);
        }
        if names.places.is_empty() {
            self.objects.remove(&object);
        }
    }

    /// Sets the fingerprint of a file and of all other names of its object. The cost depends on the
    /// differing names only.
    pub(crate) fn take(&mut self, path: &[u8], now: Fingerprint) {
        self.put(path, now);
        let Some(object) = object(now).filter(|_| now.links > 1) else { return };
        if self.objects.get(&object).is_some_and(|names| names.level.as_deref() == Some(&now)) {
            return;
        }
        for name in self.names(object) {
            if self.find(&name).is_some_and(|known| known.fingerprint != now) {
                self.put(&name, now);
            }
        }
        self.objects.entry(object).or_default().level = Some(Box::new(now));
    }

    /// Marks all names of an object as pending, whatever its times.
    pub(crate) fn doubt(&mut self, object: Object) {
        for name in self.names(object) {
            if let Some(known) = self.find(&name) {
                self.put(&name, known.fingerprint);
            }
        }
    }

    /// The live names of an object.
    pub(crate) fn names(&self, object: Object) -> Vec<Vec<u8>> {
        let catalog = &self.base.catalog;
        let of_base = self.base.ranks_of(object).filter(|rank| !self.dead.contains(*rank));
        let of_base = of_base.map(|rank| catalog.path(rank).to_vec());
        let of_extras = self.objects.get(&object).into_iter().flat_map(|names| &names.places);
        of_base.chain(of_extras.map(|path_key| path_key.path().to_vec())).collect()
    }

    /// Number of pending files.
    pub(crate) fn pending_count(&self) -> u64 {
        let unread =
            if self.base.is_unread() { self.base.catalog.len() - self.dead.len() } else { 0 };
        self.pending + u64::from(unread)
    }

    /// Unreadable paths.
    pub(crate) fn walk_errors(&self) -> &[WalkError] {
        &self.walk_errors
    }

    /// Replaces the unreadable paths below a directory.
    pub(crate) fn set_walk_errors(&mut self, below: &[u8], walk_errors: Vec<WalkError>) {
        let prefix = if below.is_empty() { Vec::new() } else { [below, b"/"].concat() };
        let mut kept = std::mem::take(&mut self.walk_errors);
        kept.retain(|walk_error| walk_error.at != below && !walk_error.at.starts_with(&prefix));
        kept.extend(walk_errors);
        // Stable: errors of one directory keep their order.
        kept.sort_by(|a, b| order::compare(&a.at, &b.at));
        self.walk_errors = kept;
        self.view = None;
    }

    /// Live files.
    pub(crate) fn count(&self) -> u64 {
        u64::from(self.base.catalog.len() - self.dead.len()) + self.extras.len() as u64
    }

    /// Dead files of the base.
    pub(crate) fn dead_count(&self) -> u64 {
        u64::from(self.dead.len())
    }

    /// Number of edits so far.
    pub(crate) fn edits(&self) -> u64 {
        self.edits
    }

    pub(crate) fn base(&self) -> &Arc<Segment> {
        &self.base
    }

    pub(crate) fn deltas(&self) -> &[Arc<Segment>] {
        &self.deltas
    }

    /// The dead ranks of the base and of each delta.
    pub(crate) fn dead_sets(&self) -> (RankSet, Vec<RankSet>) {
        let mut of_deltas: Vec<RankSet> =
            self.deltas.iter().map(|delta| RankSet::all(delta.catalog.len())).collect();
        for extra in self.extras.values() {
            if let ExtraKind::Delta(delta, rank) = extra.kind
                && let Some(dead) = of_deltas.get_mut(delta)
            {
                dead.remove(rank);
            }
        }
        (self.dead.clone(), of_deltas)
    }

    /// The current snapshot, shared until the next edit.
    pub(crate) fn view(&mut self) -> Arc<View> {
        if let Some(view) = &self.view {
            return Arc::clone(view);
        }
        let extras = if self.walk_errors.is_empty() {
            self.extras.values().cloned().collect()
        } else {
            let mut extras: Vec<(&[u8], bool, Extra)> = self
                .extras
                .iter()
                .map(|(path_key, extra)| (path_key.path(), false, extra.clone()))
                .collect();
            for walk_error in &self.walk_errors {
                let slash = [walk_error.at.as_slice(), b"/"].concat();
                let at = if walk_error.at.is_empty() { b"" } else { slash.as_slice() };
                let before = self.base.catalog.find(at).unwrap_or_else(|before| before);
                let kind = ExtraKind::WalkError(Arc::new(walk_error.clone()));
                extras.push((&walk_error.at, true, Extra { before, kind }));
            }
            // A directory sorts as its path with a slash.
            let key = |(path, is_directory, _): &(&[u8], bool, Extra)| {
                let mut key = order::sort_key(path).into_owned();
                if *is_directory && !path.is_empty() {
                    key.push(b'/');
                }
                key
            };
            extras.sort_by_cached_key(key);
            extras.into_iter().map(|(.., extra)| extra).collect()
        };
        let view = Arc::new(View {
            base: Arc::clone(&self.base),
            dead: Arc::new(self.dead.clone()),
            deltas: self.deltas.clone().into(),
            extras,
        });
        self.view = Some(Arc::clone(&view));
        view
    }
}

#[cfg(test)]
mod tests;
