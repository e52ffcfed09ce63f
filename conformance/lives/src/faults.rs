//! What goes wrong, when, and how often.
//!
//! Responsible for: the engine's [`Faults`] as a life sets them up: errors, edits in that very
//! moment, the end of the process; and counting how often which point was passed. Not here: what
//! answers have to be (`searches`). Invariants: no lock of this module is held while an edit is
//! carried out; a point is named as the engine's variant is, in `snake_case`.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use forge_search_engine::index::{Faults, Point, Sabotage};
use forge_search_engine::{IndexMode, Service};
use rustix::process::{Signal, getpid, kill_process};
use serde_json::Value;
use touchstone_cases::case::Case;
use touchstone_model::index::tables::State;

use super::cells::{Cells, state_name};
use super::disk::{Applied, Disk};
use super::life::{Edit, Fault, Trap};
use super::searches::{self, Answered};
use touchstone_index::names::snake;

/// How long the thread at a point waits for a demand.
const MOMENT: Duration = Duration::from_millis(100);

/// How long a search at a point may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The faults of one life.
#[derive(Debug)]
pub(super) struct FaultInjector {
    disk: Arc<Disk>,
    /// The deliberate defect of the service.
    sabotage: Option<String>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    armed: Vec<ArmedTrap>,
    passed: BTreeMap<String, u64>,
    /// Counts of injected faults, by point.
    struck: BTreeMap<String, u64>,
    /// The target of searches at points.
    asked: Option<SearchTarget>,
    /// What came of such searches since this was last asked.
    meanwhile: Vec<ConcurrentSearch>,
    /// Edits at points since the last call of [`FaultInjector::take_edited`].
    edited: u64,
    /// The same, since the beginning.
    ever_edited: u64,
    /// Acts of edits that were carried out while an index was built.
    acts: Cells,
}

/// A trap, and how often its point was passed.
#[derive(Debug)]
pub(super) struct ArmedTrap {
    trap: Trap,
    passed: u32,
}

/// The target of searches at points.
#[derive(Debug, Clone)]
pub(super) struct SearchTarget {
    /// The service; it may be gone by now.
    pub(super) service: Weak<Service>,
    /// A case with the circumstances of the moment; its request is another.
    pub(super) case: Case,
    /// The sandbox root.
    pub(super) root: String,
    /// Whether a search that finds nothing is made again with a fuzzy pattern.
    pub(super) falls_back: bool,
}

/// A search that was made at a point.
#[derive(Debug)]
pub(super) struct ConcurrentSearch {
    /// The request, and the circumstances in which it was answered; another service may have others
    /// by now.
    pub(super) case: Case,
    /// See [`SearchTarget`].
    pub(super) falls_back: bool,
    pub(super) answer: Result<Answered, String>,
    /// Edits at points before it.
    edits: u64,
}

/// What a trap does.
enum FaultAction {
    Search(Value),
    Demand(Fault),
    Error(i32),
    Edits(Vec<Edit>),
    Kill,
}

impl FaultInjector {
    /// No faults.
    pub(super) fn new(disk: Arc<Disk>, sabotage: Option<String>) -> Self {
        Self { disk, sabotage, inner: Mutex::default() }
    }

    /// Adds a trap.
    pub(super) fn arm(&self, trap: Trap) {
        self.inner().armed.push(ArmedTrap { trap, passed: 0 });
    }

    /// Removes and returns all traps.
    pub(super) fn put_aside(&self) -> Vec<ArmedTrap> {
        std::mem::take(&mut self.inner().armed)
    }

    /// Restores removed traps.
    pub(super) fn put_back(&self, armed: Vec<ArmedTrap>) {
        self.inner().armed = armed;
    }

    /// Removes all traps.
    pub(super) fn disarm(&self) {
        self.inner().armed.clear();
    }

    /// Counts of passed points.
    pub(super) fn passed(&self) -> BTreeMap<String, u64> {
        self.inner().passed.clone()
    }

    /// Counts of injected faults, by point.
    pub(super) fn struck(&self) -> BTreeMap<String, u64> {
        self.inner().struck.clone()
    }

    /// Acts of edits at points at which an index was being built.
    pub(super) fn acts(&self) -> Cells {
        self.inner().acts.clone()
    }

    /// Whether the tree was edited at some point since this was last asked.
    pub(super) fn take_edited(&self) -> bool {
        std::mem::take(&mut self.inner().edited) > 0
    }

    /// Sets the target of searches at points.
    pub(super) fn asks(&self, asked: SearchTarget) {
        self.inner().asked = Some(asked);
    }

    /// What came of searches at points since this was last asked; not of those after which the tree
    /// was edited at another point.
    pub(super) fn take_meanwhile(&self) -> Vec<ConcurrentSearch> {
        let mut inner = self.inner();
        let edits = inner.ever_edited;
        let mut all = std::mem::take(&mut inner.meanwhile);
        all.retain(|one| one.edits == edits);
        all
    }

