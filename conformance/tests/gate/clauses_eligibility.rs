//! Clauses about which files are searched.

use crate::clauses::{answer, asked_unprivileged, errors, lines, over, paths};
use serde_json::{Value, json};
use touchstone::case::{Case, Entry, Text};

const FOO: &str = "foo\n";

/// The paths with a match under a request, given the fields beside the pattern.
fn found(case: &Case, fields: &Value) -> Vec<String> {
    let mut case = case.clone();
    case.request = fields.clone();
    case.request["pattern"] = json!("foo");
    paths(&answer(&case))
}

fn tree(files: &[&str]) -> Case {
    over(&files.iter().map(|path| (*path, FOO)).collect::<Vec<_>>(), json!({}))
}

#[test]
fn without_recursive_only_the_direct_children_of_the_directory_are_searched() {
    touchstone::verifies!("FR-LS-VAL-09", "T-LS-REC-01");
    let case = tree(&["a", "d/b", "d/e/c"]);
    assert_eq!(found(&case, &json!({})), ["a", "d/b", "d/e/c"]);
    assert_eq!(found(&case, &json!({"recursive": true})), ["a", "d/b", "d/e/c"]);
    assert_eq!(found(&case, &json!({"recursive": false})), ["a"]);
    assert_eq!(found(&case, &json!({"recursive": false, "path": "d"})), ["d/b"]);
    // A file is a file.
    assert_eq!(found(&case, &json!({"recursive": false, "path": "d/e/c"})), ["d/e/c"]);
    assert_eq!(found(&case, &json!({"recursive": true, "path": "d/e/c"})), ["d/e/c"]);
}

#[test]
fn a_directory_is_searched_as_deep_as_the_options_allow() {
    touchstone::verifies!("FR-LS-VAL-04", "FR-LSI-ELIG-01");
    let case = tree(&["d/a", "d/.b/c", "d/x.log", "d/e/f", "z"])
        .with(Entry::file("d/.gitignore", "*.log\n"));
    assert_eq!(found(&case, &json!({"path": "d"})), ["d/a", "d/e/f"]);
    assert_eq!(found(&case, &json!({"path": "d", "hidden": true})), ["d/.b/c", "d/a", "d/e/f"]);
    assert_eq!(found(&case, &json!({"path": "d", "no_ignore": true})), ["d/a", "d/e/f", "d/x.log"]);
    // Options say which of its children are searched, never whether the root itself is.
    assert_eq!(found(&case, &json!({"path": "d/x.log"})), ["d/x.log"]);
    assert_eq!(found(&case, &json!({"path": "d/.b"})), ["d/.b/c"]);
}

#[test]
fn a_file_is_searched_if_an_include_glob_matches_it_and_no_exclude_glob_does() {
    touchstone::verifies!("FR-LS-VAL-10", "FR-LS-SRC-05", "T-LS-INCL-01", "T-LS-EXCL-01");
    let case = tree(&["a.rs", "b.py", "src/c.rs", "src/d.py", "src/gen/e.rs", "t.txt"]);
    let all = ["a.rs", "b.py", "src/c.rs", "src/d.py", "src/gen/e.rs", "t.txt"];
    assert_eq!(found(&case, &json!({})), all);
    assert_eq!(found(&case, &json!({"include_glob": []})), all);
    assert_eq!(
        found(&case, &json!({"include_glob": ["*.rs"]})),
        ["a.rs", "src/c.rs", "src/gen/e.rs"]
    );
    assert_eq!(
        found(&case, &json!({"include_glob": ["*.rs", "t*"]})),
        ["a.rs", "src/c.rs", "src/gen/e.rs", "t.txt"]
    );
    assert_eq!(found(&case, &json!({"exclude_glob": ["*.rs"]})), ["b.py", "src/d.py", "t.txt"]);
    let both = json!({"include_glob": ["*.rs"], "exclude_glob": ["gen", "a.*"]});
    assert_eq!(found(&case, &both), ["src/c.rs"]);
    // What is excluded stays so, whatever includes it.
    let same = json!({"include_glob": ["*.rs"], "exclude_glob": ["*.rs"]});
    assert_eq!(found(&case, &same), [""; 0]);
    // Globs narrow down; they bring nothing back.
    let hidden = tree(&[".a.rs", "b.rs"]).with(Entry::file(".gitignore", "b.rs\n"));
    assert_eq!(found(&hidden, &json!({"include_glob": ["*.rs", ".a.rs", "b.rs"]})), [""; 0]);
}

#[test]
fn an_excluded_file_is_not_opened() {
    touchstone::verifies!("T-LS-EXCL-01", "FR-LS-VAL-10");
    let mut case = tree(&["a.txt"]).with(Entry::file("b.key", FOO).unreadable());
    case.request = json!({"pattern": "foo"});
    let seen = asked_unprivileged(&case).unwrap();
    assert_eq!(
        (errors(&seen), &seen["files_scanned"]),
        (vec!["b.key: permission denied".to_owned()], &json!(2))
    );
    case.request["exclude_glob"] = json!(["*.key"]);
    let seen = asked_unprivileged(&case).unwrap();
    assert_eq!((errors(&seen), &seen["files_scanned"]), (vec![], &json!(1)));
    case.request = json!({"pattern": "foo", "include_glob": ["*.txt"]});
    let seen = asked_unprivileged(&case).unwrap();
    assert_eq!((errors(&seen), &seen["files_scanned"]), (vec![], &json!(1)));
}

