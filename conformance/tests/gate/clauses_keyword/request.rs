//! The tool's definition, and the requests that it accepts.

use forge_search_core::tool::{Profile, ToolDefinition};
use forge_search_engine::toolbox::definitions;
use serde_json::{Value, json};

use crate::clauses_keyword::desk::{Desk, alone, ask, found, having, keyword, notices, text};
use crate::clauses_keyword::server::Server;

fn definition() -> ToolDefinition {
    definitions(Profile::All).into_iter().find(|tool| tool.name == "keyword_search").unwrap()
}

#[test]
fn the_schema_has_query_and_terms_and_requires_both_if_none_are_derived() {
    touchstone::verifies!("REQ-KWS-004", "REQ-KWS-004.1", "REQ-KWS-004.2");
    for profile in [Profile::All, Profile::Forge] {
        assert!(
            definitions(profile).iter().any(|tool| tool.name == "keyword_search"),
            "{profile:?}"
        );
    }
    let strict = keyword("model = \"none\"\nterms_from_query = false");
    let strict = Desk::over(&[("a.rs", "backoff\n")], &strict);
    assert_eq!(
        strict.refused(&json!({"query": "backoff"})),
        ["invalid_argument", "ACODE-SRC-005", "search_terms"]
    );
    assert_eq!(
        forge_search_core::agent::keyword::definition(false).input_schema["required"],
        json!(["query", "search_terms"])
    );
    let schema = definition().input_schema;
    let of = |name: &str| &schema["properties"][name];
    assert_eq!((&schema["type"], &schema["required"]), (&json!("object"), &json!(["query"])));
    assert_eq!(of("query")["type"], "string");
    assert!(text(&of("query")["description"]).to_lowercase().contains("detailed"), "{schema}");
    let terms = of("search_terms");
    assert_eq!((&terms["type"], &terms["items"]["type"]), (&json!("array"), &json!("string")));
    let described = text(&terms["description"]).to_lowercase();
    assert!(described.contains("descending order of importance"), "{described}");
    // All of that can be asked for, and no more than that.
    let desk = Desk::over(&[("a.rs", "backoff\n")], &keyword("model = \"none\""));
    assert_eq!(found(&desk.page(&alone(&["backoff"]))), ["a.rs"]);
    assert_eq!(schema["additionalProperties"], false);
    let request = json!({"query": "q", "search_terms": ["backoff"], "path": "src"});
    assert_eq!(desk.refused(&request), ["invalid_argument", "ACODE-SRC-005", "path"]);
}

#[test]
fn without_terms_those_of_the_query_are_searched() {
    touchstone::verifies!("REQ-KWS-004.1");
    let files = [
        ("lock.rs", "fn lock_file() {}\n"),
        ("src/user.rs", "user\n"),
        ("z.rs", "let lock = 1;\n"),
    ];
    let desk = Desk::over(&files, &keyword("model = \"none\""));
    let ask = |query: &str| desk.page(&json!({"query": query, "use_model": false}));
    let page = ask("How do the locks of `lock_file` work?\nSee src/user.rs");
    let terms: Vec<String> =
        page["terms"].as_array().unwrap().iter().map(|one| text(&one["term"])).collect();
    assert_eq!(terms, ["lock_file", "lock", "src", "user"]);
    assert_eq!(found(&page), ["lock.rs", "src/user.rs", "z.rs"]);
    assert_eq!(desk.refused(&json!({"query": "== 7 =="}))[2], "query");
}

#[test]
fn the_description_recommends_specific_terms_and_other_tools() {
    touchstone::verifies!("REQ-KWS-004", "REQ-KWS-004.3", "REQ-KWS-004.4", "REQ-KWS-004.5");
    let tool = definition();
    let description = tool.description.to_string();
    assert!(
        description.contains("many specific terms rather than a few general ones"),
        "{description}"
    );
    assert!(description.contains("the most important first"), "{description}");
    let (_, instead) =
        description.split_once("Do NOT use this tool").unwrap_or_else(|| panic!("{description}"));
    assert!(
        ["file name", "symbol", "error message"].iter().all(|known| instead.contains(known)),
        "{instead}"
    );
    // It is said what to use instead, and that something leaves the machine.
    assert!(instead.contains("grep") && description.contains("sent to the model"), "{description}");
}

