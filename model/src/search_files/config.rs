//! The configuration a `search_files` call runs under.
//!
//! Responsible for: the values of `[tools.search_files]` and of the call's context that can change
//! an answer.
//! Left to neighbours: what each value does; deny patterns, global ignore files and the working
//! directory, which are
//! those of `Search`.
//! Invariants: plain data.

use crate::tables::files::{FilesPreset, FilesTables};

/// What configuration and context say about `search_files`.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one key of the configuration, or one circumstance"
)]
pub struct Config {
    /// What is configured elsewhere: `deny`, `global_ignore`, `working_dir`, `deadline_may_strike`
    /// and the tables of
    /// `Search`. Nothing else of it has a say here.
    pub search: crate::Config,
    /// Matches: hard cap and default.
    pub max_results: u64,
    /// Matches of one file: hard cap and default; `None` sets neither.
    pub max_matches_per_file: Option<u64>,
    /// Bytes: hard cap and default.
    pub max_file_size_bytes: u64,
    /// Files: hard cap and default.
    pub max_files: u64,
    /// Levels below the search root: hard cap and default.
    pub max_depth: u64,
    /// `respect_gitignore` of a request without it.
    pub respect_gitignore_default: bool,
    /// `include_hidden` of a request without it.
    pub include_hidden_default: bool,
    /// `follow_symlinks` of a request without it.
    pub follow_symlinks_default: bool,
    /// `mode` of a request without it.
    pub mode_default: String,
    /// `case` of a request without it.
    pub case_default: String,
    /// The least score of a fuzzy match (CFG-SF-04).
    pub fuzzy_threshold: f64,
    /// Whether binary files are recorded as errors (E-I03).
    pub record_binary: bool,
    /// Whether the configured backend is the embedded one, which alone searches approximately
    /// (FR-SF-VAL-05).
    pub backend_is_native: bool,
    /// Whether the configured backend was found, in a sufficient version (CFG-SF-03).
    pub backend_available: bool,
    /// Bytes; the smaller of the context's two limits (FR-SF-OUT-03).
    pub effective_max: u64,
    /// How the absolute path of the sandbox root is written in answers, since its length counts
    /// towards the budget.
    pub root_shown: String,
    /// What the specification states as data.
    pub tables: &'static FilesTables,
}

impl Config {
    /// The configuration that `preset` gives, beside what is configured elsewhere: with its backend
    /// at hand, and with the
    /// budget that the command line gives.
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
