use serde_json::{Value, json};

use crate::tests::{agent, answer, answer_under, files};
use crate::{Answer, Config, World};

/// The request for `x` with these fields.
fn asking(fields: &Value) -> Value {
    let mut request = json!({"pattern": "x"});
    for (name, value) in fields.as_object().expect("an object") {
        request[name] = value.clone();
    }
    request
}

/// A world in which these files have one match each.
fn with_files(world: World, paths: &[&str]) -> World {
    paths.iter().fold(world, |world, path| world.file(path, "x\n"))
}

/// The files found by the request for `x` with these fields.
fn found(world: &World, fields: &Value) -> Vec<String> {
    files(&answer(world, &asking(fields)))
}

fn errors(answer: &Answer) -> Vec<String> {
    answer.errors.iter().map(|(path, message)| format!("{path}: {message}")).collect()
}

/// E-D04.
#[test]
fn files_are_walked_in_the_order_of_their_whole_paths() {
    let world = with_files(World::new(), &["a/x", "a-b/x", "a.txt"]);
    assert_eq!(found(&world, &json!({})), ["a-b/x", "a.txt", "a/x"]);
    assert_eq!(found(&world, &json!({"max_results": 1})), ["a-b/x"]);
}

#[test]
fn without_recursion_only_direct_children_are_searched() {
    let world = with_files(World::new(), &["a", "b/c"]);
    assert_eq!(found(&world, &json!({"recursive": false})), ["a"]);
    assert_eq!(found(&world, &json!({"recursive": false, "path": "b"})), ["b/c"]);
    assert_eq!(found(&world, &json!({"recursive": false, "path": "b/c"})), ["b/c"]);
}

#[test]
fn hidden_names_are_skipped_unless_requested() {
    let world = with_files(World::new(), &[".a", ".d/b", "c", ".d/.e"]);
    assert_eq!(found(&world, &json!({})), ["c"]);
    assert_eq!(found(&world, &json!({"hidden": true})), [".a", ".d/.e", ".d/b", "c"]);
    assert_eq!(found(&world, &json!({"path": ".d"})), [".d/b"]);
    assert_eq!(found(&world, &json!({"path": ".d/.e"})), [".d/.e"]);
}

/// E-B08.
#[test]
fn rules_apply_only_below_the_search_root() {
    let world = with_files(
        World::new().file(".gitignore", "build/\n*.log\n"),
        &["build/o.txt", "build/a.log", "b.txt"],
    );
    assert_eq!(found(&world, &json!({})), ["b.txt"]);
    assert_eq!(found(&world, &json!({"path": "build"})), ["build/o.txt"]);
    assert_eq!(found(&world, &json!({"path": "build/a.log"})), ["build/a.log"]);
    assert_eq!(
        found(&world, &json!({"path": "build", "no_ignore": true})),
        ["build/a.log", "build/o.txt"]
    );
}

/// E-B04.
#[test]
fn ignore_sources_have_a_fixed_rank_and_a_top() {
    let kinds = with_files(
        World::new()
            .file(".git/info/exclude", "a\nb\n")
            .file(".gitignore", "!a\nc\n")
            .file(".ignore", "!c\nd\n"),
        &["a", "b", "c", "d", "e"],
    );
    assert_eq!(found(&kinds, &json!({})), ["a", "c", "e"]);

    let nested = with_files(
        World::new()
            .file(".gitignore", "a\n")
            .file("sub/.git/HEAD", "")
            .file("sub/.gitignore", "b\n"),
        &["a", "sub/a", "sub/b", "sub/c/a"],
    );
    assert_eq!(found(&nested, &json!({})), ["sub/a", "sub/c/a"]);
    assert_eq!(found(&nested, &json!({"path": "sub/c"})), ["sub/c/a"]);

    let file_named_git = with_files(
        World::new().file(".gitignore", "a\n").file("sub/.git", "gitdir: x\n"),
        &["sub/a"],
    );
    assert_eq!(found(&file_named_git, &json!({})), ["sub/a"]);

    let ignored_repository =
        with_files(World::new().file(".gitignore", "sub\n").dir("sub/.git"), &["sub/a"]);
    assert_eq!(found(&ignored_repository, &json!({})), [] as [&str; 0]);

    let linked = with_files(World::new().link(".gitignore", "rules").file("rules", "a\n"), &["a"]);
    assert_eq!(found(&linked, &json!({})), ["a"], "a link is no ignore file");

    let foreign = with_files(World::new().file(".rgignore", "a\n"), &["a"]);
    assert_eq!(found(&foreign, &json!({})), ["a"]);
}

