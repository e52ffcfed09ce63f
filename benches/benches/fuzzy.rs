//! Fuzzy lines of source text, in megabytes a second on one core, beside an exact search of the
//! same bytes with `memmem`.
//!
//! `cargo bench -p touchstone-benches --bench fuzzy` prints criterion's figures, then the medians
//! of paired rounds. The text is held in memory: source files of the tree that the other benches
//! search, one after the other, and two texts made to be unfavourable. What is timed is what a
//! search of one file does: lines are proposed, and each proposed line is asked for its best
//! window.

#![expect(clippy::expect_used, reason = "a bench that cannot run says so and ends")]
#![expect(clippy::cast_precision_loss, reason = "rates are shown with three digits")]

use std::{hint::black_box, path::Path, time::Instant};

use criterion::{Criterion, Throughput};
use forge_search_core::{scan::Proposer as _, similarity::Similarity, text::line_at};
use memchr::memmem;
use touchstone_benches::{corpus, quantile, sources};

/// Bytes of source text that are read at most.
const TEXT: usize = 64 << 20;

/// Bytes handed to a proposer at once, as the scan of a file does.
const BLOCK: usize = 1 << 20;

/// Paired rounds.
const ROUNDS: usize = 9;

/// Exact searches to a round: one alone is over before the system's account of the processor's time
/// moves on.
const EXACT: usize = 20;

const THRESHOLD: f64 = 0.8;

/// Queries of 5, 12, 32 and 64 characters, and one that is similar to many lines.
const QUERIES: [(&str, &str); 6] = [
    ("5 characters", "fixme"),
    ("5, on many lines", "retrn"),
    ("12 characters", "futex_wait_r"),
    ("12, words", "unsigned lon"),
    ("32 characters", "deferred_probe_pending_work_list"),
    ("64 characters", "you should have received a copy of the gnu general public licens"),
];

/// Every n-th source file, so that the texts are from all over the tree, as blocks that end with a
/// line.
fn blocks(tree: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    sources(tree, &mut paths);
    let (mut blocks, mut block, mut bytes) = (Vec::new(), String::new(), 0);
    for path in paths.iter().step_by((paths.len() / 5_000).max(1)) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        if text.len() > BLOCK {
            continue;
        }
        bytes += text.len();
        block += &text;
        if !block.is_empty() && !block.ends_with('\n') {
            block.push('\n');
        }
        if block.len() >= BLOCK {
            blocks.push(std::mem::take(&mut block));
        }
        if bytes > TEXT {
            break;
        }
    }
    blocks.extend((!block.is_empty()).then_some(block));
    blocks
}

/// Lines that are all within the distance bound of a query of 12 characters, and none of which
/// reaches the threshold.
fn nearly() -> Vec<String> {
    let line = "\tif (futex_wuot_qz(uaddr, flags, val, abs_time, bitset))\n";
    vec![line.repeat(BLOCK / line.len()); 8]
}

/// Source text in which every line has a comment that is not ASCII.
fn beyond_ascii(blocks: &[String]) -> Vec<String> {
    let noted = |block: &String| {
        block.lines().flat_map(|line| [line, " // größer als müßig\n"]).collect::<String>()
    };
    blocks.iter().step_by(4).map(noted).collect()
}

fn bytes(blocks: &[String]) -> f64 {
    blocks.iter().map(String::len).sum::<usize>() as f64
}

/// Lines proposed, and lines with a window at the threshold.
fn fuzzy(similarity: &Similarity, blocks: &[String]) -> (usize, usize) {
    let (mut proposals, mut lines) = (0, 0);
    for block in blocks {
        let (text, mut from) = (block.as_bytes(), 0);
        let mut proposer = similarity.proposer();
        while from < text.len() {
            let next = proposer.next(text, from, &mut || true).unwrap_or_default();
            let Some(line) = next.and_then(|at| line_at(text, at)) else { break };
            let visible = block.get(line.start..line.end).expect("lines end where characters end");
            let window = similarity.best_window(visible, &mut || true).expect("nobody interrupts");
            proposals += 1;
            lines += usize::from(window.is_some());
            from = line.end + 1;
        }
    }
    (proposals, lines)
}

