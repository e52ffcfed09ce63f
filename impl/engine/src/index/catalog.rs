//! The catalog of a tree: its files, directories and ignore rules, and the proofs that they are
//! current (docs/index-service.md, sections 2 to 4; D17).
//!
//! Responsible for: consistency of an object's state under all its names; which events concern
//! which objects; merging a scan. Not here: inspecting the tree ([`super::scan`],
//! [`super::fingerprint`]), when it is inspected ([`super::apply`]), the bytes of segments
//! ([`super::segment`]). Invariants: makes no system call; a file whose content is in doubt is a
//! candidate for every call.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use forge_search_core::{
    index::{
        debounce::RawEvent,
        names::{Catalogued, Names},
        segment::{self, Fingerprint},
    },
    order,
};

use super::{
    fault::Sabotage,
    root_index::RootIndex,
    scan::{Directory, Scan},
    segment::{Object, object},
};
use crate::{root::Proof, rules::DirRules, walk::WalkError};

mod files;
mod rules;

pub(crate) use self::{
    files::{Entry, Extra, ExtraKind, Files, UnindexedFile, View, partition},
    rules::{IgnoreFile, Rules},
};

/// A changed path and its current fingerprint, `None` if it is gone.
pub(crate) type Difference = (Vec<u8>, Option<Fingerprint>);

/// The catalog of one tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    files: Files,
    directories: BTreeMap<Vec<u8>, Directory>,
    rules: Rules,
    /// Names whose objects have not been inspected yet.
    names: Names,
    /// The root that was indexed.
    root: Option<Object>,
    /// Mount points below the root.
    mounts: BTreeSet<Vec<u8>>,
    /// The proof that the file system of each device supports.
    proofs: BTreeMap<u64, Proof>,
}

