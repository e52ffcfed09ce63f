//! Configuration of the service: presets, the tables `[tools.search]` and `[sandbox]`, validation
//! on load (CFG-LS-*, D10). The tables `[tools.search_files]`, `[tools.agent]` and
//! `[tools.keyword]` are in `config/search_files.rs`, `config/agent.rs` and `config/keyword.rs`.

use std::path::PathBuf;

use forge_search_core::{
    glob::{Dialect, Glob},
    index::settings::{Given, Refused, Settings},
    request::{Limits, MAX_RESULTS, MAX_TIMEOUT_MS, UNCAPPED},
    response::StatsDetail,
};
use toml::{Table, Value};

use crate::feature::Feature;

mod agent;
mod keyword;
mod search_files;

#[cfg(feature = "tokens")]
pub(crate) use agent::O200K_BASE;
pub use agent::{AgentConfig, TokenizerName};
pub use keyword::{ConfiguredModel, KeywordConfig, ModelChoice};
pub use search_files::{FilesBackend, SearchFilesConfig};

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

/// The service's configuration. [`Config::from_toml`] validates it, and [`Config::validate`] again
/// when a service starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Whether the tool `Search` may be called.
    pub enabled: bool,
    /// Which backend proposes lines.
    pub backend: BackendChoice,
    /// Preferred external program: a name looked up on PATH, or an absolute path. Empty for none.
    pub binary: String,
    /// Second choice, like `binary`.
    pub fallback_binary: String,
    /// Whether the embedded backend is used if no external one is usable.
    pub allow_native: bool,
    /// Deadline of requests that name none, in milliseconds.
    pub default_timeout_ms: u64,
    /// Event limit of requests that name none.
    pub default_max_results: u64,
    /// Cap of matching lines per file; none in the agent preset.
    pub max_matches_per_file: Option<u64>,
    /// Cap of eligible files.
    pub max_files: u64,
    /// Cap of a file's size in bytes.
    pub max_file_size_bytes: u64,
    /// Cap of the line text in one answer, in bytes.
    pub max_output_bytes: u64,
    /// Whether answers carry `stats`.
    pub emit_stats: bool,
    /// How detailed they are.
    pub stats_detail: StatsDetail,
    /// Globs, relative to each root, of files that are never opened.
    pub deny: Vec<String>,
    /// Ignore files that apply everywhere, strongest first.
    pub global_ignore_files: Vec<PathBuf>,
    /// Worker threads; 0 for one per processor.
    pub threads: usize,
    /// The index and fuzzy fallback (docs/claims.md, section 9).
    pub index: Settings,
    /// The tool `search_files`.
    pub search_files: SearchFilesConfig,
    /// The agent's tools.
    pub agent: AgentConfig,
    /// The tool `keyword_search`.
    pub keyword: KeywordConfig,
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

/// Sets a key of a tool's table, given its full name, its own name and its value.
type SetKey = fn(&mut Config, &str, &str, &Value) -> Result<(), ConfigError>;

const SEARCH_KEYS: [&str; 15] = [
    "enabled",
    "backend",
    "binary",
    "fallback_binary",
    "allow_native",
    "default_timeout_ms",
    "default_max_results",
    "max_matches_per_file",
    "max_files",
    "max_file_size_bytes",
    "max_output_bytes",
    "emit_stats",
    "stats_detail",
    "global_ignore_files",
    "threads",
];

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

impl Config {
    /// The preset's values.
    pub fn preset(preset: Preset) -> Self {
        let agent = preset == Preset::Agent;
        Self {
            enabled: agent,
            backend: if agent { BackendChoice::Native } else { BackendChoice::Auto },
            binary: "ugrep".to_owned(),
            fallback_binary: "rg".to_owned(),
            allow_native: agent,
            default_timeout_ms: 20_000,
            default_max_results: 200,
            max_matches_per_file: if agent { None } else { Some(50) },
            max_files: if agent { 1_000_000 } else { 10_000 },
            max_file_size_bytes: if agent { 32 << 20 } else { 2_000_000 },
            max_output_bytes: 16 << 20,
            emit_stats: agent,
            stats_detail: if agent { StatsDetail::Proof } else { StatsDetail::All },
            deny: Vec::new(),
            global_ignore_files: Vec::new(),
            threads: 0,
            index: if agent { Settings::agent() } else { Settings::documents() },
            search_files: SearchFilesConfig::preset(preset),
            agent: AgentConfig::preset(preset),
            keyword: KeywordConfig::preset(preset),
        }
    }

