use regex_automata::{Input, meta, util::syntax};
use serde_json::{Value, json};

use super::{Hit, compile};
use crate::place;
use crate::request::{self, Request};
use crate::tests::agent;

const AUTOMATON_BYTES: u64 = 10 << 20;

fn request(value: &Value) -> Request {
    request::read(value.as_object().expect("an object"), &agent()).expect("valid fields")
}

/// The match of a request in one line.
fn hit(value: &Value, line: &[u8]) -> Option<(u64, String)> {
    hits(value, &[line]).pop().flatten()
}

/// The match of a request in each of several lines.
fn hits(value: &Value, lines: &[&[u8]]) -> Vec<Option<(u64, String)>> {
    let matcher =
        compile(&request(value), AUTOMATON_BYTES).unwrap_or_else(|| panic!("{value} is refused"));
    let mut scratch = matcher.scratch();
    let find =
        |line: &&[u8]| matcher.find(line, &mut scratch).map(|Hit { column, text }| (column, text));
    lines.iter().map(find).collect()
}

fn accepted(pattern: &str) -> bool {
    compile(&request(&json!({ "pattern": pattern })), AUTOMATON_BYTES).is_some()
}

/// Parts of patterns; none is a literal LF or can match invalid UTF-8.
const PARTS: &[&str] = &[
    "a",
    "B",
    "k",
    "é",
    "ſ",
    "K",
    "ß",
    "1",
    "_",
    ".",
    "(?s:.)",
    "(?R:.)",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    r"\pL",
    r"\PL",
    r"\p{Lu}",
    r"\P{Lu}",
    r"\p{Greek}",
    r"\p{gc!=Lu}",
    "[ab]",
    "[^ab]",
    "[A-F]",
    "[^k]",
    "[^é]",
    "[a-z&&[^k]]",
    "[a-z--k]",
    "[a-k~~[f-z]]",
    "[[:upper:]]",
    "[[:^upper:]]",
    "[^[:lower:]]",
    r"[\w--\d]",
    r"[\W_]",
    r"[^\S]",
    "[a[b[^c]]]",
    "[Z-a]",
    r"[\n]",
    r"[^\n]",
    "a|B",
    "a|",
    "|b",
    "ab|a",
    "(a)(?:b)?",
    "(?P<n>a)B",
    "(?i)k",
    "(?i:k)b",
    "a(?i)b|c",
    "(?i-u:k)",
    "(?-u:a)",
    r"(?-u:\w)",
    r"(?-u:\b)a",
    r"(?-u:\B)",
    "(?-i)A",
    "(?i)[^K]",
    "(?i)[k--K]",
    r"(?i)\p{Lu}",
    "(?i)[[:^lower:]]",
    "a*",
    "a*?",
    "(?U)a*",
    "(?U)a*?",
    "a{2}",
    "a{1,2}",
    "a{2,}",
    "(?U:a{1,2})b",
    "(?x: a b )",
    "^",
    "$",
    r"\A",
    r"\z",
    "(?m)^",
    "(?m)$",
    "(?mR)^",
    "(?mR)$",
    r"\b",
    r"\B",
    r"\b{start}",
    r"\b{end}",
    r"\b{start-half}",
    r"\b{end-half}",
    r"\<",
    r"\>",
    r"\x41",
    r"\u{e9}",
    "[a&&b]",
    "()",
    "(?:)",
    "[[:word:]]",
    r"[\x00-\x{10FFFF}]",
    r"[\pL&&\p{ASCII}]",
    "(?:a|b|c)+",
    "((a)|(b))*",
    "\r",
];

const LINES: &[&[u8]] = &[
    b"",
    b"a",
    b"aab",
    b"xaBck",
    b"AB_1 kK",
    "éÉ ſun K ß ẞ".as_bytes(),
    "αΩ日本".as_bytes(),
    b"\xffa\xfeb",
    b"\xe2\x82 k",
    b"a\rb\r",
    b" \t a-b_c.",
    b"FGHzZ[\\]^`",
];

/// Every part alone, and every part next to a few others.
fn patterns() -> Vec<String> {
    let mut patterns: Vec<String> = PARTS.iter().map(|part| (*part).to_owned()).collect();
    for part in PARTS {
        patterns.extend([
            format!("(?:{part})b"),
            format!("k(?:{part})"),
            format!("(?:{part}){{1,3}}?.$"),
            format!("^.(?:{part})|[Kk]"),
        ]);
    }
    patterns
}

/// The match of the `regex` crate, as column and text.
fn theirs(regex: &meta::Regex, line: &[u8]) -> Option<(u64, String)> {
    let found = regex.search(&Input::new(line))?;
    let before = place::lossy(&line[..found.start()]);
    Some((before.len() as u64 + 1, place::lossy(&line[found.range()])))
}

fn their_regex(pattern: &str, case_insensitive: bool) -> meta::Regex {
    meta::Regex::builder()
        .configure(meta::Config::new().utf8_empty(false))
        .syntax(syntax::Config::new().utf8(false).case_insensitive(case_insensitive))
        .build(pattern)
        .unwrap_or_else(|error| panic!("{pattern}: {error}"))
}