    /// Searches on another thread, since the thread at the point may hold locks that a search
    /// needs. Waits for the answer.
    fn ask(&self, request: Value) {
        let Some(asked) = self.inner().asked.clone() else { return };
        let (to_us, answer) = sync_channel(1);
        let SearchTarget { service, case, root, falls_back } = asked;
        let case = Case { request, ..case };
        let theirs = case.clone();
        thread::spawn(move || {
            let answer = match service.upgrade() {
                Some(service) => searches::ask(&service, &theirs, &root),
                None => return,
            };
            // The receiver is gone if the search took too long.
            let _ = to_us.send(answer);
        });
        let answer = match answer.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => Err("a search waits for the indexer".to_owned()),
        };
        let mut inner = self.inner();
        let edits = inner.ever_edited;
        inner.meanwhile.push(ConcurrentSearch { case, falls_back, answer, edits });
    }

    /// Demands something of the service on another thread. That thread may have to wait for this
    /// one, so it is awaited only for [`MOMENT`].
    fn demand(&self, demand: Fault) {
        let Some(asked) = self.inner().asked.clone() else { return };
        let (to_us, done) = sync_channel(1);
        thread::spawn(move || {
            let Some(service) = asked.service.upgrade() else { return };
            // What becomes of it shows in the answers that follow.
            match demand {
                Fault::Mode(mode) => {
                    if let Some(mode) = IndexMode::named(&mode) {
                        service.index_set_mode(mode);
                    }
                }
                Fault::Rebuild => service.index_rebuild(),
                Fault::Evict => service.index_evict(),
                _ => drop(service.index_clear()),
            }
            let _ = to_us.send(());
        });
        let _ = done.recv_timeout(MOMENT);
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a trap does at this point, and the error that comes after it.
    fn strike(&self, name: &str) -> Option<(FaultAction, Option<i32>)> {
        let mut inner = self.inner();
        let mut strike = None;
        for armed in inner.armed.iter_mut().filter(|armed| armed.trap.point == name) {
            armed.passed += 1;
            let due = armed.passed > armed.trap.after
                && armed.passed - armed.trap.after <= armed.trap.times
                && strike.is_none();
            if due {
                let struck = match &armed.trap.fault {
                    Fault::Errno(errno) => FaultAction::Error(*errno),
                    Fault::Search(request) => FaultAction::Search(request.clone()),
                    Fault::Edits(edits) => FaultAction::Edits(edits.clone()),
                    Fault::Mode(_) | Fault::Rebuild | Fault::Clear | Fault::Evict => {
                        FaultAction::Demand(armed.trap.fault.clone())
                    }
                    Fault::Kill => FaultAction::Kill,
                };
                strike = Some((struck, armed.trap.errno));
            }
        }
        *inner.passed.entry(name.to_owned()).or_default() += 1;
        if strike.is_some() {
            *inner.struck.entry(name.to_owned()).or_default() += 1;
        }
        strike
    }
}

impl Faults for FaultInjector {
    fn is_sabotaged(&self, sabotage: Sabotage) -> bool {
        self.sabotage.as_ref().is_some_and(|name| *name == snake(sabotage))
    }

    fn at(&self, point: Point) -> io::Result<()> {
        let Some((strike, errno)) = self.strike(&snake(point)) else { return Ok(()) };
        let then = || errno.map_or(Ok(()), |errno| Err(io::Error::from_raw_os_error(errno)));
        match strike {
            FaultAction::Error(errno) => Err(io::Error::from_raw_os_error(errno)),
            FaultAction::Edits(edits) => {
                let applied: Vec<Applied> =
                    edits.iter().map(|edit| self.disk.apply(edit)).collect();
                let done = applied.iter().filter(|applied| applied.done).count();
                let mut inner = self.inner();
                inner.edited += done as u64;
                inner.ever_edited += done as u64;
                if matches!(point, Point::BuildBegin | Point::BuildBatch) {
                    for act in applied.iter().filter_map(|applied| applied.act.as_ref()) {
                        inner.acts.count(act, state_name(State::Building));
                    }
                }
                then()
            }
            FaultAction::Search(request) => {
                self.ask(request);
                then()
            }
            FaultAction::Demand(demand) => {
                self.demand(demand);
                then()
            }
            FaultAction::Kill => {
                // Not to be caught, and no destructor runs; nothing is left to do if it does not
                // come at once.
                let _ = kill_process(getpid(), Signal::KILL);
                std::process::abort();
            }
        }
    }
}

/// Names of all points.
pub fn points() -> impl Iterator<Item = String> {
    Point::ALL.into_iter().map(snake)
}

/// Names of the deliberate defects of the service.
pub fn sabotages() -> Vec<String> {
    Sabotage::ALL.into_iter().map(snake).collect()
}
