use super::*;

fn spec() -> Spec {
    Spec::load(&crate::golden::workspace().join("spec")).unwrap()
}

fn snapshot(case: &str, total: u32) -> String {
    format!("---\nsource: t.rs\n---\n{case}\nanswer:\n  total: {total}\n")
}

const CASE: &str = "id: one
title: One word
clauses: [FR-015b-02, NO-SUCH]
tool: search_text
request: {query: one}
";

fn change(path: &str, before: Option<String>, after: Option<String>) -> Change {
    Change { path: path.to_owned(), before, after }
}

#[test]
fn an_answer_that_changed_is_shown_with_its_question_and_its_clauses() {
    let changes =
        [change("golden/agent_tools/one.snap", Some(snapshot(CASE, 1)), Some(snapshot(CASE, 2)))];
    let page = page(&spec(), &changes);
    for part in [
        "# Goldens: 1 changed, 0 new, 0 gone\n",
        "## `agent_tools/one`: answer\n\nOne word\n\n- **FR-015b-02** (",
        "- **E-I17** (erratum): ",
        "```yaml\nid: one\n",
        "-  total: 1\n+  total: 2\n```\n",
    ] {
        assert!(page.contains(part), "{part:?} is not in\n{page}");
    }
    assert!(!page.contains("NO-SUCH (") && !page.contains("source:"), "{page}");
}

#[test]
fn new_and_gone_goldens_and_changed_questions_are_told_apart() {
    let text = |line: &str| format!("---\nsource: t.rs\n---\n{line}\n\nTT-02\n");
    let other = CASE.replace("{query: one}", "{query: two}");
    let changes = [
        change("golden/agent_tools/a.snap", None, Some(snapshot(CASE, 1))),
        change("golden/agent_tools/a.yaml", None, Some(CASE.to_owned())),
        change("golden/agent_tools/b.snap", Some(snapshot(CASE, 1)), None),
        change("golden/agent_tools/b.yaml", Some(CASE.to_owned()), None),
        change("golden/agent_tools/c.snap", Some(snapshot(CASE, 1)), Some(snapshot(&other, 1))),
        change("golden/agent_tools/c.yaml", Some(CASE.to_owned()), Some(other.clone())),
        change("golden/agent_tools/e.snap", Some(snapshot(CASE, 1)), Some(snapshot(&other, 2))),
        change("golden/agent_tools/e.yaml", Some(CASE.to_owned()), Some(other.clone())),
        change("golden/index/f.snap", Some(text("first")), Some(text("other"))),
        change("golden/hunt/d.yaml", Some("id: d\n".to_owned()), Some("id: ```\n".to_owned())),
    ];
    let page = page(&spec(), &changes);
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(
        headings,
        [
            "# Goldens: 4 changed, 1 new, 1 gone",
            "## `agent_tools/a`: new",
            "## `agent_tools/b`: gone",
            "## `agent_tools/c`: question",
            "## `agent_tools/e`: question and answer",
            "## `hunt/d`: changed",
            "## `index/f`: changed",
        ]
    );
    assert!(page.contains("-request: {query: one}\n+request: {query: two}\n"), "{page}");
    assert!(page.contains("-first\n+other\n"), "{page}");
    assert!(page.contains("````diff\n"), "a fence is longer than what it holds: {page}");
    assert_eq!(super::page(&spec(), &[]), "No golden differs.\n");
}

#[test]
fn a_page_that_would_be_too_long_names_what_it_leaves_out() {
    let long = |c: &str| Some(snapshot(CASE, 1) + &c.repeat(40_000));
    let changes = [
        change("golden/agent_tools/a.snap", long("a"), long("b")),
        change("golden/agent_tools/b.snap", Some(snapshot(CASE, 1)), Some(snapshot(CASE, 2))),
    ];
    let page = page(&spec(), &changes);
    assert!(page.len() < MOST_BYTES && page.contains("## `agent_tools/b`: answer\n"));
    assert!(page.ends_with("## 1 more, left out for their length\n\n`agent_tools/a` (answer)\n"));
}

#[test]
fn directories_are_compared_by_their_goldens_alone() {
    let place = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = place.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("old/golden/search/same.yaml", "same");
    write("old/golden/search/gone.yaml", "gone");
    write("new/search/same.yaml", "same");
    write("new/search/deep/new.snap", "new");
    write("new/search/notes.txt", "no golden");
    let at = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let sides = Sides::new(place.path(), &at("old"), Some(&at("new"))).unwrap();
    let expected = [
        change("golden/search/deep/new.snap", None, Some("new".to_owned())),
        change("golden/search/gone.yaml", Some("gone".to_owned()), None),
    ];
    assert_eq!(sides.changes().unwrap(), expected);
    let error = Sides::new(place.path(), &at("old"), Some("no-such")).unwrap_err();
    assert_eq!(error.to_string(), "`no-such` is no directory");
}

#[test]
fn commits_are_compared_from_the_first_or_from_where_they_parted() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path();
    let git = |arguments: &[&str]| {
        let named = ["-c", "user.name=n", "-c", "user.email=e", "-c", "commit.gpgsign=false"];
        let mut command = std::process::Command::new("git");
        let done = command.current_dir(root).args(named).args(arguments).output().unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
    };
    let commit = |file: &str, text: &str| {
        std::fs::create_dir_all(root.join("golden/search")).unwrap();
        std::fs::write(root.join("golden/search").join(file), text).unwrap();
        git(&["add", "-A"]);
        git(&["commit", "-qm", text]);
    };
    git(&["init", "-q", "-b", "main"]);
    commit("a.yaml", "first");
    git(&["checkout", "-qb", "topic"]);
    commit("a.yaml", "second");
    git(&["checkout", "-q", "main"]);
    commit("b.yaml", "other");
    let a = change("golden/search/a.yaml", Some("first".to_owned()), Some("second".to_owned()));
    let b = change("golden/search/b.yaml", Some("other".to_owned()), None);
    let between = |range: &str| Sides::new(root, range, None).unwrap().changes().unwrap();
    assert_eq!(between("main...topic"), std::slice::from_ref(&a));
    assert_eq!(between("main..topic"), [a, b]);
    assert_eq!(between("topic..topic"), []);
    let refused = |range: &str| Sides::new(root, range, None).unwrap_err().to_string();
    assert_eq!(
        refused("main"),
        "`main` is no range of commits; give BASE..HEAD, or two directories"
    );
    assert!(refused("--upload-pack=x..topic").starts_with("`--upload-pack=x` is no commit of "));
}
