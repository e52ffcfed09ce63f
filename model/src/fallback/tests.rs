use serde_json::{Value, json};

use crate::tests::{agent, answer_under, short};
use crate::{Answer, Config, Fallback, Skipped, World, search};

/// Fallback with these levels, and with `stats`.
fn falling_back(levels: &[u64]) -> Config {
    Config {
        fuzzy_fallback: true,
        fuzzy_fallback_levels: levels.to_vec(),
        emit_stats: true,
        ..agent()
    }
}

fn literal(pattern: &str) -> Value {
    json!({"pattern": pattern, "fixed_strings": true})
}

fn told(answer: &Answer) -> Fallback {
    answer.stats.clone().unwrap().fallback
}

fn tried(levels: &[u64]) -> Fallback {
    Fallback { levels_tried: levels.to_vec(), ..Fallback::default() }
}

#[test]
fn a_literal_with_a_match_is_not_searched_approximately() {
    let world = World::new().file("a", "needle\nneadle\n");
    let found = answer_under(&falling_back(&[1]), &world, &literal("needle"));
    assert_eq!(short(&found), ["a:1:1:needle"]);
    assert_eq!(told(&found), Fallback::default());
}

#[test]
fn the_first_fallback_level_with_a_match_is_the_answer() {
    let config = falling_back(&[1, 2, 3]);
    let near = World::new().file("a", "neadle\n").file("b", "neadly\n");
    let found = answer_under(&config, &near, &literal("needle"));
    assert_eq!((short(&found), told(&found)), (vec!["a:1:1:neadle".to_owned()], tried(&[1])));
    let far = World::new().file("b", "neadly\n");
    let found = answer_under(&config, &far, &literal("needle"));
    assert_eq!((short(&found), told(&found)), (vec!["b:1:1:neadl".to_owned()], tried(&[1, 2])));
    assert_eq!(found.content, "b:1:1:neadly\n[no exact match: lines within 2 edits are shown]\n");
}

#[test]
fn without_a_match_at_any_level_the_answer_is_the_exact_one() {
    let world = World::new().file("a", "hay\n");
    let found = answer_under(&falling_back(&[1, 2, 3]), &world, &literal("needle"));
    assert_eq!((found.content.as_str(), told(&found)), ("[no matches]\n", tried(&[1, 2, 3])));
}

#[test]
fn fallback_is_off_unless_configured() {
    let world = World::new().file("a", "neadle\n");
    let config = Config { emit_stats: true, ..agent() };
    let found = answer_under(&config, &world, &literal("needle"));
    assert_eq!((found.events.len(), told(&found)), (0, Fallback::default()));
}

/// FR-LSI-FUZ-02.
#[test]
fn fallback_applies_to_plain_literals_only() {
    let world = World::new().file("a", "neadle\n");
    for request in [
        json!({"pattern": "needle"}),
        json!({"pattern": "needle", "fixed_strings": true, "word_regexp": true}),
        json!({"pattern": "nfedlx", "fixed_strings": true, "fuzzy": 1}),
    ] {
        let found = answer_under(&falling_back(&[1, 2]), &world, &request);
        assert_eq!((found.events.len(), told(&found)), (0, Fallback::default()), "{request}");
    }
}

/// E-G04: what a cap, a limit or an error left out may have matched.
#[test]
fn fallback_does_not_run_if_anything_was_left_out() {
    let near = || World::new().file("a", "neadle\n").file("b", "hay\n");
    let cut = json!({"pattern": "needle", "fixed_strings": true, "max_files": 1});
    let oversized = json!({"pattern": "needle", "fixed_strings": true, "max_file_size_bytes": 5});
    for (world, request) in [
        (near(), cut),
        (near(), oversized),
        (near().unreadable_file("c", "x\n"), literal("needle")),
    ] {
        let found = answer_under(&falling_back(&[1]), &world, &request);
        assert_eq!((found.events.len(), told(&found)), (0, Fallback::default()), "{request}");
    }
}

