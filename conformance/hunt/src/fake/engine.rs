//! How the fake finds lines.

use regex_automata::meta::{Config, Regex};
use regex_automata::util::syntax;
use regex_syntax::ast::{self, Ast, ClassSetItem};
use touchstone_spec::adapter::Show;

use super::kind::Kind;

/// Longest line that [`Kind::CutsLongLines`] knows.
const LONG: usize = 64 << 10;

/// What lines are looked for.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one option")]
pub(super) struct Options {
    pub(super) patterns: Vec<String>,
    pub(super) fixed: bool,
    pub(super) insensitive: bool,
    pub(super) smart: bool,
    pub(super) word: bool,
    pub(super) line: bool,
    pub(super) invert: bool,
    pub(super) crlf: bool,
    pub(super) max_count: Option<u64>,
    pub(super) before: u64,
    pub(super) after: u64,
    /// Lines, if not set.
    pub(super) show: Option<Show>,
}

/// A line that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) number: u64,
    pub(super) selected: bool,
    /// With its line feed, if it has one.
    pub(super) text: Vec<u8>,
    pub(super) spans: Vec<(usize, usize)>,
}

/// Patterns and options, ready.
pub(super) struct Engine<'o> {
    regex: Regex,
    options: &'o Options,
    kind: Kind,
    /// Whether case counts.
    folds: bool,
}

impl<'o> Engine<'o> {
    pub(super) fn new(options: &'o Options, kind: Kind) -> Result<Self, String> {
        let used = if kind == Kind::FirstPatternOnly { 1 } else { options.patterns.len() };
        let patterns: Vec<String> = options
            .patterns
            .iter()
            .take(used)
            .map(|pattern| expression(pattern, options, kind))
            .collect();
        let folds = options.insensitive
            || (options.smart
                && (kind == Kind::SmartIsInsensitive || smart(&options.patterns, options.fixed)));
        let regex = Regex::builder()
            .syntax(syntax::Config::new().utf8(false).case_insensitive(folds))
            .configure(Config::new().utf8_empty(false))
            .build(&patterns.join("|"))
            .map_err(|error| error.to_string())?;
        Ok(Self { regex, options, kind, folds })
    }

    /// What is shown of one file.
    pub(super) fn search(&self, bytes: &[u8]) -> Vec<Event> {
        let mut text = if self.kind == Kind::KeepsMark {
            bytes
        } else {
            bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
        };
        if self.kind == Kind::EndsAtNul {
            text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        }
        let mut lines: Vec<&[u8]> = match self.kind {
            Kind::CrEndsLine => {
                text.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')).collect()
            }
            _ => text.split_inclusive(|byte| *byte == b'\n').collect(),
        };
        if self.kind == Kind::ForgetsUnendedLine {
            lines.retain(|line| line.ends_with(b"\n"));
        }
        let last = lines.len().saturating_sub(1);
        let matches: Vec<Vec<(usize, usize)>> = lines.iter().map(|line| self.spans(line)).collect();
        let selected: Vec<bool> = matches
            .iter()
            .enumerate()
            .map(|(at, found)| {
                let empty_counts = self.kind != Kind::EmptyMatchLost;
                let holds = found.iter().any(|(start, end)| empty_counts || start < end);
                let forgotten =
                    self.kind == Kind::InvertForgetsLast && self.options.invert && at == last;
                holds != self.options.invert && !forgotten
            })
            .collect();
        let told = lines.iter().zip(matches).zip(self.shown(&selected)).zip(selected).zip(1..);
        told.filter(|(((_, is_shown), _), _)| *is_shown)
            .map(|((((line, found), _), is_selected), number)| Event {
                number,
                selected: is_selected,
                text: self.text(line),
                spans: if self.options.invert {
                    Vec::new()
                } else {
                    self.reported_spans(line, found)
                },
            })
            .collect()
    }

    /// Which lines are shown, by which are selected.
    fn shown(&self, selected: &[bool]) -> Vec<bool> {
        let with_context = self.options.show.is_none();
        let after = match self.kind {
            Kind::AfterTooFew => self.options.after.saturating_sub(1),
            _ => self.options.after,
        };
        let before = match self.kind {
            Kind::BeforeTooMany if self.options.before > 0 => self.options.before + 1,
            _ => self.options.before,
        };
        let most = match self.kind {
            Kind::StopsEarly => self.options.max_count.map(|most| most.saturating_sub(1)),
            _ => self.options.max_count,
        };
        let mut shown = vec![false; selected.len()];
        let all = selected.iter().enumerate().filter(|(_, is_selected)| **is_selected);
        for ((at, _), before_it) in all.zip(0..) {
            if most.is_some_and(|most| before_it >= most) {
                // Nothing from here on, whatever it would be the context of.
                if self.kind != Kind::ContextBeyondMax {
                    shown.iter_mut().skip(at).for_each(|shown| *shown = false);
                }
                break;
            }
            let reach = |lines: u64| {
                if with_context { usize::try_from(lines).unwrap_or(usize::MAX) } else { 0 }
            };
            let first = at.saturating_sub(reach(before));
            let end = at.saturating_add(reach(after)).saturating_add(1);
            shown.iter_mut().take(end).skip(first).for_each(|shown| *shown = true);
        }
        shown
    }

