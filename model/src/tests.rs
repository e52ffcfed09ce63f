//! Whole calls, and fixtures shared with other test modules.

use serde_json::{Value, json};

use crate::generated::search::SEARCH;
use crate::{Answer, Config, Event, Outcome, Refusal, World, search};

/// The agent preset with large caps, which reads requests as the documents do.
pub(crate) fn agent() -> Config {
    let preset = SEARCH.preset("agent").expect("the preset exists");
    Config { lenient: false, ..Config::of_preset(&SEARCH, preset) }
}

/// The one outcome of a call under `config`.
pub(crate) fn outcome(world: &World, config: &Config, request: &Value) -> Outcome {
    let allowed = search(world, config, "Search", request);
    assert_eq!(allowed.outcomes().len(), 1, "without a deadline one outcome is right: {allowed:?}");
    allowed.canonical().clone()
}

pub(crate) fn answer(world: &World, request: &Value) -> Answer {
    answer_under(&agent(), world, request)
}

pub(crate) fn answer_under(config: &Config, world: &World, request: &Value) -> Answer {
    outcome(world, config, request)
        .unwrap_or_else(|refusal| panic!("{request} was refused: {refusal:?}"))
}

pub(crate) fn refusal_under(config: &Config, world: &World, request: &Value) -> (String, String) {
    match outcome(world, config, request) {
        Err(Refusal { class, field }) => (class, field),
        Ok(answer) => panic!("{request} was answered: {answer:?}"),
    }
}

/// The events of an answer as `path:line:column:matched` and `path-line`.
pub(crate) fn short(answer: &Answer) -> Vec<String> {
    answer
        .events
        .iter()
        .map(|event| match event {
            Event::Match { path, line, column, matched, .. } => {
                format!("{path}:{line}:{column}:{matched}")
            }
            Event::Context { path, line, .. } => format!("{path}-{line}"),
        })
        .collect()
}

/// The files with matches, each once.
pub(crate) fn files(answer: &Answer) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    for event in &answer.events {
        if let Event::Match { path, .. } = event
            && files.last() != Some(path)
        {
            files.push(path.clone());
        }
    }
    files
}

#[test]
fn a_search_finds_lines_in_files_below_the_working_directory() {
    let world = World::new().file("src/a.rs", "let needle = 1;\n").file("b.txt", "nothing\n");
    let found = answer(&world, &json!({"pattern": "needle"}));
    assert_eq!(found.path, ".");
    assert_eq!(short(&found), ["src/a.rs:1:5:needle"]);
    assert_eq!(found.files_scanned, 2);
    assert!(!found.truncated && !found.timed_out);
    assert_eq!(found.errors, []);
    assert_eq!(found.content, "src/a.rs:1:5:let needle = 1;\n");
}

#[test]
fn a_search_without_matches_has_a_note() {
    let found = answer(&World::new().file("a", "x\n"), &json!({"pattern": "needle"}));
    assert_eq!(found.content, "[no matches]\n");
    assert_eq!((found.files_scanned, found.truncated), (1, false));
}

#[test]
fn an_empty_sandbox_is_searched_without_error() {
    let found = answer(&World::new(), &json!({"pattern": "x"}));
    assert_eq!((found.files_scanned, found.path.as_str()), (0, "."));
}

#[test]
fn every_alias_in_exact_case_is_the_same_tool() {
    let world = World::new().file("a", "x\n");
    let request = json!({"pattern": "x"});
    let by_name = |name: &str| search(&world, &agent(), name, &request).canonical().clone();
    for name in ["search", "rg", "ripgrep", "ugrep", "ug"] {
        assert_eq!(by_name(name), by_name("Search"), "{name}");
    }
    for name in ["SEARCH", "Rg", "grep", ""] {
        let refused = Refusal { class: "BadArgs".to_owned(), field: "tool".to_owned() };
        assert_eq!(by_name(name), Err(refused), "{name}");
    }
}

#[test]
fn paths_in_answers_are_relative_to_the_working_directory_and_absolute_outside_it() {
    let mut config = agent();
    config.working_dir = "sub".to_owned();
    let world = World::new().file("sub/a", "x\n").file("top", "x\n");
    let everything = answer_under(&config, &world, &json!({"pattern": "x", "path": ".."}));
    assert_eq!(everything.path, "{root}");
    assert_eq!(files(&everything), ["a", "{root}/top"]);
    let here = answer_under(&config, &world, &json!({"pattern": "x"}));
    assert_eq!((here.path.as_str(), files(&here)), (".", vec!["a".to_owned()]));
    let absolute = answer_under(&config, &world, &json!({"pattern": "x", "path": "{root}/sub/a"}));
    assert_eq!((absolute.path.as_str(), files(&absolute)), ("a", vec!["a".to_owned()]));
}