#[test]
fn hidden_includes_names_that_start_with_a_dot() {
    touchstone::verifies!("FR-LS-SRC-06", "FR-LS-SRC-06.hidden");
    let case = tree(&[".a", ".d/b", "c", "e/.f", "e/g.h", "..i"]);
    assert_eq!(found(&case, &json!({})), ["c", "e/g.h"]);
    assert_eq!(found(&case, &json!({"hidden": true})), ["..i", ".a", ".d/b", "c", "e/.f", "e/g.h"]);
}

#[test]
fn follow_descends_through_links_within_the_sandbox() {
    touchstone::verifies!("FR-LS-SRC-06", "FR-LS-SRC-06.follow", "T-LSI-PATH-04");
    let case = tree(&["d/a", "d/e/b", "f", "../outside/o"])
        .with(Entry::link("ln", "d"))
        .with(Entry::link("one", "f"))
        .with(Entry::link("d/e/up", "../.."))
        .with(Entry::link("gone", "nothing"))
        .with(Entry::link("out", "../outside"));
    assert_eq!(found(&case, &json!({})), ["d/a", "d/e/b", "f"]);
    let mut followed = case.clone();
    followed.request = json!({"pattern": "foo", "follow": true});
    let seen = answer(&followed);
    assert_eq!(paths(&seen), ["d/a", "d/e/b", "f", "ln/a", "ln/e/b", "one"]);
    assert_eq!(
        errors(&seen),
        [
            "d/e/up: symlink loop",
            "gone: dangling symlink",
            "ln/e/up: symlink loop",
            "out: symlink leaves the sandbox",
        ]
    );
    assert_eq!(found(&case, &json!({"follow": true, "recursive": false})), ["f", "one"]);
}

#[test]
fn no_ignore_disables_ignore_files_and_the_global_list() {
    touchstone::verifies!("FR-LS-SRC-06", "FR-LS-SRC-06.no_ignore", "FR-LSI-ELIG-01");
    let mut case = tree(&["a.log", "b.tmp", "c.bak", "d.old", "e", "sub/f"])
        .with(Entry::file(".gitignore", "*.log\n"))
        .with(Entry::file(".ignore", "*.tmp\n"))
        .with(Entry::file(".git/info/exclude", "*.bak\n"))
        .with(Entry::file("sub/.gitignore", "*\n"));
    case.config.global_ignore = vec![Text(b"*.old\n".to_vec())];
    assert_eq!(found(&case, &json!({})), ["e"]);
    assert_eq!(
        found(&case, &json!({"no_ignore": true})),
        ["a.log", "b.tmp", "c.bak", "d.old", "e", "sub/f"]
    );
    // Not even opened: one that cannot be read is an error only where it is read.
    let mut closed = tree(&["a"]).with(Entry::file(".gitignore", "a\n").unreadable());
    closed.request = json!({"pattern": "foo"});
    assert_eq!(
        errors(&asked_unprivileged(&closed).unwrap()),
        [".gitignore: ignore file cannot be read"]
    );
    closed.request["no_ignore"] = json!(true);
    assert_eq!(errors(&asked_unprivileged(&closed).unwrap()), [""; 0]);
}

#[test]
fn a_file_above_the_size_limit_is_skipped_without_an_error() {
    touchstone::verifies!("FR-LS-SRC-08", "T-LS-SIZE-01", "CFG-LS-05");
    let files = [("exact", "foo 789\n"), ("more", "foo 7890\n"), ("small", "foo\n")];
    let mut case = over(&files, json!({"pattern": "foo", "max_file_size_bytes": 8}));
    let limited = |case: &Case| {
        let seen = answer(case);
        assert_eq!(lines(&seen), ["exact:1:1:foo 789", "small:1:1:foo"]);
        assert_eq!(errors(&seen), [""; 0], "a file passed over on a walk is no error");
        assert_eq!((&seen["files_scanned"], &seen["truncated"]), (&json!(3), &json!(true)));
    };
    limited(&case);
    // Where the request is silent, the configured limit holds.
    case.request = json!({"pattern": "foo"});
    assert_eq!(answer(&case)["count"], 3);
    case.config.max_file_size_bytes = Some(8);
    limited(&case);
    case.request = json!({"pattern": "foo", "max_file_size_bytes": 4});
    assert_eq!(paths(&answer(&case)), ["small"]);
}

#[test]
fn a_file_that_is_not_regular_is_skipped_without_blocking() {
    touchstone::verifies!("FR-LS-SRC-08", "FR-LS-VAL-04");
    let case = tree(&["a"]).with(Entry::fifo("pipe")).with(Entry::link("to-pipe", "pipe"));
    assert_eq!(found(&case, &json!({"follow": true})), ["a"]);
}