#[test]
fn keyword_search_is_the_only_open_world_tool() {
    touchstone::verifies!("E-I25", "REQ-KWS-003.1");
    for profile in Profile::ALL {
        for tool in definitions(profile) {
            assert_eq!(
                tool.open_world,
                tool.name == "keyword_search",
                "{profile:?}: {}",
                tool.name
            );
            assert!(!tool.is_side_effecting && !tool.requires_approval, "{}", tool.name);
        }
    }
}

#[test]
fn a_refusal_names_the_field_that_makes_a_request_invalid() {
    touchstone::verifies!("REQ-KWS-004.1", "REQ-KWS-004.2", "E-I24");
    let desk = Desk::over(&[("a.rs", "backoff\n")], &keyword("model = \"none\""));
    let query = ["invalid_query", "ACODE-SRC-002", "query"];
    let terms = ["invalid_argument", "ACODE-SRC-005", "search_terms"];
    let most = ["invalid_argument", "ACODE-SRC-005", "max_results"];
    let many: Vec<String> = (0..33).map(|number| format!("t{number}")).collect();
    for (request, why) in [
        (json!({"search_terms": ["a"]}), query),
        (json!({"query": 1, "search_terms": ["a"]}), query),
        (json!({"query": " \n", "search_terms": ["a"]}), query),
        (json!({"query": "a\0b", "search_terms": ["a"]}), query),
        (json!({"query": "q".repeat(16_385), "search_terms": ["a"]}), query),
        (json!({"query": "q", "search_terms": []}), terms),
        (json!({"query": "q", "search_terms": ["a", 1]}), terms),
        (json!({"query": "q", "search_terms": ["a", "  "]}), terms),
        (json!({"query": "q", "search_terms": ["a", ""]}), terms),
        (json!({"query": "q", "search_terms": ["a\nb"]}), terms),
        (json!({"query": "q", "search_terms": ["a\0b"]}), terms),
        (json!({"query": "q", "search_terms": ["t".repeat(1_025)]}), terms),
        (json!({"query": "q", "search_terms": many}), terms),
        (json!({"query": "q", "search_terms": ["a"], "max_results": 0}), most),
        (json!({"query": "q", "search_terms": ["a"], "max_results": 201}), most),
        (
            json!({"query": "q", "search_terms": ["a"], "use_model": "no"}),
            ["invalid_argument", "ACODE-SRC-005", "use_model"],
        ),
        (
            json!({"query": "q", "search_terms": ["a"], "dry_run": 1}),
            ["invalid_argument", "ACODE-SRC-005", "dry_run"],
        ),
    ] {
        assert_eq!(desk.refused(&request), why, "{request}");
    }
    // What is at the edge is taken.
    let query = "q".repeat(16_384);
    let edge = json!({"query": query, "search_terms": ["t".repeat(1_024), "backoff"], "max_results": 200, "use_model": false});
    assert_eq!(found(&desk.page(&edge)), ["a.rs"]);
    assert_eq!(
        desk.page(&json!({"query": "q", "search_terms": &many[..32], "use_model": false}))["total"],
        0
    );
}

#[test]
fn keyword_terms_are_matched_literally() {
    touchstone::verifies!("E-I24", "E-I27");
    let files = [
        ("1", "c++ is\n"),
        ("2", "a.b\n"),
        ("3", "aXb\n"),
        ("4", "f(x\n"),
        ("5", "[a-z]\n"),
        ("6", "\\d\n"),
    ];
    let desk = Desk::over(&files, &keyword("model = \"none\""));
    for (term, path) in [("c++", "1"), ("a.b", "2"), ("f(", "4"), ("[a-z]", "5"), ("\\d", "6")] {
        assert_eq!(found(&desk.page(&alone(&[term]))), [path], "{term}");
    }
}

