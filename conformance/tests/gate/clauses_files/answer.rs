//! Section 3.5: the object that comes back, field by field, its order, and that it is always the
//! same.

use serde_json::{Value, json};
use touchstone::case::{Case, Entry};
use touchstone::materialise::Tree;
use touchstone::subject::Backend;
use touchstone::subjects::forge::{ServiceBackend, observe};

use super::asked::{answer, answer_unprivileged, configured, matches, of, over, refusal, text};
use super::clauses;
use crate::clauses_keyword::desk::service_program;

#[test]
fn an_answer_is_one_object_with_the_documented_fields_in_order() {
    touchstone::verifies!(
        "OUTPUT-SF",
        "OUTF-SF-path",
        "OUTF-SF-query",
        "OUTF-SF-mode",
        "OUTF-SF-case",
        "OUTF-SF-matches",
        "OUTF-SF-returned",
        "OUTF-SF-max_results",
        "OUTF-SF-truncated",
        "OUTF-SF-truncated_reason",
        "OUTF-SF-stats",
        "OUTF-SF-errors",
        "MATF-SF-path",
        "MATF-SF-line",
        "MATF-SF-column",
        "MATF-SF-match_text",
        "MATF-SF-line_text",
        "MATF-SF-before",
        "MATF-SF-after",
        "MATF-SF-score",
        "STATF-SF-files_scanned",
        "STATF-SF-files_matched",
        "STATF-SF-matches_total",
        "ERRF-SF-path",
        "ERRF-SF-error"
    );
    let files =
        [("sub/a.txt", "one\nfoo \u{e9} Foo\nthree\n"), ("sub/b", "bar\n"), ("sub/c", "\0")];
    let request = json!({"path": "./sub", "query": "foo", "context_lines": 1, "max_results": 5, "case": "insensitive"});
    let matched = |column: u32, text: &str| {
        format!(
            r#"{{"path":"a.txt","line":2,"column":{column},"match_text":"{text}","line_text":"foo é Foo","before":["one"],"after":["three"],"score":null}}"#
        )
    };
    let expected = format!(
        concat!(
            r#"{{"path":"sub","query":"foo","mode":"exact","case":"insensitive","matches":[{},{}],"returned":2,"max_results":5,"#,
            r#""truncated":false,"truncated_reason":null,"stats":{{"files_scanned":3,"files_matched":1,"matches_total":2,"#,
            r#""elapsed_ms":         0,"complete":true,"incomplete_because":[],"files_cut":0,"files_oversized":0,"files_binary":1,"#,
            r#""directories_not_entered":0,"errors_total":1}},"errors":[{{"path":"c","error":"binary file"}}]}}"#
        ),
        matched(1, "foo"),
        matched(8, "Foo")
    );
    assert_eq!(text(&over(&files, request)), expected);
    let fuzzy = answer(&over(&files, json!({"query": "thre", "mode": "fuzzy"})));
    assert_eq!(
        (&fuzzy["mode"], &fuzzy["case"], &fuzzy["query"]),
        (&json!("fuzzy"), &json!("smart"), &json!("thre"))
    );
    let regex = answer(&over(&files, json!({"query": "x+", "mode": "regex", "case": "sensitive"})));
    assert_eq!(
        (&regex["mode"], &regex["case"], &regex["max_results"]),
        (&json!("regex"), &json!("sensitive"), &json!(200))
    );
    assert_eq!((&regex["matches"], &regex["returned"]), (&json!([]), &json!(0)));
}

#[test]
fn a_match_has_its_line_without_line_end_and_its_context() {
    touchstone::verifies!(
        "MATF-SF-line",
        "MATF-SF-column",
        "MATF-SF-line_text",
        "MATF-SF-before",
        "MATF-SF-after"
    );
    let around = |context: u32| {
        let case = over(
            &[("a", "1\r\n\nfoo x foo\n\t4\r\r\nfoo\r")],
            json!({"query": "foo", "context_lines": context}),
        );
        let seen = answer(&case);
        let one = |found: &Value| {
            assert_eq!(found["path"], "a");
            json!([
                found["line"],
                found["column"],
                found["line_text"],
                found["before"],
                found["after"]
            ])
        };
        Value::from(seen["matches"].as_array().unwrap().iter().map(one).collect::<Vec<_>>())
    };
    assert_eq!(
        around(0),
        json!([[3, 1, "foo x foo", [], []], [3, 7, "foo x foo", [], []], [5, 1, "foo\r", [], []]])
    );
    assert_eq!(
        around(1),
        json!([
            [3, 1, "foo x foo", [""], ["\t4\r"]],
            [3, 7, "foo x foo", [""], ["\t4\r"]],
            [5, 1, "foo\r", ["\t4\r"], []]
        ])
    );
    assert_eq!(
        around(1_000),
        json!([
            [3, 1, "foo x foo", ["1", ""], ["\t4\r", "foo\r"]],
            [3, 7, "foo x foo", ["1", ""], ["\t4\r", "foo\r"]],
            [5, 1, "foo\r", ["1", "", "foo x foo", "\t4\r"], []]
        ])
    );
}

