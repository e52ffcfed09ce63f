//! What the model answers to a row.

use serde_json::{Map, Value, json};

use super::{Ask, Row, flat};
use crate::case::{Case, CaseConfig, Keys};
use crate::compare::outcome_json;
use crate::expected::Expected;

/// The model's answer; `None` if the row says why it cannot be asked, or is a command line.
pub(super) fn answer(row: &Row) -> Option<Result<Value, String>> {
    let Ask::Tool(tool, arguments) = &row.ask else { return None };
    if row.model.is_some() {
        return None;
    }
    Some(
        case(row, tool, arguments)
            .and_then(|case| Ok(flat(outcome_json(&Expected::of(&case)?.canonical)))),
    )
}

fn case(row: &Row, tool: &str, arguments: &Value) -> Result<Case, String> {
    let [root] = row.roots.as_slice() else {
        return Err("the model has one root; say why in `model`".to_owned());
    };
    let config: toml::Table =
        row.config.parse().map_err(|error| format!("`config` is no TOML: {error}"))?;
    let tables: Map<String, Value> = match config.get("tools") {
        Some(tools) => tools.clone().try_into().map_err(|error| format!("`tools`: {error}"))?,
        None => Map::new(),
    };
    let root = if root == "." { String::new() } else { root.clone() };
    let mut config = CaseConfig { preset: row.preset, root, ..CaseConfig::default() };
    for (table, values) in tables {
        let values = values.as_object().cloned().unwrap_or_default();
        match table.as_str() {
            "agent" => config.agent = keys(values),
            "search" => config = searching(config, values),
            "search_files" => config.search_files = keys(values),
            "keyword" => config.keyword = keys(values),
            other => return Err(format!("the model has no table `tools.{other}`")),
        }
    }
    Ok(Case { tool: tool.to_owned(), request: arguments.clone(), config, ..row.tree() })
}

fn keys(values: Map<String, Value>) -> Keys {
    values.into_iter().fold(Keys::default(), |keys, (key, value)| keys.with(&key, value))
}

/// The configuration with these keys of `[tools.search]`, some of which have a field of their own.
fn searching(config: CaseConfig, values: Map<String, Value>) -> CaseConfig {
    values.into_iter().fold(config, |mut config, (key, value)| {
        let mut fields = json!(config);
        if let Some(fields) = fields.as_object_mut() {
            fields.insert(key.clone(), value.clone());
        }
        serde_json::from_value(fields).unwrap_or_else(|_| {
            config.keys = config.keys.with(&key, value);
            config
        })
    })
}
