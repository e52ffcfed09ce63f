use regex_automata::meta::Regex;
use serde_json::{Value, json};

use super::*;
use crate::request::{Limits, Request};

fn compile(request: &Value) -> Result<Pattern, ToolError> {
    let limits = Limits {
        default_timeout_ms: 1000,
        default_max_results: 200,
        max_matches_per_file: None,
        max_files: 100,
        max_file_size_bytes: 1 << 20,
        max_output_bytes: 1 << 20,
    };
    Pattern::compile(Request::parse(request, &limits).unwrap().sought())
}

fn finds(pattern: &str, case: &str, line: &str) -> bool {
    let pattern = compile(&json!({"pattern": pattern, "case": case})).unwrap();
    pattern.find(line.as_bytes()).is_some()
}

#[test]
fn insensitive_folds_ascii_and_nothing_else() {
    for (pattern, line, want) in [
        ("kelvin", "KELVIN", true),
        ("kelvin", "\u{212a}elvin", false),
        ("sun", "\u{17f}un", false),
        ("ñ", "Ñ", false),
        ("ÑABC", "Ñabc", true),
        ("[a-c]", "B", true),
        ("[^a]", "A", false),
        ("[[:upper:]]", "a", true),
        (r"\p{Lu}", "a", true),
        (r"\p{Lu}", "ñ", false),
        (r"\P{Lu}", "a", false),
        (r"\P{Lu}", "ñ", true),
        ("[[:^upper:]]", "a", false),
        ("[[:^upper:]]", "1", true),
        ("[a-z&&[^b]]", "B", false),
        ("[a-z--b]", "B", false),
        ("[a-z--b]", "C", true),
        (r"\x41", "a", true),
        ("é", "É", false),
        ("(?i)é", "É", true),
        ("(?i:k)x", "\u{212a}X", true),
        ("(?-i:k)x", "KX", false),
        ("(?-i:k)x", "kX", true),
        ("a(?-i)b|c", "C", false),
        ("(?x) n e", "NE", true),
    ] {
        assert_eq!(finds(pattern, "insensitive", line), want, "{pattern} in {line}");
    }
}

#[test]
fn smart_case_looks_at_literals_not_at_escapes() {
    for (pattern, line, want) in [
        (r"foo\S+", "FOObar", true),
        ("Foo", "foo", false),
        ("[A-C]", "b", false),
        (r"\pLx", "aX", true),
        ("Ñabc", "ÑABC", true),
        (r"\x41", "a", false),
        (r"\bfoo\B", "FOOx", true),
        ("(?P<N>n)", "N", true),
    ] {
        assert_eq!(finds(pattern, "smart", line), want, "{pattern} in {line}");
    }
}

#[test]
fn anchors_and_words_are_those_of_the_line() {
    assert!(finds(r"\Afoo\z", "smart", "foo"));
    assert!(!finds("^foo$", "smart", "foo bar"));
    let word = |pattern: &str, line: &str| {
        compile(&json!({"pattern": pattern, "word_regexp": true})).unwrap().find(line.as_bytes())
    };
    assert_eq!(word("foo", "éfoo foo"), Some((6, 9)));
    assert_eq!(word("foo|foobar", "foobar"), Some((0, 6)), "the whole alternation is a word or not");
    assert_eq!(word("-x", "a-x"), None, "the boundary is that of the match, not of its letters");
    assert_eq!(word("-x", "a -x"), Some((2, 4)));
    assert_eq!(word(" c ", " c  c "), Some((0, 3)));
}

#[test]
fn alternatives_are_leftmost_first() {
    let pattern = compile(&json!({"pattern": "foo|foobar"})).unwrap();
    assert_eq!(pattern.find(b"foobar"), Some((0, 3)));
}

#[test]
fn what_cannot_be_searched_by_lines_or_as_text_is_refused_with_its_place() {
    for (pattern, words) in [
        ("a(", "byte 1: unclosed group"),
        ("[z-a]", "byte 1"),
        (r"a\nb", "byte 1: a line feed"),
        (r"a\x0ab", "byte 1: a line feed"),
        (r"(?-u:\xff)", "invalid UTF-8"),
        ("(?-u).", "invalid UTF-8"),
        (r"a\1", "backreferences"),
        ("(?=a)", "look-around"),
        ("((a{200}){200}){200}", "10485760 bytes"),
    ] {
        let error = compile(&json!({"pattern": pattern})).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("pattern"));
        assert!(error.message.contains(words), "{pattern}: {}", error.message);
    }
    assert!(compile(&json!({"pattern": r"[^a\n]\s"})).is_ok(), "a class may hold what no line does");
}