#[test]
fn the_first_of_terms_that_differ_only_in_case_is_kept() {
    touchstone::verifies!("E-I24", "REQ-KWS-004.2");
    let desk = Desk::over(&[("1", "backoff\n")], &keyword("model = \"none\""));
    let page = desk.page(&alone(&["BackOff", "other", "backoff", "BACKOFF"]));
    let terms: Vec<String> =
        page["terms"].as_array().unwrap().iter().map(|term| text(&term["term"])).collect();
    assert_eq!(terms, ["BackOff", "other"]);
}

#[test]
fn the_rate_limit_counts_keyword_search_and_a_refused_call_sends_nothing() {
    touchstone::verifies!("E-I25");
    let server = Server::answering("openai", "{\"files\": []}");
    let config = having(&[("local", "openai", &server)])
        .replace("[tools.agent]", "[tools.agent]\nsearches_per_minute = 5");
    let desk = Desk::over(&[("a.rs", "backoff\n")], &config);
    // A request counts whatever it says.
    assert_eq!(desk.refused(&json!({}))[0], "invalid_query");
    let near: Vec<Vec<String>> = (0..4).map(|_| notices(&desk.page(&ask(&["backoff"])))).collect();
    let is_near: Vec<bool> =
        near.iter().map(|names| names.contains(&"rate_limit_near".to_owned())).collect();
    assert_eq!(is_near, [false, false, true, true]);
    assert_eq!(near[3], ["model_kept_none", "rate_limit_near"]);
    desk.clock.goes_on(18_000);
    let refused = desk.call(&ask(&["backoff"]));
    assert_eq!(text(&refused.structured["error"]), "rate_limit_exceeded");
    assert_eq!(refused.structured["retry_after_seconds"], json!(42));
    assert_eq!(server.asked().len(), 4);
    desk.clock.goes_on(42_000);
    assert_eq!(notices(&desk.page(&ask(&["backoff"]))), ["model_kept_none"]);
}

#[test]
fn keyword_search_can_be_disabled() {
    let desk = Desk::over(&[("a.rs", "backoff\n")], &keyword("enabled = false"));
    let answer = desk.call(&alone(&["backoff"]));
    assert_eq!(text(&answer.structured["error"]), "search_failed");
    assert!(
        text(&answer.structured["message"]).contains("tools.keyword.enabled"),
        "{}",
        answer.structured
    );
}

#[test]
fn every_answer_fits_its_schema() {
    touchstone::verifies!("REQ-KWS-004");
    let said =
        crate::clauses_keyword::desk::files(&[("a.rs", &[1, 9], "It waits."), ("b.rs", &[], "")]);
    let gone = Server::start(vec![crate::clauses_keyword::server::saying(
        404,
        &json!({"error": {"message": "no such model"}}),
    )]);
    let server = Server::answering("ollama", &said);
    let desk = Desk::over(
        &[("a.rs", "backoff\n")],
        &having(&[("gone", "openai", &gone), ("local", "ollama", &server)]),
    );
    let schema = definition().output_schema;
    let dry = json!({"query": "q", "search_terms": ["backoff"], "dry_run": true});
    for request in [ask(&["backoff"]), ask(&["nothing"]), alone(&["backoff", "off"]), dry] {
        fits(&schema, &desk.page(&request), &request.to_string());
    }
}

/// Every field is in the schema, and every required field exists, at all levels.
fn fits(schema: &Value, value: &Value, what: &str) {
    if let (Some(fields), Some(properties)) = (value.as_object(), schema.get("properties")) {
        for (name, field) in fields {
            let property =
                properties.get(name).unwrap_or_else(|| panic!("{what}: `{name}` is in no schema"));
            fits(property, field, what);
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(
                fields.contains_key(name.as_str().unwrap()),
                "{what}: {name} is missing in {value}"
            );
        }
    }
    for item in value.as_array().into_iter().flatten() {
        fits(&schema["items"], item, what);
    }
}
