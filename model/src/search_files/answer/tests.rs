use serde_json::{Value, json};

use crate::World;
use crate::search_files::tests::{agent, answer, answer_under, errors, short};
use crate::search_files::{Config, search_files, smallest_budget};

fn asking(fields: &Value) -> Value {
    let mut request = json!({"path": ".", "query": "x"});
    for (name, value) in fields.as_object().expect("an object") {
        request[name] = value.clone();
    }
    request
}

/// `count` lines with one match each.
fn hits(count: usize) -> String {
    "x\n".repeat(count)
}

fn reason(answer: &Value) -> (bool, &Value) {
    (answer["truncated"] == true, &answer["truncated_reason"])
}

/// FR-SF-OUT-01, E-I07: `-` and `.` come before `/`.
#[test]
fn matches_are_ordered_by_path_line_and_column() {
    let world =
        World::new().file("a/x", "xx\n").file("a-b/x", "\nx").file("a.txt", "x").file("A", "x");
    let found = answer(&world, &asking(&json!({})));
    assert_eq!(short(&found), ["A:1:1:x", "a-b/x:2:1:x", "a.txt:1:1:x", "a/x:1:1:x", "a/x:1:2:x"]);
}

/// FR-SF-SRC-08, E-I04, T-SF-06.
#[test]
fn exactly_max_results_matches_are_not_truncated() {
    let world = World::new().file("a", hits(2)).file("b", hits(1)).file("c", "none\n");
    let found = answer(&world, &asking(&json!({"max_results": 3})));
    assert_eq!(reason(&found), (false, &json!(null)));
    assert_eq!((&found["returned"], &found["stats"]["files_scanned"]), (&json!(3), &json!(3)));

    let found = answer(&world, &asking(&json!({"max_results": 2})));
    assert_eq!(reason(&found), (true, &json!("max_results")));
    assert_eq!(short(&found), ["a:1:1:x", "a:2:1:x"]);
    assert_eq!(found["stats"]["incomplete_because"], json!(["max_results"]));
}

/// E-I08, E-I04: the answer ends with the file of the first match beyond the cap, which counts as
/// scanned and matched.
#[test]
fn matches_total_counts_the_scanned_files() {
    let world = World::new()
        .file("a", hits(1))
        .file("b", hits(9))
        .file("c", hits(1))
        .unreadable_file("d", "");
    let stats = |max_results: u64| {
        let stats = answer(&world, &asking(&json!({"max_results": max_results})))["stats"].clone();
        let figure = |name: &str| stats[name].as_u64().expect("a number");
        (
            figure("files_scanned"),
            figure("files_matched"),
            figure("matches_total"),
            figure("errors_total"),
        )
    };
    assert_eq!(stats(1), (2, 2, 2, 0));
    assert_eq!(stats(10), (3, 3, 11, 0));
    assert_eq!(stats(11), (4, 3, 11, 1));
}

/// The file in which the answer ends is not examined for its own cap; others are.
#[test]
fn the_file_in_which_the_answer_ends_is_not_checked_for_its_cap() {
    let world = World::new().file("a", hits(3)).file("b", hits(3));
    let stats = |max_results: u64| {
        let request = asking(&json!({"max_results": max_results, "max_matches_per_file": 2}));
        answer(&world, &request)["stats"].clone()
    };
    assert_eq!(stats(1)["files_cut"], 0);
    assert_eq!(stats(1)["incomplete_because"], json!(["max_results"]));
    assert_eq!(stats(3)["files_cut"], 1);
    assert_eq!(stats(3)["incomplete_because"], json!(["max_results", "max_matches_per_file"]));
    // Only counted matches are seen: the third match of each file is not beyond the cap.
    assert_eq!(stats(4)["incomplete_because"], json!(["max_matches_per_file"]));
    assert_eq!((&stats(4)["files_cut"], &stats(4)["matches_total"]), (&json!(2), &json!(4)));
}

