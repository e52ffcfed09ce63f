//! Section 3.4: what matches, and in which files.

use serde_json::{Value, json};
use touchstone::case::Entry;

use super::asked::{
    answer, answer_unprivileged, bad_args, configured, errors, in_documents, matches, of, over,
    paths, text,
};

/// The matches in a file `a` of this text, without the file's name.
fn found(contents: &str, mut fields: Value) -> Vec<String> {
    fields["path"] = json!(".");
    let seen = answer(&in_documents(over(&[("a", contents)], fields)));
    assert_eq!(seen["errors"], json!([]));
    matches(&seen).iter().map(|one| one.strip_prefix("a:").unwrap().to_owned()).collect()
}

#[test]
fn an_exact_search_with_defaults_gives_its_matches_in_order() {
    touchstone::verifies!("T-SF-01", "FR-SF-SRC-01", "FR-SF-OUT-01");
    let files = [
        ("src/lib.rs", "fn needle() {}\n\n// Needle, needle\n"),
        ("README", "none\nneedle\n"),
        ("src/a/mod.rs", "needle\n"),
        ("src/a.rs", "  needle\n"),
    ];
    let seen = answer(&over(&files, json!({"path": ".", "query": "needle"})));
    assert_eq!(
        matches(&seen),
        [
            "README:2:1:needle",
            "src/a.rs:1:3:needle",
            "src/a/mod.rs:1:1:needle",
            "src/lib.rs:1:4:needle",
            "src/lib.rs:3:4:Needle",
            "src/lib.rs:3:12:needle"
        ]
    );
    assert_eq!(
        (&seen["mode"], &seen["case"], &seen["truncated"]),
        (&json!("exact"), &json!("smart"), &json!(false))
    );
}

#[test]
fn an_exact_query_is_matched_literally() {
    touchstone::verifies!("FR-SF-SRC-01");
    for query in [
        "a.c",
        "a*",
        "^a",
        "a$",
        "[a]",
        "(a",
        "a|b",
        "\\d",
        "a\\",
        "$&",
        "  ",
        "a\tb",
        "é漢𝒳",
        "\r",
    ] {
        if query.trim().is_empty() {
            bad_args(&over(&[], json!({"query": query})), "query");
            continue;
        }
        assert_eq!(
            found(&format!("abc\n-{query}-\nac\n"), json!({"query": query})),
            [format!("2:2:{query}")]
        );
    }
    // Every one that does not overlap the one before it.
    assert_eq!(found("aaaaa aa\n", json!({"query": "aa"})), ["1:1:aa", "1:3:aa", "1:7:aa"]);
    assert_eq!(found("ab\nab", json!({"query": "b"})), ["1:2:b", "2:2:b"]);
    assert_eq!(found("a\nb\n", json!({"query": "ab"})), [""; 0]);
}

#[test]
fn the_case_mode_decides_how_letters_compare() {
    touchstone::verifies!("FR-SF-SRC-01", "OUTF-SF-case");
    let line = "foo Foo FOO é É\n";
    let all = of(&["1:1:foo", "1:5:Foo", "1:9:FOO"]);
    let table = [
        ("foo", "smart", all.clone()),
        ("Foo", "smart", of(&["1:5:Foo"])),
        ("foo", "insensitive", all.clone()),
        ("FoO", "insensitive", all),
        ("foo", "sensitive", of(&["1:1:foo"])),
        ("FOO", "sensitive", of(&["1:9:FOO"])),
        ("é", "insensitive", of(&["1:13:é"])),
    ];
    for (query, case, expected) in table {
        assert_eq!(found(line, json!({"query": query, "case": case})), expected, "{query} {case}");
        assert_eq!(answer(&over(&[], json!({"query": query, "case": case})))["case"], case);
        let expression = json!({"query": query, "case": case, "mode": "regex"});
        assert_eq!(found(line, expression), expected, "{query} {case}");
    }
}

#[test]
fn a_regular_expression_is_matched_line_by_line() {
    touchstone::verifies!("FR-SF-SRC-02");
    let regex =
        |contents: &str, query: &str| found(contents, json!({"query": query, "mode": "regex"}));
    assert_eq!(regex("x foo fooo\n", "fo+"), ["1:3:foo", "1:7:fooo"]);
    assert_eq!(regex("foo foo\nfoo\n", "^foo"), ["1:1:foo", "2:1:foo"]);
    assert_eq!(regex("a1 b22\r\nc\n", r"\d+$"), ["1:5:22"]);
    assert_eq!(regex("a\nb\n", r"a\sb"), [""; 0]);
    assert_eq!(regex("foo\n", "foo|fo"), ["1:1:foo"]);
    assert_eq!(regex("foo\n", "fo|foo"), ["1:1:fo"]);
    assert_eq!(regex("ab cab\n", r"\bab"), ["1:1:ab"]);
    assert_eq!(regex("Straße ſ\n", "(?i)S"), ["1:1:S", "1:9:ſ"]);
    // An empty match directly behind another is passed over.
    assert_eq!(regex("axb\n", "x*"), ["1:1:", "1:2:x", "1:4:"]);
    assert_eq!(regex("é\n", "x*"), ["1:1:", "1:3:"]);
}

