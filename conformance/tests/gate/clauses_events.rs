//! Clauses about events: their shape, what they say of a line, and the order they come in.

use crate::clauses::{Fake, Ground, answer, asked, json, lines, only, over, paths, unprivileged};
use forge_search_engine::json::JsonCalls as _;
use serde_json::json;
use touchstone::case::{Case, Entry};
use touchstone::subject::{Backend, SubjectSpec};

#[test]
fn every_event_is_a_record_of_type_and_data() {
    touchstone::verifies!("FR-LS-04", "T-LS-PARSE-01", "FR-LS-PARSE", "FR-LSI-PARSE-01");
    let seen = answer(&over(
        &[("d/a", "before\n  fOO bar\nafter\n")],
        json!({"pattern": "foo", "context": 1}),
    ));
    let line = |number: u64, text: &str| {
        json!({"type": "context", "data": {
            "path": {"text": "d/a"}, "line_number": number, "lines": {"text": text},
        }})
    };
    let matching = json!({"type": "match", "data": {
        "path": {"text": "d/a"}, "line_number": 2, "column": 3, "lines": {"text": "  fOO bar"}, "match_text": "fOO",
    }});
    assert_eq!(seen["matches"], json!([line(1, "before"), matching, line(3, "after")]));
}

#[test]
fn backend_output_is_parsed_with_any_names_and_lines() {
    touchstone::verifies!(
        "FR-LS-PARSE",
        "FR-LS-EXE-02",
        "T-LS-PARSE-01",
        "FR-LS-04a",
        "FR-LSI-PARSE-01",
        "FR-LSI-ENC-01"
    );
    let names = ["a:1:b", "n\nl:2:x", "sp ace", "-e", "x.txt:3", "tab\there", "\u{e9}"];
    let text = "1:foo\n\n./a:1:b:2:foo\nx-3-foo\n";
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, text)).collect();
    let seen = answer(&over(&files, json!({"pattern": "foo", "context": 1})));
    let mut expected: Vec<String> = Vec::new();
    let mut sorted = names;
    sorted.sort_unstable();
    for name in sorted {
        expected.push(format!("{name}:1:3:1:foo"));
        expected.push(format!("{name}-2-"));
        expected.push(format!("{name}:3:11:./a:1:b:2:foo"));
        expected.push(format!("{name}:4:5:x-3-foo"));
    }
    assert_eq!(lines(&seen), expected);
}

#[test]
fn line_numbers_begin_at_one_and_lines_lose_their_end() {
    touchstone::verifies!("FR-LS-04a");
    let seen =
        answer(&over(&[("d/e/f", "foo\n\nfoo \r\nfoo\rbar\nfoo\r")], json!({"pattern": "foo"})));
    assert_eq!(
        lines(&seen),
        ["d/e/f:1:1:foo", "d/e/f:3:1:foo ", "d/e/f:4:1:foo\rbar", "d/e/f:5:1:foo\r"]
    );
    let seen = answer(&over(&[("a", "foo")], json!({"pattern": "foo"})));
    assert_eq!(lines(&seen), ["a:1:1:foo"]);
}

#[test]
fn a_context_event_has_neither_column_nor_matched_text() {
    touchstone::verifies!("FR-LS-04c", "FR-LS-04b");
    let seen =
        answer(&over(&[("a", "x\n\u{e9} foo\n")], json!({"pattern": "f(o)o", "context": 2})));
    let [context, matching] = [&seen["matches"][0]["data"], &seen["matches"][1]["data"]];
    assert!(context.get("column").is_none() && context.get("match_text").is_none());
    assert_eq!((&matching["column"], &matching["match_text"]), (&json!(4), &json!("foo")));
}

#[test]
fn context_lines_surround_a_match_and_count_towards_max_results() {
    touchstone::verifies!(
        "FR-LS-SRC-07",
        "IT-LS-CTX-01",
        "FR-LS-06b",
        "FR-LSI-CTX-01",
        "FR-LSI-CTX-02",
        "T-LSI-TRUNC-01"
    );
    let text = "1\n2\n3\nfoo\n5\n6\n7\n8\n9\nfoo\n11\nfoo\n";
    let at = |context: u64, max_results: u64| {
        let request = json!({"pattern": "foo", "context": context, "max_results": max_results});
        let seen = answer(&over(&[("a", text)], request));
        assert_eq!(seen["count"], lines(&seen).len());
        (lines(&seen), seen["truncated"] == true)
    };
    let all = |numbers: &[u64]| -> Vec<String> {
        let texts: Vec<&str> = text.lines().collect();
        let line = |number: &u64| match texts[usize::try_from(*number).unwrap() - 1] {
            "foo" => format!("a:{number}:1:foo"),
            other => format!("a-{number}-{other}"),
        };
        numbers.iter().map(line).collect()
    };
    assert_eq!(at(0, 200), (all(&[4, 10, 12]), false));
    assert_eq!(at(1, 200), (all(&[3, 4, 5, 9, 10, 11, 12]), false));
    assert_eq!(at(2, 200), (all(&[2, 3, 4, 5, 6, 8, 9, 10, 11, 12]), false));
    assert_eq!(at(1_000, 200), (all(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), false));
    assert_eq!(at(1, 3), (all(&[3, 4, 5]), true));
    assert_eq!(at(2, 2), (all(&[2, 3]), true), "context can use up everything");
    assert_eq!(at(1, 7), (all(&[3, 4, 5, 9, 10, 11, 12]), false));
    // Never across a file's end.
    let two = over(&[("a", "foo\n"), ("b", "x\nfoo\n")], json!({"pattern": "foo", "context": 1}));
    assert_eq!(lines(&answer(&two)), ["a:1:1:foo", "b-1-x", "b:2:1:foo"]);
}

