//! Skips text without any literal that a match can start with.

use regex_automata::{MatchKind, Span, util::prefilter::Prefilter};
use regex_syntax::hir::Hir;

/// Literals, one of which starts every match.
#[derive(Clone, Debug)]
pub(super) struct Prefix {
    literals: Prefilter,
    /// Bytes searched at a time.
    bytes: usize,
}

impl Prefix {
    /// `None` if there are no such literals, or they are not faster than an automaton.
    pub(super) fn new(expression: &Hir, bytes: usize) -> Option<Self> {
        Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, expression)
            .filter(|literals| literals.is_fast() && literals.max_needle_len() > 0)
            .map(|literals| Self { literals, bytes })
    }

    /// An offset close to `at` before which no match starts.
    pub(super) fn skip(&self, line: &[u8], at: usize) -> usize {
        let beyond = at.saturating_add(self.bytes).min(line.len());
        // A literal may start before `beyond` and end after it.
        let end = beyond.saturating_add(self.literals.max_needle_len()).min(line.len());
        let found = self.literals.find(line, Span { start: at, end });
        found.map_or(beyond, |found| found.start.min(beyond))
    }
}
