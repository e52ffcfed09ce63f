//! Workers that behave and workers that do not.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use touchstone::as_written::{AsWritten, ExpectedOutput, Program};
use touchstone::case::{Case, Contents, Entry, Node};
use touchstone::provision::{Backends, required_backends};
use touchstone::runner::{Runner, RunnerError, RunnerOptions};
use touchstone::subject::{Backend, Broken, Observation, SubjectSpec};
use touchstone::worker::{PROTOCOL, Reply};

const WORKER: &str = env!("CARGO_BIN_EXE_touchstone");

/// Ends before any deadline of the tests, so that a script that is not killed is seen to be alive.
const LONG: Duration = Duration::from_secs(60);

fn runner() -> Runner {
    Runner::new(RunnerOptions { worker: Some(WORKER.into()), ..RunnerOptions::default() }).unwrap()
}

fn runner_with_backends() -> Runner {
    let backends = required_backends().unwrap_or_else(|error| panic!("{error}"));
    Runner::new(RunnerOptions { worker: Some(WORKER.into()), backends, ..RunnerOptions::default() })
        .unwrap()
}

fn native() -> SubjectSpec {
    SubjectSpec::forge(Backend::Native)
}

fn case(request: Value) -> Case {
    Case::new("a", "a case", request)
}

/// A runner whose worker is a shell script. It says hello; `script` is what it does with the next
/// job, which it finds in `$job`, the directory it may write to in `$work`, and the job's own in
/// `$scratch`.
fn scripted(script: &str, deadline: Duration, backends: Backends) -> (tempfile::TempDir, Runner) {
    let directory = tempfile::tempdir().unwrap();
    let worker = directory.path().join("worker.sh");
    let hello = serde_json::to_string(&Reply::Hello { protocol: PROTOCOL, uid: 1 }).unwrap();
    let text = format!(
        r#"#!/bin/sh
here=$(dirname "$0")
work="$here/../work"
read -r job
case "$job" in '"hello"') printf '%s\n' '{hello}'; read -r job;; esac
scratch=$(printf '%s' "$job" | sed 's/.*"scratch":"\([^"]*\)".*/\1/')
{script}
"#
    );
    fs::write(&worker, text).unwrap();
    fs::set_permissions(&worker, Permissions::from_mode(0o755)).unwrap();
    let options =
        RunnerOptions { worker: Some(worker), deadline, backends, ..RunnerOptions::default() };
    (directory, Runner::new(options).unwrap())
}

fn left_in(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Waits until `holds`, for a while.
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < until, "{what}");
        thread::park_timeout(Duration::from_millis(5));
    }
}

fn is_alive(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.trim())).unwrap_or_default();
    // A zombie is dead; whoever inherited it has not asked yet.
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
}

fn errors(observation: &Observation) -> Vec<(String, String)> {
    let response = observation.as_ref().unwrap();
    let text = |problem: &Value, key: &str| problem[key].as_str().unwrap().to_owned();
    let problems = response["errors"].as_array().unwrap().iter();
    problems.map(|problem| (text(problem, "path"), text(problem, "error"))).collect()
}

