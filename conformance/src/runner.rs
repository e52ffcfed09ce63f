//! Cases run in worker processes, each within a deadline.
//!
//! Responsible for: [`Runner`], a pool of workers that answers from several threads at once; the
//! scratch directory they work in; the user they run as. Not here: what a worker does
//! ([`crate::worker`]), one process and its pipes (`process`), where backends come from
//! ([`crate::provision`]). Invariants: every run ends within its deadline, in an observation or in
//! [`Broken`]; a worker that broke is killed with everything it started and never used again; what
//! it left on the disk is removed here; workers of a privileged parent are unprivileged, so that an
//! unreadable file is unreadable; a dropped runner leaves nothing.

mod mount_namespace;
mod process;
mod work_dir;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::as_written::ProgramOutput;
use crate::backend::Backends;
use crate::budget::BudgetSweep;
use crate::case::Case;
use crate::index_live::{Life, Played};
use crate::materialise;
use crate::subject::{Backend, Broken, Observation, SubjectSpec};
use crate::subjects::forge;
use crate::worker::{Job, PROTOCOL, Reply};

use mount_namespace::MountNamespace;
use process::Process;
use work_dir::WorkDir;

/// Workers kept for later when no thread needs them.
const MAX_IDLE_WORKERS: usize = 16;

/// Options of a pool of workers.
#[derive(Debug, Clone)]
pub struct RunnerOptions {
    /// Longest time one case may take on one subject, from the tree to its removal.
    pub deadline: Duration,
    /// Executables of the backends; a subject whose backend is missing is [`Broken`].
    pub backends: Backends,
    /// The executable whose `worker` subcommand is run; `None` for this project's own.
    pub worker: Option<PathBuf>,
    /// Parent of the scratch directory; `None` for the first temporary directory that every user
    /// may enter.
    pub scratch: Option<PathBuf>,
}

impl Default for RunnerOptions {
    fn default() -> Self {
        Self {
            deadline: Duration::from_secs(30),
            backends: Backends::default(),
            worker: None,
            scratch: None,
        }
    }
}

/// Why a pool could not be started.
#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    /// The scratch directory cannot be set up.
    #[error("cannot set up scratch directory `{}`", path.display())]
    Scratch {
        /// The path that failed.
        path: PathBuf,
        source: io::Error,
    },
    /// No temporary directory is suitable.
    #[error(
        "no temporary directory can be entered by every user; set TMPDIR to one whose parents all have mode o+x"
    )]
    NoScratch,
    /// The workers' executable is missing.
    #[error("there is no worker executable at `{}`; build it with `cargo build -p touchstone`", path.display())]
    NoWorker {
        /// The expected path.
        path: PathBuf,
    },
    /// A worker does not start.
    #[error("a worker does not come up: {0}")]
    Worker(#[from] Broken),
    /// A worker of another build.
    #[error("`{}` speaks protocol {found}, this build {PROTOCOL}; rebuild it with `cargo build -p touchstone`", path.display())]
    Protocol {
        /// The executable.
        path: PathBuf,
        /// Its protocol version.
        found: u32,
    },
    /// Workers would bypass permissions.
    #[error(
        "workers run as a privileged user, to whom no file is unreadable; run as root or as an ordinary user"
    )]
    Privileged,
}

/// A pool of workers.
#[derive(Debug)]
pub struct Runner {
    place: WorkDir,
    options: RunnerOptions,
    idle: Mutex<Vec<Process>>,
    jobs: AtomicU64,
    unshared: OnceLock<Result<MountNamespace, String>>,
}

impl Runner {
    /// Sets up the scratch directory and brings up one worker.
    ///
    /// # Errors
    /// [`RunnerError`] when that fails; the scratch directory is gone then.
    pub fn new(options: RunnerOptions) -> Result<Self, RunnerError> {
        let place = WorkDir::set_up(&options)?;
        let runner = Self {
            place,
            options,
            idle: Mutex::default(),
            jobs: AtomicU64::new(0),
            unshared: OnceLock::new(),
        };
        match runner.carry_out(&Job::Hello, &BTreeMap::new())? {
            Reply::Hello { protocol: PROTOCOL, uid: 0 } => Err(RunnerError::Privileged),
            Reply::Hello { protocol: PROTOCOL, .. } => Ok(runner),
            Reply::Hello { protocol, .. } => {
                let path =
                    runner.options.worker.clone().unwrap_or_else(|| runner.place.worker.clone());
                Err(RunnerError::Protocol { path, found: protocol })
            }
            other => Err(unexpected(other).into()),
        }
    }

