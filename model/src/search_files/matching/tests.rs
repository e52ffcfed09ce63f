use serde_json::{Value, json};

use super::Matcher;
use crate::search_files::request;
use crate::search_files::tests::agent;

/// The start and text of each match in one line.
fn found(fields: &Value, line: &str) -> Vec<(usize, String)> {
    let mut request = json!({"path": "."});
    for (name, value) in fields.as_object().expect("an object") {
        request[name] = value.clone();
    }
    let request =
        request::read(request.as_object().expect("an object"), &agent()).expect("valid fields");
    let matcher = Matcher::compile(&request, &agent()).expect("an acceptable expression");
    let spans = matcher.spans(&[line.to_owned()]).pop().unwrap();
    spans
        .iter()
        .map(|span| (span.start, line.get(span.start..span.end).unwrap().to_owned()))
        .collect()
}

fn texts(found: &[(usize, String)]) -> Vec<&str> {
    found.iter().map(|(_, text)| text.as_str()).collect()
}

fn starts(fields: &Value, line: &str) -> Vec<usize> {
    found(fields, line).iter().map(|(start, _)| *start).collect()
}

fn exact(query: &str) -> Value {
    json!({"query": query})
}

fn regex(query: &str) -> Value {
    json!({"query": query, "mode": "regex"})
}

/// FR-SF-SRC-01.
#[test]
fn a_literal_is_found_at_every_place_without_overlap() {
    assert_eq!(starts(&exact("ab"), "ab-abab"), [0, 3, 5]);
    assert_eq!(starts(&exact("aa"), "aaaaa"), [0, 2]);
    assert_eq!(starts(&exact("a.b"), "axb a.b"), [4]);
    assert_eq!(starts(&exact("é"), "éxé"), [0, 3]);
    assert_eq!(starts(&exact("ab"), "ba"), [] as [usize; 0]);
}

/// FR-SF-SRC-02: leftmost-first, one after the other.
#[test]
fn an_expression_has_all_its_successive_matches() {
    assert_eq!(texts(&found(&regex("a|ab"), "abab")), ["a", "a"]);
    assert_eq!(texts(&found(&regex("ab|a"), "aba")), ["ab", "a"]);
    assert_eq!(texts(&found(&regex(r"\w+"), "one two,three")), ["one", "two", "three"]);
    assert_eq!(texts(&found(&regex("a+?"), "aaa")), ["a", "a", "a"]);
}

/// Assertions see the text before the start of the search.
#[test]
fn assertions_see_the_whole_line() {
    assert_eq!(starts(&regex("^a"), "aaa"), [0]);
    assert_eq!(starts(&regex("a$"), "aaa"), [2]);
    assert_eq!(starts(&regex(r"\ba"), "aa a"), [0, 3]);
    assert_eq!(starts(&regex(r"\b"), "ab c"), [0, 2, 3, 4]);
    assert_eq!(starts(&regex(r"a\B"), "aa a"), [0]);
}

#[test]
fn an_empty_match_counts_unless_it_directly_follows_a_match() {
    assert_eq!(
        found(&regex("a*"), "baac"),
        [(0, String::new()), (1, "aa".to_owned()), (4, String::new())]
    );
    assert_eq!(starts(&regex("x*"), ""), [0]);
    assert_eq!(starts(&regex("x*"), "ab"), [0, 1, 2]);
    // The empty alternative comes first, so leftmost-first prefers it everywhere.
    assert_eq!(texts(&found(&regex("|a"), "aa")), ["", "", ""]);
    assert_eq!(starts(&regex("$"), "ab"), [2]);
}

#[test]
fn an_empty_match_inside_a_character_is_skipped() {
    assert_eq!(starts(&regex("x*"), "aé日"), [0, 1, 3, 6]);
    assert_eq!(starts(&regex(r"\B"), "é"), [] as [usize; 0]);
    assert_eq!(found(&regex("é|"), "éa"), [(0, "é".to_owned()), (3, String::new())]);
}

/// Case rules are those of `Search`.
#[test]
fn case_is_compared_as_requested() {
    for (query, case, found) in [
        ("ab", "smart", vec![0, 3, 6]),
        ("Ab", "smart", vec![3]),
        ("AB", "insensitive", vec![0, 3, 6]),
        ("ab", "sensitive", vec![0]),
    ] {
        for mode in ["exact", "regex"] {
            let fields = json!({"query": query, "case": case, "mode": mode});
            assert_eq!(starts(&fields, "ab Ab AB"), found, "{query} {case} {mode}");
        }
    }
    assert_eq!(starts(&regex(r"\S+"), "Ab"), [0]);
    let fuzzy = |query: &str, case: &str| json!({"query": query, "case": case, "mode": "fuzzy"});
    assert_eq!(texts(&found(&fuzzy("hello", "smart"), "HALLO")), ["HALLO"]);
    assert_eq!(texts(&found(&fuzzy("Hello", "smart"), "HALLO")), [] as [&str; 0]);
    assert_eq!(texts(&found(&fuzzy("Hello", "insensitive"), "hallo")), ["hallo"]);
    assert_eq!(texts(&found(&fuzzy("hello", "sensitive"), "HALLO")), [] as [&str; 0]);
}

/// FR-SF-SRC-03: one match a line, the best.
#[test]
fn an_approximate_search_has_one_match_in_a_line() {
    let fuzzy = json!({"query": "hello", "mode": "fuzzy"});
    assert_eq!(found(&fuzzy, "hallo hello hello"), [(6, "hello".to_owned())]);
    assert_eq!(found(&fuzzy, "nothing of the kind"), []);
}
