//! Releases from the command line: installed from a path, listed, bisected.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use touchstone_spec::adapter::Feature;

const ADAPTER: &str = "name: seek
says: a stand-in with a history
command: [seek]
identify: {args: [--version], pattern: 'seek ([0-9.]+)'}
ask: {pattern: [-e, '{pattern}'], files: [--, '{files}']}
show: {lines: {record: '{path}:{line}:{text}'}}
precise: [lines]
";

const QUESTION: &str = "tree: [{file: h, bytes: \"foo\\nbar\\n\"}]\nask: {patterns: [foo]}\n";

/// A build directory with releases of `seek` in it; those that are told as wrong show the other
/// line.
struct Bench {
    home: tempfile::TempDir,
}

impl Bench {
    fn new(releases: &[(&str, bool)]) -> Self {
        let bench = Self { home: tempfile::tempdir().unwrap() };
        let options = Feature::ALL.iter().filter(|feature| feature.is_option());
        let unsupported: Vec<String> =
            options.map(|feature| format!("{}: it does not know", feature.name())).collect();
        let adapter = format!("{ADAPTER}unsupported: {{{}}}\n", unsupported.join(", "));
        fs::write(bench.path("seek.yaml"), adapter).unwrap();
        fs::write(bench.path("case.yaml"), QUESTION).unwrap();
        for (version, wrong) in releases {
            let line = if *wrong { "h:2:bar" } else { "h:1:foo" };
            let program = bench.path("program");
            let script = format!(
                "#!/bin/sh\n[ \"$1\" = --version ] && echo seek {version} || echo {line}\n"
            );
            fs::write(&program, script).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            let (status, text) = bench.run(&[
                "backends",
                "install",
                "seek.yaml",
                "--path",
                program.to_str().unwrap(),
            ]);
            assert_eq!(status, 0, "{text}");
            assert!(text.starts_with(&format!("seek@{version}: ")), "{text}");
        }
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// The exit status, and what was printed.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
        command.current_dir(workspace).env("CARGO_TARGET_DIR", self.path("build"));
        for argument in arguments {
            let own = self.path(argument);
            command.arg(if own.is_file() { own } else { PathBuf::from(argument) });
        }
        let output = command.output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let code = output.status.code().unwrap_or_else(|| panic!("killed"));
        (code, String::from_utf8(text).unwrap())
    }

    fn bisect(&self, more: &[&str]) -> (i32, String) {
        let subject = self.path("seek.yaml");
        let arguments = ["bisect", "case.yaml", "--subject", subject.to_str().unwrap()];
        self.run(&[&arguments, more].concat())
    }
}

#[test]
fn releases_installed_from_a_path_are_listed_and_the_breaking_one_is_found() {
    let versions: Vec<String> = (0..12).map(|minor| format!("1.{minor}")).collect();
    let releases: Vec<(&str, bool)> = versions
        .iter()
        .enumerate()
        .map(|(minor, version)| (version.as_str(), minor >= 7))
        .collect();
    let bench = Bench::new(&releases);
    let (status, listed) = bench.run(&["backends", "list"]);
    assert_eq!(status, 0);
    let order: Vec<&str> = listed.lines().filter_map(|line| line.strip_prefix("seek@")).collect();
    assert!(
        order.len() == 12 && order.last().is_some_and(|last| last.starts_with("1.11")),
        "{listed}"
    );

    let (status, text) = bench.bisect(&[]);
    assert!(status == 1 && text.contains("first bad 1.7, last good 1.6; "), "{text}");
    let (_, json) = bench.bisect(&["--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (json["first_bad"].as_str(), json["last_good"].as_str()),
        (Some("1.7"), Some("1.6"))
    );
    assert!(json["probes"].as_array().unwrap().len() <= 6, "{json}");

    // A release that is gone is not taken for a good or a bad one.
    fs::remove_file(bench.path("build/touchstone/backends/seek-1.6/bin/seek")).unwrap();
    let (_, text) = bench.bisect(&[]);
    assert!(
        text.contains("broke between 1.5 and 1.7; those between could not be told: 1.6"),
        "{text}"
    );
}

#[test]
fn a_sweep_shows_a_bug_that_was_mended_and_broke_again() {
    let bench = Bench::new(&[("1.0", false), ("1.1", true), ("1.2", false), ("1.3", true)]);
    let (status, text) = bench.bisect(&["--sweep"]);
    assert_eq!(status, 1);
    assert!(
        text.contains("good in 1.0, bad in 1.1, good in 1.2, bad in 1.3 (not just once)"),
        "{text}"
    );
    let (_, text) = bench.bisect(&["--bad", "1.1"]);
    assert!(text.contains("first bad 1.1, last good 1.0"), "{text}");
    let (_, text) = bench.bisect(&["--bad", "1.1", "--good", "1.2"]);
    assert!(text.contains("last bad 1.1, mended in 1.2; 0 of 2 releases asked"), "{text}");
}

#[test]
fn an_unavailable_release_is_reported_and_does_not_stop_the_rest() {
    let bench = Bench::new(&[("1.0", false)]);
    let there = format!("{}@1.0", bench.path("seek.yaml").display());
    let (status, text) = bench.run(&["backends", "install", &there]);
    assert!(status == 0 && text.starts_with("seek@1.0: "), "{text}");
    let (status, text) = bench.run(&["backends", "install", "nobody@1.0"]);
    assert!(status == 2 && text.contains("no adapter `nobody`"), "{text}");
    let (status, text) = bench.run(&["backends", "install", "ripgrep@0.0.1", "ugrep@0.0.2"]);
    assert!(status == 1 && text.contains("0.0.1") && text.contains("0.0.2"), "{text}");
    let (status, text) = bench.run(&["backends", "install", "ripgrep"]);
    assert!(status == 2 && text.contains("--all"), "{text}");
    let (status, text) = bench.bisect(&["--good", "9"]);
    assert!(status == 2 && text.contains("`9` is none of 1.0"), "{text}");
}
