//! Configuration of the service: presets, the tables `[tools.search]` and `[sandbox]`, validation
//! on load (CFG-LS-*, D10). The tables `[tools.search_files]`, `[tools.agent]` and
//! `[tools.keyword]` are in `config/search_files.rs`, `config/agent.rs` and `config/keyword.rs`.

use std::path::PathBuf;

use forge_search_core::{
    glob::{Dialect, Glob},
    index::settings::{Given, Refused, Settings},
    request::{Limits, MAX_RESULTS, MAX_TIMEOUT_MS, Reading, UNCAPPED},
    response::StatsDetail,
};
use toml::{Table, Value};

use crate::feature::Feature;

mod agent;
mod keyword;
mod search_files;
mod table;

#[cfg(feature = "tokens")]
pub(crate) use agent::O200K_BASE;
pub use agent::{AgentConfig, TokenizerName};
pub use keyword::{ConfiguredModel, KeywordConfig, ModelChoice};
pub use search_files::{FilesBackend, SearchFilesConfig};
use table::{Setting, as_table, invalid, out_of_range, refused, table, unknown};

/// The defaults that a configuration file overrides (D10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// The documents' defaults: the tool is off, caps are low, external backends only.
    Documents,
    /// The command line's defaults: the tool is on, and ordinary trees stay below the caps.
    Agent,
}

/// Which backend proposes lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendChoice {
    /// `binary`, else `fallback_binary`, else the embedded backend if `allow_native`.
    Auto,
    /// The embedded backend.
    Native,
    /// `rg` on PATH, and nothing else.
    Rg,
    /// `ugrep` on PATH, and nothing else.
    Ugrep,
}

table! {
    /// The service's configuration. [`Config::from_toml`] validates it, and [`Config::validate`]
    /// again when a service starts.
    #[derive(Clone, Debug, PartialEq)]
    Config = "tools.search" {
        /// Whether the tool `Search` may be called.
        enabled: bool = false, true;
        /// Which backend proposes lines.
        backend: BackendChoice = BackendChoice::Auto, BackendChoice::Native;
        /// Preferred external program: a name looked up on PATH, or an absolute path. Empty for none.
        binary: String = "ugrep".to_owned(), "ugrep".to_owned();
        /// Second choice, like `binary`.
        fallback_binary: String = "rg".to_owned(), "rg".to_owned();
        /// Whether the embedded backend is used if no external one is usable.
        allow_native: bool = false, true;
        /// Deadline of requests that name none, in milliseconds.
        default_timeout_ms: u64 = 20_000, 20_000, 1..=MAX_TIMEOUT_MS;
        /// Event limit of requests that name none.
        default_max_results: u64 = 200, 200, 1..=MAX_RESULTS;
        /// Cap of matching lines per file; none in the agent preset.
        max_matches_per_file: Option<u64> = Some(50), None, 1..=UNCAPPED;
        /// Cap of eligible files.
        max_files: u64 = 10_000, 1_000_000, 1..=UNCAPPED;
        /// Cap of a file's size in bytes.
        max_file_size_bytes: u64 = 2_000_000, 32 << 20, 1..=MAX_FILE_BYTES;
        /// Cap of the line text in one answer, in bytes.
        max_output_bytes: u64 = 16 << 20, 16 << 20, 1..=MAX_OUTPUT_BYTES;
        /// Whether answers carry `stats`.
        emit_stats: bool = false, true;
        /// How detailed they are.
        stats_detail: StatsDetail = StatsDetail::All, StatsDetail::Proof;
        /// Ignore files that apply everywhere, strongest first.
        global_ignore_files: Vec<PathBuf> = Vec::new(), Vec::new();
        /// Worker threads; 0 for one per processor.
        threads: usize = 0, 0, 0..=MAX_THREADS;
    }
    and {
        /// Globs, relative to each root, of files that are never opened.
        deny: Vec<String> = |_| Vec::new();
        /// What the values started from. It settles what no key sets.
        preset: Preset = |preset| preset;
        /// Whether the repository that holds a root decides what is ignored in it, also from above
        /// the root, and a `.git` file leads to the repository's exclude file (D23).
        repository_rules: bool = |preset| preset == Preset::Agent;
        /// Whether a `!` rule includes a hidden name, as in ripgrep.
        reincludes_hidden: bool = |preset| preset == Preset::Agent;
        /// The index and fuzzy fallback (docs/claims.md, section 9).
        index: Settings = |preset| match preset {
            Preset::Documents => Settings::documents(),
            Preset::Agent => Settings::agent(),
        };
        /// The tool `search_files`.
        search_files: SearchFilesConfig = SearchFilesConfig::preset;
        /// The agent's tools.
        agent: AgentConfig = AgentConfig::preset;
        /// The tool `keyword_search`.
        keyword: KeywordConfig = KeywordConfig::preset;
    }
}

