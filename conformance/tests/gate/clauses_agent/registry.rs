//! The registry: profiles, names, schemas, descriptions.

use forge_search_core::tool::{Profile, ToolDefinition};
use forge_search_engine::toolbox::definitions;
use serde_json::{Value, json};
use touchstone_model::generated::agent::AGENT;
use touchstone_model::tables::agent::AgentTool;
use touchstone_model::tables::{Kind, Maximum, WhenAbsent};

use crate::clauses_agent::asked::{Desk, text};

/// The tools of document 004, by their names in profile `default`.
const TOOLS: [(&str, AgentTool); 3] = [
    ("find_files", AgentTool::FindFiles),
    ("grep", AgentTool::Grep),
    ("search_text", AgentTool::SearchText),
];

fn listed(profile: Profile) -> Vec<String> {
    definitions(profile).iter().map(|tool| tool.name.to_string()).collect()
}

#[test]
fn every_profile_lists_the_specified_tools() {
    touchstone::verifies!(
        "FR-015b-01",
        "FR-015b-07",
        "FR-015b-12",
        "FR-015b-36",
        "AC-001",
        "AC-005",
        "AC-008",
        "IT-015b-06",
        "IT-015b-07",
        "E-I01"
    );
    for profile in Profile::ALL {
        let row = AGENT.profile(profile.name()).unwrap();
        let names: Vec<&str> = row.tools.iter().map(|tool| tool.name).collect();
        assert_eq!(listed(profile), names, "{}", profile.name());
    }
    assert_eq!(listed(Profile::Acode), ["grep", "search_files", "search_text"]);
    assert_eq!(
        listed(Profile::All),
        ["Search", "find_files", "grep", "keyword_search", "search_files", "search_text"]
    );
}

#[test]
fn the_registry_holds_all_tools_from_the_start_and_calls_them_by_name() {
    touchstone::verifies!("FR-015b-36", "AC-014", "NFR-015b-10", "FR-015b-07");
    for (profile, tool, request) in [
        (Profile::All, "find_files", json!({"pattern": "a"})),
        (Profile::All, "rg", json!({"pattern": "foo"})),
        (Profile::Acode, "search_files", json!({"pattern": "a"})),
        (Profile::Acode, "search_text", json!({"query": "foo"})),
        (Profile::Forge, "search_files", json!({"path": ".", "query": "foo"})),
    ] {
        let desk = Desk::of(&[("a", "foo\n")], "", profile, None);
        assert!(desk.toolbox.is_known(tool));
        let answer = desk.call(tool, &request);
        assert!(!answer.is_error && answer.found, "{tool}: {}", answer.structured);
    }
    let desk = Desk::of(&[("a", "foo\n")], "", Profile::Acode, None);
    for unknown in ["find_files", "Search", "rg", "Grep", ""] {
        let answer = desk.call(unknown, &json!({"pattern": "a"}));
        let error = (text(&answer.structured["error"]), text(&answer.structured["code"]));
        assert_eq!(error, ("unknown_tool".to_owned(), "ACODE-SRC-008".to_owned()), "{unknown}");
    }
}

#[test]
fn every_tool_has_the_specified_input_schema() {
    for profile in [Profile::All, Profile::Default, Profile::Acode] {
        has_the_schemas(profile);
    }
    // The path search, not the tool of document 001, goes by that name there.
    let acode = definitions(Profile::Acode);
    let search_files = &acode.iter().find(|one| one.name == "search_files").unwrap().input_schema;
    assert_eq!(search_files["required"], json!(["pattern"]));
    assert!(search_files["properties"].get("query").is_none(), "{search_files}");
}

