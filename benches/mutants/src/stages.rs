//! The tests that are run against a mutant, which of them reach it, and what they say.
//!
//! Responsible for: the list of tests, one run of all without a mutant, and runs of one test with
//! one. Not here: which mutants. Invariants: a test runs in a process of its own, with a limit of
//! time and memory, and what it started ends with it; a failure counts only if it comes again and
//! does not come without the mutant.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Arguments;

/// Tests that read the sources, which are other ones here, and those that measure this machine.
const LEFT_OUT: [&str; 3] = ["tidy::", "freshness::", "releases::"];

/// Suites of `touchstone check`, each of them a test, with how many cases. `index-model` takes five
/// minutes where nothing is optimised; tests compare the same areas over a sample of its inputs.
const SUITES: [(&str, &str); 10] = [
    ("lockstep", "60"),
    ("metamorphic", "30"),
    ("regressions", "1"),
    ("errata", "1"),
    ("goldens", "1"),
    ("search-files", "60"),
    ("agent-tools", "60"),
    ("keyword", "60"),
    ("index", "20"),
    ("index-crash", "10"),
];

/// Memory of a test, in KiB, and how long a file may become, in blocks of 512 bytes.
const BOUNDS: &str = "ulimit -v 12000000; ulimit -f 4000000; exec \"$@\"";

/// One test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Test {
    pub name: String,
    executable: PathBuf,
    arguments: Vec<String>,
    directory: PathBuf,
    /// Without a mutant, in seconds.
    pub seconds: f64,
    /// The mutants that it reaches.
    pub reaches: BTreeSet<usize>,
}

/// How a run of a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Passed,
    Failed,
    TimedOut,
}

/// All tests of the executables that a build has made, and the suites.
pub fn list(tree: &Path, messages: &[Value]) -> anyhow::Result<Vec<Test>> {
    let mut tests = Vec::new();
    for message in messages {
        let Some(executable) = message["executable"].as_str() else { continue };
        let directory = Path::new(message["manifest_path"].as_str().unwrap_or_default()).parent();
        let directory = directory.context("a manifest lies in a directory")?.to_owned();
        let target = message["target"]["name"].as_str().unwrap_or_default();
        if message["profile"]["test"] != true {
            if target == "touchstone" {
                for (suite, cases) in SUITES {
                    let line = format!("check --suite {suite} --cases {cases} --out OUT --results OUT");
                    tests.push(Test {
                        name: format!("check --suite {suite} --cases {cases}"),
                        executable: executable.into(),
                        arguments: line.split(' ').map(str::to_owned).collect(),
                        directory: tree.to_owned(),
                        seconds: 0.0,
                        reaches: BTreeSet::new(),
                    });
                }
            }
            continue;
        }
        let listed = Command::new(executable).args(["--list", "--format", "terse"]).output()?;
        for line in String::from_utf8(listed.stdout)?.lines() {
            let Some(name) = line.strip_suffix(": test") else { continue };
            if !LEFT_OUT.iter().any(|left| name.contains(left)) {
                tests.push(Test {
                    name: format!("{target} {name}"),
                    executable: executable.into(),
                    arguments: vec!["--exact".to_owned(), name.to_owned()],
                    directory: directory.clone(),
                    seconds: 0.0,
                    reaches: BTreeSet::new(),
                });
            }
        }
    }
    ensure!(!tests.is_empty(), "there are no tests");
    Ok(tests)
}

/// Runs work items on threads, in order.
pub fn each<T: Sync>(items: &[T], threads: usize, work: impl Fn(usize, &T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, work) = (&next, &work);
            scope.spawn(move || {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(thread, item);
                }
            });
        }
    });
}

