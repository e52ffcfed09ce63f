//! What the shrinker keeps, and what it takes away.

use std::cell::Cell;

use serde_json::json;
use touchstone_cases::case::{Case, Contents, Entry, Node};
use touchstone_cases::generate::Generator;

use super::{Measure, shrink};

fn holds_bytes(case: &Case, needle: &[u8]) -> bool {
    case.tree.iter().any(|entry| match &entry.node {
        Node::File { contents, .. } => {
            contents.bytes().windows(needle.len()).any(|window| window == needle)
        }
        _ => false,
    })
}

fn large() -> Case {
    let mut case = Case::new("large", "large", json!({
        "pattern": "some pattern", "context": 800, "include_glob": ["*.txt", "**"], "max_results": 77, "hidden": true,
    }))
    .with(Entry::file("some/deep/directory/name.txt", "one\ntwo\nneedle here\nfour\n"))
    .with(Entry::file("other.txt", "nothing\n"))
    .with(Entry::link("link", "other.txt"))
    .with(Entry::dir("empty/directory"))
    .with(Entry::file("locked", "x").unreadable());
    case.config.max_files = Some(12);
    case.config.deny = vec!["**/.env".to_owned()];
    case
}

#[test]
fn a_case_is_shrunk_to_what_the_predicate_needs() {
    let shrunk = shrink(&large(), 2_000, |case| holds_bytes(case, b"needle"));
    assert!(shrunk.fixpoint);
    let case = shrunk.case;
    assert_eq!(case.tree, [Entry::file("a", "needle")]);
    assert_eq!(case.config, Case::new("x", "x", json!({})).config);
    assert_eq!(case.request, json!({}));
}

#[test]
fn needed_fields_and_numbers_become_as_small_as_possible() {
    let shrunk = shrink(&large(), 2_000, |case| {
        case.request["context"].as_u64().is_some_and(|context| context >= 3)
            && case.request["pattern"].as_str().is_some_and(|pattern| pattern.contains('p'))
    });
    assert_eq!(shrunk.case.request, json!({ "pattern": "p", "context": 3 }));
    assert!(shrunk.case.tree.is_empty());
}

#[test]
fn a_list_loses_the_items_that_are_not_needed() {
    let shrunk = shrink(&large(), 2_000, |case| {
        case.request["include_glob"].as_array().is_some_and(|globs| globs.contains(&json!("**")))
    });
    assert_eq!(shrunk.case.request, json!({ "include_glob": ["**"] }));
}

#[test]
fn a_repetition_is_shrunk_to_the_needed_count() {
    let contents = Contents::of([(b"xy".to_vec(), 100_000), (b"needle".to_vec(), 1)]);
    let case = Case::new("long", "long", json!({}))
        .with(Entry { path: b"f".to_vec(), node: Node::File { contents, readable: true } });
    let shrunk = shrink(&case, 4_000, |case| {
        holds_bytes(case, b"needle") && case.tree.iter().map(Entry::bytes).sum::<u64>() > 5_000
    });
    let (entries, bytes) = shrunk.case.size();
    assert_eq!(entries, 1);
    assert!((5_001..5_040).contains(&bytes), "{bytes} bytes");
}

#[test]
fn a_directory_is_renamed_in_all_entries_below_it() {
    let case = Case::new("two", "two", json!({}))
        .with(Entry::file("directory/one.txt", ""))
        .with(Entry::file("directory/two.txt", ""));
    let shrunk = shrink(&case, 2_000, |case| {
        let parents: Vec<_> = case
            .tree
            .iter()
            .filter_map(|entry| entry.path.split(|byte| *byte == b'/').next())
            .collect();
        case.tree.len() == 2
            && parents[0] == parents[1]
            && case.tree.iter().all(|entry| entry.path.contains(&b'/'))
    });
    let paths: Vec<&[u8]> = shrunk.case.tree.iter().map(|entry| entry.path.as_slice()).collect();
    assert_eq!(paths, [b"a/a", b"a/b"]);
}

#[test]
fn a_shrunk_case_is_not_larger_and_satisfies_the_predicate() {
    let generator = Generator::new(3);
    for number in 0..60 {
        let case = generator.case(number);
        let wanted = (case.tree.len() + case.request.to_string().len()) % 7;
        let holds = |case: &Case| (case.tree.len() + case.request.to_string().len()) % 7 == wanted;
        let shrunk = shrink(&case, 300, holds);
        assert!(holds(&shrunk.case));
        assert!(Measure::of(&shrunk.case) <= Measure::of(&case));
        assert_eq!(shrunk.case.validate(), Ok(()));
    }
}

#[test]
fn shrinking_is_deterministic() {
    let case = Generator::new(4).case(11);
    let run = || shrink(&case, 500, |case| case.request.get("pattern").is_some()).case;
    assert_eq!(run(), run());
}

#[test]
fn the_predicate_is_tested_within_the_budget() {
    let asked = Cell::new(0);
    let shrunk = shrink(&large(), 17, |_| {
        asked.set(asked.get() + 1);
        false
    });
    assert_eq!(asked.get(), 17);
    assert_eq!(shrunk.asked, 17);
    assert!(!shrunk.fixpoint);
    assert_eq!(shrunk.case, large());
}

#[test]
fn a_budget_of_zero_leaves_the_case_unchanged() {
    assert_eq!(shrink(&large(), 0, |_| true).case, large());
}

#[test]
fn brackets_are_removed_in_pairs() {
    for (pattern, wanted) in [("((x))", "x"), ("(?:[x])", "x"), ("a{(x)}[", "x"), ("()x()", "x")] {
        let case = Case::new("brackets", "brackets", json!({ "pattern": pattern }));
        let balanced = |text: &str| text.matches('(').count() == text.matches(')').count();
        let shrunk = shrink(&case, 500, |case| {
            case.request["pattern"]
                .as_str()
                .is_some_and(|text| text.contains('x') && balanced(text))
        });
        assert_eq!(shrunk.case.request, json!({ "pattern": wanted }));
    }
}

#[test]
fn candidates_that_are_not_smaller_are_not_tested() {
    let least = Case::new("least", "least", json!({}));
    let shrunk = shrink(&least, 100, |_| true);
    assert_eq!((shrunk.asked, shrunk.case), (0, least));
}

#[test]
fn keys_and_context_of_another_tool_are_removed_and_the_tool_stays() {
    let mut case =
        Case::of("x", "x", "search_files", json!({"path": ".", "query": "foo", "max_depth": 9}))
            .with(Entry::file("a", "foo\n"));
    case.context.max_output_bytes = Some(900);
    case.context.available_capacity_bytes = Some(1_000);
    let keys = case.config.search_files.clone().with("fuzzy_threshold", 0.5);
    case.config.search_files = keys.with("max_results", 70);
    let shrunk = shrink(&case, 2_000, |case| {
        case.context.max_output_bytes.is_some_and(|bytes| bytes >= 5)
            && case.config.search_files.integer("max_results").is_some_and(|results| results >= 3)
    });
    let least = shrunk.case;
    assert!(
        shrunk.fixpoint
            && least.family() == touchstone_cases::family::Family::Files
            && least.tree.is_empty()
    );
    assert_eq!(
        (least.context.max_output_bytes, least.context.available_capacity_bytes),
        (Some(5), None)
    );
    assert_eq!(
        serde_json::to_value(&least.config.search_files).unwrap(),
        json!({"max_results": 3})
    );
    assert_eq!(least.request, json!({}));
}
