//! What pages say of `forge-search`: its commands and flags exist, the examples of the first pages
//! find something in this repository, and transcripts are what an agent reads.
//!
//! `BLESS=1` writes the transcripts anew.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::Value;

#[path = "../../../../conformance/tests/gate/tidy_pages/commands.rs"]
mod commands;
#[path = "../../../../conformance/tests/gate/tidy_pages/page.rs"]
#[allow(dead_code, reason = "what else pages are asked is in the gate")]
mod page;

use crate::client::Client;

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

/// The pages that start with examples to copy.
const FIRST: [&str; 2] = ["README.md", "docs/README.md"];

#[test]
fn every_example_of_the_first_pages_finds_a_match() {
    let home = tempfile::tempdir().unwrap();
    let texts = FIRST.map(|page| fs::read_to_string(root().join(page)).unwrap());
    let lines = texts.iter().flat_map(|text| text.lines());
    let examples: Vec<&str> = lines.filter_map(|line| line.strip_prefix("forge-search ")).collect();
    assert!(examples.len() > 6);
    for example in examples {
        let path = assert_cmd::cargo::cargo_bin!("forge-search");
        let line = format!("'{}' {example}", path.display());
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(root())
            .env("HOME", home.path())
            .env("XDG_CONFIG_HOME", home.path())
            .env("XDG_CACHE_HOME", home.path())
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "forge-search {example}\n{error}");
    }
}

/// What an agent reads that calls a tool of a server in this directory of the repository.
fn read_by_an_agent(tool: &str, directory: &str, arguments: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    let mut command = program(home.path());
    command.current_dir(root().join(directory));
    command.args(["mcp", "--log", "off", "--profile", "all"]);
    let mut client = Client::of(command);
    client.initialize();
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    let id = client.call(tool, &arguments);
    let answer = client.answer(id);
    let read = answer["result"]["content"][0]["text"].as_str().unwrap().to_owned();
    client.finish();
    if read.ends_with('\n') { read } else { read + "\n" }
}

/// A transcript is `<!-- demo: DIRECTORY -->` and a block: `> TOOL ARGUMENTS`, then what is read.
#[test]
fn transcripts_equal_what_an_agent_reads() {
    let mut called = BTreeSet::new();
    let mut stale = Vec::new();
    for page in page::pages(root()) {
        let mut parts = page.text.split("<!-- demo: ");
        let mut fresh = parts.next().unwrap().to_owned();
        for part in parts {
            let (directory, rest) = part.split_once(" -->\n```text\n> ").unwrap();
            let (call, rest) = rest.split_once('\n').unwrap();
            let (tool, arguments) = call.split_once(' ').unwrap();
            let after = &rest[rest.find("```\n").unwrap()..];
            called.insert(tool.to_owned());
            let read = read_by_an_agent(tool, directory, arguments);
            fresh.extend(["<!-- demo: ", directory, " -->\n```text\n> ", call, "\n", &read, after]);
        }
        if fresh != page.text {
            if std::env::var_os("BLESS").is_some() {
                fs::write(root().join(&page.path), &fresh).unwrap();
            }
            stale.push(page.path);
        }
    }
    assert_eq!(called.len(), 6, "every tool has a transcript: {called:?}");
    assert!(stale.is_empty(), "look at the diff after BLESS=1: {stale:?}");
}

/// The fenced blocks of a language, with the page that has each.
fn blocks(language: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for page in page::pages(root()).into_iter().chain([crate_readme()]) {
        for part in page.text.split(&format!("```{language}\n")).skip(1) {
            found.push((page.path.clone(), part.split("```").next().unwrap().to_owned()));
        }
    }
    found
}

/// What the package shows where it is published.
fn crate_readme() -> page::Page {
    let path = "impl/cli/README.md".to_owned();
    page::Page { text: fs::read_to_string(root().join(&path)).unwrap(), path }
}

#[test]
fn configurations_that_pages_show_are_accepted() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config.toml");
    let shown = blocks("toml").into_iter().filter(|(_, text)| text.contains("[tools."));
    let shown: Vec<_> = shown.collect();
    assert!(shown.len() > 1);
    for (path, text) in shown {
        fs::write(&file, text).unwrap();
        let mut command = program(home.path());
        command.arg("--config").arg(&file).args(["search", "-q", "forge", "README.md"]);
        let output = command.output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{path}: {error}");
    }
}

/// The entry of a server, wherever the client's file has it.
fn entry(value: &Value) -> Option<&Value> {
    if value.get("command").is_some() {
        return Some(value);
    }
    value.as_object()?.values().find_map(entry)
}

#[test]
fn a_server_starts_as_clients_are_shown_to_start_it() {
    let json = blocks("json").into_iter().map(|(path, text)| (path, serde_json::from_str(&text)));
    // What shows a part of an answer has `…` where the rest is.
    let json = json.filter_map(|(path, value)| Some((path, value.ok()?)));
    let toml =
        blocks("toml").into_iter().map(|(path, text)| (path, toml::from_str(&text).unwrap()));
    let mut started = 0;
    for (path, value) in json.chain(toml) {
        let Some(entry) = entry(&value) else { continue };
        assert_eq!(entry["command"], "forge-search", "{path}");
        let home = tempfile::tempdir().unwrap();
        let mut command = program(home.path());
        for argument in entry["args"].as_array().unwrap() {
            let root = root().to_str().unwrap();
            let argument = argument.as_str().unwrap().replace("/path/to/project", root);
            command.arg(argument.replace("${workspaceFolder}", root));
        }
        let mut client = Client::of(command);
        client.initialize();
        client.finish();
        started += 1;
    }
    assert_eq!(started, 8, "pages show other clients than they did");
}
