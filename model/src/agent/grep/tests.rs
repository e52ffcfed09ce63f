use serde_json::json;

use crate::World;
use crate::agent::grep;
use crate::agent::tests::{agent, answer_under, each, page, places};

#[test]
fn a_grep_pattern_is_literal_unless_regex_is_set() {
    let world = World::new().file("a", "a.c\nabc\nA.C\n");
    let found = |request| places(&page(grep, &world, &request));
    assert_eq!(found(json!({"pattern": "a.c"})), ["a:1"]);
    assert_eq!(found(json!({"pattern": "a.c", "regex": true})), ["a:1", "a:2"]);
    assert_eq!(found(json!({"pattern": "a.c", "case": "smart"})), ["a:1", "a:3"]);
}

#[test]
fn a_grep_result_has_its_line_and_context() {
    let world = World::new().file("sub/a", "1\r\n2 x\r\n3\r\n4");
    let found = page(grep, &world, &json!({"pattern": "x", "context_lines": 1}));
    let result = json!({"path": "sub/a", "line": 2, "match": "2 x", "context": {"before": ["1"], "after": ["3"]}});
    assert_eq!(found["results"], json!([result]));
    let bare = page(grep, &world, &json!({"pattern": "x", "context_lines": 0}));
    assert_eq!(bare["results"], json!([{"path": "sub/a", "line": 2, "match": "2 x"}]));
}

#[test]
fn counting_ends_above_a_thousand_matching_lines() {
    let many = |lines: usize| World::new().file("a", "x\n".repeat(lines)).unreadable_file("b", "x");
    let whole = page(grep, &many(1_000), &json!({"pattern": "x"}));
    assert_eq!(
        (&whole["total"], &whole["incomplete_because"]),
        (&json!(1_000), &json!(["max_results", "errors"]))
    );
    let cut = page(grep, &many(1_001), &json!({"pattern": "x"}));
    assert_eq!(
        (&cut["total"], &cut["incomplete_because"]),
        (&json!(1_000), &json!(["max_results", "counted"]))
    );
    let far = json!({"pattern": "x", "offset": 950, "max_results": 200, "context_lines": 0});
    let far = page(grep, &many(1_151), &far);
    assert_eq!((&far["total"], &far["next_offset"]), (&json!(1_150), &json!(1_150)));
}

#[test]
fn a_line_is_cut_around_its_match() {
    let world = World::new()
        .file("a", format!("{}needle{}\n{}\n", "x".repeat(500), "y".repeat(500), "z".repeat(500)));
    let answer =
        answer_under(&agent(), grep, &world, &json!({"pattern": "needle", "context_lines": 1}));
    let page = answer.page(1);
    let shown = format!("\u{2026}{}needle{}\u{2026}", "x".repeat(100), "y".repeat(294));
    assert_eq!(
        (&each(&page, "match"), &each(&page, "cut")),
        (&vec![json!(shown)], &vec![json!(true)])
    );
    let after = format!("{}\u{2026}", "z".repeat(400));
    assert_eq!(page["results"][0]["context"]["after"], json!([after]));
}

#[test]
fn files_are_listed_with_their_lines_and_all_lines_are_counted() {
    let world = World::new().file("a", "x\n".repeat(1_500)).file("b", "y").file("c", "x\nx x\n");
    let ask = |request| page(grep, &world, &request);
    let files = ask(json!({"pattern": "x", "output": "files"}));
    let results = json!([{"path": "a", "match_count": 1_500}, {"path": "c", "match_count": 2}]);
    assert_eq!((&files["results"], &files["total"]), (&results, &json!(2)));
    assert_eq!(
        (&files["matching_lines"], &files["matching_files"], &files["complete"]),
        (&json!(1_502), &json!(2), &json!(true))
    );
    let second = ask(json!({"pattern": "x", "output": "files", "offset": 1, "max_results": 1}));
    assert_eq!((each(&second, "path"), &second["complete"]), (vec![json!("c")], &json!(true)));
    let first = ask(json!({"pattern": "x", "output": "files", "max_results": 1}));
    assert_eq!((each(&first, "path"), &first["next_offset"]), (vec![json!("a")], &json!(1)));
    assert_eq!(first["matching_lines"], json!(1_502));
}

#[test]
fn a_count_has_no_results_and_no_pages() {
    let world = World::new().file("a", "x\nx\n").file("b", "x").unreadable_file("c", "x");
    for offset in [0, 5] {
        let request =
            json!({"pattern": "x", "output": "count", "max_results": 1, "offset": offset});
        let counted = page(grep, &world, &request);
        assert_eq!((&counted["results"], &counted["total"]), (&json!([]), &json!(3)));
        assert_eq!(
            (&counted["matching_files"], &counted["incomplete_because"]),
            (&json!(2), &json!(["errors"]))
        );
        assert_eq!(
            (&counted["total_is_lower_bound"], counted.get("next_offset"), counted.get("message")),
            (&json!(true), None, None)
        );
        let none =
            page(grep, &world, &json!({"pattern": "z", "output": "count", "offset": offset}));
        assert!(none.get("message").is_some(), "{none}");
    }
}
