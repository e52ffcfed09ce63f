//! Changed paths looked at again, and scans taken over (docs/index-service.md, section 4; FR-LSI-TRK-04..10, FR-LSI-REC-01..03, E-C09, E-C42).
//!
//! What an event said does not matter here: what is at its path now does.

use std::{io, time::Instant};

use forge_search_core::{
    index::{
        machine::Trigger,
        queue::{DirtyEntry, DirtyKind},
        segment::Fingerprint,
        settle::Change,
    },
    order,
};

use super::{
    control::{Guard, RootIndex},
    fault::Shortcut,
    files::View,
    scan::{Scan, scan},
};
use crate::{root::Kind, walk::Trouble};

/// Files of new directories that are looked at within a call.
const MOST_IN_CALL: u64 = 4_000;

/// A path that is not what it was, with what it is now, if it is.
pub(crate) type Difference = (Vec<u8>, Option<Fingerprint>);

/// How applying went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// Nothing is waiting any more.
    All,
    /// There was no time for the rest.
    Late,
    /// Something that a search might find could not be looked at.
    Hiding,
}

/// What one entry came to.
enum One {
    Done,
    /// More than a call has time for.
    Long,
    Hiding,
}

impl Guard<'_> {
    /// Queues what the watcher has noticed so far: what has settled, or everything. The triggers that come of it are added.
    pub(crate) fn queue_changes(
        &mut self,
        index: &RootIndex,
        everything: bool,
        triggers: &mut Vec<Trigger>,
    ) -> bool {
        let mut renamed = false;
        loop {
            let changes =
                if everything { self.settler.drain_all() } else { self.settler.drain(index.now_ms()) };
            if changes.is_empty() {
                return renamed;
            }
            for change in changes {
                match change {
                    Change::Changed(path) | Change::Removed(path) => self.queue.push(&path, DirtyKind::File),
                    Change::Renamed { from, to } => {
                        renamed = true;
                        self.queue.push(&from, DirtyKind::File);
                        self.queue.push(&to, DirtyKind::File);
                    }
                    Change::Unclear(path) => {
                        self.queue.push(&path, DirtyKind::File);
                        triggers.push(Trigger::RenameAmbiguous);
                    }
                    Change::Overflow => triggers.push(
                        if self.status.state == forge_search_core::index::machine::State::Building {
                            Trigger::WatcherOverflowedInBuild
                        } else {
                            Trigger::WatcherOverflowed
                        },
                    ),
                }
            }
        }
    }

    /// Applies what is queued, oldest first, until `until`; without an end, if none.
    pub(crate) fn apply_queue(&mut self, index: &RootIndex, until: Option<Instant>) -> Applied {
        let mut looked_at = 0;
        for entry in self.queue.ordered() {
            if until.is_some_and(|until| Instant::now() >= until) {
                return Applied::Late;
            }
            let room = if until.is_some() { MOST_IN_CALL.saturating_sub(looked_at) } else { u64::MAX };
            match self.apply(index, &entry, room, &mut looked_at) {
                One::Done => self.queue.clear_applied(&entry.path, entry.generation),
                One::Long => return Applied::Late,
                One::Hiding => return Applied::Hiding,
            }
        }
        if self.queue.is_empty() { Applied::All } else { Applied::Late }
    }

    fn apply(&mut self, index: &RootIndex, entry: &DirtyEntry, room: u64, looked_at: &mut u64) -> One {
        let path = entry.path.as_slice();
        let (parent, name) = split(path);
        let whole = path.is_empty();
        let Some(rules) = self.directories.get(parent).map(|directory| directory.rules.clone()) else {
            // What is not below a directory of the index is not in the index, unless nothing is known of any.
            return if whole { self.rescan(index, path, room, looked_at) } else { One::Done };
        };
        let found = index.ground.open().and_then(|root| root.stat(path));
        let stat = match found {
            Ok(stat) => stat,
            Err(err) if is_gone(&err) => {
                self.forget_below(path);
                self.files.remove(path);
                return One::Done;
            }
            // The directory above has become closed: that is its own entry's matter.
            Err(err) if err.kind() == io::ErrorKind::PermissionDenied => {
                return self.rescan(index, parent, room, looked_at);
            }
            Err(_) => return One::Hiding,
        };
        let admitted = whole || index.ground.admits(&rules, path, name, stat.kind == Kind::Dir);
        match stat.kind {
            Kind::Dir if admitted => {
                self.files.remove(path);
                self.rescan(index, path, room, looked_at)
            }
            Kind::File if admitted => {
                self.forget_below(path);
                self.take_file(index, path, stat.fingerprint);
                One::Done
            }
            Kind::Dir | Kind::File | Kind::Symlink | Kind::Other => {
                self.forget_below(path);
                self.files.remove(path);
                One::Done
            }
        }
    }

    /// A file as it is now: the same as before, or one whose n-grams are not known.
    fn take_file(&mut self, index: &RootIndex, path: &[u8], now: Fingerprint) {
        let known = self.files.find(path);
        if known.is_some_and(|known| !known.pending && !known.racy && same(index, known.fingerprint, now)) {
            return;
        }
        if index.skips(Shortcut::Pending) && known.is_some() {
            return;
        }
        self.files.put(path, now);
        if now.links > 1 {
            // Its other names have become names of a file with several, which raises no event where they are.
            for twin in self.files.twins(path, now) {
                self.files.put(&twin, now);
            }
        }
    }

    fn rescan(&mut self, index: &RootIndex, directory: &[u8], room: u64, looked_at: &mut u64) -> One {
        let watcher = self.watcher.clone();
        let found =
            scan(&index.ground, directory, watcher.as_deref(), &*index.options.faults, &mut |files| {
                files <= room
            });
        match found {
            Ok(scan) if scan.stopped => One::Long,
            Ok(scan) if scan.hiding || scan.unwatched.is_some() => One::Hiding,
            Ok(scan) => {
                *looked_at += scan.files.len() as u64;
                self.take_over(index, directory, scan);
                One::Done
            }
            Err(err) if is_gone(&err) => {
                self.forget_below(directory);
                One::Done
            }
            Err(err) if err.kind() == io::ErrorKind::PermissionDenied => {
                // It is there, and cannot be listed: what the walker says of it.
                self.forget_below(directory);
                let why = crate::read::reason(&err);
                let trouble = Trouble { path: index.ground.absolute(directory), why, at: directory.to_vec() };
                self.files.set_troubles(directory, vec![trouble]);
                One::Done
            }
            Err(_) => One::Hiding,
        }
    }

    /// What was known below a directory is known no more, since it is none.
    fn forget_below(&mut self, directory: &[u8]) {
        if directory.is_empty() || !self.has_directory(directory) {
            return;
        }
        for path in self.files.below(directory) {
            self.files.remove(&path);
        }
        self.forget_directories(directory);
        self.files.set_troubles(directory, Vec::new());
        if let Some(watcher) = &self.watcher {
            watcher.forget(directory);
        }
    }

    fn has_directory(&self, directory: &[u8]) -> bool {
        self.directories.contains_key(directory)
            || self.files.troubles().iter().any(|trouble| trouble.at == directory)
    }

    fn forget_directories(&mut self, directory: &[u8]) {
        if directory.is_empty() {
            self.directories.clear();
            return;
        }
        let (from, to) = ([directory, b"/"].concat(), [directory, b"0"].concat());
        let below: Vec<Vec<u8>> = self.directories.range(from..to).map(|(path, _)| path.clone()).collect();
        for path in below.iter().map(Vec::as_slice).chain([directory]) {
            self.directories.remove(path);
        }
    }

    /// Takes over what a scan of everything below a directory found.
    pub(crate) fn take_over(&mut self, index: &RootIndex, directory: &[u8], scan: Scan) {
        let view = self.files.view();
        let known = if directory.is_empty() { None } else { Some(self.files.below(directory)) };
        let differences = match known {
            None => differences(index, &view, &scan.files),
            Some(mut known) => {
                known.sort_by(|a, b| order::compare(a, b));
                let gone = known.iter().filter(|path| {
                    scan.files.binary_search_by(|(found, _)| order::compare(found, path)).is_err()
                });
                let mut differences: Vec<Difference> = gone.map(|path| (path.clone(), None)).collect();
                for (path, now) in &scan.files {
                    let before = self.files.find(path);
                    if before.is_none_or(|before| !same(index, before.fingerprint, *now) || before.racy) {
                        differences.push((path.clone(), Some(*now)));
                    }
                }
                differences
            }
        };
        for (path, now) in differences {
            match now {
                Some(now) => self.take_file(index, &path, now),
                None => {
                    self.files.remove(&path);
                }
            }
        }
        self.forget_directories(directory);
        let device = scan.directories.values().next().map(|first| first.fingerprint.device);
        self.remote |= scan.directories.values().any(|other| Some(other.fingerprint.device) != device);
        self.directories.extend(scan.directories);
        self.files.set_troubles(directory, scan.troubles);
        let outside = |path: &[u8]| {
            !directory.is_empty() && path != directory && !path.starts_with(&[directory, b"/"].concat())
        };
        self.repositories.retain(|path| outside(path));
        self.repositories.extend(scan.repositories);
        self.ignore_files.retain(|(path, _)| outside(path));
        self.ignore_files.extend(scan.ignore_files);
        if directory.is_empty() {
            self.inputs = scan.inputs;
        } else {
            // What is above stays what it was when the rules of the rest were read.
            let below = index.ground.absolute(directory);
            self.inputs.retain(|(path, _)| !path.starts_with(&below));
            self.inputs.extend(scan.inputs.into_iter().filter(|(path, _)| path.starts_with(&below)));
            self.inputs.sort_by(|a, b| a.0.cmp(&b.0));
        }
    }
}

