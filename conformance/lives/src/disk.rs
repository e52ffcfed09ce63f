//! The tree of a life on the disk, and what the life holds of it: handles and mounts.
//!
//! Responsible for: carrying out edits, and telling what was done to what. Not here: edits that
//! need a tree and no more (`edits`), the table of what can be done (`spec/index/changes.yaml`).
//! Invariants: handles are closed and mounts are taken down when this is dropped; a refused edit is
//! no act.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use touchstone_cases::case::Text;

use super::clock::ManualClock;
use super::edit::Edit;
use super::edits::{self, objects};

/// The tree of a life, with its open handles and mounts.
#[derive(Debug)]
pub(super) struct Disk {
    root: PathBuf,
    own_mounts: bool,
    clock: Arc<ManualClock>,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    handles: BTreeMap<Vec<u8>, Handle>,
    /// Mounts so far; each overlay has layers of its own.
    mounts: u32,
}

/// An open handle.
#[derive(Debug, Clone)]
struct Handle {
    file: Arc<File>,
    path: Text,
}

/// The result of an edit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Applied {
    /// Whether it was carried out.
    pub(super) done: bool,
    /// The act and what it was done to, as `write on file`.
    pub(super) act: Option<String>,
    /// Why this system does not support it.
    pub(super) unsupported: Option<String>,
}

impl Disk {
    /// A tree; mounts are made only if they are `own_mounts`.
    pub(super) fn new(root: PathBuf, own_mounts: bool, clock: Arc<ManualClock>) -> Self {
        Self { root, own_mounts, clock, held: Mutex::default() }
    }

    /// Carries out an edit.
    pub(super) fn apply(&self, edit: &Edit) -> Applied {
        let before = objects::object(&self.root, edit);
        let result = self.carry_out(edit);
        let act = self.act(edit).map(|act| {
            let object = before
                .or_else(|| objects::object(&self.root, edit))
                .or_else(|| self.held_object(edit));
            (act, object)
        });
        match result {
            Ok(()) => {
                let act = act.and_then(|(act, object)| Some(format!("{act} on {}", object?)));
                Applied { done: true, act, unsupported: None }
            }
            Err(error) => {
                let unsupported =
                    act.filter(|_| is_unsupported(&error)).map(|(act, _)| act.to_owned());
                Applied { done: false, act: None, unsupported }
            }
        }
    }

    /// The directory that an edit closes.
    pub(super) fn closes(&self, edit: &Edit) -> Option<PathBuf> {
        match edit {
            Edit::Chmod(path, false) | Edit::Acl(path, false) => {
                edits::place(&self.root, path).ok().filter(|at| at.is_dir())
            }
            _ => None,
        }
    }

    /// The name of what an edit does, which for a handle depends on where it was opened.
    fn act(&self, edit: &Edit) -> Option<&'static str> {
        match edit {
            Edit::WriteThrough(name, ..) => {
                let is_outside = self.handle(name).ok()?.path.0.starts_with(b"../");
                Some(if is_outside { "write_through_outside" } else { "write_through" })
            }
            _ => edit.act(),
        }
    }

    fn held_object(&self, edit: &Edit) -> Option<&'static str> {
        match edit {
            Edit::WriteThrough(name, ..)
            | Edit::StoreThrough(name, ..)
            | Edit::AioThrough(name, ..)
            | Edit::RingThrough(name, ..) => Some(objects::file(&self.handle(name).ok()?.path)),
            _ => None,
        }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number that no mount had before.
    fn number(&self) -> u32 {
        let mut held = self.held();
        held.mounts += 1;
        held.mounts
    }

    fn handle(&self, name: &Text) -> io::Result<Handle> {
        self.held().handles.get(&name.0).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn carry_out(&self, edit: &Edit) -> io::Result<()> {
        match edit {
            Edit::Open(path, name) => {
                let file = Arc::new(edits::open(&self.root, path)?);
                let handle = Handle { file, path: path.clone() };
                // One that had the name before is closed after the lock is given back.
                drop(self.held().handles.insert(name.0.clone(), handle));
                Ok(())
            }
            Edit::Close(name) => {
                let handle = self.held().handles.remove(&name.0);
                handle.map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
            }
            Edit::WriteThrough(name, ..)
            | Edit::StoreThrough(name, ..)
            | Edit::AioThrough(name, ..)
            | Edit::RingThrough(name, ..) => edits::through(&self.handle(name)?.file, edit),
            Edit::MountTmpfs(..)
            | Edit::MountOverlay(..)
            | Edit::CopyUp(..)
            | Edit::Bind(..)
            | Edit::Attach(..)
            | Edit::MoveMount(..)
            | Edit::Unmount(_) => {
                if !self.own_mounts {
                    return Err(io::ErrorKind::InvalidInput.into());
                }
                // Beside what searches can reach.
                let layers = self.root.join("../../layers").join(self.number().to_string());
                edits::mount(&self.root, &layers, edit)
            }
            Edit::StepClock(path, milliseconds, contents) => {
                self.clock.step(*milliseconds);
                edits::carry_out(&self.root, &Edit::Write(path.clone(), contents.clone()))
            }
            _ => edits::carry_out(&self.root, edit),
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        self.held().handles.clear();
        if self.own_mounts {
            edits::all_down(self.root.parent().unwrap_or(&self.root));
        }
    }
}

/// Whether the system has no such call, or refuses it to everybody like this process.
fn is_unsupported(error: &io::Error) -> bool {
    const EPERM: i32 = 1;
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(EPERM)
}
