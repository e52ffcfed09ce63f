use touchstone_cases::case::Entry;

use super::*;

fn case(request: Value) -> Case {
    Case::new("a", "a", request)
}

/// A sound subject that has one answer for everything, and what it was asked.
fn asked(bug: Sabotage, case: &Case, answer: &Value) -> (Observation, Vec<Case>) {
    let mut questions = Vec::new();
    let observation = bug.run(case, &mut |case| {
        questions.push(case.clone());
        Ok(Ok(answer.clone()))
    });
    (observation.unwrap(), questions)
}

#[test]
fn a_refusal_passes_through_every_sabotage_after_one_question() {
    for bug in Sabotage::ALL.iter().copied() {
        let mut questions = 0;
        let refusal = json!({"class": "BadArgs"});
        let observation = bug.run(&case(json!({"pattern": "["})), &mut |_| {
            questions += 1;
            Ok(Err(refusal.clone()))
        });
        assert_eq!(observation, Ok(Err(refusal)), "{}", bug.name());
        assert_eq!(questions, 1);
    }
}

#[test]
fn a_broken_subject_stays_broken_under_sabotage() {
    let broken = Broken::Garbled { reason: "x".to_owned() };
    for bug in Sabotage::ALL.iter().copied() {
        let observation = bug.run(&case(json!({})), &mut |_| Err(broken.clone()));
        assert_eq!(observation, Err(broken.clone()));
    }
}

#[test]
fn an_answer_of_another_shape_makes_no_sabotage_panic() {
    let odd = [
        json!(null),
        json!([]),
        json!({"matches": 3}),
        json!({"matches": [{}, 1], "content": "x"}),
    ];
    for bug in Sabotage::ALL.iter().copied() {
        for answer in &odd {
            let request = json!({"pattern": "a", "max_results": 1, "context": 1, "max_files": 1, "follow": true});
            let case = case(request)
                .with(Entry::file("a", "x\r\ny"))
                .with(Entry::link("l", "../outside/o"));
            let _ = asked(bug, &case.with(Entry::file("../outside/o", "x")), answer);
        }
    }
}

#[test]
fn a_literal_is_quoted_before_it_becomes_a_regular_expression() {
    let case = case(json!({"pattern": "a.b[", "fixed_strings": true, "case": "insensitive"}));
    let (observation, questions) =
        asked(Sabotage::UnicodeFolding, &case, &json!({"pattern": "changed"}));
    assert_eq!(questions[1].request["pattern"], r"(?i)a\.b\[");
    assert_eq!(questions[1].request["fixed_strings"], false);
    assert_eq!(observation.unwrap()["pattern"], "a.b[");
}

#[test]
fn sabotage_keeps_ignore_rules_at_and_below_the_search_root() {
    let tree = ["a/b/.ignore", "a/.gitignore", ".ignore", ".git/info/exclude", "ab/.ignore", "a/x"];
    let of = |path: &str, working_dir: &str| {
        let mut case = case(json!({ "path": path }));
        case.config.working_dir = working_dir.to_owned();
        for name in tree {
            case.tree.push(Entry::file(name, "x\n"));
        }
        let names = tree::without_rules_above(&case)?.tree.into_iter();
        Some(
            names
                .filter(|entry| entry.bytes() == entry.path.len() as u64)
                .map(|entry| entry.path)
                .collect::<Vec<_>>(),
        )
    };
    let names = |names: &[&str]| {
        Some(names.iter().map(|name| name.as_bytes().to_vec()).collect::<Vec<_>>())
    };
    assert_eq!(of("a/b", ""), names(&["a/.gitignore", ".ignore", ".git/info/exclude"]));
    assert_eq!(of("b", "a"), names(&["a/.gitignore", ".ignore", ".git/info/exclude"]));
    assert_eq!(of("{root}/a/", ""), names(&[".ignore", ".git/info/exclude"]));
    assert_eq!(of("a/../ab/.", ""), names(&[".ignore", ".git/info/exclude"]));
    assert_eq!(of(".", ""), None);
    assert_eq!(of("..", "a"), None);
    assert_eq!(of("../root/a/b", ""), names(&["a/.gitignore", ".ignore", ".git/info/exclude"]));
}

#[test]
fn only_followed_links_that_lead_outside_are_inlined() {
    let tree = [
        Entry::link("in", "f"),
        Entry::link("sub/out", "../../outside/d"),
        Entry::link("abs", "{root}/../outside/d/x"),
        Entry::link("gone", "../outside/nothing"),
        Entry::file("f", "x"),
        Entry::file("../outside/d/x", "y"),
    ];
    let of = |follow: bool| {
        let mut case = case(json!({ "follow": follow }));
        case.tree = tree.to_vec();
        tree::with_outside_links_inlined(&case)
    };
    assert_eq!(of(false), None);
    let changed = of(true).unwrap().tree;
    assert!(changed.contains(&Entry::file("sub/out/x", "y")), "{changed:?}");
    assert!(changed.contains(&Entry::file("abs", "y")), "{changed:?}");
    assert!(changed.contains(&tree[0]) && changed.contains(&tree[3]), "{changed:?}");
    assert!(!changed.contains(&tree[1]), "{changed:?}");
}

#[test]
fn sabotage_changes_contents_only_without_side_effects() {
    let mut case = case(json!({"max_file_size_bytes": 6}));
    case.tree = vec![
        Entry::file("a", "x\r\ny"),
        Entry::file("long", "x\r\nyyy"),
        Entry::file("nul", "x\r\n\0"),
        Entry::file(".ignore", "x\r\ny"),
        Entry::file("utf16", &b"\xff\xfe\r\nx"[..]),
    ];
    let without = tree::without_unfinished_lines(&case).unwrap().tree;
    assert_eq!(without[0], Entry::file("a", "x\r\n"));
    assert_eq!(without[1], Entry::file("long", "x\r\n"));
    assert_eq!(without[2..], case.tree[2..]);
    let doubled = tree::with_carriage_returns_doubled(&case).unwrap().tree;
    assert_eq!(doubled[0], Entry::file("a", "x\r\r\ny"));
    assert_eq!(doubled[1..], case.tree[1..], "one more byte would make the second too large");
}