/// E-G07: scalars count, and every edit needs two of them.
#[test]
fn a_short_pattern_is_not_searched_approximately() {
    let short = Fallback { skipped: Some(Skipped::PatternTooShort), ..Fallback::default() };
    let world = World::new().file("a", "日x\nabx\n");
    let config = falling_back(&[1, 2, 3]);
    for pattern in ["日本", "abc"] {
        assert_eq!(told(&answer_under(&config, &world, &literal(pattern))), short, "{pattern}");
    }
    assert_eq!(
        told(&answer_under(&config, &world, &literal("zbcd"))),
        tried(&[1, 2]),
        "3 is more than half of 4"
    );
    assert_eq!(told(&answer_under(&config, &world, &literal("zbcde"))), tried(&[1, 2]));
    assert_eq!(told(&answer_under(&config, &world, &literal("zbcdef"))), tried(&[1, 2, 3]));
    let loose = Config { fuzzy_min_pattern_len: 1, ..falling_back(&[2, 3]) };
    assert_eq!(told(&answer_under(&loose, &world, &literal("abc"))), short, "no level fits");
}

/// E-G03.
#[test]
fn a_fallback_pass_that_shows_only_context_counts_as_a_find() {
    let world = World::new().file("a", "fxo1\nfoo1\n");
    let request = json!({"pattern": "foo2", "fixed_strings": true, "context": 1, "max_results": 1});
    let found = answer_under(&falling_back(&[1, 2]), &world, &request);
    assert_eq!((short(&found), told(&found)), (vec!["a-1".to_owned()], tried(&[1])));
    assert!(found.truncated);
    let notes: Vec<&str> = found.content.lines().skip(1).collect();
    let expected = [
        "[no exact match: lines within 1 edits are shown]",
        "[no matches]",
        "[truncated: max_results 1 reached, more events exist]",
    ];
    assert_eq!(notes, expected);
}

/// E-G06.
#[test]
fn a_deadline_during_fallback_may_yield_the_exact_answer() {
    let config = Config { deadline_may_strike: true, ..falling_back(&[1, 2]) };
    let world = World::new().file("b", "neadly\n");
    let allowed = search(&world, &config, "Search", &literal("needle"));
    let answers: Vec<&Answer> =
        allowed.outcomes().iter().map(|outcome| outcome.as_ref().unwrap()).collect();
    assert_eq!(
        (short(answers[0]), told(answers[0])),
        (vec!["b:1:1:neadl".to_owned()], tried(&[1, 2]))
    );
    let ended = |tried: &[u64], left: u64| Fallback {
        levels_tried: tried.to_vec(),
        skipped: (left > 0).then_some(Skipped::NoTimeLeft),
        passes_skipped: left,
    };
    for (levels, left) in [(&[][..], 2), (&[1][..], 1), (&[1, 2][..], 0)] {
        let ended = ended(levels, left);
        let one = |answer: &&&Answer| told(answer) == ended && answer.events.is_empty();
        let found = answers.iter().find(one).unwrap_or_else(|| panic!("{ended:?}"));
        assert!(!found.timed_out, "the exact pass was complete");
    }
    // A truncated answer is the exact pass, without fields of fallback, or a pass that had found
    // something.
    let cut: Vec<&&Answer> = answers.iter().filter(|answer| answer.timed_out).collect();
    let of_the_exact = cut.iter().filter(|answer| told(answer) == Fallback::default());
    let of_a_pass =
        cut.iter().filter(|answer| told(answer) == tried(&[1, 2]) && answer.events.len() == 1);
    assert!(of_the_exact.clone().count() > 0 && of_a_pass.clone().count() > 0);
    assert_eq!(of_the_exact.count() + of_a_pass.count(), cut.len());
}

#[test]
fn stats_describe_the_returned_fallback_pass() {
    let world = World::new().file("a", "neadle\n").file("b", "neadle\nneadle\n");
    let request = json!({"pattern": "needle", "fixed_strings": true, "max_matches_per_file": 1});
    let found = answer_under(&falling_back(&[1]), &world, &request);
    let stats = found.stats.unwrap();
    assert_eq!((stats.files_cut, stats.incomplete_because), (1, vec!["max_matches_per_file"]));
    assert_eq!((stats.candidates_total, stats.files_oversized), (2, 0));
}
