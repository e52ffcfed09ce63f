use serde_json::{Value, json};

use crate::World;
use crate::agent::search_text;
use crate::agent::tests::{each, page, places};

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
