//! Patterns: what is sought, as a plan that is made concrete once the files are known.
//!
//! Responsible for: literals (of the shared words, or cut out of a file of the tree, or such a cut
//! with an edit), regular expressions with the constructs that searchers disagree about, and
//! patterns that must be refused. Not here: whether the pattern is taken literally
//! ([`super::request`]). Invariants: a plan is concrete from the text it is given and its own
//! numbers alone.

use proptest::prelude::*;
use proptest::sample::select;

use super::expression::{self, escaped};
use super::text::word;

/// The origin of a pattern.
#[derive(Debug, Clone)]
pub enum Plan {
    /// These characters.
    Words(String),
    /// A run of characters out of the files, as a literal.
    Cut(Cut, Edit),
    /// A run of characters out of the files, made into an expression that still matches it, as a
    /// rule.
    Shaped(Cut, Shape),
}

/// A run of characters out of the files: which line, where in it, how long, by remainder.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    line: usize,
    start: usize,
    length: usize,
    /// Start at a dash, if a line has one.
    dash: bool,
}

/// A change of one character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edit {
    Keep,
    /// Deletes the character at this place.
    Drop(usize),
    /// Substitutes the character at this place.
    Swap(usize),
    /// Inserts a character before this place.
    Insert(usize),
    /// From the character after this place on, so many get another, which no file holds.
    Replace {
        /// Where, by remainder; the first character stays, since approximate matching asks for it.
        place: usize,
        count: usize,
    },
    /// Swaps the case of letters.
    OtherCase,
}

