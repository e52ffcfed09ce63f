//! What the `touchstone` program prints and how it exits.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// The program, with what it would write into the workspace sent elsewhere.
fn touchstone(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap());
    command.args(arguments);
    command
}

/// A short run of random cases on the embedded backend; returns the exit status and what was
/// printed.
fn check(directory: &Path, arguments: &[&str]) -> (i32, String) {
    let out = directory.join("out");
    let results = directory.join("results");
    let output = touchstone(&["check", "--suite", "lockstep"])
        .args(arguments)
        .args([Path::new("--out"), &out, Path::new("--results"), &results])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let code = output
        .status
        .code()
        .unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    (code, text)
}

#[test]
fn a_conforming_subject_exits_with_0_and_leaves_valid_records() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--subject", "forge:native", "--cases", "120", "--format", "json"];
    let (code, text) = check(directory.path(), &arguments);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, 0, "{text}");
    assert_eq!(json["conforms"], true);
    assert_eq!(json["suites"][0]["subjects"]["forge:native"]["all"]["agree"], 120);
    assert!(json["coverage"]["with a match"].as_u64().unwrap() > 40, "{}", json["coverage"]);
    assert!(!directory.path().join("out").exists());

    let results = directory.path().join("results");
    let trace =
        touchstone(&["trace", "--format", "json", "--results"]).arg(&results).output().unwrap();
    let traced: Vec<Value> = serde_json::from_slice(&trace.stdout).unwrap();
    let one = traced.iter().find(|one| one["id"] == "FR-LS-SRC-07").unwrap();
    assert_eq!(
        (&one["status"], &one["checks"][0]),
        (&"verified".into(), &"check::lockstep::forge:native".into())
    );
    // Most of the documents is not decided by this, so tracing does not pass.
    assert_eq!(trace.status.code(), Some(1));
}

#[test]
fn the_same_seed_gives_the_same_result_for_any_number_of_threads() {
    let run = |threads: &str| {
        let directory = tempfile::tempdir().unwrap();
        let arguments =
            ["--subject", "forge:native", "--cases", "80", "--format", "json", "--seed", "41"];
        let (_, text) =
            check(directory.path(), &[&arguments[..], &["--threads", threads]].concat());
        let json: Value = serde_json::from_str(&text).unwrap();
        (json["coverage"].clone(), json["suites"][0]["subjects"].clone(), json["seed"].clone())
    };
    let one = run("1");
    assert_eq!(one.2, 41);
    assert_eq!(one, run("5"));
}

#[test]
fn a_divergence_exits_with_1_and_can_be_replayed() {
    let directory = tempfile::tempdir().unwrap();
    let subject = "forge:native+keep-cr";
    let (code, text) = check(directory.path(), &["--subject", subject, "--cases", "60"]);
    assert_eq!(code, 1, "{text}");
    let command =
        text.lines().find_map(|line| line.strip_prefix("replay with: touchstone ")).unwrap();
    let words: Vec<&str> = command.split(' ').collect();
    touchstone(&words).assert().code(1);
    let sound: Vec<&str> =
        words.iter().map(|word| if *word == subject { "forge:native" } else { word }).collect();
    touchstone(&sound).assert().code(0);
    // A simulated bug leaves no record, for or against.
    assert!(!directory.path().join("results").exists());
    assert!(fs::read_dir(directory.path().join("out")).unwrap().count() >= 1);
}

#[test]
fn a_case_with_its_root_in_the_answer_can_be_replayed() {
    let case = touchstone::golden::directory("keyword").join("a-git-file-is-a-root.yaml");
    let case = case.to_str().unwrap();
    touchstone(&["replay", case, "--subject", "forge:native"]).assert().code(0);
}

#[test]
fn a_snapshot_is_replayed_in_its_own_form_with_what_its_clauses_say() {
    let snapshot = touchstone::golden::directory("agent_tools").join("text-several-words.snap");
    let kept = fs::read_to_string(&snapshot).unwrap();
    let arguments = ["replay", snapshot.to_str().unwrap(), "--subject", "forge:native"];
    let printed = touchstone(&arguments).assert().code(0).get_output().stdout.clone();
    let printed = String::from_utf8(printed).unwrap();
    assert!(printed.starts_with(kept.splitn(3, "---\n").nth(2).unwrap()), "{printed}");
    assert!(printed.contains("\nFR-015b-02 (MUST of document 004): "), "{printed}");
    assert!(printed.contains(": agrees\n"), "{printed}");
}

#[test]
fn junit_reports_a_divergence_as_a_failure() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--subject", "forge:native+keep-cr", "--cases", "40", "--format", "junit"];
    let (code, text) = check(directory.path(), &arguments);
    assert_eq!(code, 1);
    assert!(text.starts_with("<?xml") && text.ends_with("</testsuites>\n"), "{text}");
    assert!(text.contains("<failure"), "{text}");
}

#[test]
fn a_check_that_cannot_run_exits_with_2_and_the_reason() {
    for (arguments, reason) in [
        (&["check", "--subject", "forge:nothing"][..], "unknown subject `forge:nothing`"),
        (&["check", "--suite", "nothing"], "possible values"),
        (&["check", "--cases", "1", "--time", "1s"], "cannot be used with"),
        (&["check", "--seed", "x"], "neither a number nor `random`"),
        (&["replay", "no/such/case.yaml"], "no/such/case.yaml"),
        (&["nothing"], "unrecognized subcommand"),
    ] {
        let output = touchstone(arguments).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
        assert!(complaint.contains(reason), "{arguments:?}: {complaint}");
    }
}

#[test]
fn spec_lint_prints_the_number_of_defects() {
    let output = touchstone(&["spec", "lint"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("defect(s)"));
}

#[test]
fn help_hides_internal_commands() {
    let output = touchstone(&["--help"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("check") && text.contains("backends") && !text.contains("worker"),
        "{text}"
    );
}

#[test]
fn trace_shows_one_row_and_an_unknown_row_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let ask = |row: &str| {
        let output =
            touchstone(&["trace", row, "--results"]).arg(directory.path()).output().unwrap();
        let text =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        (output.status.code(), text)
    };
    let (code, text) = ask("FR-LS-02a");
    assert_eq!(code, Some(1), "without records it is open: {text}");
    assert!(
        text.starts_with("FR-LS-02a  MUST of document 000, ") && text.contains("read as E-"),
        "{text}"
    );
    // A heading demands nothing.
    assert_eq!(ask("FR-SF-DEF").0, Some(0));
    let (code, text) = ask("FR-LS-0");
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("no requirement has the id `FR-LS-0`"), "{text}");
}