/// Asserts that a request matches in every line what `regex` matches.
fn agree(value: &Value, regex: &meta::Regex, lines: &[&[u8]]) {
    for (line, ours) in lines.iter().zip(hits(value, lines)) {
        assert_eq!(ours, theirs(regex, line), "{value} in {:?}", place::lossy(line));
    }
}

#[test]
fn without_folding_the_translation_agrees_with_the_regex_crate() {
    let patterns = patterns();
    assert!(patterns.len() > 400);
    for pattern in patterns {
        agree(
            &json!({"pattern": pattern, "case": "sensitive"}),
            &their_regex(&pattern, false),
            LINES,
        );
    }
}

#[test]
fn inside_an_inline_flag_folding_follows_unicode() {
    for pattern in patterns() {
        let regex = their_regex(&pattern, true);
        for case in ["sensitive", "insensitive"] {
            agree(&json!({"pattern": format!("(?i){pattern}"), "case": case}), &regex, LINES);
        }
    }
}

/// ASCII patterns on ASCII text do not distinguish the two foldings.
#[test]
fn on_ascii_text_both_foldings_agree() {
    let patterns: Vec<String> = patterns()
        .into_iter()
        .filter(|pattern| pattern.is_ascii() && !pattern.contains("(?-i"))
        .collect();
    assert!(patterns.len() > 300);
    let lines: Vec<&[u8]> = LINES.iter().copied().filter(|line| line.is_ascii()).collect();
    for pattern in patterns {
        agree(
            &json!({"pattern": pattern, "case": "insensitive"}),
            &their_regex(&pattern, true),
            &lines,
        );
    }
}

/// E-A04, E-F10: only a-z and A-Z fold.
#[test]
fn insensitive_folds_ascii_letters_only() {
    let rows: &[(&str, &str, Option<&str>)] = &[
        ("sun", "ſun", None),
        ("k", "\u{212a}", None),
        ("ñabc", "Ñabc", None),
        ("ñabc", "ñABC", Some("ñABC")),
        ("[k]", "\u{212a}", None),
        ("[^k]", "\u{212a}K", Some("\u{212a}")),
        ("[^k]", "K", None),
        ("[^k]", "k", None),
        (r"\p{Lu}", "é", None),
        (r"\p{Lu}", "e", Some("e")),
        (r"\P{Lu}", "e", None),
        (r"\p{Lu}", "É", Some("É")),
        ("[[:upper:]]", "a", Some("a")),
        ("[[:^upper:]]", "a", None),
        ("[a-z--K]", "k", None),
        ("[a-z--K]", "j", Some("j")),
        ("[a-z&&[^K]]", "k", None),
        ("[A-Z~~k]", "K", None),
        ("[A-Z~~k]", "J", Some("J")),
        (r"\x4b", "k", Some("k")),
        ("(?i:k)s", "\u{212a}S", Some("\u{212a}S")),
        ("(?i:k)s", "kſ", None),
        ("(?-i:K)s", "KS", Some("KS")),
        ("(?-i:K)s", "kS", None),
        ("a(?-i)b", "AB", None),
        ("a(?-i)b", "Ab", Some("Ab")),
        ("(a(?i)b)c", "ABC", Some("ABC")),
        ("(?i-u:k)", "\u{212a}", None),
        ("(?-u:k)", "K", Some("K")),
        ("(?-u:[k])", "K", Some("K")),
    ];
    for (pattern, line, expected) in rows {
        let found = hit(&json!({"pattern": pattern, "case": "insensitive"}), line.as_bytes());
        assert_eq!(found.map(|(_, text)| text).as_deref(), *expected, "`{pattern}` in `{line}`");
    }
}

/// E-F11.
#[test]
fn smart_case_depends_on_literals_not_on_escapes() {
    let insensitive = [
        r"foo\S+",
        r"\Bfoo",
        r"foo\pL",
        r"foo\p{Lu}",
        r"\P{Greek}foo",
        "[[:upper:]]foo",
        "(?P<N>foo)",
        "(?U)foo",
        "(?x)foo # A",
        "Éfoo",
        "[!-~]foo",
    ];
    let sensitive = [
        "Foo",
        r"\x46oo",
        "[F]oo",
        "[A-F]oo",
        "[^A]",
        "[@-F]",
        "[a&&[b[C]]]",
        "(?i)F",
        "f|(o{2}(?:O))",
    ];
    let fold = |pattern: &str| {
        let parsed = super::acceptable(pattern).expect("acceptable");
        super::case_of_expression(
            request(&json!({ "pattern": pattern })).case,
            crate::fold::Fold::Ascii,
            &parsed,
        )
    };
    for pattern in insensitive {
        assert_eq!(fold(pattern), super::Fold::Ascii, "`{pattern}`");
    }
    for pattern in sensitive {
        assert_eq!(fold(pattern), super::Fold::None, "`{pattern}`");
    }
    let literal = |pattern: &str| {
        let request = request(&json!({"pattern": pattern, "fixed_strings": true}));
        super::case_of_literal(pattern, request.case, crate::fold::Fold::Ascii)
    };
    assert_eq!(literal(r"foo\S"), super::Fold::None);
    assert_eq!(literal("fooÉ"), super::Fold::Ascii);
}

