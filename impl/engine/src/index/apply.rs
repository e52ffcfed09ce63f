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
    look::is_gone,
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
    Hiding,
}

/// What is at a path.
enum Seen {
    /// Nothing.
    Nothing,
    /// Something that is not searched, and no directory that is.
    PassedOver(Fingerprint),
    File(Fingerprint),
    Directory(Box<Scan>),
    /// A directory that cannot be listed.
    Closed(WalkError),
    /// More than there is time for.
    Long,
    Hiding,
}

/// What can be spent on directories.
struct Room {
    until: Option<Instant>,
    looked_at: u64,
}

impl Room {
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
        let mut room = Room { until, looked_at: 0 };
        for _ in 0..MOST_ROUNDS {
            let entries = self.control().changes().queued();
            if entries.is_empty() {
                return Applied::All;
            }
            for entry in &entries {
                if room.is_spent() {
                    return Applied::Late;
                }
                match self.apply(entry, &mut room) {
                    Applied::All => {}
                    other => return other,
                }
            }
        }
        Applied::Late
    }

    fn apply(&self, entry: &DirtyEntry, room: &mut Room) -> Applied {
        let (parent, _) = split(&entry.path);
        let (at, seen) = match self.see(&entry.path, room) {
            // The directory above has become closed: that is what there is to be seen.
            Err(err) if err.kind() == io::ErrorKind::PermissionDenied => {
                (parent, self.see_directory(parent, room))
            }
            Err(_) => return Applied::Hiding,
            Ok(seen) => (entry.path.as_slice(), seen),
        };
        self.take(entry, at, seen)
    }

    /// What is at a path now.
    fn see(&self, path: &[u8], room: &mut Room) -> io::Result<Seen> {
        let (parent, name) = split(path);
        let whole = path.is_empty();
        let rules = self.control().catalog().rules_in(parent);
        if whole && rules.is_none() {
            return Ok(self.see_directory(path, room));
        }
        let stat = match self.ground.open().and_then(|root| root.stat(path)) {
            Err(err) if is_gone(&err) => return Ok(Seen::Nothing),
            // What is not below a directory of the index is not in it.
            Err(_) if rules.is_none() => return Ok(Seen::Nothing),
            stat => stat?,
        };
        let is_directory = stat.kind == Kind::Dir;
        let cancellation = Cancellation::when(|| self.is_ending() || room.is_spent());
        let admits = |rules: &DirRules| {
            whole || self.ground.admits(rules, path, name, is_directory, &cancellation)
        };
        let admitted = rules.is_some_and(|rules| admits(&rules));
        let is_late = cancellation.is_cancelled();
        drop(cancellation);
        Ok(match stat.kind {
            _ if is_late => Seen::Long,
            Kind::Dir if admitted => self.see_directory(path, room),
            Kind::File if admitted => Seen::File(stat.fingerprint),
            Kind::Dir | Kind::File | Kind::Symlink | Kind::Other => {
                Seen::PassedOver(stat.fingerprint)
            }
        })
    }

    fn see_directory(&self, directory: &[u8], room: &mut Room) -> Seen {
        let watcher = self.control().changes().watcher();
        let left = if room.until.is_some() {
            MOST_IN_CALL.saturating_sub(room.looked_at)
        } else {
            u64::MAX
        };
        let mut go_on = |files| files <= left && !self.is_ending();
        let until = room.until;
        let stop = move || self.is_ending() || is_past(until);
        let faults = &*self.options.faults;
        match scan(&self.ground, directory, watcher.as_deref(), faults, &stop, &mut go_on) {
            Ok(scan) if scan.stopped => Seen::Long,
            Ok(scan) if scan.hiding || scan.unwatched.is_some() => Seen::Hiding,
            Ok(scan) => {
                room.looked_at += u64::from(scan.files.len());
                Seen::Directory(Box::new(scan))
            }
            Err(err) if is_gone(&err) => Seen::Nothing,
            Err(err) if err.kind() == io::ErrorKind::PermissionDenied => Seen::Closed(WalkError {
                path: self.ground.absolute(directory),
                why: crate::read::reason(&err),
                at: directory.to_vec(),
            }),
            Err(_) => Seen::Hiding,
        }
    }

    /// Takes over what was seen at a path, or above it, when an entry was looked at.
    fn take(&self, entry: &DirtyEntry, path: &[u8], seen: Seen) -> Applied {
        let mut control = self.control();
        let Some(current) = control.changes().is_current(entry) else {
            // Another thread has looked since.
            return Applied::All;
        };
        let mut unwatched = Vec::new();
        match seen {
            Seen::Long => return Applied::Late,
            Seen::Hiding => return Applied::Hiding,
            // Files below may have been looked at since.
            Seen::Directory(_) | Seen::Closed(_) if !current => return Applied::Late,
            Seen::Nothing => {
                control.catalog_mut().forget_below(path);
                control.catalog_mut().missed(path, current);
                unwatched.push(path.to_vec());
            }
            Seen::PassedOver(now) => {
                control.catalog_mut().forget_below(path);
                control.catalog_mut().passed_over(path, now, current);
                unwatched.push(path.to_vec());
            }
            Seen::File(now) => {
                control.catalog_mut().forget_below(path);
                control.catalog_mut().found(self, path, now, current);
                unwatched.push(path.to_vec());
            }
            Seen::Directory(scan) => {
                control.catalog_mut().missed(path, true);
                unwatched = control.catalog_mut().take_over(self, path, *scan);
            }
            Seen::Closed(trouble) => {
                control.catalog_mut().missed(path, true);
                control.catalog_mut().closed(path, trouble);
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
