//! What all tools' answers have in common.

use serde_json::{Value, json};

use super::{
    Answer, Context, Draft, Line, Listing, Notice, NoticeKind, Page, Reason, Searched, Shown,
    find_files::{self, FileType},
    grep::{self, FoundFile, FoundLine},
    keyword, search_text,
};
use crate::budget::Budget;

fn context() -> Context {
    Context { after: vec!["b".to_owned()], before: vec!["a".to_owned()] }
}

fn line(number: u64) -> grep::Found {
    let (path, text) = ("a.rs".to_owned(), "x".to_owned());
    grep::Found::Line(FoundLine { context: Some(context()), cut: true, line: number, text, path })
}

/// A result of each kind with all of its fields.
fn results() -> Vec<String> {
    fn written<R: Shown>(result: &R) -> String {
        serde_json::to_string(result).unwrap()
    }
    let path = || "a.rs".to_owned();
    vec![
        written(&line(1)),
        written(&grep::Found::File(FoundFile { match_count: 2, path: path() })),
        written(&find_files::Found {
            modified: Some("2026-01-01T00:00:00Z".to_owned()),
            path: path(),
            size_bytes: Some(1),
            r#type: FileType::File,
        }),
        written(&search_text::Found {
            context: Some(context()),
            cut: true,
            inside: Some(Line { line: 1, text: "x".to_owned() }),
            line: 1,
            match_count: 2,
            match_lines: vec![1, 2],
            path: path(),
            score: 0.5,
            snippet: "x".to_owned(),
        }),
        written(&keyword::Found {
            cut: true,
            lines: vec![Line { line: 1, text: "x".to_owned() }],
            match_count: 1,
            model_reason: Some("why".to_owned()),
            path: path(),
            score: 0.5,
            terms: vec!["x".to_owned()],
        }),
    ]
}

#[test]
fn a_result_is_written_as_the_answer_that_holds_it_writes_it() {
    for written in results() {
        let value: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(value.to_string(), written);
    }
}

fn fitted(results: Vec<grep::Found>, bytes: u64, notices: Vec<Notice>) -> Answer<grep::Found> {
    let draft = Draft {
        nouns: ("line", "lines"),
        total: results.len() as u64,
        counts: String::new(),
        page: Page { offset: 0, max_results: results.len() },
        results,
        stopped: None,
        searched: Searched::default(),
        notices,
        advice: String::new(),
        listing: Listing::Pages,
        own: (),
    };
    draft.fit(&Budget { bytes, tokens: u64::MAX, tokenizer: &|_: &str| 0 })
}

#[test]
fn results_beyond_the_budget_are_dropped_from_the_end() {
    let all = || (1..=9).map(line).collect::<Vec<_>>();
    let whole = fitted(all(), u64::MAX, Vec::new());
    assert!(whole.complete && whole.found && whole.results == all(), "{whole:?}");
    let bytes = whole.to_json().to_string().len() as u64;
    assert_eq!(fitted(all(), bytes, Vec::new()), whole);
    let cut = fitted(all(), bytes - 1, Vec::new());
    let kept = cut.results.len();
    assert!(kept > 0 && cut.results.iter().eq(all().iter().take(kept)), "{cut:?}");
    assert_eq!((cut.next_offset, cut.incomplete_because), (Some(kept), vec![Reason::Budget]));
    assert_eq!((cut.total, cut.total_is_lower_bound, cut.complete), (9, false, false));
}

#[test]
fn a_line_is_a_match_even_if_it_is_context_of_others() {
    let text = fitted(vec![line(1), line(2)], u64::MAX, Vec::new()).text;
    assert!(text.starts_with("2 lines\na.rs\n0-a\n1:x\n2:x\n3-b\n["), "{text}");
}

#[test]
fn notices_about_the_configuration_come_last_and_have_the_code_of_their_kind() {
    let kinds = [NoticeKind::Configuration, NoticeKind::IndexNotReady];
    let notices = kinds.map(|kind| Notice::new(kind, "why")).into();
    let answer = fitted(vec![line(1)], u64::MAX, notices).to_json();
    assert_eq!(
        answer["notices"],
        json!([
            { "notice": "index_not_ready", "code": "ACODE-SRC-001", "message": "why" },
            { "notice": "lines_cut", "message": "1 results have lines of more than 400 bytes, shown in part" },
            { "notice": "configuration", "message": "why" },
        ])
    );
    let late = Notice::new(NoticeKind::Incomplete(Reason::Timeout), "late");
    let written = json!({ "notice": "timeout", "code": "ACODE-SRC-004", "message": "late" });
    assert_eq!(json!(late), written);
}
