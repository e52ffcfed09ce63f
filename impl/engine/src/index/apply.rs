//! Changed paths looked at again (docs/index-service.md, section 4; FR-LSI-TRK-04..10,
//! FR-LSI-REC-01..03, E-C09, E-C42).
//!
//! What an event said of names does not matter here: what is at the path now does. Paths are looked
//! at without the state's lock; what was seen is taken over unless a later look was.

use std::{io, time::Instant};

use forge_search_core::{
    cancellation::Cancellation,
    index::{queue::DirtyEntry, segment::Fingerprint},
};

use super::{
    catalog::split,
    fingerprint::is_gone,
    root_index::RootIndex,
    scan::{Scan, scan},
};
use crate::{root::Kind, rules::DirRules, walk::WalkError};

/// Files of new directories that are looked at within a call.
const MOST_IN_CALL: u64 = 4_000;
/// Rounds over the queue: what is seen may queue something else.
const MOST_ROUNDS: usize = 4;

/// How applying went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// What was waiting is applied.
    All,
    /// There was no time for the rest.
    Late,
    /// Something that a search might find could not be looked at.
    Incomplete,
}

/// What is at a path.
enum PathState {
    /// Nothing.
    Missing,
    /// Something that is not searched, and no directory that is.
    Ineligible(Fingerprint),
    File(Fingerprint),
    Directory(Box<Scan>),
    /// A directory that cannot be listed.
    Unreadable(WalkError),
    /// More than there is time for.
    OverBudget,
    Incomplete,
}

/// What can be spent on directories.
struct ApplyBudget {
    until: Option<Instant>,
    looked_at: u64,
}

impl ApplyBudget {
    fn is_spent(&self) -> bool {
        is_past(self.until)
    }
}

fn is_past(until: Option<Instant>) -> bool {
    until.is_some_and(|until| Instant::now() >= until)
}

impl RootIndex {
    /// Applies what is queued, oldest first, until `until`; without an end, if none.
    pub(crate) fn apply_queue(&self, until: Option<Instant>) -> Applied {
        let mut budget = ApplyBudget { until, looked_at: 0 };
        for _ in 0..MOST_ROUNDS {
            let entries = self.control().changes().queued();
            if entries.is_empty() {
                return Applied::All;
            }
            for entry in &entries {
                if budget.is_spent() {
                    return Applied::Late;
                }
                match self.apply(entry, &mut budget) {
                    Applied::All => {}
                    other => return other,
                }
            }
        }
        Applied::Late
    }

    fn apply(&self, entry: &DirtyEntry, budget: &mut ApplyBudget) -> Applied {
        let (parent, _) = split(&entry.path);
        let (at, seen) = match self.inspect(&entry.path, budget) {
            // The directory above has become closed: that is what there is to be seen.
            Err(err) if err.kind() == io::ErrorKind::PermissionDenied => {
                (parent, self.inspect_directory(parent, budget))
            }
            Err(_) => return Applied::Incomplete,
            Ok(seen) => (entry.path.as_slice(), seen),
        };
        self.record(entry, at, seen)
    }

    /// What is at a path now.
    fn inspect(&self, path: &[u8], budget: &mut ApplyBudget) -> io::Result<PathState> {
        let (parent, name) = split(path);
        let whole = path.is_empty();
        let rules = self.control().catalog().rules_in(parent);
        if whole && rules.is_none() {
            return Ok(self.inspect_directory(path, budget));
        }
        let stat = match self.coverage.open().and_then(|root| root.stat(path)) {
            Err(err) if is_gone(&err) => return Ok(PathState::Missing),
            // What is not below a directory of the index is not in it.
            Err(_) if rules.is_none() => return Ok(PathState::Missing),
            stat => stat?,
        };
        let is_directory = stat.kind == Kind::Dir;
        let cancellation = Cancellation::when(|| self.is_ending() || budget.is_spent());
        let admits = |rules: &DirRules| {
            whole || self.coverage.admits(rules, path, name, is_directory, &cancellation)
        };
        let admitted = rules.is_some_and(|rules| admits(&rules));
        let is_late = cancellation.is_cancelled();
        drop(cancellation);
        Ok(match stat.kind {
            _ if is_late => PathState::OverBudget,
            Kind::Dir if admitted => self.inspect_directory(path, budget),
            Kind::File if admitted => PathState::File(stat.fingerprint),
            Kind::Dir | Kind::File | Kind::Symlink | Kind::Other => {
                PathState::Ineligible(stat.fingerprint)
            }
        })
    }

