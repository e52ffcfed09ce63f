//! The table `[tools.search_files]` (CFG-SF-01 to CFG-SF-04; docs/search-files.md, section 1).
//!
//! Responsible for: its keys, one row each. Not here: the
//! other tables ([`super`]); what the values do.

use forge_search_core::{
    request::{CaseMode, MAX_TIMEOUT_MS, Reading, UNCAPPED},
    search_files::{Caps, MAX_RESULTS, Mode},
};
use toml::Value;

use super::{
    ConfigError, MAX_FILE_BYTES, MAX_OUTPUT_BYTES, Preset, reading,
    table::{Setting, invalid, out_of_range, table, unknown},
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

/// Largest depth that may be configured.
const MAX_DEPTH: u64 = 10_000;

table! {
    /// Configuration of the tool `search_files`.
    #[derive(Clone, Debug, PartialEq)]
    SearchFilesConfig = "tools.search_files" {
        /// Which backend proposes lines.
        backend: FilesBackend = FilesBackend::Native, FilesBackend::Native;
        /// Cap of matches.
        max_results: u64 = 200, 200, 1..=MAX_RESULTS;
        /// Cap of matches per file; none in the agent preset.
        max_matches_per_file: Option<u64> = Some(20), None, 1..=UNCAPPED;
        /// Cap of file sizes in bytes.
        max_file_size_bytes: u64 = 2_000_000, 32 << 20, 1..=MAX_FILE_BYTES;
        /// Cap of eligible files.
        max_files: u64 = 5_000, 1_000_000, 1..=UNCAPPED;
        /// Cap of levels below the search root.
        max_depth: u64 = 12, 1_000, 1..=MAX_DEPTH;
        /// Default of `respect_gitignore`.
        respect_gitignore_default: bool = true, true;
        /// Default of `include_hidden`.
        include_hidden_default: bool = false, false;
        /// Default of `follow_symlinks`.
        follow_symlinks_default: bool = false, false;
        /// Default of `mode`.
        mode_default: Mode = Mode::Exact, Mode::Exact;
        /// Default of `case`.
        case_default: CaseMode = CaseMode::Smart, CaseMode::Smart;
        /// The smallest score of a match.
        fuzzy_threshold: f64 = 0.8, 0.8;
        /// Deadline of a call, in milliseconds (E-I09).
        timeout_ms: u64 = 20_000, 20_000, 1..=MAX_TIMEOUT_MS;
        /// Whether binary files are listed among the errors (T-SF-05).
        record_binary: bool = true, true;
        /// Longest answer for callers that set no limit in the context, in bytes.
        max_output_bytes: u64 = 16 << 20, 16 << 20, 1..=MAX_OUTPUT_BYTES;
        /// The ripgrep executable: a name looked up on PATH, or an absolute path.
        rg_binary: String = "rg".to_owned(), "rg".to_owned();
        /// The ugrep executable, likewise.
        ugrep_binary: String = "ugrep".to_owned(), "ugrep".to_owned();
    }
    and {
        /// By whose conventions requests are read.
        reading: Reading = reading;
    }
}

/// `fuzzy_threshold`.
impl Setting for f64 {
    fn read(key: &str, value: &Value) -> Result<Self, ConfigError> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "0 and 1 are exact, and the rest is refused"
        )]
        let whole = value.as_integer().map(|whole| whole as Self);
        value.as_float().or(whole).ok_or_else(|| invalid(key, value, THRESHOLDS))
    }
}

impl SearchFilesConfig {
    /// What it contributes to requests.
    pub fn caps(&self) -> Caps {
        Caps {
            max_results: self.max_results,
            max_matches_per_file: self.max_matches_per_file,
            max_file_size_bytes: self.max_file_size_bytes,
            max_files: self.max_files,
            max_depth: self.max_depth,
            respect_gitignore: self.respect_gitignore_default,
            include_hidden: self.include_hidden_default,
            follow_symlinks: self.follow_symlinks_default,
            mode: self.mode_default,
            case: self.case_default,
            fuzzy_threshold: self.fuzzy_threshold,
            reading: self.reading,
        }
    }

    /// Whether the backend supports mode `fuzzy`.
    pub fn can_fuzzy(&self) -> bool {
        self.backend == FilesBackend::Native
    }

    /// Checks every value's range, and each against the others.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        self.check_ranges()?;
        if self.backend != FilesBackend::Native {
            let backend = self.backend.name();
            let what = format!("configuration key `tools.search_files.backend` = {backend}");
            Feature::Backends.require(what, "set it to native")?;
        }
        let threshold = self.fuzzy_threshold;
        if !(0.0..=1.0).contains(&threshold) {
            let key = "tools.search_files.fuzzy_threshold";
            return Err(invalid(key, &Value::Float(threshold), THRESHOLDS));
        }
        Ok(())
    }
}

const THRESHOLDS: &str = "0.0 to 1.0";
