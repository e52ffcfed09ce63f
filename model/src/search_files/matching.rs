//! The matches of a query in one line, from left to right (section 4; FR-SF-SRC-01 to
//! FR-SF-SRC-03).
//!
//! A line is matched on its own; an expression by the simulation of one Thompson NFA.

use regex_automata::Input;
use regex_automata::nfa::thompson::pikevm;
use regex_automata::util::captures::Captures;

use super::Config;
use super::request::{Mode, Request};
use super::similarity::best_window;
use crate::fold::Fold;
use crate::pattern;

/// A match in a line, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The score of an approximate match.
    pub(super) score: Option<f64>,
}

#[derive(Debug)]
pub(super) enum Matcher {
    Expression(pikevm::PikeVM),
    Similar { query: String, threshold: f64, fold_ascii: bool },
}

impl Matcher {
    /// The matcher of a request; `None` if its regular expression is not acceptable.
    pub(super) fn compile(request: &Request, config: &Config) -> Option<Matcher> {
        let (query, case) = (&request.query, request.case);
        let expression = match request.mode {
            Mode::Exact => pattern::literal(query, case, config.search.folded()),
            Mode::Regex => pattern::expression(query, case, config.search.folded())?,
            Mode::Fuzzy => {
                let fold_ascii =
                    pattern::case_of_literal(query, case, config.search.folded()) != Fold::None;
                let threshold = config.fuzzy_threshold;
                return Some(Matcher::Similar { query: query.clone(), threshold, fold_ascii });
            }
        };
        pattern::automaton(&expression, config.search.tables.limits.automaton_bytes)
            .map(Matcher::Expression)
    }

    /// The matches in each line, from left to right.
    pub(super) fn spans(&self, lines: &[String]) -> Vec<Vec<Span>> {
        match self {
            Matcher::Expression(machine) => {
                let mut cache = machine.create_cache();
                lines.iter().map(|line| successive(machine, &mut cache, line)).collect()
            }
            Matcher::Similar { query, threshold, fold_ascii } => {
                let best = |line: &String| best_window(query, *threshold, *fold_ascii, line);
                let span = |(start, end, score)| Span { start, end, score: Some(score) };
                lines.iter().map(|line| best(line).map(span).into_iter().collect()).collect()
            }
        }
    }
}

/// Successive matches without overlap, each leftmost-first. The next search starts at the end of
/// the last match and sees the whole line. An empty match directly at the end of the last one is
/// skipped, and so is one inside a character; the search then continues one byte further.
fn successive(machine: &pikevm::PikeVM, cache: &mut pikevm::Cache, line: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut from = 0;
    while from <= line.len() {
        let mut captures = Captures::matches(machine.get_nfa().group_info().clone());
        machine.search(cache, &Input::new(line).span(from..line.len()), &mut captures);
        let Some(matched) = captures.get_match() else { break };
        let (start, end) = (matched.start(), matched.end());
        let follows = found.last().is_some_and(|last| last.end == end);
        if start == end && (follows || !line.is_char_boundary(start)) {
            from = start + 1;
            continue;
        }
        found.push(Span { start, end, score: None });
        from = end;
    }
    found
}

#[cfg(test)]
mod tests;
