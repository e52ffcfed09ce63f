use regex_syntax::ast::parse::Parser;
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use super::{Fold, close_in_ascii, expression};

fn ranges(class: &ClassUnicode) -> Vec<(char, char)> {
    class.ranges().iter().map(|range| (range.start(), range.end())).collect()
}

/// The characters of a pattern that is one class.
fn class(pattern: &str, fold: Fold) -> Vec<(char, char)> {
    let parsed = Parser::new().parse(pattern).expect("it parses");
    let expression = expression(&parsed, fold).expect("it is acceptable");
    match expression.kind() {
        HirKind::Class(Class::Unicode(class)) => ranges(class),
        HirKind::Class(Class::Bytes(class)) => ranges(&class.to_unicode_class().expect("ASCII")),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0).expect("UTF-8");
            text.chars().map(|character| (character, character)).collect()
        }
        other => panic!("`{pattern}` is no class: {other:?}"),
    }
}

#[test]
fn closing_adds_only_the_other_case_of_ascii_letters() {
    let rows = [
        (('k', 'k'), vec![('K', 'K'), ('k', 'k')]),
        (('A', 'C'), vec![('A', 'C'), ('a', 'c')]),
        (('Z', 'a'), vec![('A', 'A'), ('Z', 'a'), ('z', 'z')]),
        (('é', 'é'), vec![('é', 'é')]),
        (('\u{212a}', '\u{212a}'), vec![('\u{212a}', '\u{212a}')]),
        (('0', '9'), vec![('0', '9')]),
    ];
    for ((start, end), expected) in rows {
        let mut class = ClassUnicode::new([ClassUnicodeRange::new(start, end)]);
        close_in_ascii(&mut class);
        assert_eq!(ranges(&class), expected);
    }
}

#[test]
fn class_items_are_folded_before_negation_and_combination() {
    let both = [('A', 'Z'), ('a', 'z')];
    let rows: &[(&str, &[(char, char)])] = &[
        ("[[:upper:]]", &both),
        ("[[:lower:]&&[:upper:]]", &both),
        ("[a-z--B]", &[('A', 'A'), ('C', 'Z'), ('a', 'a'), ('c', 'z')]),
        ("[a-c&&B]", &[('B', 'B'), ('b', 'b')]),
        ("[a-c~~B]", &[('A', 'A'), ('C', 'C'), ('a', 'a'), ('c', 'c')]),
        ("[[:^upper:]&&[:ascii:]]", &[('\0', '@'), ('[', '`'), ('{', '\u{7f}')]),
        ("[^[:^upper:]]", &both),
        (r"[\P{Lu}&&[a-z]]", &[]),
    ];
    for (pattern, expected) in rows {
        assert_eq!(class(pattern, Fold::Ascii), *expected, "`{pattern}`");
    }
    assert_eq!(class("(?i:k)", Fold::Ascii), [('K', 'K'), ('k', 'k'), ('\u{212a}', '\u{212a}')]);
    assert_eq!(class("(?-i:k)", Fold::Ascii), [('k', 'k')]);
    assert_eq!(class("(?i-u:k)", Fold::None), [('K', 'K'), ('k', 'k')]);
}

/// The expression itself, not only what it matches, is the one that `regex-syntax` makes, so sizes
/// agree as well.
#[test]
fn without_ascii_folding_the_expression_equals_that_of_regex_syntax() {
    let patterns = [
        "abc",
        "a|b|cd",
        "(a)(?P<n>b)",
        "(?i)straße",
        r"[\w--\d]+?",
        r"(?U)\pL{2,3}x*",
        r"(?mRs)^.$",
        r"(?-u:a\b)",
        r"\b{start-half}a\b{end-half}",
        "(?i)[^k&&[a-z]]",
        "",
        "a(?i)|b",
        "(?R).",
        "[a&&b]",
        r"(?x) a \  b",
    ];
    for pattern in patterns {
        let parsed = Parser::new().parse(pattern).expect("it parses");
        let theirs =
            TranslatorBuilder::new().build().translate(pattern, &parsed).expect("it translates");
        let ours = expression(&parsed, Fold::None).expect("it is acceptable");
        assert_eq!(ours.to_string(), theirs.to_string(), "`{pattern}`");
    }
}
