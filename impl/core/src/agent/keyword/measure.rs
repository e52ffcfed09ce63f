//! Measures a file's text for all terms: the figures for ranking, and the lines to show
//! (docs/keyword-search.md, sections 3 and 4).

use std::collections::BTreeMap;

use memchr::{memchr_iter, memmem};

use super::hits::{HitLine, fold};
use crate::{
    agent::{cut::Anchor, defining::Definer, excerpt::shown, search_text},
    error::Interrupted,
    identifier::{Extent, around, occurs},
    text::{self, Span},
};

/// Lines shown of a file.
pub(super) const SHOWN_LINES: usize = 5;
/// Bytes or lines between two checks for cancellation.
const LOOK_EVERY: usize = 1 << 16;
const LOOK_EVERY_LINES: usize = 1 << 10;

/// The best definition of a term in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Defined {
    /// No definition.
    #[default]
    Not,
    /// The term is part of a defined name.
    Part,
    /// The term is a defined name.
    Whole,
}

/// Figures for ranking a hit file, and the lines to show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Occurrence units by term.
    pub(super) units: Vec<u64>,
    /// Best definition by term.
    pub(super) defined: Vec<Defined>,
    /// Lines with a hit of a term that results may name.
    pub(super) match_count: usize,
    /// The best of these lines, in line order.
    pub(super) lines: Vec<HitLine>,
}

/// A term prepared for measuring.
#[derive(Clone, Debug)]
struct TermMatcher {
    folded: String,
    /// Its parts, if it is a word.
    word: Option<Vec<String>>,
    sought: memmem::Finder<'static>,
    /// Whether results may name it.
    is_named: bool,
}

/// A line with hits.
struct LineHits {
    line: Span,
    terms: usize,
    /// Offset of the first hit.
    at: usize,
}

/// Measures one text after another.
#[derive(Clone, Debug)]
pub struct Measurer {
    seekers: Vec<TermMatcher>,
    /// The folded text, reused.
    folded: Vec<u8>,
}

impl Measurer {
    /// Measures these terms; the flag says whether results may name the term.
    pub fn new<'t>(terms: impl IntoIterator<Item = (&'t str, bool)>) -> Self {
        let seeker = |(term, is_named): (&str, bool)| {
            let folded = term.to_ascii_lowercase();
            let sought = memmem::Finder::new(folded.as_bytes()).into_owned();
            let word = match search_text::Term::of(term, false) {
                search_text::Term::Word { parts, .. } => Some(parts),
                search_text::Term::Literal(_) => None,
            };
            TermMatcher { folded, word, sought, is_named }
        };
        Self { seekers: terms.into_iter().map(seeker).collect(), folded: Vec::new() }
    }

    /// The figures of a text.
    pub fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Measures, Interrupted> {
        let definer = Definer::new(walked, text);
        fold(text, &mut self.folded);
        let mut measures = Measures::default();
        let mut met: BTreeMap<usize, LineHits> = BTreeMap::new();
        for seeker in &self.seekers {
            if !go_on() {
                return Err(Interrupted);
            }
            let (mut units, mut surest, mut from, mut lines) = (0, Defined::Not, 0, 0);
            while let Some(at) = self
                .folded
                .get(from..)
                .and_then(|rest| seeker.sought.find(rest))
                .map(|at| from + at)
            {
                lines += 1;
                if lines % LOOK_EVERY_LINES == 0 && !go_on() {
                    return Err(Interrupted);
                }
                let Some(line) = text::line_at(text, at) else { break };
                let visible = line.visible(text);
                let shown = text::decoded(visible, &seeker.folded);
                let (more, own) = seeker.units(&shown, &definer, line, go_on)?;
                units += more;
                surest = surest.max(own);
                if seeker.is_named && at + seeker.folded.len() <= line.start + visible.len() {
                    let met = met.entry(line.start).or_insert(LineHits { line, terms: 0, at });
                    met.terms += 1;
                    met.at = met.at.min(at);
                }
                from = line.end + 1;
            }
            measures.units.push(units);
            measures.defined.push(surest);
        }
        measures.match_count = met.len();
        measures.lines = best(text, met, go_on)?;
        Ok(measures)
    }
}

/// The lines with most terms, earlier lines first among equals, in line order.
fn best(
    text: &[u8],
    met: BTreeMap<usize, LineHits>,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<HitLine>, Interrupted> {
    let mut lines: Vec<LineHits> = met.into_values().collect();
    // The sort is stable: earlier lines come first.
    lines.sort_by_key(|met| std::cmp::Reverse(met.terms));
    lines.truncate(SHOWN_LINES);
    lines.sort_by_key(|met| met.line.start);
    let (mut from, mut number) = (0, 1);
    let hit = |LineHits { line, at, .. }| {
        if !go_on() {
            return Err(Interrupted);
        }
        number += memchr_iter(b'\n', text.get(from..line.start).unwrap_or_default()).count() as u64;
        from = line.start;
        let begins = String::from_utf8_lossy(text.get(line.start..at).unwrap_or_default()).len();
        Ok(HitLine { number, at: begins, shown: shown(text, line, Anchor::At(begins)) })
    };
    lines.into_iter().map(hit).collect()
}

impl TermMatcher {
    /// The units of a term's occurrences on a line, and its best definition there.
    fn units(
        &self,
        line: &str,
        definer: &Definer<'_>,
        place: Span,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(u64, Defined), Interrupted> {
        let folded = line.to_ascii_lowercase();
        let (mut units, mut surest, mut from, mut looked) = (0, Defined::Not, 0, 0);
        while let Some(at) = folded.get(from..).and_then(|rest| rest.find(&self.folded)) {
            let (start, end) = (from + at, from + at + self.folded.len());
            if start >= looked + LOOK_EVERY {
                looked = start;
                if !go_on() {
                    return Err(Interrupted);
                }
            }
            let Some(word) = &self.word else {
                units += 4;
                from = end;
                continue;
            };
            let (left, right) = around(line, start, end);
            let extent = occurs(word, line.get(left..right).unwrap_or_default());
            let (own, as_defined) = match extent {
                None => (1, Defined::Not),
                Some(Extent::Part) => (2, Defined::Part),
                Some(Extent::Whole) => (4, Defined::Whole),
            };
            units += own;
            if as_defined > surest && definer.level(place, line, left, right) > 0 {
                surest = as_defined;
            }
            from = right;
        }
        Ok((units, surest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancellation_is_checked_before_each_shown_line() {
        // Once for the term, and once for each of two lines.
        for (most, is_enough) in [(2, false), (3, true)] {
            let mut left = most;
            let mut go_on = || {
                left -= 1;
                left >= 0
            };
            let found =
                Measurer::new([("needle", true)]).scan(b"needle\nneedle\n", b"a.rs", &mut go_on);
            assert_eq!(found.is_ok(), is_enough, "{most}");
        }
    }

    #[test]
    fn cancellation_is_checked_throughout_many_lines_and_a_long_one() {
        for text in ["needle\n".repeat(20_000), "needle ".repeat(40_000)] {
            let mut asked = 0;
            let mut go_on = || {
                asked += 1;
                asked < 3
            };
            let found =
                Measurer::new([("needle", true)]).scan(text.as_bytes(), b"a.rs", &mut go_on);
            assert_eq!((found, asked), (Err(Interrupted), 3));
        }
    }
}
