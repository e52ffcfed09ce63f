//! The directory in which workers run.
//!
//! Responsible for: a directory that unprivileged workers may enter, copies of the executables they
//! need (the build directory may lie where they may not go), and its removal, also after a parent
//! that was killed. Not here: processes ([`super::process`]). Invariants: workers can
//! write below `work` and nowhere else; a directory whose parent process lives is never swept away
//! by another.
//!
//! ```text
//! touchstone-XXXXXX/lock          held while the parent lives
//! touchstone-XXXXXX/bin/          executables, readable by all
//! touchstone-XXXXXX/work/0        one directory per job, owned by the worker's user
//! ```

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{RunnerError, RunnerOptions};
use crate::materialise;
use crate::place::{executable_here, own_uid, spread};
use crate::subject::Backend;

/// User and group of workers whose parent is privileged: `nobody`.
const NOBODY: u32 = 65_534;

/// Start of the names of these directories.
const PREFIX: &str = "touchstone-";

/// Where programs that a worker starts are looked for.
const PATH: &str = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Most left-over directories that are looked at when a runner starts.
const MAX_SWEPT: usize = 64;

/// The directory in which workers run.
#[derive(Debug)]
pub(super) struct WorkDir {
    base: PathBuf,
    /// Parent of the jobs' directories.
    pub(super) work: PathBuf,
    /// The executable of workers.
    pub(super) worker: PathBuf,
    /// User and group that workers are started as, if not as this process's.
    pub(super) drop_to: Option<u32>,
    backends: Vec<(Backend, PathBuf)>,
    /// Held until the directory is removed.
    _lock: File,
}

impl WorkDir {
    /// Makes the directory and fills it.
    pub(super) fn set_up(options: &RunnerOptions) -> Result<Self, RunnerError> {
        let worker = match &options.worker {
            Some(worker) => worker.clone(),
            None => own_executable()?,
        };
        let parent = match &options.scratch {
            Some(parent) => parent.clone(),
            None => open_directory().ok_or(RunnerError::NoScratch)?,
        };
        sweep(&parent);
        let base = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&parent);
        let base = base.map_err(|source| RunnerError::Scratch { path: parent, source })?.keep();
        let filled = Self::fill(&base, &worker, options);
        if filled.is_err() {
            // The first error is the one worth telling.
            let _ = materialise::remove(&base);
        }
        filled.map_err(|source| RunnerError::Scratch { path: base, source })
    }

    fn fill(base: &Path, worker: &Path, options: &RunnerOptions) -> io::Result<Self> {
        // Renamed once it is locked, so that no other runner finds it unlocked.
        let lock = File::create_new(base.join("lock.new"))?;
        lock.lock()?;
        fs::rename(base.join("lock.new"), base.join("lock"))?;
        fs::set_permissions(base, Permissions::from_mode(0o711))?;
        let base = fs::canonicalize(base)?;
        let (bin, work) = (base.join("bin"), base.join("work"));
        for directory in [&bin, &work] {
            fs::create_dir(directory)?;
            fs::set_permissions(directory, Permissions::from_mode(0o755))?;
        }
        spread(&work);
        let is_privileged = fs::metadata(&work)?.uid() == 0;
        let drop_to = is_privileged.then_some(NOBODY);
        chown(&work, drop_to, drop_to)?;
        let mut backends = Vec::new();
        for backend in Backend::ALL {
            if let Some(executable) = options.backends.executable(backend) {
                backends.push((backend, copy_into(&bin, executable, backend.name())?));
            }
        }
        let worker = copy_into(&bin, worker, "touchstone")?;
        Ok(Self { base, work, worker, drop_to, backends, _lock: lock })
    }

    /// Path of a backend, for workers.
    pub(super) fn executable(&self, backend: Backend) -> Option<PathBuf> {
        self.backends.iter().find(|(one, _)| *one == backend).map(|(_, path)| path.clone())
    }

    /// A program with a closed environment, as the user that this process runs as.
    pub(super) fn privileged(program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", PATH);
        command
    }

    /// A program with a closed environment, as the user that workers run as.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Self::privileged(program);
        if let Some(user) = self.drop_to {
            command.uid(user).gid(user);
        }
        command
    }

    /// Removes the directory.
    pub(super) fn take_down(&self) {
        // An error is ignored: the next runner sweeps again.
        let _ = materialise::remove(&self.base);
    }
}

fn copy_into(bin: &Path, executable: &Path, name: &str) -> io::Result<PathBuf> {
    let copy = bin.join(name);
    // By a process of its own: a writable handle of this one could be inherited by a worker that
    // another thread starts at this moment, and a file that is open for writing cannot be executed.
    let copied =
        Command::new("cp").arg("--").args([executable, &copy]).stdin(Stdio::null()).output()?;
    if !copied.status.success() {
        return Err(io::Error::other(
            String::from_utf8_lossy(&copied.stderr).trim_end().to_owned(),
        ));
    }
    fs::set_permissions(&copy, Permissions::from_mode(0o755))?;
    Ok(copy)
}

/// The executable with the `worker` subcommand: this one, or, from a test, the one of the same
/// build.
fn own_executable() -> Result<PathBuf, RunnerError> {
    executable_here("touchstone").map_err(|path| RunnerError::NoWorker { path })
}

/// The first temporary directory that every user may enter.
fn open_directory() -> Option<PathBuf> {
    let candidates = [std::env::temp_dir(), "/tmp".into(), "/var/tmp".into(), "/dev/shm".into()];
    candidates.into_iter().filter_map(|path| fs::canonicalize(path).ok()).find(|path| {
        path.ancestors().all(|part| {
            fs::metadata(part).is_ok_and(|part| part.is_dir() && part.mode() & 0o001 != 0)
        })
    })
}

/// Removes what runners left whose process was killed. What is in use, foreign or odd stays.
fn sweep(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX));
    for entry in ours.take(MAX_SWEPT) {
        let Ok(lock) = File::open(entry.path().join("lock")) else { continue };
        let is_own = own_uid().ok() == lock.metadata().ok().map(|lock| lock.uid());
        if is_own && lock.try_lock().is_ok() {
            let _ = materialise::remove(&entry.path());
        }
    }
}