#[test]
fn configured_ignore_files_are_relative_to_the_top_and_weakest() {
    let world = with_files(
        World::new().file(".gitignore", "!b\n").dir("sub/.git"),
        &["a", "b", "sub/a", "sub/c/a"],
    );
    let config =
        Config { global_ignore: vec![b"!c\n".to_vec(), b"/a\nb\nc\n".to_vec()], ..agent() };
    let below = |fields: Value| files(&answer_under(&config, &world, &asking(&fields)));
    assert_eq!(below(json!({})), ["b", "sub/c/a"]);
    assert_eq!(below(json!({"no_ignore": true})), ["a", "b", "sub/a", "sub/c/a"]);
}

/// E-B11: globs only restrict.
#[test]
fn include_globs_do_not_widen_the_search() {
    let world = with_files(
        World::new().file(".gitignore", "*.log\n"),
        &["a.log", ".dot", "b.txt", "sub/b.txt"],
    );
    assert_eq!(found(&world, &json!({"include_glob": ["*.log"]})), [] as [&str; 0]);
    assert_eq!(found(&world, &json!({"include_glob": [".dot"]})), [] as [&str; 0]);
    assert_eq!(found(&world, &json!({"include_glob": ["sub"]})), ["sub/b.txt"]);
    assert_eq!(
        found(&world, &json!({"include_glob": ["*.txt"], "exclude_glob": ["/b.txt"]})),
        ["sub/b.txt"]
    );
}

/// E-B12.
#[test]
fn globs_are_relative_to_the_search_root() {
    let world = with_files(World::new(), &["q/src/m.rs", "src/n.rs"]);
    assert_eq!(found(&world, &json!({"path": "q", "include_glob": ["src/*.rs"]})), ["q/src/m.rs"]);
    assert_eq!(found(&world, &json!({"include_glob": ["src/*.rs"]})), ["src/n.rs"]);
    assert_eq!(
        found(&world, &json!({"path": "q/src/m.rs", "include_glob": ["/m.rs"]})),
        ["q/src/m.rs"]
    );
    assert_eq!(
        found(&world, &json!({"path": "q/src/m.rs", "exclude_glob": ["*.rs"]})),
        [] as [&str; 0]
    );
    assert_eq!(
        found(&world, &json!({"path": "q/src/m.rs", "exclude_glob": ["src"]})),
        ["q/src/m.rs"]
    );
}

#[test]
fn closed_directories_are_problems_unless_a_rule_removes_them() {
    let world = with_files(World::new().unreadable_dir("no").unreadable_dir(".no"), &["a", "no/b"]);
    let open = answer(&world, &asking(&json!({})));
    assert_eq!(
        (files(&open), errors(&open)),
        (vec!["a".to_owned()], vec!["no: permission denied".to_owned()])
    );
    assert_eq!(
        errors(&answer(&world, &asking(&json!({"exclude_glob": ["no/"]})))),
        [] as [&str; 0]
    );
    assert_eq!(errors(&answer(&world, &asking(&json!({"recursive": false})))), [] as [&str; 0]);
}

#[test]
fn pipes_are_never_eligible() {
    let piped = answer(&World::new().fifo("p").link("l", "p"), &asking(&json!({"follow": true})));
    assert_eq!((piped.files_scanned, errors(&piped)), (0, Vec::new()));
}

/// E-B19.
#[test]
fn links_are_skipped_or_followed_inside_the_sandbox() {
    let world = with_files(
        World::new()
            .link("f", "d/a")
            .link("l", "d")
            .link("out", "../o")
            .link("o", "../o/a")
            .file("../o/a", "x\n"),
        &["d/a"],
    );
    let skipped = answer(&world, &asking(&json!({})));
    assert_eq!((files(&skipped), errors(&skipped)), (vec!["d/a".to_owned()], Vec::new()));
    let followed = answer(&world, &asking(&json!({"follow": true})));
    assert_eq!(files(&followed), ["d/a", "f", "l/a"]);
    assert_eq!(
        errors(&followed),
        ["o: symlink leaves the sandbox", "out: symlink leaves the sandbox"]
    );
    let flat = answer(&world, &asking(&json!({"follow": true, "recursive": false})));
    assert_eq!((files(&flat), errors(&flat).len()), (vec!["f".to_owned()], 2));
}

