//! A hunt that could not say whether a program is right is not green, and says so alike in every
//! form; one that is ended early writes what it has, and another takes up what was left.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use touchstone::golden;

const TOUCHSTONE: &str = env!("CARGO_BIN_EXE_touchstone");

/// An adapter of the fake with one bug, with parts of its text replaced.
fn fake(place: &Path, kind: &str, changes: &[(&str, &str)]) -> PathBuf {
    let mut text = fs::read_to_string(golden::workspace().join("golden/hunt/fake.yaml")).unwrap();
    let command = format!("[{TOUCHSTONE}, fake, {kind}, --]");
    let release = format!("{{args: [fake, {kind}, --, --version]");
    let own = [("[touchstone, fake, none, --]", &*command), ("{args: [--version]", &*release)];
    for (from, to) in own.iter().chain(changes) {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let file = place.join("fake.yaml");
    fs::write(&file, text).unwrap();
    file
}

/// The fake behind a script that may do something else first; `$FAKE` is what the script goes on
/// with.
fn behind(place: &Path, kind: &str, script: &str) -> PathBuf {
    let file = place.join("script.sh");
    let go_on = format!("exec {TOUCHSTONE} fake {kind} -- \"$@\"");
    fs::write(&file, script.replace("GO_ON", &go_on).replace("HERE", place.to_str().unwrap()))
        .unwrap();
    let command = format!("[/bin/sh, {}]", file.display());
    let made = format!("[{TOUCHSTONE}, fake, none, --]");
    let release = format!("{{args: [{}, --version]", file.display());
    let own = "{args: [fake, none, --, --version]";
    fake(place, "none", &[(&made, &command), (own, &release)])
}

/// `touchstone hunt` of batches of listed files.
fn command(subject: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(TOUCHSTONE);
    command.current_dir(subject.parent().unwrap()).args(["hunt", "--theme", "listed"]);
    command.args(["--jobs", "1", "--subject"]).arg(subject).args(["-o", "hunt.json"]);
    command.args(arguments).stdin(Stdio::null());
    command
}

fn hunt(subject: &Path, arguments: &[&str]) -> Output {
    command(subject, arguments).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("{output:?}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn document(place: &Path) -> Value {
    serde_json::from_slice(&fs::read(place.join("hunt.json")).unwrap()).unwrap()
}

/// What `report` makes of the document: the page, the comment, JUnit's XML.
fn forms(place: &Path) -> [String; 3] {
    let arguments = ["report", "hunt.json", "--html", "r.html", "--markdown", "r.md"];
    let mut report = Command::new(TOUCHSTONE);
    report.current_dir(place).args(arguments).args(["--junit", "r.xml"]);
    assert!(report.status().unwrap().success());
    ["r.html", "r.md", "r.xml"].map(|name| fs::read_to_string(place.join(name)).unwrap())
}

/// Holds all forms against the document's own summary; returns that.
fn alike(place: &Path, output: &Output) -> Value {
    let outcome = document(place)["outcome"].clone();
    let sentence = outcome["says"].as_str().unwrap().to_owned();
    let [page, comment, junit] = forms(place);
    for (form, told) in [("terminal", text(&output.stdout)), ("page", page), ("comment", comment)] {
        assert!(told.contains(&sentence), "{form}: no `{sentence}` in {told}");
    }
    let counted = format!(
        "failures=\"{}\" errors=\"{}\"",
        outcome["new"].as_u64().unwrap(),
        outcome["places"].as_u64().unwrap()
    );
    let first = junit.lines().nth(1).unwrap();
    assert!(first.starts_with("<testsuites ") && first.contains(&counted), "{counted}: {first}");
    let count = |what: &str| junit.matches(what).count() as u64;
    assert_eq!(Some(count("<failure ")), outcome["new"].as_u64());
    assert_eq!(Some(count("<error ")), outcome["places"].as_u64());
    outcome
}

#[test]
fn a_hunt_without_new_findings_is_green_in_every_report() {
    let place = tempfile::tempdir().unwrap();
    let ended = hunt(&fake(place.path(), "none", &[]), &["--batches", "1"]);
    assert_eq!(code(&ended), 0, "{ended:?}");
    let outcome = alike(place.path(), &ended);
    assert_eq!((&outcome["new"], &outcome["unexplained"]), (&0.into(), &0.into()));
}

#[test]
fn a_new_finding_is_counted_equally_in_every_report() {
    let place = tempfile::tempdir().unwrap();
    let ended = hunt(
        &fake(place.path(), "stops-early", &[]),
        &["--seed", "16", "--batches", "2", "--asks", "3"],
    );
    assert_eq!(code(&ended), 1, "{ended:?}");
    let outcome = alike(place.path(), &ended);
    assert!(outcome["new"].as_u64().unwrap() > 0, "{outcome}");
    assert_eq!(outcome["unexplained"], 0, "{outcome}");
}

#[test]
fn a_bug_listed_in_a_baseline_of_ones_own_is_known_until_it_is_right() {
    let place = tempfile::tempdir().unwrap();
    let question = "{tree: [{file: a, bytes: '\\n'}], ask: {patterns: [''], max_count: 1}}";
    let listed = format!(
        "program: fake\nentries:\n  - {{id: fake-stops-early, releases: {{}}, aspect: files, \
         question: {question}, reason: the fake was made to be wrong, link: none}}\n"
    );
    fs::write(place.path().join("known.yaml"), listed).unwrap();
    let arguments = ["--seed", "16", "--batches", "2", "--baseline", "known.yaml"];
    let ended = hunt(&fake(place.path(), "stops-early", &[]), &arguments);
    assert_eq!(code(&ended), 0, "{ended:?}");
    let outcome = alike(place.path(), &ended);
    assert_eq!((&outcome["new"], &outcome["known"]), (&0.into(), &1.into()), "{outcome}");
    let told = text(&ended.stdout);
    assert!(told.contains("known: fake-stops-early, met "), "{told}");
    let ended = hunt(&fake(place.path(), "none", &[]), &arguments);
    assert_eq!(code(&ended), 1, "{ended:?}");
    assert!(text(&ended.stdout).contains("no longer wrong"), "{}", text(&ended.stdout));
}

#[test]
fn an_unrepeatable_breakage_is_unexplained_and_not_green() {
    let place = tempfile::tempdir().unwrap();
    // The first three searches fail; who asks again is answered.
    let script = "case $1 in --version) GO_ON;; esac
for n in 1 2 3; do if mkdir HERE/failed$n 2>/dev/null; then exit 9; fi; done
GO_ON";
    let ended = hunt(&behind(place.path(), "none", script), &["--batches", "1"]);
    assert_eq!(code(&ended), 1, "{ended:?}");
    let outcome = alike(place.path(), &ended);
    assert_eq!(outcome["new"], 0, "{outcome}");
    assert!(outcome["unexplained"].as_u64().unwrap() > 0, "{outcome}");
    assert!(text(&ended.stdout).contains("not seen again"), "{}", text(&ended.stdout));
}

#[test]
fn an_adapter_that_cannot_read_its_program_ends_the_hunt_with_the_first_unreadable_line() {
    let place = tempfile::tempdir().unwrap();
    let adapter = fake(place.path(), "none", &[("{kind: /type,", "{kind: /what,")]);
    // A limit of batches that would take minutes: the hunt ends before.
    let ended = hunt(&adapter, &["--batches", "2000"]);
    assert_eq!(code(&ended), 2, "{ended:?}");
    let told = text(&ended.stderr);
    assert!(told.contains("cannot read") && told.contains("`lines`"), "{told}");
    let outcome = alike(place.path(), &ended);
    let unreadable = &outcome["unreadable"][0];
    let line = unreadable["line"].as_str().unwrap();
    assert!(line.contains("spans"), "{unreadable}");
    assert!(told.contains(line), "{told}");
    let cells = document(place.path())["cells"].clone();
    let sum = |field: &str| -> u64 {
        cells.as_array().unwrap().iter().map(|cell| cell[field].as_u64().unwrap()).sum()
    };
    assert!(sum("unreadable") > 0 && sum("broken") == 0 && sum("agree") > 0, "{cells}");
    assert!(document(place.path())["cost"]["asks"].as_u64().unwrap() < 2_000);
}

#[test]
fn a_program_without_any_answer_is_not_green() {
    let place = tempfile::tempdir().unwrap();
    let no_walks = [
        ("  walk: [--walk]\n", ""),
        ("  no_ignore: it", "  walk: it never walks\n  no_ignore: it"),
    ];
    let adapter = fake(place.path(), "none", &no_walks);
    let ended = hunt(&adapter, &["--batches", "1"]);
    assert_eq!(code(&ended), 0, "{ended:?}");
    let mut walks = Command::new(TOUCHSTONE);
    walks.current_dir(place.path()).args(["hunt", "--theme", "walks", "--batches", "1"]);
    let ended = walks.arg("--subject").arg(&adapter).args(["-o", "hunt.json"]).output().unwrap();
    assert_eq!(code(&ended), 2, "{ended:?}");
    assert!(text(&ended.stderr).contains("not one answer"), "{ended:?}");
    alike(place.path(), &ended);
}

/// Ends a hunt by a signal once it has found something and says so.
fn interrupted(place: &Path, signal: Signal) -> (i32, String, String) {
    let subject = fake(place, "trims-lines", &[]);
    let mut hunt = command(&subject, &["--batches", "100000", "--seed", "3"]);
    let mut hunt = hunt.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut complaints = BufReader::new(hunt.stderr.take().unwrap());
    let mut told = String::new();
    while !told.contains("asking ") {
        assert!(complaints.read_line(&mut told).unwrap() > 0, "it ended: {told}");
    }
    kill_process(Pid::from_child(&hunt), signal).unwrap();
    let rest = std::thread::spawn(move || {
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut complaints, &mut rest).map(|_| rest)
    });
    let ended = hunt.wait_with_output().unwrap();
    told += &rest.join().unwrap().unwrap();
    (code(&ended), text(&ended.stdout), told)
}

#[test]
fn an_interrupted_hunt_writes_its_document_and_can_be_resumed() {
    for signal in [Signal::INT, Signal::TERM] {
        let place = tempfile::tempdir().unwrap();
        let (status, told, complaints) = interrupted(place.path(), signal);
        // Nothing may have been asked yet, or something be wrong already: it is never green.
        assert_ne!(status, 0, "{told} {complaints}");
        let document = document(place.path());
        assert_eq!(document["interrupted"], true, "{told}");
        assert!(told.contains("touchstone hunt --resume hunt.json"), "{told}");
    }
}

#[test]
fn a_resumed_hunt_ends_like_an_uninterrupted_one() {
    use touchstone::hunt::results::Results;
    let place = tempfile::tempdir().unwrap();
    let subject = fake(place.path(), "stops-early", &[]);
    let whole = hunt(&subject, &["--seed", "16", "--batches", "2", "--asks", "3"]);
    assert_eq!(code(&whole), 1, "{whole:?}");
    let path = place.path().join("hunt.json");
    let whole = Results::read(&path).unwrap();
    // A program that waits in the middle of a batch until the hunt was interrupted.
    let asks = "n=$(cat HERE/n 2>/dev/null || echo 0); n=$((n+1)); echo $n > HERE/n
case $1 in --version) GO_ON;; esac
if [ $n -eq 20 ]; then touch HERE/now; while [ ! -e HERE/on ]; do sleep 0.05; done; fi
GO_ON";
    let slow = behind(place.path(), "stops-early", asks);
    let mut first = command(&slow, &["--seed", "16", "--batches", "2", "--asks", "3"]);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !place.path().join("now").exists() {
        assert!(first.try_wait().unwrap().is_none(), "it ended before it waited");
        std::thread::park_timeout(std::time::Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&first), Signal::INT).unwrap();
    let mut lines = BufReader::new(first.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("stopping")));
    fs::write(place.path().join("on"), "").unwrap();
    assert_ne!(first.wait().unwrap().code(), Some(0));
    let left = Results::read(&path).unwrap();
    assert!(left.interrupted && left.cost.cases < whole.cost.cases);
    let mut again = Command::new(TOUCHSTONE);
    again.current_dir(place.path()).args(["hunt", "--jobs", "1", "--asks", "3"]);
    let again = again.args(["--resume", "hunt.json"]).output().unwrap();
    assert_eq!(code(&again), 1, "{again:?}");
    let done = Results::read(&path).unwrap();
    assert!(!done.interrupted, "{}", text(&again.stdout));
    assert_eq!(done.cells, whole.cells);
    assert_eq!(done.features, whole.features);
    assert_eq!(done.relations, whole.relations);
    assert_eq!((done.cost.cases, done.cost.asks), (whole.cost.cases, whole.cost.asks));
    let ids = |results: &Results| -> Vec<String> {
        results.findings.iter().map(|finding| finding.id.clone()).collect()
    };
    assert_eq!(ids(&done), ids(&whole));
    alike(place.path(), &again);
}

