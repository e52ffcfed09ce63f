//! The files of a view as a search walks them: those below its search root that its options let pass, in order, with those that a filter excludes only counted.
//!
//! The answer is the walker's (docs/search.md, section 3), provided that the catalog is what the tree is; where there are no globs no path is looked at.

use std::sync::Arc;

use forge_search_core::{glob, index::segment::RankSet, order, scope::Scope};

use super::catalog::{Extra, ExtraKind, View, partition};
use crate::walk::{FoundFile, Trouble, WalkItem};

/// Which files may match: of the base, and of each delta. Those that are not in a set are excluded.
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

    /// A file may match.
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

/// Gives out the files of a view.
pub(crate) struct Enumeration<'s> {
    view: Arc<View>,
    scope: &'s Scope,
    /// None: every file is a candidate.
    candidates: Option<Candidates>,
    /// The search root below the index root, with a slash unless it is the index root.
    prefix: Vec<u8>,
    /// Set if each path has to be looked at.
    picky: bool,
    /// The next rank of the base, and the first past the search root.
    rank: u32,
    end: u32,
    extra: usize,
    extra_end: usize,
    excluded: u64,
    /// What stands after the files that were excluded.
    held: Option<WalkItem>,
}

impl<'s> Enumeration<'s> {
    /// The files of `view` below `directory`.
    pub(crate) fn new(
        view: Arc<View>,
        scope: &'s Scope,
        directory: &[u8],
        hidden_in_catalog: bool,
        candidates: Option<Candidates>,
    ) -> Self {
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
        // A trouble's place is that of its directory, which is the search root's own for one that cannot be listed.
        let extra_key = |extra: &Extra| {
            let mut path = of(view.path(extra));
            if matches!(extra.kind, ExtraKind::Trouble(_)) && !path.is_empty() {
                path.push(b'/');
            }
            path
        };
        let extra = view.extras.partition_point(|extra| extra_key(extra) < key);
        let extra_end = view.extras.partition_point(|extra| {
            let place = extra_key(extra);
            place < key || place.starts_with(&key)
        });
        let keyed_alike = !key.is_ascii() || key != prefix;
        let picky = !scope.include.is_empty()
            || !scope.exclude.is_empty()
            || !scope.also.is_empty()
            || !scope.recursive()
            || (hidden_in_catalog && !scope.hidden)
            || (keyed_alike && !prefix.is_empty());
        Self { view, scope, candidates, prefix, picky, rank, end, extra, extra_end, excluded: 0, held: None }
    }

    /// Whether a path below the index root is searched.
    fn admits(&self, path: &[u8]) -> bool {
        let Some(walked) = path.strip_prefix(self.prefix.as_slice()) else { return false };
        let scope = self.scope;
        // Names first: they leave the least.
        if !scope.admits(walked) {
            return false;
        }
        if !scope.hidden && walked.split(|byte| *byte == b'/').any(|name| name.starts_with(b".")) {
            return false;
        }
        let mut included = scope.include.is_empty();
        for (end, _) in walked.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
            let directory = walked.get(..end).unwrap_or_default();
            if !scope.recursive() || glob::any_matches(&scope.exclude, directory, true) {
                return false;
            }
            included = included || glob::any_matches(&scope.include, directory, true);
        }
        !glob::any_matches(&scope.exclude, walked, false)
            && (included || glob::any_matches(&scope.include, walked, false))
    }

    /// Whether the walker would get to a directory that cannot be looked at.
    fn reaches(&self, trouble: &Trouble) -> bool {
        let directory = trouble.at.as_slice();
        let Some(walked) = directory.strip_prefix(self.prefix.as_slice()) else {
            return self.prefix.strip_suffix(b"/") == Some(directory);
        };
        if walked.is_empty() {
            return true;
        }
        let scope = self.scope;
        let hidden = !scope.hidden && walked.split(|byte| *byte == b'/').any(|name| name.starts_with(b"."));
        let ends = walked.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(end, _)| end);
        let parts = ends.chain([walked.len()]).filter_map(|end| walked.get(..end));
        scope.recursive()
            && !hidden
            && !parts.into_iter().any(|part| glob::any_matches(&scope.exclude, part, true))
    }

    /// The next file or problem; files that are excluded are counted on the way.
    fn step(&mut self) -> Option<WalkItem> {
        loop {
            let extra = self.view.extras.get(self.extra).filter(|_| self.extra < self.extra_end);
            if let Some(extra) = extra.filter(|extra| extra.before <= self.rank || self.rank >= self.end) {
                let extra = extra.clone();
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
                self.excluded += 1;
                continue;
            }
            let catalog = &self.view.base.catalog;
            return Some(self.file(catalog.path(rank), catalog.fingerprint(rank)));
        }
    }

    fn take_extra(&mut self, extra: &Extra) -> Option<WalkItem> {
        if let ExtraKind::Trouble(trouble) = &extra.kind {
            return self.reaches(trouble).then(|| WalkItem::Problem(Trouble::clone(trouble)));
        }
        if self.picky && !self.admits(self.view.path(extra)) {
            return None;
        }
        if let (ExtraKind::Delta(delta, rank), Some(candidates)) = (&extra.kind, &self.candidates)
            && candidates.deltas.get(*delta).is_some_and(|candidates| !candidates.contains(*rank))
        {
            self.excluded += 1;
            return None;
        }
        Some(self.file(self.view.path(extra), self.view.fingerprint(extra)))
    }

    fn file(&self, path: &[u8], fingerprint: forge_search_core::index::segment::Fingerprint) -> WalkItem {
        let walked = path.strip_prefix(self.prefix.as_slice()).unwrap_or(path).to_vec();
        WalkItem::File(FoundFile { walked, through_link: None, fingerprint: Some(fingerprint) })
    }
}

impl Iterator for Enumeration<'_> {
    type Item = WalkItem;

    fn next(&mut self) -> Option<WalkItem> {
        if let Some(held) = self.held.take() {
            return Some(held);
        }
        let item = self.step();
        match std::mem::take(&mut self.excluded) {
            0 => item,
            excluded => {
                self.held = item;
                Some(WalkItem::Excluded(excluded))
            }
        }
    }
}
