//! What a program that searches lines should show of one text (docs/hunt.md, section 2).
//!
//! Responsible for: [`Query`], the question any such program can be asked; [`Dialect`], where
//! programs mean something else on
//! purpose; and [`Reader`], which answers by looking at every line.
//! Left to neighbours: `Search`, which asks more and differently (`events`, `answer`).
//! Invariants: as everywhere in the model: one NFA, simulated; no line is skipped.

use std::borrow::Cow;

use regex_automata::Input;
use regex_automata::nfa::thompson::{self, pikevm};
use regex_syntax::hir::{Hir, Look};

use crate::fold::{self, Ascii, Fold};
use crate::{pattern, text};

/// Largest automaton of a query, in bytes.
const MAX_AUTOMATON_BYTES: usize = 10 << 20;

/// Which case counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Case {
    /// All.
    #[default]
    Sensitive,
    /// None.
    Insensitive,
    /// None, unless a pattern has a capital letter.
    Smart,
}

/// What is asked about a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one option of a program")]
pub struct Query {
    /// Alternatives.
    pub patterns: Vec<String>,
    /// Whether they are literals.
    pub fixed: bool,
    /// Which case counts.
    pub case: Case,
    /// Whether matches have to be whole words.
    pub word: bool,
    /// Whether matches have to be whole lines.
    pub line: bool,
    /// Whether the lines without a match are meant.
    pub invert: bool,
    /// At most so many selected lines.
    pub max_count: Option<u64>,
    /// Lines of context before a selected line.
    pub before: u64,
    /// Lines of context behind it.
    pub after: u64,
    /// Whether CR LF ends a line.
    pub crlf: bool,
}

/// Where a program means something else. The default is what the documents mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one habit of programs")]
pub struct Dialect {
    /// Case folds as Unicode says, not ASCII only.
    pub unicode_fold: bool,
    /// Word rule and boundaries know ASCII only.
    pub ascii_words: bool,
    /// `\w \d \s` know ASCII only.
    pub ascii_classes: bool,
    /// What a CR before an LF is.
    pub cr: Cr,
    /// What a byte order mark is.
    pub bom: Bom,
    /// A line whose only matches are empty is not selected.
    pub empty_hidden: bool,
    /// What is shown after the last line that `max_count` allows.
    pub after_max: AfterMax,
}

/// What a CR before an LF is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cr {
    /// No part of the line.
    #[default]
    Dropped,
    /// A part of it.
    Kept,
    /// A part of it, but the line may end before it too.
    End,
}

/// What a byte order mark is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Bom {
    /// UTF-8's is dropped, UTF-16 is decoded.
    #[default]
    Decoded,
    /// UTF-8's is dropped.
    Stripped,
    /// Bytes like others.
    Kept,
}

/// What is shown after the last line that `max_count` allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AfterMax {
    /// Context up to the next line that would be selected.
    #[default]
    Stops,
    /// Context of full width; lines in it that would be selected are shown as such.
    Window,
    /// Context of full width; all of it is shown as context.
    Context,
    /// Nothing.
    None,
}

/// A line that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputLine {
    /// 1-based.
    pub number: u64,
    /// Selected, or context.
    pub selected: bool,
    /// Its text without the LF, and without a CR if that is no part of it.
    pub text: Vec<u8>,
    /// Matches that are not empty, in bytes from the line's beginning; none in inverted searches
    /// and in context.
    pub spans: Vec<(u64, u64)>,
}

/// A query made ready for texts.
#[derive(Debug)]
pub struct Reader {
    query: Query,
    dialect: Dialect,
    machine: pikevm::PikeVM,
    cache: pikevm::Cache,
}

/// A line of the text, and what of it patterns see.
struct Line<'t> {
    shown: &'t [u8],
    seen: &'t [u8],
}

impl Reader {
    /// Makes a query ready; nothing if one of its patterns is no acceptable expression.
    pub fn new(query: &Query, dialect: Dialect) -> Option<Reader> {
        let fold = fold_of(query, dialect)?;
        let ascii = Ascii { boundaries: dialect.ascii_words, classes: dialect.ascii_classes };
        let end_before_cr = dialect.cr == Cr::End;
        let alternatives: Option<Vec<Hir>> = query
            .patterns
            .iter()
            .map(|pattern| {
                if query.fixed {
                    return Some(fold::literal(pattern, fold));
                }
                fold::expression_in(&pattern::acceptable(pattern)?, fold, ascii, end_before_cr)
            })
            .collect();
        let mut expression = Hir::alternation(alternatives?);
        if query.word {
            expression = between(expression, word_edges(dialect));
        }
        if query.line {
            let end = if end_before_cr { Look::EndCRLF } else { Look::End };
            expression = between(expression, (Look::Start, end));
        }
        let limits = thompson::Config::new().utf8(false).nfa_size_limit(Some(MAX_AUTOMATON_BYTES));
        let nfa = thompson::Compiler::new().configure(limits).build_from_hir(&expression).ok()?;
        let machine = pikevm::PikeVM::new_from_nfa(nfa).ok()?;
        Some(Reader { query: query.clone(), dialect, cache: machine.create_cache(), machine })
    }

