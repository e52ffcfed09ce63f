//! Whole calls, and fixtures shared with other test modules.

use serde_json::{Value, json};

use super::{Config, Outcome, search_files, smallest_budget};
use crate::generated::search_files::SEARCH_FILES;
use crate::{Refusal, World};

/// The agent preset with large caps.
pub(super) fn agent() -> Config {
    let preset = SEARCH_FILES.preset("agent").expect("the preset exists");
    Config::of_preset(crate::tests::agent(), &SEARCH_FILES, preset)
}

/// The one outcome of a call under `config`.
pub(super) fn outcome(config: &Config, world: &World, request: &Value) -> Outcome {
    let allowed = search_files(world, config, request);
    assert_eq!(allowed.outcomes().len(), 1, "without a deadline one outcome is right: {allowed:?}");
    allowed.canonical().clone()
}

pub(super) fn text_under(config: &Config, world: &World, request: &Value) -> String {
    outcome(config, world, request)
        .unwrap_or_else(|refusal| panic!("{request} was refused: {refusal:?}"))
}

pub(super) fn answer_under(config: &Config, world: &World, request: &Value) -> Value {
    serde_json::from_str(&text_under(config, world, request)).expect("JSON")
}

pub(super) fn answer(world: &World, request: &Value) -> Value {
    answer_under(&agent(), world, request)
}

pub(super) fn refusal_under(config: &Config, world: &World, request: &Value) -> (String, String) {
    match outcome(config, world, request) {
        Err(Refusal { class, field }) => (class, field),
        Ok(answer) => panic!("{request} was answered: {answer}"),
    }
}

/// The matches of an answer as `path:line:column:match_text`.
pub(super) fn short(answer: &Value) -> Vec<String> {
    let of = |of: &Value| {
        let text = |name: &str| of[name].as_str().expect("a string").to_owned();
        format!("{}:{}:{}:{}", text("path"), of["line"], of["column"], text("match_text"))
    };
    answer["matches"].as_array().expect("an array").iter().map(of).collect()
}

/// The errors of an answer as `path: message`.
pub(super) fn errors(answer: &Value) -> Vec<String> {
    let text = |of: &Value, name: &str| of[name].as_str().expect("a string").to_owned();
    let errors = answer["errors"].as_array().expect("an array");
    errors.iter().map(|of| format!("{}: {}", text(of, "path"), text(of, "error"))).collect()
}

/// T-SF-01: the whole text of a small answer, byte for byte.
#[test]
fn an_answer_equals_the_expected_text() {
    let world =
        World::new().file("src/a.rs", "let x = 1;\r\nlet y = \"x\";\n").file("b.txt", "no\n");
    let text = text_under(&agent(), &world, &json!({"path": ".", "query": "x"}));
    assert_eq!(
        text,
        concat!(
            r#"{"path":".","query":"x","mode":"exact","case":"smart","matches":["#,
            r#"{"path":"src/a.rs","line":1,"column":5,"match_text":"x","line_text":"let x = 1;","#,
            r#""before":[],"after":[],"score":null},"#,
            r#"{"path":"src/a.rs","line":2,"column":10,"match_text":"x","line_text":"let y = \"x\";","#,
            r#""before":[],"after":[],"score":null}],"#,
            r#""returned":2,"max_results":200,"truncated":false,"truncated_reason":null,"#,
            r#""stats":{"files_scanned":2,"files_matched":1,"matches_total":2,"elapsed_ms":         0,"#,
            r#""complete":true,"incomplete_because":[],"files_cut":0,"files_oversized":0,"files_binary":0,"#,
            r#""directories_not_entered":0,"errors_total":0},"errors":[]}"#,
        )
    );
}

/// E-I06.
#[test]
fn the_smallest_budget_is_the_length_of_the_answer_without_matches_and_errors() {
    let world = World::new().file("a", "x\n").unreadable_file("b", "x\n");
    let request = json!({"path": ".", "query": "x"});
    let smallest = concat!(
        r#"{"path":".","query":"x","mode":"exact","case":"smart","matches":[],"returned":0,"max_results":200,"#,
        r#""truncated":true,"truncated_reason":"max_output_bytes","#,
        r#""stats":{"files_scanned":2,"files_matched":1,"matches_total":1,"elapsed_ms":         0,"#,
        r#""complete":false,"incomplete_because":["max_output_bytes","errors"],"files_cut":0,"#,
        r#""files_oversized":0,"files_binary":0,"directories_not_entered":0,"errors_total":1},"errors":[]}"#,
    );
    let length = u64::try_from(smallest.len()).expect("a length");
    assert_eq!(smallest_budget(&world, &agent(), &request), Some(length));
    let config = |effective_max| Config { effective_max, ..agent() };
    assert_eq!(text_under(&config(length), &world, &request), smallest);
    let refused = ("ExecutionFailed".to_owned(), "max_output_bytes".to_owned());
    assert_eq!(refusal_under(&config(length - 1), &world, &request), refused);
}
