use serde_json::Value;

use super::*;
use crate::error::ErrorClass;

fn found(path: &str, text: &str) -> String {
    let mut context = String::new();
    push_context(&mut context, &["above"], &[]);
    let mut out = String::new();
    let found = FileMatch {
        path,
        line: 2,
        column: 1,
        match_text: text,
        line_text: text,
        context: &context,
        score: Some(1.0),
    };
    push_match(&mut out, &found);
    out
}

fn problem(path: &str) -> String {
    let mut out = String::new();
    push_error(&mut out, path, "binary file");
    out
}

fn answer() -> Answer<'static> {
    Answer {
        path: ".".to_owned(),
        query: "foo",
        mode: "exact",
        case: "smart",
        max_results: 200,
        matches: vec![found("a", "foo"), found("b", "foo \u{1b}[31m"), found("c", "foo")],
        errors: vec![problem("x"), problem("y")],
        more: false,
        because: Vec::new(),
        stats: Stats {
            files_scanned: 5,
            files_matched: 3,
            matches_total: 3,
            errors_total: 2,
            ..Stats::default()
        },
        elapsed_ms: 7,
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn fields_are_in_the_order_of_the_document() {
    let text = answer().fit(u64::MAX).unwrap().text;
    let mut at = 0;
    for field in [
        "path",
        "query",
        "mode",
        "case",
        "matches",
        "path",
        "line",
        "column",
        "match_text",
        "line_text",
        "before",
        "after",
        "score",
        "returned",
        "max_results",
        "truncated",
        "truncated_reason",
        "stats",
        "files_scanned",
        "files_matched",
        "matches_total",
        "elapsed_ms",
        "errors",
    ] {
        let key = format!("\"{field}\":");
        at += text.get(at..).unwrap().find(&key).unwrap_or_else(|| panic!("no {field} after {at}"))
            + key.len();
    }
}

#[test]
fn every_limit_gives_a_prefix_or_a_refusal_with_the_smallest_limit() {
    let answer = answer();
    let whole = answer.fit(u64::MAX).unwrap().text;
    let full = parsed(&whole);
    let mut last = (0, 0);
    let mut smallest = None;
    for limit in 0..=whole.len() as u64 {
        let text = match answer.fit(limit) {
            Ok(fitted) => fitted.text,
            Err(error) => {
                assert_eq!((error.class, smallest), (ErrorClass::ExecutionFailed, None), "{limit}");
                continue;
            }
        };
        smallest.get_or_insert(limit);
        assert!(text.len() as u64 <= limit);
        let cut = parsed(&text);
        let (matches, errors) =
            (cut["matches"].as_array().unwrap(), cut["errors"].as_array().unwrap());
        assert_eq!(matches[..], full["matches"].as_array().unwrap()[..matches.len()]);
        assert_eq!(errors[..], full["errors"].as_array().unwrap()[..errors.len()]);
        assert_eq!(cut["returned"], matches.len());
        assert!(matches.is_empty() || errors.len() == 2, "matches go first");
        assert!(
            (matches.len(), errors.len()) >= last,
            "{limit}: a higher limit takes something away"
        );
        last = (matches.len(), errors.len());
        let is_whole = limit == whole.len() as u64;
        assert_eq!(cut["truncated"], !is_whole, "{limit}");
        assert_eq!(
            cut["truncated_reason"],
            if is_whole { Value::Null } else { "max_output_bytes".into() }
        );
    }
    let message = answer.fit(0).unwrap_err().message;
    assert!(message.contains(&format!("at least {}", smallest.unwrap())), "{message}");
    assert_eq!(last, (3, 2));
}

#[test]
fn the_elapsed_time_does_not_change_the_length() {
    let lengths: Vec<usize> = [0, 9, 10, 123_456, u64::MAX]
        .map(|elapsed_ms| Answer { elapsed_ms, ..answer() }.fit(u64::MAX).unwrap().text.len())
        .to_vec();
    assert!(lengths.windows(2).all(|pair| pair[0] == pair[1]), "{lengths:?}");
    let longest = Answer { elapsed_ms: u64::MAX, ..answer() }.fit(u64::MAX).unwrap().text;
    assert_eq!(parsed(&longest)["stats"]["elapsed_ms"], 9_999_999_999_u64);
}

#[test]
fn the_truncated_reason_prefers_the_budget_then_max_results_then_max_files() {
    let reason = |because: Vec<&'static str>, limit| {
        parsed(&Answer { because, ..answer() }.fit(limit).unwrap().text)["truncated_reason"].clone()
    };
    assert_eq!(reason(vec!["max_files"], u64::MAX), "max_files");
    assert_eq!(reason(vec!["max_results", "max_files"], u64::MAX), "max_results");
    assert_eq!(reason(vec!["max_results"], 600), "max_output_bytes");
    assert_eq!(reason(vec!["max_depth", "errors"], u64::MAX), Value::Null);
    let only_errors = Answer { because: vec!["errors"], ..answer() }.fit(u64::MAX).unwrap().text;
    assert_eq!(parsed(&only_errors)["truncated"], false);
    assert_eq!(parsed(&only_errors)["stats"]["complete"], false);
}

#[test]
fn terminal_controls_are_escaped_in_the_answer_text() {
    let hostile = "\u{0}\u{8}\t\n\u{c}\r\u{1b}\u{7f}\u{9b}\u{61c}\u{200e}\u{2028}\u{202e}\u{2066}\"\\é\u{e0041}";
    let mut text = String::new();
    push_string(&mut text, hostile);
    assert!(!text.chars().any(is_control), "{text}");
    assert_eq!(serde_json::from_str::<String>(&text).unwrap(), hostile);
    assert!(
        text.starts_with("\"\\u0000\\b\\t\\n\\f\\r\\u001b\\u007f\\u009b\\u061c\\u200e\\u2028"),
        "{text}"
    );
}

#[test]
fn items_that_were_never_kept_make_the_answer_truncated() {
    let errors =
        Answer { stats: Stats { errors_total: 9, ..answer().stats }, more: true, ..answer() };
    let text = parsed(&errors.fit(10_000).unwrap().text);
    assert_eq!(
        (text["returned"].as_u64(), text["truncated_reason"].as_str()),
        (Some(0), Some("max_output_bytes"))
    );
}

#[test]
fn without_matches_and_errors_the_whole_answer_is_the_smallest() {
    let stats = Stats { errors_total: 0, matches_total: 0, files_matched: 0, ..answer().stats };
    let empty = Answer { matches: Vec::new(), errors: Vec::new(), stats, ..answer() };
    let length = empty.fit(u64::MAX).unwrap().text.len() as u64;
    assert!(empty.fit(length).unwrap().complete);
    assert!(empty.fit(length - 1).unwrap_err().message.contains(&format!("at least {length} ")));
}

#[test]
fn a_cut_answer_is_not_complete() {
    let whole = answer().fit(u64::MAX).unwrap();
    assert!(whole.complete && whole.found);
    let cut = answer().fit(whole.text.len() as u64 - 1).unwrap();
    assert!(!cut.complete && cut.found);
}