/// Whether a file is the one that was read.
pub(crate) fn same(index: &RootIndex, then: Fingerprint, now: Fingerprint) -> bool {
    if index.skips(Shortcut::Fingerprint) {
        return (then.size, then.mtime_ns) == (now.size, now.mtime_ns);
    }
    // A file without times is one that could not be looked at.
    then == now && now != Fingerprint::default()
}

/// Nothing is there, or what is above it is no directory.
fn is_gone(err: &io::Error) -> bool {
    /// A link has taken the place of what is above it; links are not followed (ELOOP).
    const LINK: i32 = 40;
    matches!(err.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        || err.raw_os_error() == Some(LINK)
}

fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => (path.get(..slash).unwrap_or_default(), path.get(slash + 1..).unwrap_or_default()),
        None => (b"", path),
    }
}

/// How the files that a scan found differ from those of a view: paths with what they are now. Both are in order, so they are gone through side by side.
pub(crate) fn differences(
    index: &RootIndex,
    view: &View,
    found: &[(Vec<u8>, Fingerprint)],
) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut found = found.iter().peekable();
    view.each_file(|path, fingerprint, racy, pending| {
        while let Some((new, now)) = found.next_if(|(new, _)| order::compare(new, path).is_lt()) {
            differences.push((new.clone(), Some(*now)));
        }
        match found.next_if(|(same, _)| same.as_slice() == path) {
            Some((_, now)) if !same(index, fingerprint, *now) || (racy && !pending) => {
                differences.push((path.to_vec(), Some(*now)));
            }
            Some(_) => {}
            None => differences.push((path.to_vec(), None)),
        }
    });
    differences.extend(found.map(|(new, now)| (new.clone(), Some(*now))));
    differences
}