#[test]
fn only_the_first_max_files_files_are_scanned() {
    let world = World::new().file("a", "x\0").file("b", "none\n").file("c", hits(1));
    let found = answer(&world, &asking(&json!({"max_files": 2})));
    assert_eq!(reason(&found), (true, &json!("max_files")));
    assert_eq!((short(&found), errors(&found)), (vec![], vec!["a: binary file".to_owned()]));
    assert_eq!(found["stats"]["files_scanned"], 2);
    assert_eq!(reason(&answer(&world, &asking(&json!({"max_files": 3})))), (false, &json!(null)));
    // The last scanned file's own error is reported, that of a later place is not.
    let first = answer(&world, &asking(&json!({"max_files": 1})));
    assert_eq!(errors(&first), ["a: binary file"]);
    let behind = World::new().file("a", hits(1)).unreadable_dir("b").file("c", hits(1));
    assert_eq!(errors(&answer(&behind, &asking(&json!({"max_files": 1})))), [] as [&str; 0]);
    // An answer that ended earlier leaves no files out.
    let both = World::new().file("a", hits(2)).file("b", hits(1)).file("c", hits(1));
    let found = answer(&both, &asking(&json!({"max_files": 2, "max_results": 1})));
    assert_eq!(found["stats"]["incomplete_because"], json!(["max_results"]));
}

/// E-B27: a directory below the depth limit is reported, whatever it contains.
#[test]
fn directories_below_the_depth_limit_are_counted_and_not_entered() {
    let world = World::new()
        .file("a", hits(1))
        .file("d/b", hits(1))
        .file("d/e/c", hits(1))
        .dir("f/g")
        .unreadable_dir("f/h")
        .file(".hidden/i/j", hits(1))
        .file(".gitignore", "/d/ignored/\n")
        .file("d/ignored/k", hits(1));
    let found = |fields: Value| answer(&world, &asking(&fields));
    let all = found(json!({}));
    assert_eq!(short(&all), ["a:1:1:x", "d/b:1:1:x", "d/e/c:1:1:x"]);
    assert_eq!(errors(&all), ["f/h: permission denied"]);

    let two = found(json!({"max_depth": 2}));
    assert_eq!(short(&two), ["a:1:1:x", "d/b:1:1:x"]);
    // `d/e`, `f/g` and `f/h` are not opened.
    assert_eq!((&two["stats"]["directories_not_entered"], errors(&two)), (&json!(3), vec![]));
    assert_eq!(two["stats"]["incomplete_because"], json!(["max_depth"]));
    assert_eq!(reason(&two), (true, &json!(null)));

    let one = found(json!({"max_depth": 1}));
    assert_eq!((short(&one).len(), &one["stats"]["directories_not_entered"]), (1, &json!(2)));
    // Without recursion, what lies below is not requested.
    let flat = found(json!({"recursive": false}));
    assert_eq!((short(&flat).len(), &flat["stats"]["directories_not_entered"]), (1, &json!(0)));
    assert_eq!(reason(&flat), (false, &json!(null)));
    // Include globs do not apply to directories, exclude globs do.
    let count = |fields: Value| found(fields)["stats"]["directories_not_entered"].clone();
    assert_eq!(count(json!({"max_depth": 2, "include_globs": ["a"]})), 3);
    assert_eq!(count(json!({"max_depth": 2, "exclude_globs": ["e", "f/"]})), 0);
}

/// A directory is counted at the place of an error about it.
#[test]
fn directories_count_up_to_the_end_of_the_answer() {
    let world = World::new().file("a", hits(1)).file("b/c", "").file("d", hits(1)).file("e/f", "");
    let stats = |max_results: u64| {
        let request = asking(&json!({"max_depth": 1, "max_results": max_results}));
        answer(&world, &request)["stats"]["directories_not_entered"].clone()
    };
    assert_eq!(stats(1), 1);
    assert_eq!(stats(2), 2);
    // The place of `b` is `b/`, which is after `b.txt`.
    let beside = World::new().file("b.txt", hits(2)).file("b/c", "");
    let found = answer(&beside, &asking(&json!({"max_depth": 1, "max_results": 1})));
    assert_eq!(found["stats"]["directories_not_entered"], 0);
}