#[test]
fn a_fuzzy_match_is_the_best_window_of_its_line_at_the_threshold() {
    touchstone::verifies!("FR-SF-SRC-03", "CFG-SF-04", "MATF-SF-score");
    let hello = |threshold: f64, contents: &str| {
        let case = over(&[("a", contents)], json!({"query": "hello", "mode": "fuzzy"}));
        let seen = answer(&configured(case, "fuzzy_threshold", threshold));
        let scores: Vec<f64> = seen["matches"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["score"].as_f64().unwrap())
            .collect();
        (matches(&seen), scores)
    };
    // One edit in five; one insertion, which makes the window six long; the query itself; two
    // edits.
    let lines = "say hallo there\nheello\nx hello hell\nhallu\n";
    let eight_tenths =
        (of(&["a:1:5:hallo", "a:2:1:heello", "a:3:3:hello"]), vec![0.8, 5.0 / 6.0, 1.0]);
    assert_eq!(hello(0.8, lines), eight_tenths);
    assert_eq!(hello(0.81, lines), (of(&["a:2:1:heello", "a:3:3:hello"]), vec![5.0 / 6.0, 1.0]));
    assert_eq!(hello(1.0, lines), (of(&["a:3:3:hello"]), vec![1.0]));
    assert_eq!(hello(0.6, lines).0.len(), 4);
    // Of windows with the same score the leftmost, then the shortest; never across lines.
    assert_eq!(hello(0.8, "hell hallo\nhel\nlo\n").0, ["a:1:1:hell"]);
    assert_eq!(hello(0.0, "xyz\n\n"), (of(&["a:1:1:x"]), vec![0.0]));
    // Distances count characters; ASCII letters match either case by default.
    assert_eq!(hello(0.8, "h\u{e9}llo HELLO\n").0, ["a:1:8:HELLO"]);
    let case = over(
        &[("a", "HELLO hellO\n")],
        json!({"query": "hello", "mode": "fuzzy", "case": "sensitive"}),
    );
    assert_eq!(matches(&answer(&case)), ["a:1:7:hell"], "as good as `hellO`, and shorter");
    // Every fuzzy search takes the configured threshold; a request has no say in it.
    let case = over(&[], json!({"query": "a", "mode": "fuzzy", "fuzzy_threshold": 0.1}));
    bad_args(&case, "fuzzy_threshold");
    let long = "ab".repeat(513);
    bad_args(&over(&[], json!({"query": long, "mode": "fuzzy"})), "query");
}

#[test]
fn a_score_is_a_number_in_mode_fuzzy_and_null_otherwise() {
    touchstone::verifies!("MATF-SF-score");
    let score = |mode: &str, query: &str| {
        let text = text(&over(&[("a", "0123456789\n")], json!({"query": query, "mode": mode})));
        text.split("\"score\":").nth(1).unwrap().split('}').next().unwrap().to_owned()
    };
    assert_eq!(score("exact", "123"), "null");
    assert_eq!(score("regex", "[0-3]+"), "null");
    assert_eq!(score("fuzzy", "123"), "1.0");
    assert_eq!(score("fuzzy", "12x45"), "0.8");
    assert_eq!(score("fuzzy", "01234x"), "0.8333333333333334");
}