/// E-A07, E-A20, E-E07, E-E10, E-F07.
#[test]
fn an_unparsable_or_unusable_pattern_is_refused() {
    let refused = [
        "(",
        "a)",
        "[",
        "*",
        "a{2,1}",
        "(?=x)",
        r"(a)\1",
        r"\",
        "[b-a]",
        r"\p{Nope}",
        r"\n",
        r"\x0a",
        r"\u{A}",
        r"a|(\n)?",
        r"(?x)a\n",
        r"(?-u:\xff)",
        "(?-u:.)",
        r"(?-u:\W)",
        "(?-u:[^a])",
        r"(?-u:\pL)",
        "(?-u)é|.",
        "a{1000}{1000}",
        r"(?:\pL{500}){10}",
    ];
    for pattern in refused {
        assert!(!accepted(pattern), "`{pattern}`");
    }
    let fine = [
        r"[\n]",
        r"[^\n]",
        r"\s",
        "(?s).",
        "(?-u:a)",
        r"(?-u:\w)",
        "a{1000}",
        "]",
        "}",
        r"\r",
        "(?-u:é)",
    ];
    for pattern in fine {
        assert!(accepted(pattern), "`{pattern}`");
    }
}

#[test]
fn the_word_rule_counts_towards_the_size_of_the_automaton() {
    let value = |word: bool| json!({"pattern": "a", "word_regexp": word});
    let smallest = |word: bool| {
        (0..4_096)
            .map(|step| step * 16)
            .find(|bytes| compile(&request(&value(word)), *bytes).is_some())
            .expect("it is small")
    };
    assert!(smallest(true) > smallest(false));
}

/// E-E11.
#[test]
fn a_word_match_has_no_word_character_on_either_side() {
    let rows: &[(&str, &[u8], Option<&str>)] = &[
        ("foo", b"foobar foo.", Some("foo")),
        ("foo", "éfoo".as_bytes(), None),
        ("foo", b"foo_", None),
        ("foo|foobar", b"foobar", Some("foobar")),
        ("-x", b"a -x", Some("-x")),
        ("-x", b"a-x", None),
        // Next to an invalid byte a Unicode boundary does not match.
        ("foo", b"\xfffoo", None),
    ];
    for (pattern, line, expected) in rows {
        let found = hit(&json!({"pattern": pattern, "word_regexp": true}), line);
        assert_eq!(
            found.map(|(_, text)| text).as_deref(),
            *expected,
            "`{pattern}` in {:?}",
            place::lossy(line)
        );
    }
}

/// E-E02: bytes of the emitted text, in which an invalid byte takes three.
#[test]
fn columns_count_bytes_of_the_emitted_text() {
    let rows: &[(&[u8], u64)] = &[
        (b"\xffx foo", 6),
        (b"\tfoo", 2),
        ("ééfoo".as_bytes(), 5),
        (b"\xf0\x9f\x98foo", 4),
        (b"foo", 1),
    ];
    for (line, column) in rows {
        assert_eq!(hit(&json!({"pattern": "foo"}), line), Some((*column, "foo".to_owned())));
    }
}

/// E-E08, E-E09.
#[test]
fn matches_are_leftmost_first_and_may_be_empty() {
    let rows = [
        ("foo|foobar", "foobar", (1, "foo")),
        ("x*", "abc", (1, "")),
        ("$", "abc", (4, "")),
        ("b|ab", "ab", (1, "ab")),
    ];
    for (pattern, line, (column, text)) in rows {
        let found = hit(&json!({ "pattern": pattern }), line.as_bytes());
        assert_eq!(found, Some((column, text.to_owned())), "`{pattern}`");
    }
}

/// A line is bytes: an empty match may be inside a character, where the text before it is decoded
/// lossily.
#[test]
fn an_empty_match_may_split_a_character() {
    let found = hit(&json!({"pattern": r"(?-u:\B)"}), "aé".as_bytes());
    assert_eq!(found, Some((5, String::new())));
}

#[test]
fn a_literal_has_no_special_characters_and_matches_bytes() {
    let literal = |pattern: &str, line: &[u8]| {
        hit(&json!({"pattern": pattern, "fixed_strings": true}), line).map(|(_, text)| text)
    };
    assert_eq!(literal("a.c", b"abc"), None);
    assert_eq!(literal("(?i)[", b"x(?I)[").as_deref(), Some("(?I)["));
    assert_eq!(literal("é", b"\xc3\xa9\xff").as_deref(), Some("é"));
    assert_eq!(literal("\u{fffd}", b"\xff"), None);
}
