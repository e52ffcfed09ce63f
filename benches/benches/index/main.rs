//! `Search` with an index on a real tree, held against `Search` without one, against ripgrep, and
//! against the bounds it has to keep.
//!
//! `cargo bench -p touchstone-benches --bench index` needs about a quarter of an hour, 4 GB next to
//! the tree, and quiet. Everything is measured in one run: rounds go over the list, and in each
//! round every subject answers every literal in turn. `TOUCHSTONE_ROUNDS` sets their number (5);
//! `TOUCHSTONE_BENCH` names the only part to run besides a build: `build`, `during`, `list`,
//! `edits` or `large`.

#![expect(clippy::expect_used, reason = "a bench that cannot run says so and ends")]

use std::path::{Path, PathBuf};

use forge_search_engine::{Config, IndexMode, IndexOptions, IndexUse, Sandbox, Service};
use touchstone::place::build_directory;
use touchstone::provision::available;
use touchstone_benches::corpus;

mod bounds;
mod build;
mod during;
mod edits;
mod large;
mod list;

use bounds::Bounds;

/// Longest wait; a longer one is a finding.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(300);

/// A service over the tree with an index in `cache`, unthrottled: what is measured is what it can
/// do.
fn indexed(mut config: Config, tree: &Path, cache: &Path, using: IndexUse) -> Service {
    let index = &mut config.index;
    (index.index_mode, index.index_path) = (IndexMode::On, cache.to_string_lossy().into_owned());
    (index.index_build_throttle_ms, index.index_build_max_cpu_percent) = (0, 100);
    let sandbox = Sandbox::new(&[tree.to_owned()], tree).expect("a tree that can be searched");
    let options = IndexOptions { using, ..IndexOptions::default() };
    Service::with_index(config, sandbox, options).expect("a valid configuration")
}

/// State and reason of the only index.
fn state(service: &Service) -> String {
    let statuses = service.index_status();
    let status = statuses.first().expect("an index");
    status
        .reason
        .map_or_else(|| status.state.to_owned(), |reason| format!("{} {reason}", status.state))
}

fn rounds() -> usize {
    let asked = std::env::var("TOUCHSTONE_ROUNDS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(5).max(1)
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, child, tree, cache] = arguments.as_slice()
        && child == build::CHILD
    {
        build::in_child(Path::new(tree), Path::new(cache));
        return;
    }
    // `cargo test` and `--list` only want to know that the bench builds and runs.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let tree = corpus().and_then(|tree| tree.canonicalize().map_err(|err| err.to_string()));
    let tree = tree.expect("a tree to search");
    let backends = available().expect("a build directory");
    let build = build_directory().expect("a build directory");
    let scratch = tempfile::tempdir_in(build).expect("a scratch directory");
    let only: Option<String> = std::env::var("TOUCHSTONE_BENCH").ok();
    let wanted = |part: &str| only.as_deref().is_none_or(|only| only == part);
    let mut bounds = Bounds::default();
    println!("tree: {}", tree.display());
    let cache: PathBuf = scratch.path().join("cache");
    let rounds = rounds();
    // The list needs what the last build leaves behind.
    build::measure(&tree, &cache, if wanted("build") { 3 } else { 1 }, &mut bounds);
    if wanted("list") {
        list::measure(&tree, &cache, &backends, rounds, &mut bounds);
    }
    if wanted("during") {
        during::measure(&tree, scratch.path(), &backends, &mut bounds);
    }
    if wanted("edits") {
        edits::measure(&tree, scratch.path(), &backends, &mut bounds);
    }
    if wanted("large") {
        large::measure(&tree, scratch.path(), &backends);
    }
    bounds.print();
}
