use serde_json::{Value, json};

use crate::tests::{agent, answer, answer_under, files, short};
use crate::{Answer, Config, World, search};

fn errors(answer: &Answer) -> Vec<&str> {
    answer.errors.iter().map(|(path, _)| path.as_str()).collect()
}

/// The notes at the end of `content`.
fn notes(answer: &Answer) -> Vec<&str> {
    answer.content.lines().filter(|line| line.starts_with('[')).collect()
}

/// Three files with one match each and one without, and errors before, between and after them.
fn world() -> World {
    World::new()
        .unreadable_file("a0", "x\n")
        .file("a1", "x\n")
        .file("b1", "no\n")
        .unreadable_dir("b2")
        .file("c1", "x\n")
        .file("d1", "x\n")
        .unreadable_dir("e")
}

#[test]
fn a_complete_scan_reports_every_file_and_problem() {
    let all = answer(&world(), &json!({"pattern": "x"}));
    assert_eq!(files(&all), ["a1", "c1", "d1"]);
    assert_eq!((all.files_scanned, all.truncated), (5, false));
    assert_eq!(errors(&all), ["a0", "b2", "e"]);
    assert_eq!(notes(&all), ["[errors: 3]"]);
}

/// E-B25.
#[test]
fn an_answer_ends_at_the_file_with_the_first_event_not_emitted() {
    let cut = answer(&world(), &json!({"pattern": "x", "max_results": 1}));
    assert_eq!(files(&cut), ["a1"]);
    assert_eq!((cut.files_scanned, cut.truncated), (4, true));
    assert_eq!(errors(&cut), ["a0", "b2"]);
    assert_eq!(
        notes(&cut),
        ["[truncated: max_results 1 reached, more events exist]", "[errors: 2]"]
    );
    let exact = answer(&world(), &json!({"pattern": "x", "max_results": 3}));
    assert_eq!((exact.files_scanned, exact.truncated), (5, false));
}

#[test]
fn an_answer_that_ends_in_the_last_file_omits_later_problems() {
    let cut = answer(&world(), &json!({"pattern": "x", "max_results": 2}));
    assert_eq!((cut.files_scanned, cut.truncated), (5, true));
    assert_eq!(errors(&cut), ["a0", "b2"], "the problem behind the end of the answer is not in it");
}

/// E-D09.
#[test]
fn context_counts_towards_max_results() {
    let world = World::new().file("a", "y\nx\n");
    let only_context = answer(&world, &json!({"pattern": "x", "context": 1, "max_results": 1}));
    assert_eq!(short(&only_context), ["a-1"]);
    assert_eq!(
        notes(&only_context),
        ["[no matches]", "[truncated: max_results 1 reached, more events exist]"]
    );
}

/// E-B14, E-B15.
#[test]
fn max_files_selects_the_first_eligible_files_in_order() {
    let one = answer(&world(), &json!({"pattern": "x", "max_files": 1}));
    assert_eq!((files(&one), one.files_scanned, one.truncated), (Vec::new(), 1, true));
    assert_eq!(errors(&one), ["a0"]);
    assert_eq!(
        notes(&one),
        ["[no matches]", "[truncated: max_files 1 reached, more files exist]", "[errors: 1]"]
    );
    let all = answer(&world(), &json!({"pattern": "x", "max_files": 5}));
    assert!(!all.truncated);
    assert_eq!(errors(&all), ["a0", "b2", "e"]);
}

#[test]
fn files_beyond_max_files_do_not_matter_to_an_answer_that_ended_before() {
    let cut = answer(&world(), &json!({"pattern": "x", "max_results": 1, "max_files": 4}));
    assert_eq!(
        notes(&cut),
        ["[truncated: max_results 1 reached, more events exist]", "[errors: 2]"]
    );
    let at_the_cap = answer(&world(), &json!({"pattern": "x", "max_results": 1, "max_files": 2}));
    assert_eq!(
        notes(&at_the_cap),
        ["[truncated: max_files 2 reached, more files exist]", "[errors: 1]"]
    );
}

/// E-B16, E-D12.
#[test]
fn a_cap_per_file_that_cut_something_is_reported() {
    let world = World::new().file("a", "x\nx\nx\n").file("b", "x\nx\n").file("c", "x\n");
    let request = |max_results: u64| json!({"pattern": "x", "max_matches_per_file": 1, "max_results": max_results});
    let all = answer(&world, &request(9));
    assert_eq!(short(&all), ["a:1:1:x", "b:1:1:x", "c:1:1:x"]);
    assert!(all.truncated);
    assert_eq!(notes(&all), ["[truncated: max_matches_per_file 1 reached, files cut: 2]"]);
    // `b` has the first event that is not emitted, so its later lines are not examined.
    let ended = answer(&world, &request(1));
    assert_eq!(
        notes(&ended),
        [
            "[truncated: max_results 1 reached, more events exist]",
            "[truncated: max_matches_per_file 1 reached, files cut: 1]",
        ]
    );
    let exact = answer(&world, &json!({"pattern": "x", "max_matches_per_file": 3}));
    assert!(!exact.truncated);
}

