//! The house rules that a machine can check.
//!
//! Each rule is a function over the sources of the workspace that returns every offence. Words that
//! are looked for are put together from pieces, since this file is searched, too. What Clippy can
//! check (IO, processes, output, long functions) is in the `clippy.toml` nearest to each crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Which of our packages may use which others (docs/architecture.md), in any kind of dependency.
pub(crate) const EDGES: &[(&str, &[&str])] = &[
    ("touchstone-spec", &[]),
    ("touchstone-model", &[]),
    ("forge-search-core", &[]),
    ("forge-search-sys", &[]),
    ("forge-search-engine", &["forge-search-core", "forge-search-sys"]),
    ("forge-search-llm", &["forge-search-engine"]),
    ("forge-search", &["forge-search-engine", "forge-search-llm"]),
    ("touchstone-acts", &[]),
    ("touchstone-cases", &["touchstone-spec", "touchstone-model"]),
    (
        "touchstone-hunt",
        &["touchstone-spec", "touchstone-model", "touchstone-cases", "forge-search-core"],
    ),
    (
        "touchstone-lockstep",
        &["touchstone-model", "touchstone-cases", "forge-search-core", "forge-search-engine"],
    ),
    (
        "touchstone-index",
        &[
            "touchstone-spec",
            "touchstone-model",
            "touchstone-cases",
            "touchstone-lockstep",
            "forge-search-core",
            "forge-search-engine",
        ],
    ),
    (
        "touchstone-lives",
        &[
            "touchstone-spec",
            "touchstone-model",
            "touchstone-acts",
            "touchstone-cases",
            "touchstone-lockstep",
            "touchstone-index",
            "forge-search-core",
            "forge-search-engine",
        ],
    ),
    (
        "touchstone",
        &[
            "touchstone-spec",
            "touchstone-model",
            "touchstone-acts",
            "touchstone-cases",
            "touchstone-hunt",
            "touchstone-lockstep",
            "touchstone-index",
            "touchstone-lives",
            "forge-search-core",
            "forge-search-engine",
            // Its tests ask scripted servers; no suite does.
            "forge-search-llm",
        ],
    ),
    ("touchstone-benches", &["forge-search-core", "forge-search-engine", "touchstone"]),
];

/// The crates that may hold `unsafe`: system calls in the service, and those that act in the live
/// suite.
const UNSAFE: [&str; 2] = ["impl/sys/", "conformance/acts/"];

/// Files over 500 lines, each with the reason why it is better in one piece.
const LONG_FILES: &[(&str, &str)] = &[];

/// A source file: its path from the workspace's root, with slashes, and its text.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Whether the whole file is test code.
    fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.ends_with("/tests.rs")
    }

    /// The lines of code, with their numbers; `tests` chooses test code or the rest.
    fn lines(&self, tests: bool) -> Vec<(usize, &str)> {
        let module =
            self.text.lines().position(|line| line.trim() == "#[cfg(test)]").unwrap_or(usize::MAX);
        self.text
            .lines()
            .enumerate()
            .filter(|(index, _)| (self.is_test() || *index >= module) == tests)
            .map(|(index, line)| (index + 1, line))
            .collect()
    }

    /// Places outside comments where one of the words stands.
    fn places(&self, tests: bool, words: &[&str]) -> Vec<String> {
        self.lines(tests)
            .into_iter()
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
            .filter_map(|(number, line)| {
                let word = words.iter().find(|word| line.contains(**word))?;
                Some(format!("{}:{number}: `{word}`", self.path))
            })
            .collect()
    }
}

pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate lies in the workspace")
        .to_owned()
}

pub(crate) fn sources() -> Vec<Source> {
    let root = workspace();
    let mut found = Vec::new();
    for member in ["spec", "model", "impl", "conformance", "benches"] {
        collect(&root, &root.join(member), &mut found);
    }
    assert!(found.len() > 20, "only {} source files found", found.len());
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn collect(root: &Path, directory: &Path, found: &mut Vec<Source>) {
    for entry in
        fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
    {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let path = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            found.push(Source { path, text });
        }
    }
}

pub(crate) fn expect_none(offences: &[String], rule: &str) {
    assert!(offences.is_empty(), "{rule}:\n  {}", offences.join("\n  "));
}

