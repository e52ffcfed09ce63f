//! Clauses about which lines match, and where in the line.

use crate::clauses::{answer, bad_args, in_documents, lines, matched, over};
use serde_json::{Value, json};

/// The numbers of the lines of `text` that match, over every backend.
fn found(text: &str, request: &Value) -> Vec<u64> {
    let seen = answer(&in_documents(over(&[("a", text)], request.clone())));
    let events = seen["matches"].as_array().unwrap().iter();
    events.map(|event| event["data"]["line_number"].as_u64().unwrap()).collect()
}

#[test]
fn a_pattern_is_literal_text_or_a_regular_expression() {
    touchstone::verifies!("FR-LS-SRC-01");
    let text = "a.c\nabc\nxa.cx\n(\n[a-z]+\nfoo|bar\nfoo\n^a\n";
    assert_eq!(found(text, &json!({"pattern": "a.c"})), [1, 2, 3]);
    assert_eq!(found(text, &json!({"pattern": "a.c", "fixed_strings": true})), [1, 3]);
    assert_eq!(found(text, &json!({"pattern": "(", "fixed_strings": true})), [4]);
    assert_eq!(found(text, &json!({"pattern": "[a-z]+", "fixed_strings": true})), [5]);
    assert_eq!(found(text, &json!({"pattern": "foo|bar", "fixed_strings": true})), [6]);
    assert_eq!(found(text, &json!({"pattern": "foo|bar"})), [6, 7]);
    assert_eq!(found(text, &json!({"pattern": "^a", "fixed_strings": true})), [8]);
    assert_eq!(found(text, &json!({"pattern": "^a"})), [1, 2]);
    // Anchors stand at the ends of each line, and no expression reaches over one.
    assert_eq!(found("a\r\nab\n", &json!({"pattern": "a$"})), [1]);
    assert_eq!(found("a\nb\n", &json!({"pattern": "a\\sb"})), [0; 0]);
    assert_eq!(found("a\nb\n", &json!({"pattern": "(?s)a.b"})), [0; 0]);
    // Patterns that look like options are patterns.
    for dashed in ["--files", "-f", "---x", "-e", "--"] {
        let line = format!("x\ny {dashed} z\n");
        assert_eq!(
            found(&line, &json!({"pattern": dashed, "fixed_strings": true})),
            [2],
            "{dashed}"
        );
        assert_eq!(found(&line, &json!({"pattern": dashed})), [2], "{dashed}");
    }
}

#[test]
fn a_word_match_lies_between_word_boundaries() {
    touchstone::verifies!("FR-LS-SRC-03");
    let text = "cat\nconcat\ncats\na cat.\ncat_1\n\u{e9}cat\n-cat-\n";
    assert_eq!(found(text, &json!({"pattern": "cat", "word_regexp": true})), [1, 4, 7]);
    assert_eq!(found(text, &json!({"pattern": "c.t", "word_regexp": true})), [1, 4, 7]);
    // As ripgrep has it, a half boundary on either side: what is at the edge need not be a word
    // character (E-E11).
    assert_eq!(found("a -1 b\na-1b\n", &json!({"pattern": "-1", "word_regexp": true})), [1]);
    assert_eq!(
        found("foobar bar\nfoobar\n", &json!({"pattern": "foo|bar", "word_regexp": true})),
        [1]
    );
}

#[test]
fn sensitive_letters_match_themselves_only() {
    touchstone::verifies!("FR-LS-SRC-04", "FR-LS-SRC-04.sensitive");
    let text = "foo\nFoo\nFOO\n\u{e9}\n\u{c9}\n";
    for (pattern, expected) in [("foo", 1), ("Foo", 2), ("FOO", 3), ("\u{e9}", 4), ("\u{c9}", 5)] {
        for fixed in [true, false] {
            let request = json!({"pattern": pattern, "case": "sensitive", "fixed_strings": fixed});
            assert_eq!(found(text, &request), [expected], "{pattern}");
        }
    }
    assert_eq!(found("k\nK\n", &json!({"pattern": "[a-z]", "case": "sensitive"})), [1]);
}

