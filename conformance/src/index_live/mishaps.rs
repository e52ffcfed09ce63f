//! What goes wrong, when, and how often.
//!
//! Responsible for: the engine's [`Faults`] as a life sets them up: errors, edits in that very moment, the end of the process; and counting how
//! often which point was passed.
//! Invariants: no lock of this module is held while an edit is carried out; a point is named as the engine's variant is, in `snake_case`.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use forge_search_engine::index::{Clock, Faults, Point};
use rustix::process::{Signal, getpid, kill_process};

use super::edits;
use super::life::{Edit, Mishap, Trap};
use crate::index_model::names::snake;

/// The faults of one life.
#[derive(Debug)]
pub(super) struct Mishaps {
    root: PathBuf,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    armed: Vec<Armed>,
    passed: BTreeMap<String, u64>,
    /// What went wrong, by point.
    struck: BTreeMap<String, u64>,
    /// Edits that were carried out at a point since this was last asked.
    edited: u64,
}

#[derive(Debug)]
struct Armed {
    trap: Trap,
    passed: u32,
}

/// What a trap asks for.
enum Strike {
    Error(i32),
    Edits(Vec<Edit>),
    Kill,
}

impl Mishaps {
    /// None so far.
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, inner: Mutex::default() }
    }

    /// Sets up one more.
    pub(super) fn arm(&self, trap: Trap) {
        self.inner().armed.push(Armed { trap, passed: 0 });
    }

    /// Takes all down.
    pub(super) fn disarm(&self) {
        self.inner().armed.clear();
    }

    /// How often which point was passed.
    pub(super) fn passed(&self) -> BTreeMap<String, u64> {
        self.inner().passed.clone()
    }

    /// How often something went wrong, by point.
    pub(super) fn struck(&self) -> BTreeMap<String, u64> {
        self.inner().struck.clone()
    }

    /// Whether the tree was edited at some point since this was last asked.
    pub(super) fn take_edited(&self) -> bool {
        std::mem::take(&mut self.inner().edited) > 0
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn strike(&self, name: &str) -> Option<Strike> {
        let mut inner = self.inner();
        let mut strike = None;
        for armed in inner.armed.iter_mut().filter(|armed| armed.trap.point == name) {
            armed.passed += 1;
            let due = armed.passed > armed.trap.after
                && armed.passed - armed.trap.after <= armed.trap.times
                && strike.is_none();
            if due {
                strike = Some(match &armed.trap.mishap {
                    Mishap::Errno(errno) => Strike::Error(*errno),
                    Mishap::Edits(edits) => Strike::Edits(edits.clone()),
                    Mishap::Kill => Strike::Kill,
                });
            }
        }
        *inner.passed.entry(name.to_owned()).or_default() += 1;
        if strike.is_some() {
            *inner.struck.entry(name.to_owned()).or_default() += 1;
        }
        strike
    }
}

impl Faults for Mishaps {
    fn at(&self, point: Point) -> io::Result<()> {
        match self.strike(&snake(point)) {
            None => Ok(()),
            Some(Strike::Error(errno)) => Err(io::Error::from_raw_os_error(errno)),
            Some(Strike::Edits(edits)) => {
                let done = edits.iter().filter(|edit| edits::apply(&self.root, edit)).count();
                self.inner().edited += done as u64;
                Ok(())
            }
            Some(Strike::Kill) => {
                // Not to be caught, and no destructor runs; nothing is left to do if it does not come at once.
                let _ = kill_process(getpid(), Signal::KILL);
                std::process::abort();
            }
        }
    }
}

/// A clock that goes on when a life says so.
#[derive(Debug, Default)]
pub(super) struct ManualClock(AtomicU64);

impl ManualClock {
    /// So many milliseconds pass.
    pub(super) fn advance(&self, milliseconds: u64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> u64 {
        // Never 0, which might look like a clock that was not set.
        self.0.load(Ordering::SeqCst).saturating_add(1_000_000)
    }
}