fn paths(observation: &Observation) -> Vec<String> {
    let events = observation.as_ref().unwrap()["matches"].as_array().unwrap();
    events.iter().map(|event| event["data"]["path"]["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_unreadable_entry_cannot_be_read_under_any_user() {
    let runner = runner();
    let case = case(json!({"pattern": "foo"}))
        .with(Entry::file("a.txt", "foo\n"))
        .with(Entry::file("b.txt", "foo\n").unreadable())
        .with(Entry::dir("c").unreadable())
        .with(Entry::file("c/d.txt", "foo\n"));
    let observation = runner.run(&case, &native()).unwrap();
    assert_eq!(paths(&observation), ["a.txt"]);
    let denied = |path: &str| (path.to_owned(), "permission denied".to_owned());
    assert_eq!(errors(&observation), [denied("b.txt"), denied("c")]);
    assert!(left_in(runner.scratch_directory()).is_empty());
}

#[test]
fn names_that_are_not_utf8_reach_the_service_unchanged() {
    let runner = runner();
    let mut case = case(json!({"pattern": "foo"}));
    let names: [&[u8]; 4] = [b"n\nl", "e\u{301}".as_bytes(), "\u{e9}".as_bytes(), b"\xff\xfe"];
    for name in names {
        case.tree.push(Entry::file(name, "foo\n"));
    }
    let observation = runner.run(&case, &native()).unwrap();
    let mut found = paths(&observation);
    found.sort();
    let mut expected = names.map(|name| String::from_utf8_lossy(name).into_owned());
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn request_and_answer_do_not_reveal_the_sandbox_path() {
    let runner = runner();
    let case = case(json!({"pattern": "foo", "path": "{root}/sub"}))
        .with(Entry::file("sub/a.txt", "foo\n"));
    let observation = runner.run(&case, &native()).unwrap();
    assert_eq!(paths(&observation), ["sub/a.txt"]);
    let outside = Case { request: json!({"pattern": "foo", "path": "/"}), ..case };
    let refused = runner.run(&outside, &native()).unwrap().unwrap_err();
    assert_eq!(refused["class"], "SandboxViolation");
    assert!(
        !refused.to_string().contains(runner.scratch_directory().to_str().unwrap()),
        "{refused}"
    );
}

#[test]
fn every_backend_gives_the_same_answer_in_every_circumstance() {
    let runner = runner_with_backends();
    let case = case(json!({"pattern": "fo+", "context": 1, "case": "insensitive"}))
        .with(Entry::file("b/a.txt", "x\nFOO\ny\n"))
        .with(Entry::file("b.txt", "foo"))
        .with(Entry::fifo("pipe"))
        .with(Entry {
            path: b"big".to_vec(),
            node: Node::File {
                contents: Contents::of([(b"x\n".to_vec(), 10_000), (b"foo\n".to_vec(), 1)]),
                readable: true,
            },
        });
    let expected = runner.run(&case, &native()).unwrap();
    assert_eq!(paths(&expected), ["b.txt", "b/a.txt", "b/a.txt", "b/a.txt", "big", "big"]);
    for backend in Backend::ALL {
        let plain = SubjectSpec::forge(backend);
        let variations = [
            plain.clone(),
            plain.clone().with_threads(1),
            plain.clone().with_threads(3).with_creation_order(7),
            plain.clone().with_environment("LC_ALL", "C").with_environment("TZ", "Asia/Kathmandu"),
        ];
        for spec in variations {
            assert_eq!(runner.run(&case, &spec).as_ref(), Ok(&expected), "{spec:?}");
        }
        assert_eq!(runner.run(&case, &plain).as_ref(), Ok(&expected));
    }
}

#[test]
fn a_case_without_a_backend_is_refused_by_the_service() {
    let runner = runner();
    let mut case = case(json!({"pattern": "foo"}));
    case.config.backend_available = Some(false);
    let refused = runner.run(&case, &native()).unwrap().unwrap_err();
    assert_eq!(
        (&refused["class"], &refused["field"]),
        (&json!("ExecutionFailed"), &json!("backend"))
    );
}

#[test]
fn a_missing_backend_is_broken_and_not_an_answer() {
    let broken = runner()
        .run(&case(json!({"pattern": "foo"})), &SubjectSpec::forge(Backend::Ripgrep))
        .unwrap_err();
    assert!(broken.to_string().contains("ripgrep"), "{broken}");
}

#[test]
fn each_thread_gets_the_answer_to_its_case() {
    let runner = runner();
    thread::scope(|scope| {
        for thread in 0..4 {
            let runner = &runner;
            scope.spawn(move || {
                for round in 0..5 {
                    let name = format!("{thread}-{round}.txt");
                    let case =
                        case(json!({"pattern": "foo"})).with(Entry::file(name.as_str(), "foo\n"));
                    assert_eq!(paths(&runner.run(&case, &native()).unwrap()), [name]);
                }
            });
        }
    });
    assert!(left_in(runner.scratch_directory()).is_empty());
}

#[test]
fn a_worker_that_dies_is_broken_with_the_end_of_its_output() {
    let script = "head -c 100000 /dev/zero | tr '\\0' 'x' >&2; echo the-end >&2; exit 3";
    let (_script, runner) = scripted(script, LONG, Backends::default());
    let broken = runner.run(&case(json!({})), &native()).unwrap_err();
    let Broken::Died { status, stderr } = broken else { panic!("{broken:?}") };
    assert!(status.contains('3'), "{status}");
    assert!(stderr.len() <= 4096, "{}", stderr.len());
    assert!(stderr.ends_with("the-end"), "{stderr}");
}

#[test]
fn a_hanging_worker_is_killed_with_its_children_and_leftovers() {
    let script = r#"
mkdir -p "$scratch/tree/closed/in"; chmod 000 "$scratch/tree/closed"
(sleep 600 & echo $! > "$work/pids.new")
setsid sleep 600 & echo $! >> "$work/pids.new"
echo $$ >> "$work/pids.new"; mv "$work/pids.new" "$work/pids"
sleep 600
"#;
    let (_script, runner) = scripted(script, Duration::from_millis(1500), Backends::default());
    let broken = runner.run(&case(json!({})), &native()).unwrap_err();
    assert!(matches!(broken, Broken::Hung { .. }), "{broken:?}");
    let pids = runner.scratch_directory().join("pids");
    assert_eq!(
        left_in(runner.scratch_directory()),
        std::slice::from_ref(&pids),
        "only what the script recorded is left"
    );
    let recorded = fs::read_to_string(pids).unwrap();
    assert_eq!(
        recorded.lines().count(),
        3,
        "an orphan of its group, a child in a group of its own, itself"
    );
    for process in recorded.lines() {
        eventually("a process outlived its worker", || !is_alive(process));
    }
}

#[test]
fn a_worker_with_unreadable_output_is_broken() {
    for nonsense in [
        "echo nonsense",
        "echo '{\"observed\":3}'",
        "echo '{\"read\":{\"lines\":[],\"exit\":0,\"stdout\":\"\",\"stderr\":\"\"}}'",
    ] {
        let (_script, runner) = scripted(nonsense, LONG, Backends::default());
        let broken = runner.run(&case(json!({})), &native()).unwrap_err();
        assert!(matches!(broken, Broken::Garbled { .. }), "{nonsense}: {broken:?}");
    }
    let (_script, runner) = scripted("printf '{\"observed\"'", LONG, Backends::default());
    let broken = runner.run(&case(json!({})), &native()).unwrap_err();
    assert!(matches!(broken, Broken::Died { .. }), "{broken:?}");
}

#[test]
fn a_broken_worker_is_replaced() {
    // The script finds the real worker among the backends, which are copied to where it may go.
    let backends = Backends { ripgrep: Some(WORKER.into()), ugrep: None };
    let script = r#"if mkdir "$work/first" 2>/dev/null; then exit 3; fi"#;
    let script =
        format!("{script}\n{{ printf '%s\\n' \"$job\"; cat; }} | \"$here/ripgrep\" worker");
    let (_script, runner) = scripted(&script, LONG, backends);
    let case = case(json!({"pattern": "foo"})).with(Entry::file("a.txt", "foo\n"));
    assert!(matches!(runner.run(&case, &native()), Err(Broken::Died { .. })));
    assert_eq!(paths(&runner.run(&case, &native()).unwrap()), ["a.txt"]);
}

#[test]
fn a_worker_that_reported_breakage_is_not_asked_again() {
    let script = r#"echo '{"broken":{"panicked":{"message":"oops"}}}'; read -r job; echo '{"observed":{"Ok":{}}}'"#;
    let (_script, runner) = scripted(script, LONG, Backends::default());
    for _ in 0..2 {
        let broken = runner.run(&case(json!({})), &native()).unwrap_err();
        assert_eq!(broken, Broken::Panicked { message: "oops".to_owned() });
    }
}

#[test]
fn a_subject_has_exactly_the_environment_of_its_worker() {
    let script =
        r#"printf '{"broken":{"garbled":{"reason":"%s|%s|%s"}}}\n' "$LC_ALL" "$TZ" "$HOME""#;
    let (_script, runner) = scripted(script, LONG, Backends::default());
    let spec = native().with_environment("LC_ALL", "C").with_environment("TZ", "UTC");
    let broken = runner.run(&case(json!({})), &spec).unwrap_err();
    assert_eq!(broken, Broken::Garbled { reason: "C|UTC|".to_owned() });
}

#[test]
fn a_dropped_runner_leaves_no_directory() {
    let runner = runner();
    let base = runner.scratch_directory().parent().unwrap().to_owned();
    runner.run(&case(json!({"pattern": "foo"})), &native()).unwrap().unwrap();
    assert!(base.is_dir());
    drop(runner);
    assert!(!base.exists());
}

#[test]
fn leftovers_of_a_killed_runner_are_swept_and_those_in_use_are_not() {
    let parent = tempfile::tempdir().unwrap();
    fs::set_permissions(parent.path(), Permissions::from_mode(0o755)).unwrap();
    let [dead, alive, foreign] =
        ["touchstone-dead", "touchstone-alive", "other"].map(|name| parent.path().join(name));
    for directory in [&dead, &alive, &foreign] {
        fs::create_dir(directory).unwrap();
        fs::write(directory.join("lock"), "").unwrap();
    }
    let held = fs::File::open(alive.join("lock")).unwrap();
    held.lock().unwrap();
    let scratch = Some(parent.path().to_owned());
    let options =
        RunnerOptions { worker: Some(WORKER.into()), scratch, ..RunnerOptions::default() };
    let _runner = Runner::new(options).unwrap();
    assert!(!dead.exists());
    assert!(alive.exists() && foreign.exists());
}

#[test]
fn a_missing_or_outdated_worker_is_refused_with_the_fix() {
    let options =
        |worker: PathBuf| RunnerOptions { worker: Some(worker), ..RunnerOptions::default() };
    let error = Runner::new(options("/nonexistent/worker".into())).unwrap_err();
    assert!(matches!(error, RunnerError::Scratch { .. } | RunnerError::NoWorker { .. }), "{error}");
    let directory = tempfile::tempdir().unwrap();
    let worker = directory.path().join("old.sh");
    let hello = serde_json::to_string(&Reply::Hello { protocol: PROTOCOL + 1, uid: 1 }).unwrap();
    fs::write(&worker, format!("#!/bin/sh\nread -r job\necho '{hello}'\n")).unwrap();
    fs::set_permissions(&worker, Permissions::from_mode(0o755)).unwrap();
    let error = Runner::new(options(worker)).unwrap_err();
    assert!(matches!(error, RunnerError::Protocol { .. }), "{error}");
    assert!(error.to_string().contains("cargo build"), "{error}");
}

fn with_letter(program: Program, args: &[&str], shows: ExpectedOutput) -> Case {
    let mut case = case(json!({"pattern": "foo"}))
        .with(Entry::file("a.txt", "foo\nx\nfoo\n"))
        .with(Entry::file("sub/b.txt", "foo\n"))
        .with(Entry::file("no.txt", "foo\n").unreadable());
    let args = args.iter().map(|argument| (*argument).to_owned()).collect();
    case.as_written =
        Some(AsWritten { program, args, env: [].into(), stdin: None, cwd: ".".to_owned(), shows });
    case
}

#[test]
fn a_reference_output_is_read_by_the_named_program() {
    let runner = runner_with_backends();
    let lines =
        || ExpectedOutput::Lines(["a.txt:1", "a.txt:3", "sub/b.txt:1"].map(str::to_owned).to_vec());
    for (program, args) in [
        (Program::Ripgrep, &["-n", "-H", "--no-heading", "foo"][..]),
        (Program::Ugrep, &["-r", "-n", "-H", "foo", "."][..]),
    ] {
        let case = with_letter(program, args, lines());
        let reading = runner.run_as_written(&case).unwrap();
        case.as_written
            .as_ref()
            .unwrap()
            .holds(&reading)
            .unwrap_or_else(|error| panic!("{program:?}: {error}"));
        assert!(
            reading.stderr.contains("no.txt"),
            "{program:?} complains about the unreadable file: {reading:?}"
        );
    }
    let case = with_letter(Program::Ripgrep, &["["], ExpectedOutput::Exit { exit: 2 });
    case.as_written.as_ref().unwrap().holds(&runner.run_as_written(&case).unwrap()).unwrap();
    assert!(left_in(runner.scratch_directory()).is_empty());
}

#[test]
fn a_case_without_a_reference_output_has_no_reading() {
    assert!(matches!(runner().run_as_written(&case(json!({}))), Err(Broken::Garbled { .. })));
}
