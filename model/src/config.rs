//! The configuration a call runs under.
//!
//! Responsible for: the values of `[tools.search]` that can change an answer, and how a table's
//! settings name them.
//! Left to neighbours: reading configuration files; what each value does.
//! Invariants: plain data.

use crate::tables::{Preset, SearchTables, Setting};

/// What configuration says about `Search`.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one key of the configuration, or one circumstance"
)]
pub struct Config {
    /// Whether the tool answers at all.
    pub enabled: bool,
    /// Milliseconds; the `timeout_ms` of a request without one.
    pub default_timeout_ms: u64,
    /// Events; the `max_results` of a request without one.
    pub default_max_results: u64,
    /// Matching lines of one file: hard cap and default; `None` sets neither (E-B16).
    pub max_matches_per_file: Option<u64>,
    /// Files: hard cap and default.
    pub max_files: u64,
    /// Bytes: hard cap and default.
    pub max_file_size_bytes: u64,
    /// Bytes; bounds the sum of the emitted line texts (E-E13).
    pub max_output_bytes: u64,
    /// Whether answers carry `stats`.
    pub emit_stats: bool,
    /// Whether a literal without matches is looked for approximately (section 8).
    pub fuzzy_fallback: bool,
    /// Edits; the levels that are tried then, rising.
    pub fuzzy_fallback_levels: Vec<u64>,
    /// Scalars; shorter patterns are never looked for approximately.
    pub fuzzy_min_pattern_len: u64,
    /// Request globs relative to the sandbox root; what they match is never opened or named
    /// (E-B18).
    pub deny: Vec<String>,
    /// Contents of the configured global ignore files, strongest first (E-B04).
    pub global_ignore: Vec<Vec<u8>>,
    /// The working directory relative to the sandbox root; `""` is the root itself.
    pub working_dir: String,
    /// Whether any backend may be used here.
    pub backend_available: bool,
    /// Whether the deadline may strike during the call, so that partial answers are right too.
    pub deadline_may_strike: bool,
    /// What the specification states as data.
    pub tables: &'static SearchTables,
}

impl Config {
    /// The configuration that `preset` gives, at the sandbox root, without deny patterns or global
    /// ignore files,
    /// with a backend and without a deadline.
    pub fn of_preset(tables: &'static SearchTables, preset: &Preset) -> Config {
        Config {
            enabled: preset.enabled,
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

    /// The value of a setting; `None` where it sets no limit.
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