#[test]
fn crates_use_only_allowed_dependencies() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let allowed: BTreeMap<&str, &[&str]> = EDGES.iter().copied().collect();
    let mut offences = Vec::new();
    let packages = metadata["packages"].as_array().unwrap();
    assert_eq!(
        packages.len(),
        EDGES.len(),
        "a member of the workspace is missing from the plan, or the other way round"
    );
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let Some(may) = allowed.get(name) else {
            offences.push(format!("{name} is not in the plan"));
            continue;
        };
        for dependency in package["dependencies"].as_array().unwrap() {
            let used = dependency["name"].as_str().unwrap();
            let ours = allowed.contains_key(used) || !dependency["path"].is_null();
            if ours && !may.contains(&used) {
                offences.push(format!("{name} uses {used}"));
            }
        }
    }
    expect_none(&offences, "edges between crates that docs/architecture.md does not allow");
}

#[test]
fn the_program_is_built_without_sabotage() {
    let features_of = |package: &str| {
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--offline", "--prefix", "none", "-e", "normal,features", "-p", package])
            .current_dir(workspace())
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let sabotage = "forge-search-engine feature \"sabotage\"";
    assert!(!features_of("forge-search").contains(sabotage));
    assert!(features_of("touchstone").contains(sabotage), "the tree is printed in another form");
}

#[test]
fn only_two_small_crates_contain_unsafe_code() {
    let words = [concat!("un", "safe {"), concat!("un", "safe fn"), concat!("un", "safe impl")];
    let others =
        sources().into_iter().filter(|source| !UNSAFE.iter().any(|at| source.path.starts_with(at)));
    let mut offences: Vec<String> = others
        .flat_map(|source| [source.places(false, &words), source.places(true, &words)].concat())
        .collect();
    for source in sources() {
        let lines: Vec<&str> = source.text.lines().collect();
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| line.contains(words[0])) {
            let before = number.saturating_sub(4);
            let reasoned = lines[before..number]
                .iter()
                .any(|above| above.contains(concat!("// SAFE", "TY: ")));
            if !reasoned
                && !line.trim_start().starts_with("//")
                && !source.path.ends_with("tidy.rs")
            {
                offences.push(format!("{}:{}: no reason", source.path, number + 1));
            }
        }
    }
    let members = [
        "spec",
        "model",
        "impl/core",
        "impl/engine",
        "impl/llm",
        "impl/cli",
        "conformance",
        "conformance/cases",
        "conformance/hunt",
        "conformance/index",
        "conformance/lockstep",
        "conformance/lives",
        "benches",
    ];
    for member in members {
        let manifest = fs::read_to_string(workspace().join(member).join("Cargo.toml")).unwrap();
        if !manifest.contains("[lints]\nworkspace = true") {
            offences.push(format!("{member} does not take the workspace's lints, which forbid it"));
        }
    }
    expect_none(&offences, "code that the compiler does not check, or without a reason");
}

#[test]
fn no_file_has_a_meaningless_name() {
    let offences: Vec<String> = sources()
        .iter()
        .filter(|source| {
            source.path.split(['/', '.']).any(|part| {
                ["util", "utils", "helper", "helpers", "common", "misc", "imp"].contains(&part)
            })
        })
        .map(|source| source.path.clone())
        .collect();
    expect_none(&offences, "names that say nothing about the contents");
}

#[test]
fn no_code_is_unfinished_and_no_test_is_disabled() {
    let words = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("#[ig", "nore"),
        concat!("dbg", "!("),
    ];
    let offences: Vec<String> = sources()
        .iter()
        .flat_map(|source| [source.places(false, &words), source.places(true, &words)].concat())
        .collect();
    expect_none(&offences, "unfinished code, or a test that does not run");
}

#[test]
fn no_test_sleeps() {
    let words = [
        concat!("thread::sl", "eep"),
        concat!("sl", "eep(Duration"),
        concat!("sl", "eep(std::time"),
    ];
    let offences: Vec<String> =
        sources().iter().flat_map(|source| source.places(true, &words)).collect();
    expect_none(&offences, "tests are given their time or await an event, they do not sleep");
}

