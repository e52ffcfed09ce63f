//! Skipping what no match starts in, by the literals that every match starts with.

use regex_automata::{MatchKind, Span, util::prefilter::Prefilter};
use regex_syntax::hir::Hir;

/// The literals one of which every match starts with.
#[derive(Clone, Debug)]
pub(super) struct Prefix {
    literals: Prefilter,
    /// Bytes that are looked through at a time.
    bytes: usize,
}

impl Prefix {
    /// None if there are none, or looking for them is not quicker than an automaton.
    pub(super) fn new(expression: &Hir, bytes: usize) -> Option<Self> {
        Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, expression)
            .filter(|literals| literals.is_fast() && literals.max_needle_len() > 0)
            .map(|literals| Self { literals, bytes })
    }

    /// A place up to which, from `at` on, no match starts; not far away.
    pub(super) fn skip(&self, line: &[u8], at: usize) -> usize {
        let beyond = at.saturating_add(self.bytes).min(line.len());
        // A literal may start before `beyond` and end behind it.
        let end = beyond.saturating_add(self.literals.max_needle_len()).min(line.len());
        let found = self.literals.find(line, Span { start: at, end });
        found.map_or(beyond, |found| found.start.min(beyond))
    }
}
