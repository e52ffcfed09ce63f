//! What happens after a change: one file, and as many as a checkout of another branch changes.
//! Works on a copy of the tree.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{IndexUse, Response, Service};
use serde_json::{Value, json};
use touchstone::provision::Backends;
use touchstone_benches::{config, median, p99, service, time_call};

use crate::{Bounds, PATIENCE, indexed, state};

/// Files changed one at a time.
const SINGLE: usize = 50;
/// Files changed at once.
const CHECKOUT: usize = 3_000;
/// What stands in few files and tells how fast a search is: nothing that is changed here has it.
const PROBE: &str = "i915_gem_object_pin_map_unlocked";
/// Fast again: at most this many times what it took before.
const FAST: f64 = 3.0;

/// Measures both kinds of change.
pub(crate) fn measure(tree: &Path, scratch: &Path, backends: &Backends, bounds: &mut Bounds) {
    let copy = scratch.join("tree");
    let copied = Command::new("cp").args(["-a", "--reflink=auto"]).arg(tree).arg(&copy).status();
    assert!(copied.expect("cp runs").success(), "the tree can be copied");
    let copy = copy.canonicalize().expect("the copy is there");
    let mut settings = config("native", backends).expect("the embedded backend");
    // How long changes are collected is a matter of taste, and would be most of what is measured.
    settings.index.index_watch_debounce_ms = 0;
    let cache = scratch.join("cache-of-copy");
    let subject = indexed(settings.clone(), &copy, &cache, IndexUse::Background);
    assert!(subject.index_wait(PATIENCE), "the copy is indexed: {}", state(&subject));
    let plain = service(&copy, "native", backends).expect("the embedded backend");
    let files = sources(&copy);
    println!("\nchanges: {} C files, {}", files.len(), state(&subject));
    one_by_one(&subject, &files, bounds);
    checkout(&subject, &plain, &files, bounds);
    subject.index_shutdown();
    drop(subject);
    step_by_step(&indexed(settings, &copy, &cache, IndexUse::Stepped), &files);
}

fn sources(tree: &Path) -> Vec<PathBuf> {
    let found = Command::new("find").arg(tree).args(["-type", "f", "-name", "*.c"]).output();
    let found = found.expect("find runs").stdout;
    let mut files: Vec<PathBuf> =
        String::from_utf8_lossy(&found).lines().map(PathBuf::from).collect();
    files.sort();
    files
}

/// `count` of them, spread over the tree.
fn spread(files: &[PathBuf], count: usize) -> impl Iterator<Item = &PathBuf> {
    files.iter().step_by((files.len() / count).max(1)).take(count)
}

fn literal(pattern: &str) -> Value {
    json!({"pattern": pattern, "fixed_strings": true, "case": "sensitive", "max_results": 200, "timeout_ms": 120_000})
}

fn ask(service: &Service, pattern: &str) -> Response {
    service.call("Search", &literal(pattern)).expect("an answer")
}

fn ms(took: Duration) -> f64 {
    took.as_secs_f64() * 1000.0
}

/// A file with a line more.
fn with_line(file: &Path, line: &str) -> Vec<u8> {
    let mut text = fs::read(file).expect("a file of the tree");
    text.extend_from_slice(format!("\n/* {line} */\n").as_bytes());
    text
}

fn one_by_one(subject: &Service, files: &[PathBuf], bounds: &mut Bounds) {
    let (mut seen, mut committed, mut found) = (Vec::new(), Vec::new(), 0);
    for (number, file) in spread(files, SINGLE).enumerate() {
        let token = format!("zq_edit_{number}_zq");
        fs::write(file, with_line(file, &token)).expect("the copy can be changed");
        let written = Instant::now();
        found += ask(subject, &token).count;
        seen.push(ms(written.elapsed()));
        assert!(subject.index_wait(PATIENCE), "a change is taken in");
        committed.push(ms(written.elapsed()));
    }
    println!(
        "one file changed: the next search answers after {:.2} ms (p99 {:.2}), everything stored after {:.2} ms (p99 {:.2})",
        median(&seen),
        p99(&seen),
        median(&committed),
        p99(&committed)
    );
    let took = median(&committed);
    bounds.note(format!("a change is committed in {took:.2} ms, at most 5"), took <= 5.0);
    bounds.note(
        format!("{found} of {SINGLE} changes seen by the next search"),
        found == SINGLE as u64,
    );
}

/// The work alone: no thread to be woken, and nothing that runs beside it.
fn step_by_step(subject: &Service, files: &[PathBuf]) {
    let settle = || {
        let started = Instant::now();
        while !subject.index_wait(Duration::ZERO) && started.elapsed() < PATIENCE {
            subject.index_turn();
        }
        ms(started.elapsed())
    };
    settle();
    let mut work = Vec::new();
    for (number, file) in spread(files, SINGLE).enumerate() {
        let token = format!("zq_step_{number}_zq");
        fs::write(file, with_line(file, &token)).expect("the copy can be changed");
        assert_eq!(ask(subject, &token).count, 1, "the change is seen");
        work.push(settle());
    }
    println!("one file changed, the work alone: {:.2} ms (p99 {:.2})", median(&work), p99(&work));
}

fn checkout(subject: &Service, plain: &Service, files: &[PathBuf], bounds: &mut Bounds) {
    let probe = |service: &Service| ms(time_call(service, &literal(PROBE)).expect("an answer"));
    let before = median(&(0..9).map(|_| probe(subject)).collect::<Vec<_>>());
    let token = "zq_checkout_zq";
    for file in spread(files, CHECKOUT) {
        let text = with_line(file, token);
        // As git does it: a new file takes the name.
        fs::remove_file(file).expect("the copy can be changed");
        fs::write(file, text).expect("the copy can be changed");
    }
    let written = Instant::now();
    let answer = ask(subject, token);
    let first = ms(written.elapsed());
    let mut fast = 0;
    let mut since = f64::NAN;
    while fast < 3 && written.elapsed() < PATIENCE {
        if fast == 0 {
            since = ms(written.elapsed());
        }
        fast = if probe(subject) <= before * FAST { fast + 1 } else { 0 };
    }
    let waited = subject.index_wait(PATIENCE);
    let stored = ms(written.elapsed());
    // Only now, because meanwhile the index would have gone on.
    let right = ask(plain, token);
    let same = answer.matches == right.matches && answer.files_scanned == right.files_scanned;
    println!(
        "{CHECKOUT} files changed: the next search answers after {first:.1} ms; fast again ({before:.2} ms before) after {since:.0} ms; \
         everything stored after {stored:.0} ms; {}",
        state(subject)
    );
    bounds
        .note(format!("after a checkout the next search is right ({} events)", answer.count), same);
    bounds
        .note(format!("and searches are fast again after {since:.0} ms, seconds"), since < 5_000.0);
    bounds.note(format!("and everything is stored after {stored:.0} ms"), waited);
}
