//! What pages say of `forge-search`: its commands and flags exist, the examples of README.md find
//! something in this repository, and the demo there is what an agent reads.
//!
//! `BLESS=1` writes the demo anew.

#![expect(clippy::disallowed_methods, reason = "tests start programs")]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that fails says so by panicking"
)]

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};

mod client;
#[path = "../../../conformance/tests/gate/tidy_pages/commands.rs"]
mod commands;
#[path = "../../../conformance/tests/gate/tidy_pages/page.rs"]
#[allow(dead_code, reason = "what else pages are asked is in the gate")]
mod page;

use client::Client;

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

/// The program at the root of the repository, with an empty directory for caches and configuration.
fn program(home: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("forge-search"));
    command.current_dir(root()).env("XDG_CONFIG_HOME", home).env("XDG_CACHE_HOME", home);
    command
}

#[test]
fn commands_that_pages_name_exist() {
    let path = assert_cmd::cargo::cargo_bin!("forge-search");
    let mut program = commands::Program::new(path, &["forge-search "]);
    let mut offences = Vec::new();
    for page in page::pages(root()) {
        for code in page.code() {
            let found = program.offences(&code);
            offences.extend(found.into_iter().map(|offence| format!("{}: {offence}", page.path)));
        }
    }
    assert!(offences.is_empty(), "{}", offences.join("\n"));
}

#[test]
fn every_example_of_the_readme_finds_a_match() {
    let home = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let examples: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("forge-search ")).collect();
    assert!(examples.len() > 3);
    for example in examples {
        let path = assert_cmd::cargo::cargo_bin!("forge-search");
        let line = format!("'{}' {example}", path.display());
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(root())
            .env("XDG_CONFIG_HOME", home.path())
            .env("XDG_CACHE_HOME", home.path())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "forge-search {example}\n{error}");
    }
}

#[test]
fn the_demo_of_the_readme_equals_the_answer_of_the_program() {
    let path = root().join("README.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("<!-- demo: ").unwrap();
    let (request, rest) = rest.split_once(" -->\n```text\n").unwrap();
    let (shown, after) = rest.split_once("```\n").unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.args(["mcp", "--log", "off"]);
    let mut client = Client::of(command);
    client.initialize();
    let arguments: Value = serde_json::from_str(request).unwrap();
    let id = client.call("search_text", &arguments);
    let answer = client.answer(id);
    let read = answer["result"]["content"][0]["text"].as_str().expect("an answer").to_owned();
    client.finish();
    if std::env::var_os("BLESS").is_some() {
        let page = format!("{before}<!-- demo: {request} -->\n```text\n{read}```\n{after}");
        fs::write(&path, page).unwrap();
    } else {
        assert_eq!(shown, read, "renew it with BLESS=1: {}", json!(arguments));
    }
}
