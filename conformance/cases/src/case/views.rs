//! Converts a case into the model's input.
//!
//! Responsible for: the [`World`] and the model's [`Config`]. Not here: the service's input
//! (`touchstone_lockstep::subjects::forge`); the two share no code. Invariants: presets come from
//! the model's own tables, never from production.

use touchstone_model::generated::agent::AGENT;
use touchstone_model::generated::keyword::KEYWORD;
use touchstone_model::generated::search::SEARCH;
use touchstone_model::generated::search_files::SEARCH_FILES;
use touchstone_model::tables::SearchTables;
use touchstone_model::tables::agent::AgentTables;
use touchstone_model::tables::files::FilesTables;
use touchstone_model::tables::keyword::KeywordTables;
use touchstone_model::{Config, Node as ModelNode, World, agent, search_files};

use super::{Case, CasePreset, Node};

/// The tables of the model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tables {
    /// Of `Search`, and shared by all tools.
    pub search: &'static SearchTables,
    /// Of `search_files`.
    pub files: &'static FilesTables,
    /// Of the agent's tools.
    pub agent: &'static AgentTables,
    /// Of `keyword_search`.
    pub keyword: &'static KeywordTables,
}

impl Tables {
    /// The tables generated from the specification.
    pub const CURRENT: Tables =
        Tables { search: &SEARCH, files: &SEARCH_FILES, agent: &AGENT, keyword: &KEYWORD };
}

impl CasePreset {
    /// The preset's name in the specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Agent => "agent",
        }
    }
}

impl Case {
    /// The error for a preset that the specification lacks.
    pub fn no_preset(&self) -> String {
        format!("the specification has no preset `{}`", self.config.preset.name())
    }

    /// The tree as the model's world.
    pub fn world(&self) -> World {
        let entries = self.tree.iter().map(|entry| {
            let node = match &entry.node {
                Node::File { contents, readable } => {
                    ModelNode::File { bytes: contents.bytes(), readable: *readable }
                }
                Node::Dir { readable } => ModelNode::Dir { readable: *readable },
                Node::Link { target } => ModelNode::Symlink { target: target.clone() },
                Node::Fifo => ModelNode::Fifo,
            };
            (self.below_root(&entry.path), node)
        });
        let root = match self.config.root.as_str() {
            "" => World::new().root,
            root => root.split('/').map(|name| name.as_bytes().to_vec()).collect(),
        };
        World { entries: entries.collect(), root }
    }

    /// The path of an entry as the model's world has it: from the sandbox root, or from the top.
    fn below_root(&self, path: &[u8]) -> Vec<u8> {
        let root = self.config.root.as_bytes();
        if root.is_empty() {
            return path.to_vec();
        }
        match path.strip_prefix(root) {
            Some(b"") => Vec::new(),
            Some(below) if below.starts_with(b"/") => below.get(1..).unwrap_or_default().to_vec(),
            _ => [b"../".repeat(self.config.root.split('/').count()), path.to_vec()].concat(),
        }
    }

    /// The model's configuration.
    pub fn model_config(&self) -> Config {
        self.config_by(Tables::CURRENT)
    }

    /// The model's configuration by `tables`.
    pub fn config_by(&self, tables: Tables) -> Config {
        let tables = tables.search;
        let name = self.config.preset.name();
        let row = tables.preset(name);
        debug_assert!(row.is_some(), "the specification has no preset `{name}`");
        let case = &self.config;
        Config {
            enabled: case.enabled.unwrap_or(row.is_some_and(|row| row.enabled)),
            lenient: case.preset == CasePreset::Agent,
            default_timeout_ms: case
                .default_timeout_ms
                .unwrap_or(row.map_or(0, |row| row.default_timeout_ms)),
            default_max_results: case
                .default_max_results
                .unwrap_or(row.map_or(0, |row| row.default_max_results)),
            max_matches_per_file: case
                .max_matches_per_file
                .or(row.and_then(|row| row.max_matches_per_file)),
            max_files: case.max_files.unwrap_or(row.map_or(0, |row| row.max_files)),
            max_file_size_bytes: case
                .max_file_size_bytes
                .unwrap_or(row.map_or(0, |row| row.max_file_size_bytes)),
            max_output_bytes: case
                .max_output_bytes
                .unwrap_or(row.map_or(0, |row| row.max_output_bytes)),
            emit_stats: case.keys.flag("emit_stats").unwrap_or(false),
            fuzzy_fallback: case
                .keys
                .flag("fuzzy_fallback")
                .unwrap_or(row.is_some_and(|row| row.fuzzy_fallback)),
            fuzzy_fallback_levels: case.keys.integers("fuzzy_fallback_levels").unwrap_or_else(
                || row.map_or(Vec::new(), |row| row.fuzzy_fallback_levels.to_vec()),
            ),
            fuzzy_min_pattern_len: case
                .keys
                .integer("fuzzy_min_pattern_len")
                .unwrap_or(row.map_or(0, |row| row.fuzzy_min_pattern_len)),
            deny: case.deny.clone(),
            global_ignore: case.global_ignore.iter().map(|text| text.0.clone()).collect(),
            reincludes_hidden: name == "agent",
            working_dir: case.working_dir.clone(),
            repository_rules: case.preset == CasePreset::Agent,
            backend_available: case.backend_available.unwrap_or(true),
            deadline_may_strike: case.deadline_may_strike,
            tables,
        }
    }