    /// The preset, overridden by a TOML document with the tables `[tools.search]` and `[sandbox]`.
    pub fn from_toml(text: &str, preset: Preset) -> Result<Self, ConfigError> {
        let document: Table = text.parse()?;
        let mut config = Self::preset(preset);
        for (key, value) in &document {
            match key.as_str() {
                "tools" => {
                    for (tool, value) in table(key, value)? {
                        let key = format!("{key}.{tool}");
                        let set: SetKey = match tool.as_str() {
                            "search" => Self::set_search,
                            "search_files" => {
                                |config, key, name, value| config.search_files.set(key, name, value)
                            }
                            "agent" => {
                                |config, key, name, value| config.agent.set(key, name, value)
                            }
                            "keyword" => {
                                |config, key, name, value| config.keyword.set(key, name, value)
                            }
                            _ => {
                                return Err(unknown(
                                    &key,
                                    &[
                                        "tools.search",
                                        "tools.search_files",
                                        "tools.agent",
                                        "tools.keyword",
                                    ],
                                ));
                            }
                        };
                        for (name, value) in table(&key, value)? {
                            set(&mut config, &format!("{key}.{name}"), name, value)?;
                        }
                    }
                }
                "sandbox" => {
                    for (name, value) in table(key, value)? {
                        let key = format!("{key}.{name}");
                        match name.as_str() {
                            "deny" => config.deny = texts(&key, value)?,
                            _ => return Err(unknown(&key, &["deny"])),
                        }
                    }
                }
                _ => return Err(unknown(key, &["tools", "sandbox"])),
            }
        }
        config.validate()?;
        Ok(config)
    }

    fn set_search(&mut self, key: &str, name: &str, value: &Value) -> Result<(), ConfigError> {
        match name {
            "enabled" => self.enabled = flag(key, value)?,
            "backend" => {
                self.backend = match value.as_str() {
                    Some("auto") => BackendChoice::Auto,
                    Some("native") => BackendChoice::Native,
                    Some("rg") => BackendChoice::Rg,
                    Some("ugrep") => BackendChoice::Ugrep,
                    _ => return Err(invalid(key, value, "auto, native, rg, ugrep")),
                }
            }
            "binary" => self.binary = text(key, value)?,
            "fallback_binary" => self.fallback_binary = text(key, value)?,
            "allow_native" => self.allow_native = flag(key, value)?,
            "default_timeout_ms" => self.default_timeout_ms = integer(key, value)?,
            "default_max_results" => self.default_max_results = integer(key, value)?,
            "max_matches_per_file" => self.max_matches_per_file = Some(integer(key, value)?),
            "max_files" => self.max_files = integer(key, value)?,
            "max_file_size_bytes" => self.max_file_size_bytes = integer(key, value)?,
            "max_output_bytes" => self.max_output_bytes = integer(key, value)?,
            "emit_stats" => self.emit_stats = flag(key, value)?,
            "stats_detail" => {
                self.stats_detail = match value.as_str() {
                    Some("proof") => StatsDetail::Proof,
                    Some("all") => StatsDetail::All,
                    _ => return Err(invalid(key, value, "proof, all")),
                }
            }
            "global_ignore_files" => {
                self.global_ignore_files =
                    texts(key, value)?.into_iter().map(PathBuf::from).collect();
            }
            "threads" => {
                let threads = integer(key, value)?;
                self.threads = usize::try_from(threads)
                    .map_err(|_| out_of_range(key, threads, 0, MAX_THREADS))?;
            }
            _ => return self.set_index(key, name, value),
        }
        Ok(())
    }

