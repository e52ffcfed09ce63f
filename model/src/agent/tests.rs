//! Whole answers, and fixtures shared with other test modules.

use serde_json::{Value, json};

use super::{Answer, Config, FREE_TEXT, Outcome, Refusal, find_files, grep, search_text};
use crate::World;
use crate::generated::agent::AGENT;
use crate::tables::agent::AgentError;

/// The agent preset with large caps.
pub(super) fn agent() -> Config {
    let preset = AGENT.preset("agent").expect("the preset exists");
    Config::of_preset(crate::tests::agent(), &AGENT, preset)
}

pub(super) type Tool = fn(&World, &Config, &Value) -> Outcome;

pub(super) fn answer_under(config: &Config, tool: Tool, world: &World, request: &Value) -> Answer {
    tool(world, config, request)
        .unwrap_or_else(|refusal| panic!("{request} was refused: {refusal:?}"))
}

/// A tool's page for a request, without a budget.
pub(super) fn page(tool: Tool, world: &World, request: &Value) -> Value {
    let answer = answer_under(&agent(), tool, world, request);
    answer.page(answer.due())
}

/// The error and field of a refused request.
pub(super) fn refusal(tool: Tool, world: &World, request: &Value) -> (AgentError, Option<String>) {
    match tool(world, &agent(), request) {
        Err(Refusal { error, field }) => (error, field),
        Ok(answer) => panic!("{request} was answered: {answer:?}"),
    }
}

/// One field of every result of a page.
pub(super) fn each(page: &Value, field: &str) -> Vec<Value> {
    page["results"].as_array().into_iter().flatten().map(|result| result[field].clone()).collect()
}

/// `path:line` of every result of a page.
pub(super) fn places(page: &Value) -> Vec<String> {
    let places = page["results"].as_array().into_iter().flatten();
    places
        .map(|one| format!("{}:{}", one["path"].as_str().unwrap_or_default(), one["line"]))
        .collect()
}

/// Three lines in two files.
fn three() -> World {
    World::new().file("a", "foo 1\nx\nfoo 2\n").file("b", "foo 3\n")
}

#[test]
fn pages_report_the_next_offset() {
    let request = |offset: u64| json!({"pattern": "foo", "max_results": 2, "offset": offset, "context_lines": 0});
    let first = page(grep, &three(), &request(0));
    assert_eq!(places(&first), ["a:1", "a:3"]);
    assert_eq!((&first["total"], &first["next_offset"]), (&json!(3), &json!(2)));
    assert_eq!(
        (&first["complete"], &first["incomplete_because"]),
        (&json!(false), &json!(["max_results"]))
    );
    assert_eq!(first["notices"], json!([{"notice": "max_results", "message": FREE_TEXT}]));
    let second = page(grep, &three(), &request(2));
    assert_eq!(places(&second), ["b:1"]);
    assert_eq!((&second["total"], &second["complete"]), (&json!(3), &json!(true)));
    assert_eq!((second.get("next_offset"), second.get("message")), (None, None));
}

#[test]
fn an_answer_without_results_has_a_message_even_beyond_the_last_page() {
    let nothing = page(grep, &three(), &json!({"pattern": "bar"}));
    assert_eq!((&nothing["total"], &nothing["message"]), (&json!(0), &json!(FREE_TEXT)));
    let behind = page(grep, &three(), &json!({"pattern": "foo", "offset": 3}));
    assert_eq!(
        (&behind["total"], &behind["complete"], &behind["message"]),
        (&json!(3), &json!(true), &json!(FREE_TEXT))
    );
}

#[test]
fn results_beyond_the_budget_are_reported_and_form_the_next_page() {
    let answer =
        answer_under(&agent(), grep, &three(), &json!({"pattern": "foo", "max_results": 2}));
    let page = answer.page(1);
    assert_eq!(page["incomplete_because"], json!(["max_results", "budget"]));
    assert_eq!((&page["total"], &page["next_offset"]), (&json!(3), &json!(1)));
    assert_eq!(page["total_is_lower_bound"], json!(false));
}

#[test]
fn every_omission_has_its_reason_and_makes_total_a_lower_bound() {
    let world =
        three().file("c", "foo\n".repeat(30)).unreadable_file("d", "foo\n").unreadable_dir("e");
    let mut config = agent();
    config.search.max_file_size_bytes = 100;
    let answer = answer_under(&config, grep, &world, &json!({"pattern": "foo"}));
    let page = answer.page(answer.due());
    assert_eq!(page["incomplete_because"], json!(["max_file_size_bytes", "errors"]));
    assert_eq!((&page["total"], &page["total_is_lower_bound"]), (&json!(3), &json!(true)));
    config.search.max_files = 1;
    let answer = answer_under(&config, find_files, &world, &json!({"pattern": "*"}));
    let page = answer.page(answer.due());
    // The unreadable directory lies after the last file within the cap.
    assert_eq!(page["incomplete_because"], json!(["max_files"]));
}

#[test]
fn an_unready_index_and_a_near_rate_limit_are_notices() {
    let mut config = agent();
    (config.index_not_ready, config.rate_limit_near) = (true, true);
    let long = World::new().file("a", "foo".repeat(200));
    let answer = answer_under(&config, search_text, &long, &json!({"query": "\"foo\""}));
    let page = answer.page(answer.due());
    let notices = [
        json!({"notice": "index_not_ready", "code": "ACODE-SRC-001", "message": FREE_TEXT}),
        json!({"notice": "rate_limit_near", "message": FREE_TEXT}),
        json!({"notice": "lines_cut", "message": FREE_TEXT}),
    ];
    assert_eq!((&page["notices"], &page["complete"]), (&json!(notices), &json!(true)));
}

#[test]
fn a_refusal_has_its_error_name_and_code() {
    let refused = grep(&three(), &agent(), &json!({})).unwrap_err();
    let json = json!({"error": "invalid_query", "code": "ACODE-SRC-002", "message": FREE_TEXT, "field": "pattern"});
    assert_eq!(refused.json(&AGENT), json);
}

#[test]
fn a_notice_reports_that_no_file_is_eligible() {
    let no_file = json!([{"notice": "nothing_eligible", "message": FREE_TEXT}]);
    let ignored = World::new().file(".gitignore", "/*\n").file("a.rs", "foo\n");
    for (tool, field) in
        [(grep as Tool, "pattern"), (find_files, "pattern"), (search_text, "query")]
    {
        let told = |world: &World, include: &str| {
            let request = json!({field: "foo", "include_path": include});
            page(tool, world, &request)["notices"].clone()
        };
        assert_eq!(told(&ignored, "*"), no_file);
        assert_eq!(told(&three(), "*.rs"), no_file);
        assert_eq!(told(&World::new(), "*"), no_file);
        // An eligible file that does not match is another case.
        assert_eq!(told(&World::new().file("a", "x\n"), "a"), json!([]));
    }
}
