//! The table `[tools.search_files]` (CFG-SF-01 to CFG-SF-04; docs/search-files.md, section 1).
//!
//! Responsible for: its keys, their values in each preset, reading and checking them. Not here: the
//! other tables ([`super`]); what the values do.

use forge_search_core::{
    request::{CaseMode, MAX_TIMEOUT_MS, Reading, UNCAPPED},
    search_files::{Caps, MAX_RESULTS, Mode},
};
use toml::Value;

use super::{
    ConfigError, MAX_FILE_BYTES, MAX_OUTPUT_BYTES, Preset, flag, integer, invalid, out_of_range,
    text, unknown,
};
use crate::feature::Feature;

/// Which backend proposes lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilesBackend {
    /// The embedded backend, the only one with mode `fuzzy`.
    Native,
    /// A ripgrep process.
    Rg,
    /// A ugrep process.
    Ugrep,
}

impl FilesBackend {
    /// The value of the key.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Rg => "rg",
            Self::Ugrep => "ugrep",
        }
    }
}

/// Configuration of the tool `search_files`.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchFilesConfig {
    /// Which backend proposes lines.
    pub backend: FilesBackend,
    /// Caps of requests.
    pub caps: Caps,
    /// Deadline of a call, in milliseconds (E-I09).
    pub timeout_ms: u64,
    /// Whether binary files are listed among the errors (T-SF-05).
    pub record_binary: bool,
    /// Longest answer for callers that set no limit in the context, in bytes.
    pub max_output_bytes: u64,
    /// The ripgrep executable: a name looked up on PATH, or an absolute path.
    pub rg_binary: String,
    /// The ugrep executable, likewise.
    pub ugrep_binary: String,
}

/// Largest depth that may be configured.
const MAX_DEPTH: u64 = 10_000;

const KEYS: [&str; 17] = [
    "backend",
    "max_results",
    "max_matches_per_file",
    "max_file_size_bytes",
    "max_files",
    "max_depth",
    "respect_gitignore_default",
    "include_hidden_default",
    "follow_symlinks_default",
    "mode_default",
    "case_default",
    "fuzzy_threshold",
    "timeout_ms",
    "record_binary",
    "max_output_bytes",
    "rg_binary",
    "ugrep_binary",
];

impl SearchFilesConfig {
    /// The preset's values.
    pub fn preset(preset: Preset) -> Self {
        let documents = Caps::documents();
        let caps = match preset {
            Preset::Documents => documents,
            // Ordinary trees stay below these caps.
            Preset::Agent => Caps {
                max_matches_per_file: None,
                max_file_size_bytes: 32 << 20,
                max_files: 1_000_000,
                max_depth: 1_000,
                reading: Reading::Callers,
                ..documents
            },
        };
        Self {
            backend: FilesBackend::Native,
            caps,
            timeout_ms: 20_000,
            record_binary: true,
            max_output_bytes: 16 << 20,
            rg_binary: "rg".to_owned(),
            ugrep_binary: "ugrep".to_owned(),
        }
    }

    /// Whether the backend supports mode `fuzzy`.
    pub fn can_fuzzy(&self) -> bool {
        self.backend == FilesBackend::Native
    }

    pub(super) fn set(&mut self, key: &str, name: &str, value: &Value) -> Result<(), ConfigError> {
        let caps = &mut self.caps;
        match name {
            "backend" => {
                let named = [FilesBackend::Native, FilesBackend::Rg, FilesBackend::Ugrep]
                    .into_iter()
                    .find(|backend| value.as_str() == Some(backend.name()));
                self.backend = named.ok_or_else(|| invalid(key, value, "native, rg, ugrep"))?;
            }
            "max_results" => caps.max_results = integer(key, value)?,
            "max_matches_per_file" => caps.max_matches_per_file = Some(integer(key, value)?),
            "max_file_size_bytes" => caps.max_file_size_bytes = integer(key, value)?,
            "max_files" => caps.max_files = integer(key, value)?,
            "max_depth" => caps.max_depth = integer(key, value)?,
            "respect_gitignore_default" => caps.respect_gitignore = flag(key, value)?,
            "include_hidden_default" => caps.include_hidden = flag(key, value)?,
            "follow_symlinks_default" => caps.follow_symlinks = flag(key, value)?,
            "mode_default" => {
                let mode = value.as_str().and_then(Mode::named);
                caps.mode = mode.ok_or_else(|| invalid(key, value, "exact, regex, fuzzy"))?;
            }
            "case_default" => {
                let case = value.as_str().and_then(CaseMode::named);
                caps.case =
                    case.ok_or_else(|| invalid(key, value, "sensitive, insensitive, smart"))?;
            }
            "fuzzy_threshold" => {
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "0 and 1 are exact, and the rest is refused"
                )]
                let whole = value.as_integer().map(|whole| whole as f64);
                caps.fuzzy_threshold =
                    value.as_float().or(whole).ok_or_else(|| invalid(key, value, THRESHOLDS))?;
            }
            "timeout_ms" => self.timeout_ms = integer(key, value)?,
            "record_binary" => self.record_binary = flag(key, value)?,
            "max_output_bytes" => self.max_output_bytes = integer(key, value)?,
            "rg_binary" => self.rg_binary = text(key, value)?,
            "ugrep_binary" => self.ugrep_binary = text(key, value)?,
            _ => return Err(unknown(key, &KEYS)),
        }
        Ok(())
    }

    /// Checks every value's range, and each against the others.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        let caps = &self.caps;
        let ranges = [
            ("max_results", caps.max_results, MAX_RESULTS),
            ("max_matches_per_file", caps.max_matches_per_file.unwrap_or(1), UNCAPPED),
            ("max_file_size_bytes", caps.max_file_size_bytes, MAX_FILE_BYTES),
            ("max_files", caps.max_files, UNCAPPED),
            ("max_depth", caps.max_depth, MAX_DEPTH),
            ("timeout_ms", self.timeout_ms, MAX_TIMEOUT_MS),
            ("max_output_bytes", self.max_output_bytes, MAX_OUTPUT_BYTES),
        ];
        for (name, value, most) in ranges {
            if !(1..=most).contains(&value) {
                return Err(out_of_range(&format!("tools.search_files.{name}"), value, 1, most));
            }
        }
        if self.backend != FilesBackend::Native {
            let backend = self.backend.name();
            let what = format!("configuration key `tools.search_files.backend` = {backend}");
            Feature::Backends.require(what, "set it to native")?;
        }
        let threshold = caps.fuzzy_threshold;
        if !(0.0..=1.0).contains(&threshold) {
            return Err(invalid(
                "tools.search_files.fuzzy_threshold",
                &Value::Float(threshold),
                THRESHOLDS,
            ));
        }
        Ok(())
    }
}

const THRESHOLDS: &str = "0.0 to 1.0";
