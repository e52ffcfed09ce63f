//! Which check verifies which clause, written down by the check itself.
//!
//! Responsible for: the [`verifies!`](crate::verifies) macro, the records it leaves behind, and
//! telling a fresh record from a stale one. A test names the clauses it decides in its first
//! statement; when it ends without a panic a record with status `pass` is written below
//! `target/touchstone/results/`, and one with `fail` otherwise. Not here: what the clauses are and
//! whether all of them have a check ([`crate::trace`]). Invariants: one file per check, replaced as
//! a whole; starting a check removes its old record, so that a check that is killed half-way
//! verifies nothing; a record counts only while the executable that wrote it is unchanged.
//!
//! A test that reports failure by returning `Err` would leave a `pass` behind. Tests with claims
//! therefore panic, and the house-rule test refuses `Result` in their signature.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

/// States, as the first statement of a test, which clauses the test decides.
///
/// ```
/// touchstone::verifies!("FR-LS-01", "ALG-LS-A2");
/// assert_eq!(1 + 1, 2);
/// ```
#[macro_export]
macro_rules! verifies {
    ($($clause:literal),+ $(,)?) => {
        let _claim = {
            fn here() {}
            $crate::records::Recorder::of_test(std::any::type_name_of_val(&here), &[$($clause),+])
        };
    };
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The clauses hold.
    Pass,
    /// A clause is violated.
    Fail,
}

/// What kind of check wrote a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckKind {
    /// A test function.
    Test,
    /// A suite of `touchstone check`.
    Suite,
}

/// The result of one check for its clauses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Full path of the test, or `check::SUITE`.
    pub check: String,
    /// Ids of the clauses.
    pub clauses: Vec<String>,
    /// The exit status.
    pub status: Status,
    /// The executable that ran it.
    pub executable: PathBuf,
    /// Length and time of modification of that file. To read it all would take longer than most
    /// tests do.
    #[serde(alias = "hash")]
    pub stamp: String,
    pub kind: CheckKind,
}

/// A record could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Writing or reading failed.
    #[error("cannot access `{}`: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        source: io::Error,
    },
    /// A file among the records is not one.
    #[error("`{}` is not a result record: {source}; remove it and run the checks again", path.display())]
    Garbled {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        source: serde_json::Error,
    },
    /// The path of the running program is unknown.
    #[error("cannot tell which executable is running: {0}")]
    NoExecutable(io::Error),
}

/// A check in progress; writes its record when it goes out of scope.
#[derive(Debug)]
pub struct Recorder {
    results: PathBuf,
    check: String,
    clauses: Vec<String>,
    kind: CheckKind,
    failed: bool,
}

impl Recorder {
    /// Begins the claim of a test; `marker` is the type name of a function declared inside it.
    pub fn of_test(marker: &str, clauses: &[&str]) -> Self {
        let check = marker.strip_suffix("::here").unwrap_or(marker);
        Self::begin(
            &results_directory(),
            check,
            CheckKind::Test,
            clauses.iter().map(ToString::to_string),
        )
    }

    /// Begins a claim whose record goes to the directory `results`. The record of an earlier run is
    /// removed.
    pub fn begin(
        results: &Path,
        check: &str,
        kind: CheckKind,
        clauses: impl IntoIterator<Item = String>,
    ) -> Self {
        let claim = Self {
            results: results.to_owned(),
            check: check.to_owned(),
            clauses: clauses.into_iter().collect(),
            kind,
            failed: false,
        };
        if let Err(error) = remove_if_there(&claim.file()) {
            eprintln!("{error}");
        }
        claim
    }

    /// Notes that the check found a fault, for checks that do not panic.
    pub fn fail(&mut self) {
        self.failed = true;
    }