/// E-B20.
#[test]
fn a_loop_is_a_problem_at_the_link_that_closes_it() {
    let world = with_files(
        World::new().link("d/loop", "..").link("self", "self").link("gone", "nope"),
        &["d/a"],
    );
    let followed = answer(&world, &asking(&json!({"follow": true})));
    assert_eq!(files(&followed), ["d/a"]);
    assert_eq!(
        errors(&followed),
        ["d/loop: symlink loop", "gone: dangling symlink", "self: symlink loop"]
    );
    // From below, the link leads to a directory that is not open yet; the directory it leads back
    // to is.
    let below = answer(&world, &asking(&json!({"follow": true, "path": "d"})));
    assert_eq!(files(&below), ["d/a", "d/loop/d/a"]);
    assert!(errors(&below).contains(&"d/loop/d/loop: symlink loop".to_owned()));
}

#[test]
fn a_link_to_an_inaccessible_target_is_a_problem_at_the_link() {
    let world = World::new()
        .unreadable_dir("no")
        .file("no/a", "x\n")
        .link("file", "no/a")
        .link("dir", "no");
    let followed = answer(&world, &asking(&json!({"follow": true})));
    let told = ["dir: permission denied", "file: permission denied", "no: permission denied"];
    assert_eq!((followed.files_scanned, errors(&followed)), (0, told.map(str::to_owned).to_vec()));
}

#[test]
fn two_links_to_one_directory_are_both_searched() {
    let world = with_files(World::new().link("l1", "d").link("l2", "d"), &["d/a"]);
    assert_eq!(found(&world, &json!({"follow": true})), ["d/a", "l1/a", "l2/a"]);
}

#[test]
fn rules_are_applied_to_the_name_of_a_link_first() {
    let world = with_files(
        World::new()
            .file(".gitignore", "gone\n")
            .link("gone", "nope")
            .link(".hid", "nope")
            .link("ex", "nope"),
        &["d/a"],
    )
    .link("l", "d");
    let request = json!({"follow": true, "exclude_glob": ["ex"]});
    let quiet = answer(&world, &asking(&request));
    assert_eq!(
        (files(&quiet), errors(&quiet)),
        (vec!["d/a".to_owned(), "l/a".to_owned()], Vec::new())
    );
    assert_eq!(found(&world, &json!({"follow": true, "exclude_glob": ["l/", "ex"]})), ["d/a"]);
    let denied = Config { deny: vec!["d".to_owned()], ..agent() };
    let denied = answer_under(&denied, &world, &asking(&request));
    assert_eq!(
        (files(&denied), errors(&denied)),
        (Vec::new(), vec!["l: symlink leaves the sandbox".to_owned()])
    );
}

#[test]
fn a_followed_link_to_a_directory_obeys_rules_for_directories() {
    let world = with_files(World::new().unreadable_dir("d/no").link("l", "d"), &["d/a"]);
    let both = answer(&world, &asking(&json!({"follow": true})));
    assert_eq!(errors(&both), ["d/no: permission denied", "l/no: permission denied"]);
    for rules in [World::new().file(".gitignore", "l/\n"), World::new()] {
        let world = World {
            entries: rules.entries.into_iter().chain(world.entries.clone()).collect(),
            ..world.clone()
        };
        let globs: &[&str] =
            if world.entries.contains_key(b".gitignore".as_slice()) { &[] } else { &["l/"] };
        let one = answer(&world, &asking(&json!({"follow": true, "exclude_glob": globs})));
        assert_eq!(
            (files(&one), errors(&one)),
            (vec!["d/a".to_owned()], vec!["d/no: permission denied".to_owned()])
        );
    }
}