    /// Runs one case on one subject, on a fresh tree. May be called from several threads.
    ///
    /// # Errors
    /// [`Broken`] when there is no answer to judge.
    pub fn run(&self, case: &Case, subject: &SubjectSpec) -> Result<Observation, Broken> {
        match subject.sabotage {
            None => self.run_sound(case, subject),
            Some(sabotage) => sabotage.run(case, &mut |case| self.run_sound(case, subject)),
        }
    }

    /// Runs the `as_written` block of a case.
    ///
    /// # Errors
    /// [`Broken`] when the program gave no reading, and when the case has no `as_written` block.
    pub fn run_as_written(&self, case: &Case) -> Result<ProgramOutput, Broken> {
        let as_written = case.as_written.as_ref();
        let as_written = as_written.ok_or_else(|| Broken::Garbled {
            reason: format!("case `{}` has no `as_written` block", case.id),
        })?;
        let backend = as_written.program.backend();
        let executable = self.place.executable(backend).ok_or_else(|| forge::missing(backend))?;
        let case = Box::new(case.clone());
        match self.in_scratch(&BTreeMap::new(), |scratch| Job::AsWritten {
            case,
            executable,
            scratch,
        })? {
            Reply::Read(reading) => Ok(reading),
            other => Err(unexpected(other)),
        }
    }

    /// Calls `search_files` under every budget, on one tree. A simulated bug has no part in it.
    ///
    /// # Errors
    /// [`Broken`] when there is no answer to judge.
    pub fn sweep(&self, case: &Case, subject: &SubjectSpec) -> Result<BudgetSweep, Broken> {
        let (backend, executable) = (subject.backend, self.executable(subject)?);
        let case = Box::new(case.clone());
        let job = |scratch| Job::Sweep { case, backend, executable, scratch };
        // Thousands of calls, each of which would have to be done within the deadline alone.
        match self.in_scratch_within(
            &subject.environment,
            job,
            self.options.deadline.saturating_mul(20),
        )? {
            Reply::BudgetSweep(swept) => Ok(swept),
            other => Err(unexpected(other)),
        }
    }

    /// Plays the life of an index in a worker, in a directory of its own.
    ///
    /// # Errors
    /// [`Broken`] when the worker died, hung or panicked.
    pub fn play(&self, life: &Life) -> Result<Played, Broken> {
        let shared = self.shared();
        self.play_in(life, &shared, true, self.options.deadline)
    }

    /// A directory in which several lives are played, at once or one after the other.
    pub fn shared(&self) -> SharedDir {
        SharedDir {
            path: self.place.work.join(self.jobs.fetch_add(1, Ordering::Relaxed).to_string()),
        }
    }

    /// Plays a life in a directory that others share; on a new tree if it is `fresh`. A worker that
    /// is not done within the deadline is killed.
    ///
    /// # Errors
    /// [`Broken`] when the worker died, hung or panicked.
    pub fn play_in(
        &self,
        life: &Life,
        shared: &SharedDir,
        fresh: bool,
        deadline: Duration,
    ) -> Result<Played, Broken> {
        let job = Job::Live { life: Box::new(life.clone()), scratch: shared.path.clone(), fresh };
        let among = if life.own_mounts { Some(self.own_mounts()?) } else { None };
        match self.carry_out_among(&job, &BTreeMap::new(), among, deadline)? {
            Reply::Played(played) => Ok(played),
            other => Err(unexpected(other)),
        }
    }

    /// The way to give workers a mount namespace.
    ///
    /// # Errors
    /// [`Broken`] if the system does not permit it.
    fn own_mounts(&self) -> Result<MountNamespace, Broken> {
        let unshared = self.unshared.get_or_init(|| MountNamespace::permitted(&self.place));
        unshared.clone().map_err(|reason| Broken::Unstartable { reason })
    }

    /// Why workers cannot have a mount namespace; `None` if they can.
    pub fn no_own_mounts(&self) -> Option<String> {
        self.own_mounts().err().map(|broken| broken.to_string())
    }

    /// The directory that holds everything the workers write; gone when the runner is.
    pub fn scratch_directory(&self) -> &Path {
        &self.place.work
    }

