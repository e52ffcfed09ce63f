//! The production service as a subject. The only room of the harness that knows its API.
//!
//! Responsible for: the service's configuration for a case, one call on a tree that is already
//! there, and the observation made of it, by tool (`files`, `agent` and `keyword` below). Not here:
//! what is compared ([`crate::tool`]), the process (`touchstone::worker`) and the tree
//! ([`touchstone_cases::materialise`]). Invariants: presets come from production here and from the
//! specification in the model's view, so that the two are compared by every case; `{root}` is
//! replaced in the request's `path` and `directory` and nowhere else.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use forge_search_engine::index::{Clock, SystemClock};
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{
    BackendChoice, Config, FilesBackend, IndexMode, IndexOptions, IndexStorage, IndexUse, Preset,
    Sandbox, Service, StatsDetail,
};
use serde_json::{Map, Value};
use touchstone_cases::backend::Backend;
use touchstone_cases::case::{Case, CasePreset, ROOT_MARK};
use touchstone_cases::family::Family;
use touchstone_cases::materialise::Tree;

use crate::budget::BudgetSweep;
use crate::observation::{BACKEND, Broken, ELAPSED, Observation, hide_root};

pub(crate) mod agent;
pub(crate) mod files;
pub(crate) mod keyword;

pub use files::timeless;

/// A program that does not exist, for cases without a backend.
const ABSENT: &str = "/nonexistent/backend";

/// Most turns of the indexer to index a case's tree.
const MAX_TURNS: u32 = 10_000;

/// The backend of a service, with its executable.
#[derive(Debug, Clone, Copy)]
pub struct ServiceBackend<'a> {
    pub backend: Backend,
    /// Absolute path of its executable; none for the native one.
    pub executable: Option<&'a Path>,
    /// Threads; 0 for as many as there are processors.
    pub threads: usize,
    /// Whether the tree has an index that is ready.
    pub indexed: bool,
}

/// A clock some seconds ahead of the files of a case, which rest: their times then prove what they
/// hold, and their words are indexed.
#[derive(Debug)]
struct Rested(SystemClock);

impl Clock for Rested {
    fn now_ms(&self) -> u64 {
        self.0.now_ms()
    }

    fn stamp_ns(&self) -> i64 {
        self.0.stamp_ns() + 10_000_000_000
    }
}

/// Calls the service once on `tree`.
///
/// # Errors
/// [`Broken::Unstartable`] for a backend that is missing or a configuration that the service
/// refuses.
pub fn observe(case: &Case, tree: &Tree, over: ServiceBackend<'_>) -> Result<Observation, Broken> {
    let service = service(case, tree, over)?;
    let root = &*tree.root.to_string_lossy();
    match case.family() {
        Family::Search => observe_search(case, &service, root),
        Family::Files => files::observe(case, &service, root),
        Family::Agent => Ok(agent::observe(case, service, root)),
        Family::Keyword => Ok(keyword::observe(case, service, root)),
    }
}

/// Calls `Search` once.
fn observe_search(case: &Case, service: &Service, root: &str) -> Result<Observation, Broken> {
    let garbled = |error: serde_json::Error| Broken::Garbled { reason: error.to_string() };
    match service.call(&case.tool, &with_root(&case.request, root)) {
        Ok(response) => serde_json::to_value(response)
            .map(|response| Ok(normalised(response, root)))
            .map_err(garbled),
        Err(error) => {
            serde_json::to_value(error).map(|error| Err(normalised(error, root))).map_err(garbled)
        }
    }
}

/// Calls `search_files` under every budget on `tree`.
///
/// # Errors
/// As [`observe`].
pub fn observe_budgets(
    case: &Case,
    tree: &Tree,
    over: ServiceBackend<'_>,
) -> Result<BudgetSweep, Broken> {
    let service = service(case, tree, over)?;
    Ok(files::observe_budgets(case, &service, &tree.root.to_string_lossy()))
}

fn service(case: &Case, tree: &Tree, over: ServiceBackend<'_>) -> Result<Service, Broken> {
    let unstartable =
        |error: &dyn std::fmt::Display| Broken::Unstartable { reason: error.to_string() };
    let config = engine_config(case, tree, over)?;
    let working_dir = tree.root.join(&case.config.working_dir);
    let sandbox = Sandbox::new(std::slice::from_ref(&tree.root), &working_dir);
    let sandbox = sandbox.map_err(|error| unstartable(&error))?;
    if !over.indexed {
        return Service::new(config, sandbox).map_err(|error| unstartable(&error));
    }
    let (using, clock) = (IndexUse::Stepped, Arc::new(Rested(SystemClock(Instant::now()))));
    let options = IndexOptions { using, clock, ..IndexOptions::default() };
    let service =
        Service::with_index(config, sandbox, options).map_err(|error| unstartable(&error))?;
    let is_ready = (0..MAX_TURNS).any(|_| !service.index_turn());
    if is_ready {
        Ok(service)
    } else {
        Err(unstartable(&"the index is not ready after so many turns"))
    }
}