/// FR-SF-VAL-08, NFR-SF-SEC-03.
#[test]
fn links_to_files_are_followed_and_links_to_directories_never() {
    let world = World::new()
        .file("d/f", hits(1))
        .file("secret", hits(1))
        .file("../o", hits(1))
        .dir("../od")
        .link("dir", "d")
        .link("file", "d/f")
        .link("loop", ".")
        .link("self", "self")
        .link("gone", "nope")
        .link("out", "../o")
        .link("outdir", "../od")
        .link("denied", "secret")
        .fifo("pipe")
        .link("piped", "pipe");
    let mut config = agent();
    config.search.deny = vec!["secret".to_owned()];
    let skipped = answer_under(&config, &world, &asking(&json!({})));
    assert_eq!((short(&skipped), errors(&skipped)), (vec!["d/f:1:1:x".to_owned()], vec![]));
    let followed = answer_under(&config, &world, &asking(&json!({"follow_symlinks": true})));
    assert_eq!(short(&followed), ["d/f:1:1:x", "file:1:1:x"]);
    assert_eq!(
        errors(&followed),
        [
            "denied: symlink leaves the sandbox",
            "gone: dangling symlink",
            "out: symlink leaves the sandbox",
            "outdir: symlink leaves the sandbox",
            "self: symlink loop",
        ]
    );
    // A link to a directory is not counted as below the depth limit.
    let shallow = asking(&json!({"follow_symlinks": true, "max_depth": 1}));
    assert_eq!(answer_under(&config, &world, &shallow)["stats"]["directories_not_entered"], 1);
}

/// FR-SF-SRC-05, FR-SF-SRC-06, T-SF-09.
#[test]
fn hidden_ignored_and_excluded_files_are_left_out() {
    let world = World::new()
        .file(".gitignore", "log\n")
        .file(".git/info/exclude", "tmp\n")
        .file("log", hits(1))
        .file("tmp", hits(1))
        .file(".env", hits(1))
        .file("a.rs", hits(1))
        .file("b.txt", hits(1));
    let found = |fields: Value| {
        let found = short(&answer(&world, &asking(&fields)));
        found
            .iter()
            .map(|of| of.split(':').next().unwrap_or_default().to_owned())
            .collect::<Vec<String>>()
    };
    assert_eq!(found(json!({})), ["a.rs", "b.txt"]);
    assert_eq!(found(json!({"respect_gitignore": false})), ["a.rs", "b.txt", "log", "tmp"]);
    assert_eq!(found(json!({"include_hidden": true})), [".env", "a.rs", "b.txt"]);
    assert_eq!(found(json!({"include_globs": ["*.rs"]})), ["a.rs"]);
    assert_eq!(found(json!({"include_globs": [], "exclude_globs": ["*.rs"]})), ["b.txt"]);
}

/// MATF-SF-path, ERRF-SF-path, NFR-SF-REL-02, T-SF-08.
#[test]
fn paths_are_relative_to_the_search_root_and_valid_text() {
    let world = World::new()
        .file("top/sub/a", hits(1))
        .file(b"top/sub/\xff\xfe/\xe6\x97b".as_slice(), hits(1))
        .unreadable_file("top/.ignore", "")
        .unreadable_file(".gitignore", "")
        .unreadable_file("top/sub/closed", "");
    let found = answer(&world, &asking(&json!({"path": "top/sub"})));
    assert_eq!(found["path"], "top/sub");
    assert_eq!(short(&found), ["a:1:1:x", "\u{fffd}\u{fffd}/\u{fffd}b:1:1:x"]);
    let unread = "ignore file cannot be read";
    let told = [
        &format!("../../.gitignore: {unread}"),
        &format!("../.ignore: {unread}"),
        "closed: permission denied",
    ];
    assert_eq!(errors(&found), told);
    let closed = World::new().file("a", hits(1)).unreadable_dir("d");
    assert_eq!(errors(&answer(&closed, &asking(&json!({})))), ["d: permission denied"]);
}

