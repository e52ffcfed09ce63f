//! Each construct in each syntax, and the names of those that are refused.

use super::*;

fn adapter(syntax: &str, classes: &str) -> Adapter {
    let text = format!(
        "name: a\nsays: a\ncommand: [a]\nidentify: {{args: [], pattern: '(a)'}}\nsyntax: {syntax}\ndialect: {{classes: {classes}}}\nprecise: [lines]\n"
    );
    Adapter::parse("a.yaml", &text).unwrap()
}

fn ere(pattern: &str) -> Result<String, String> {
    translate(pattern, false, &adapter("ere", "unicode"))
}

fn perl(pattern: &str) -> Result<String, String> {
    translate(pattern, false, &adapter("perl", "ascii"))
}

fn reflex(pattern: &str) -> Result<String, String> {
    translate(pattern, false, &adapter("reflex", "unicode"))
}

#[test]
fn extended_expressions_have_no_escapes_in_brackets_and_one_kind_of_group() {
    let pairs = [
        ("(?:a|b)c", "(a|b)c"),
        (r"a\.b\}\x5d", r"a\.b}]"),
        (r"a{2,3}b{4,}c{5}", "a{2,3}b{4,}c{5}"),
        ("a**", "(a*)*"),
        ("^*a", "(^)*a"),
        (r"[\]^\-a]", "[]a^-]"),
        (r"[\^]", r"\^"),
        (r"[\^\-]", "[-^]"),
        (r"[^\^]", "[^^]"),
        (r"[\[.]", "[.[]"),
        (r"[\w.]\W\s", r"[[:alnum:]_.]\W\s"),
        ("[[:alpha:]]", "[a-zA-Z]"),
        (r"\b\<\>", r"\b\<\>"),
        ("a||b", "a||b"),
    ];
    for (pattern, expected) in pairs {
        assert_eq!(ere(pattern).as_deref(), Ok(expected), "{pattern}");
    }
    assert_eq!(translate(r"\d[\d]", false, &adapter("ere", "ascii")).as_deref(), Ok("[0-9][0-9]"));
}

#[test]
fn translation_to_perl_supports_nearly_every_construct() {
    let pairs = [
        (r"(?:a|b)+?\d", r"(?:a|b)+?\d"),
        ("(?P<n>a)", "(a)"),
        ("(?x) a  b # c", "(?x)ab"),
        ("a*+", "(?:a*)+"),
        (r"\pL\P{Lu}", r"\p{L}\P{Lu}"),
        (r"\b{start}a\b{end-half}", r"\b(?=\w)a(?!\w)"),
        (r"[a\]\-\\]", r"[a\]\-\\]"),
        ("(?i:a)(?-s:.)", "(?i:a)(?-s:.)"),
    ];
    for (pattern, expected) in pairs {
        if pattern.starts_with("(?x)") {
            assert!(perl(pattern).is_err());
        } else {
            assert_eq!(perl(pattern).as_deref(), Ok(expected), "{pattern}");
        }
    }
}

#[test]
fn a_construct_with_another_meaning_is_refused_by_name() {
    for (pattern, construct) in [
        ("a+?", "lazy"),
        (r"\pL", "property"),
        ("(?i)a", "flags"),
        (r"\d", "digits"),
        (r"[\W]", "complement"),
        ("[a&&b]", "operator"),
        (r"\Aa", "text"),
        (r"a\nb", r"`\n`"),
        ("[!-/]", "range"),
        ("a{999}", "255"),
    ] {
        let reason = ere(pattern).unwrap_err();
        assert!(reason.contains(construct), "{pattern}: {reason}");
    }
    for (pattern, construct) in [
        ("a|", "alternative"),
        ("()", "group"),
        ("a**", "repetition"),
        (r"\PL", "complement"),
        ("(?m)a", "MultiLine"),
    ] {
        let reason = reflex(pattern).unwrap_err();
        assert!(reason.contains(construct), "{pattern}: {reason}");
    }
}

#[test]
fn translation_to_perl_refuses_a_repeated_empty_expression() {
    for pattern in ["(^)+", "(?:)*", "(^|$){2}"] {
        assert!(perl(pattern).unwrap_err().contains("always empty"), "{pattern}");
    }
    assert!(perl("(^a|)*").is_ok());
}

#[test]
fn translation_to_reflex_accepts_assertions_only_at_the_edges_of_a_pattern() {
    for pattern in ["^a$", "(^a|b$)", r"\ba", r"a\B", r"\b(a|b)\b", "^", "^$", "a(b|c$)"] {
        assert!(reflex(pattern).is_ok(), "{pattern}: {:?}", reflex(pattern));
    }
    for pattern in
        ["a^", "a$b", r"a\bb", r" (\ba|b)c", "(^a)+", "a|^", r"(\b|a)", "(^)a", r"\b", r"^\ba"]
    {
        assert!(reflex(pattern).is_err(), "{pattern}");
        assert!(perl(pattern).is_ok(), "{pattern}");
    }
}

#[test]
fn translation_to_literals_accepts_only_literal_patterns() {
    let literal = |pattern| translate(pattern, false, &adapter("literal", "unicode"));
    assert_eq!(literal(r"a\.b").as_deref(), Ok("a.b"));
    assert!(literal("a.b").is_err());
    assert_eq!(translate("a.b(", true, &adapter("ere", "unicode")).as_deref(), Ok("a.b("));
}
