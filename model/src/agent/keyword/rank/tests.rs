use serde_json::{Value, json};

use crate::World;
use crate::agent::keyword::tests::config;
use crate::agent::keyword::{Config, keyword_search};

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

/// The score part of a file of average length that contains one term.
fn part(units: f64, others: f64) -> f64 {
    ((units / (units + 5.0) + others) / 5.25 * 10_000.0).round() / 10_000.0
}

#[expect(clippy::float_cmp, reason = "scores are rounded")]
fn is(score: f64, expected: f64, what: &str) {
    assert!(score == expected, "{what}: {score}, not {expected}");
}

#[test]
fn occurrences_have_the_units_of_search_text() {
    let all = [
        ("foo", "foo", 2.0),
        ("FOO", "foo foo", 4.0),
        ("foo", "foo_bar", 1.0),
        ("foo", "xfoo foo", 2.0),
        ("a.b", "a.b a.ba.b", 6.0),
        ("foo", "foo_foo", 1.0),
        ("aa.", "aa.aa.", 4.0),
    ];
    for (term, text, units) in all {
        is(score("q", text, "q", term), part(units, 0.0), text);
    }
}

#[test]
fn definitions_count_up_to_six_eighths() {
    let of = |text: &str, term: &str| score("q.rs", text, "q", term);
    let share = |eighths: f64| eighths / (eighths + 8.0);
    is(of("pub fn foo() {}", "foo"), part(2.0, share(6.0)), "as given");
    is(of("pub fn foo() {}", "Foo"), part(2.0, share(6.0)), "at level 3, spelled otherwise");
    is(of("pub fn foo_bar() {}", "foo"), part(1.0, share(3.0)), "at level 3, not whole");
    is(of("pub fn foo_bar() {}\npub fn foo() {}", "foo"), part(3.0, share(6.0)), "the greatest");
    is(of("foo();", "foo"), part(2.0, 0.0), "none");
    let covered = scores(&World::new().file("q.rs", "pub fn foo_bar() {}"), "q", &["foo", "bar"]);
    is(covered[0].1, part(1.0, share(3.0)), "no identifier is covered");
}

#[test]
fn paths_match_terms_by_stem_or_otherwise() {
    for (path, worth) in [
        ("a/retry.rs", 1.5),
        ("a/Re-try.rs", 1.5),
        ("a/retrys.rs", 1.5),
        ("a/retries.rs", 1.5),
        ("a/retry_all.rs", 0.8),
        ("a/retryall.rs", 0.8),
        ("retry/x.rs", 0.8),
        ("a/retrying/x.rs", 0.8),
        ("a/x.rs", 0.0),
    ] {
        is(score(path, "retry", "q", "retry"), part(2.0, worth), path);
    }
    is(
        score("user_service", "UserService", "q", "UserService"),
        part(2.0, 1.5),
        "letters and digits",
    );
    is(score("---", "---", "q", "---"), part(2.0, 0.8), "no letter, no stem");
}

#[test]
fn a_secondary_place_counts_twice_unless_a_question_of_one_line_asks_for_it() {
    let share = 2.0 / 7.0 / 5.25;
    let of =
        |factor: f64, path: f64| ((share + path / 5.25) * factor * 10_000.0).round() / 10_000.0;
    is(score("tests/x.rs", "retry", "q", "retry"), of(0.25, 0.0), "tests");
    is(score("docs/x.rs", "retry", "q", "retry"), of(0.36, 0.0), "documents");
    is(score("tests/x.rs", "tests", " q\n", "tests"), of(1.0, 0.8), "asked for");
    is(score("tests/x.rs", "tests", "q\nr", "tests"), of(0.25, 0.8), "a text");
}

#[test]
fn units_count_less_in_longer_files() {
    let long = format!("foo{}", " x".repeat(400));
    let world = World::new().file("a", &long).file("b", "foo");
    let found = scores(&world, "q", &["foo"]);
    let mean = 403.0;
    let of = |length: f64| {
        let constant = 5.0 * (0.95 + 0.05 * length / mean);
        (2.0 / (2.0 + constant) / 5.25 * 10_000.0).round() / 10_000.0
    };
    assert_eq!(found, [("b".to_owned(), of(3.0)), ("a".to_owned(), of(803.0))]);
}

#[test]
fn a_file_named_by_the_query_scores_more() {
    let named = score("a/x.rs", "retry", "look into a/x.rs", "retry");
    is(named, (2.0 / 7.0 / 5.25 * 1.5 * 10_000.0_f64).round() / 10_000.0, "named");
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
    close("q", ["MaxWait", "timer"], rank * 2.5);
    close("q", ["max_wait", "Timer"], rank * 2.5);
    close("q", ["_wait_", "Timer"], rank);
    close("q\n`retry`", ["retry", "timer"], rank * 2.5);
    close("a retry", ["retry", "timer"], rank * 3.5);
    close("Retries", ["retry", "timer"], rank * 3.5);
    close("Retries", ["retries", "timer"], rank * 3.5);
    close("`retry`", ["retry", "timer"], rank * 8.75);
    close("`for` it", ["for", "timer"], rank * 8.75);
    close("for it", ["for", "timer"], rank * 3.5);
    close("a.b", ["a.b", "timer"], rank);
}

#[test]
fn rare_terms_weigh_more() {
    let long = |text: &str| format!("{text} {}", "x".repeat(96));
    let world = World::new()
        .file("a", long("foo"))
        .file("b", long("foo foo"))
        .file("c", long("bar"))
        .file("d", "x".repeat(1_000));
    let scores = scores(&world, "q", &["foo", "bar"]);
    let lines = (100.0 + 104.0 + 100.0) / 40.0;
    let idf = |found: f64| (1.0_f64 + (lines - found + 0.5) / (found + 0.5)).ln();
    let all = (idf(3.0) + 0.75 * idf(1.0)) * 5.25;
    let of = |idf: f64, units: f64, length: f64| {
        let constant = 5.0 * (0.95 + 0.05 * length * 3.0 / 304.0);
        (idf * units / (units + constant) / all * 10_000.0).round() / 10_000.0
    };
    assert_eq!(scores.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["b", "c", "a"]);
    is(scores[0].1, of(idf(3.0), 4.0, 104.0), "foo twice");
    is(scores[1].1, of(0.75 * idf(1.0), 2.0, 100.0), "bar");
    is(scores[2].1, of(idf(3.0), 2.0, 100.0), "foo");
}

#[test]
fn a_selected_file_without_an_occurrence_has_no_text() {
    let world = World::new().file("a", "xfoo ".repeat(99)).file("b", "foo");
    let request = json!({"query": "q", "search_terms": ["foo", "bar"], "use_model": false});
    let selecting = Config { skip_broad_terms: true, ..config() };
    let page = keyword_search(&world, &selecting, &request, None).unwrap().page(9);
    assert_eq!(
        (&page["results"][1]["path"], &page["results"][1]["score"]),
        (&json!("a"), &json!(0.0))
    );
    // The length of `a` does not count in rarity.
    let rarity = |found: f64| (1.0_f64 + 0.5 / (found + 0.5)).ln();
    let (foo, bar) = (rarity(1.0), 0.75 * (1.0_f64 + (3.0 / 40.0 + 0.5) / 0.5).ln());
    let expected = (foo * 2.0 / 7.0 / (foo + bar) / 5.25 * 10_000.0).round() / 10_000.0;
    is(page["results"][0]["score"].as_f64().unwrap(), expected, "foo");
}