/// An expression around a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Something goes before and something behind: anchors, boundaries, flags, groups,
    /// alternatives.
    Around(&'static str, &'static str),
    /// The character at this place gives way to something more general.
    Instead(usize, &'static str),
    /// The character at this place gets a repetition.
    Repeat(usize, &'static str),
}

impl Plan {
    /// The pattern, given the lines of the tree's files.
    pub fn concrete(&self, lines: &[String]) -> String {
        let pattern = match self {
            Plan::Words(words) => return words.clone(),
            Plan::Cut(cut, edit) => edit.made_to(cut.of(lines)),
            Plan::Shaped(cut, shape) => shape.around(&cut.of(lines)),
        };
        if pattern.trim().is_empty() { "foo".to_owned() } else { pattern }
    }
}

impl Cut {
    fn of(self, lines: &[String]) -> Vec<char> {
        let dashed: Vec<&String> =
            lines.iter().filter(|line| self.dash && line.contains('-')).collect();
        let lines = if dashed.is_empty() { lines.iter().collect() } else { dashed };
        let Some(text) = lines.get(self.line % lines.len().max(1)) else {
            return vec!['f', 'o', 'o'];
        };
        let characters: Vec<char> = text.chars().take(400).collect();
        let dash = characters.iter().position(|character| *character == '-').filter(|_| self.dash);
        let start = dash.unwrap_or(self.start % characters.len().max(1));
        let cut: Vec<char> = characters.into_iter().skip(start).take(self.length.max(1)).collect();
        if cut.is_empty() { vec!['f', 'o', 'o'] } else { cut }
    }
}

impl Edit {
    fn made_to(self, mut cut: Vec<char>) -> String {
        let length = cut.len().max(1);
        match self {
            Edit::Drop(place) if cut.len() > 1 => {
                cut.remove(place % length);
            }
            Edit::Keep | Edit::Drop(_) => {}
            Edit::Swap(place) => {
                if let Some(character) = cut.get_mut(place % length) {
                    *character = 'z';
                }
            }
            Edit::Insert(place) => cut.insert(place % length, 'q'),
            Edit::Replace { place, count } => {
                let from = 1 + place % length.saturating_sub(count).max(1);
                cut.iter_mut().skip(from).take(count).for_each(|character| *character = 'z');
            }
            Edit::OtherCase => {
                for character in &mut cut {
                    *character = if character.is_ascii_lowercase() {
                        character.to_ascii_uppercase()
                    } else {
                        character.to_ascii_lowercase()
                    };
                }
            }
        }
        cut.into_iter().collect()
    }
}

impl Shape {
    fn around(self, cut: &[char]) -> String {
        let place = match self {
            Shape::Around(before, behind) => {
                let literal: String = cut.iter().collect();
                return format!("{before}{}{behind}", escaped(&literal));
            }
            Shape::Instead(place, _) | Shape::Repeat(place, _) => place % cut.len().max(1),
        };
        let mut pattern = String::new();
        for (index, character) in cut.iter().enumerate() {
            let literal = escaped(&character.to_string());
            match self {
                Shape::Instead(_, general) if index == place => pattern.push_str(general),
                Shape::Repeat(_, times) if index == place => {
                    pattern.extend([literal.as_str(), times]);
                }
                _ => pattern.push_str(&literal),
            }
        }
        pattern
    }
}

pub fn literal() -> BoxedStrategy<Plan> {
    let words = prop::collection::vec(word(), 2..3).prop_map(|words| words.concat());
    let dashed = (select(&["-", "--", "---", " ", "-e "][..]), word())
        .prop_map(|(dash, word)| Plan::Words(format!("{dash}{word}")));
    let from_dash = run(1..5).prop_map(|cut| Plan::Cut(Cut { dash: true, ..cut }, Edit::Keep));
    prop_oneof![
        12 => cut(1..6, Just(Edit::Keep)),
        1 => cut(1..4, Just(Edit::OtherCase)),
        2 => word().prop_map(|word| if word.trim().is_empty() { "bar" } else { word }.to_owned()).prop_map(Plan::Words),
        1 => words.prop_map(|words| if words.trim().is_empty() { "foo".to_owned() } else { words }).prop_map(Plan::Words),
        2 => prop_oneof![2 => from_dash, 1 => dashed],
    ]
    .boxed()
}

/// A literal for approximate matching: long enough for a level, with an edit or two away from the
/// text.
pub fn approximate() -> BoxedStrategy<Plan> {
    let edit = prop_oneof![
        2 => Just(Edit::Keep),
        2 => (0_usize..8).prop_map(Edit::Drop),
        2 => (0_usize..8).prop_map(Edit::Swap),
        2 => (0_usize..8).prop_map(Edit::Insert),
        1 => Just(Edit::OtherCase),
    ];
    prop_oneof![
        4 => cut(3..9, edit),
        1 => select(&["fooo", "fobar", "foobaz", "caf\u{e9}s", "xfoo", "oofb", "KELVIN"][..])
            .prop_map(|pattern| Plan::Words(pattern.to_owned())),
    ]
    .boxed()
}

/// A literal that is not there, as a rule, and nearly is: one, two or three edits away from a cut.
pub fn near() -> BoxedStrategy<Plan> {
    let edits = prop_oneof![3 => 1_usize..2, 3 => 2_usize..3, 2 => 3_usize..5];
    // From the beginning of a line, as a rule: what is cut out near its end is too short for an
    // edit.
    let long = (run(4..12), prop::bool::weighted(0.8))
        .prop_map(|(cut, whole)| if whole { Cut { start: 0, ..cut } } else { cut });
    let plan = (long, edits, any::<usize>())
        .prop_map(|(cut, count, place)| Plan::Cut(cut, Edit::Replace { place, count }));
    prop_oneof![9 => plan, 1 => approximate()].boxed()
}

/// A regular expression that is accepted.
pub fn regex() -> BoxedStrategy<Plan> {
    prop_oneof![
        14 => (run(1..4), shape()).prop_map(|(cut, shape)| Plan::Shaped(cut, shape)),
        3 => expression::expression().prop_map(Plan::Words),
        4 => expression::known().prop_map(Plan::Words),
    ]
    .boxed()
}

/// A regular expression that does not parse, or that is not acceptable.
pub fn refused() -> BoxedStrategy<Plan> {
    expression::refused().prop_map(Plan::Words).boxed()
}

fn run(length: std::ops::Range<usize>) -> impl Strategy<Value = Cut> {
    (any::<usize>(), any::<usize>(), length).prop_map(|(line, start, length)| Cut {
        line,
        start,
        length,
        dash: false,
    })
}

fn cut(
    length: std::ops::Range<usize>,
    edit: impl Strategy<Value = Edit> + 'static,
) -> BoxedStrategy<Plan> {
    (run(length), edit).prop_map(|(cut, edit)| Plan::Cut(cut, edit)).boxed()
}

fn shape() -> impl Strategy<Value = Shape> {
    let around = select(
        &[
            ("", ".*"),
            (".*", ""),
            ("(?:", ")+"),
            ("[^x]*", ""),
            ("", "|bar"),
            ("bar|", ""),
            (r"\w*", ""),
            ("^", ""),
            ("", "$"),
            ("^", "$"),
            (r"\A", ""),
            ("", r"\z"),
            (r"\b", r"\b"),
            (r"\b", ""),
            ("", r"\b"),
            (r"\B", ""),
            ("(?i)", ""),
            ("(?-i)", ""),
            ("(?i:", ")"),
            ("(", ")"),
            ("(?:", ")+"),
            ("(?:", ")*"),
            ("(?:", ")?$"),
            ("", "|bar"),
            ("bar|", ""),
            ("x*", ""),
            ("", ".*"),
            (".*", ""),
            (".", ""),
            ("", "."),
            (r"\s*", r"\s*"),
            ("[^x]*", ""),
            ("(?s)", "."),
            (r"\w*", r"\w*"),
            ("|", ""),
            ("", "|"),
            (r"\b{start}", ""),
            (r"\b{start-half}", r"\b{end-half}"),
            ("(?m)^", "$"),
        ][..],
    );
    let general = select(
        &[
            ".",
            r"\w",
            r"\W",
            r"\S",
            r"[^\n]",
            "[a-z]",
            "[A-Zo]",
            "[[:alpha:]]",
            r"\p{L}",
            "(?:o|f|.)",
            "[^f]",
        ][..],
    );
    let times = select(&["*", "+", "?", "{1,2}", "{1}", "{0,3}?", "+?", "{2}"][..]);
    prop_oneof![
        4 => around.prop_map(|(before, behind)| Shape::Around(before, behind)),
        2 => (any::<usize>(), general).prop_map(|(place, general)| Shape::Instead(place, general)),
        2 => (any::<usize>(), times).prop_map(|(place, times)| Shape::Repeat(place, times)),
    ]
}
