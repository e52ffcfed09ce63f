//! The configuration a call of the agent's tools runs under.
//!
//! Responsible for: the values of `[tools.agent]` and the circumstances of a call that can change
//! an answer.
//! Left to neighbours: what each value does; deny patterns, global ignore files, the working
//! directory, the number and size
//! of files, which are those of `Search`.
//! Invariants: plain data.

use crate::tables::agent::{AgentPreset, AgentTables};

/// What configuration and circumstances say about the agent's tools.
#[derive(Debug, Clone)]
pub struct Config {
    /// What is configured elsewhere: `deny`, `global_ignore`, `working_dir`, `max_files`,
    /// `max_file_size_bytes` and the
    /// tables of `Search`.
    pub search: crate::Config,
    /// Results of a request that does not say.
    pub default_max_results: u64,
    /// Lines of context of a request that does not say.
    pub default_context_lines: u64,
    /// Whether the index is wanted and not there yet.
    pub index_not_ready: bool,
    /// Whether the session is near its limit, this call included.
    pub rate_limit_near: bool,
    /// What the specification states as data.
    pub tables: &'static AgentTables,
}

impl Config {
    /// The configuration that `preset` gives, beside what is configured elsewhere: without an index
    /// that is wanted, and in a
    /// session that has not called yet.
    pub fn of_preset(
        search: crate::Config,
        tables: &'static AgentTables,
        preset: &AgentPreset,
    ) -> Config {
        Config {
            search,
            default_max_results: preset.default_max_results,
            default_context_lines: preset.default_context_lines,
            index_not_ready: false,
            rate_limit_near: false,
            tables,
        }
    }
}
