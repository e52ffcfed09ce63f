use serde_json::Value;

use super::*;
use crate::{pattern::PatternOptions, request::CaseMode};

/// Proposes every line.
struct Every;

impl Proposer for Every {
    fn next(
        &mut self,
        text: &[u8],
        from: usize,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, Interrupted> {
        Ok((from < text.len()).then_some(from))
    }
}

const LIMITS: ScanLimits =
    ScanLimits { context: 0, max_matches: None, enough: 100, budget: 1 << 20 };

fn finder(pattern: &str) -> Finder {
    let sought = PatternOptions {
        pattern,
        literal: false,
        case: CaseMode::Sensitive,
        word: false,
        fuzzy: None,
        reading: crate::request::Reading::Documents,
    };
    Finder::Expression(Pattern::compile(sought).unwrap())
}

fn scanned(pattern: &str, text: &str, limits: ScanLimits) -> FileMatches {
    scan(text, "f", &finder(pattern), &mut Every, limits, &mut || true).unwrap()
}

/// `line:column:match_text` of every kept match.
fn found(pattern: &str, text: &str) -> Vec<String> {
    let rendered = scanned(pattern, text, LIMITS).kept;
    rendered
        .iter()
        .map(|text| {
            let found: Value = serde_json::from_str(text).unwrap();
            format!(
                "{}:{}:{}",
                found["line"],
                found["column"],
                found["match_text"].as_str().unwrap()
            )
        })
        .collect()
}

#[test]
fn a_line_has_one_event_for_every_match() {
    assert_eq!(found("fo+", "foo bar fo\nx\nfoofoo"), ["1:1:foo", "1:9:fo", "3:1:foo", "3:4:foo"]);
    assert_eq!(found("aa", "aaaaa"), ["1:1:aa", "1:3:aa"]);
}

#[test]
fn assertions_see_the_whole_line() {
    assert_eq!(found("^a", "aa\na"), ["1:1:a", "2:1:a"]);
    assert_eq!(found(r"\ba", "aa a"), ["1:1:a", "1:4:a"]);
    assert_eq!(
        found("a$", "aa\r\na\r"),
        ["1:2:a"],
        "a last line without a line feed keeps its carriage return"
    );
}

#[test]
fn empty_matches_are_between_characters_and_not_directly_after_a_match() {
    assert_eq!(found("x*", "axé"), ["1:1:", "1:2:x", "1:5:"]);
    assert_eq!(found("^$", "a\n\nb"), ["2:1:"]);
    assert_eq!(found("|a", "aa"), ["1:1:", "1:2:", "1:3:"]);
}

#[test]
fn columns_count_bytes() {
    assert_eq!(found("b", "äb日b"), ["1:3:b", "1:7:b"]);
}

#[test]
fn the_cap_of_a_file_is_cut_only_by_a_further_match() {
    let capped = |most| ScanLimits { max_matches: Some(most), ..LIMITS };
    let three = scanned("a", "aa\nb\na", capped(3));
    assert_eq!((three.count, three.cut, three.kept.len()), (3, false, 3));
    let two = scanned("a", "aa\nb\na", capped(2));
    assert_eq!((two.count, two.cut, two.kept.len(), two.lines), (2, true, 2, 2));
}

#[test]
fn the_scan_ends_with_the_first_match_beyond_the_answer() {
    let few = scanned("a", "aaaa\naaaa", ScanLimits { enough: 3, ..LIMITS });
    assert_eq!((few.count, few.cut), (3, false));
}

#[test]
fn context_includes_neighbouring_lines_that_match() {
    let rendered = scanned("a", "a1\nb\na2\r\n\nz", ScanLimits { context: 2, ..LIMITS }).kept;
    let second: Value = serde_json::from_str(&rendered[1]).unwrap();
    assert_eq!(second["before"], serde_json::json!(["a1", "b"]));
    assert_eq!(second["after"], serde_json::json!(["", "z"]));
    assert_eq!(second["line_text"], "a2");
}

#[test]
fn matches_beyond_the_budget_are_counted_and_not_kept() {
    let line = "a".repeat(1_000);
    let full = scanned("a", &line, ScanLimits { enough: u64::MAX, budget: 5_000, ..LIMITS });
    assert_eq!(full.count, 1_000);
    assert_eq!(full.kept.len(), 4, "a match of this line takes more than a thousand bytes");
    let wide =
        scanned("b", &format!("{line}\nb\nb"), ScanLimits { context: 1, budget: 200, ..LIMITS });
    assert_eq!((wide.count, wide.kept.len()), (2, 0), "nothing after one that does not fit");
}

#[test]
fn scanning_a_line_full_of_matches_can_be_cancelled() {
    let line = "a".repeat(100_000);
    let mut asked = 0;
    let mut go_on = || {
        asked += 1;
        asked < 3
    };
    let limits = ScanLimits { enough: u64::MAX, ..LIMITS };
    let outcome = scan(&line, "f", &finder("a"), &mut Every, limits, &mut go_on);
    assert_eq!((outcome, asked), (Err(Interrupted), 3));
}