/// OUTF-SF-path: outside the working directory the path is absolute.
#[test]
fn the_search_root_is_shown_as_in_search() {
    let world = World::new().file("sub/a", hits(1)).file("b", hits(1));
    let mut config = Config { root_shown: "/w/root".to_owned(), ..agent() };
    config.search.working_dir = "sub".to_owned();
    let shown = |path: &str| answer_under(&config, &world, &asking(&json!({"path": path})));
    assert_eq!(
        (&shown(".")["path"], short(&shown("."))),
        (&json!("."), vec!["a:1:1:x".to_owned()])
    );
    assert_eq!(shown("..")["path"], "/w/root");
    assert_eq!(short(&shown("..")), ["b:1:1:x", "sub/a:1:1:x"]);
}

/// E-I09: any number of whole files; at the end, with or without knowing that it is the end.
#[test]
fn a_deadline_leaves_a_prefix_of_the_files() {
    let world = World::new().file("a", hits(1)).file("b", hits(2)).unreadable_dir("c");
    let mut config = agent();
    config.search.deadline_may_strike = true;
    let allowed = search_files(&world, &config, &asking(&json!({})));
    let seen: Vec<(u64, u64, u64, Value)> = allowed
        .outcomes()
        .iter()
        .map(|outcome| {
            let answer: Value =
                serde_json::from_str(outcome.as_ref().expect("an answer")).expect("JSON");
            let stats = &answer["stats"];
            let figure = |name: &str| stats[name].as_u64().expect("a number");
            let because = stats["incomplete_because"].clone();
            assert_eq!(reason(&answer).1, &json!(null));
            (figure("files_scanned"), figure("matches_total"), figure("errors_total"), because)
        })
        .collect();
    let late = json!(["timeout"]);
    assert_eq!(
        seen,
        [
            (2, 3, 1, json!(["errors"])),
            (0, 0, 0, late.clone()),
            (1, 1, 0, late.clone()),
            (2, 3, 0, late),
            (2, 3, 1, json!(["timeout", "errors"])),
        ]
    );
    // The smallest budget is that of the answer without a deadline.
    let undisturbed = smallest_budget(&world, &agent(), &asking(&json!({})));
    assert_eq!(smallest_budget(&world, &config, &asking(&json!({}))), undisturbed);
    // An answer that ended at a match does not continue after it.
    let capped = search_files(&world, &config, &asking(&json!({"max_results": 1})));
    assert_eq!(capped.outcomes().len(), 3);
}

/// The search may or may not know that `max_files` leaves files out.
#[test]
fn a_deadline_after_the_last_allowed_file_may_report_that_more_exist() {
    let world = World::new().file("a", hits(1)).file("b", hits(1));
    let mut config = agent();
    config.search.deadline_may_strike = true;
    let allowed = search_files(&world, &config, &asking(&json!({"max_files": 1})));
    let because: Vec<Value> = allowed
        .outcomes()
        .iter()
        .map(|outcome| {
            let answer: Value =
                serde_json::from_str(outcome.as_ref().expect("an answer")).expect("JSON");
            json!([answer["stats"]["incomplete_because"], answer["truncated_reason"]])
        })
        .collect();
    let late = json!([["timeout"], null]);
    let left_out = json!([["max_files", "timeout"], "max_files"]);
    assert_eq!(because, [json!([["max_files"], "max_files"]), late.clone(), late, left_out]);
}
