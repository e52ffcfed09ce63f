//! Where it searches.

use std::os::unix::fs::symlink;

use crate::clauses_keyword::desk::{
    Desk, Scripted, Tree, alone, ask, dry, files, found, keyword, paths, selecting, text,
};

/// A file in every directory of `r/s/d`, and beside.
fn nested() -> Tree {
    Tree::of(&[
        ("x/above.rs", "needle\n"),
        ("x/r/top.rs", "needle\n"),
        ("x/r/other/beside.rs", "needle\n"),
        ("x/r/s/middle.rs", "needle\n"),
        ("x/r/s/d/here.rs", "needle\n"),
        ("x/r/s/d/e/below.rs", "needle\n"),
    ])
}

/// Root and results, with the tree's place taken off.
fn searched(tree: Tree, roots: &[&str]) -> (String, Vec<String>) {
    let desk = Desk::at(tree, roots, "x/r/s/d", &keyword("builtin = false"));
    let page = desk.page(&alone(&["needle"]));
    let at = format!("{}/", desk.tree.place("x").display());
    let short = |path: &str| path.strip_prefix(&at).unwrap_or(path).to_owned();
    let root = text(&page["root"]);
    let mut paths: Vec<String> = found(&page).iter().map(|path| short(path)).collect();
    paths.sort();
    (short(&root), paths)
}

const FROM_R: [&str; 5] =
    ["e/below.rs", "here.rs", "r/other/beside.rs", "r/s/middle.rs", "r/top.rs"];
const FROM_S: [&str; 3] = ["e/below.rs", "here.rs", "r/s/middle.rs"];
const FROM_D: [&str; 2] = ["e/below.rs", "here.rs"];

#[test]
fn inside_a_repository_the_search_begins_at_its_top() {
    touchstone::verifies!("REQ-KWS-002.1", "REQ-KWS-002");
    let tree = nested();
    tree.directory("x/r/.git");
    let (root, paths) = searched(tree, &["x"]);
    assert_eq!((root.as_str(), paths.as_slice()), ("r", FROM_R.map(str::to_owned).as_slice()));
}

#[test]
fn the_working_directory_may_be_the_top_of_the_repository() {
    touchstone::verifies!("REQ-KWS-002.1");
    let tree = nested();
    tree.directory("x/r/.git");
    tree.directory("x/r/s/d/.git");
    let (root, paths) = searched(tree, &["x"]);
    assert_eq!((root.as_str(), paths.as_slice()), (".", FROM_D.map(str::to_owned).as_slice()));
}

#[test]
fn worktrees_and_submodules_count_as_repositories() {
    touchstone::verifies!("REQ-KWS-002.1", "E-I27");
    let tree = nested();
    tree.directory("x/r/.git");
    tree.write("x/r/s/.git", "gitdir: ../.git/worktrees/s\n");
    let (root, paths) = searched(tree, &["x"]);
    assert_eq!((root.as_str(), paths.as_slice()), ("r/s", FROM_S.map(str::to_owned).as_slice()));
    // Whatever kind of entry it is, and wherever it leads.
    let tree = nested();
    tree.directory("x/r/.git");
    symlink("/nowhere/at/all", tree.place("x/r/s/.git")).unwrap();
    assert_eq!(searched(tree, &["x"]).0, "r/s");
}

#[test]
fn without_a_repository_the_search_begins_at_the_working_directory() {
    touchstone::verifies!("REQ-KWS-002.2", "REQ-KWS-002");
    let (root, paths) = searched(nested(), &["x"]);
    assert_eq!((root.as_str(), paths.as_slice()), (".", FROM_D.map(str::to_owned).as_slice()));
    // A repository below, and one beside, are not where it is.
    let tree = nested();
    tree.directory("x/r/s/d/e/.git");
    tree.directory("x/r/other/.git");
    assert_eq!(searched(tree, &["x"]).0, ".");
}

#[test]
fn keyword_search_never_leaves_the_sandbox() {
    touchstone::verifies!("E-I25", "REQ-KWS-002.1");
    for top in ["x/r/.git", "x/.git"] {
        let tree = nested();
        tree.directory(top);
        let (root, paths) = searched(tree, &["x/r/s"]);
        assert_eq!(
            (root.as_str(), paths.as_slice()),
            ("r/s", FROM_S.map(str::to_owned).as_slice()),
            "{top}"
        );
    }
    // With a root above and one further down, the uppermost counts; what lies between belongs to
    // it.
    let tree = nested();
    tree.directory("x/.git");
    assert_eq!(searched(tree, &["x/r/s/d", "x/r"]).0, "r");
    // Roots that lie beside each other are all searched, under their names, and nothing between.
    let tree = nested();
    tree.directory("x/.git");
    let (root, paths) = searched(tree, &["x/r/s/d", "x/r/other"]);
    assert_eq!(root, ".");
    assert_eq!(paths, ["d/e/below.rs", "d/here.rs", "other/beside.rs"]);
}

