//! Measurements of the benches as a committed document, `docs/benches.json`.
//!
//! Responsible for: writing a run's measurements with commit and machine, reading them, and whether
//! they are current. Not here: measuring (`benches`), the verdicts ([`super`]). Invariants: figures
//! that are 90 days old, or of other sources than those in `impl/`, are stale and count neither
//! way; a document that cannot be read is an error.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use touchstone_spec::Budget;
use xxhash_rust::xxh3::Xxh3;

use super::criterion::Run;
use super::{Measured, Row, Verdict, judged};
use crate::records::{CheckKind, Record, Status};

/// Path of the document below the workspace.
pub const FILE: &str = "docs/benches.json";

/// Age in days at which figures become stale.
const DAYS: u64 = 90;

/// Prefix of budget ids in records.
pub const CHECK: &str = "nfr::";

/// The document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The commit that was measured.
    pub commit: String,
    /// The machine.
    pub machine: String,
    /// Days since 1970 when measuring began.
    pub day: u64,
    /// Hash of the measured sources, by [`sources`].
    pub sources: String,
    /// Files in the index.
    pub files: u64,
    /// Share of processor time that other processes took, if known.
    pub others: Option<f64>,
    /// Measurements by budget.
    pub figures: BTreeMap<String, Measured>,
}

/// The document cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// A file cannot be read or written.
    #[error("cannot access `{}`: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        source: io::Error,
    },
    /// The file is no such document.
    #[error("`{}` is no document of figures: {source}; write it anew with `touchstone nfr --run`", path.display())]
    Garbled {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        source: serde_json::Error,
    },
}

impl Document {
    /// The measurements of a run; unmeasured budgets are left out.
    pub fn of(budgets: &[Budget], run: &Run, commit: &str, machine: &str, sources: &str) -> Self {
        let found = |budget: &Budget| {
            Some((budget.id.value.clone(), super::found(&budget.latency, &run.functions).ok()?))
        };
        Self {
            commit: commit.to_owned(),
            machine: machine.to_owned(),
            day: run.note.started_unix_seconds / 86_400,
            sources: sources.to_owned(),
            files: run.note.files,
            others: run.note.others,
            figures: budgets.iter().filter_map(found).collect(),
        }
    }

    /// The one of the workspace; nothing if there is none.
    ///
    /// # Errors
    /// [`RecordError`] when it cannot be read.
    pub fn read(workspace: &Path) -> Result<Option<Self>, RecordError> {
        let path = workspace.join(FILE);
        match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(RecordError::Io { path, source }),
            Ok(text) => serde_json::from_str(&text)
                .map(Some)
                .map_err(|source| RecordError::Garbled { path, source }),
        }
    }

    /// Writes it into the workspace.
    ///
    /// # Errors
    /// [`RecordError`] when it cannot be written.
    pub fn write(&self, workspace: &Path) -> Result<(), RecordError> {
        let path = workspace.join(FILE);
        let garbled = |source| RecordError::Garbled { path: path.clone(), source };
        let text = serde_json::to_string_pretty(self).map_err(garbled)? + "\n";
        fs::write(&path, text).map_err(|source| RecordError::Io { path, source })
    }

    /// Why the figures are stale on that day, for these sources; `None` if they are not.
    pub fn stale(&self, today: u64, sources: &str) -> Option<String> {
        if self.sources != sources {
            return Some(format!("`impl/` has changed since commit {}", self.commit));
        }
        let age = today.saturating_sub(self.day);
        (age >= DAYS).then(|| format!("{FILE} is {age} days old, {DAYS} are too many"))
    }

    /// The verdict on every budget, in their order.
    pub fn judge(&self, budgets: &[Budget]) -> Vec<Row> {
        let found = |budget: &Budget| {
            let figures = self.figures.get(&budget.id.value).cloned();
            figures.ok_or_else(|| format!("`{}` stands not in {FILE}", budget.id.value))
        };
        budgets.iter().map(|budget| judged(budget, found(budget))).collect()
    }

    /// Records of the clauses of the budgets. A budget that was not measured or missed its target
    /// gives none.
    pub fn records(&self, budgets: &[Budget]) -> Vec<Record> {
        let record = |row: Row| {
            let status = match row.verdict() {
                Verdict::Kept => Status::Pass,
                Verdict::Beyond => Status::Fail,
                Verdict::Missed | Verdict::Missing | Verdict::Unbounded => return None,
            };
            // Errata are vouched for by cases, not by time.
            let clauses = row.clauses.into_iter().filter(|clause| !clause.starts_with("E-"));
            Some(Record {
                check: format!("{CHECK}{}", row.id),
                clauses: clauses.collect(),
                status,
                executable: FILE.into(),
                stamp: self.sources.clone(),
                kind: CheckKind::Suite,
            })
        };
        self.judge(budgets).into_iter().filter_map(record).collect()
    }
}

/// A hash of the sources that benches measure: all of `impl/` that is Rust or a manifest, without
/// tests and examples.
///
/// # Errors
/// [`RecordError`] when one of them cannot be read.
pub fn sources(workspace: &Path) -> Result<String, RecordError> {
    let mut files = Vec::new();
    collect(&workspace.join("impl"), &mut files)?;
    files.sort();
    let mut hash = Xxh3::new();
    for path in files {
        let bytes =
            fs::read(&path).map_err(|source| RecordError::Io { path: path.clone(), source })?;
        let name = path.strip_prefix(workspace).unwrap_or(&path).to_string_lossy().into_owned();
        hash.update(name.as_bytes());
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    Ok(format!("{:016x}", hash.digest()))
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> Result<(), RecordError> {
    let at = |source| RecordError::Io { path: directory.to_owned(), source };
    for entry in fs::read_dir(directory).map_err(at)? {
        let path = entry.map_err(at)?.path();
        if ["tests", "examples"]
            .iter()
            .any(|name| path.file_stem().is_some_and(|stem| stem == *name))
        {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "toml") {
            files.push(path);
        }
    }
    Ok(())
}

/// Days since 1970.
pub fn today() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs() / 86_400)
}
