//! The files of a view as a search walks them: those below its search root that its options let
//! pass, in order, with those that need not be read only counted.
//!
//! The answer equals the walker's (docs/search.md, section 3) if the catalog equals the tree.
//! Without globs no path is examined.

use std::sync::Arc;

use forge_search_core::{
    cancellation::Cancellation,
    index::segment::{Fingerprint, RankSet},
    order,
    scope::Scope,
    text::BinaryRule,
};

use super::{
    catalog::{Extra, ExtraKind, View, partition},
    depth::UnenteredDirectories,
    gate::{CompleteForCall, Permit},
    query::IndexQuery,
    segment::Segment,
    words::KnownFiles,
};
use crate::walk::{FoundFile, Unread, WalkError, WalkItem};

/// Files that are handed over at once of which the index knows what is asked.
const MOST_KNOWN: usize = 1_024;

/// The files to read, of the base and of each delta. The others are excluded, or named as binary.
#[derive(Debug)]
pub(crate) struct Candidates {
    pub(crate) base: RankSet,
    pub(crate) deltas: Vec<RankSet>,
}

impl Candidates {
    /// Whether a file may match: of a delta, or of the base.
    pub(crate) fn contains(&self, (delta, rank): (Option<usize>, u32)) -> bool {
        match delta {
            None => self.base.contains(rank),
            Some(delta) => self.deltas.get(delta).is_none_or(|set| set.contains(rank)),
        }
    }

    /// Adds a file.
    pub(crate) fn insert(&mut self, (delta, rank): (Option<usize>, u32)) {
        let set = match delta {
            None => Some(&mut self.base),
            Some(delta) => self.deltas.get_mut(delta),
        };
        if let Some(set) = set {
            set.insert(rank);
        }
    }
}

/// An iterator over the files of a view.
pub(crate) struct Enumeration<'s> {
    view: Arc<View>,
    scope: &'s Scope,
    /// `None` if every file is a candidate.
    candidates: Option<Candidates>,
    /// What is known of files that are no candidates, and the next of it.
    known: Option<Arc<KnownFiles>>,
    next_known: usize,
    /// Whether binary files that are no candidates are named.
    names_binary: Option<BinaryRule>,
    /// Directories that are not entered, in order.
    shut: UnenteredDirectories,
    /// The search root below the index root, with a slash unless it is the index root.
    prefix: Vec<u8>,
    /// Whether paths must be examined.
    picky: bool,
    /// Whether the catalog has hidden names that are not searched.
    skips_hidden: bool,
    /// The next rank of the base, and the first past the search root.
    rank: u32,
    end: u32,
    extra: usize,
    extra_end: usize,
    /// Files that are left unread in a row.
    left: Unread,
    /// The item that follows them.
    held: Option<WalkItem>,
    cancellation: Cancellation<'s>,
    interrupted: bool,
}

