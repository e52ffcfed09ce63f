//! What an agent does with the tools, from the first question to the last.
//!
//! Responsible for: a small agent that knows only the definitions and answers of the tools, and
//! gets from a task to the places that have to be changed. Not here: the protocol between
//! agent and service, which has sessions of its own.

use forge_search_core::tool::Profile;
use serde_json::{Value, json};

use crate::clauses_agent::asked::{Desk, paths, places, text};

const PROJECT: &[(&str, &str)] = &[
    ("Cargo.toml", "[package]\nname = \"shop\"\n"),
    ("src/main.rs", "mod order;\nmod user;\nfn main() { order::place_order(); }\n"),
    (
        "src/order.rs",
        "use crate::user::UserService;\n\n/// Places one.\npub fn place_order() {\n    UserService::load(7);\n}\n",
    ),
    (
        "src/user.rs",
        "pub struct UserService;\n\nimpl UserService {\n    // TODO: cache users\n    pub fn load(id: u32) {}\n}\n",
    ),
    ("tests/user_service.rs", "#[test]\nfn user_service_loads() {}\n"),
    ("target/generated.rs", "struct UserService;\n"),
    (".gitignore", "/target\n"),
];

/// The tool that a description recommends for a purpose; an agent has no other source.
fn tool_for(desk: &Desk, wanted: &str) -> String {
    let of = |words: &[&str]| {
        let fits = |tool: &&forge_search_core::tool::ToolDefinition| {
            let description = tool.description.to_lowercase();
            words.iter().all(|word| description.contains(word))
        };
        desk.toolbox.tools().iter().find(fits).map(|tool| tool.name.to_string())
    };
    let found = match wanted {
        "relevant code" => of(&["most relevant", "best first"]),
        "every line" => of(&["every", "line"]),
        _ => of(&["by name", "glob"]),
    };
    found.unwrap_or_else(|| panic!("no description recommends a tool for {wanted}"))
}

#[test]
fn a_sequence_of_calls_leads_from_a_task_to_its_lines() {
    touchstone::verifies!(
        "E2E-015b-01",
        "E2E-015b-02",
        "E2E-015b-03",
        "AC-014",
        "BP-015b-05",
        "AC-002"
    );
    let desk = Desk::of(PROJECT, "", Profile::Acode, None);
    // Orientation: what is there at all?
    let files = tool_for(&desk, "paths");
    let sources = desk.page(&files, &json!({"pattern": "src/**/*.rs"}));
    assert_eq!(paths(&sources), ["src/main.rs", "src/order.rs", "src/user.rs"]);
    // Planning: where is the user service, and what stands around it?
    let words = tool_for(&desk, "relevant code");
    let found = desk.page(&words, &json!({"query": "user service", "max_results": 2}));
    assert_eq!(paths(&found)[0], "src/user.rs", "{found}");
    let found = desk.page(&words, &json!({"query": "UserService load"}));
    assert!(
        paths(&found).contains(&"src/user.rs".to_owned()) && !found.to_string().contains("target"),
        "{found}"
    );
    let result = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["path"] == "src/user.rs")
        .unwrap();
    let seen = format!("{}{}", text(&result["snippet"]), result["context"]);
    assert!(seen.contains("UserService") && seen.contains("impl"), "{result}");
    // Follow-up: every line to be changed, none left out, page by page as far as the tool says that
    // there is more.
    let lines = tool_for(&desk, "every line");
    let (mut all, mut offset) = (Vec::new(), json!(0));
    while offset != Value::Null {
        let request = json!({"pattern": "UserService", "max_results": 2, "offset": offset, "context_lines": 0});
        let page = desk.page(&lines, &request);
        all.extend(places(&page));
        offset = page.get("next_offset").cloned().unwrap_or_default();
    }
    assert_eq!(all, ["src/order.rs:1", "src/order.rs:5", "src/user.rs:1", "src/user.rs:3"]);
    // The next search sees an edit.
    desk.write("src/user.rs", "pub struct Users;\n");
    let page = desk.page(&lines, &json!({"pattern": "UserService", "context_lines": 0}));
    assert_eq!(places(&page), ["src/order.rs:1", "src/order.rs:5"]);
}

/// The message of a wrong call names the fields and values of a right one.
#[test]
fn error_messages_suffice_to_correct_a_call() {
    touchstone::verifies!("E2E-015b-01", "E2E-015b-03", "NFR-015b-07", "BP-015b-12", "FR-015b-33");
    let desk = Desk::of(PROJECT, "", Profile::Acode, None);
    let mut request = json!({"pattern": "UserService", "patth": "src", "max_results": 5.5});
    for _ in 0..3 {
        let answer = desk.call("grep", &request);
        if !answer.is_error {
            break;
        }
        let (field, message) =
            (text(&answer.structured["field"]), text(&answer.structured["message"]));
        let value = request.as_object_mut().unwrap().remove(&field).unwrap();
        if message.contains("unknown field") {
            assert!(message.contains("directory"), "{message}");
            request["directory"] = value;
        } else {
            assert!(message.contains("integer"), "{message}");
            request[field] = json!(5);
        }
    }
    assert_eq!(request, json!({"pattern": "UserService", "directory": "src", "max_results": 5}));
    assert_eq!(desk.page("grep", &request)["total"], json!(4));
}
