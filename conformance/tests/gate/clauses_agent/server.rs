//! The tools as `forge-search mcp` serves them: the limit of a connection, what a client gets of an
//! error, what is logged.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::clauses_agent::asked::text;
use crate::clauses_agent::log::secrets;
use crate::clauses_keyword::desk::{Tree, configuration, files, having, service_program};
use crate::clauses_keyword::server::Server;

const FILES: &[(&str, &str)] =
    &[("src/OrderService.cs", "class OrderService\n{\n    // TODO: validate\n}\n"), ("a", "foo\n")];

/// The results of calls over one connection, in the order of the calls, and what stands on standard
/// error; nothing where the program has not been built.
fn served(
    directory: &Path,
    arguments: &[&str],
    calls: &[(&str, Value)],
    config: &str,
) -> Option<(Vec<Value>, String)> {
    let program = service_program()?;
    let scratch = tempfile::tempdir().unwrap();
    let client = json!({"name": "clause", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let mut said = vec![
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ];
    said.extend((1..).zip(calls).map(|(id, (tool, arguments))| {
        let params = json!({"name": tool, "arguments": arguments});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    }));
    let input: Vec<String> = said.iter().map(|message| format!("{message}\n")).collect();
    let log = scratch.path().join("log");
    let mut server = Command::new(program)
        .arg("mcp")
        .arg("--root")
        .arg(directory)
        .arg("--config")
        .arg(configuration(scratch.path(), config))
        .args(arguments)
        .current_dir(directory)
        .env("XDG_CACHE_HOME", scratch.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let (mut calls_to, answers_of) = (server.stdin.take().unwrap(), server.stdout.take().unwrap());
    calls_to.write_all(input.concat().as_bytes()).unwrap();
    // The end of the input ends calls that run, so it comes when all are answered.
    let mut lines = BufReader::new(answers_of).lines().map(Result::unwrap);
    let read: Vec<String> = lines.by_ref().take(calls.len() + 1).collect();
    drop(calls_to);
    let more: Vec<String> = lines.collect();
    let ended = server.wait().unwrap();
    let logged = std::fs::read_to_string(log).unwrap();
    assert!(ended.success() && more.is_empty(), "{more:?}\n{logged}");
    let mut answers: Vec<Value> =
        read.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    assert_eq!(answers.len(), calls.len() + 1, "{logged}");
    Some((answers.into_iter().skip(1).map(|mut answer| answer["result"].take()).collect(), logged))
}

fn tree() -> tempfile::TempDir {
    let tree = tempfile::tempdir().unwrap();
    for (path, text) in FILES {
        let place = tree.path().join(path);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, text).unwrap();
    }
    tree
}

#[test]
fn every_connection_has_a_rate_limit_and_a_retry_time() {
    let (tree, foo) = (tree(), ("grep", json!({"pattern": "foo"})));
    let config = "[tools.agent]\nsearches_per_minute = 2\n";
    let three = [foo.clone(), foo.clone(), foo.clone()];
    let Some((answers, _)) = served(tree.path(), &[], &three, config) else { return };
    touchstone::verifies!("FR-015b-28", "FR-015b-31", "AC-011", "PAYLOAD-RATE-01", "E-I38");
    // Calls of one connection go on side by side; which of them comes too late is chance.
    let refused: Vec<&Value> = answers.iter().filter(|answer| answer["isError"] == true).collect();
    assert_eq!(refused.len(), 1, "{answers:#?}");
    let told = refused[0];
    let error = &told["_meta"]["forge-search/error"];
    assert_eq!(
        (&error["error"], &error["code"]),
        (&json!("rate_limit_exceeded"), &json!("ACODE-SRC-003"))
    );
    assert!((1..=60).contains(&error["retry_after_seconds"].as_u64().unwrap()), "{told}");
    assert!(text(&error["message"]).contains("(2/min)"), "{told}");
    // A client that shows only the text shows all of it, and no object that is not the schema's
    // stands where one would be.
    let shown = text(&told["content"][0]["text"]);
    for word in ["rate_limit_exceeded", "(2/min)", &error["retry_after_seconds"].to_string()] {
        assert!(shown.contains(word), "{word} is not in: {shown}");
    }
    assert_eq!(told.get("structuredContent"), None);
    let (answers, _) = served(tree.path(), &[], &[foo], config).unwrap();
    assert_eq!(answers[0]["isError"], false, "another connection has its own");
}

#[test]
fn a_server_logs_every_call_without_its_query() {
    let tree = tree();
    let Some((answers, logged)) = served(tree.path(), &[], &secrets(), "") else { return };
    touchstone::verifies!("SECC-015b-05", "FR-015b-37", "E2E-015b-04");
    let known = secrets().iter().filter(|(tool, _)| !tool.starts_with("sk-")).count();
    assert_eq!(
        (answers.len(), logged.matches("call ended").count() >= known),
        (secrets().len(), true)
    );
    assert!(logged.contains("elapsed_ms=") && logged.contains("results="), "{logged}");
    assert!(!logged.contains("live"), "{logged}");
    let (_, logged) = served(tree.path(), &["--log", "debug"], &secrets(), "").unwrap();
    assert!(logged.contains("sk-live-4711"), "where it is asked for");
}

#[test]
fn a_client_finds_a_line_through_the_server() {
    let tree = tree();
    let ask = |tool: &str, request: Value| {
        let (mut answers, _) = served(tree.path(), &[], &[(tool, request)], "")?;
        Some(answers.swap_remove(0)["structuredContent"].take())
    };
    let Some(ranked) = ask("search_text", json!({"query": "OrderService"})) else { return };
    touchstone::verifies!("E2E-015b-01", "E2E-015b-02", "FR-015b-22");
    let path = text(&ranked["results"][0]["path"]);
    assert_eq!(path, "src/OrderService.cs");
    let named = ask("find_files", json!({"pattern": path})).unwrap();
    assert_eq!(named["results"][0]["path"], path);
    let line =
        ask("grep", json!({"pattern": "TODO", "include_path": path, "context_lines": 0})).unwrap();
    let found = json!([{"path": path, "line": 3, "match": "    // TODO: validate"}]);
    assert_eq!(line["results"], found);
    assert_eq!((&line["complete"], &line["total"]), (&json!(true), &json!(1)));
}

#[test]
fn the_server_asks_the_configured_model() {
    let tree = Tree::of(&[("a.rs", "backoff\n"), ("b.rs", "fn backoff() {}\n")]);
    let model = Server::answering("openai", &files(&[("b.rs", &[1], "Defines it.")]));
    let request = json!({"query": "q", "search_terms": ["backoff"]});
    let Some((answers, _)) = served(
        &tree.place("."),
        &["--profile", "all"],
        &[("keyword_search", request)],
        &having(&[("theirs", "openai", &model)]),
    ) else {
        return;
    };
    let page = &answers[0]["structuredContent"];
    assert_eq!(text(&page["results"][0]["path"]), "b.rs", "{page}");
    assert!(model.only().body.to_string().contains("backoff"));
}