impl Catalog {
    /// A catalog with the stored files only.
    pub(crate) fn stored(files: Files) -> Self {
        Self { files, ..Self::default() }
    }

    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    pub(crate) fn files_mut(&mut self) -> &mut Files {
        &mut self.files
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn directories(&self) -> &BTreeMap<Vec<u8>, Directory> {
        &self.directories
    }

    /// Whether the directories are known.
    pub(crate) fn is_known(&self) -> bool {
        self.directories.contains_key(&b""[..])
    }

    /// Whether a directory is known. The root always is.
    pub(crate) fn has_directory(&self, directory: &[u8]) -> bool {
        directory.is_empty() || self.directories.contains_key(directory)
    }

    /// The rules inside a directory.
    pub(crate) fn rules_in(&self, directory: &[u8]) -> Option<Arc<DirRules>> {
        self.directories.get(directory).map(|directory| Arc::clone(&directory.rules))
    }

    /// The indexed root; `None` if it is unknown.
    pub(crate) fn root(&self) -> Option<Object> {
        self.root
    }

    pub(crate) fn set_root(&mut self, root: Option<Object>) {
        self.root = root;
    }

    /// Mount points. Names of files mounted singly are watched, their contents are not.
    pub(crate) fn mounts(&self) -> &BTreeSet<Vec<u8>> {
        &self.mounts
    }

    pub(crate) fn set_mounts(&mut self, mounts: BTreeSet<Vec<u8>>) {
        self.mounts = mounts;
    }

    /// The weakest proof of the tree's file systems.
    pub(crate) fn proof(&self) -> Proof {
        self.proofs.values().max().copied().unwrap_or_default()
    }

    /// One directory of each file system whose proof is unknown.
    pub(crate) fn unproved(&self) -> BTreeMap<u64, Vec<u8>> {
        let devices = self.directories.iter().map(|(path, known)| (known.fingerprint.device, path));
        let unknown = devices.filter(|(device, _)| !self.proofs.contains_key(device));
        unknown.map(|(device, path)| (device, path.clone())).collect()
    }

    pub(crate) fn prove(&mut self, device: u64, proof: Proof) {
        self.proofs.insert(device, proof);
    }

    /// Forgets everything.
    pub(crate) fn forget(&mut self) {
        let root = self.root;
        *self = Self { root, ..Self::default() };
    }

    /// Sets the stored directories and rules.
    pub(crate) fn restore_directories(
        &mut self,
        directories: BTreeMap<Vec<u8>, Directory>,
        rules: Rules,
    ) {
        (self.directories, self.rules) = (directories, rules);
    }

    fn catalogued(&self, path: &[u8]) -> Catalogued {
        match self.files.find(path) {
            None => Catalogued::No,
            Some(known) if known.fingerprint.links == 1 => Catalogued::Single,
            Some(_) => Catalogued::Linked,
        }
    }

    /// Applies an event: marks the object pending if it was written. Whether the path must be
    /// inspected.
    pub(crate) fn apply_event(&mut self, index: &RootIndex, event: &RawEvent) -> bool {
        match event {
            RawEvent::Appeared(path) => {
                let catalogued = self.catalogued(path);
                self.names.appeared(path, catalogued);
            }
            RawEvent::Written(path) => {
                let catalogued = self.catalogued(path);
                if let Some(object) = self.temporary(path, catalogued) {
                    self.files.doubt(object);
                    return false;
                }
                if self.names.written(path, catalogued)
                    && !index.is_sabotaged(Sabotage::Pending)
                    && let Some(known) = self.files.find(path)
                {
                    match object(known.fingerprint) {
                        Some(object) => self.files.doubt(object),
                        None => self.files.put(path, known.fingerprint),
                    }
                }
            }
            RawEvent::Removed(path) | RawEvent::RenamedPartly(path) => {
                let catalogued = self.catalogued(path);
                self.names.removed(path, catalogued);
            }
            RawEvent::Renamed { from, to } => {
                let catalogued = self.catalogued(to);
                self.names.renamed(from, to, catalogued);
            }
            RawEvent::Overflow => {}
        }
        true
    }

    /// The object of an unnamed file (`O_TMPFILE`): its event has the name `#` and the inode
    /// number.
    fn temporary(&self, path: &[u8], catalogued: Catalogued) -> Option<Object> {
        let (parent, name) = split(path);
        let digits = name.strip_prefix(b"#").filter(|_| catalogued == Catalogued::No)?;
        if self.names.holds(path) {
            return None;
        }
        let inode = std::str::from_utf8(digits).ok()?.parse().ok()?;
        Some((self.directories.get(parent)?.fingerprint.device, inode))
    }

    /// Whether a write could not be attributed to an object, so that every file must be inspected.
    /// Resets it.
    pub(crate) fn take_untraced(&mut self) -> bool {
        self.names.take_untraced()
    }

    /// An inspected path is a file. `current` unless the path had an event since.
    pub(crate) fn record_file(
        &mut self,
        index: &RootIndex,
        path: &[u8],
        now: Fingerprint,
        current: bool,
    ) {
        let known = self.files.find(path);
        let is_same = known.is_some_and(|known| known.is_still(index, now));
        if !(is_same || index.is_sabotaged(Sabotage::Pending) && known.is_some()) {
            self.files.take(path, now);
        }
        if current
            && self.names.looked_at(path, true)
            && let Some(object) = object(now)
        {
            self.files.doubt(object);
        }
    }

    /// An inspected path has no eligible file.
    pub(crate) fn record_missing(&mut self, path: &[u8], current: bool) {
        self.files.remove(path);
        if current {
            self.names.looked_at(path, false);
        }
    }

    /// An inspected path is not eligible. The object may have other names that are.
    pub(crate) fn record_ineligible(&mut self, path: &[u8], now: Fingerprint, current: bool) {
        self.files.remove(path);
        if current
            && self.names.looked_at(path, true)
            && let Some(object) = object(now)
        {
            self.files.doubt(object);
        }
    }

    /// Removes everything below a path that is no directory any more.
    pub(crate) fn forget_below(&mut self, directory: &[u8]) {
        if directory.is_empty() || !self.has_any(directory) {
            return;
        }
        for path in self.files.below(directory) {
            self.files.remove(&path);
        }
        self.forget_directories(directory);
        self.files.set_walk_errors(directory, Vec::new());
        for name in self.names.below(directory) {
            self.names.looked_at(&name, false);
        }
    }

    fn has_any(&self, directory: &[u8]) -> bool {
        self.directories.contains_key(directory)
            || self.files.walk_errors().iter().any(|walk_error| walk_error.at == directory)
    }

    fn forget_directories(&mut self, directory: &[u8]) {
        if directory.is_empty() {
            self.directories.clear();
            return;
        }
        let (from, to) = ([directory, b"/"].concat(), [directory, b"0"].concat());
        let below: Vec<Vec<u8>> =
            self.directories.range(from..to).map(|(path, _)| path.clone()).collect();
        for path in below.iter().map(Vec::as_slice).chain([directory]) {
            self.directories.remove(path);
        }
    }

    /// A directory cannot be listed: stores the walker's error.
    pub(crate) fn record_unreadable(&mut self, directory: &[u8], walk_error: WalkError) {
        self.forget_below(directory);
        self.files.set_walk_errors(directory, vec![walk_error]);
    }

    /// Replaces a subtree by the result of a scan. Returns directories that are no longer searched.
    pub(crate) fn take_over(
        &mut self,
        index: &RootIndex,
        directory: &[u8],
        mut scan: Scan,
    ) -> Vec<Vec<u8>> {
        let found = std::mem::take(&mut scan.files);
        if directory.is_empty() && self.files.is_new() {
            self.files.found(found, |known, now| known.is_still(index, now));
        } else {
            for (path, now) in self.differences(index, directory, &found) {
                match now {
                    Some(now) => self.files.take(&path, now),
                    None => {
                        self.files.remove(&path);
                    }
                }
            }
        }
        for name in self.names.below(directory) {
            let known = self.files.find(&name);
            if self.names.looked_at(&name, known.is_some())
                && let Some(object) = known.and_then(|known| object(known.fingerprint))
            {
                self.files.doubt(object);
            }
        }
        if directory.is_empty() {
            self.proofs.clear();
        }
        let below = |path: &Vec<u8>| {
            directory.is_empty()
                || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with(b"/"))
        };
        let gone = self
            .directories
            .keys()
            .filter(|path| below(path) && !scan.directories.contains_key(*path));
        let gone = gone.cloned().collect();
        self.forget_directories(directory);
        self.directories.append(&mut scan.directories);
        self.proofs.extend(scan.proofs);
        self.files.set_walk_errors(directory, scan.walk_errors);
        let below = index.coverage.absolute(directory);
        self.rules.take_over(directory, &below, scan.rules);
        gone
    }

