use serde_json::{Value, json};

use crate::World;
use crate::agent::keyword::keyword_search;
use crate::agent::keyword::tests::config;

/// The scores of the results, by path.
fn scores(world: &World, query: &str, terms: &[&str]) -> Vec<(String, f64)> {
    let request = json!({"query": query, "search_terms": terms, "use_model": false});
    let page = keyword_search(world, &config(), &request, None).unwrap().page(9);
    let path = |one: &Value| one["path"].as_str().unwrap_or_default().to_owned();
    let results = page["results"].as_array().into_iter().flatten();
    results.map(|one| (path(one), one["score"].as_f64().unwrap_or_default())).collect()
}

fn score(path: &str, text: &str, query: &str, term: &str) -> f64 {
    let world = World::new().file(path, text);
    scores(&world, query, &[term]).first().map_or(0.0, |(_, score)| *score)
}

/// The score part of a file that contains one term.
fn part(units: f64, others: f64) -> f64 {
    ((units / (units + 8.0) + others) / 6.75 * 10_000.0).round() / 10_000.0
}

#[expect(clippy::float_cmp, reason = "scores are rounded")]
fn is(score: f64, expected: f64, what: &str) {
    assert!(score == expected, "{what}: {score}, not {expected}");
}

#[test]
fn occurrences_have_units_by_whole_word_part_or_substring() {
    let all = [
        ("foo", "foo", 4.0),
        ("FOO", "foo foo", 8.0),
        ("foo", "foo_bar", 2.0),
        ("foo", "foofoo", 1.0),
        ("foo", "xfoo foo", 5.0),
        ("a.b", "a.b a.ba.b", 12.0),
        ("foo", "foo_foo", 2.0),
        ("aa.", "aa.aa.", 8.0),
    ];
    for (term, text, units) in all {
        is(score("q", text, "q", term), part(units, 0.0), text);
    }
}

#[test]
fn a_whole_definition_scores_more_than_a_partial_one() {
    let of = |text: &str| score("q.rs", text, "q", "foo");
    is(of("fn foo() {}"), part(4.0, 1.0), "whole");
    is(of("fn foo_bar() {}"), part(2.0, 0.5), "part");
    is(of("fn foo_bar() {}\nfn foo() {}\nfoo();\n"), part(10.0, 1.0), "the greatest once");
    is(of("fn xfoo() {}"), part(1.0, 0.0), "no part of it");
    is(of("foo();"), part(4.0, 0.0), "none");
}

#[test]
fn paths_match_terms_by_stem_or_otherwise() {
    for (path, worth) in [
        ("a/retry.rs", 2.5),
        ("a/Re-try.rs", 2.5),
        ("a/retrys.rs", 2.5),
        ("a/retries.rs", 2.5),
        ("a/retry_all.rs", 1.0),
        ("retry/x.rs", 0.8),
        ("a/x.rs", 0.0),
    ] {
        is(score(path, "retry", "q", "retry"), part(4.0, worth), path);
    }
    is(
        score("user_service", "UserService", "q", "UserService"),
        part(4.0, 2.5),
        "letters and digits",
    );
    is(score("---", "---", "q", "---"), part(4.0, 1.0), "no letter, no stem");
}

#[test]
fn a_file_in_a_secondary_place_scores_less_even_if_a_term_names_the_place() {
    let plain = score("a/retry.rs", "retry", "q", "retry");
    assert!(score("tests/retry.rs", "retry", "q", "retry") < plain);
    let tests = part(4.0, 0.8);
    assert!(score("tests/x.rs", "tests", "q", "tests") < tests);
}

#[test]
fn a_file_named_by_the_query_scores_more() {
    let named = score("a/x.rs", "retry", "look into a/x.rs", "retry");
    is(named, (4.0 / 12.0 / 6.75 * 1.5 * 10_000.0_f64).round() / 10_000.0, "named");
}

/// The share of the first term in files that contain one of two terms each.
fn shares(query: &str, terms: [&str; 2]) -> f64 {
    let world = World::new().file("a", terms[0]).file("b", terms[1]);
    let scores = scores(&world, query, &terms);
    let of =
        |path: &str| scores.iter().find(|(one, _)| one == path).map_or(0.0, |(_, score)| *score);
    of("a") / of("b")
}

#[test]
fn terms_weigh_by_rank_by_being_a_name_and_by_the_first_line() {
    let close = |query: &str, terms: [&str; 2], share: f64| {
        let found = shares(query, terms);
        assert!((found - share).abs() < 0.02 * share, "{query}: {found}, not {share}");
    };
    let rank = 1.0 / 0.75;
    close("q", ["retry", "timer"], rank);
    close("q", ["MaxWait", "timer"], rank * 2.0);
    close("q", ["max_wait", "Timer"], rank * 2.0);
    close("q", ["_wait_", "Timer"], rank);
    close("q\n`retry`", ["retry", "timer"], rank * 2.0);
    close("a retry", ["retry", "timer"], rank * 3.0);
    close("Retries", ["retry", "timer"], rank * 3.0);
    close("Retries", ["retries", "timer"], rank * 3.0);
    close("`retry`", ["retry", "timer"], rank * 6.0);
    close("`for` it", ["for", "timer"], rank * 6.0);
    close("for it", ["for", "timer"], rank * 3.0);
    close("a.b", ["a.b", "timer"], rank);
}

#[test]
fn rare_terms_weigh_more() {
    let world = World::new().file("a", "foo").file("b", "foo").file("c", "bar").file("d", "x");
    let scores = scores(&world, "q", &["foo", "bar"]);
    let (idf_foo, idf_bar) = ((1.0_f64 + 2.5 / 2.5).ln(), (1.0_f64 + 3.5 / 1.5).ln());
    let all = (idf_foo + 0.75 * idf_bar) * 6.75;
    let of = |idf: f64| (idf / 3.0 / all * 10_000.0).round() / 10_000.0;
    assert_eq!(scores.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["c", "a", "b"]);
    is(scores[0].1, of(0.75 * idf_bar), "bar");
    is(scores[1].1, of(idf_foo), "foo");
}
