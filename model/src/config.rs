//! The configuration of `Search`: the values of `[tools.search]` that can change an answer.

use crate::fold::Fold;
use crate::tables::{Preset, SearchTables, Setting};

#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one key of the configuration, or one circumstance"
)]
pub struct Config {
    pub enabled: bool,
    /// Whether requests are read as clients write them (D25): preset `agent`.
    pub lenient: bool,
    /// Milliseconds; default of `timeout_ms`.
    pub default_timeout_ms: u64,
    /// Events; default of `max_results`.
    pub default_max_results: u64,
    /// Matching lines of one file: hard cap and default; `None` is no limit (E-B16).
    pub max_matches_per_file: Option<u64>,
    /// Files: hard cap and default.
    pub max_files: u64,
    /// Bytes: hard cap and default.
    pub max_file_size_bytes: u64,
    /// Bytes; limit on the sum of the emitted line texts (E-E13).
    pub max_output_bytes: u64,
    pub emit_stats: bool,
    /// Whether fuzzy fallback applies to literals without matches (section 8).
    pub fuzzy_fallback: bool,
    /// Permitted edits of the passes, increasing.
    pub fuzzy_fallback_levels: Vec<u64>,
    /// Scalars; shorter patterns have no fuzzy fallback.
    pub fuzzy_min_pattern_len: u64,
    /// Request globs relative to the sandbox root; matching paths are never opened or named
    /// (E-B18).
    pub deny: Vec<String>,
    /// Contents of the configured global ignore files, strongest first (E-B04).
    pub global_ignore: Vec<Vec<u8>>,
    /// The working directory relative to the sandbox root; `""` is the root itself.
    pub working_dir: String,
    /// Whether any permitted backend is available.
    pub backend_available: bool,
    /// Whether the deadline may expire during the call, so that partial answers are correct too.
    pub deadline_may_strike: bool,
    pub tables: &'static SearchTables,
}

impl Config {
    /// The configuration of `preset`: at the sandbox root, without deny patterns or global ignore
    /// files, with a backend and without a deadline.
    pub fn of_preset(tables: &'static SearchTables, preset: &Preset) -> Config {
        Config {
            enabled: preset.enabled,
            lenient: preset.name == "agent",
            default_timeout_ms: preset.default_timeout_ms,
            default_max_results: preset.default_max_results,
            max_matches_per_file: preset.max_matches_per_file,
            max_files: preset.max_files,
            max_file_size_bytes: preset.max_file_size_bytes,
            max_output_bytes: preset.max_output_bytes,
            emit_stats: preset.emit_stats,
            fuzzy_fallback: preset.fuzzy_fallback,
            fuzzy_fallback_levels: preset.fuzzy_fallback_levels.to_vec(),
            fuzzy_min_pattern_len: preset.fuzzy_min_pattern_len,
            deny: Vec::new(),
            global_ignore: Vec::new(),
            working_dir: String::new(),
            backend_available: true,
            deadline_may_strike: false,
            tables,
        }
    }

    /// What is equal where case does not count.
    pub(crate) fn folded(&self) -> Fold {
        if self.lenient { Fold::Unicode } else { Fold::Ascii }
    }

    /// The value of a setting; `None` is no limit.
    pub(crate) fn setting(&self, setting: Setting) -> Option<u64> {
        match setting {
            Setting::DefaultTimeoutMs => Some(self.default_timeout_ms),
            Setting::DefaultMaxResults => Some(self.default_max_results),
            Setting::MaxMatchesPerFile => self.max_matches_per_file,
            Setting::MaxFiles => Some(self.max_files),
            Setting::MaxFileSizeBytes => Some(self.max_file_size_bytes),
        }
    }
}