#[test]
fn match_text_is_the_text_of_the_file() {
    touchstone::verifies!("MATF-SF-match_text", "MATF-SF-column", "OUTF-SF-query");
    let seen = answer(&over(
        &[("a", "é\u{301} Straße FOO_1 foo_22\n")],
        json!({"query": r"FO+_\d", "mode": "regex", "case": "insensitive"}),
    ));
    assert_eq!(seen["query"], r"FO+_\d");
    // Columns count bytes, from 1.
    assert_eq!(matches(&seen), ["a:1:14:FOO_1", "a:1:20:foo_2"]);
    let seen = answer(&over(&[("a", "xx helo\n")], json!({"query": "hello", "mode": "fuzzy"})));
    assert_eq!(matches(&seen), ["a:1:4:helo"]);
}

/// Whether a terminal would obey a character.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Requests that are refused, each with what a terminal would obey in one of its fields.
fn harmful_requests() -> Vec<Value> {
    let odd = "\u{1b}[2J\u{9b}1m\u{202e}\n\u{7}x";
    vec![
        json!({"path": odd, "query": "foo"}),
        json!({"path": format!("../{odd}"), "query": "foo"}),
        json!({"path": ".", "query": format!("({odd}"), "mode": "regex"}),
        json!({"path": ".", "query": "foo", "include_globs": [format!("[{odd}")]}),
        json!({"path": ".", "query": "foo", "exclude_globs": [format!("!{odd}")]}),
        json!({"path": ".", "query": "foo", "mode": odd}),
        json!({"path": ".", "query": "foo", "case": odd}),
        json!({"path": ".", "query": "foo", odd: 1}),
    ]
}

#[test]
fn a_refusal_contains_no_terminal_controls() {
    touchstone::verifies!("C-04", "NFR-SF-SEC-02");
    for request in harmful_requests() {
        // The field is data; the printing program escapes control characters.
        let (_, _, message) = refusal(&over(&[], request.clone()));
        assert_eq!(message.find(is_harmful), None, "{request}: {message:?}");
    }
}

#[test]
fn the_output_of_the_program_contains_no_terminal_controls() {
    let Some(program) = service_program() else { return };
    touchstone::verifies!("C-04", "NFR-SF-SEC-02");
    let case = over(&[], json!({}))
        .with(Entry::file("na\u{1b}[2Jme\u{202e}\n", "\u{1b}]0;x\nfoo \u{1b}[31m\u{9b}\u{202e}\n"))
        .with(Entry::link("go\u{1b}[2Jne", "nothing"));
    let ground = clauses::Ground::of(&case);
    let found = json!({"path": ".", "query": "foo", "context_lines": 1, "follow_symlinks": true});
    for (request, status) in
        harmful_requests().into_iter().map(|request| (request, 2)).chain([(found, 0)])
    {
        let output = std::process::Command::new(&program)
            .args(["call", "search_files", &request.to_string()])
            .current_dir(ground.root())
            .env("XDG_CACHE_HOME", ground.root().parent().unwrap())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(status), "{request}: {output:?}");
        for said in [output.stdout, output.stderr] {
            let said = String::from_utf8(said).unwrap();
            // Lines end; nothing else is done to the terminal.
            assert_eq!(said.find(|c| c != '\n' && is_harmful(c)), None, "{request}: {said:?}");
        }
    }
}

