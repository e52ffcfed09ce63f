//! Queries: literals and expressions as for `Search`, and texts that resemble a line of the tree.
//!
//! Responsible for: edits of what stands in the files, so that scores fall on both sides of a
//! threshold; expressions that match nothing at many places. Not here: literals and expressions in
//! general ([`super::super::pattern`]). Invariants: a plan is concrete from the lines it is given
//! and its own numbers alone.

use proptest::prelude::*;
use proptest::sample::select;

use crate::generate::expression;
use crate::generate::pattern::{self, Plan};

/// The origin of a query.
#[derive(Debug, Clone)]
pub(super) enum QueryPlan {
    /// As a pattern of `Search` does.
    Pattern(Plan),
    /// A run of characters out of the files, with edits.
    Edited {
        /// Which line, by remainder.
        line: usize,
        /// Where in it, by remainder.
        start: usize,
        /// How many characters.
        length: usize,
        /// The edits, one after the other.
        edits: Vec<Edit>,
    },
}

/// One edit, at a place by remainder.
#[derive(Debug, Clone, Copy)]
pub(super) enum Edit {
    Substitute(usize, char),
    Insert(usize, char),
    Delete(usize),
    /// Swaps the case of a letter.
    OtherCase(usize),
}

/// Characters that edits bring in: some that files hold, some that none does, of every width.
const NEW: &[char] = &[
    'z',
    'q',
    'o',
    'f',
    ' ',
    'K',
    'k',
    '\u{e9}',
    '\u{65e5}',
    '\u{1f600}',
    '\u{301}',
    '\u{212a}',
    '-',
];

/// Expressions that match the empty text, alone or beside something.
const EMPTY: &[&str] = &[
    "o*",
    "x*",
    "a?",
    "",
    "(?:)",
    r"\b",
    "^",
    "$",
    "^|$",
    r"\B",
    "o*?",
    "(?:foo)?",
    "|foo",
    "foo|",
    r"\b|foo",
    "\u{e9}*",
    "(?i)K?",
    "a*|b",
    r"\b\w*",
    "(?:ab)*",
    "aa|",
    r"(?-i)\w*?",
    r"\s*",
    "o+|",
    "foo|^|$",
    r"\A|o",
    r"\b{start}|\b{end}",
    "[ab]{0,2}",
];

/// Expressions that take no time to compile, for calls that are made thousands of times.
const QUICK: &[&str] = &[
    "o*", "x*", "a?", "^|$", "foo|", "|foo", "aa|", "fo+", "(?:foo)?", "o+|", "foo|bar", "a+b*",
    "^", "$", "(?:ab)+",
];

impl QueryPlan {
    /// The query, given the lines of the tree's files.
    pub(super) fn concrete(&self, lines: &[String]) -> String {
        let (line, start, length, edits) = match self {
            Self::Pattern(plan) => return plan.concrete(lines),
            Self::Edited { line, start, length, edits } => (*line, *start, *length, edits),
        };
        let Some(text) = lines.get(line % lines.len().max(1)) else { return "foo".to_owned() };
        let characters: Vec<char> = text.chars().collect();
        let start = start % characters.len().max(1);
        let mut cut: Vec<char> = characters.into_iter().skip(start).take(length.max(1)).collect();
        for edit in edits {
            edit.made_to(&mut cut);
        }
        let query: String =
            cut.into_iter().filter(|character| !matches!(character, '\n' | '\0')).collect();
        if query.trim().is_empty() { "foo".to_owned() } else { query }
    }
}

impl Edit {
    fn made_to(self, cut: &mut Vec<char>) {
        let length = cut.len().max(1);
        match self {
            Edit::Substitute(place, character) => {
                if let Some(old) = cut.get_mut(place % length) {
                    *old = character;
                }
            }
            Edit::Insert(place, character) => cut.insert(place % (cut.len() + 1), character),
            Edit::Delete(place) if cut.len() > 1 => {
                cut.remove(place % length);
            }
            Edit::Delete(_) => {}
            Edit::OtherCase(place) => {
                if let Some(old) = cut.get_mut(place % length) {
                    *old = if old.is_ascii_lowercase() {
                        old.to_ascii_uppercase()
                    } else {
                        old.to_ascii_lowercase()
                    };
                }
            }
        }
    }
}

/// A literal.
pub(super) fn exact() -> BoxedStrategy<QueryPlan> {
    let usual =
        select(&["foo", "o", "a", "aa", "foo foo", "\u{e9}", "x", " ", "oo", "ab", "aba"][..]);
    prop_oneof![
        3 => pattern::literal(),
        1 => usual.prop_map(|text| Plan::Words(if text.trim().is_empty() { "foo" } else { text }.to_owned())),
    ]
    .prop_map(QueryPlan::Pattern)
    .boxed()
}

/// An expression; one in three may match nothing.
pub(super) fn regex() -> BoxedStrategy<QueryPlan> {
    let empty = select(EMPTY)
        .prop_map(|text| Plan::Words(if text.is_empty() { "o*" } else { text }.to_owned()));
    prop_oneof![2 => pattern::regex(), 1 => empty].prop_map(QueryPlan::Pattern).boxed()
}

/// An expression that compiles quickly.
pub(super) fn quick_regex() -> BoxedStrategy<QueryPlan> {
    select(QUICK).prop_map(|text| QueryPlan::Pattern(Plan::Words(text.to_owned()))).boxed()
}

/// An expression that is not acceptable.
pub(super) fn refused() -> BoxedStrategy<QueryPlan> {
    expression::refused().prop_map(|text| QueryPlan::Pattern(Plan::Words(text))).boxed()
}

/// What resembles something in the files; with `long`, more than 64 characters of it if a line has
/// them.
pub(super) fn fuzzy(long: bool) -> BoxedStrategy<QueryPlan> {
    let place = any::<usize>;
    let edit = prop_oneof![
        3 => (place(), select(NEW)).prop_map(|(place, new)| Edit::Substitute(place, new)),
        2 => (place(), select(NEW)).prop_map(|(place, new)| Edit::Insert(place, new)),
        2 => place().prop_map(Edit::Delete),
        1 => place().prop_map(Edit::OtherCase),
    ];
    let (length, few, most) = if long { (50_usize..140, 9_usize, 30_usize) } else { (3..16, 2, 6) };
    let number = prop_oneof![1 => Just(0_usize), 6 => 1_usize..=few, 3 => 1_usize..=most];
    let edits = number.prop_flat_map(move |number| prop::collection::vec(edit.clone(), number));
    let start = prop_oneof![3 => Just(0_usize), 1 => any::<usize>()];
    (any::<usize>(), start, length, edits)
        .prop_map(|(line, start, length, edits)| QueryPlan::Edited { line, start, length, edits })
        .boxed()
}
