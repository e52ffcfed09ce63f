//! Whole searches as a client sees them, beside other programs in the same run.
//!
//! A client asks `forge-search mcp`, which it has started, and has the answer in its hands; the
//! one-shot command line and the rivals are timed as processes. `benches/fetch-corpus.sh` makes the
//! tree; `cargo bench -p touchstone-benches --bench side_by_side` takes half an hour, and quiet.
//! With `TOUCHSTONE_BENCH=shapes` it makes and measures trees of other shapes, which takes 25 GB
//! and another half hour. `TOUCHSTONE_WRITE=1` writes the tables into `docs/performance.md`, and
//! `docs/plots/side-by-side.svg`. Rivals that are not installed are left out, which is said. Ratios
//! are of medians in one run: above 1 the service is faster.

#![expect(clippy::expect_used, clippy::panic, reason = "a bench that cannot run says so and ends")]

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use touchstone::place::build_directory;
use touchstone::provision::available;
use touchstone_benches::{
    corpus,
    page::{self, docs},
    server::{Server, configure, configure_without},
};

mod crowd;
mod in_process;
mod plot;
mod questions;
mod rivals;
mod shapes;
mod table;

use in_process::InProcess;
use questions::Question;
use rivals::Rivals;

/// Longest wait; a longer one is a finding.
const PATIENCE: Duration = Duration::from_secs(300);

/// Times of one query for each subject, in milliseconds.
struct Row {
    question: Question,
    search: Vec<f64>,
    grep: Vec<f64>,
    in_process: Vec<f64>,
    /// In the order of [`Rivals::names`].
    rivals: Vec<Vec<f64>>,
}

fn main() {
    // `cargo test` and `--list` only want to know that the bench builds and runs.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let build = build_directory().expect("a build directory");
    let scratch = tempfile::tempdir_in(build).expect("a directory");
    if std::env::var("TOUCHSTONE_BENCH").is_ok_and(|part| part == "shapes") {
        report("shapes", &shapes::measure(scratch.path()));
        return;
    }
    let tree = corpus().expect("a tree to search").canonicalize().expect("the tree is there");
    println!("tree: {}", tree.display());
    let (rows, rivals, config) = side_by_side(&tree, scratch.path());
    let ratios = table::ratios(&rows, &rivals);
    println!("{}\n{ratios}", table::questions(&rows, &rivals));
    let crowd = crowd::measure(&tree, &config);
    let excess = table::excess(&rows);
    let through =
        format!("Through the server at most 1.5 times the call in process and {excess:.1} ms.");
    report("side by side", &format!("{ratios}\n{crowd} {through}\n"));
    if writes() {
        let drawn = plot::draw(&docs("plots/side-by-side.svg"), &table::lines(&rows, &rivals));
        drawn.unwrap_or_else(|error| panic!("the plot: {error}"));
    }
}

fn writes() -> bool {
    std::env::var_os("TOUCHSTONE_WRITE").is_some()
}

/// Prints the result of a part, and adds it to the page.
fn report(section: &str, text: &str) {
    println!("{text}");
    if writes() {
        page::write(section, text).expect("the page");
    }
}

/// Builds the index, compares the answers, and measures all subjects.
fn side_by_side(tree: &Path, scratch: &Path) -> (Vec<Row>, Rivals, PathBuf) {
    let rounds =
        std::env::var("TOUCHSTONE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let cache = scratch.join("cache");
    let config = configure(&cache, "");
    let mut server = Server::start(tree, &config);
    server.wait_for_the_index(PATIENCE);
    let mut plain = Server::start(tree, &configure_without(&config));
    let backends = available().expect("a build directory");
    let rivals = Rivals::found(tree, scratch, &config, backends.ripgrep.as_deref());
    let in_process = InProcess::open(tree, &cache);
    let row = |question| Row {
        question,
        search: Vec::new(),
        grep: Vec::new(),
        in_process: Vec::new(),
        rivals: vec![Vec::new(); rivals.names().len()],
    };
    let mut rows: Vec<Row> = questions::all().into_iter().map(row).collect();
    for row in &rows {
        // Warms everything too; nothing is timed.
        questions::check(&mut server, &mut plain, &row.question);
    }
    plain.end();
    for _ in 0..rounds {
        for row in &mut rows {
            row.search.push(questions::timed(&mut server, "Search", &row.question.search()));
            row.grep.push(questions::timed(&mut server, "grep", &row.question.grep()));
            row.in_process.push(in_process.time(&row.question.search()));
            for (rival, took) in row.rivals.iter_mut().enumerate() {
                took.push(rivals.time(rival, tree, &row.question));
            }
        }
    }
    in_process.end();
    server.end();
    (rows, rivals, config)
}
