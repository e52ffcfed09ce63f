//! Figures of servers as they are stored: one small JSON file for each server, in the directory
//! where indexes are kept.
//!
//! Invariants: a reader finds a whole file or none; a lock that it holds shows that a server still
//! runs, not by its number, which the system gives away again; files of servers that have ended go
//! after a week, or when there are many.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::histogram::Spread;

/// Names of files are this, a process's number, and one of the endings.
const BEGINNING: &str = "server-";
const FIGURES: &str = "stats.json";
const LOCK: &str = "stats.lock";

/// Figures of servers that have ended are kept as long as this, at most.
const KEPT_FOR: Duration = Duration::from_secs(7 * 24 * 3600);
/// And those of no more than this many.
const KEPT: usize = 32;
/// Larger files are not ours.
const MOST_BYTES: u64 = 1 << 20;

/// A server and its figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Server {
    pub(crate) pid: u32,
    pub(crate) version: String,
    pub(crate) working_directory: PathBuf,
    pub(crate) started_unix_ms: u64,
    pub(crate) stored_unix_ms: u64,
    /// It ended in order; if it was killed, nobody could store that.
    pub(crate) ended: bool,
    #[serde(flatten)]
    pub(crate) summary: Summary,
}

/// Figures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// By tool.
    pub(crate) tools: BTreeMap<String, Tool>,
    pub(crate) indexes: Vec<Index>,
}

/// Figures of one tool's calls since the server began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tool {
    pub(crate) complete: u64,
    pub(crate) partial: u64,
    pub(crate) failed: u64,
    pub(crate) results: u64,
    pub(crate) rate_limited: u64,
    /// By error.
    pub(crate) errors: BTreeMap<String, u64>,
    pub(crate) latency: Latency,
}

/// How long calls took, in milliseconds; percentiles are at most a thirty-second part too high.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Latency {
    pub(crate) count: u64,
    pub(crate) sum_ms: f64,
    pub(crate) p50_ms: f64,
    pub(crate) p90_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

/// How an index stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Index {
    pub(crate) state: String,
    pub(crate) files: u64,
    pub(crate) pending: u64,
}

impl From<Spread> for Latency {
    fn from(spread: Spread) -> Self {
        let [p50_ms, p90_ms, p99_ms] = spread.percentiles.map(|seconds| seconds * 1e3);
        Self {
            count: spread.count,
            sum_ms: spread.sum * 1e3,
            p50_ms,
            p90_ms,
            p99_ms,
            max_ms: spread.longest * 1e3,
        }
    }
}

impl Server {
    /// This process, which begins now.
    pub(crate) fn new(working_dir: &Path) -> Self {
        Self {
            pid: std::process::id(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            working_directory: working_dir.to_owned(),
            started_unix_ms: unix_ms(SystemTime::now()),
            stored_unix_ms: 0,
            ended: false,
            summary: Summary::default(),
        }
    }

    /// With these figures, now.
    pub(crate) fn with(&self, summary: Summary, ended: bool) -> Self {
        Self { stored_unix_ms: unix_ms(SystemTime::now()), ended, summary, ..self.clone() }
    }
}

/// Where one server's figures are; nobody else writes there.
#[derive(Debug)]
pub(crate) struct Place {
    cache: PathBuf,
    pid: u32,
    /// Held as long as the server runs.
    _lock: File,
}

impl Place {
    /// The place of the server with this number; none if it cannot be had. What others have left
    /// for too long goes.
    pub(crate) fn take(cache: &Path, pid: u32) -> Option<Self> {
        forget(cache, SystemTime::now());
        let lock = private(&path(cache, pid, LOCK)).ok()?;
        lock.try_lock().ok()?;
        Some(Self { cache: cache.to_owned(), pid, _lock: lock })
    }

    /// Replaces what is stored.
    pub(crate) fn put(&self, server: &Server) -> io::Result<()> {
        let last = path(&self.cache, self.pid, FIGURES);
        let next = last.with_extension("new");
        let mut file = private(&next)?;
        file.set_len(0)?;
        file.write_all(&serde_json::to_vec(server)?)?;
        drop(file);
        fs::rename(next, last)
    }
}

/// A server of which figures are stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Found {
    /// Whether it still runs.
    pub(crate) running: bool,
    #[serde(flatten)]
    pub(crate) server: Server,
}

/// The servers of which figures are stored, those that run first, then the latest first. Files that
/// cannot be read are passed over.
pub(crate) fn stored(cache: &Path) -> Vec<Found> {
    let mut found: Vec<Found> = pids(cache)
        .into_iter()
        .filter_map(|pid| {
            let place = path(cache, pid, FIGURES);
            let size = place.symlink_metadata().ok().filter(fs::Metadata::is_file)?.len();
            let bytes = if size <= MOST_BYTES { fs::read(place).ok()? } else { return None };
            let server: Server = serde_json::from_slice(&bytes).ok()?;
            Some(Found { running: !server.ended && runs(cache, pid), server })
        })
        .collect();
    found.sort_by_key(|found| {
        std::cmp::Reverse((found.running, found.server.stored_unix_ms, found.server.pid))
    });
    found
}

/// Removes what servers that have ended left long ago, and the oldest of what is too much.
fn forget(cache: &Path, now: SystemTime) {
    let over = pids(cache).into_iter().filter(|pid| !runs(cache, *pid));
    let mut over: Vec<(SystemTime, u32)> = over
        .map(|pid| {
            let stored = path(cache, pid, FIGURES).metadata().and_then(|found| found.modified());
            (stored.unwrap_or(UNIX_EPOCH), pid)
        })
        .collect();
    over.sort_unstable_by(|a, b| b.cmp(a));
    for (kept, (at, pid)) in over.into_iter().enumerate() {
        if kept >= KEPT || now.duration_since(at).is_ok_and(|age| age > KEPT_FOR) {
            for ending in [FIGURES, LOCK, "stats.new"] {
                // Another process may have been faster.
                let _ = fs::remove_file(path(cache, pid, ending));
            }
        }
    }
}

/// Whether the server with this number runs: it holds its lock.
fn runs(cache: &Path, pid: u32) -> bool {
    let lock = File::options().read(true).open(path(cache, pid, LOCK));
    lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}

fn pids(cache: &Path) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(cache) else { return Vec::new() };
    let pid = |entry: fs::DirEntry| {
        let name = entry.file_name();
        let (pid, ending) = name.to_str()?.strip_prefix(BEGINNING)?.split_once('.')?;
        if ending == LOCK { pid.parse().ok() } else { None }
    };
    entries.flatten().filter_map(pid).collect()
}

fn path(cache: &Path, pid: u32, ending: &str) -> PathBuf {
    cache.join(format!("{BEGINNING}{pid}.{ending}"))
}

/// A file that only the user can read, made if need be; no link is followed to one elsewhere.
fn private(path: &Path) -> io::Result<File> {
    if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

pub(crate) fn unix_ms(at: SystemTime) -> u64 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