    fn set_index(&mut self, key: &str, name: &str, value: &Value) -> Result<(), ConfigError> {
        let refuse = |refused| match refused {
            Refused::Unknown => {
                let known: Vec<&str> = SEARCH_KEYS.iter().chain(Settings::KEYS).copied().collect();
                unknown(key, &known)
            }
            Refused::Invalid(allowed) => invalid(key, value, &allowed),
        };
        // A value of a type that no setting has is refused like one outside its range; the key
        // knows what is allowed.
        let given = given(value).unwrap_or(Given::Texts(Vec::new()));
        self.index.set(name, given).map_err(refuse)
    }

    /// Checks every value's range, also of a configuration built in code.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let ranges = [
            ("default_timeout_ms", self.default_timeout_ms, 1, MAX_TIMEOUT_MS),
            ("default_max_results", self.default_max_results, 1, MAX_RESULTS),
            ("max_matches_per_file", self.max_matches_per_file.unwrap_or(1), 1, UNCAPPED),
            ("max_files", self.max_files, 1, UNCAPPED),
            ("max_file_size_bytes", self.max_file_size_bytes, 1, MAX_FILE_BYTES),
            ("max_output_bytes", self.max_output_bytes, 1, MAX_OUTPUT_BYTES),
            ("threads", self.threads as u64, 0, MAX_THREADS),
        ];
        for (name, value, least, most) in ranges {
            if !(least..=most).contains(&value) {
                return Err(out_of_range(&format!("tools.search.{name}"), value, least, most));
            }
        }
        if self.enabled && self.backend == BackendChoice::Auto && !self.allow_native {
            let what = "configuration key `tools.search.backend` = auto";
            Feature::Backends.require(what, "set it to native, or allow_native to true")?;
        }
        self.search_files.validate()?;
        self.agent.validate()?;
        self.keyword.validate()?;
        self.deny_globs().map(drop)
    }

    pub(crate) fn deny_globs(&self) -> Result<Vec<Glob>, ConfigError> {
        self.deny
            .iter()
            .map(|text| {
                Glob::parse(text.as_bytes(), Dialect::Request).map_err(|why| ConfigError::Invalid {
                    key: "sandbox.deny".to_owned(),
                    value: text.clone(),
                    allowed: format!("a valid glob; here {why}"),
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

fn invalid(key: &str, value: &Value, allowed: &str) -> ConfigError {
    ConfigError::Invalid {
        key: key.to_owned(),
        value: value.to_string(),
        allowed: allowed.to_owned(),
    }
}

fn out_of_range(key: &str, value: u64, least: u64, most: u64) -> ConfigError {
    ConfigError::Invalid {
        key: key.to_owned(),
        value: value.to_string(),
        allowed: format!("{least} to {most}"),
    }
}

fn unknown(key: &str, known: &[&str]) -> ConfigError {
    ConfigError::UnknownKey { key: key.to_owned(), known: known.join(", ") }
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

fn table<'v>(key: &str, value: &'v Value) -> Result<&'v Table, ConfigError> {
    value.as_table().ok_or_else(|| invalid(key, value, "a table"))
}

fn flag(key: &str, value: &Value) -> Result<bool, ConfigError> {
    value.as_bool().ok_or_else(|| invalid(key, value, "true, false"))
}

fn text(key: &str, value: &Value) -> Result<String, ConfigError> {
    value.as_str().map(str::to_owned).ok_or_else(|| invalid(key, value, "a string"))
}

fn texts(key: &str, value: &Value) -> Result<Vec<String>, ConfigError> {
    let items = value.as_array().ok_or_else(|| invalid(key, value, "an array of strings"))?;
    items.iter().map(|item| text(key, item)).collect()
}

/// [`Config::validate`] checks ranges.
fn integer(key: &str, value: &Value) -> Result<u64, ConfigError> {
    let positive = value.as_integer().and_then(|number| u64::try_from(number).ok());
    positive.ok_or_else(|| invalid(key, value, "a positive integer"))
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
