//! The configuration of the agent's tools: the values of `[tools.agent]`, and circumstances of a
//! call that can change an answer.

use crate::tables::agent::{AgentPreset, AgentTables};

#[derive(Debug, Clone)]
pub struct Config {
    /// The values of `[tools.search]` that apply here too: `deny`, `global_ignore`, `working_dir`,
    /// `max_files`, `max_file_size_bytes` and the tables of `Search`.
    pub search: crate::Config,
    pub default_max_results: u64,
    pub default_context_lines: u64,
    /// Whether an index is configured but not ready.
    pub index_not_ready: bool,
    /// Whether the session is near its rate limit, this call included.
    pub rate_limit_near: bool,
    pub tables: &'static AgentTables,
}

impl Config {
    /// The configuration of `preset`, without a configured index and in a session without earlier
    /// calls.
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
