//! What expressions need, written out to be read: `golden/index/planner.snap`. It is production's
//! alone, for of expressions the model knows nothing; that a need loses no match is
//! `clauses_index_exclusion` and `index_backends`.

use std::fmt::Write as _;

use crate::clauses_index::kept::keep;
use crate::clauses_index::text::{PAGE, asked, shown};
use serde_json::json;
use touchstone::golden;

/// Expressions, each for something that a planner can get wrong.
const EXPRESSIONS: [&str; 48] = [
    "needle",
    "fn main",
    "a.b",
    "ab.cd",
    "foo.*bar",
    "foo|bar",
    "foo|ba",
    "foobar|foobaz",
    "(foo|bar)baz",
    "(foo|bar)(baz|qux)",
    "(a|b)(c|d)(e|f)",
    "foo(bar)?",
    "foo(bar)?baz",
    "foo(bar)*baz",
    "foo(bar)+baz",
    "(foo){2}",
    "(foo){0,3}",
    "(ab){3,}",
    "(foo|bar){2}",
    "a{5}",
    "[abc]de",
    "[a-z]needle",
    "need[lk]e",
    "[nN][eE][eE]dle",
    "[^x]needle",
    r"\bneedle\b",
    "^needle$",
    r"\Aneedle\z",
    r"need\w+",
    r"\d{4}-\d{2}",
    r"use\s+std",
    r"\x6eeedle",
    r"\u{e9}t\u{e9}",
    r"caf\u{e9}",
    "cafe\u{301}s",
    r"(?i)needle",
    r"(?i)sun",
    r"(?i)\u{f1}and\u{fa}",
    "n(?i:ee)dle",
    "(?i)n(?-i)eedle",
    "(?x) nee dle  # a comment",
    "(?s)need.le",
    r"needle\r",
    r"ab\rcde",
    r"ab\u{fffd}cde",
    "(?P<word>needle)",
    "()|needle",
    "[a&&b]",
];

/// A text in which what is not ASCII is escaped, but for the sign that stands for a blank.
fn visible(text: &str) -> String {
    let shown = |c: char| {
        if c.is_ascii() || c == '␣' { c.to_string() } else { c.escape_unicode().to_string() }
    };
    text.chars().map(shown).collect()
}

#[test]
fn the_needs_of_expressions_equal_their_snapshot() {
    touchstone::verifies!("FR-LSI-CAND-RE-01", "FR-LSI-CAND-RE-02", "E-A06");
    let mut text = "What every match of an expression holds: grams of the text, `~` of the folded text, `&` all of, `|` one of, `␣` a blank, `-` nothing.\n"
        .to_owned();
    for case in ["sensitive", "insensitive"] {
        let _ = writeln!(text, "\n{case}");
        for pattern in EXPRESSIONS {
            let need = asked(&json!({"pattern": pattern, "case": case})).need(PAGE);
            let _ = writeln!(text, "  {:<28}{}", visible(pattern), visible(&shown(&need)));
        }
    }
    keep("planner", &text);
}

#[test]
fn every_index_snapshot_is_used_by_a_test() {
    let mut found: Vec<String> = std::fs::read_dir(golden::directory("index"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "snap"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    found.sort_unstable();
    assert_eq!(found, ["machine-clashes", "machine-guards", "machine-matrix", "planner"]);
}
