//! What the benches share: the tree they search, the programs they are held against, and paired
//! timing.
//!
//! Machines are noisy, so figures are ratios: the service and a rival take turns, and each pair
//! gives one ratio.

use std::{
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{BackendChoice, Config, Preset, Sandbox, Service};
use serde_json::Value;
use touchstone::provision::Backends;

pub mod counts;
pub mod drawn;
pub mod literals;
pub mod means;
pub mod page;
pub mod plain;
pub mod queries;
pub mod server;
pub mod terms;
pub mod tools;

/// The tree to search: `TOUCHSTONE_CORPUS`, else the fetched kernel sources, else the cargo
/// registry's sources.
pub fn corpus() -> Result<PathBuf, String> {
    let registry = || {
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
            .map(|home| home.join("registry").join("src"))
    };
    let build = touchstone::place::build_directory().ok();
    let fetched = build.map(|build| build.join("corpus").join("linux-source-6.12"));
    [std::env::var_os("TOUCHSTONE_CORPUS").map(PathBuf::from), fetched, registry()]
        .into_iter()
        .flatten()
        .find(|path| path.is_dir())
        .ok_or_else(|| {
            "no tree to search; run benches/fetch-corpus.sh or set TOUCHSTONE_CORPUS".to_owned()
        })
}

/// Preset `agent`, and this backend or none. None if the backend is not there.
pub fn config(backend: &str, backends: &Backends) -> Option<Config> {
    let mut config = Config::preset(Preset::Agent);
    let program = match backend {
        "native" => {
            config.backend = BackendChoice::Native;
            String::new()
        }
        "ripgrep" => backends.ripgrep.as_ref()?.to_str()?.to_owned(),
        _ => backends.ugrep.as_ref()?.to_str()?.to_owned(),
    };
    (config.binary, config.fallback_binary, config.allow_native) = (program, String::new(), false);
    Some(config)
}

/// The service over one backend, without an index. None if the backend is not there.
pub fn service(corpus: &Path, backend: &str, backends: &Backends) -> Option<Service> {
    let sandbox = Sandbox::new(&[corpus.to_owned()], corpus).ok()?;
    Service::new(config(backend, backends)?, sandbox).ok()
}

/// A plain program asked the same question: same ignore rules, same size limit, its own parallelism
/// and order.
pub fn rival(corpus: &Path, program: &Path, arguments: &[&str], pattern: &str) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).arg("-e").arg(pattern).arg(".");
    // A pipe, because some programs stop at the first match when their output goes nowhere.
    command.current_dir(corpus).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Runs a rival to its end, its output read, and says how long that took.
pub fn time_rival(command: &mut Command) -> io::Result<Duration> {
    let started = Instant::now();
    let mut child = command.spawn()?;
    if let Some(mut output) = child.stdout.take() {
        io::copy(&mut output, &mut io::sink())?;
    }
    let status = child.wait()?;
    let took = started.elapsed();
    // 1 is an answer too: nothing was found.
    if matches!(status.code(), Some(0 | 1)) {
        Ok(took)
    } else {
        Err(io::Error::other(format!("{command:?} ended with {status}")))
    }
}

/// Runs a rival until it has written this many lines, or all it has to say, and says how long that
/// took; ending it is not counted.
pub fn time_first_lines(command: &mut Command, lines: usize) -> io::Result<Duration> {
    let started = Instant::now();
    let mut child = command.spawn()?;
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).split(b'\n').take(lines).try_for_each(|line| line.map(drop))?;
    }
    let took = started.elapsed();
    // One that has ended already cannot be killed.
    let _ = child.kill();
    child.wait()?;
    Ok(took)
}

/// Largest memory this process has had, in KiB, children not counted; Linux only.
pub fn peak_memory_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// How long one call takes.
///
/// # Errors
/// The call's own message, if it fails: a timing of an error is worth nothing.
pub fn time_call(service: &Service, request: &Value) -> Result<Duration, String> {
    let started = Instant::now();
    let answer = service.call("Search", request).map_err(|error| error.message)?;
    let took = started.elapsed();
    if answer.timed_out { Err("the call timed out".to_owned()) } else { Ok(took) }
}

/// The median of values in any order.
pub fn median(values: &[f64]) -> f64 {
    quantile(&sorted(values), 0.5)
}

/// The value that a hundredth of the values exceed, or the largest of fewer than a hundred.
pub fn p99(values: &[f64]) -> f64 {
    quantile(&sorted(values), 0.99)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The value below which `share` of the sorted values lie.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a handful of samples"
    )]
    let at = (last as f64 * share).round() as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

/// Extensions that are source text.
const SOURCES: [&str; 9] = ["c", "h", "rs", "py", "S", "toml", "md", "rst", "txt"];

/// Source files below `directory`, in the order of their names.
pub fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_symlink() {
        } else if path.is_dir() {
            sources(&path, found);
        } else if path
            .extension()
            .and_then(|ext| ext.to_str())
            .is_some_and(|ext| SOURCES.contains(&ext))
        {
            found.push(path);
        }
    }
}