#[test]
fn long_files_have_a_reason() {
    let mut offences = Vec::new();
    let sources = sources();
    for source in &sources {
        let lines = source.text.lines().count();
        let reason = LONG_FILES.iter().find(|(path, _)| *path == source.path);
        if lines > 500 && reason.is_none() && !source.path.contains("/generated/") {
            offences.push(format!("{} has {lines} lines", source.path));
        }
        if lines <= 500 && reason.is_some() {
            offences.push(format!("{} has only {lines} lines; its excuse goes", source.path));
        }
    }
    for (path, reason) in LONG_FILES {
        if !sources.iter().any(|source| source.path == *path) {
            offences.push(format!("{path} is gone; its excuse goes"));
        }
        assert!(reason.len() > 20, "the reason for {path} is not one");
    }
    expect_none(&offences, "files over 500 lines without a reason");
}

#[test]
fn only_the_store_contains_sql() {
    let words = ["SELECT ", "INSERT INTO", "CREATE TABLE", "DELETE FROM", "PRAGMA ", "rusqlite::"];
    let offences: Vec<String> = sources()
        .iter()
        .filter(|source| {
            source.path.starts_with("impl/")
                && !source.path.starts_with("impl/engine/src/index/store")
        })
        .flat_map(|source| source.places(false, &words))
        .collect();
    expect_none(&offences, "SQL outside impl/engine/src/index/store");
}

#[test]
fn only_protocol_modules_mention_the_agent_protocol() {
    let words = [concat!("rm", "cp"), concat!("json", "rpc")];
    // The server, its fixtures, and two clients: the harness, and that of the benches that measure
    // whole calls.
    let rooms =
        ["impl/cli/src/mcp", "impl/cli/examples/", "conformance/src/mcp", "benches/src/server.rs"];
    let offences: Vec<String> = sources()
        .iter()
        .filter(|source| !rooms.iter().any(|room| source.path.starts_with(room)))
        .flat_map(|source| source.places(false, &words))
        .collect();
    expect_none(&offences, "the Model Context Protocol outside the modules for it");
}

#[test]
fn only_backend_modules_contain_flags_of_searchers() {
    let words = [
        "\"--no-config\"",
        "\"--no-heading\"",
        "\"--regexp",
        "\"--line-number\"",
        "\"--with-filename\"",
        "\"--no-messages\"",
        "\"--fixed-strings\"",
        "\"--null\"",
        "\"--ignore-files\"",
        "\"--no-ignore\"",
        "\"--max-filesize",
        "\"--crlf\"",
        "\"--no-unicode\"",
        "\"--sort",
        "\"--format=",
        "\"--json\"",
    ];
    let offences: Vec<String> = sources()
        .iter()
        .filter(|source| {
            let is_harness =
                source.path.starts_with("conformance/") && source.path.contains("/src/");
            source.path.starts_with("impl/") || is_harness
        })
        .filter(|source| {
            !source.path.starts_with("impl/engine/src/backend")
                && !source.path.starts_with("conformance/lockstep/src/subjects/")
                // It is such a program itself.
                && !source.path.starts_with("conformance/hunt/src/fake")
                // Its own flags have these names.
                && source.path != "impl/cli/src/search/ripgrep.rs"
                // It looks for them in what a program says of itself.
                && !source.path.starts_with("conformance/hunt/src/scaffold.rs")
        })
        .flat_map(|source| source.places(false, &words))
        .collect();
    expect_none(&offences, "flags of ripgrep or ugrep outside the modules for them");
}

#[test]
fn the_model_and_the_core_forbid_the_same_io() {
    let rules = |of: &str| fs::read_to_string(workspace().join(of).join("clippy.toml")).unwrap();
    assert!(rules("model").contains("\"std::fs::read\""));
    assert_eq!(rules("model"), rules("impl/core"));
}

#[test]
fn tests_that_claim_clauses_fail_by_panicking() {
    let mut offences = Vec::new();
    for source in sources() {
        let mut signature = String::new();
        for (number, line) in source.lines(true) {
            if line.trim_start().starts_with("fn ") {
                line.trim().clone_into(&mut signature);
            }
            if line.contains(concat!("verif", "ies!(")) && signature.contains("-> ") {
                offences.push(format!("{}:{number}: {signature}", source.path));
            }
        }
    }
    expect_none(&offences, "a test that returns an error would leave a passing record behind");
}

#[test]
fn sources_have_unix_line_ends_and_no_tabs() {
    let offences: Vec<String> = sources()
        .iter()
        .filter(|source| {
            source.text.contains('\r') || source.text.contains('\t') || !source.text.ends_with('\n')
        })
        .map(|source| source.path.clone())
        .collect();
    expect_none(&offences, "carriage returns, tabs, or no line feed at the end");
}