/// A configuration that cannot be used. The message names the key, its value and the allowed range.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not TOML.
    #[error("configuration is not valid TOML: {0}")]
    Syntax(#[from] toml::de::Error),
    /// An unknown key.
    #[error("unknown configuration key `{key}`; known keys are {known}")]
    UnknownKey {
        /// Full key.
        key: String,
        /// Comma-separated keys of that table.
        known: String,
    },
    /// A value outside its range.
    #[error("configuration key `{key}` is `{value}`; allowed: {allowed}")]
    Invalid {
        /// Full key.
        key: String,
        /// Its value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// The build lacks a feature that the configuration needs.
    #[error(
        "{what} needs the feature `{feature}` of forge-search-engine, which is off; turn it on, or {instead}"
    )]
    Feature {
        /// The missing feature.
        feature: Feature,
        /// What needs it.
        what: String,
        /// What works without it.
        instead: &'static str,
    },
    /// A sandbox root that cannot be used.
    #[error("cannot use `{path}` as a root: {source}", path = path.display())]
    Root {
        /// As given.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// An index root that cannot be one.
    #[error("configuration key `tools.search.index_roots` is `{path}`; allowed: {allowed}", path = path.display())]
    IndexRoot {
        /// As configured.
        path: PathBuf,
        /// The allowed values.
        allowed: &'static str,
    },
    /// The working directory lies outside every root.
    #[error("working directory `{path}` is outside the roots; start inside one or add it as a root", path = path.display())]
    WorkingDirectory {
        /// Canonical.
        path: PathBuf,
    },
    /// An ignore file of the configuration cannot be read.
    #[error("cannot read global ignore file `{path}`: {source}", path = path.display())]
    GlobalIgnore {
        /// As configured.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}

/// Largest `max_file_size_bytes`.
const MAX_FILE_BYTES: u64 = 1 << 30;
/// Largest `max_output_bytes`.
const MAX_OUTPUT_BYTES: u64 = 1 << 28;
/// Most worker threads.
const MAX_THREADS: u64 = 256;

impl Feature {
    /// An error unless this build has it. `what` needs it; `instead` is what else can be done.
    pub(crate) fn require(
        self,
        what: impl Into<String>,
        instead: &'static str,
    ) -> Result<(), ConfigError> {
        if self.is_on() {
            return Ok(());
        }
        Err(ConfigError::Feature { feature: self, what: what.into(), instead })
    }
}

/// By whose conventions requests are read.
fn reading(preset: Preset) -> Reading {
    match preset {
        Preset::Agent => Reading::Callers,
        Preset::Documents => Reading::Documents,
    }
}

impl Config {
    /// The preset, overridden by a TOML document with the tables `[tools.search]` and `[sandbox]`.
    pub fn from_toml(text: &str, preset: Preset) -> Result<Self, ConfigError> {
        const TABLES: [&str; 4] =
            ["tools.search", "tools.search_files", "tools.agent", "tools.keyword"];
        let document: Table = text.parse()?;
        let mut config = Self::preset(preset);
        for (key, value) in &document {
            let names = match key.as_str() {
                "tools" | "sandbox" => as_table(key, value)?,
                _ => return Err(unknown(key, &["tools", "sandbox"])),
            };
            for (name, value) in names {
                let key = format!("{key}.{name}");
                if key == "sandbox.deny" {
                    config.deny = Setting::read(&key, value)?;
                    continue;
                } else if key.starts_with("sandbox.") {
                    return Err(unknown(&key, &["deny"]));
                } else if !TABLES.contains(&key.as_str()) {
                    return Err(unknown(&key, &TABLES));
                }
                for (name, value) in as_table(&key, value)? {
                    config.set_tool(&key, name, value)?;
                }
            }
        }
        config.validate()?;
        Ok(config)
    }

    /// Sets a key of the table of a tool.
    fn set_tool(&mut self, table: &str, name: &str, value: &Value) -> Result<(), ConfigError> {
        let key = &format!("{table}.{name}");
        match table {
            "tools.search_files" => self.search_files.set(key, name, value),
            "tools.agent" => self.agent.set(key, name, value),
            "tools.keyword" => self.keyword.set(key, name, value),
            _ if Self::KEYS.contains(&name) => self.set(key, name, value),
            _ => self.set_index(key, name, value),
        }
    }

    fn set_index(&mut self, key: &str, name: &str, value: &Value) -> Result<(), ConfigError> {
        // A value of a type that no setting has is refused like one outside its range; the key
        // knows what is allowed.
        let given = given(value).unwrap_or(Given::Texts(Vec::new()));
        self.index.set(name, given).map_err(|why| match why {
            Refused::Unknown => unknown(key, &[Self::KEYS, Settings::KEYS].concat()),
            Refused::Invalid(allowed) => invalid(key, value, &allowed),
        })
    }

    /// Checks every value's range, also of a configuration built in code.
    pub fn validate(&self) -> Result<(), ConfigError> {
        self.check_ranges()?;
        if self.enabled && self.backend == BackendChoice::Auto && !self.allow_native {
            let what = "configuration key `tools.search.backend` = auto";
            Feature::Backends.require(what, "set it to native, or allow_native to true")?;
        }
        self.search_files.validate()?;
        self.agent.check_ranges()?;
        self.keyword.validate()?;
        self.deny_globs().map(drop)
    }

    pub(crate) fn deny_globs(&self) -> Result<Vec<Glob>, ConfigError> {
        self.deny
            .iter()
            .map(|text| {
                Glob::parse(text.as_bytes(), Dialect::Request).map_err(|why| {
                    refused("sandbox.deny", text, &format!("a valid glob; here {why}"))
                })
            })
            .collect()
    }

    /// The defaults and caps of requests.
    pub fn limits(&self) -> Limits {
        Limits {
            default_timeout_ms: self.default_timeout_ms,
            default_max_results: self.default_max_results,
            max_matches_per_file: self.max_matches_per_file,
            max_files: self.max_files,
            max_file_size_bytes: self.max_file_size_bytes,
            max_output_bytes: self.max_output_bytes,
            reading: self.agent.reading,
        }
    }
}

fn given(value: &Value) -> Option<Given> {
    Some(match value {
        Value::Boolean(flag) => Given::Flag(*flag),
        Value::Integer(number) => match u64::try_from(*number) {
            Ok(number) => Given::Integer(number),
            Err(_) => return None,
        },
        Value::Float(number) => Given::Real(*number),
        Value::String(text) => Given::Text(text.clone()),
        Value::Array(items) if items.iter().all(Value::is_integer) && !items.is_empty() => {
            let number =
                |item: &Value| item.as_integer().and_then(|number| u64::try_from(number).ok());
            Given::Integers(items.iter().map(number).collect::<Option<_>>()?)
        }
        Value::Array(items) => Given::Texts(
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        ),
        Value::Datetime(_) | Value::Table(_) => return None,
    })
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
