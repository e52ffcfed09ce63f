//! Putting a backend in place.
//!
//! Responsible for: the lock that lets one process install at a time, the programs that install,
//! and the check that what they installed runs. Not here: what counts as already there ([`super`]).
//! Invariants: everything is prepared in a directory of its own and renamed into place once it
//! runs, so that a killed installation leaves nothing that looks finished.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use touchstone_cases::materialise;

use super::release::Release;
use super::{Installation, ProvisionError, RIPGREP_VERSION, version};

/// Longest time to wait for another process that installs.
const LOCK_WAIT: Duration = Duration::from_secs(30 * 60);

/// Longest time one program may take: a build, a download.
const PROGRAM_TIME: Duration = Duration::from_secs(20 * 60);

/// Interval of polling.
const INTERVAL: Duration = Duration::from_millis(20);

/// Most bytes of a failed program's output in a message.
const TOLD_BYTES: i64 = 2000;

/// Most bytes of a program's output that are read.
const PRINTED_BYTES: i64 = 1 << 20;

/// The lock on `directory`; held until the file is dropped.
pub(super) fn lock(directory: &Path) -> Result<File, ProvisionError> {
    let path = directory.join("lock");
    let io = |source| ProvisionError::Io { path: path.clone(), source };
    fs::create_dir_all(directory).map_err(io)?;
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(io)?;
    let until = Instant::now() + LOCK_WAIT;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(source)) => return Err(io(source)),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => {
                return Err(ProvisionError::Locked { path, seconds: LOCK_WAIT.as_secs() });
            }
            Err(TryLockError::WouldBlock) => thread::park_timeout(INTERVAL),
        }
    }
}

impl Installation {
    /// Builds the pinned ripgrep from its registry.
    pub(super) fn install_ripgrep(&self) -> Result<PathBuf, ProvisionError> {
        let place = self.ripgrep_directory();
        let partial = Partial::new(&place)?;
        let build = partial.directory.join("build");
        let mut command =
            self.cargo_install("ripgrep", RIPGREP_VERSION, &partial.directory, &build);
        let way_out = "put that release on PATH, or see whether the crate registry can be reached";
        run(&mut command, "ripgrep", &partial.directory, way_out)?;
        materialise::remove(&build).map_err(|source| ProvisionError::Io { path: build, source })?;
        Release::of_crate("ripgrep", "ripgrep", RIPGREP_VERSION, "bin/rg")
            .write(&partial.directory)?;
        partial.finish("bin/rg", &place)
    }

    /// Unpacks the system's ugrep package without installing it.
    pub(super) fn install_ugrep(&self) -> Result<PathBuf, ProvisionError> {
        let place = self.ugrep_directory();
        let partial = Partial::new(&place)?;
        let way_out = "put ugrep on PATH, or run `apt-get update` and try again";
        let mut download = Command::new(&self.apt_get);
        download.args(["download", "ugrep"]).current_dir(&partial.directory);
        run(&mut download, "ugrep", &partial.directory, way_out)?;
        let io = |source| ProvisionError::Io { path: partial.directory.clone(), source };
        let entries = fs::read_dir(&partial.directory).map_err(io)?;
        let mut packages: Vec<PathBuf> = entries
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension() == Some(OsStr::new("deb")))
            .collect();
        let package =
            packages.pop().ok_or_else(|| io(io::Error::other("no package was downloaded")))?;
        let mut unpack = Command::new(&self.dpkg_deb);
        unpack.arg("-x").arg(&package).arg(&partial.directory);
        run(&mut unpack, "ugrep", &partial.directory, way_out)?;
        fs::remove_file(&package).map_err(io)?;
        partial.finish("usr/bin/ugrep", &place)
    }
}

/// A directory for an installation in progress; removed unless it is finished.
pub(super) struct Partial {
    pub(super) directory: PathBuf,
}

/// The directory in which `place` is prepared.
pub(super) fn beside(place: &Path) -> PathBuf {
    let mut path = place.as_os_str().to_owned();
    path.push(".partial");
    path.into()
}