    fn inspect_directory(&self, directory: &[u8], budget: &mut ApplyBudget) -> PathState {
        let watcher = self.control().changes().watcher();
        let left = if budget.until.is_some() {
            MOST_IN_CALL.saturating_sub(budget.looked_at)
        } else {
            u64::MAX
        };
        let mut go_on = |files| files <= left && !self.is_ending();
        let until = budget.until;
        let stop = move || self.is_ending() || is_past(until);
        let faults = &*self.options.faults;
        match scan(&self.coverage, directory, watcher.as_deref(), faults, &stop, &mut go_on) {
            Ok(scan) if scan.stopped => PathState::OverBudget,
            Ok(scan) if scan.incomplete || scan.unwatched.is_some() => PathState::Incomplete,
            Ok(scan) => {
                budget.looked_at += u64::from(scan.files.len());
                PathState::Directory(Box::new(scan))
            }
            Err(err) if is_gone(&err) => PathState::Missing,
            Err(err) if err.kind() == io::ErrorKind::PermissionDenied => {
                PathState::Unreadable(WalkError {
                    path: self.coverage.absolute(directory),
                    why: crate::read::reason(&err),
                    at: directory.to_vec(),
                })
            }
            Err(_) => PathState::Incomplete,
        }
    }

    /// Takes over what was seen at a path, or above it, when an entry was looked at.
    fn record(&self, entry: &DirtyEntry, path: &[u8], seen: PathState) -> Applied {
        let mut control = self.control();
        let Some(current) = control.changes().is_current(entry) else {
            // Another thread has looked since.
            return Applied::All;
        };
        let mut unwatched = Vec::new();
        match seen {
            PathState::OverBudget => return Applied::Late,
            PathState::Incomplete => return Applied::Incomplete,
            // Files below may have been looked at since.
            PathState::Directory(_) | PathState::Unreadable(_) if !current => return Applied::Late,
            PathState::Missing => {
                control.catalog_mut().forget_below(path);
                control.catalog_mut().record_missing(path, current);
                unwatched.push(path.to_vec());
            }
            PathState::Ineligible(now) => {
                control.catalog_mut().forget_below(path);
                control.catalog_mut().record_ineligible(path, now, current);
                unwatched.push(path.to_vec());
            }
            PathState::File(now) => {
                control.catalog_mut().forget_below(path);
                control.catalog_mut().record_file(self, path, now, current);
                unwatched.push(path.to_vec());
            }
            PathState::Directory(scan) => {
                control.catalog_mut().record_missing(path, true);
                unwatched = control.catalog_mut().take_over(self, path, *scan);
            }
            PathState::Unreadable(walk_error) => {
                control.catalog_mut().record_missing(path, true);
                control.catalog_mut().record_unreadable(path, walk_error);
            }
        }
        control.changes_mut().applied(entry);
        control.queue_untraced();
        drop(control);
        self.unwatch(&unwatched);
        Applied::All
    }

    /// Stops watching what is not searched any more.
    pub(crate) fn unwatch(&self, directories: &[Vec<u8>]) {
        let Some(watcher) = self.control().changes().watcher() else { return };
        for directory in directories.iter().filter(|directory| !directory.is_empty()) {
            watcher.forget(directory);
        }
    }
}

#[cfg(test)]
mod tests;