#[test]
fn insensitive_folds_ascii_letters_and_nothing_else() {
    touchstone::verifies!("FR-LS-SRC-04", "FR-LS-SRC-04.insensitive");
    let insensitive = |pattern: &str, fixed: bool| json!({"pattern": pattern, "case": "insensitive", "fixed_strings": fixed});
    for fixed in [true, false] {
        assert_eq!(found("foo\nFOO\nfOo\nf0o\n", &insensitive("FoO", fixed)), [1, 2, 3]);
        // KELVIN SIGN and LONG S fold to ASCII letters in Unicode; not here.
        assert_eq!(found("k\nK\n\u{212a}\n", &insensitive("k", fixed)), [1, 2]);
        assert_eq!(found("s\nS\n\u{17f}\n", &insensitive("S", fixed)), [1, 2]);
        assert_eq!(found("\u{212a}\nk\n", &insensitive("\u{212a}", fixed)), [1]);
        assert_eq!(found("\u{e9}A\n\u{e9}a\n\u{c9}a\n", &insensitive("\u{e9}a", fixed)), [1, 2]);
        assert_eq!(found("\u{3c3}\n\u{3a3}\n\u{3c2}\n", &insensitive("\u{3c3}", fixed)), [1]);
    }
    assert_eq!(found("B\n\u{c9}\n", &insensitive("[a-z\u{e9}]", false)), [1]);
    // Every ASCII letter, and no other pair.
    let all: String = (0..=127_u8)
        .filter(|byte| !b"\0\n\r".contains(byte))
        .map(|byte| format!("{}\n", char::from(byte)))
        .collect();
    for letter in 'a'..='z' {
        let both = found(&all, &insensitive(&letter.to_string(), true));
        assert_eq!(both.len(), 2, "{letter}");
    }
    assert_eq!(found(&all, &insensitive("@", true)).len(), 1);
    assert_eq!(found(&all, &insensitive("[", true)).len(), 1);
}

#[test]
fn smart_is_sensitive_with_an_ascii_capital_and_insensitive_without() {
    touchstone::verifies!("FR-LS-SRC-04.smart", "T-LS-CASE-01");
    let text = "foo\nFoo\n";
    assert_eq!(found(text, &json!({"pattern": "foo"})), [1, 2]);
    assert_eq!(found(text, &json!({"pattern": "foo", "case": "smart"})), [1, 2]);
    assert_eq!(found(text, &json!({"pattern": "Foo"})), [2]);
    assert_eq!(found(text, &json!({"pattern": "fOo"})), [0; 0]);
    assert_eq!(
        found("x\u{c9}a\nX\u{c9}A\n", &json!({"pattern": "x\u{c9}a"})),
        [1, 2],
        "only A to Z are capitals"
    );
    for capital in 'A'..='Z' {
        let small = format!("q{}q\n", capital.to_ascii_lowercase());
        let request = json!({"pattern": format!("q{capital}q"), "fixed_strings": true});
        assert_eq!(found(&small, &request), [0; 0], "{capital}");
    }
    // The capital of an escape is none (E-F11).
    assert_eq!(found("foo!\nFOO!\n", &json!({"pattern": r"foo\S"})), [1, 2]);
}

#[test]
fn column_is_the_first_byte_of_the_match() {
    touchstone::verifies!("FR-LS-04b", "T-LS-COL-01");
    let text = "foo\n  foo\n\tfoo\n\u{e9}\u{65e5}foo\nxfoo foo\n";
    let seen = answer(&over(&[("a", text)], json!({"pattern": "foo"})));
    assert_eq!(
        lines(&seen),
        ["a:1:1:foo", "a:2:3:  foo", "a:3:2:\tfoo", "a:4:6:\u{e9}\u{65e5}foo", "a:5:2:xfoo foo"]
    );
    for event in seen["matches"].as_array().unwrap() {
        let column = usize::try_from(event["data"]["column"].as_u64().unwrap()).unwrap();
        assert!(event["data"]["lines"]["text"].as_str().unwrap()[column - 1..].starts_with("foo"));
    }
}

