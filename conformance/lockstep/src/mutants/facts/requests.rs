//! What stands for the fields that a request leaves out, where no configuration says it.

use forge_search_core::tool::Profile;
use forge_search_engine::toolbox::definitions;
use serde_json::{Map, Value, json};
use touchstone_cases::case::Tables;
use touchstone_model::tables::agent::AgentTool;
use touchstone_model::tables::{Field, WhenAbsent};

/// Fields whose default is a key of the configuration, of which the schema names the documents'
/// value.
const CONFIGURED: [(&str, &[&str]); 2] = [
    ("Search", &["max_results", "timeout_ms"]),
    ("search_files", &["mode", "case", "include_hidden", "follow_symlinks", "respect_gitignore"]),
];

/// Of the tables, by tool.
pub(super) fn of_tables(tables: Tables) -> Value {
    let agent = |tool| defaults(&tables.agent.fields_of(tool));
    json!({
        "Search": defaults(tables.search.fields),
        "find_files": agent(AgentTool::FindFiles),
        "grep": agent(AgentTool::Grep),
        "keyword_search": defaults(tables.keyword.fields),
        "search_files": defaults(tables.files.fields),
        "search_text": agent(AgentTool::SearchText),
    })
}

fn defaults<S>(fields: &[Field<S>]) -> Value {
    let default = |field: &Field<S>| {
        let value = match field.when_absent {
            WhenAbsent::Text(text) => json!(text),
            WhenAbsent::Flag(flag) => json!(flag),
            WhenAbsent::Integer(number) => json!(number),
            WhenAbsent::Nothing | WhenAbsent::Setting(_) => return None,
        };
        Some((field.name.to_owned(), value))
    };
    fields.iter().filter_map(default).collect::<Map<_, _>>().into()
}

/// Of the schemas that production publishes, by tool.
pub(super) fn production() -> Value {
    let of_tool = |name: &str, schema: &Value| -> Value {
        let configured = CONFIGURED.iter().filter(|(tool, _)| *tool == name);
        let configured: Vec<&str> =
            configured.flat_map(|(_, fields)| fields.iter().copied()).collect();
        let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let named = fields.filter(|(field, _)| !configured.contains(&field.as_str()));
        let defaults =
            named.filter_map(|(name, field)| Some((name.clone(), field.get("default")?.clone())));
        defaults.collect::<Map<_, _>>().into()
    };
    let tools = definitions(Profile::All).into_iter();
    tools
        .map(|tool| (tool.name.to_owned(), of_tool(tool.name, &tool.input_schema)))
        .collect::<Map<_, _>>()
        .into()
}
