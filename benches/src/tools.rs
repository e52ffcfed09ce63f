//! The tools of production over one tree, and names of files that hold answers.

use std::{path::Path, sync::Arc};

use forge_search_engine::{Config, Preset, Profile, Sandbox, Service, Toolbox};

const CHANGELOGS: [&str; 12] = [
    "changelog",
    "changelogs",
    "change-log",
    "changes",
    "release",
    "releases",
    "release-notes",
    "release_notes",
    "history",
    "news",
    "upgrading",
    "migration",
];

/// Whether a name is that of a changelog, or of a directory of them.
pub fn is_changelog(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let stem = name.trim_start_matches('.').split('.').next().unwrap_or_default();
    CHANGELOGS.contains(&stem)
}

/// A configuration for measuring: preset `agent`, answers as long as they may be, no rate, and a
/// deadline that a busy machine keeps.
pub fn configuration() -> Config {
    let mut config = Config::preset(Preset::Agent);
    config.agent.max_answer_tokens = 100_000;
    config.agent.max_answer_bytes = 64 << 20;
    config.agent.timeout_seconds = 60;
    config.agent.searches_per_minute = 100_000;
    config
}

/// The service over one tree, without an index.
pub fn service(tree: &Path) -> Result<Service, String> {
    let sandbox = Sandbox::new(&[tree.to_owned()], tree).map_err(|error| error.to_string())?;
    Service::new(configuration(), sandbox).map_err(|error| error.to_string())
}

/// The tools over one tree.
pub fn toolbox(tree: &Path) -> Result<Toolbox, String> {
    Ok(Toolbox::new(Arc::new(service(tree)?), Profile::All))
}