#[test]
fn match_text_is_exactly_the_matched_text() {
    touchstone::verifies!("FR-LS-04c", "T-LS-MTXT-01");
    let of = |text: &str, request: Value| matched(&answer(&over(&[("a", text)], request)));
    assert_eq!(
        of("let fOObar = 1;\n", json!({"pattern": "foo(b)(a)r"})),
        ["fOObar"],
        "the whole match, not a group"
    );
    assert_eq!(of("let fOO = 1;\n", json!({"pattern": "foo", "fixed_strings": true})), ["fOO"]);
    assert_eq!(
        of("foobar\n", json!({"pattern": "foo|foobar"})),
        ["foo"],
        "the first alternative, not the longest"
    );
    assert_eq!(of("aaa\n", json!({"pattern": "a+?"})), ["a"]);
    assert_eq!(of("b\n", json!({"pattern": "a*"})), [""]);
    let seen = answer(&over(&[("a", "x\nfoo\ny\n")], json!({"pattern": "foo", "context": 1})));
    for event in seen["matches"].as_array().unwrap() {
        let data = event["data"].as_object().unwrap();
        let is_match = event["type"] == "match";
        assert_eq!(data.contains_key("column"), is_match);
        assert_eq!(data.contains_key("match_text"), is_match);
    }
}

#[test]
fn each_fuzzy_level_includes_the_matches_of_lower_levels() {
    touchstone::verifies!("FR-LS-SRC-11", "IT-LS-FZ-01");
    let text = "needle\nneedl\nneele\nnxxdle\nnxxxle\nnxxxxe\nhaystack\n";
    let at = |level: u64| {
        found(text, &json!({"pattern": "needle", "fixed_strings": true, "fuzzy": level}))
    };
    let exact = found(text, &json!({"pattern": "needle", "fixed_strings": true}));
    let levels = [exact, at(1), at(2), at(3), at(4)];
    for pair in levels.windows(2) {
        let [lower, higher] = pair else { unreachable!("windows of two") };
        assert!(lower.iter().all(|line| higher.contains(line)), "{levels:?}");
        assert!(lower.len() < higher.len(), "{levels:?}");
    }
    assert_eq!(levels[1], [1, 2, 3]);
    assert!(!levels[4].contains(&7));
    assert_eq!(at(3), at(3));
    let words =
        json!({"pattern": "needle", "fixed_strings": true, "fuzzy": 1, "case": "insensitive"});
    assert_eq!(found("a NEDLE\n", &words), [1]);
    bad_args(&over(&[("a", text)], json!({"pattern": "needle", "fuzzy": 1})), "fuzzy");
}

#[test]
fn fuzzy_search_over_ugrep_finds_what_ugrep_finds() {
    touchstone::verifies!("IT-LS-FZ-01", "E-G01");
    let text = "hallo\nxello\nhelo\nworld\nhxxlo\nhello\n";
    let ugrep = crate::clauses::backends().ugrep.unwrap();
    for (level, expected) in [(1, &[1, 3, 6][..]), (2, &[1, 3, 5, 6])] {
        let request = json!({"pattern": "hello", "fixed_strings": true, "fuzzy": level});
        assert_eq!(found(text, &request), expected, "the service, level {level}");
        let ground = crate::clauses::Ground::of(&over(&[("a", text)], json!({})));
        let run = std::process::Command::new(&ugrep)
            .args(["-F", &format!("-Z{level}"), "-n", "-e", "hello", "--", "a"])
            .current_dir(ground.root())
            .output()
            .unwrap();
        let printed = String::from_utf8(run.stdout).unwrap();
        let numbers: Vec<u64> =
            printed.lines().map(|line| line.split_once(':').unwrap().0.parse().unwrap()).collect();
        assert_eq!(numbers, expected, "ugrep itself, level {level}: {printed}");
    }
}

#[test]
fn invalid_utf_8_becomes_replacement_characters_reproducibly() {
    touchstone::verifies!("FR-LS-ENC-01", "T-LS-ENC-01");
    let case = touchstone::case::Case::new("enc", "enc", json!({"pattern": "foo"})).with(
        touchstone::case::Entry::file(
            b"a\xff".to_vec(),
            b"caf\xe9 foo\n\xf0\x9f\x98foo\xff\xfe\n".to_vec(),
        ),
    );
    let first = answer(&case);
    assert_eq!(
        lines(&first),
        ["a\u{fffd}:1:8:caf\u{fffd} foo", "a\u{fffd}:2:4:\u{fffd}foo\u{fffd}\u{fffd}",]
    );
    for _ in 0..3 {
        assert_eq!(answer(&case), first);
    }
}