    fn file(&self) -> PathBuf {
        self.results.join(file_name(&self.check))
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        let failed = self.failed || std::thread::panicking();
        let status = if failed { Status::Fail } else { Status::Pass };
        let written = this_executable().and_then(|(executable, stamp)| {
            let record = Record {
                check: self.check.clone(),
                clauses: self.clauses.clone(),
                status,
                executable: executable.clone(),
                stamp: stamp.clone(),
                kind: self.kind,
            };
            record.write(&self.file())
        });
        if let Err(error) = written {
            // Dropping must not panic. Without a record the clauses stay open, which errs on the
            // safe side.
            eprintln!("the result of {} is not recorded: {error}", self.check);
        }
    }
}

impl Record {
    fn write(&self, path: &Path) -> Result<(), RecordError> {
        let at = |source| RecordError::Io { path: path.to_owned(), source };
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(at)?;
        }
        let text = serde_json::to_string_pretty(self)
            .map_err(|source| RecordError::Garbled { path: path.to_owned(), source })?;
        // Under another name first: a reader never sees half a record.
        let draft = path.with_extension(format!("draft-{}", std::process::id()));
        fs::write(&draft, text + "\n").map_err(at)?;
        fs::rename(&draft, path).map_err(at)
    }
}

/// Tells fresh records from stale ones; each executable is looked at once, however many records it
/// wrote.
#[derive(Debug, Default)]
pub struct Freshness(RefCell<HashMap<PathBuf, Option<String>>>);

impl Freshness {
    /// Whether the executable that wrote this record is still what it was, as far as this value has
    /// seen it.
    pub fn of(&self, record: &Record) -> bool {
        let mut seen = self.0.borrow_mut();
        let now = seen
            .entry(record.executable.clone())
            .or_insert_with(|| stamp_of(&record.executable).ok());
        now.as_ref() == Some(&record.stamp)
    }
}

/// All records below `results`, ordered by check. A directory that does not exist holds none.
pub fn read_records(results: &Path) -> Result<Vec<Record>, RecordError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| RecordError::Io { path, source }
    };
    let listing = match fs::read_dir(results) {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(at(results)(error)),
    };
    let mut records = Vec::new();
    for entry in listing {
        let path = entry.map_err(at(results))?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            // A check that began in this very moment has taken its old record away.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(at(&path)(error)),
        };
        let record: Record = serde_json::from_str(&text)
            .map_err(|source| RecordError::Garbled { path: path.clone(), source })?;
        records.push(record);
    }
    records.sort_by(|a, b| (&a.check, &a.executable).cmp(&(&b.check, &b.executable)));
    Ok(records)
}

/// `results` where the running program keeps what it has; in the workspace's own `target` when
/// there is no such place.
pub fn results_directory() -> PathBuf {
    let home = crate::place::home();
    home.unwrap_or_else(|_| crate::golden::workspace().join("target/touchstone")).join("results")
}

/// A file name for a check: readable, and distinct for distinct checks.
fn file_name(check: &str) -> String {
    let readable: String = check
        .replace("::", ".")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' })
        .take(120)
        .collect();
    format!("{readable}-{:08x}.json", xxhash_rust::xxh3::xxh3_64(check.as_bytes()) >> 32)
}

fn remove_if_there(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(RecordError::Io { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// The running executable and its stamp; looked at once per process.
fn this_executable() -> Result<&'static (PathBuf, String), RecordError> {
    static THIS: OnceLock<(PathBuf, String)> = OnceLock::new();
    if let Some(known) = THIS.get() {
        return Ok(known);
    }
    let executable = std::env::current_exe().map_err(RecordError::NoExecutable)?;
    let stamp = stamp_of(&executable)?;
    Ok(THIS.get_or_init(|| (executable, stamp)))
}

fn stamp_of(path: &Path) -> Result<String, RecordError> {
    let at = |source| RecordError::Io { path: path.to_owned(), source };
    let found = fs::metadata(path).map_err(at)?;
    let modified = found.modified().map_err(at)?;
    // A time before 1970 is as good a stamp as any, on either side of it.
    let nanos = match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_nanos(),
        Err(before) => before.duration().as_nanos(),
    };
    Ok(format!("{}-{nanos}", found.len()))
}

#[cfg(test)]
mod tests;
