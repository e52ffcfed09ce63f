//! The configuration of `search_files`: the values of `[tools.search_files]` and of the call's
//! context that can change an answer.

use crate::tables::files::{FilesPreset, FilesTables};

#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one key of the configuration, or one circumstance"
)]
pub struct Config {
    /// The values of `[tools.search]` that apply here too: `deny`, `global_ignore`, `working_dir`,
    /// `deadline_may_strike` and the tables of `Search`.
    pub search: crate::Config,
    /// Matches: hard cap and default.
    pub max_results: u64,
    /// Matches of one file: hard cap and default; `None` is no limit.
    pub max_matches_per_file: Option<u64>,
    /// Bytes: hard cap and default.
    pub max_file_size_bytes: u64,
    /// Files: hard cap and default.
    pub max_files: u64,
    /// Levels below the search root: hard cap and default.
    pub max_depth: u64,
    pub respect_gitignore_default: bool,
    pub include_hidden_default: bool,
    pub follow_symlinks_default: bool,
    pub mode_default: String,
    pub case_default: String,
    /// The least score of a fuzzy match (CFG-SF-04).
    pub fuzzy_threshold: f64,
    /// Whether binary files are recorded as errors (E-I03).
    pub record_binary: bool,
    /// Whether the configured backend is the embedded one; only that searches approximately
    /// (FR-SF-VAL-05).
    pub backend_is_native: bool,
    /// Whether the configured backend was found in a sufficient version (CFG-SF-03).
    pub backend_available: bool,
    /// Bytes; the smaller of the context's two limits (FR-SF-OUT-03).
    pub effective_max: u64,
    /// The absolute path of the sandbox root in answers; its length counts towards the budget.
    pub root_shown: String,
    pub tables: &'static FilesTables,
}

impl Config {
    /// The configuration of `preset`, with its backend available, and with the budget of the
    /// command line.
    pub fn of_preset(
        search: crate::Config,
        tables: &'static FilesTables,
        preset: &FilesPreset,
    ) -> Config {
        Config {
            search,
            max_results: preset.max_results,
            max_matches_per_file: preset.max_matches_per_file,
            max_file_size_bytes: preset.max_file_size_bytes,
            max_files: preset.max_files,
            max_depth: preset.max_depth,
            respect_gitignore_default: preset.respect_gitignore_default,
            include_hidden_default: preset.include_hidden_default,
            follow_symlinks_default: preset.follow_symlinks_default,
            mode_default: preset.mode_default.to_owned(),
            case_default: preset.case_default.to_owned(),
            fuzzy_threshold: preset.fuzzy_threshold,
            record_binary: preset.record_binary,
            backend_is_native: preset.backend == "native",
            backend_available: true,
            effective_max: preset.max_output_bytes,
            root_shown: "{root}".to_owned(),
            tables,
        }
    }
}