/// Lines with the query itself.
fn exact(query: &str, blocks: &[String]) -> usize {
    let finder = memmem::Finder::new(query);
    let mut lines = 0;
    for block in blocks {
        let (text, mut from) = (block.as_bytes(), 0);
        while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest)) {
            lines += 1;
            from = line_at(text, from + at).map_or(text.len(), |line| line.end + 1);
        }
    }
    lines
}

/// Megabytes a second of processor time, where the system tells how much this thread has had
/// (Linux), so that a busy machine does not matter; else of the clock.
fn rate<T>(bytes: f64, work: impl FnOnce() -> T) -> f64 {
    let (processor, clock) = (on_processor(), Instant::now());
    black_box(work());
    let elapsed = clock.elapsed().as_secs_f64();
    let took =
        processor.zip(on_processor()).map_or(elapsed, |(before, after)| (after - before) / 1e9);
    bytes / took / 1e6
}

/// Nanoseconds this thread has run.
fn on_processor() -> Option<f64> {
    std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

fn table(name: &str, blocks: &[String], queries: &[(&str, &str)]) {
    println!("\n{name}: {:.1} MB", bytes(blocks) / 1e6);
    println!(
        "{:<18} {:>9} {:>9} {:>12} {:>12} {:>14} {:>12}",
        "query", "proposed", "lines", "MB/s, median", "slowest", "memmem, MB/s", "times exact"
    );
    for (label, query) in queries {
        let similarity = Similarity::new(query, THRESHOLD, true);
        let (proposed, lines) = fuzzy(&similarity, blocks);
        let (mut own, mut plain, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let fuzzily = rate(bytes(blocks), || fuzzy(&similarity, blocks));
            let exactly = rate(bytes(blocks) * EXACT as f64, || {
                (0..EXACT).map(|_| exact(query, black_box(blocks))).sum::<usize>()
            });
            own.push(fuzzily);
            plain.push(exactly);
            ratios.push(exactly / fuzzily);
        }
        for values in [&mut own, &mut plain, &mut ratios] {
            values.sort_by(f64::total_cmp);
        }
        println!(
            "{label:<18} {proposed:>9} {lines:>9} {:>12.0} {:>12.0} {:>14.0} {:>12.1}",
            quantile(&own, 0.5),
            quantile(&own, 0.0),
            quantile(&plain, 0.5),
            quantile(&ratios, 0.5)
        );
    }
}

fn main() {
    let tree = corpus().expect("a tree with source text");
    let source = blocks(&tree);
    println!("{}: {:.1} MB", tree.display(), bytes(&source) / 1e6);
    let mut criterion = Criterion::default().configure_from_args();
    let sample = source.get(..source.len().min(16)).expect("not more than there are");
    let mut group = criterion.benchmark_group("fuzzy");
    group
        .sample_size(10)
        .throughput(Throughput::Bytes(sample.iter().map(String::len).sum::<usize>() as u64));
    for (label, query) in QUERIES {
        let similarity = Similarity::new(query, THRESHOLD, true);
        group.bench_function(label, |bencher| {
            bencher.iter(|| fuzzy(&similarity, black_box(sample)));
        });
    }
    group.finish();
    criterion.final_summary();
    // `cargo test` and `--list` only want to know that the bench builds and runs.
    if std::env::args().any(|argument| argument == "--bench") {
        table("source text", &source, &QUERIES);
        table("source text, with notes beyond ASCII", &beyond_ascii(&source), &QUERIES);
        table("every line nearly", &nearly(), &[("12 characters", "futex_wait_r")]);
    }
}