    /// The model's configuration of `search_files`, for the embedded backend or an external one.
    ///
    /// `None` if the specification lacks the preset.
    pub fn files_config(&self, tables: Tables, native: bool) -> Option<search_files::Config> {
        let preset = tables.files.preset(self.config.preset.name())?;
        let keys = &self.config.search_files;
        let mut config =
            search_files::Config::of_preset(self.config_by(tables), tables.files, preset);
        let integer = |key: &str, value: u64| keys.integer(key).unwrap_or(value);
        config.max_results = integer("max_results", config.max_results);
        config.max_matches_per_file =
            keys.integer("max_matches_per_file").or(config.max_matches_per_file);
        config.max_file_size_bytes = integer("max_file_size_bytes", config.max_file_size_bytes);
        config.max_files = integer("max_files", config.max_files);
        config.max_depth = integer("max_depth", config.max_depth);
        let flag = |key: &str, value: bool| keys.flag(key).unwrap_or(value);
        config.respect_gitignore_default =
            flag("respect_gitignore_default", config.respect_gitignore_default);
        config.include_hidden_default =
            flag("include_hidden_default", config.include_hidden_default);
        config.follow_symlinks_default =
            flag("follow_symlinks_default", config.follow_symlinks_default);
        config.record_binary = flag("record_binary", config.record_binary);
        for (key, value) in
            [("mode_default", &mut config.mode_default), ("case_default", &mut config.case_default)]
        {
            if let Some(text) = keys.text(key) {
                text.clone_into(value);
            }
        }
        config.fuzzy_threshold = keys.number("fuzzy_threshold").unwrap_or(config.fuzzy_threshold);
        config.backend_is_native = native;
        // The embedded backend is always available.
        config.backend_available = native || self.config.backend_available.unwrap_or(true);
        let output = self.context.max_output_bytes.unwrap_or(config.effective_max);
        config.effective_max =
            output.min(self.context.available_capacity_bytes.unwrap_or(u64::MAX));
        Some(config)
    }

    /// The model's configuration of the agent's tools; `None` if the specification lacks the
    /// preset.
    pub fn agent_config(&self, tables: Tables) -> Option<agent::Config> {
        let preset = tables.agent.preset(self.config.preset.name())?;
        let mut config = agent::Config::of_preset(self.config_by(tables), tables.agent, preset);
        let keys = &self.config.agent;
        config.default_max_results =
            keys.integer("default_max_results").unwrap_or(config.default_max_results);
        config.default_context_lines =
            keys.integer("default_context_lines").unwrap_or(config.default_context_lines);
        Some(config)
    }

    /// The model's configuration of `keyword_search`, with the sandbox root at `root`; `None` if
    /// the specification lacks the preset.
    pub fn keyword_config(&self, tables: Tables, root: &str) -> Option<agent::keyword::Config> {
        let key = |name: &str, preset: u64| self.config.keyword.integer(name).unwrap_or(preset);
        let flag = |name: &str, preset: bool| self.config.keyword.flag(name).unwrap_or(preset);
        Some(agent::keyword::Config {
            agent: self.agent_config(tables)?,
            term_bytes: key("term_bytes", tables.keyword.term_bytes),
            total_bytes: key("total_bytes", tables.keyword.total_bytes),
            skip_broad_terms: flag("skip_broad_terms", tables.keyword.skip_broad_terms),
            terms_from_query: flag("terms_from_query", tables.keyword.terms_from_query),
            use_model_default: flag("use_model_default", tables.keyword.use_model_default),
            root: root.to_owned(),
            tables: tables.keyword,
        })
    }

    /// The longest answer of the agent's tools in bytes, from the limits of bytes and tokens;
    /// `None` if tokens are not counted by bytes.
    pub fn agent_budget(&self) -> Option<u64> {
        let preset = AGENT.preset(self.config.preset.name())?;
        let keys = &self.config.agent;
        let bytes = keys.integer("max_answer_bytes").unwrap_or(preset.max_answer_bytes);
        let tokens = keys.integer("max_answer_tokens").unwrap_or(preset.max_answer_tokens);
        let by_tokens = tokens.saturating_mul(AGENT.limits.bytes_per_token);
        matches!(keys.text("tokenizer"), None | Some("bytes")).then_some(bytes.min(by_tokens))
    }
}