/// Runs all tests without a mutant; returns those that passed, and the names of those that did not.
pub fn baseline(
    tests: &[Test],
    scratch: &Path,
    arguments: &Arguments,
) -> anyhow::Result<(Vec<Test>, Vec<String>)> {
    let limit = Duration::from_secs(arguments.slowest);
    let done = Mutex::new((Vec::new(), Vec::new()));
    let begun = AtomicUsize::new(0);
    each(tests, arguments.threads, |thread, test| {
        let number = begun.fetch_add(1, Ordering::Relaxed);
        if number.is_multiple_of(100) {
            let _ = writeln!(std::io::stderr(), "test {number} of {}", tests.len());
        }
        let place = place(thread);
        let log = scratch.join(format!("reached-{thread}"));
        let mut now = test.clone();
        let mut why = "red";
        for _ in 0..2 {
            // Workers of the harness run as another user.
            let opened = fs::write(&log, "")
                .and_then(|()| fs::set_permissions(&log, fs::Permissions::from_mode(0o666)));
            let begun = Instant::now();
            let ended = run(test, None, Some(&log), limit, &place);
            if opened.is_ok() && matches!(ended, Ok(Ended::Passed)) {
                now.seconds = begun.elapsed().as_secs_f64();
                let text = fs::read_to_string(&log).unwrap_or_default();
                now.reaches = text.lines().filter_map(|line| line.parse().ok()).collect();
                if let Ok(mut done) = done.lock() {
                    done.0.push(now);
                }
                return;
            }
            if matches!(ended, Ok(Ended::TimedOut)) {
                why = "slow";
                break;
            }
        }
        if let Ok(mut done) = done.lock() {
            let _ = writeln!(std::io::stderr(), "{why} without a mutant: {}", test.name);
            done.1.push(format!("{why}: {}", test.name));
        }
    });
    Ok(done.into_inner().unwrap_or_default())
}

/// What the tests that reach a mutant say of it.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Killed,
    TimedOut,
    Survived,
    /// Time ran out before all tests that reach it had run.
    Undecided,
}

/// Runs the tests that reach a mutant, those first that reach few and are quick; returns who
/// noticed, and how many ran.
pub fn judge(
    mutant: usize,
    tests: &[Test],
    patience: Duration,
    place: &Path,
) -> anyhow::Result<(Verdict, Option<String>, usize, usize)> {
    let mut reaching: Vec<&Test> = tests.iter().filter(|test| test.reaches.contains(&mutant)).collect();
    let cost = |test: &Test| test.seconds * test.reaches.len() as f64;
    reaching.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    let begun = Instant::now();
    for (index, test) in reaching.iter().enumerate() {
        if begun.elapsed() + Duration::from_secs_f64(test.seconds) > patience {
            return Ok((Verdict::Undecided, None, index, reaching.len()));
        }
        let limit = Duration::from_secs_f64(20.0 + test.seconds * 5.0);
        let ended = run(test, Some(mutant), None, limit, place)?;
        // A clock may have struck because the machine was busy.
        if ended != Ended::Passed
            && run(test, Some(mutant), None, limit, place)? != Ended::Passed
            && run(test, None, None, limit, place)? == Ended::Passed
        {
            let verdict = if ended == Ended::TimedOut { Verdict::TimedOut } else { Verdict::Killed };
            return Ok((verdict, Some(test.name.clone()), index + 1, reaching.len()));
        }
    }
    Ok((Verdict::Survived, None, reaching.len(), reaching.len()))
}

/// A directory for temporary files of one thread, outside the checkout, whose ignore files would
/// have a say.
pub fn place(thread: usize) -> PathBuf {
    std::env::temp_dir().join(format!("mutants-{}-{thread}", std::process::id()))
}

/// Runs one test with a directory of its own for temporary files.
fn run(
    test: &Test,
    mutant: Option<usize>,
    log: Option<&Path>,
    limit: Duration,
    place: &Path,
) -> anyhow::Result<Ended> {
    let _ = fs::remove_dir_all(place);
    fs::create_dir_all(place)?;
    fs::set_permissions(place, fs::Permissions::from_mode(0o777))?;
    let out = place.join("out").display().to_string();
    let mut command = Command::new("sh");
    command.args(["-c", BOUNDS, "sh"]).arg(&test.executable);
    command.args(test.arguments.iter().map(|one| if one == "OUT" { &out } else { one }));
    command.current_dir(&test.directory).process_group(0).env("TMPDIR", place).env("INSTA_UPDATE", "no");
    command.env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1").env("CARGO_MANIFEST_DIR", &test.directory);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    for (name, value) in [
        ("TOUCHSTONE_MUTANT", mutant.map(|which| which.to_string())),
        ("TOUCHSTONE_MUTANT_LOG", log.map(|path| path.display().to_string())),
    ] {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let mut child = command.spawn()?;
    let begun = Instant::now();
    let ended = loop {
        if let Some(status) = child.try_wait()? {
            break if status.success() { Ended::Passed } else { Ended::Failed };
        }
        if begun.elapsed() > limit {
            break Ended::TimedOut;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    // What it left behind, and itself if it goes on.
    let group = format!("-{}", child.id());
    Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status()?;
    child.wait()?;
    let _ = fs::remove_dir_all(place);
    Ok(ended)
}
