use serde_json::{Value, json};

use crate::World;
use crate::agent::search_text;
use crate::agent::tests::{agent, answer_under, each, page, places};

fn found(world: &World, query: &str) -> Value {
    page(search_text, world, &json!({"query": query, "context_lines": 0}))
}

#[test]
fn a_file_must_hold_every_term() {
    let world = World::new().file("a", "foo\n").file("b", "foo\nbar\n").file("c", "Bar foo_x\n");
    let mut paths: Vec<String> = places(&found(&world, "foo bar"));
    paths.sort();
    assert_eq!(paths, ["b:1", "c:1"]);
}

/// One file with one line of three bytes: n = d = 1, so that idf = ln(1 + 0.5 / 1.5); l = L; f = 1.
/// Nothing is defined and no stem is the term; the maximum is 1 + 3 + 1.
#[test]
fn the_score_equals_the_value_computed_by_hand() {
    let page = found(&World::new().file("x", "foo"), "foo");
    let expected = 1.0 / (1.0 + 1.2) / 5.0;
    let score = page["results"][0]["score"].as_f64().unwrap();
    assert!((score - expected).abs() < 0.000_05, "{score}");
}

/// Lengths 4 and 12, mean 8; of 1 and 3 lines, 1 each has the term; the stem adds 8 units in foo.x,
/// and one beside.
#[test]
fn the_score_depends_on_length_and_path() {
    let page = found(&World::new().file("a", "foo\n").file("foo.x", "foo\nbar\nbar\n"), "foo");
    let of = |f: f64, l: f64| f / (f + 1.2 * (0.25 + 0.75 * l / 8.0));
    let scores: Vec<f64> =
        each(&page, "score").iter().map(|score| score.as_f64().unwrap()).collect();
    assert_eq!(places(&page), ["foo.x:1", "a:1"]);
    for (score, expected) in scores.iter().zip([(of(5.0, 12.0) + 1.0) / 5.0, of(1.0, 4.0) / 5.0]) {
        assert!((score - expected).abs() < 0.000_06, "{score} {expected}");
    }
}

/// All else is equal: 3 for an exported name, two eighths of it if spelled otherwise, 0.5 of it
/// among tests.
#[test]
fn a_definition_is_ranked_first() {
    let world = World::new()
        .file("a.py", "x = foo(1)\n")
        .file("b.py", "def foo(x):\n")
        .file("c.py", "def Foo(x):\n")
        .file("tests/d.py", "def foo(x):\n");
    let page = found(&world, "foo");
    assert_eq!(places(&page), ["b.py:1", "tests/d.py:1", "c.py:1", "a.py:1"]);
    let text = |hundredths: f64, bytes: f64, own: f64| {
        (1.0 / (1.0 + 1.2 * (0.25 + 0.75 * bytes / 11.75)) + own) * hundredths / 5.0
    };
    let expected =
        [text(1.0, 12.0, 3.0), text(0.5, 12.0, 3.0), text(1.0, 12.0, 0.75), text(1.0, 11.0, 0.0)];
    for (score, expected) in each(&page, "score").iter().zip(expected) {
        assert!((score.as_f64().unwrap() - expected).abs() < 0.000_06, "{score} {expected}");
    }
}

#[test]
fn equal_scores_are_in_path_order() {
    let world = World::new().file("b", "foo\n").file("a/b", "foo\n").file("a-b", "foo\n");
    assert_eq!(places(&found(&world, "foo")), ["a-b:1", "a/b:1", "b:1"]);
}

#[test]
fn the_line_with_most_terms_is_shown_and_all_lines_with_any_are_counted() {
    let lines = "foo\nfoo foo foo\nbar foo\nfn bar() foo\nx\n".to_owned() + &"foo\n".repeat(12);
    let page = found(&World::new().file("a.rs", lines), "foo bar");
    let result = &page["results"][0];
    assert_eq!((&result["line"], &result["snippet"]), (&json!(4), &json!("fn bar() foo")));
    assert_eq!(
        (&result["match_count"], &result["match_lines"]),
        (&json!(16), &json!([1, 2, 3, 4, 6, 7, 8, 9, 10, 11]))
    );
}

#[test]
fn at_most_four_thousand_files_are_ranked_and_those_with_terms_in_their_path_first() {
    let mut world = World::new().file("z/foo", "foo\n");
    for number in 0..4_000 {
        world = world.file(format!("a{number}"), "foo\n");
    }
    let answer = answer_under(&agent(), search_text, &world, &json!({"query": "foo"}));
    let page = answer.page(answer.due());
    assert_eq!(
        (&page["total"], &page["incomplete_because"]),
        (&json!(4_000), &json!(["max_results", "ranked"]))
    );
    assert_eq!(page["results"][0]["path"], json!("z/foo"));
    assert!(answer.results().iter().all(|result| result["path"] != json!("a999")));
}

/// The reasons of an answer with `files` matching files `m0000` and so on, besides others; at most
/// 4003 files.
fn ranked_beside(other: impl Fn(World) -> World, files: usize) -> Value {
    let mut world = World::new();
    for number in 0..files {
        world = world.file(format!("m{number:04}"), "foo\n");
    }
    let mut config = agent();
    (config.search.max_file_size_bytes, config.search.max_files) = (100, 4_003);
    let answer = answer_under(&config, search_text, &other(world), &json!({"query": "foo"}));
    answer.page(answer.due())["incomplete_because"].clone()
}

#[test]
fn files_beyond_the_last_ranked_file_are_not_reported() {
    let large = "foo\n".repeat(30);
    let behind = |world: World| world.file("z", &*large).unreadable_file("y", "foo\n");
    assert_eq!(ranked_beside(behind, 4_001), json!(["max_results", "ranked"]));
    let all_taken = json!(["max_results", "max_file_size_bytes", "errors"]);
    assert_eq!(ranked_beside(behind, 4_000), all_taken);
    let before = |world: World| world.file("a", &*large);
    assert_eq!(
        ranked_beside(before, 4_001),
        json!(["max_results", "ranked", "max_file_size_bytes"])
    );
    // After the others by path order, before them by path units.
    let first = |world: World| world.unreadable_file("z/foo", "foo\n");
    assert_eq!(ranked_beside(first, 4_001), json!(["max_results", "ranked", "errors"]));
    // Before the last by path order, after it by path units.
    let last = |world: World| world.file("n/foo", "foo\n").unreadable_file("m3999x", "foo\n");
    assert_eq!(ranked_beside(last, 4_000), json!(["max_results", "ranked"]));
}

#[test]
fn unreadable_directories_and_max_files_are_known_before_ranking() {
    let closed = |world: World| world.unreadable_dir("z");
    assert_eq!(ranked_beside(closed, 4_001), json!(["max_results", "ranked", "errors"]));
    assert_eq!(ranked_beside(|world| world, 4_003), json!(["max_results", "ranked"]));
    assert_eq!(ranked_beside(|world| world, 4_004), json!(["max_results", "ranked", "max_files"]));
}