    /// The matches of a line.
    fn spans(&self, line: &[u8]) -> Vec<(usize, usize)> {
        let whole = line.strip_suffix(b"\n").unwrap_or(line);
        let is_ended = whole.len() < line.len();
        let crlf =
            (self.options.crlf && self.kind != Kind::CrlfForgotten) || self.kind == Kind::DropsCr;
        let mut seen =
            if crlf && is_ended { whole.strip_suffix(b"\r").unwrap_or(whole) } else { whole };
        if self.kind == Kind::CutsLongLines {
            seen = seen.get(..LONG).unwrap_or(seen);
        }
        if self.kind == Kind::CrEndsLine {
            seen = seen.strip_suffix(b"\r").unwrap_or(seen);
        }
        let mut replaced = seen.to_vec();
        if self.kind == Kind::FoldsOneLetterWrongly && self.folds {
            replaced.iter_mut().filter(|byte| **byte == b'B').for_each(|byte| *byte = 1);
        }
        if self.kind == Kind::UnderscoreEndsWord && self.options.word {
            replaced.iter_mut().filter(|byte| **byte == b'_').for_each(|byte| *byte = 1);
        }
        self.regex.find_iter(&replaced).map(|found| (found.start(), found.end())).collect()
    }

    fn text(&self, line: &[u8]) -> Vec<u8> {
        let whole = line.strip_suffix(b"\n").unwrap_or(line);
        match self.kind {
            Kind::DropsCr => [whole.strip_suffix(b"\r").unwrap_or(whole), b"\n"].concat(),
            Kind::TrimsLines => [whole.trim_ascii_end(), b"\n"].concat(),
            Kind::CutsLongLines => [whole.get(..LONG).unwrap_or(whole), b"\n"].concat(),
            _ => line.to_vec(),
        }
    }

    /// Matches as they are reported.
    fn reported_spans(&self, line: &[u8], mut spans: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        match self.kind {
            Kind::FirstSpanOnly => spans.truncate(1),
            Kind::SpansInCharacters => {
                let count = |bytes: usize| {
                    String::from_utf8_lossy(line.get(..bytes).unwrap_or_default()).chars().count()
                };
                for (start, end) in &mut spans {
                    (*start, *end) = (count(*start), count(*end));
                }
            }
            Kind::SpanEndsEarly => {
                for (start, end) in &mut spans {
                    if line.get(*end).is_some_and(|next| !next.is_ascii()) && end > start {
                        *end -= 1;
                    }
                }
            }
            _ => {}
        }
        spans
    }
}

fn expression(pattern: &str, options: &Options, kind: Kind) -> String {
    let plain = if options.fixed { regex_syntax::escape(pattern) } else { pattern.to_owned() };
    if options.line {
        let end = if kind == Kind::LinePrefixSuffices { "" } else { "$" };
        format!("^(?:{plain}){end}")
    } else if options.word {
        format!(r"\b{{start-half}}(?:{plain})\b{{end-half}}")
    } else {
        format!("(?:{plain})")
    }
}

/// Whether smart case means that case does not count: there is a literal, and none is a capital.
fn smart(patterns: &[String], fixed: bool) -> bool {
    let literals: Vec<char> = patterns
        .iter()
        .flat_map(|pattern| if fixed { pattern.chars().collect() } else { literals(pattern) })
        .collect();
    !literals.is_empty() && !literals.iter().any(|letter| letter.is_uppercase())
}

fn literals(pattern: &str) -> Vec<char> {
    struct Literals(Vec<char>);
    impl ast::Visitor for Literals {
        type Output = Vec<char>;
        type Err = ();
        fn finish(self) -> Result<Vec<char>, ()> {
            Ok(self.0)
        }
        fn visit_pre(&mut self, node: &Ast) -> Result<(), ()> {
            if let Ast::Literal(literal) = node {
                self.0.push(literal.c);
            }
            Ok(())
        }
        fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), ()> {
            match item {
                ClassSetItem::Literal(literal) => self.0.push(literal.c),
                ClassSetItem::Range(range) => self.0.extend([range.start.c, range.end.c]),
                _ => {}
            }
            Ok(())
        }
    }
    let Ok(tree) = ast::parse::Parser::new().parse(pattern) else { return Vec::new() };
    ast::visit(&tree, Literals(Vec::new())).unwrap_or_default()
}
