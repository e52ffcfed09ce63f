use serde_json::{Value, json};

use crate::World;
use crate::tests::{answer, short};

/// The events of a search in the one file `a`, without path.
fn events(bytes: impl AsRef<[u8]>, request: &Value) -> Vec<String> {
    let found = answer(&World::new().file("a", bytes), request);
    short(&found).iter().map(|event| event.trim_start_matches('a').to_owned()).collect()
}

/// E-E01, E-D13.
#[test]
fn a_matching_line_has_one_event() {
    assert_eq!(events("foo foo foo\n", &json!({"pattern": "foo"})), [":1:1:foo"]);
    let capped = json!({"pattern": "foo", "max_matches_per_file": 1});
    assert_eq!(events("foo foo foo\n", &capped), [":1:1:foo"]);
}

/// E-D01.
#[test]
fn a_line_is_match_or_context_never_both() {
    let text = "1\n2\nfoo\n4\nfoo\n6\n7\n8\n9\nfoo\n";
    assert_eq!(
        events(text, &json!({"pattern": "foo", "context": 1})),
        ["-2", ":3:1:foo", "-4", ":5:1:foo", "-6", "-9", ":10:1:foo"]
    );
    assert_eq!(events(text, &json!({"pattern": "foo", "context": 1_000})).len(), 10);
    assert_eq!(events(text, &json!({"pattern": "foo"})).len(), 3);
}

/// E-D14.
#[test]
fn context_after_the_last_match_stops_before_the_next_matching_line() {
    let request = |context: u64, cap: u64| json!({"pattern": "foo", "context": context, "max_matches_per_file": cap});
    let text = "foo1\nx\nfoo2\nx\nx\n";
    assert_eq!(events(text, &request(2, 1)), [":1:1:foo", "-2"]);
    assert_eq!(events(text, &request(2, 2)), [":1:1:foo", "-2", ":3:1:foo", "-4", "-5"]);
    assert_eq!(events("foo\nfoo\nx\n", &request(3, 1)), [":1:1:foo"]);
    assert_eq!(
        events("x\nx\nfoo\nx\nx\nx\nfoo\n", &request(2, 1)),
        ["-1", "-2", ":3:1:foo", "-4", "-5"]
    );
}

/// E-E15, E-E16.
#[test]
fn binary_files_are_skipped_and_utf16_is_text() {
    assert_eq!(events(b"foo\0\nfoo\n", &json!({"pattern": "foo"})), [] as [&str; 0]);
    let late = [vec![b'x'; 8_192], b"\0\nfoo\n".to_vec()].concat();
    assert_eq!(events(late, &json!({"pattern": "foo"})), [":2:1:foo"]);
    assert_eq!(events(b"\xff\xfex\0f\0o\0o\0\n\0", &json!({"pattern": "foo"})), [":1:2:foo"]);
    assert_eq!(events(b"\xef\xbb\xbffoo\n", &json!({"pattern": "^foo"})), [":1:1:foo"]);
}

/// E-E03, E-A02: only the CR before the LF is no part of the text.
#[test]
fn anchors_refer_to_the_line_without_its_end() {
    assert_eq!(events("foo\r\nfoo\r", &json!({"pattern": "foo$"})), [":1:1:foo"]);
    assert_eq!(events("foo\r\r\n", &json!({"pattern": "foo\r$"})), [":1:1:foo\r"]);
    assert_eq!(events("a\nb\n", &json!({"pattern": r"\Ab\z"})), [":2:1:b"]);
    assert_eq!(events("\n\nx\n", &json!({"pattern": "^$"})), [":1:1:", ":2:1:"]);
}

#[test]
fn text_is_lossily_decoded_and_otherwise_untouched() {
    let found =
        answer(&World::new().file("a", b"\x1b[31m \xe2\x82foo\t\n"), &json!({"pattern": "foo"}));
    assert_eq!(found.events[0].text(), "\u{1b}[31m \u{fffd}foo\t");
    assert_eq!(found.content, "a:1:10:\\u{1b}[31m \u{fffd}foo\t\n");
}