impl Partial {
    pub(super) fn new(place: &Path) -> Result<Self, ProvisionError> {
        let directory = beside(place);
        let io = |source| ProvisionError::Io { path: directory.clone(), source };
        // Of an installation that was killed.
        materialise::remove(&directory).map_err(io)?;
        fs::create_dir_all(&directory).map_err(io)?;
        Ok(Self { directory })
    }

    /// Renames the directory into place if `executable` in it runs.
    fn finish(self, executable: &str, place: &Path) -> Result<PathBuf, ProvisionError> {
        let prepared = self.directory.join(executable);
        version(&prepared).map_err(|error| ProvisionError::Unusable {
            executable: place.join(executable),
            reason: reason(&prepared, &error),
        })?;
        self.put(place)?;
        Ok(place.join(executable))
    }

    /// Renames the directory into place.
    pub(super) fn put(self, place: &Path) -> Result<(), ProvisionError> {
        let moved = materialise::remove(place).and_then(|()| fs::rename(&self.directory, place));
        moved.map_err(|source| ProvisionError::Io { path: place.to_owned(), source })
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // Gone already if it was finished; otherwise the next attempt removes it first.
        let _ = materialise::remove(&self.directory);
    }
}

/// Why an executable does not run: the shared libraries it misses, if that is it.
pub(super) fn reason(executable: &Path, error: &dyn std::fmt::Display) -> String {
    let listed = Command::new("ldd").arg(executable).stdin(Stdio::null()).output();
    let listed = listed
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    let missing: Vec<&str> = listed
        .lines()
        .filter(|line| line.contains("not found"))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    match missing.as_slice() {
        [] => error.to_string(),
        missing => {
            format!("these shared libraries are missing: {}; install them", missing.join(", "))
        }
    }
}

/// Runs a program to its end or its time limit; what it prints goes to a file, so that no pipe can
/// stop it.
pub(super) fn run(
    command: &mut Command,
    backend: &str,
    directory: &Path,
    way_out: &str,
) -> Result<(), ProvisionError> {
    run_for_output(command, backend, directory, way_out).map(|_| ())
}

/// As [`run`]; the answer is what the program printed to its standard output.
pub(super) fn run_for_output(
    command: &mut Command,
    backend: &str,
    directory: &Path,
    way_out: &str,
) -> Result<String, ProvisionError> {
    let path = directory.join("log");
    let printed = directory.join("printed");
    let shown = format!("{command:?}");
    let failed = |outcome: String| ProvisionError::Install {
        backend: backend.to_owned(),
        command: shown.clone(),
        outcome,
        way_out: way_out.to_owned(),
    };
    let io = |source| ProvisionError::Io { path: path.clone(), source };
    let errors = File::create(&path).map_err(io)?;
    let output = File::create(&printed).map_err(io)?;
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut child =
        command.spawn().map_err(|error| failed(format!("cannot be started: {error}")))?;
    let until = Instant::now() + PROGRAM_TIME;
    let status = loop {
        match child.try_wait().map_err(io)? {
            Some(status) => break status,
            None if Instant::now() >= until => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed(format!("did not end within {} s", PROGRAM_TIME.as_secs())));
            }
            None => thread::park_timeout(INTERVAL),
        }
    };
    if status.success() {
        let text = end_of(&printed, PRINTED_BYTES).map_err(io)?;
        return fs::remove_file(&path)
            .and_then(|()| fs::remove_file(&printed))
            .map_err(io)
            .map(|()| text);
    }
    let told = [&printed, &path].map(|file| end_of(file, TOLD_BYTES).unwrap_or_default());
    Err(failed(format!("ended with {status}: {}", told.join("\n").trim())))
}

fn end_of(path: &Path, limit: i64) -> io::Result<String> {
    let mut file = File::open(path)?;
    let end = i64::try_from(file.metadata()?.len()).unwrap_or(i64::MAX);
    file.seek(SeekFrom::End(-end.min(limit)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}
