//! Directories that a search meets and does not enter, because of its depth limit (E-B27).

use std::collections::{BTreeSet, VecDeque};

use forge_search_core::{
    index::segment,
    order,
    scope::{Depth, Scope},
};
use memchr::memchr_iter;

use super::catalog::{Catalog, partition};

/// The directories below `directory` that the depth limit excludes, in order, unlistable ones
/// included.
pub(super) fn too_deep(catalog: &Catalog, directory: &[u8], scope: &Scope) -> Vec<Vec<u8>> {
    let Depth::AtMost(most) = scope.depth else { return Vec::new() };
    let depth = |path: &[u8]| {
        let walked = if directory.is_empty() {
            Some(path)
        } else {
            path.strip_prefix(directory).and_then(|rest| rest.strip_prefix(b"/"))
        };
        let walked = walked.filter(|walked| !walked.is_empty())?;
        Some(memchr_iter(b'/', walked).count() as u64 + 1)
    };
    let walk_errors = catalog.files().walk_errors().iter().map(|walk_error| &walk_error.at);
    let met =
        catalog.directories().keys().chain(walk_errors).filter(|path| depth(path) == Some(most));
    let met: BTreeSet<&Vec<u8>> = met.collect();
    let mut met: Vec<Vec<u8>> = met.into_iter().cloned().collect();
    met.sort_by_cached_key(|path| directory_key(path));
    met
}

/// The sort key that every path below a directory begins with.
pub(super) fn directory_key(path: &[u8]) -> Vec<u8> {
    let mut key = order::sort_key(path).into_owned();
    key.push(b'/');
    key
}

/// Directories that are not entered, in order, each with its place among the files.
pub(super) struct UnenteredDirectories(VecDeque<UnenteredDirectory>);

struct UnenteredDirectory {
    /// The rank in the base that it precedes.
    before: u32,
    key: Vec<u8>,
    path: Vec<u8>,
}

impl UnenteredDirectories {
    /// The places of these directories among the files of a base.
    pub(super) fn new(too_deep: Vec<Vec<u8>>, base: &segment::Catalog) -> Self {
        let place = |path: Vec<u8>| {
            let key = directory_key(&path);
            let stands_before = |rank| order::sort_key(base.path(rank)).as_ref() < key.as_slice();
            UnenteredDirectory { before: partition(base.len(), stands_before), key, path }
        };
        Self(too_deep.into_iter().map(place).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next directory, if it comes after all files before `rank` and before `next`.
    pub(super) fn next(
        &mut self,
        is_due: &dyn Fn(u32) -> bool,
        next: Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        let first = self.0.front()?;
        let comes_first = next.is_none_or(|next| first.key <= next);
        if is_due(first.before) && comes_first {
            self.0.pop_front().map(|place| place.path)
        } else {
            None
        }
    }
}