#[test]
fn an_answer_contains_no_terminal_controls() {
    touchstone::verifies!("C-04", "NFR-SF-SEC-02");
    let line = "foo \u{1b}[31m \u{7}\u{8}\u{c}\u{7f}\u{9b} \u{202e}\u{2066}\u{2028}\u{61c} \"\\ \t";
    let name = "na\u{1b}[2Jme\u{202e}\n";
    let case = over(&[], json!({"query": "foo", "context_lines": 1}))
        .with(Entry::file(name, format!("\u{1b}]0;x\n{line}\r\n\u{200f}\n")))
        .with(Entry::file("b\u{1b}in", "\0"));
    let text = text(&case);
    assert_eq!(text.find(is_harmful), None, "{text:?}");
    assert!(
        text.contains(
            r#""line_text":"foo \u001b[31m \u0007\b\f\u007f\u009b \u202e\u2066\u2028\u061c \"\\ \t""#
        ),
        "{text}"
    );
    // Nothing is lost by it.
    let seen: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&seen["matches"][0]["line_text"], &seen["matches"][0]["path"]),
        (&json!(line), &json!(name))
    );
    assert_eq!(seen["matches"][0]["before"], json!(["\u{1b}]0;x"]));
    // What a request brings along comes back in the same form.
    let seen = super::asked::text(&over(&[], json!({"query": "\u{1b}[0m\u{202e}"})));
    assert!(seen.contains(r#""query":"\u001b[0m\u202e""#), "{seen}");
}

/// Names and lines whose order is easily got wrong.
fn tricky() -> Case {
    let many = "x foo foo\n".repeat(12);
    let mut case = configured(over(&[], json!({"query": "foo"})), "max_results", 500);
    for name in ["a/x", "a-b/x", "a.x", "B", "ab", "b", "\u{e9}", "e\u{301}f", "a b", "Z/z"] {
        case.tree.push(Entry::file(name, many.as_str()));
    }
    case
}

#[test]
fn matches_are_ordered_by_path_line_and_column() {
    touchstone::verifies!("FR-SF-OUT-01");
    let seen = answer(&tricky());
    let order = ["B", "Z/z", "a b", "a-b/x", "a.x", "a/x", "ab", "b", "\u{e9}", "e\u{301}f"];
    let mut expected = Vec::new();
    for path in order {
        for line in 1..=12 {
            expected.extend([3, 7].map(|column| format!("{path}:{line}:{column}:foo")));
        }
    }
    assert_eq!(matches(&seen), expected);
    assert_eq!(seen["returned"], expected.len());
}

#[test]
fn an_answer_depends_on_the_request_and_the_files_alone() {
    touchstone::verifies!("C-03", "FR-SF-OUT-02");
    let case = tricky();
    let backends = clauses::backends();
    let mut first = None;
    // Whatever the order of creation, the number of threads, the backend, and however often.
    for order in [None, Some(1), Some(2)] {
        let scratch = tempfile::tempdir().unwrap();
        let tree = Tree::build(&case, &scratch.path().join("case"), order).unwrap();
        for (threads, backend) in
            [1, 2, 5].into_iter().flat_map(|threads| Backend::ALL.map(|backend| (threads, backend)))
        {
            let over = ServiceBackend {
                backend,
                executable: backends.executable(backend),
                threads,
                indexed: false,
            };
            let seen = observe(&case, &tree, over).unwrap().unwrap();
            assert_eq!(&seen, first.get_or_insert_with(|| seen.clone()), "{threads} {backend:?}");
        }
    }
}

#[test]
fn every_kind_of_file_error_is_an_entry_with_its_message() {
    touchstone::verifies!("ERRF-SF-path", "ERRF-SF-error", "OUTF-SF-errors", "FR-SF-ERR-04");
    let case = over(
        &[("ok", "foo\n"), ("big", "foo and much more\n"), ("bin", "foo\0")],
        json!({"query": "foo", "max_file_size_bytes": 10, "follow_symlinks": true}),
    )
    .with(Entry::file("closed", "foo\n").unreadable())
    .with(Entry::dir("shut").unreadable())
    .with(Entry::file("sub/.gitignore", "x\n").unreadable())
    .with(Entry::file("sub/y", "foo\n"))
    .with(Entry::link("gone", "nothing"))
    .with(Entry::link("out", "../outside/o"))
    .with(Entry::file("../outside/o", "foo\n"))
    .with(Entry::link("ring", "ring"));
    let seen = answer_unprivileged(&case);
    assert_eq!(matches(&seen), ["ok:1:1:foo", "sub/y:1:1:foo"]);
    assert_eq!(
        super::asked::errors(&seen),
        of(&[
            "big: larger than max_file_size_bytes",
            "bin: binary file",
            "closed: permission denied",
            "gone: dangling symlink",
            "out: symlink leaves the sandbox",
            "ring: symlink loop",
            "shut: permission denied",
            "sub/.gitignore: ignore file cannot be read",
        ])
    );
    assert_eq!(
        (&seen["stats"]["errors_total"], &seen["stats"]["complete"]),
        (&json!(8), &json!(false))
    );
    assert_eq!(seen["stats"]["incomplete_because"], json!(["max_file_size_bytes", "errors"]));
}
