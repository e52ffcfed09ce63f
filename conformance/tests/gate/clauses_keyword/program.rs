//! The whole program, with keys in its environment.

use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::clauses_keyword::desk::{
    Tree, configuration, files, having, keyword, service_program, text,
};
use crate::clauses_keyword::server::Server;

const VARIABLES: [&str; 3] = ["FIREWORKS_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"];

/// A run of the program over a tree, with this configuration and these variables and no others that
/// name keys.
fn run(tree: &Tree, config: &str, arguments: &[&str], set: &[(&str, &str)]) -> Option<Output> {
    let program = service_program()?;
    let scratch = tempfile::tempdir().unwrap();
    let mut command = Command::new(program);
    command.arg(arguments[0]).arg("--root").arg(tree.place("."));
    command.arg("--config").arg(configuration(scratch.path(), config)).args(&arguments[1..]);
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    let output =
        command.envs(set.iter().copied()).env("XDG_CACHE_HOME", scratch.path()).output().unwrap();
    Some(output)
}

fn called(
    tree: &Tree,
    config: &str,
    request: &Value,
    set: &[(&str, &str)],
) -> Option<(Option<i32>, Value)> {
    let output = run(tree, config, &["call", "keyword_search", &request.to_string()], set)?;
    let said = String::from_utf8(output.stdout).unwrap();
    let json = serde_json::from_str(&said);
    Some((output.status.code(), json.unwrap_or_else(|why| panic!("{why}: {said}"))))
}

fn tree() -> Tree {
    Tree::of(&[("a.rs", "backoff\n"), ("b.rs", "fn backoff() {}\n")])
}

#[test]
fn environment_keys_choose_the_model() {
    let tree = tree();
    let request = json!({"query": "q", "search_terms": ["backoff"], "dry_run": true});
    let asked = |set: &[(&str, &str)]| {
        Some(called(&tree, &keyword("model = \"auto\""), &request, set)?.1["model"].clone())
    };
    let Some(none) = asked(&[]) else { return };
    touchstone::verifies!(
        "REQ-KWS-005",
        "REQ-KWS-005.1",
        "REQ-KWS-005.2",
        "REQ-KWS-005.3",
        "REQ-KWS-005.5"
    );
    assert_eq!(none, Value::Null);
    let [fireworks, openai, anthropic] = VARIABLES.map(|variable| (variable, "key-4711"));
    for (set, name, model, host) in [
        (
            &[fireworks, openai, anthropic][..],
            "fireworks-qwen-coder",
            "accounts/fireworks/models/qwen3-coder-480b-a35b-instruct",
            "api.fireworks.ai",
        ),
        (&[openai, anthropic], "gpt-5-mini", "gpt-5.4-mini", "api.openai.com"),
        (&[anthropic], "claude-sonnet", "claude-sonnet-5-5", "api.anthropic.com"),
    ] {
        assert_eq!(asked(set).unwrap(), json!({"name": name, "model": model, "host": host}));
    }
    // And without any of them there is none.
    let (status, error) = called(
        &tree,
        &keyword("model = \"auto\""),
        &json!({"query": "q", "search_terms": ["backoff"]}),
        &[],
    )
    .unwrap();
    assert_eq!(
        (status, text(&error["error"]), text(&error["code"])),
        (Some(2), "no_model".into(), "ACODE-SRC-011".into())
    );
    let message = text(&error["message"]);
    assert!(VARIABLES.iter().all(|variable| message.contains(variable)), "{message}");
}

#[test]
fn a_key_is_sent_in_one_header_only() {
    let tree = tree();
    let key = "sk-test-4711-0815-not-a-key";
    let request = json!({"query": "q", "search_terms": ["backoff"]});
    for (protocol, variable, header) in [
        ("openai", "OPENAI_API_KEY", format!("authorization: Bearer {key}")),
        ("anthropic", "ANTHROPIC_API_KEY", format!("x-api-key: {key}")),
        ("openai", "FIREWORKS_API_KEY", format!("authorization: Bearer {key}")),
    ] {
        let server = Server::answering(protocol, &files(&[("b.rs", &[1], "Defines it.")]));
        let config =
            having(&[("theirs", protocol, &server)]) + &format!("key_variable = \"{variable}\"\n");
        let Some((status, page)) = called(&tree, &config, &request, &[(variable, key)]) else {
            return;
        };
        touchstone::verifies!("E-I25", "REQ-KWS-005");
        assert_eq!(
            (status, text(&page["results"][0]["path"])),
            (Some(0), "b.rs".to_owned()),
            "{page}"
        );
        let asked = server.only();
        assert!(asked.head.lines().any(|line| line == header), "{}", asked.head);
        assert_eq!(asked.head.matches(key).count(), 1, "{}", asked.head);
        assert!(!asked.body.to_string().contains(key) && !page.to_string().contains(key), "{page}");
        // A server that talks about the key is not quoted with it.
        let complains = json!({"error": {"message": format!("Incorrect API key provided: {key}")}});
        let server = Server::start(vec![crate::clauses_keyword::server::saying(401, &complains)]);
        let config =
            having(&[("theirs", protocol, &server)]) + &format!("key_variable = \"{variable}\"\n");
        let output = run(&tree, &config, &["keyword", "q", "backoff"], &[(variable, key)]).unwrap();
        let said = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(said.contains("a.rs") && said.contains("401") && !said.contains(key), "{said}");
    }
}

#[test]
fn the_command_line_marks_the_words_of_the_model() {
    let tree = tree();
    let server = Server::answering("ollama", &files(&[("b.rs", &[1], "Defines it.")]));
    let config = having(&[("local", "ollama", &server)]);
    let run = |arguments: &[&str]| {
        let output = run(&tree, &config, arguments, &[])?;
        Some((output.status.code(), String::from_utf8(output.stdout).unwrap()))
    };
    let Some((status, text)) = run(&["keyword", "where", "BACKOFF"]) else { return };
    touchstone::verifies!("REQ-KWS-001", "REQ-KWS-001.3", "REQ-KWS-002.3");
    assert_eq!(status, Some(0));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("b.rs (") && lines[1].ends_with(" model: Defines it."), "{text}");
    assert_eq!((lines[0], lines[2], lines.len()), ("1 file", "1:fn backoff() {}", 3), "{text}");
    let (status, text) = run(&["keyword", "--no-model", "where", "backoff"]).unwrap();
    assert!(
        status == Some(0)
            && text.contains("a.rs")
            && text.contains("b.rs")
            && !text.contains("model:"),
        "{text}"
    );
    let (status, text) = run(&["keyword", "--dry-run", "where", "backoff"]).unwrap();
    assert!(
        status == Some(0) && text.contains("\nb.rs\n1:fn backoff() {}\n\na.rs\n1:backoff\nhits-"),
        "{text}"
    );
    assert_eq!(run(&["keyword", "--no-model", "where", "nowhere"]).unwrap().0, Some(1));
    assert_eq!(server.asked().len(), 1);
}
