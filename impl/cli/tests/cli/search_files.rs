//! `forge-search call search_files` and `forge-search tools`, as a caller meets them.

use serde_json::{Value, json};

use crate::place::Place;

/// Exit status and the object printed.
fn call(place: &Place, request: &Value, more: &[&str]) -> (i32, Value) {
    let request = request.to_string();
    let (status, text, _) = place.run(&[&["call", "search_files", &request], more].concat());
    assert_eq!(text.lines().count(), 1, "one object on one line: {text}");
    (status.unwrap(), serde_json::from_str(&text).unwrap())
}

#[test]
fn the_exit_status_distinguishes_matches_no_match_and_incomplete() {
    let place = Place::new(&[("a.txt", "foo foo\n"), ("deep/b.txt", "bar\n"), ("c.bin", "\0")]);
    let (status, answer) = call(&place, &json!({"path": ".", "query": "foo"}), &[]);
    assert_eq!((status, &answer["returned"]), (0, &json!(2)));
    let (status, answer) = call(&place, &json!({"path": ".", "query": "nothing"}), &[]);
    assert_eq!(
        (status, &answer["stats"]["complete"]),
        (1, &json!(true)),
        "a binary file is not missing"
    );
    let (status, answer) = call(&place, &json!({"path": ".", "query": "bar", "max_depth": 1}), &[]);
    assert_eq!((status, &answer["stats"]["incomplete_because"]), (2, &json!(["max_depth"])));
    let (status, answer) = call(&place, &json!({"path": ".", "query": " "}), &[]);
    assert_eq!((status, &answer["error"]["field"]), (2, &json!("query")));
}

#[test]
fn the_smaller_budget_applies_and_a_too_small_one_names_the_smallest_that_works() {
    let place = Place::new(&[("a.txt", "foo\nfoo\nfoo\n")]);
    let request = json!({"path": ".", "query": "foo"});
    let (_, whole, _) = place.run(&["call", "search_files", &request.to_string()]);
    let length = (whole.trim_end().len() - 1).to_string();
    for budget in [["--max-output-bytes", &length], ["--available-capacity", &length]] {
        let (status, answer) = call(&place, &request, &budget);
        assert_eq!((status, &answer["returned"]), (0, &json!(2)));
        assert_eq!(answer["truncated_reason"], "max_output_bytes");
    }
    let (status, answer) = call(&place, &request, &["--max-output-bytes", "10"]);
    let message = answer["error"]["message"].as_str().unwrap();
    assert_eq!((status, &answer["error"]["class"]), (2, &json!("ExecutionFailed")));
    let needed = message.split("at least ").nth(1).unwrap().split(' ').next().unwrap();
    let (status, answer) = call(&place, &request, &["--max-output-bytes", needed]);
    assert_eq!(
        (status, &answer["returned"]),
        (0, &json!(0)),
        "found, though the budget shows none"
    );
    place.configure(&format!("[tools.search_files]\nmax_output_bytes = {needed}\n"));
    assert_eq!(call(&place, &request, &[]).1["returned"], 0);
}

#[test]
fn a_missing_configured_backend_is_an_error_of_the_call() {
    let place = Place::new(&[("a.txt", "foo\n")]);
    place.configure("[tools.search_files]\nbackend = \"rg\"\nrg_binary = \"/nonexistent/rg\"\n");
    let (status, answer) = call(&place, &json!({"path": ".", "query": "foo"}), &[]);
    assert_eq!((status, &answer["error"]["class"]), (2, &json!("ExecutionFailed")));
    assert_eq!(answer["error"]["field"], "backend");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("/nonexistent/rg") && message.contains("rg_binary"), "{message}");
    let (_, answer) = call(&place, &json!({"path": ".", "query": "foo", "mode": "fuzzy"}), &[]);
    assert_eq!(
        (&answer["error"]["class"], &answer["error"]["field"]),
        (&json!("BadArgs"), &json!("mode"))
    );
}

#[test]
fn the_tools_command_prints_definitions_as_json() {
    let place = Place::new(&[("a.txt", "")]);
    let (status, text, _) = place.run(&["tools"]);
    let tools: Vec<Value> = serde_json::from_str(&text).unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(status, Some(0));
    assert!(names.is_sorted() && names.contains(&"Search"), "{names:?}");
    let tool = tools.iter().find(|tool| tool["name"] == "search_files").unwrap();
    assert_eq!(
        (&tool["is_side_effecting"], &tool["requires_approval"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(
        (&tool["risk"], &tool["description"]),
        (&json!("Low"), &json!("Search file contents"))
    );
    assert_eq!(tool["input_schema"]["properties"].as_object().unwrap().len(), 16);
}

#[test]
fn an_unknown_tool_error_lists_all_tools() {
    let place = Place::new(&[("a.txt", "")]);
    let (_, text, _) = place.run(&["call", "search_file", "{}"]);
    let all = "known tools are Search, find_files, grep, keyword_search, search_files, search_text";
    assert!(text.contains(all), "{text}");
}