    /// The lines of a text that are to be shown, in order.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<OutputLine> {
        let text = self.decode(bytes);
        let lines = self.lines(&text);
        let matches: Vec<Vec<(usize, usize)>> =
            lines.iter().map(|line| self.matches(line.seen)).collect();
        let selected: Vec<usize> = (0..lines.len())
            .filter(|index| matches.get(*index).is_some_and(|spans| self.selects(spans)))
            .collect();
        let cap =
            self.query.max_count.and_then(|cap| usize::try_from(cap).ok()).unwrap_or(usize::MAX);
        let (reported, beyond) = selected.split_at(cap.min(selected.len()));
        let end = self.end(reported, beyond, lines.len());
        let is_context = |index: usize| {
            let next = reported.iter().find(|selected| **selected > index);
            let previous = reported.iter().rev().find(|selected| **selected < index);
            next.is_some_and(|next| within(next - index, self.query.before))
                || previous.is_some_and(|previous| within(index - previous, self.query.after))
        };
        let mut shown = Vec::new();
        for ((index, line), number) in lines.iter().enumerate().take(end).zip(1..) {
            let is_reported = reported.contains(&index);
            if !is_reported && !is_context(index) {
                continue;
            }
            let is_beyond = self.dialect.after_max == AfterMax::Window && beyond.contains(&index);
            let selected = is_reported || is_beyond;
            let spans = match matches.get(index) {
                Some(spans) if selected && !self.query.invert => {
                    spans.iter().filter_map(shown_span).collect()
                }
                _ => Vec::new(),
            };
            shown.push(OutputLine { number, selected, text: line.shown.to_vec(), spans });
        }
        shown
    }

    /// The first line that is not shown any more because `max_count` has been reached.
    fn end(&self, reported: &[usize], beyond: &[usize], count: usize) -> usize {
        let last = reported.last().map_or(0, |last| last + 1);
        let cut = match self.query.max_count {
            Some(cap) => !within(reported.len() + 1, cap),
            None => false,
        };
        match (beyond.first(), self.dialect.after_max) {
            (Some(next), AfterMax::Stops) => *next,
            // A program that stops at once cannot tell whether anything was cut.
            (_, AfterMax::None) if cut => last,
            _ => count,
        }
    }

    fn selects(&self, spans: &[(usize, usize)]) -> bool {
        let matched = spans.iter().any(|(start, end)| !self.dialect.empty_hidden || start < end);
        matched != self.query.invert
    }

    /// All matches in a line from left to right; an empty one not directly behind another.
    fn matches(&mut self, line: &[u8]) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        while at <= line.len() {
            let mut captures = self.machine.create_captures();
            self.machine.search(
                &mut self.cache,
                &Input::new(line).span(at..line.len()),
                &mut captures,
            );
            let Some(one) = captures.get_match() else { break };
            if one.is_empty() && found.last().is_some_and(|(_, end)| *end == one.start()) {
                at += 1;
                continue;
            }
            found.push((one.start(), one.end()));
            at = if one.is_empty() { one.end() + 1 } else { one.end() };
        }
        found
    }

    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, [u8]> {
        match self.dialect.bom {
            Bom::Decoded => text::decode(bytes),
            Bom::Stripped => Cow::Borrowed(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)),
            Bom::Kept => Cow::Borrowed(bytes),
        }
    }

    fn lines<'t>(&self, text: &'t [u8]) -> Vec<Line<'t>> {
        let ended = text.split_inclusive(|byte| *byte == b'\n');
        ended
            .map(|line| {
                let Some(whole) = line.strip_suffix(b"\n") else {
                    return Line { shown: line, seen: line };
                };
                let stripped = whole.strip_suffix(b"\r").unwrap_or(whole);
                match (self.dialect.cr, self.query.crlf) {
                    (Cr::Dropped, _) => Line { shown: stripped, seen: stripped },
                    (_, true) => Line { shown: whole, seen: stripped },
                    (Cr::Kept | Cr::End, false) => Line { shown: whole, seen: whole },
                }
            })
            .collect()
    }
}

fn within(count: usize, limit: u64) -> bool {
    u64::try_from(count).is_ok_and(|count| count <= limit)
}

/// An empty match is not shown: where it stands between the bytes of a character is nobody's
/// business.
fn shown_span((start, end): &(usize, usize)) -> Option<(u64, u64)> {
    (start < end).then(|| Some((u64::try_from(*start).ok()?, u64::try_from(*end).ok()?))).flatten()
}

fn between(expression: Hir, (start, end): (Look, Look)) -> Hir {
    Hir::concat(vec![Hir::look(start), expression, Hir::look(end)])
}

fn word_edges(dialect: Dialect) -> (Look, Look) {
    if dialect.ascii_words {
        (Look::WordStartHalfAscii, Look::WordEndHalfAscii)
    } else {
        (Look::WordStartHalfUnicode, Look::WordEndHalfUnicode)
    }
}

/// The folding that a query asks for; nothing if a pattern does not parse.
fn fold_of(query: &Query, dialect: Dialect) -> Option<Fold> {
    let folded = if dialect.unicode_fold { Fold::Unicode } else { Fold::Ascii };
    match query.case {
        Case::Sensitive => Some(Fold::None),
        Case::Insensitive => Some(folded),
        Case::Smart => {
            let mut written = Vec::new();
            for pattern in &query.patterns {
                if query.fixed {
                    written.extend(pattern.chars());
                } else {
                    let parsed = pattern::acceptable(pattern)?;
                    written.extend(pattern::literals(&parsed));
                    written.extend(pattern::class_literals(&parsed));
                }
            }
            let is_capital = |letter: &char| {
                if dialect.unicode_fold {
                    letter.is_uppercase()
                } else {
                    letter.is_ascii_uppercase()
                }
            };
            // Where Unicode folds, smart case wants a literal to go by.
            let nothing_to_go_by = dialect.unicode_fold && written.is_empty();
            let sensitive = nothing_to_go_by || written.iter().any(is_capital);
            Some(if sensitive { Fold::None } else { folded })
        }
    }
}

#[cfg(test)]
mod tests;