#[test]
fn a_model_gets_paths_relative_to_the_top_of_the_repository() {
    touchstone::verifies!("REQ-KWS-002.1", "E-I25");
    let tree = nested();
    tree.directory("x/r/.git");
    let scripted = Scripted::saying(&files(&[
        ("other/beside.rs", &[1], "Beside."),
        ("s/d/here.rs", &[1], "Here."),
    ]));
    let desk = Desk::at(tree, &["x"], "x/r/s/d", &keyword("builtin = false")).with(&scripted);
    let data = desk.data(&["needle"]);
    let headings: Vec<&str> = data.lines().filter(|line| line.contains(".rs")).collect();
    assert_eq!(
        headings,
        ["other/beside.rs", "s/d/e/below.rs", "s/d/here.rs", "s/middle.rs", "top.rs"]
    );
    // What it names is found by what it read, and shown as everywhere.
    let page = desk.page(&ask(&["needle"]));
    let beside = desk.tree.place("x/r/other/beside.rs").display().to_string();
    assert_eq!(paths(&page), [beside.as_str(), "here.rs"]);
    let here = desk.tree.place("").display().to_string();
    for prompt in scripted.prompts() {
        assert!(!prompt.user.contains(here.trim_end_matches('/')), "{}", prompt.user);
    }
}

#[test]
fn keyword_terms_match_regardless_of_ascii_case() {
    touchstone::verifies!("REQ-KWS-002.3", "REQ-KWS-002", "E-I27");
    let files = [
        ("1", "BackOff\n"),
        ("2", "xBACKOFFx\n"),
        ("3", "back off\n"),
        ("4", "backoff\n"),
        ("5", "\u{c9}T\u{c9}\n"),
    ];
    // Selected terms are found anywhere, others as words.
    for (config, expected) in
        [(selecting(""), &["1", "2", "4"][..]), (keyword("builtin = false"), &["1", "4"])]
    {
        let desk = Desk::over(&files, &config);
        for term in ["backoff", "BACKOFF", "bAcKoFf"] {
            assert_eq!(found(&desk.page(&alone(&[term]))), expected, "{term}");
        }
        // Of ASCII letters, as with the other tools.
        assert_eq!(found(&desk.page(&alone(&["\u{c9}t\u{c9}"]))), ["5"]);
        assert_eq!(found(&desk.page(&alone(&["\u{e9}t\u{e9}"]))), [""; 0]);
    }
}

#[test]
fn keyword_search_covers_the_files_that_grep_covers() {
    touchstone::verifies!("REQ-KWS-001.1", "E-I25", "E-I27");
    let tree = Tree::of(&[
        ("seen.rs", "needle\n"),
        (".gitignore", "ignored/\n*.log\n"),
        ("ignored/a.rs", "needle\n"),
        ("b.log", "needle\n"),
        (".env", "needle=1\n"),
        (".hidden/c.rs", "needle\n"),
        ("keys/d.rs", "needle\n"),
        ("e.pem", "needle\n"),
        ("none.rs", "thread\n"),
    ]);
    tree.write("binary", b"needle\0\n");
    tree.directory(".git");
    symlink(tree.place("seen.rs"), tree.place("link.rs")).unwrap();
    let config = format!("{}[sandbox]\ndeny = [\"keys\", \"*.pem\"]\n", keyword("builtin = false"));
    let desk = Desk::at(tree, &["."], ".", &config);
    assert_eq!(found(&desk.page(&alone(&["needle"]))), ["seen.rs"]);
    // Nor do their paths lead to them.
    for term in ["keys", "pem", "env", "hidden", "ignored", ".log", "binary"] {
        assert_eq!(found(&desk.page(&alone(&[term]))), [""; 0], "{term}");
    }
    // Nor is anything else ever part of what is sent.
    assert_eq!(desk.data(&["needle"]), "seen.rs\n1:needle\n");
    let prompt = text(&desk.page(&dry(&["needle"]))["prompt"]);
    assert!(
        !["keys", "pem", ".env", "hidden", "ignored", "log", "thread"]
            .iter()
            .any(|word| prompt.contains(word)),
        "{prompt}"
    );
}