fn has_the_schemas(profile: Profile) {
    touchstone::verifies!(
        "IT-015b-08",
        "FR-015b-02",
        "FR-015b-08",
        "FR-015b-13",
        "FR-015b-17",
        "FR-015b-20",
        "FR-015b-21"
    );
    let definitions = definitions(profile);
    for (name, tool) in TOOLS {
        let name =
            if (profile, name) == (Profile::Acode, "find_files") { "search_files" } else { name };
        let schema = &definitions.iter().find(|one| one.name == name).unwrap().input_schema;
        assert_eq!(
            (&schema["type"], &schema["additionalProperties"]),
            (&json!("object"), &json!(false)),
            "{name}"
        );
        let fields = AGENT.fields_of(tool);
        let mut given: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        let mut expected: Vec<&str> = fields.iter().map(|field| field.name).collect();
        given.sort();
        expected.sort_unstable();
        assert_eq!(given, expected, "{name}");
        let required: Vec<&str> =
            fields.iter().filter(|field| field.required).map(|field| field.name).collect();
        assert_eq!(schema["required"], json!(required), "{name}");
        for field in fields {
            let property = &schema["properties"][field.name];
            assert!(
                !text(&property["description"]).is_empty(),
                "{name}: {} is not described",
                field.name
            );
            match field.kind {
                Kind::Integer { minimum, maximum: Maximum::Fixed(maximum) } => {
                    let bounds = (&property["type"], &property["minimum"], &property["maximum"]);
                    assert_eq!(
                        bounds,
                        (&json!("integer"), &json!(minimum), &json!(maximum)),
                        "{}",
                        field.name
                    );
                }
                Kind::Choice(choices) => {
                    assert_eq!(property["enum"], json!(choices), "{}", field.name);
                }
                Kind::Flag => assert_eq!(property["type"], json!("boolean"), "{}", field.name),
                Kind::Text => assert_eq!(property["type"], json!("string"), "{}", field.name),
                Kind::TextOrTexts => {
                    let written = property.to_string();
                    assert!(
                        written.contains("\"string\"") && written.contains("\"array\""),
                        "{written}"
                    );
                }
                Kind::Texts | Kind::Integer { .. } => panic!("no such field here: {}", field.name),
            }
        }
    }
}

/// Every field of an answer stands in its schema, and what the schema requires stands in the
/// answer.
#[test]
fn every_answer_fits_the_output_schema_of_its_tool() {
    touchstone::verifies!("IT-015b-08", "FR-015b-22", "NFR-015b-12");
    let desk = Desk::over(&[("a", "foo\n"), ("b", &"foo ".repeat(300))], "");
    let definitions = definitions(Profile::All);
    for (tool, request) in [
        ("grep", json!({"pattern": "foo"})),
        ("grep", json!({"pattern": "nothing"})),
        ("find_files", json!({"pattern": "*", "max_results": 1})),
        ("search_text", json!({"query": "foo"})),
    ] {
        let schema = &definitions.iter().find(|one| one.name == tool).unwrap().output_schema;
        let page = desk.page(tool, &request);
        fits(schema, &page, tool);
        for result in page["results"].as_array().unwrap() {
            fits(&schema["properties"]["results"]["items"], result, tool);
        }
        for notice in page["notices"].as_array().unwrap() {
            fits(&schema["properties"]["notices"]["items"], notice, tool);
        }
    }
}

fn fits(schema: &Value, value: &Value, what: &str) {
    let fields = value.as_object().unwrap();
    for name in fields.keys() {
        assert!(
            schema["properties"].get(name).is_some(),
            "{what}: `{name}` is not in the schema {schema}"
        );
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        assert!(
            fields.contains_key(name.as_str().unwrap()),
            "{what}: {name} is missing in {value}"
        );
    }
}

#[test]
fn all_tools_are_declared_free_of_side_effects() {
    touchstone::verifies!("NFR-015b-10");
    for profile in Profile::ALL {
        for tool in definitions(profile) {
            assert!(!tool.is_side_effecting && !tool.requires_approval, "{}", tool.name);
        }
    }
}

/// What a caller has to do, the tool and the field for it, and the words there that say so.
const TASKS: [(&str, &str, &str, &str); 19] = [
    ("every line that holds a text", "grep", "", "every line"),
    ("all callers of a function", "grep", "", "all uses of a name"),
    ("parse_config or load_config", "grep", "regex", "needed for |"),
    ("a word in any case", "grep", "case", "insensitive"),
    ("how often, without lines", "grep", "output", "totals only"),
    ("which files, without lines", "grep", "output", "files: paths"),
    ("what comes after this page", "grep", "offset", "`next_offset`"),
    ("more lines around", "grep", "context_lines", "before and after"),
    ("in Rust files", "grep", "include_path", "*.rs"),
    ("not in vendor", "grep", "exclude_path", "No files"),
    ("in .eslintrc.json", "grep", "hidden", "leading dot"),
    ("in node_modules", "grep", "no_ignore", "ignored"),
    ("where retries are implemented", "search_text", "", "where something is done or defined"),
    ("in C# files", "search_text", "file_type", ".cs"),
    ("the file called settings.json", "find_files", "", "by name"),
    ("all tests of Go in pkg", "find_files", "", "_test.go"),
    ("what lies in this directory itself", "find_files", "recursive", "direct children"),
    ("the files for this issue", "keyword_search", "", "text of an issue"),
    ("names that such code would use", "keyword_search", "search_terms", "importance"),
];

