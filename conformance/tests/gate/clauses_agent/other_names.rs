//! The names of other tools: what comes of them is what comes of the field of the table.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use touchstone_model::generated::agent::OTHER_NAMES;
use touchstone_model::tables::agent::{AgentTool, Takes};

use crate::clauses_agent::asked::{Desk, text};

/// A tool, and a request that finds something.
fn usual(tool: AgentTool) -> (&'static str, Value) {
    match tool {
        AgentTool::Search => ("Search", json!({"pattern": "foo"})),
        AgentTool::SearchFiles => ("search_files", json!({"path": ".", "query": "foo"})),
        AgentTool::FindFiles => ("find_files", json!({"pattern": "*.rs"})),
        AgentTool::Grep => ("grep", json!({"pattern": "foo", "regex": false})),
        AgentTool::SearchText => ("search_text", json!({"query": "foo"})),
        AgentTool::KeywordSearch => ("keyword_search", json!({"query": "foo", "use_model": false})),
    }
}

/// A value of a field, unlike its default.
fn sample(field: &str) -> Value {
    match field {
        "pattern" | "query" => json!("foo"),
        "path" | "directory" => json!("src"),
        "search_terms" => json!(["foo"]),
        "regex" | "fixed_strings" | "hidden" | "no_ignore" | "include_hidden" => json!(true),
        "max_results" => json!(1),
        "context" | "context_lines" => json!(2),
        _ => json!(["*.rs"]),
    }
}

#[test]
fn a_name_of_another_tool_means_the_field_of_the_table() {
    let files = [
        ("src/a.rs", "Foo\nfoo\nbar\n"),
        ("b.py", "foo\n"),
        (".c.rs", "foo\n"),
        (".ignore", "b.py\n"),
    ];
    let mut compared = 0;
    let mut seen = BTreeSet::new();
    let desk = Desk::over(&files, "searches_per_minute = 100000");
    for row in OTHER_NAMES {
        for field in row.fields {
            let (tool, usual) = usual(field.tool);
            let ask = |name: &str, value: &Value| {
                let mut request = usual.clone();
                // What a row gives is not there before.
                request.as_object_mut().unwrap().remove(field.name);
                if !name.is_empty() {
                    request[name] = value.clone();
                }
                let mut answer = desk.call(tool, &request);
                if let Some(stats) = answer.structured.get_mut("stats") {
                    stats["elapsed_ms"] = json!(0);
                }
                (answer.is_error, answer.structured)
            };
            let pairs: Vec<(Value, &str, Value)> = match row.takes {
                Takes::Same if row.names == ["regex"] => continue,
                Takes::Same => vec![(sample(field.name), field.name, sample(field.name))],
                Takes::Limit => vec![(json!(1), field.name, json!(1))],
                Takes::Types => vec![(json!("nothing"), "", json!(null))],
                Takes::NoEffect => vec![(json!(true), "", json!(null))],
                Takes::Refused => vec![(json!(3), "", json!(null))],
                Takes::Values => {
                    let pair = |of: &touchstone_model::tables::agent::ValueOf| {
                        let name = if of.own.is_empty() { "" } else { field.name };
                        (json!(of.theirs), name, json!(of.own))
                    };
                    row.values.iter().map(pair).collect()
                }
            };
            for name in row.names {
                // A tool's own field goes first.
                let own = desk.toolbox.tools().iter().find(|one| one.name == tool).unwrap();
                if own.input_schema["properties"].get(name).is_some() {
                    continue;
                }
                // Of several rows with a name the first stands.
                if !seen.insert((tool, *name)) {
                    continue;
                }
                for (theirs, field, ours) in &pairs {
                    let (is_error, answer) = ask(name, theirs);
                    if matches!(row.takes, Takes::Refused | Takes::Types) {
                        assert!(
                            is_error && text(&answer["field"]) == *name,
                            "{tool} {name}: {answer}"
                        );
                    } else {
                        let expected = ask(field, ours);
                        assert!(!expected.0, "{tool} {field}: {}", expected.1);
                        assert_eq!((is_error, answer), expected, "{tool}: {name} {theirs}");
                    }
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 200, "{compared}");
}
