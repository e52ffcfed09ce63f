//! What the tables say of production that no answer shows: the values of presets, which tools the
//! profiles list, and what the modules below hold.
//!
//! Not here: what answers show (`answers`). Invariants: both sides are read by the same names, so
//! that one that is not compared does not compile or is missing on one of them.

mod requests;
mod shortfalls;

use std::collections::BTreeSet;

use forge_search_core::agent::ErrorKind;
use forge_search_core::pattern::AUTOMATON_BYTES;
use forge_search_core::tool::{Profile, ToolDefinition};
use forge_search_engine::toolbox::definitions;
use forge_search_engine::{Config, Preset};
use serde_json::{Value, json};
use touchstone_cases::case::Tables;
use touchstone_model::tables::SearchTables;
use touchstone_model::tables::agent::AgentTables;
use touchstone_model::tables::files::FilesTables;
use touchstone_model::tables::keyword::KeywordTables;

pub use shortfalls::{CIRCUMSTANCES, notices};

/// The values of the tables.
pub fn of_tables(tables: Tables) -> Value {
    json!({
        "search": of_search(tables.search),
        "search_files": of_files(tables.files),
        "agent": of_agent(tables.agent),
        "keyword_search": of_keyword(tables.keyword),
        "defaults": requests::of_tables(tables),
        "shortfalls": shortfalls::of_tables(tables.agent, tables.keyword),
    })
}

fn of_search(tables: &SearchTables) -> Value {
    let row = |row: &touchstone_model::tables::Preset| {
        json!([
            row.name,
            row.enabled,
            row.allow_native,
            row.emit_stats,
            row.default_timeout_ms,
            row.default_max_results,
            row.max_matches_per_file,
            row.max_files,
            row.max_file_size_bytes,
            row.max_output_bytes,
            row.fuzzy_fallback,
            row.fuzzy_fallback_levels,
            row.fuzzy_min_pattern_len,
        ])
    };
    let presets: Vec<Value> = tables.presets.iter().map(row).collect();
    json!({ "presets": presets, "automaton_bytes": tables.limits.automaton_bytes })
}

fn of_files(tables: &FilesTables) -> Value {
    let row = |row: &touchstone_model::tables::files::FilesPreset| {
        json!([
            row.name,
            row.backend,
            row.max_results,
            row.max_matches_per_file,
            row.max_file_size_bytes,
            row.max_files,
            row.max_depth,
            row.respect_gitignore_default,
            row.include_hidden_default,
            row.follow_symlinks_default,
            row.mode_default,
            row.case_default,
            row.fuzzy_threshold,
            row.timeout_ms,
            row.record_binary,
            row.max_output_bytes,
            row.rg_binary,
            row.ugrep_binary,
        ])
    };
    let presets: Vec<Value> = tables.presets.iter().map(row).collect();
    let FilesTables { name, description, is_side_effecting, requires_approval, risk, .. } = tables;
    json!({
        "presets": presets,
        "definition": [name, description, is_side_effecting, requires_approval, risk],
    })
}

fn of_agent(tables: &AgentTables) -> Value {
    let row = |row: &touchstone_model::tables::agent::AgentPreset| {
        json!([
            row.name,
            row.default_max_results,
            row.default_context_lines,
            row.searches_per_minute,
            row.timeout_seconds,
            row.max_answer_tokens,
            row.max_answer_bytes,
            row.tokenizer,
            row.enabled,
        ])
    };
    let presets: Vec<Value> = tables.presets.iter().map(row).collect();
    let profile = |row: &touchstone_model::tables::agent::Profile| {
        let tools: Vec<Value> =
            row.tools.iter().map(|tool| json!([tool.name, format!("{:?}", tool.tool)])).collect();
        json!([row.name, tools])
    };
    let profiles: Vec<Value> = tables.profiles.iter().map(profile).collect();
    let error = |row: &touchstone_model::tables::agent::ErrorWord| {
        json!([format!("{:?}", row.error), row.word, row.code])
    };
    let errors: Vec<Value> = tables.errors.iter().map(error).collect();
    json!({ "presets": presets, "profiles": profiles, "errors": errors })
}

fn of_keyword(tables: &KeywordTables) -> Value {
    json!([
        tables.term_bytes,
        tables.total_bytes,
        tables.skip_broad_terms,
        tables.terms_from_query,
        tables.use_model_default,
    ])
}

