use regex_automata::meta::Regex;

use super::*;

const CASES: [CaseMode; 3] = [CaseMode::Smart, CaseMode::Sensitive, CaseMode::Insensitive];

fn compile(pattern: &str) -> Result<Pattern, ToolError> {
    Pattern::compile(PatternOptions::expression(pattern))
}

fn finds(pattern: &str, case: CaseMode, line: &str) -> bool {
    let sought = PatternOptions { case, ..PatternOptions::expression(pattern) };
    Pattern::compile(sought).unwrap().find(line.as_bytes()).is_some()
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
        assert_eq!(finds(pattern, CaseMode::Insensitive, line), want, "{pattern} in {line}");
    }
}

#[test]
fn smart_case_depends_on_literals_not_on_escapes() {
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
        assert_eq!(finds(pattern, CaseMode::Smart, line), want, "{pattern} in {line}");
    }
}

#[test]
fn anchors_and_word_boundaries_refer_to_the_line() {
    assert!(finds(r"\Afoo\z", CaseMode::Smart, "foo"));
    assert!(!finds("^foo$", CaseMode::Smart, "foo bar"));
    let word = |pattern: &str, line: &str| {
        let sought = PatternOptions { word: true, ..PatternOptions::expression(pattern) };
        Pattern::compile(sought).unwrap().find(line.as_bytes())
    };
    assert_eq!(word("foo", "éfoo foo"), Some((6, 9)));
    assert_eq!(
        word("foo|foobar", "foobar"),
        Some((0, 6)),
        "the whole alternation is a word or not"
    );
    assert_eq!(word("-x", "a-x"), None, "the boundary is that of the match, not of its letters");
    assert_eq!(word("-x", "a -x"), Some((2, 4)));
    assert_eq!(word(" c ", " c  c "), Some((0, 3)));
}

#[test]
fn alternatives_are_leftmost_first() {
    let pattern = compile("foo|foobar").unwrap();
    assert_eq!(pattern.find(b"foobar"), Some((0, 3)));
}

#[test]
fn a_pattern_that_cannot_be_searched_by_lines_is_refused_with_its_place() {
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
        let error = compile(pattern).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("pattern"));
        assert!(error.message.contains(words), "{pattern}: {}", error.message);
    }
    assert!(compile(r"[^a\n]\s").is_ok(), "a class may hold what no line does");
}

/// Lines that exercise every assertion, and patterns that use them.
const LINES: [&str; 14] = [
    "", "a", "A", "foo", "foo bar", "xfoo", "foo\r", "\r", "é", "éfoo", "a\tb", "-x", "\u{1}",
    "aaa",
];
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
fn wider_forms_of_a_pattern_match_every_matching_line() {
    // Requests refuse the empty pattern; as an expression it is `(?:)`.
    for pattern in PATTERNS.into_iter().filter(|pattern| !pattern.is_empty()) {
        for (word, case) in [false, false, true].into_iter().zip(CASES.into_iter().rev()) {
            let sought = PatternOptions { case, word, ..PatternOptions::expression(pattern) };
            let compiled = Pattern::compile(sought).unwrap();
            let portable = Regex::builder()
                .syntax(regex_automata::util::syntax::Config::new().unicode(false).utf8(false))
                .build(&compiled.portable_expression())
                .unwrap();
            let buffer = Regex::new(&compiled.buffer_expression()).unwrap();
            for line in LINES {
                if compiled.find(line.as_bytes()).is_none() {
                    continue;
                }
                assert!(portable.is_match(line.as_bytes()), "{sought:?} portable in {line:?}");
                for end in ["", "\n", "\r\n"] {
                    if end.is_empty() && line.is_empty() {
                        continue;
                    }
                    let text = format!("zz\n{line}{end}");
                    // A line without LF keeps its CR; with `\r\n` appended it has one more.
                    let input = regex_automata::Input::new(&text).range(3..);
                    assert!(buffer.is_match(input), "{sought:?} buffer in {text:?}");
                }
            }
        }
    }
}

#[test]
fn portable_expressions_avoid_constructs_that_dialects_read_differently() {
    for pattern in PATTERNS.into_iter().filter(|pattern| !pattern.is_empty()) {
        let text = compile(pattern).unwrap().portable_expression();
        assert!(text.is_ascii() && !text.contains('\n'), "{text}");
        for construct in ["(?:)", "(|", "|)", "||", r"\b", r"\B", "^", "$", "{", r"\x0a"] {
            assert!(!text.contains(construct), "{pattern} became {text}");
        }
    }
}

#[test]
fn the_nesting_limit_does_not_depend_on_case() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    let accepted = |depth: usize, case: CaseMode| {
        Pattern::compile(PatternOptions { case, ..PatternOptions::expression(&nested(depth)) })
            .is_ok()
    };
    for depth in 245..=255 {
        for case in CASES {
            assert_eq!(
                accepted(depth, case),
                accepted(depth, CaseMode::Sensitive),
                "{depth}, {case:?}"
            );
        }
    }
    assert!(accepted(248, CaseMode::Insensitive) && !accepted(255, CaseMode::Sensitive));
}