/// The configuration, as the service sees it.
///
/// # Errors
/// [`Broken::Unstartable`] when the backend needs an executable and there is none.
pub fn engine_config(case: &Case, tree: &Tree, over: ServiceBackend<'_>) -> Result<Config, Broken> {
    let preset = match case.config.preset {
        CasePreset::Documents => Preset::Documents,
        CasePreset::Agent => Preset::Agent,
    };
    let asked = &case.config;
    let tables =
        asked.keys.to_toml("tools.search") + &asked.search_files.to_toml("tools.search_files");
    let mut agent = asked.agent.clone();
    agent.0.entry("tokenizer".to_owned()).or_insert_with(|| "bytes".into());
    let tables = tables + &agent.to_toml("tools.agent") + &asked.keyword.to_toml("tools.keyword");
    let mut config = Config::from_toml(&tables, preset)
        .map_err(|error| Broken::Unstartable { reason: error.to_string() })?;
    config.enabled = asked.enabled.unwrap_or(config.enabled);
    config.default_timeout_ms = asked.default_timeout_ms.unwrap_or(config.default_timeout_ms);
    config.default_max_results = asked.default_max_results.unwrap_or(config.default_max_results);
    config.max_matches_per_file = asked.max_matches_per_file.or(config.max_matches_per_file);
    config.max_files = asked.max_files.unwrap_or(config.max_files);
    config.max_file_size_bytes = asked.max_file_size_bytes.unwrap_or(config.max_file_size_bytes);
    config.max_output_bytes = asked.max_output_bytes.unwrap_or(config.max_output_bytes);
    config.deny.clone_from(&asked.deny);
    config.global_ignore_files.clone_from(&tree.global_ignore);
    // Unless a case asks for them: they name the backend, which is not the same in every run.
    config.emit_stats = asked.keys.flag("emit_stats").unwrap_or(false);
    config.stats_detail = StatsDetail::All;
    config.threads = over.threads;
    if over.indexed {
        config.index.index_mode = IndexMode::On;
        config.index.index_storage = IndexStorage::Memory;
    }
    config.fallback_binary = String::new();
    config.allow_native = false;
    let executable = match (asked.backend_available, over.backend) {
        (Some(false), _) => Some(PathBuf::from(ABSENT)),
        (_, Backend::Native) => None,
        (_, backend) => Some(over.executable.ok_or_else(|| missing(backend))?.to_owned()),
    };
    let files = &mut config.search_files;
    // A backend is probed when the service starts, which cases of the other tool need not wait
    // for.
    files.backend = match over.backend {
        Backend::Ripgrep if case.family() == Family::Files => FilesBackend::Rg,
        Backend::Ugrep if case.family() == Family::Files => FilesBackend::Ugrep,
        _ => FilesBackend::Native,
    };
    match executable {
        None => config.backend = BackendChoice::Native,
        Some(executable) => {
            let name = executable.to_string_lossy().into_owned();
            files.rg_binary.clone_from(&name);
            files.ugrep_binary = name;
            config.backend = BackendChoice::Auto;
            config.binary = executable.to_string_lossy().into_owned();
        }
    }
    Ok(config)
}

/// The error for a backend without an executable.
pub fn missing(backend: Backend) -> Broken {
    let name = backend.name();
    Broken::Unstartable {
        reason: format!("there is no {name} executable; run `touchstone backends --provision`"),
    }
}

/// The request with `{root}` at the start of its `path` or `directory` replaced.
pub fn with_root(request: &Value, root: &str) -> Value {
    let mut request = request.clone();
    for field in ["path", "directory"] {
        if let Some(Value::String(path)) = request.get_mut(field)
            && let Some(below) = path.strip_prefix(ROOT_MARK)
        {
            *path = format!("{root}{below}");
        }
    }
    request
}

/// An answer without values that differ between runs: backend output and the sandbox's path.
pub fn normalised(mut answer: Value, root: &str) -> Value {
    if let Value::Object(fields) = &mut answer {
        for key in ["exit_code", "stderr"] {
            fields.remove(key);
        }
        if let Some(stats) = fields.get_mut("stats").and_then(Value::as_object_mut) {
            steady(stats);
        }
    }
    hide_root(&mut answer, root);
    answer
}

/// Replaces varying values of the right type by placeholders, so that only their types are
/// compared.
fn steady(stats: &mut Map<String, Value>) {
    stats.retain(|key, _| !key.starts_with("build_") && key != "files_binary");
    if let Some(elapsed) = stats.get_mut("elapsed_ms").filter(|elapsed| elapsed.is_u64()) {
        *elapsed = ELAPSED.into();
    }
    if let Some(backend) = stats.get_mut("backend").filter(|backend| backend.is_string()) {
        *backend = BACKEND.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_root_is_substituted_in_the_path_and_masked_in_the_answer() {
        let request = json!({"pattern": "{root}", "path": "{root}/a"});
        assert_eq!(with_root(&request, "/x"), json!({"pattern": "{root}", "path": "/x/a"}));
        let answer = json!({"path": "/x/a", "matches": [{"p": "/x/a"}], "exit_code": 2});
        assert_eq!(
            normalised(answer, "/x"),
            json!({"path": "{root}/a", "matches": [{"p": "{root}/a"}]})
        );
    }

    #[test]
    fn variable_stats_are_compared_by_type() {
        let stats = |elapsed: Value| json!({"stats": {"elapsed_ms": elapsed, "backend": "native", "build_phase": "X"}});
        let expected = json!({"stats": {"elapsed_ms": ELAPSED, "backend": BACKEND}});
        assert_eq!(normalised(stats(json!(17)), "/x"), expected);
        assert_ne!(normalised(stats(json!("17")), "/x"), expected);
    }
}