/// Production's values; the notices that answers have in [`CIRCUMSTANCES`] are given.
#[expect(clippy::too_many_lines, reason = "a list of values")]
pub fn production(circumstances: &[Value]) -> Value {
    let presets = [(Preset::Documents, "documents"), (Preset::Agent, "agent")];
    let presets = presets.map(|(preset, name)| (Config::preset(preset), name));
    let search = presets.iter().map(|(config, name)| {
        json!([
            name,
            config.enabled,
            config.allow_native,
            config.emit_stats,
            config.default_timeout_ms,
            config.default_max_results,
            config.max_matches_per_file,
            config.max_files,
            config.max_file_size_bytes,
            config.max_output_bytes,
            config.index.fuzzy_fallback,
            config.index.fuzzy_fallback_levels,
            config.index.fuzzy_min_pattern_len,
        ])
    });
    let files = presets.iter().map(|(config, name)| {
        let (files, caps) = (&config.search_files, &config.search_files.caps());
        json!([
            name,
            files.backend.name(),
            caps.max_results,
            caps.max_matches_per_file,
            caps.max_file_size_bytes,
            caps.max_files,
            caps.max_depth,
            caps.respect_gitignore,
            caps.include_hidden,
            caps.follow_symlinks,
            caps.mode.name(),
            format!("{:?}", caps.case).to_lowercase(),
            caps.fuzzy_threshold,
            files.timeout_ms,
            files.record_binary,
            files.max_output_bytes,
            files.rg_binary,
            files.ugrep_binary,
        ])
    });
    let tools = definitions(Profile::Forge).into_iter();
    let definition = tools.filter(|tool| tool.name == "search_files").map(|tool| {
        json!([
            tool.name,
            tool.description,
            tool.is_side_effecting,
            tool.requires_approval,
            format!("{:?}", tool.risk),
        ])
    });
    let definition = definition.collect::<Vec<_>>().pop();
    let agent = presets.iter().map(|(config, name)| {
        let agent = &config.agent;
        json!([
            name,
            agent.default_max_results,
            agent.default_context_lines,
            agent.searches_per_minute,
            agent.timeout_seconds,
            agent.max_answer_tokens,
            agent.max_answer_bytes,
            agent.tokenizer.name(),
            agent.enabled,
        ])
    });
    let all = definitions(Profile::All);
    let profiles = ["default", "all", "forge", "acode"].map(|name| {
        let profile = Profile::ALL.into_iter().find(|profile| profile.name() == name);
        let tools = profile.map(definitions).unwrap_or_default();
        let tools: Vec<Value> =
            tools.iter().map(|tool| json!([tool.name, tool_behind(tool, &all)])).collect();
        json!([name, tools])
    });
    let errors = [
        ErrorKind::InvalidQuery,
        ErrorKind::RateLimitExceeded,
        ErrorKind::InvalidArgument,
        ErrorKind::PathNotAllowed,
        ErrorKind::SearchFailed,
        ErrorKind::UnknownTool,
        ErrorKind::Busy,
        ErrorKind::TermsTooBroad,
        ErrorKind::NoModel,
    ];
    let errors = errors.map(|kind| json!([format!("{kind:?}"), kind.name(), kind.code()]));
    let keyword = Config::preset(Preset::Agent).keyword;
    json!({
        "search": { "presets": search.collect::<Vec<_>>(), "automaton_bytes": AUTOMATON_BYTES },
        "search_files": { "presets": files.collect::<Vec<_>>(), "definition": definition },
        "agent": { "presets": agent.collect::<Vec<_>>(), "profiles": profiles, "errors": errors },
        "keyword_search": [
            keyword.term_bytes,
            keyword.total_bytes,
            keyword.skip_broad_terms,
            keyword.terms_from_query,
            keyword.use_model_default,
        ],
        "defaults": requests::production(),
        "shortfalls": shortfalls::production(circumstances),
    })
}

/// The model's name of the tool whose request has the same fields.
fn tool_behind(tool: &ToolDefinition, all: &[ToolDefinition]) -> Option<&'static str> {
    let fields = |tool: &ToolDefinition| -> BTreeSet<String> {
        let properties = tool.input_schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(|fields| fields.keys().cloned()).collect()
    };
    let same = all.iter().find(|one| fields(one) == fields(tool))?;
    Some(match same.name {
        "Search" => "Search",
        "find_files" => "FindFiles",
        "grep" => "Grep",
        "keyword_search" => "KeywordSearch",
        "search_files" => "SearchFiles",
        "search_text" => "SearchText",
        _ => return None,
    })
}