/// Lines that stress every assertion, and patterns that use them.
const LINES: [&str; 14] =
    ["", "a", "A", "foo", "foo bar", "xfoo", "foo\r", "\r", "é", "éfoo", "a\tb", "-x", "\u{1}", "aaa"];
const PATTERNS: [&str; 40] = [
    "x(x+)?foo|f(z+)?oo",
    "(?:f(?:z{2})?)oo",
    "f(z{2,3})?o+",
    "(?:(?:z+)?)+f",
    r"(?:\s+)?foo",
    "((z+))?a",
    "foo",
    "^foo",
    "foo$",
    r"\bfoo\b",
    r"\Bo",
    "^$",
    "",
    "a*",
    "x?",
    "(a|)",
    "|a",
    "[^a]",
    r"\W",
    r"\D",
    r"\s",
    "é",
    "[é-ü]",
    r"\p{L}+",
    "a{2,3}",
    "(?:a{2}){1,}",
    "(a|b)?c?",
    r"\z",
    r"\Afoo|\t",
    r"[\n]",
    r"[^\x00-\x7f]",
    "a+?",
    "(?s).",
    "(?i)FOO",
    r"\b{start}foo",
    "(?R)o$",
    "foo|bar|é",
    "-x",
    "---x",
    r"[[:alpha:]]{1,200}",
];

#[test]
fn wider_forms_lose_no_line() {
    for pattern in PATTERNS {
        for (word, case) in [(false, "sensitive"), (false, "insensitive"), (true, "smart")] {
            let request = json!({"pattern": pattern, "word_regexp": word, "case": case});
            // The empty pattern is refused by the request; as an expression it is reached through `(?:)`.
            let Ok(parsed) = std::panic::catch_unwind(|| compile(&request)) else { continue };
            let compiled = parsed.unwrap();
            let portable = Regex::builder()
                .syntax(regex_automata::util::syntax::Config::new().unicode(false).utf8(false))
                .build(&compiled.portable_expression())
                .unwrap();
            let buffer = Regex::new(&compiled.buffer_expression()).unwrap();
            for line in LINES {
                if compiled.find(line.as_bytes()).is_none() {
                    continue;
                }
                assert!(portable.is_match(line.as_bytes()), "{request} portable in {line:?}");
                for end in ["", "\n", "\r\n"] {
                    if end.is_empty() && line.is_empty() {
                        continue;
                    }
                    let text = format!("zz\n{line}{end}");
                    // A line without LF keeps its CR; with `\r\n` added it has one more.
                    let input = regex_automata::Input::new(&text).range(3..);
                    assert!(buffer.is_match(input), "{request} buffer in {text:?}");
                }
            }
        }
    }
}

#[test]
fn portable_expressions_use_nothing_that_dialects_read_differently() {
    for pattern in PATTERNS.into_iter().filter(|pattern| !pattern.is_empty()) {
        let text = compile(&json!({"pattern": pattern})).unwrap().portable_expression();
        assert!(text.is_ascii() && !text.contains('\n'), "{text}");
        for construct in ["(?:)", "(|", "|)", "||", r"\b", r"\B", "^", "$", "{", r"\x0a"] {
            assert!(!text.contains(construct), "{pattern} became {text}");
        }
    }
}

#[test]
fn what_may_be_nested_does_not_depend_on_case() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    let accepted = |depth: usize, case: &str| {
        let request = json!({ "pattern": nested(depth), "case": case, "fixed_strings": false });
        compile(&request).is_ok()
    };
    for depth in 245..=255 {
        for case in ["insensitive", "smart"] {
            assert_eq!(accepted(depth, case), accepted(depth, "sensitive"), "{depth}, {case}");
        }
    }
    assert!(accepted(248, "insensitive") && !accepted(255, "sensitive"));
}
