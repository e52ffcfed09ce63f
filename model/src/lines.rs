//! The lines of a text that a program which searches lines should show (docs/hunt.md, section 2).
//!
//! [`Query`] is a question that any such program accepts; [`Dialect`] states where programs differ
//! on purpose; [`Reader`] answers by matching every line with a simulated NFA.

use std::borrow::Cow;

use regex_automata::Input;
use regex_automata::nfa::thompson::{self, pikevm};
use regex_syntax::hir::{Hir, Look};

use crate::fold::{self, Ascii, Fold};
use crate::{pattern, text};

/// Largest automaton of a query, in bytes.
const MAX_AUTOMATON_BYTES: usize = 10 << 20;

/// Most matches of a line times its length, in bytes. Each may be searched for to the line's end,
/// so that a line of 2 MiB with a match at every byte would take days.
const MAX_SEARCHED_BYTES: usize = 1 << 25;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Case {
    #[default]
    Sensitive,
    Insensitive,
    /// Insensitive, unless a pattern has a capital letter.
    Smart,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one option of a program")]
pub struct Query {
    /// Alternatives.
    pub patterns: Vec<String>,
    /// Whether they are literals.
    pub fixed: bool,
    pub case: Case,
    /// Whether matches must be whole words.
    pub word: bool,
    /// Whether matches must be whole lines.
    pub line: bool,
    /// Whether lines without a match are selected.
    pub invert: bool,
    /// Maximum number of selected lines.
    pub max_count: Option<u64>,
    /// Context lines before a selected line.
    pub before: u64,
    /// Context lines after a selected line.
    pub after: u64,
    /// Whether CR LF ends a line.
    pub crlf: bool,
}

/// Differences of a program. The default is the documents' meaning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dialect {
    /// Case folds as Unicode does, not ASCII only.
    pub unicode_fold: bool,
    /// Word options and boundaries are ASCII only.
    pub ascii_words: bool,
    /// `\w \d \s` are ASCII only.
    pub ascii_classes: bool,
    pub cr: Cr,
    pub bom: Bom,
    pub empty: Empty,
    /// What is shown after the last line that `max_count` allows.
    pub after_max: AfterMax,
}

/// The role of a CR before an LF.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cr {
    /// Not part of the line.
    #[default]
    Dropped,
    /// Part of the line.
    Kept,
    /// Part of the line, but the line may also end before it.
    End,
}

/// The treatment of a byte order mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Bom {
    /// UTF-8's is dropped, UTF-16 is decoded.
    #[default]
    Decoded,
    /// UTF-8's is dropped.
    Stripped,
    /// Ordinary bytes.
    Kept,
}

/// The role of what matches the empty text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Empty {
    /// A match like others.
    #[default]
    Shown,
    /// Lines whose only matches are empty are not selected.
    Hidden,
    /// The empty pattern matches every line, even if matches must be whole words.
    Everywhere,
}

/// What is shown after the last line that `max_count` allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AfterMax {
    /// Context up to the next line that would be selected.
    #[default]
    Stops,
    /// Full context; lines in it that would be selected are shown as selected.
    Window,
    /// Full context; all of it is shown as context.
    Context,
    None,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputLine {
    pub number: u64,
    /// Selected, or context.
    pub selected: bool,
    /// The text without LF, and without a CR that is not part of the line.
    pub text: Vec<u8>,
    /// Byte ranges of non-empty matches; none in inverted searches and in context.
    pub spans: Vec<(u64, u64)>,
}

/// A compiled query.
#[derive(Debug)]
pub struct Reader {
    query: Query,
    dialect: Dialect,
    machine: pikevm::PikeVM,
    cache: pikevm::Cache,
}

/// A line, and the part of it that patterns see.
struct Line<'t> {
    shown: &'t [u8],
    seen: &'t [u8],
}

