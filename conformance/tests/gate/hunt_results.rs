//! What `report`, `diff` and `merge` print, write and exit with.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use serde_json::{Value, json};

/// Runs the program in a directory, which need not be the workspace.
fn touchstone(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_touchstone"))
        .current_dir(directory)
        .args(arguments)
        .output()
        .unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What `hunt` writes: one release, so many cases right and wrong, and a finding if any is wrong.
fn results(shard: &str, agree: u64, diverge: u64) -> Value {
    let line = |to: u64| json!([{ "number": 1, "selected": true, "text": "a\\xff<b>", "spans": [[0, to]] }]);
    let answer = |to: u64| json!({ "files": { "f": { "lines": line(to) } }, "status": "matched" });
    let finding = json!({
        "id": "rg-class-spans-1", "title": "rg marks too much with class: `[a]`", "program": "rg", "group": "class", "aspect": "spans",
        "clauses": ["FR-LS-SRC-02"], "shape": "class", "oracle": "model",
        "question": { "tree": [{ "file": "f", "bytes": "a\\xff<b>\\n" }], "ask": { "patterns": ["[a]"] } },
        "expected": answer(1), "actual": answer(2), "broken": null, "command": "rg '[a]' f", "subject": "rg@1.0",
        "releases": [{ "version": "1.0", "verdict": { "diverge": "spans" } }], "known": null, "met": diverge, "cpu_seconds": 1.5
    });
    let findings = if diverge > 0 { vec![finding] } else { Vec::new() };
    let ids: Vec<&str> = findings.iter().map(|_| "rg-class-spans-1").collect();
    let shards: Vec<&str> = Some(shard).filter(|shard| !shard.is_empty()).into_iter().collect();
    json!({
        "schema": 2, "seed": 3, "shards": shards,
        "subjects": [{ "subject": "rg@1.0", "program": "rg", "version": "1.0" }],
        "cells": [{ "subject": "rg@1.0", "group": "class", "agree": agree, "declared": 0, "known": 0, "diverge": diverge,
                    "unsupported": 0, "broken": 0, "explained": diverge, "reason": null, "findings": ids }],
        "findings": findings, "features": { "class": agree + diverge }, "relations": {},
        "cost": { "cases": agree + diverge, "asks": 2, "seconds": 1.0, "cpu_seconds": 2.0 }
    })
}

fn write(directory: &Path, name: &str, results: &Value) {
    fs::write(directory.join(name), results.to_string()).unwrap();
}

#[test]
fn a_report_is_written_in_every_form_and_findings_do_not_fail_it() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write(here, "r.json", &results("", 9, 2));
    let output = touchstone(
        here,
        &["report", "r.json", "--html", "r.html", "--markdown", "r.md", "--junit", "r.xml"],
    );
    assert_eq!((code(&output), told(&output).as_str()), (0, ""), "{}", complaint(&output));
    let read = |name: &str| fs::read_to_string(here.join(name)).unwrap();
    assert!(
        read("r.html").starts_with("<!DOCTYPE html>")
            && read("r.html").contains("id=\"f-rg-class-spans-1\"")
    );
    assert!(read("r.html").contains("&lt;b&gt;") && !read("r.html").contains("a<b>"));
    assert!(
        read("r.md")
            .contains("<summary><b>✗</b> rg marks too much with class: <code>[a]</code></summary>")
    );
    assert!(
        read("r.xml")
            .contains("classname=\"touchstone.hunt.rg@1.0\" name=\"rg-class-spans-1\"><failure")
    );
    // Without a file, the comment is printed; `-` prints as well.
    assert_eq!(told(&touchstone(here, &["report", "r.json"])), read("r.md"));
    assert_eq!(told(&touchstone(here, &["report", "r.json", "--html", "-"])), read("r.html"));
}

#[test]
fn a_difference_exits_with_1_and_none_with_0() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write(here, "old.json", &results("", 9, 0));
    write(here, "new.json", &results("", 9, 2));
    let same = touchstone(here, &["diff", "old.json", "old.json"]);
    assert_eq!((code(&same), told(&same).as_str()), (0, "nothing changed\n"));
    let changed = touchstone(here, &["diff", "old.json", "new.json"]);
    assert_eq!(code(&changed), 1);
    assert_eq!(
        told(&changed),
        "class (FR-LS-SRC-02)\n  agree -> diverge: rg@1.0\n  new, wrong in 1.0: rg marks too much with class: `[a]` [rg-class-spans-1]\n    rg '[a]' f\n"
    );
    let comment = touchstone(here, &["diff", "old.json", "new.json", "--markdown"]);
    assert_eq!(code(&comment), 1);
    assert!(
        told(&comment).starts_with("### Hunt: 1 new, 0 gone, 0 otherwise changed\n"),
        "{}",
        told(&comment)
    );
}

#[test]
fn shards_are_merged_in_any_order() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write(here, "1.json", &results("1/2", 9, 2));
    write(here, "2.json", &results("2/2", 5, 4));
    write(here, "whole.json", &results("", 14, 6));
    let merged = touchstone(here, &["merge", "2.json", "1.json", "-o", "a.json"]);
    assert_eq!(
        (code(&merged), told(&merged).as_str()),
        (
            0,
            "2 documents, 20 cases; 1 new finding, 0 known; 0 cases unexplained in 0 places: `a.json`\n"
        )
    );
    assert_eq!(code(&touchstone(here, &["merge", "1.json", "2.json", "-o", "b.json"])), 0);
    assert_eq!(fs::read(here.join("a.json")).unwrap(), fs::read(here.join("b.json")).unwrap());
    assert_eq!(code(&touchstone(here, &["diff", "whole.json", "a.json"])), 0);
    let sum: Value = serde_json::from_slice(&fs::read(here.join("a.json")).unwrap()).unwrap();
    assert_eq!((&sum["cells"][0]["agree"], &sum["findings"][0]["met"]), (&json!(14), &json!(6)));
}

#[test]
fn unreadable_or_incompatible_results_exit_with_2_and_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    write(here, "1.json", &results("1/3", 9, 2));
    let mut other = results("2/3", 1, 0);
    other["seed"] = json!(4);
    write(here, "seed.json", &other);
    other["schema"] = json!(3);
    write(here, "schema.json", &other);
    fs::write(here.join("text.json"), "no JSON").unwrap();
    for (arguments, reason) in [
        (&["report", "none.json"][..], "cannot use `none.json`"),
        (&["report", "text.json"], "`text.json` is not what `touchstone hunt` writes"),
        (&["report", "schema.json"], "`schema.json` has schema 3"),
        (
            &["report", "1.json", "--html", "no/such/directory.html"],
            "cannot write `no/such/directory.html`",
        ),
        (&["diff", "1.json", "none.json"], "cannot use `none.json`"),
        (&["merge", "1.json", "-o", "x.json"], "missing shards: 2/3, 3/3; give `--partial`"),
        (&["merge", "1.json", "1.json", "--partial", "-o", "x.json"], "shard `1/3` is there twice"),
        (&["merge", "1.json", "seed.json", "--partial", "-o", "x.json"], "seed 4 beside seed 3"),
        (&["merge", "-o", "x.json"], "required"),
    ] {
        let output = touchstone(here, arguments);
        assert_eq!(code(&output), 2, "{arguments:?}: {}", told(&output));
        assert!(complaint(&output).contains(reason), "{arguments:?}: {}", complaint(&output));
        assert!(!here.join("x.json").exists());
    }
    assert_eq!(code(&touchstone(here, &["merge", "1.json", "--partial", "-o", "x.json"])), 0);
}
