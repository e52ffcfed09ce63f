//! What criterion has stored of a run: `benchmark.json` and `sample.json` of every function, below
//! one directory.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;

/// The file that a finished bench writes into criterion's directory.
const NOTE: &str = "agent-run.json";

/// The command that makes a run.
const HOW: &str = "run `benches/fetch-corpus.sh && benches/make-100k.sh && cargo bench -p touchstone-benches --bench agent`";

/// Why there are no measurements.
#[derive(Debug, thiserror::Error)]
pub enum NfrError {
    /// The bench has not finished a run.
    #[error("there is no whole run of the bench in `{}`; {HOW}", directory.display())]
    NoRun {
        /// The directory without a run.
        directory: PathBuf,
    },
    /// Something cannot be read.
    #[error("cannot read `{}`: {source}; {HOW}", path.display())]
    Read {
        /// The file or directory.
        path: PathBuf,
        source: io::Error,
    },
    /// A file that criterion did not write.
    #[error("`{}` is not as expected: {source}; {HOW}", path.display())]
    Garbled {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        source: serde_json::Error,
    },
}

/// A bench's description of its run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Note {
    /// The tree that was searched.
    pub tree: PathBuf,
    /// Files in its index.
    pub files: u64,
    /// When measuring began.
    pub started_unix_seconds: u64,
    /// Share of processor time that other processes took, if known.
    pub others: Option<f64>,
}

/// One whole run.
#[derive(Debug, Clone)]
pub struct Run {
    /// The bench's description.
    pub note: Note,
    /// What it has measured.
    pub functions: Functions,
}

/// Every group's functions.
#[derive(Debug, Clone)]
pub struct Functions(Vec<Function>);

/// One function: milliseconds of every call, or why they are not known.
#[derive(Debug, Clone)]
struct Function {
    group: String,
    name: String,
    calls: Result<Vec<f64>, String>,
}

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    function_id: Option<String>,
}

#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    /// Nanoseconds of all iterations of a sample.
    times: Vec<f64>,
}

impl Run {
    /// Reads the run below criterion's directory.
    pub fn read(directory: &Path) -> Result<Self, NfrError> {
        let note = directory.join(NOTE);
        if !note.is_file() {
            return Err(NfrError::NoRun { directory: directory.to_owned() });
        }
        let note: Note = parse(&note)?;
        let since = UNIX_EPOCH + Duration::from_secs(note.started_unix_seconds);
        Ok(Self { note, functions: Functions::since(directory, since)? })
    }
}

impl Functions {
    /// Reads what is below criterion's directory; what was measured before `since` is of another
    /// run.
    pub fn since(directory: &Path, since: SystemTime) -> Result<Self, NfrError> {
        let mut functions = Vec::new();
        collect(directory, since, &mut functions)?;
        Ok(Self(functions))
    }

    /// The functions of one group, and the milliseconds of their calls; or why they are not known.
    pub fn group(&self, name: &str) -> Result<BTreeMap<String, Vec<f64>>, String> {
        let mut group = BTreeMap::new();
        for function in self.0.iter().filter(|function| function.group == name) {
            match &function.calls {
                Ok(calls) => group.insert(function.name.clone(), calls.clone()),
                Err(why) => return Err(format!("`{name}`, `{}`: {why}; {HOW}", function.name)),
            };
        }
        if group.is_empty() { Err(format!("`{name}` was not measured; {HOW}")) } else { Ok(group) }
    }
}

/// Looks for functions below a directory, however deep; their files lie in directories called
/// `new`.
fn collect(
    directory: &Path,
    since: SystemTime,
    functions: &mut Vec<Function>,
) -> Result<(), NfrError> {
    let at = |source| NfrError::Read { path: directory.to_owned(), source };
    for entry in fs::read_dir(directory).map_err(at)? {
        let entry = entry.map_err(at)?;
        if !entry.file_type().map_err(at)?.is_dir() {
            continue;
        }
        let path = entry.path();
        let (benchmark, sample) = (path.join("benchmark.json"), path.join("sample.json"));
        if entry.file_name() != "new" || !benchmark.is_file() || !sample.is_file() {
            collect(&path, since, functions)?;
            continue;
        }
        let Benchmark { group_id, function_id } = parse(&benchmark)?;
        let changed = sample.metadata().and_then(|found| found.modified());
        let calls = match changed {
            Ok(changed) if changed >= since => calls(&parse(&sample)?),
            _ => Err("it was measured in another run".to_owned()),
        };
        functions.push(Function { group: group_id, name: function_id.unwrap_or_default(), calls });
    }
    Ok(())
}

/// Milliseconds of every call. Samples of several calls have no percentiles of calls.
fn calls(sample: &Sample) -> Result<Vec<f64>, String> {
    if sample.iters.iter().any(|iters| *iters > 1.0) || sample.iters.len() != sample.times.len() {
        return Err("its samples are not single calls".to_owned());
    }
    Ok(sample.times.iter().map(|nanos| nanos / 1e6).collect())
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, NfrError> {
    let text = fs::read_to_string(path)
        .map_err(|source| NfrError::Read { path: path.to_owned(), source })?;
    serde_json::from_str(&text)
        .map_err(|source| NfrError::Garbled { path: path.to_owned(), source })
}