#[test]
fn a_finding_is_printed_in_three_lines_with_the_next_command() {
    let place = tempfile::tempdir().unwrap();
    let ended = hunt(
        &fake(place.path(), "stops-early", &[]),
        &["--seed", "16", "--batches", "2", "--asks", "3"],
    );
    let told = text(&ended.stdout);
    let lines: Vec<&str> = told.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("  want ")).unwrap();
    assert!(lines[at + 1].starts_with("  got  "), "{told}");
    assert!(lines[at + 2].starts_with("  run  ") && lines[at + 2].contains("fake"), "{told}");
    let next = "next: touchstone report hunt.json --html hunt.html";
    assert_eq!(lines.last(), Some(&next), "{told}");
    // Elsewhere than on a terminal, progress is plain lines.
    let progress = text(&ended.stderr);
    assert!(progress.contains("asking 1 subject"), "{progress}");
    assert!(progress.lines().any(|line| line.starts_with("found ")), "{progress}");
    assert!(!progress.contains('\u{1b}') && !progress.contains('\r'), "{progress}");
}

#[test]
fn without_a_path_the_document_is_written_to_a_printed_default() {
    let place = tempfile::tempdir().unwrap();
    let subject = fake(place.path(), "none", &[]);
    let mut hunt = Command::new(TOUCHSTONE);
    hunt.current_dir(place.path()).args(["hunt", "--theme", "listed", "--batches", "1"]);
    let ended = hunt.args(["--seed", "99"]).arg("--subject").arg(&subject).output().unwrap();
    assert_eq!(code(&ended), 0, "{ended:?}");
    let told = text(&ended.stdout);
    let next = told.lines().last().unwrap();
    let file = next.strip_prefix("next: touchstone report ").unwrap().split(' ').next().unwrap();
    let kept: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(kept["seed"], 99);
    assert!(file.ends_with("fake-99.json"), "{file}");
}