impl<'s> Enumeration<'s> {
    /// The permitted files below `directory`, and the permit's COMPLETE for this call.
    pub(crate) fn new<'i>(
        permit: Permit<'i>,
        query: &IndexQuery<'s>,
        directory: &[u8],
        known: Option<Arc<KnownFiles>>,
        hidden_in_catalog: bool,
        cancellation: Cancellation<'s>,
    ) -> (Self, Option<CompleteForCall<'i>>) {
        let Permit { view, candidates, too_deep, complete_for_call, .. } = permit;
        let IndexQuery { scope, names_binary, .. } = *query;
        let prefix = if directory.is_empty() { Vec::new() } else { [directory, b"/"].concat() };
        let key = order::sort_key(&prefix).into_owned();
        let catalog = &view.base.catalog;
        let of = |path: &[u8]| order::sort_key(path).into_owned();
        let before = |path: &[u8]| of(path) < key;
        let within = |path: &[u8]| of(path) < key || of(path).starts_with(&key);
        let (rank, end) = if prefix.is_empty() {
            (0, catalog.len())
        } else {
            let rank = partition(catalog.len(), |rank| before(catalog.path(rank)));
            (rank, partition(catalog.len(), |rank| within(catalog.path(rank))))
        };
        let extra = view.extras.partition_point(|extra| view.key(extra) < key);
        let extra_end = view.extras.partition_point(|extra| {
            let place = view.key(extra);
            place < key || place.starts_with(&key)
        });
        let shut = UnenteredDirectories::new(too_deep, catalog);
        let keyed_alike = !key.is_ascii() || key != prefix;
        let skips_hidden = hidden_in_catalog && !scope.hidden;
        let picky = !scope.include.is_empty()
            || !scope.exclude.is_empty()
            || !scope.conditions.is_empty()
            || !scope.recursive()
            || !shut.is_empty()
            || skips_hidden
            || (keyed_alike && !prefix.is_empty());
        let files = Self {
            view,
            scope,
            candidates,
            known,
            next_known: 0,
            names_binary,
            shut,
            prefix,
            picky,
            skips_hidden,
            rank,
            end,
            extra,
            extra_end,
            left: Unread::default(),
            held: None,
            cancellation,
            interrupted: false,
        };
        (files, complete_for_call)
    }

    /// A path below the search root, from one below the index root.
    fn walked<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        // To compare no bytes takes longer than all else that is asked of a path: an empty vector's
        // pointer leads nowhere, and the masked loads of `memcmp` wait for that.
        if self.prefix.is_empty() { Some(path) } else { path.strip_prefix(self.prefix.as_slice()) }
    }

    /// Whether a path below the index root is searched. Void once the cancellation is over.
    fn admits(&self, path: &[u8]) -> bool {
        let Some(walked) = self.walked(path) else { return false };
        let scope = self.scope;
        // Globs first: they exclude the most.
        if !scope.admits(walked, &self.cancellation) {
            return false;
        }
        if self.skips_hidden
            && walked.split(|byte| *byte == b'/').any(|name| name.starts_with(b"."))
        {
            return false;
        }
        let mut included = false;
        for (end, _) in walked.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let directory = walked.get(..end).unwrap_or_default();
            if !scope.recursive()
                || scope.is_too_deep(directory)
                || scope.excludes(directory, true, &self.cancellation)
            {
                return false;
            }
            included = included || scope.includes(directory, true, &self.cancellation);
        }
        !scope.excludes(walked, false, &self.cancellation)
            && (included || scope.includes(walked, false, &self.cancellation))
    }

    /// Whether the walker would enter an unreadable directory.
    fn enters(&self, directory: &[u8]) -> bool {
        match self.walked(directory) {
            None => self.prefix.strip_suffix(b"/") == Some(directory),
            Some(b"") => true,
            Some(walked) => !self.scope.is_too_deep(walked) && self.meets(walked),
        }
    }

    /// Whether the walker would reach a directory below the search root.
    fn meets(&self, walked: &[u8]) -> bool {
        let scope = self.scope;
        let hidden = self.skips_hidden
            && walked.split(|byte| *byte == b'/').any(|name| name.starts_with(b"."));
        let ends = walked.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
        let parts = ends.chain([walked.len()]).filter_map(|end| walked.get(..end));
        scope.recursive()
            && !hidden
            && !parts.into_iter().any(|part| scope.excludes(part, true, &self.cancellation))
    }

    /// The first file at or after this rank of which the index knows what is asked.
    fn known_from(&mut self, rank: u32) -> Option<u32> {
        let known = self.known.as_ref()?;
        loop {
            let next = known.rank(self.next_known)?;
            if next >= rank {
                return Some(next);
            }
            self.next_known += 1;
        }
    }

    /// Leaves a file of the base unread.
    fn leave(&mut self, rank: u32) {
        if self.known_from(rank) == Some(rank) {
            self.left.known.push((self.left.files, self.next_known));
        }
        self.left.files += 1;
    }

    /// Leaves files unread that need no look, up to the next that does.
    fn leave_many(&mut self) {
        let Some(candidates) = &self.candidates else { return };
        if self.picky {
            return;
        }
        let extra = self.view.extras.get(self.extra).filter(|_| self.extra < self.extra_end);
        let end = extra.map_or(self.end, |extra| extra.before.min(self.end));
        let mut end = candidates.base.next(self.rank).map_or(end, |rank| rank.min(end));
        if let Some(rule) = self.names_binary {
            end = self.view.base.binary(rule).next(self.rank).map_or(end, |rank| rank.min(end));
        }
        while self.rank < end && self.left.known.len() < MOST_KNOWN {
            let next = self.known_from(self.rank).map_or(end, |rank| rank.min(end));
            let dead = self.view.dead.count(self.rank, next);
            self.left.files += u64::from(next - self.rank - dead);
            self.rank = next;
            if next < end {
                if !self.view.dead.contains(next) {
                    self.leave(next);
                }
                self.rank += 1;
            }
        }
    }

    /// The next file or problem, or some of the files left unread. Void once the cancellation is
    /// over.
    fn step(&mut self) -> Option<WalkItem> {
        while self.cancellation.go_on(1) {
            self.leave_many();
            if self.left.known.len() >= MOST_KNOWN {
                return Some(WalkItem::Unread(std::mem::take(&mut self.left)));
            }
            let extra = self.view.extras.get(self.extra).filter(|_| self.extra < self.extra_end);
            let extra =
                extra.filter(|extra| extra.before <= self.rank || self.rank >= self.end).cloned();
            let is_due = |before| before <= self.rank || self.rank >= self.end;
            if let Some(path) =
                self.shut.next(&is_due, extra.as_ref().map(|extra| self.view.key(extra)))
            {
                let walked = self.walked(&path);
                if walked.is_some_and(|walked| self.meets(walked)) {
                    return Some(WalkItem::NotEntered);
                }
                continue;
            }
            if let Some(extra) = extra {
                self.extra += 1;
                if let Some(item) = self.take_extra(&extra) {
                    return Some(item);
                }
                continue;
            }
            if self.rank >= self.end {
                return None;
            }
            let rank = self.rank;
            self.rank += 1;
            if self.view.dead.contains(rank)
                || (self.picky && !self.admits(self.view.base.catalog.path(rank)))
            {
                continue;
            }
            if self.candidates.as_ref().is_some_and(|candidates| !candidates.base.contains(rank)) {
                match self.unread(&self.view.base, rank) {
                    Some(item) => return Some(item),
                    None => self.leave(rank),
                }
                continue;
            }
            let catalog = &self.view.base.catalog;
            return Some(self.file(catalog.path(rank), catalog.fingerprint(rank), false));
        }
        None
    }

    /// An excluded file, if it must be named.
    fn unread(&self, segment: &Segment, rank: u32) -> Option<WalkItem> {
        let catalog = &segment.catalog;
        let is_named = self.names_binary.is_some_and(|rule| catalog.kind(rank).is_binary(rule));
        is_named.then(|| self.file(catalog.path(rank), catalog.fingerprint(rank), true))
    }

    fn take_extra(&mut self, extra: &Extra) -> Option<WalkItem> {
        if let ExtraKind::WalkError(walk_error) = &extra.kind {
            return self
                .enters(&walk_error.at)
                .then(|| WalkItem::Problem(WalkError::clone(walk_error)));
        }
        if self.picky && !self.admits(self.view.path(extra)) {
            return None;
        }
        if let (ExtraKind::Delta(delta, rank), Some(candidates)) = (&extra.kind, &self.candidates)
            && candidates.deltas.get(*delta).is_some_and(|candidates| !candidates.contains(*rank))
        {
            let item = self.view.deltas.get(*delta).and_then(|delta| self.unread(delta, *rank));
            self.left.files += u64::from(item.is_none());
            return item;
        }
        Some(self.file(self.view.path(extra), self.view.fingerprint(extra), false))
    }

    fn file(&self, path: &[u8], fingerprint: Fingerprint, binary: bool) -> WalkItem {
        let walked = self.walked(path).unwrap_or(path).to_vec();
        let file = FoundFile::new(walked);
        WalkItem::File(FoundFile { fingerprint: Some(fingerprint), binary, ..file })
    }
}

impl Iterator for Enumeration<'_> {
    type Item = WalkItem;

    fn next(&mut self) -> Option<WalkItem> {
        if let Some(held) = self.held.take() {
            return Some(held);
        }
        let item = self.step();
        if self.cancellation.is_cancelled() {
            return (!std::mem::replace(&mut self.interrupted, true))
                .then_some(WalkItem::Interrupted);
        }
        if self.left.files == 0 {
            return item;
        }
        self.held = item;
        Some(WalkItem::Unread(std::mem::take(&mut self.left)))
    }
}