    fn run_sound(&self, case: &Case, subject: &SubjectSpec) -> Result<Observation, Broken> {
        let executable = self.executable(subject)?;
        let job = |scratch| Job::Search {
            case: Box::new(case.clone()),
            backend: subject.backend,
            executable,
            threads: subject.threads,
            indexed: subject.indexed,
            creation_order: subject.creation_order,
            scratch,
        };
        match self.in_scratch(&subject.environment, job)? {
            Reply::Observed(observation) => Ok(observation),
            other => Err(unexpected(other)),
        }
    }

    /// The executable of a subject's backend; the embedded one has none.
    fn executable(&self, subject: &SubjectSpec) -> Result<Option<PathBuf>, Broken> {
        match subject.backend {
            Backend::Native => Ok(None),
            backend => {
                self.place.executable(backend).map(Some).ok_or_else(|| forge::missing(backend))
            }
        }
    }

    /// Carries out a job in a directory that no job had before, and makes sure that it is gone
    /// afterwards, whatever became of the worker.
    fn in_scratch(
        &self,
        environment: &BTreeMap<String, String>,
        job: impl FnOnce(PathBuf) -> Job,
    ) -> Result<Reply, Broken> {
        self.in_scratch_within(environment, job, self.options.deadline)
    }

    fn in_scratch_within(
        &self,
        environment: &BTreeMap<String, String>,
        job: impl FnOnce(PathBuf) -> Job,
        deadline: Duration,
    ) -> Result<Reply, Broken> {
        let scratch = self.place.work.join(self.jobs.fetch_add(1, Ordering::Relaxed).to_string());
        let reply = self.carry_out_within(&job(scratch.clone()), environment, deadline);
        materialise::remove(&scratch).map_err(|error| Broken::Tree {
            reason: format!("`{}` cannot be removed: {error}", scratch.display()),
        })?;
        reply
    }

    fn carry_out(
        &self,
        job: &Job,
        environment: &BTreeMap<String, String>,
    ) -> Result<Reply, Broken> {
        self.carry_out_within(job, environment, self.options.deadline)
    }

    fn carry_out_within(
        &self,
        job: &Job,
        environment: &BTreeMap<String, String>,
        deadline: Duration,
    ) -> Result<Reply, Broken> {
        self.carry_out_among(job, environment, None, deadline)
    }

    /// Has a worker carry out a job, one with mounts of its own if `unshared`.
    fn carry_out_among(
        &self,
        job: &Job,
        environment: &BTreeMap<String, String>,
        unshared: Option<MountNamespace>,
        deadline: Duration,
    ) -> Result<Reply, Broken> {
        let mut worker = match self.take_idle(environment, unshared) {
            Some(worker) => worker,
            None => Process::start(&self.place, environment, unshared)
                .map_err(|error| Broken::Unstartable { reason: format!("worker: {error}") })?,
        };
        // A worker is used again only if nothing went wrong in it; dropping it kills it.
        let reply = match worker.ask(job, deadline)? {
            Reply::Broken(broken) => return Err(broken),
            reply => reply,
        };
        self.put_back(worker);
        Ok(reply)
    }

    fn take_idle(
        &self,
        environment: &BTreeMap<String, String>,
        unshared: Option<MountNamespace>,
    ) -> Option<Process> {
        let mut idle = self.idle();
        let fits =
            |worker: &Process| worker.environment == *environment && worker.unshared == unshared;
        let at = idle.iter().rposition(fits)?;
        Some(idle.remove(at))
    }

    fn put_back(&self, worker: Process) {
        let mut idle = self.idle();
        idle.push(worker);
        // The oldest goes: environments of metamorphic checks come and go.
        let surplus = (idle.len() > MAX_IDLE_WORKERS).then(|| idle.remove(0));
        drop(idle);
        drop(surplus);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Process>> {
        // The list is whole between any two statements, so a panic elsewhere does not spoil it.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // Workers first: they may still hold files in what is removed next.
        self.idle().clear();
        self.place.take_down();
    }
}

/// A directory that several jobs share; gone when it is dropped.
#[derive(Debug)]
pub struct SharedDir {
    path: PathBuf,
}

impl SharedDir {
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for SharedDir {
    fn drop(&mut self) {
        // What cannot be removed now is removed with the runner's own directory.
        let _ = materialise::remove(&self.path);
    }
}

fn unexpected(reply: Reply) -> Broken {
    match reply {
        Reply::Broken(broken) => broken,
        other => Broken::Garbled { reason: format!("a reply to another job: {other:?}") },
    }
}