impl Reader {
    /// Compiles a query; `None` if a pattern is not an acceptable expression.
    pub fn new(query: &Query, dialect: Dialect) -> Option<Reader> {
        let fold = fold_of(query, dialect)?;
        let ascii = Ascii { boundaries: dialect.ascii_words, classes: dialect.ascii_classes };
        let end_before_cr = dialect.cr == Cr::End;
        let alternatives: Option<Vec<Hir>> = query
            .patterns
            .iter()
            .map(|pattern| {
                let one = if query.fixed {
                    fold::literal(pattern, fold)
                } else {
                    let parsed = pattern::acceptable(pattern)?;
                    fold::expression_in(&parsed, fold, ascii, end_before_cr)?
                };
                let is_word =
                    query.word && !(pattern.is_empty() && dialect.empty == Empty::Everywhere);
                Some(if is_word { between(one, word_edges(dialect)) } else { one })
            })
            .collect();
        let mut expression = Hir::alternation(alternatives?);
        if query.line {
            let end = if end_before_cr { Look::EndCRLF } else { Look::End };
            expression = between(expression, (Look::Start, end));
        }
        let limits = thompson::Config::new().utf8(false).nfa_size_limit(Some(MAX_AUTOMATON_BYTES));
        let nfa = thompson::Compiler::new().configure(limits).build_from_hir(&expression).ok()?;
        let machine = pikevm::PikeVM::new_from_nfa(nfa).ok()?;
        Some(Reader { query: query.clone(), dialect, cache: machine.create_cache(), machine })
    }

    /// The lines to show, in order; `None` if a line is too long for all its matches.
    pub fn read(&mut self, bytes: &[u8]) -> Option<Vec<OutputLine>> {
        let text = self.decode(bytes);
        let lines = self.lines(&text);
        let matches: Vec<Vec<(usize, usize)>> =
            lines.iter().map(|line| self.matches(line.seen)).collect::<Option<_>>()?;
        let selected: Vec<usize> = (0..lines.len())
            .filter(|index| matches.get(*index).is_some_and(|spans| self.selects(spans)))
            .collect();
        let cap =
            self.query.max_count.and_then(|cap| usize::try_from(cap).ok()).unwrap_or(usize::MAX);
        let (reported, beyond) = selected.split_at(cap.min(selected.len()));
        let end = self.end(reported, beyond, lines.len());
        let is_context = |index: usize| {
            let (before, after) = reported.split_at(reported.partition_point(|at| *at < index));
            after.first().is_some_and(|next| within(next - index, self.query.before))
                || before.last().is_some_and(|last| within(index - last, self.query.after))
        };
        let mut shown = Vec::new();
        for ((index, line), number) in lines.iter().enumerate().take(end).zip(1..) {
            let is_reported = reported.binary_search(&index).is_ok();
            if !is_reported && !is_context(index) {
                continue;
            }
            let is_beyond =
                self.dialect.after_max == AfterMax::Window && beyond.binary_search(&index).is_ok();
            let selected = is_reported || is_beyond;
            let spans = match matches.get(index) {
                Some(spans) if selected && !self.query.invert => {
                    spans.iter().filter_map(shown_span).collect()
                }
                _ => Vec::new(),
            };
            shown.push(OutputLine { number, selected, text: line.shown.to_vec(), spans });
        }
        Some(shown)
    }

    /// The first line that is not shown once `max_count` is reached.
    fn end(&self, reported: &[usize], beyond: &[usize], count: usize) -> usize {
        let last = reported.last().map_or(0, |last| last + 1);
        let cut = match self.query.max_count {
            Some(cap) => !within(reported.len() + 1, cap),
            None => false,
        };
        match (beyond.first(), self.dialect.after_max) {
            (Some(next), AfterMax::Stops) => *next,
            // A program that stops at once cannot know whether anything was cut.
            (_, AfterMax::None) if cut => last,
            _ => count,
        }
    }

    fn selects(&self, spans: &[(usize, usize)]) -> bool {
        let matched =
            spans.iter().any(|(start, end)| self.dialect.empty != Empty::Hidden || start < end);
        matched != self.query.invert
    }

    /// All matches in a line from left to right, without empty ones directly after another.
    fn matches(&mut self, line: &[u8]) -> Option<Vec<(usize, usize)>> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        let mut searches = 0_usize;
        while at <= line.len() {
            if searches * line.len() > MAX_SEARCHED_BYTES {
                return None;
            }
            searches += 1;
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
        Some(found)
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

/// Empty matches are not shown: their position inside a character is unspecified.
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

/// The folding of a query; `None` if a pattern does not parse.
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
            // Where Unicode folds, smart case needs a literal.
            let nothing_to_go_by = dialect.unicode_fold && written.is_empty();
            let sensitive = nothing_to_go_by || written.iter().any(is_capital);
            Some(if sensitive { Fold::None } else { folded })
        }
    }
}

#[cfg(test)]
mod tests;