#[test]
fn a_file_with_a_nul_or_invalid_utf_8_is_skipped_and_reported() {
    touchstone::verifies!("FR-SF-SRC-04", "T-SF-05", "ERRF-SF-error", "OUTF-SF-errors");
    let far = [b"foo\n".repeat(5_000), vec![0]].concat();
    let far_bad = [b"foo\n".repeat(5_000), vec![0xc3, b'\n']].concat();
    let case = over(&[("z", "foo\n")], json!({"query": "foo"}))
        .with(Entry::file("nul", "foo\0\n"))
        .with(Entry::file("far-nul", far))
        .with(Entry::file("bad", &b"foo \xff\n"[..]))
        .with(Entry::file("far-bad", far_bad))
        .with(Entry::file("surrogate", &b"foo \xed\xa0\x80\n"[..]))
        .with(Entry::file("utf16", &b"\xff\xfef\0o\0o\0\n\0"[..]))
        .with(Entry::file("marked", &b"\xef\xbb\xbffoo\n"[..]));
    let seen = answer(&case);
    assert_eq!(matches(&seen), ["marked:1:1:foo", "utf16:1:1:foo", "z:1:1:foo"]);
    let binary = ["bad", "far-bad", "far-nul", "nul", "surrogate"];
    assert_eq!(errors(&seen), binary.map(|path| format!("{path}: binary file")));
    assert_eq!(
        (&seen["stats"]["files_binary"], &seen["stats"]["files_scanned"]),
        (&json!(5), &json!(8))
    );
    assert_eq!((&seen["truncated"], &seen["stats"]["complete"]), (&json!(false), &json!(true)));
    // They are entered among the errors only if that is configured.
    let seen = answer(&configured(case, "record_binary", false));
    assert_eq!((errors(&seen), &seen["stats"]["files_binary"]), (vec![], &json!(5)));
}

#[test]
fn include_and_exclude_globs_are_applied() {
    touchstone::verifies!("FR-SF-SRC-05");
    let files = [
        ("a.rs", "foo\n"),
        ("a.txt", "foo\n"),
        ("d/b.rs", "foo\n"),
        ("d/gen/c.rs", "foo\n"),
        ("e/d.md", "foo\n"),
    ];
    let seen = |fields: Value| {
        let mut case = over(&files, fields);
        case.request["query"] = json!("foo");
        paths(&answer(&case))
    };
    assert_eq!(seen(json!({"include_globs": ["*.rs"]})), ["a.rs", "d/b.rs", "d/gen/c.rs"]);
    assert_eq!(seen(json!({"include_globs": ["*.md", "/*.txt"]})), ["a.txt", "e/d.md"]);
    assert_eq!(seen(json!({"exclude_globs": ["gen", "*.txt"]})), ["a.rs", "d/b.rs", "e/d.md"]);
    assert_eq!(seen(json!({"include_globs": ["*.rs"], "exclude_globs": ["d/**"]})), ["a.rs"]);
    assert_eq!(seen(json!({"include_globs": ["d"], "exclude_globs": ["**/gen/"]})), ["d/b.rs"]);
    assert_eq!(seen(json!({"include_globs": [], "exclude_globs": []})).len(), 5);
    assert_eq!(seen(json!({"include_globs": ["none"]})), [""; 0]);
    for field in ["include_globs", "exclude_globs"] {
        for glob in ["", "[", "{a", "!a", "a\\"] {
            bad_args(&over(&files, json!({"query": "foo", field: ["a", glob]})), field);
        }
    }
    // They are paths from the search root on.
    let case = over(&files, json!({"query": "foo", "path": "d", "include_globs": ["/gen/*.rs"]}));
    assert_eq!(paths(&answer(&case)), ["gen/c.rs"]);
}

#[test]
fn ignore_rules_apply_if_the_request_respects_them() {
    touchstone::verifies!("FR-SF-SRC-06", "T-SF-09");
    let files = [
        (".gitignore", "*.log\n/build/\n"),
        (".git/info/exclude", "secret\n"),
        ("a.log", "foo\n"),
        ("a.txt", "foo\n"),
        ("build/x", "foo\n"),
        ("d/.gitignore", "!keep.log\ny\n"),
        ("d/keep.log", "foo\n"),
        ("d/y", "foo\n"),
        ("d/build/z", "foo\n"),
        ("secret", "foo\n"),
    ];
    let respected = ["a.txt", "d/build/z", "d/keep.log"];
    assert_eq!(paths(&answer(&over(&files, json!({"query": "foo"})))), respected);
    let seen = answer(&over(&files, json!({"query": "foo", "respect_gitignore": true})));
    assert_eq!((paths(&seen), &seen["stats"]["files_scanned"]), (of(&respected), &json!(3)));
    let seen = answer(&over(&files, json!({"query": "foo", "respect_gitignore": false})));
    let all = ["a.log", "a.txt", "build/x", "d/build/z", "d/keep.log", "d/y", "secret"];
    assert_eq!(paths(&seen), all);
    // What is ignored is not opened: it would be a problem.
    let case = over(&files, json!({"query": "foo"}))
        .with(Entry::file("closed.log", "foo\n").unreadable())
        .with(Entry::dir("build/closed").unreadable());
    let seen = answer_unprivileged(&case);
    assert_eq!((paths(&seen), errors(&seen)), (of(&respected), vec![]));
}
