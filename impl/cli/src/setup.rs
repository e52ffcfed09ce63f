//! From the command line and configuration to a service (D10, D15). Configuration is never read
//! from a searched tree.

use std::{
    fs,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy;
use forge_search_engine::{
    Config, ConfigError, IndexMode, IndexOptions, IndexUse, NamedRoot, Preset, Sandbox, Service,
    ToolError, escape_name,
};

use crate::args::{Common, PresetName};

mod explain;

/// Exit status after a second interrupt, as shells give it for the first.
const INTERRUPTED: i32 = 130;

/// Builds the service for a search; `more_roots` may be named besides those of the command line. An
/// index is used if one is stored; building
/// one would take longer than the search. Errors are reported like tool errors, because a caller
/// that reads JSON reads nothing else.
pub(crate) fn service(common: &Common, more_roots: &[PathBuf]) -> Result<Service, ToolError> {
    reading(common, config(common)?, more_roots)
}

/// The same over this configuration.
pub(crate) fn reading(
    common: &Common,
    config: Config,
    more_roots: &[PathBuf],
) -> Result<Service, ToolError> {
    let using =
        if config.index.index_mode == IndexMode::Off { IndexUse::None } else { IndexUse::Existing };
    serve(common, config, more_roots, using)
}

/// Builds the service over this configuration, and has interrupts end its searches.
pub(crate) fn serve(
    common: &Common,
    config: Config,
    more_roots: &[PathBuf],
    using: IndexUse,
) -> Result<Service, ToolError> {
    let service = build(common, config, more_roots, using)?;
    let cancelled = service.cancel_switch();
    // Children run in groups of their own and would not see the terminal's interrupt.
    let interrupted = move || {
        // A second answer comes from the stored result.
        if cancelled.swap(true, std::sync::atomic::Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    };
    ctrlc::set_handler(interrupted).map_err(|err| {
        ToolError::failed("configuration", format!("cannot handle interrupts: {err}"))
    })?;
    Ok(service)
}

/// Builds the service over this configuration.
pub(crate) fn build(
    common: &Common,
    config: Config,
    more_roots: &[PathBuf],
    using: IndexUse,
) -> Result<Service, ToolError> {
    let current = std::env::current_dir().map_err(|err| {
        ToolError::failed("root", format!("cannot tell the current directory: {err}"))
    })?;
    let mut roots = common.roots.clone();
    if roots.is_empty() {
        roots.push(current.clone());
    }
    // The working directory is the current one if that may be searched, else the first root.
    let inside =
        |root: &PathBuf| dunce::canonicalize(root).is_ok_and(|root| current.starts_with(root));
    let first = roots.first().cloned().unwrap_or_else(|| current.clone());
    let working_dir = if roots.iter().any(inside) { current } else { first };
    let more: Vec<PathBuf> = more_roots.iter().map(|root| directory_of(root)).collect();
    let failed = |err: ConfigError| ToolError::failed("configuration", err.to_string());
    let sandbox = Sandbox::permitting(&roots, &more, &working_dir).map_err(|err| {
        let out = "; --root and PATH take what is there and can be opened";
        let out = if matches!(err, ConfigError::Root { .. }) { out } else { "" };
        ToolError::failed("root", format!("{err}{out}"))
    })?;
    let options = IndexOptions { using, ..IndexOptions::default() };
    Service::with_index(config, sandbox, options).map_err(failed)
}

/// The roots of the command line as given, if they are several that are searched together.
pub(crate) fn several_roots(common: &Common) -> Vec<PathBuf> {
    let (roots, Some(first)) = (&common.roots, common.roots.first()) else { return Vec::new() };
    let PresetName::Agent = common.preset else { return Vec::new() };
    // The service reports a root that cannot be used.
    let Ok(sandbox) = Sandbox::new(roots, first) else { return Vec::new() };
    let as_given = |named: &NamedRoot| {
        let is_it = |root: &&PathBuf| dunce::canonicalize(root).is_ok_and(|it| it == named.path);
        roots.iter().find(is_it).cloned()
    };
    sandbox.named().iter().filter_map(as_given).collect()
}

/// Refuses to serve the whole file system to a client that starts servers there and names no root.
pub(crate) fn check_start(common: &Common) -> Result<(), ToolError> {
    let is_top = std::env::current_dir().is_ok_and(|current| current.parent().is_none());
    if common.roots.is_empty() && is_top {
        let why = "started in the top directory, which is no project; name what may be searched \
                   with --root DIR in the client's configuration";
        return Err(ToolError::failed("root", why.to_owned()));
    }
    Ok(())
}

/// A directory that holds `path`, which may be a file.
fn directory_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if path.is_file() && parent.as_os_str().is_empty() => PathBuf::from("."),
        Some(parent) if path.is_file() => parent.to_owned(),
        _ => path.to_owned(),
    }
}

/// Where configuration is read from; none if there is no home directory.
pub(crate) fn config_file(common: &Common) -> Option<PathBuf> {
    let usual = || {
        let dirs = etcetera::choose_base_strategy().ok()?;
        Some(dirs.config_dir().join("forge-search").join("config.toml"))
    };
    common.config.clone().or_else(usual)
}

/// Reads the configuration.
pub(crate) fn config(common: &Common) -> Result<Config, ToolError> {
    let preset = match common.preset {
        PresetName::Agent => Preset::Agent,
        PresetName::Documents => Preset::Documents,
    };
    let required = common.config.is_some();
    let Some(path) = config_file(common) else { return Ok(Config::preset(preset)) };
    let shown = escape_name(&path.to_string_lossy());
    match fs::read_to_string(&path) {
        Ok(text) => Config::from_toml(&text, preset).map_err(|err| {
            ToolError::failed("configuration", explain::explained(&shown, &text, &err))
        }),
        Err(err) if err.kind() == std::io::ErrorKind::NotFound && !required => {
            Ok(Config::preset(preset))
        }
        Err(err) => {
            let out =
                if required { "name another, or leave out --config" } else { "make it readable" };
            let why = format!("configuration file `{shown}`: cannot be read: {err}; {out}");
            Err(ToolError::failed("configuration", why))
        }
    }
}
