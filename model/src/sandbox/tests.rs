use serde_json::json;

use crate::tests::{agent, answer, answer_under, files, outcome, refusal_under};
use crate::{Config, World};

fn world() -> World {
    World::new()
        .file("a.txt", "x\n")
        .file("sub/b.txt", "x\n")
        .file("sub/private/c.txt", "x\n")
        .link("in", "sub")
        .link("abs", "{root}/sub/b.txt")
        .link("out", "../outside/o.txt")
        .link("back", "../outside/../sub")
        .link("gone_out", "../outside/nope")
        .link("gone", "nope")
        .link("loop", "loop")
        .link("hidden_way", "sub/private")
        .unreadable_dir("closed")
        .file("closed/d.txt", "x\n")
        .file("../outside/o.txt", "x\n")
}

fn denying(patterns: &[&str]) -> Config {
    Config { deny: patterns.iter().map(|pattern| (*pattern).to_owned()).collect(), ..agent() }
}

/// The response's `path`, or the class of the error.
fn asked(config: &Config, path: &str) -> String {
    match outcome(&world(), config, &json!({"pattern": "x", "path": path})) {
        Ok(answer) => answer.path,
        Err(refusal) => refusal.class,
    }
}

#[test]
fn a_path_is_normalised_and_resolved() {
    let rows = [
        (".", "."),
        ("./", "."),
        ("sub/", "sub"),
        ("./sub//./b.txt", "sub/b.txt"),
        ("sub/../a.txt", "a.txt"),
        ("nope/../a.txt", "a.txt"),
        ("{root}", "."),
        ("{root}/sub/..", "."),
        ("in", "sub"),
        ("in/b.txt", "sub/b.txt"),
        // `..` is lexical: it undoes the name, not the link.
        ("in/../a.txt", "a.txt"),
        ("abs", "sub/b.txt"),
    ];
    for (path, shown) in rows {
        assert_eq!(asked(&agent(), path), shown, "{path}");
    }
}

#[test]
fn leaving_the_root_is_refused_even_if_the_path_returns() {
    for path in [
        "..",
        "sub/../..",
        "sub/../../x/../y",
        "/",
        "/etc",
        "{root}/..",
        "{root}x",
        "out",
        "back",
        "back/b.txt",
    ] {
        assert_eq!(asked(&agent(), path), "SandboxViolation", "{path}");
    }
}

/// E-F09.
#[test]
fn containment_is_checked_before_existence() {
    assert_eq!(asked(&agent(), "gone_out"), "SandboxViolation");
    assert_eq!(asked(&agent(), "out/nope"), "SandboxViolation");
    assert_eq!(asked(&agent(), "gone"), "ExecutionFailed");
    assert_eq!(asked(&agent(), "gone/../../.."), "SandboxViolation");
    assert_eq!(asked(&agent(), "loop"), "SandboxViolation");
}

/// E-F08.
#[test]
fn an_unreadable_path_is_no_search_root() {
    for path in ["closed", "closed/d.txt", "closed/nope"] {
        assert_eq!(asked(&agent(), path), "ExecutionFailed", "{path}");
    }
    let unreadable_root = World::new().unreadable_dir("");
    let refused = refusal_under(&agent(), &unreadable_root, &json!({"pattern": "x"}));
    assert_eq!(refused, ("ExecutionFailed".to_owned(), "path".to_owned()));
}

#[test]
fn deny_patterns_apply_to_the_path_as_given_and_as_resolved() {
    let rows = [
        ("private", "sub/private", "SandboxViolation"),
        ("private/", "sub/private", "SandboxViolation"),
        ("private", "sub/private/c.txt", "SandboxViolation"),
        ("sub/private/**", "sub/private", "sub/private"),
        ("sub/private/**", "sub/private/c.txt", "SandboxViolation"),
        ("private", "hidden_way", "SandboxViolation"),
        ("hidden_way", "hidden_way/c.txt", "SandboxViolation"),
        ("in/", "in", "SandboxViolation"),
        ("*.txt/", "a.txt", "a.txt"),
        ("nope", "nope", "SandboxViolation"),
        ("nope/", "nope", "ExecutionFailed"),
        ("nope/", "nope/more", "SandboxViolation"),
        ("*", ".", "."),
    ];
    for (deny, path, expected) in rows {
        assert_eq!(asked(&denying(&[deny]), path), expected, "deny {deny}, path {path}");
    }
}

/// E-B18.
#[test]
fn denied_files_are_not_searched_under_any_request() {
    let world = World::new()
        .file(".env", "SECRET=1\n")
        .file("sub/.env", "SECRET=2\n")
        .file("a", "SECRET\n");
    let request = json!({"pattern": "SECRET", "hidden": true, "no_ignore": true, "include_glob": [".env", "a"]});
    let found = answer_under(&denying(&["**/.env"]), &world, &request);
    assert_eq!((files(&found), found.files_scanned), (vec!["a".to_owned()], 1));
    assert_eq!(answer(&world, &request).files_scanned, 3);
}

#[test]
fn relative_paths_start_at_the_working_directory() {
    let config = Config { working_dir: "sub/private".to_owned(), ..agent() };
    let rows = [
        (".", "."),
        ("c.txt", "c.txt"),
        ("..", "{root}/sub"),
        ("../../a.txt", "{root}/a.txt"),
        ("../../..", "SandboxViolation"),
        ("{root}/sub/private/c.txt", "c.txt"),
    ];
    for (path, expected) in rows {
        assert_eq!(asked(&config, path), expected, "{path}");
    }
}
