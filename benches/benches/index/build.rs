//! Cost of a build: time relative to reading every file once, peak memory, size of the index.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use forge_search_engine::IndexUse;
use serde::{Deserialize, Serialize};
use touchstone::provision::Backends;
use touchstone_benches::{config, median, peak_memory_kib};

use crate::{Bounds, PATIENCE, indexed, state};

/// The argument that makes this program build an index and report, so that its peak memory is that
/// of the build.
pub(crate) const CHILD: &str = "--build-and-report";

/// The result of a build.
#[derive(Serialize, Deserialize)]
struct Report {
    seconds: f64,
    state: String,
    files: u64,
    /// Bytes of the files whose n-grams are known.
    text: u64,
    /// Bytes of the index.
    size: u64,
    storage: String,
    peak_kib: u64,
}

/// Builds an index of the tree and prints what that took as one JSON object.
pub(crate) fn in_child(tree: &Path, cache: &Path) {
    let native = config("native", &Backends::default()).expect("the embedded backend");
    let started = Instant::now();
    let service = indexed(native, tree, cache, IndexUse::Background);
    let finished = service.index_wait(PATIENCE);
    let seconds = started.elapsed().as_secs_f64();
    let statuses = service.index_status();
    let status = statuses.first().expect("an index");
    let mut report = Report {
        seconds,
        state: if finished { state(&service) } else { format!("{}, unfinished", state(&service)) },
        files: status.files,
        text: status.indexed_bytes,
        size: status.size_bytes,
        storage: status.storage.to_owned(),
        peak_kib: 0,
    };
    service.index_shutdown();
    report.peak_kib = peak_memory_kib().unwrap_or(u64::MAX);
    println!("{}", serde_json::to_string(&report).expect("a report"));
}

/// Builds so many times, each in a fresh cache of which the last stays, in turns with reading every
/// file.
pub(crate) fn measure(tree: &Path, cache: &Path, times: usize, bounds: &mut Bounds) {
    let (mut reports, mut read) = (Vec::new(), Vec::new());
    for _ in 0..times {
        read.push(read_everything(tree));
        if cache.exists() {
            std::fs::remove_dir_all(cache).expect("the cache of the build before can go");
        }
        reports.push(child(tree, cache));
    }
    let build = median(&reports.iter().map(|report| report.seconds).collect::<Vec<_>>());
    let peak = reports.iter().map(|report| report.peak_kib / 1024).max().unwrap_or(u64::MAX);
    let (last, read) = (reports.pop().expect("a build"), median(&read));
    #[expect(clippy::cast_precision_loss, reason = "sizes of files")]
    let (text, size) = (last.text as f64, last.size as f64);
    println!(
        "build: {} files, {:.1} MB of text, {} in {}, {:.1} MB; {build:.2} s, peak {peak} MiB; find | xargs cat: {read:.2} s",
        last.files,
        text / 1e6,
        last.state,
        last.storage,
        size / 1e6
    );
    let share = size / text * 100.0;
    bounds.note(format!("index size is {share:.1} % of the text, at most 13"), share <= 13.0);
    let ratio = build / read;
    bounds.note(format!("build takes {ratio:.1} times find | xargs cat, at most 6"), ratio <= 6.0);
    bounds.note(format!("peak memory of a build is {peak} MiB, at most 600"), peak <= 600);
    bounds.note(format!("the build ends in {}", last.state), last.state == "COMPLETE");
}

fn child(tree: &Path, cache: &Path) -> Report {
    let program = std::env::current_exe().expect("this program");
    let output =
        Command::new(program).arg(CHILD).arg(tree).arg(cache).stderr(Stdio::inherit()).output();
    let output = output.expect("this program runs");
    serde_json::from_slice(&output.stdout).expect("a report of the build")
}

fn read_everything(tree: &Path) -> f64 {
    let started = Instant::now();
    let status = Command::new("sh")
        .args(["-c", "find . -type f -print0 | xargs -0 cat >/dev/null"])
        .current_dir(tree)
        .status();
    assert!(status.expect("a shell").success(), "every file can be read");
    started.elapsed().as_secs_f64()
}
