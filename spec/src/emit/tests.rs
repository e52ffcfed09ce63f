//! The generated texts are deterministic and well-formed, and follow the specification.

use serde_json::Value;

use super::{Emitted, emit};
use crate::fixture::{changed, sources, spec};
use crate::specification::Spec;

fn text(emitted: &[Emitted], path: &str) -> String {
    emitted.iter().find(|one| one.path == path).unwrap().text.clone()
}

#[test]
fn equal_specifications_give_equal_texts() {
    let first = emit(&spec());
    assert_eq!(first, emit(&spec()));
    let backwards: Vec<(String, String)> = sources().into_iter().rev().collect();
    assert_eq!(first, emit(&Spec::from_sources(backwards).unwrap()));
}

#[test]
fn texts_are_ordered_by_path_end_with_one_line_feed_and_are_marked_as_generated() {
    let emitted = emit(&spec());
    assert!(emitted.is_sorted_by(|a, b| a.path < b.path));
    for one in emitted {
        assert!(one.text.ends_with('\n') && !one.text.ends_with("\n\n"), "{}", one.path);
        assert!(one.text.contains("enerated by `touchstone spec emit`"), "{}", one.path);
    }
}

#[test]
fn generated_rust_keeps_to_the_line_width() {
    let emitted = emit(&spec());
    for file in ["search.rs", "search_files.rs"] {
        for line in text(&emitted, &format!("model/src/generated/{file}")).lines() {
            assert!(line.chars().count() <= 110, "{line}");
            assert_eq!(line.trim_end(), line);
        }
    }
}

#[test]
fn table_rows_have_as_many_cells_as_their_head() {
    let cells = |row: &str| row.replace("\\|", "").matches('|').count();
    for one in emit(&spec()).into_iter().filter(|one| one.path.starts_with("docs/tables/")) {
        let mut width = None;
        for line in one.text.lines() {
            if !line.starts_with('|') {
                width = None;
                continue;
            }
            let count = cells(line);
            assert_eq!(*width.get_or_insert(count), count, "{}: {line}", one.path);
        }
    }
}

#[test]
fn a_change_of_the_specification_appears_in_every_dependent_text() {
    let (sources, _) = changed("tools/search.yaml", "    maximum: 1000\n", "    maximum: 1234\n");
    let before = emit(&spec());
    let after = emit(&Spec::from_sources(sources).unwrap());
    let differing: Vec<&str> =
        before.iter().zip(&after).filter(|(a, b)| a != b).map(|(one, _)| &*one.path).collect();
    let schema = "conformance/src/generated/search.request.schema.json";
    assert_eq!(differing, [schema, "docs/tables/fields.md", "model/src/generated/search.rs"]);
    assert!(text(&after, "model/src/generated/search.rs").contains("Maximum::Fixed(1_234)"));
    assert!(text(&after, schema).contains("\"maximum\": 1234"));
}

#[test]
fn the_request_schema_is_closed_and_has_every_field() {
    let spec = spec();
    let schema: Value = serde_json::from_str(&text(
        &emit(&spec),
        "conformance/src/generated/search.request.schema.json",
    ))
    .unwrap();
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], serde_json::json!(["pattern"]));
    assert_eq!(schema["properties"].as_object().unwrap().len(), spec.search.request.len());
    assert_eq!(schema["properties"]["case"]["enum"][0], "smart");
    assert_eq!(schema["properties"]["fuzzy"]["maximum"], 4);
    assert_eq!(schema["properties"]["max_files"]["maximum"], 9_007_199_254_740_992_u64);
    assert_eq!(schema["properties"]["max_results"]["default"], 200);
}

#[test]
fn the_response_schema_distinguishes_matches_from_context() {
    let schema = text(&emit(&spec()), "conformance/src/generated/search.response.schema.json");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let required: Vec<&str> =
        schema["required"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(
        required.contains(&"errors")
            && !required.contains(&"exit_code")
            && !required.contains(&"stats")
    );
    let events = &schema["properties"]["matches"]["items"]["oneOf"];
    assert_eq!(events[0]["properties"]["type"]["const"], "match");
    assert_eq!(events[0]["properties"]["data"]["properties"]["path"]["required"][0], "text");
    assert_eq!(events[0]["properties"]["data"]["properties"]["column"]["minimum"], 1);
    assert_eq!(events[1]["properties"]["type"]["const"], "context");
    assert_eq!(events[1]["properties"]["data"]["properties"]["match_text"], Value::Null);
    let messages = &schema["properties"]["errors"]["items"]["properties"]["error"]["enum"];
    assert_eq!(messages.as_array().unwrap().len(), 9);
}

#[test]
fn a_change_of_search_files_appears_in_every_dependent_text() {
    let file = "tools/search_files_config.yaml";
    let (sources, _) = changed(file, "    documents: 5000\n", "    documents: 5001\n");
    let before = emit(&spec());
    let after = emit(&Spec::from_sources(sources).unwrap());
    let differing: Vec<&str> =
        before.iter().zip(&after).filter(|(a, b)| a != b).map(|(one, _)| &*one.path).collect();
    let model = "model/src/generated/search_files.rs";
    assert_eq!(differing, ["docs/tables/search-files-configuration.md", model]);
    assert!(text(&after, model).contains("max_files: 5_001,"));
}

#[test]
fn the_definition_of_search_files_has_exactly_the_schema_of_the_document() {
    let definition = text(&emit(&spec()), "conformance/src/generated/search_files.definition.json");
    let definition: Value = serde_json::from_str(&definition).unwrap();
    assert_eq!(definition["risk"], "Low");
    let schema = &definition["input_schema"];
    assert_eq!(schema["required"], serde_json::json!(["path", "query"]));
    let properties = schema["properties"].as_object().unwrap();
    assert_eq!(properties.len(), 16);
    let mode = serde_json::json!({"type": "string", "enum": ["exact", "regex", "fuzzy"], "default": "exact"});
    assert_eq!(properties["mode"], mode);
    assert_eq!(properties["max_depth"], serde_json::json!({"type": "integer", "minimum": 1}));
    let context = serde_json::json!({"type": "integer", "minimum": 0, "default": 0});
    assert_eq!(properties["context_lines"], context);
    assert_eq!(
        properties["include_globs"],
        serde_json::json!({"type": "array", "items": {"type": "string"}})
    );
}

#[test]
fn the_answer_schema_of_search_files_is_closed_at_every_level() {
    let schema = text(&emit(&spec()), "conformance/src/generated/search_files.answer.schema.json");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let (answer, stats) = (&schema["properties"], &schema["properties"]["stats"]);
    for object in [&schema, stats, &answer["matches"]["items"], &answer["errors"]["items"]] {
        assert_eq!(object["additionalProperties"], false);
        assert_eq!(
            object["required"].as_array().unwrap().len(),
            object["properties"].as_object().unwrap().len()
        );
    }
    assert_eq!(answer["truncated_reason"]["enum"].as_array().unwrap().len(), 4);
    assert_eq!(
        stats["properties"]["incomplete_because"]["items"]["enum"].as_array().unwrap().len(),
        9
    );
    assert_eq!(answer["matches"]["items"]["properties"]["line"]["minimum"], 1);
}
