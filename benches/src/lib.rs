//! What the benches share: the tree they search, the programs they are held against, and paired timing.
//!
//! Machines are noisy, so figures are ratios: the service and a rival take turns, and each pair gives one ratio.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use forge_search_engine::{BackendChoice, Config, Preset, Sandbox, Service};
use serde_json::Value;
use touchstone::provision::Backends;

/// The tree to search: `TOUCHSTONE_CORPUS`, else the fetched kernel sources, else the cargo registry's sources.
pub fn corpus() -> Result<PathBuf, String> {
    let registry = || {
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
            .map(|home| home.join("registry").join("src"))
    };
    let build = touchstone::provision::build_directory().ok();
    let fetched = build.map(|build| build.join("corpus").join("linux-source-6.12"));
    [std::env::var_os("TOUCHSTONE_CORPUS").map(PathBuf::from), fetched, registry()]
        .into_iter()
        .flatten()
        .find(|path| path.is_dir())
        .ok_or_else(|| "no tree to search; run benches/fetch-corpus.sh or set TOUCHSTONE_CORPUS".to_owned())
}

/// The service over one backend: preset `agent`, and that backend or none. None if the backend is not there.
pub fn service(corpus: &Path, backend: &str, backends: &Backends) -> Option<Service> {
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
    let corpus = corpus.to_owned();
    let sandbox = Sandbox::new(std::slice::from_ref(&corpus), &corpus).ok()?;
    Service::new(config, sandbox).ok()
}

/// A plain program asked the same question: same ignore rules, same size limit, its own parallelism and order.
pub fn rival(corpus: &Path, program: &Path, arguments: &[&str], pattern: &str) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).arg("-e").arg(pattern).arg(".");
    // A pipe, because some programs stop at the first match when their output goes nowhere.
    command.current_dir(corpus).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// Runs a rival to its end, its output read, and says how long that took.
pub fn time_rival(command: &mut Command) -> std::io::Result<Duration> {
    let started = Instant::now();
    command.output()?;
    Ok(started.elapsed())
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
