//! The examples, run.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::fs;

#[path = "../examples/agent_tools.rs"]
mod agent_tools;
#[path = "../examples/cancel.rs"]
mod cancel;
#[cfg(feature = "index")]
#[path = "../examples/keep_index.rs"]
mod keep_index;
#[path = "../examples/search_tree.rs"]
mod search_tree;
#[path = "../examples/stream_results.rs"]
mod stream_results;

/// A tree of so many files that each hold the line `fn common() {}`; the first also holds `needle`.
fn tree(files: usize) -> tempfile::TempDir {
    let tree = tempfile::tempdir().unwrap();
    for number in 0..files {
        let more = if number == 0 { "let needle = 1;\n" } else { "" };
        let text = format!("fn common() {{}}\n{more}");
        fs::write(tree.path().join(format!("{number:03}.rs")), text).unwrap();
    }
    tree
}

fn root(tree: &tempfile::TempDir) -> std::path::PathBuf {
    dunce::canonicalize(tree.path()).unwrap()
}

#[test]
fn a_tree_is_searched() {
    let tree = tree(2);
    let found = search_tree::run(&root(&tree), "needle").unwrap();
    assert_eq!(found, ["000.rs-1- fn common() {}", "000.rs:2: let needle = 1;"]);
    assert!(search_tree::run(&root(&tree), "(").is_err());
}

#[test]
fn the_tools_of_an_agent_are_called_with_typed_requests() {
    let tree = tree(150);
    let (best, lines) = agent_tools::run(&root(&tree), "common").unwrap();
    // The first of the shortest, of which the name is a larger part.
    assert_eq!((best.as_deref(), lines), (Some("001.rs"), vec![1; 150]));
    assert!(agent_tools::run(&root(&tree), " ").is_err());
}

#[test]
#[cfg(feature = "index")]
fn a_kept_index_excludes_files() {
    let tree = tree(200);
    assert_eq!(keep_index::run(&root(&tree), "needle").unwrap(), (1, 199));
}

#[test]
fn streamed_results_equal_those_of_the_answer() {
    let tree = tree(200);
    let mut shown = Vec::new();
    let count =
        stream_results::run(&root(&tree), "common", |place| shown.push(place.to_owned())).unwrap();
    let expected: Vec<String> = (0..200).map(|number| format!("{number:03}.rs:1")).collect();
    assert_eq!((count, shown), (200, expected));
}

#[test]
fn a_cancelled_search_returns_a_partial_answer() {
    let tree = tree(3_000);
    let response = cancel::run(&root(&tree)).unwrap();
    assert!(response.timed_out && response.truncated, "{}", response.content);
    assert!((1..3_001).contains(&response.count), "{} of 3,001 lines", response.count);
}