    /// The differences between a scan and the catalog below a directory.
    fn differences(
        &mut self,
        index: &RootIndex,
        directory: &[u8],
        scanned: &segment::Catalog,
    ) -> Vec<Difference> {
        if directory.is_empty() {
            return differences(index, &self.files.view(), scanned);
        }
        let mut known = self.files.below(directory);
        known.sort_by(|a, b| order::compare(a, b));
        let gone = known.into_iter().filter(|path| scanned.find(path).is_err());
        let mut differences: Vec<Difference> = gone.map(|path| (path, None)).collect();
        for rank in 0..scanned.len() {
            let (path, now) = (scanned.path(rank), scanned.fingerprint(rank));
            if !self.files.find(path).is_some_and(|known| known.is_still(index, now)) {
                differences.push((path.to_vec(), Some(now)));
            }
        }
        differences
    }
}

/// A path's directory and name.
pub(crate) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => {
            (path.get(..slash).unwrap_or_default(), path.get(slash + 1..).unwrap_or_default())
        }
        None => (b"", path),
    }
}

/// The differences between a scan's files and a view's. Both are in order, so this is a merge.
pub(crate) fn differences(
    index: &RootIndex,
    view: &View,
    found: &segment::Catalog,
) -> Vec<Difference> {
    let new = |rank| (found.path(rank).to_vec(), Some(found.fingerprint(rank)));
    let mut differences = Vec::new();
    let mut ranks = (0..found.len()).peekable();
    for (path, known) in view.files() {
        while let Some(rank) = ranks.next_if(|rank| order::compare(found.path(*rank), path).is_lt())
        {
            differences.push(new(rank));
        }
        match ranks.next_if(|rank| found.path(*rank) == path) {
            Some(rank) if !known.is_still(index, found.fingerprint(rank)) => {
                differences.push(new(rank));
            }
            Some(_) => {}
            None => differences.push((path.to_vec(), None)),
        }
    }
    differences.extend(ranks.map(new));
    differences
}

#[cfg(test)]
mod tests;