#[test]
fn a_link_that_closes_a_loop_counts_as_a_directory() {
    let world = with_files(World::new().link("d/up", ".."), &["d/a"]);
    let told = |fields: Value| errors(&answer(&world, &asking(&fields))).len();
    assert_eq!(told(json!({"follow": true})), 1);
    assert_eq!(told(json!({"follow": true, "exclude_glob": ["up/"]})), 0);
    assert_eq!(told(json!({"follow": true, "include_glob": ["up/"]})), 1);
    assert_eq!(told(json!({"follow": true, "include_glob": ["a"]})), 0);
    let dangling = World::new().link("gone", "nope");
    assert_eq!(
        errors(&answer(&dangling, &asking(&json!({"follow": true, "exclude_glob": ["gone/"]}))))
            .len(),
        1
    );
}

#[test]
fn a_link_outside_the_include_globs_is_no_problem() {
    let world = with_files(World::new().link("gone", "nope").link("l", "d"), &["d/a"]);
    let included = answer(&world, &asking(&json!({"follow": true, "include_glob": ["a"]})));
    assert_eq!(
        (files(&included), errors(&included)),
        (vec!["d/a".to_owned(), "l/a".to_owned()], Vec::new())
    );
    let asked_for = answer(&world, &asking(&json!({"follow": true, "include_glob": ["go*"]})));
    assert_eq!(errors(&asked_for), ["gone: dangling symlink"]);
}

/// E-B23.
#[test]
fn followed_files_have_the_path_as_walked() {
    let world =
        with_files(World::new().link("z", "d").file("d/.gitignore", "/b\n"), &["d/a", "d/b"]);
    assert_eq!(found(&world, &json!({"follow": true})), ["d/a", "z/a"]);
    assert_eq!(found(&world, &json!({"follow": true, "include_glob": ["z/*"]})), ["z/a"]);
    assert_eq!(found(&world, &json!({"path": "z"})), ["d/a"], "the search root itself is resolved");
}

#[test]
fn an_unreadable_ignore_file_is_a_problem_and_counts_as_empty() {
    let large = "#".repeat((1 << 20) + 1);
    let world = with_files(
        World::new()
            .unreadable_file(".gitignore", "a\n")
            .file("d/.ignore", &large)
            .dir(".git")
            .unreadable_file(".git/info/exclude", "a\n"),
        &["a", "d/a"],
    );
    let noisy = answer(&world, &asking(&json!({})));
    assert_eq!(files(&noisy), ["a", "d/a"]);
    assert_eq!(
        errors(&noisy),
        [
            ".git/info/exclude: ignore file cannot be read",
            ".gitignore: ignore file cannot be read",
            "d/.ignore: ignore file cannot be read",
        ]
    );
    assert_eq!(errors(&answer(&world, &asking(&json!({"no_ignore": true})))), [] as [&str; 0]);
    assert_eq!(errors(&answer(&world, &asking(&json!({"path": "a"})))), [] as [&str; 0]);
    let exact = with_files(
        World::new().file(".ignore", format!("a\n{}", "#".repeat((1 << 20) - 2))),
        &["a"],
    );
    assert_eq!(found(&exact, &json!({})), [] as [&str; 0]);
}

/// E-B22.
#[test]
fn a_backslash_is_an_ordinary_character() {
    let world = with_files(World::new(), &[r"a\b", "a/b"]);
    assert_eq!(found(&world, &json!({})), ["a/b", r"a\b"]);
}

/// E-B21.
#[test]
fn names_that_are_shown_alike_are_different_files() {
    let world = World::new().file(b"a\xff", "x\n").file(b"a\xfe", "x\ny\n");
    let both = answer(&world, &asking(&json!({"context": 1})));
    assert_eq!(crate::tests::short(&both), ["a\u{fffd}:1:1:x", "a\u{fffd}-2", "a\u{fffd}:1:1:x"]);
}

#[test]
fn rules_behind_an_unreadable_directory_are_a_problem_whether_or_not_they_exist() {
    for world in [
        World::new().file("a", "x\n").unreadable_dir(".git"),
        World::new().file("a", "x\n").unreadable_dir(".git").file(".git/info/exclude", "a\n"),
        World::new().file("a", "x\n").dir(".git").unreadable_dir(".git/info"),
    ] {
        let found = answer(&world, &json!({"pattern": "x"}));
        let problem = (".git/info/exclude".to_owned(), "ignore file cannot be read".to_owned());
        assert_eq!((files(&found), found.errors), (vec!["a".to_owned()], vec![problem]));
    }
    let open = World::new().file("a", "x\n").dir(".git");
    assert_eq!(answer(&open, &json!({"pattern": "x"})).errors, []);
}