/// E-B17.
#[test]
fn a_file_over_the_size_limit_is_skipped_and_reported() {
    let world =
        World::new().file("a", "x234\n").file("b", "x2345\n").unreadable_file("c", "x23456\n");
    let below = answer(&world, &json!({"pattern": "x", "max_file_size_bytes": 5}));
    assert_eq!(
        (files(&below), below.files_scanned, below.truncated),
        (vec!["a".to_owned()], 3, true)
    );
    assert_eq!(notes(&below), ["[truncated: max_file_size_bytes 5 exceeded, files skipped: 2]"]);
    let named = answer(&world, &json!({"pattern": "x", "path": "b", "max_file_size_bytes": 5}));
    assert_eq!(named.errors, [("b".to_owned(), "larger than max_file_size_bytes".to_owned())]);
    assert!(named.truncated);
}

#[test]
fn oversized_files_beyond_the_end_of_the_answer_are_not_reported() {
    let world = World::new().file("a", "x\nx\n").file("b", "x2345\n");
    let cut = answer(&world, &json!({"pattern": "x", "max_file_size_bytes": 5, "max_results": 1}));
    assert_eq!(notes(&cut), ["[truncated: max_results 1 reached, more events exist]"]);
}

#[test]
fn a_binary_file_is_a_problem_only_if_it_is_the_search_root() {
    let world = World::new().file("d/a", "x\0\n");
    let below = answer(&world, &json!({"pattern": "x"}));
    assert_eq!((below.files_scanned, below.truncated, errors(&below)), (1, false, Vec::new()));
    let named = answer(&world, &json!({"pattern": "x", "path": "d/a"}));
    assert_eq!(named.errors, [("d/a".to_owned(), "binary file".to_owned())]);
    assert!(!named.truncated);
}

/// E-E13.
#[test]
fn the_output_cap_ends_the_answer_like_max_results() {
    let world = World::new().file("a", "x234\n\u{e9}x\nx\n").file("b", "x\n");
    let under = |bytes: u64, max_results: u64| {
        let config = Config { max_output_bytes: bytes, ..agent() };
        answer_under(&config, &world, &json!({"pattern": "x", "max_results": max_results}))
    };
    let two = under(7, 9);
    assert_eq!(
        (short(&two), two.truncated, two.files_scanned),
        (vec!["a:1:1:x".into(), "a:2:3:x".into()], true, 1)
    );
    assert_eq!(notes(&two), ["[truncated: max_output_bytes 7 reached, more events exist]"]);
    assert_eq!(short(&under(6, 9)).len(), 1);
    assert_eq!(short(&under(3, 9)).len(), 0, "no later, shorter event takes the place");
    assert_eq!(notes(&under(7, 2)), ["[truncated: max_results 2 reached, more events exist]"]);
    assert!(!under(9, 9).truncated);
}

#[test]
fn problems_are_ordered_like_files() {
    let world = World::new()
        .unreadable_dir("b")
        .unreadable_file("b-", "x\n")
        .unreadable_file("b0", "x\n")
        .unreadable_file(".gitignore", "")
        .unreadable_file("a/.gitignore", "")
        .unreadable_file("a/-", "");
    let all = answer(&world, &json!({"pattern": "x"}));
    assert_eq!(errors(&all), [".gitignore", "a/.gitignore", "a/-", "b-", "b", "b0"]);
}

/// E-D05, E-D06: with a deadline, exactly the prefixes of complete files are correct.
#[test]
fn a_deadline_allows_prefixes_of_complete_files() {
    let allowed = |config: &Config, request: &Value| search(&world(), config, "Search", request);
    let config = Config { deadline_may_strike: true, ..agent() };
    let request = json!({"pattern": "x", "max_results": 2});
    let set = allowed(&config, &request);
    assert_eq!(set.canonical(), allowed(&agent(), &request).canonical());
    assert!(set.contains(set.canonical()));
    let timed_out: Vec<&Answer> = set
        .outcomes()
        .iter()
        .filter_map(|outcome| outcome.as_ref().ok())
        .filter(|answer| answer.timed_out)
        .collect();
    let scanned: Vec<u64> = timed_out.iter().map(|answer| answer.files_scanned).collect();
    assert_eq!(scanned, [0, 1, 2, 3, 4], "the fifth file is not complete");
    assert!(timed_out.iter().all(|answer| answer.truncated));
    assert_eq!(timed_out[0].content, "[no matches]\n[timed out: files searched: 0]\n");
    assert_eq!(errors(timed_out[0]), [] as [&str; 0]);
    assert_eq!(timed_out[2].content, "a1:1:1:x\n[timed out: files searched: 2]\n[errors: 1]\n");
    assert_eq!(files(timed_out[4]), ["a1", "c1"]);

    let mut other = timed_out[4].clone();
    other.events.remove(0);
    assert!(!set.contains(&Ok(other)), "a gap before an event is never right");
}

#[test]
fn after_the_last_file_a_deadline_may_or_may_not_omit_the_last_problem() {
    let config = Config { deadline_may_strike: true, ..agent() };
    let set = search(&world(), &config, "Search", &json!({"pattern": "x"}));
    let last: Vec<Vec<&str>> = set
        .outcomes()
        .iter()
        .filter_map(|outcome| outcome.as_ref().ok())
        .filter(|answer| answer.timed_out && answer.files_scanned == 5)
        .map(errors)
        .collect();
    assert_eq!(last, [vec!["a0", "b2"], vec!["a0", "b2", "e"]]);
}

#[test]
fn a_refusal_is_the_only_outcome_even_with_a_deadline() {
    let config = Config { deadline_may_strike: true, ..agent() };
    let set = search(&world(), &config, "Search", &json!({"pattern": "("}));
    assert_eq!(set.outcomes().len(), 1);
}
