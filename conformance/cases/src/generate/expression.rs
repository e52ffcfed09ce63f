//! Regular expressions: known traps, refused ones, and small ones put together at random.
//!
//! Responsible for: the constructs that searchers disagree about, one by one and in company. Not
//! here: literals, and expressions made out of a tree's own text ([`super::pattern`]). Invariants:
//! everything in the list of refused expressions is `BadArgs` (docs/search.md, section 4).

use proptest::prelude::*;
use proptest::sample::select;

use super::text::word;

/// An expression with one particular trap.
pub fn known() -> impl Strategy<Value = String> {
    select(KNOWN).prop_map(str::to_owned)
}

/// An expression that must be refused.
pub fn refused() -> impl Strategy<Value = String> {
    select(REFUSED).prop_map(str::to_owned)
}

/// Expressions with one particular trap each.
const KNOWN: &[&str] = &[
    "foo|foobar",
    "foobar|foo",
    "fo+",
    "fo*",
    "o*",
    "x*",
    "^",
    "$",
    "^$",
    "^foo$",
    r"\Afoo",
    r"foo\z",
    r"^\s*$",
    ".",
    ".*",
    "f.o",
    r"\bfoo\b",
    r"\bfoo",
    r"foo\b",
    r"\B",
    r"\b",
    r"\w+",
    r"\W",
    r"\S",
    r"\s",
    r"\d+",
    r"\D",
    "[fo]+",
    "[^o]",
    "[^a-z]",
    "[a-f]oo",
    "[[:alpha:]]+",
    "[[:^alpha:]]",
    // Not a class of characters by that name, but the letters themselves.
    "[[:nonsense:]]",
    "[[:upper:]]",
    r"\p{L}+",
    r"\P{L}",
    r"\p{Lu}",
    r"\pN",
    "(?i)foo",
    "(?i)k",
    "(?i)s",
    "(?-i)foo",
    "(?i:f)oo",
    "(?-i:F)oo",
    "(?i)\u{df}",
    "(?i)\u{3c3}",
    r"\x66oo",
    r"\u{212a}",
    r"\x{17f}",
    "[k]",
    "[K]",
    "[J-L]",
    "[j-l]",
    "[^K]",
    "[^k]",
    "[a-z&&[^o]]+",
    "[a-z--[o]]+",
    "[a-z~~[o-z]]",
    r"[\w--k]",
    r"[^\W]",
    r"[\D&&\w]",
    "-",
    "--",
    "-foo",
    "---x",
    "--foo",
    "-e",
    r"\-foo",
    "(-x)",
    "foo$",
    "foo\\r",
    "o\\r$",
    ".$",
    "foo.",
    r"\rfoo",
    "[\\r]",
    "[\\n]foo|foo",
    "[^\\n]+",
    r"a\.b",
    r"\$",
    r"\^",
    r"\\",
    "(foo)?",
    "(foo|)",
    "|foo",
    "()",
    "(?:)",
    "a{2}",
    "o{2}",
    "o{1,}",
    "o{0}",
    "fo{1,3}?",
    "fo+?",
    "f??oo",
    "(?P<n>foo)",
    "(?s).",
    "(?s)f.o",
    "(?m)^foo",
    "(?x) f o o # note",
    "(?U)fo+",
    "(?-u:f)oo",
    r"(?-u:\w)",
    r"(?-u)foo\b",
    r"\b{start}foo",
    r"foo\b{end}",
    r"\b{start-half}foo",
    r"\<foo\>",
    "\u{e9}",
    "e\u{301}",
    "[\u{e9}]",
    "caf.",
    "caf..",
    "\u{fffd}",
    "(?i)\u{e9}",
    "(?i)[\u{e0}-\u{ef}]",
    "foo bar",
    "foo +bar",
    " foo",
    "foo ",
    "\t",
    r"\t",
    "foo|bar|x",
    "(f|b)(oo|ar)",
    "(?i)FOO|(?-i)BAR",
    "F[a-z]o",
    "FOO",
    "Foo",
    r"\Sfoo",
    r"\x46oo",
    "[F]oo",
    r"\x{46}oo",
    "[^\\x00-\\x7F]",
    "[\\x80-\\xff]",
    r"\u00e9",
    "(?i)\u{130}",
    "i\u{307}",
    "]",
    "}",
    "a]b",
    "(?R)^foo$",
    r"[\b]|o",
];

/// What must be `BadArgs`: the parser's refusals, lookaround, a line feed outside a class, invalid
/// UTF-8, and size.
pub(super) const REFUSED: &[&str] = &[
    "(",
    ")",
    "(foo",
    "foo)",
    "[",
    "[a",
    "[z-a]",
    "*a",
    "+",
    "?",
    "a{2,1}",
    "a{",
    "a**{2,1}",
    r"\",
    r"\q",
    r"\1",
    "(?=foo)",
    "(?<=x)foo",
    "(?!x)",
    r"\n",
    r"foo\n",
    r"\x0a",
    r"\x{A}",
    r"foo\nbar|x",
    r"\u000A",
    r"(?-u:\xff)",
    r"(?-u:[^a])",
    r"(?-u:\W)",
    r"(?-u:.)",
    "(?i",
    "(?z)a",
    r"\p{Nonsense}",
    r"\Q",
    r"\h",
    r"(?:\w{100}){100}",
    r"\w{5000}",
    "(?P<1>a)",
    "[]",
    "[^]",
    "a{999999}",
    r"\x{110000}",
    r"\U00D800",
];

fn atom() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => word().prop_map(escaped),
        2 => select(&[".", r"\w", r"\s", r"\S", r"\d", r"\W", r"\D", r"\b", r"\B", "^", "$", r"\x6f", "(?:)"][..])
            .prop_map(str::to_owned),
        2 => select(&["[fob]", "[^o]", "[a-f]", "[[:alpha:]]", "[k-s]", "[A-Z]", r"[\s-]", r"\p{Ll}", "[^[:space:]]"][..])
            .prop_map(str::to_owned),
    ]
}

/// Small expressions put together at random. Nesting is shallow: what matters is which constructs
/// meet.
pub fn expression() -> impl Strategy<Value = String> {
    let piece = (
        atom(),
        select(&["", "", "", "", "*", "+", "?", "{2}", "{1,2}", "*?", "??"][..]),
        any::<bool>(),
    )
        .prop_map(|(atom, repeat, group)| match (repeat, group) {
            ("", true) => format!("({atom})"),
            ("", false) => atom,
            // An assertion cannot be repeated on its own everywhere; a group always can.
            (repeat, false) => format!("(?:{atom}){repeat}"),
            // A repetition of a repetition: printed without its groups it would mean something
            // else.
            (repeat, true) => format!("((?:{atom}){repeat})?"),
        });
    let sequence = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    let flag = select(&["", "", "", "", "", "(?i)", "(?-i)"][..]);
    (flag, prop::collection::vec(sequence, 1..3)).prop_map(|(flag, branches)| {
        let joined = branches.join("|");
        // A pattern of white space alone is refused for another reason.
        if joined.trim().is_empty() { "foo".to_owned() } else { format!("{flag}{joined}") }
    })
}

/// The word with the characters that mean something in an expression escaped.
pub fn escaped(word: &str) -> String {
    let mut text = String::new();
    for character in word.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(character) {
            text.push('\\');
        }
        text.push(character);
    }
    text
}