#[test]
fn events_are_ordered_by_path_and_line_without_duplicates() {
    touchstone::verifies!(
        "FR-LS-ORD-01",
        "FR-LS-ORD-02",
        "FR-LS-ORD-02.3",
        "FR-LSI-ORD-01",
        "FR-LSI-ORD-03"
    );
    let text = "x\nfoo\ny\nfoo\n";
    let files = [("b/a", text), ("b.c", text), ("b-c/d", text), ("B", text), ("b", text)];
    // `b` cannot be file and directory at once.
    let files = &files[..4];
    let seen = answer(&over(files, json!({"pattern": "foo", "context": 1})));
    let of = |path: &str| {
        [
            format!("{path}-1-x"),
            format!("{path}:2:1:foo"),
            format!("{path}-3-y"),
            format!("{path}:4:1:foo"),
        ]
    };
    assert_eq!(lines(&seen), ["B", "b-c/d", "b.c", "b/a"].map(of).concat());
    // A line that is a match and lies beside one is a match, once: there are no ties to order
    // (E-D01).
    let seen = answer(&over(&[("a", "foo\nfoo\n")], json!({"pattern": "foo", "context": 5})));
    assert_eq!(lines(&seen), ["a:1:1:foo", "a:2:1:foo"]);
}

#[test]
fn equal_requests_over_equal_files_give_equal_answers() {
    touchstone::verifies!(
        "CON-LS-03",
        "FR-LS-ORD-01",
        "T-LS-ORD-01",
        "NFR-LS-COR-01",
        "NFR-LS-COR-02",
        "FR-LSI-ORD-01",
        "FR-LSI-ORD-02",
        "T-LSI-DET-01"
    );
    let mut case =
        Case::new("same", "same", json!({"pattern": "foo", "context": 1, "max_results": 150}));
    for number in 0..300 {
        let path = format!("{}/{}-{number}", number % 7, number % 13);
        case.tree.push(Entry::file(path, format!("{number}\nfoo\nfoo\n")));
    }
    let expected = asked(&case).unwrap();
    assert_eq!(expected["count"], 150);
    let runner = unprivileged();
    for backend in Backend::ALL {
        let plain = SubjectSpec::forge(backend);
        let circumstances = [
            plain.clone().with_threads(1),
            plain.clone().with_threads(4).with_creation_order(1),
            plain.clone().with_threads(8).with_creation_order(2),
            plain
                .clone()
                .with_environment("LC_ALL", "tr_TR.UTF-8")
                .with_environment("TZ", "Asia/Kathmandu"),
        ];
        for spec in circumstances {
            assert_eq!(runner.run(&case, &spec).unwrap().as_ref(), Ok(&expected), "{spec:?}");
        }
    }
}

#[test]
fn unordered_backend_output_yields_an_ordered_answer() {
    touchstone::verifies!(
        "FR-LS-EXE-03",
        "FR-LS-ORD-04",
        "FR-LS-ORD-02",
        "NFR-LS-COR-02",
        "FR-LSI-ORD-04",
        "T-LSI-DET-02"
    );
    let case = over(
        &[("a", "foo 1\nfoo 2\n"), ("b/c", "foo\n"), ("b.d", "foo\n"), ("e", "foo\n")],
        json!({"pattern": "foo", "max_results": 3}),
    );
    let expected = answer(&case);
    assert_eq!(lines(&expected), ["a:1:1:foo 1", "a:2:1:foo 2", "b.d:1:1:foo"]);
    let ground = Ground::of(&case);
    for order in ["tac", "sort -r", "(cat; echo) | head -n -1 | sort -s -k 1.4"] {
        let fake = Fake::ripgrep(&format!("\"$real\" \"$@\" | {order}"));
        let service = ground.service(only(&fake.program));
        let seen = json(service.call("Search", &case.request));
        assert_eq!(lines(&seen), lines(&expected), "{order}");
        assert_eq!(seen["files_scanned"], expected["files_scanned"]);
    }
}

#[test]
fn lines_named_twice_or_wrongly_by_a_backend_yield_each_match_once() {
    touchstone::verifies!("FR-LS-04", "FR-LS-EXE-02");
    // A backend proposes lines; each is confirmed on the file.
    let ground = Ground::of(&over(&[("a", "x\nfoo\ny\n")], json!({})));
    let fake = Fake::ripgrep("for line in 3 2 1 2 2; do printf './a\\000%s:text\\n' $line; done");
    let seen = json(ground.service(only(&fake.program)).call("Search", &json!({"pattern": "foo"})));
    assert_eq!(lines(&seen), ["a:2:1:foo"]);
    assert_eq!(paths(&seen), ["a"]);
}

#[test]
fn invalid_utf8_is_shown_equally_over_every_backend() {
    touchstone::verifies!("FR-LSI-ENC-01", "FR-LS-ENC-01", "T-LSI-PATH-02");
    let mut case = over(&[], json!({"pattern": "foo"}));
    for (name, text) in [
        (&b"n\xff\xfeme"[..], &b"a\xff foo \xc3(\n"[..]),
        (b"n\xf0\x9f\x98", b"foo \xf0\x9f\x98\n\xed\xa0\x80 foo\n"),
        (b"plain", b"foo \xe9\r\n"),
    ] {
        case = case.with(Entry::file(name, text));
    }
    let seen = answer(&case);
    // One for each maximal part of a sequence, as the standard recommends.
    assert_eq!(paths(&seen), ["n\u{fffd}", "n\u{fffd}\u{fffd}me", "plain"]);
    let texts: Vec<&str> = seen["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["data"]["lines"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        texts,
        ["foo \u{fffd}", "\u{fffd}\u{fffd}\u{fffd} foo", "a\u{fffd} foo \u{fffd}(", "foo \u{fffd}"]
    );
}