#[test]
fn descriptions_say_which_tool_and_field_a_task_takes() {
    touchstone::verifies!("NFR-015b-09", "BP-015b-05");
    let tools = definitions(Profile::Default);
    for (task, tool, field, words) in TASKS {
        let has = |one: &&ToolDefinition| match field {
            "" => one.description.contains(words),
            _ => one.input_schema["properties"][field].to_string().contains(words),
        };
        let naming: Vec<&str> = tools.iter().filter(has).map(|one| one.name).collect();
        assert!(naming.contains(&tool), "{task}: `{words}` is not in {tool} {field}");
        assert!(!field.is_empty() || naming == [tool], "{task}: `{words}` is in {naming:?}");
    }
    // Each names what is for other tasks.
    let says = |tool: &str, words: &str| {
        assert!(tools.iter().any(|one| one.name == tool && one.description.contains(words)));
    };
    says("find_files", "Contents are not looked at");
    says("grep", "search_text");
    says("search_text", "grep");
    says("search_text", "path search");
}

/// What stands between backquotes.
fn quoted(description: &str) -> Vec<&str> {
    description.split('`').skip(1).step_by(2).collect()
}

#[test]
fn descriptions_have_working_examples_of_calls() {
    touchstone::verifies!("NFR-015b-09");
    let desk =
        Desk::over(&[("a.rs", "fn main() { retry(backoff) }\n"), ("pkg/a_test.go", "x\n")], "");
    let definitions = definitions(Profile::All);
    for (name, tool) in TOOLS {
        let definition = definitions.iter().find(|one| one.name == name).unwrap();
        let properties = &definition.input_schema["properties"];
        let answered = &definition.output_schema["properties"];
        // A default that no configuration changes is in the schema, as are the allowed values.
        for field in AGENT.fields_of(tool) {
            let property = &properties[field.name];
            let default = &property["default"];
            match field.when_absent {
                WhenAbsent::Text(value) => assert_eq!(default, value, "{name}: {}", field.name),
                WhenAbsent::Flag(value) => assert_eq!(default, value, "{name}: {}", field.name),
                WhenAbsent::Integer(value) => assert_eq!(default, value, "{name}: {}", field.name),
                WhenAbsent::Nothing if field.name == "path" => {
                    assert!(text(&property["description"]).contains("working directory"), "{name}");
                }
                WhenAbsent::Nothing | WhenAbsent::Setting(_) => {
                    assert!(default.is_null(), "{name}: {}", field.name);
                }
            }
            assert!(text(&property["description"]).len() > 10, "{name}: {}", field.name);
        }
        let limit = AGENT.limits.terms;
        if name == "search_text" {
            let query = text(&properties["query"]["description"]);
            assert!(query.contains(&format!("at most {limit}")), "{query}");
        }
        // Fields that a description names are there, whichever tool's.
        let every = definitions.iter().map(|one| &one.input_schema["properties"]);
        let description = definition.description.to_string();
        let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        for word in quoted(&description).into_iter().filter(is_name) {
            let known = answered.get(word).is_some()
                || every.clone().any(|properties| properties.get(word).is_some());
            assert!(known, "{name}: no field is called `{word}`");
        }
        // What is given as an example is a request, and finds something here.
        let (_, example) = description.split_once("Example: ").expect(name);
        let request: Value = serde_json::from_str(example.trim_end_matches('.')).expect(example);
        let answer = desk.call(name, &request);
        assert!(!answer.is_error && answer.found, "{name}: {example}: {}", answer.structured);
    }
}
