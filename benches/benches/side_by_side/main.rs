//! Searches as whoever asks sees them, against other programs in the same run.
//!
//! A client asks `forge-search mcp`, which it has started, and has the answer in its hands; the one-shot command
//! line and the rivals are timed as processes. `benches/fetch-corpus.sh` makes the tree; `cargo bench -p
//! touchstone-benches --bench side_by_side` takes half an hour, and quiet. Rivals that are not installed are left
//! out, which is said. Ratios are of medians in one run: above 1 the service is faster.

#![expect(clippy::expect_used, reason = "a bench that cannot run says so and ends")]

use std::{path::Path, time::Duration};

use touchstone::provision::{available, build_directory};
use touchstone_benches::{corpus, server::Server};

mod crowd;
mod questions;
mod rivals;
mod table;

use questions::Question;
use rivals::Rivals;

/// Nothing here takes longer than this; a wait that does is a finding.
const PATIENCE: Duration = Duration::from_secs(300);

/// What one question took each subject, in milliseconds.
struct Row {
    question: Question,
    search: Vec<f64>,
    grep: Vec<f64>,
    /// In the order of [`Rivals::names`].
    rivals: Vec<Vec<f64>>,
}

fn main() {
    // `cargo test` and `--list` only want to know that the bench builds and runs.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let tree = corpus().expect("a tree to search").canonicalize().expect("the tree is there");
    let scratch = tempfile::tempdir_in(build_directory().expect("a build directory")).expect("a directory");
    let cache = scratch.path().join("cache");
    let rounds = std::env::var("TOUCHSTONE_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    println!("tree: {}", tree.display());
    let mut server = Server::start(&tree, &cache);
    server.wait_for_the_index(PATIENCE);
    let backends = available().expect("a build directory");
    let rivals = Rivals::found(&tree, scratch.path(), &cache, backends.ripgrep.as_deref());
    let rows = measure(&tree, &mut server, &rivals, rounds);
    table::print(&rows, &rivals);
    server.end();
    crowd::measure(&tree, &cache);
}

/// Asks every question of everybody in turn, so many times.
fn measure(tree: &Path, server: &mut Server, rivals: &Rivals, rounds: usize) -> Vec<Row> {
    let row = |question| Row {
        question,
        search: Vec::new(),
        grep: Vec::new(),
        rivals: vec![Vec::new(); rivals.names().len()],
    };
    let mut rows: Vec<Row> = questions::all().into_iter().map(row).collect();
    for row in &mut rows {
        // Warms everything; nothing is timed.
        questions::timed(server, "Search", &row.question.search());
        questions::timed(server, "grep", &row.question.grep());
    }
    for _ in 0..rounds {
        for row in &mut rows {
            row.search.push(questions::timed(server, "Search", &row.question.search()));
            row.grep.push(questions::timed(server, "grep", &row.question.grep()));
            for (rival, took) in row.rivals.iter_mut().enumerate() {
                took.push(rivals.time(rival, tree, &row.question));
            }
        }
    }
    rows
}
