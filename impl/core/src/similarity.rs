//! The window of a line that is most similar to a query (FR-SF-SRC-03, CFG-SF-04, E-G09).
//!
//! [`Similarity::best_window`] finds it with its score; [`Similarity::proposer`] skips lines that
//! cannot have one at the threshold. Invariants: every line with a window at the threshold is
//! proposed; work on a long line can be interrupted; nothing is stored per character of a line.
//!
//! With m the query's length, L the window's and d their distance, all in scalar values, the score
//! is `(M - d) / M` for M the larger length. As d is never negative, that is **the larger of `1 - d
//! / m` and `1 - d / L`**, whatever the lengths are. The best of the first over all windows is the
//! least distance of any window, which one bit-parallel scan finds (`column`). The best of the
//! second is a ratio, found by a few alignments (`alignment`). So the work for a line is bounded by
//! line length times query length, whatever the threshold.
//!
//! No library answers this question: `strsim` and `rapidfuzz` compare whole strings (the latter had
//! its last release in 2023); `triple_accel` and `bio` find occurrences within a distance in bytes;
//! none ranks the windows of a line by a ratio. A prefilter by exact pieces of the query does not
//! pay: `aho-corasick` finds them at 380 to 690 MB/s (letters folded, or four pieces and more), and
//! the sweep (`sweep`), which leaves far fewer lines to check, runs at 620.

mod alignment;
mod bounds;
mod column;
mod proposer;
mod sweep;
mod symbols;

use std::sync::Arc;

pub use self::proposer::SimilarityProposer;
use self::{
    bounds::{Bounds, Ratio},
    column::{Column, Masks, common},
    sweep::Filter,
    symbols::Alphabet,
};
use crate::error::Interrupted;

/// A query prepared for many lines.
#[derive(Clone, Debug)]
pub struct Similarity {
    alphabet: Alphabet,
    bounds: Bounds,
    threshold: f64,
    forward: Masks,
    backward: Masks,
    /// The query's symbols in reverse: lines are scanned backwards, so that scans end at window
    /// starts.
    reversed: Vec<u16>,
    filter: Arc<Filter>,
}

/// The best window of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Byte offset of its start in the line.
    pub start: usize,
    /// Byte offset of its end.
    pub end: usize,
    /// Similarity to the query, up to 1.0 for equality.
    pub score: f64,
}

impl Similarity {
    /// For a validated request: `query` has 1 to 1,024 scalar values, and `threshold` is in
    /// 0.0..=1.0.
    pub fn new(query: &str, threshold: f64, fold_ascii: bool) -> Self {
        let alphabet = Alphabet::of(query, fold_ascii);
        let symbols: Vec<u16> = query.chars().map(|c| alphabet.symbol(c)).collect();
        let reversed: Vec<u16> = symbols.iter().rev().copied().collect();
        let bounds = Bounds::of(symbols.len(), threshold);
        let filter = Arc::new(Filter::of(query, fold_ascii, &bounds));
        let (forward, backward) = (Masks::of(&symbols), Masks::of(&reversed));
        Self { alphabet, bounds, threshold, forward, backward, reversed, filter }
    }

    /// The best window of a line without its LF; `None` if it is below the threshold. Fails once
    /// `go_on` returns false.
    pub fn best_window(
        &self,
        line: &str,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Window>, Interrupted> {
        let poller = &mut Poller { go_on, spent: 0 };
        let length = self.bounds.length;
        let (distance, nearest) = self.nearest(line, poller)?;
        if distance > self.bounds.distance {
            return Ok(None);
        }
        if distance == length {
            // Without common characters every window scores 0; the first character is the leftmost
            // and shortest.
            let end = line.chars().next().map(char::len_utf8);
            return Ok(end.filter(|_| self.threshold <= 0.0).map(|end| Window {
                start: 0,
                end,
                score: 0.0,
            }));
        }
        let nearest = ScoredStart { level: Ratio::of(length - distance, length), start: nearest };
        let best =
            if distance == 0 { Some(nearest) } else { self.improved(line, nearest, poller)? };
        let Some(ScoredStart { level, start }) =
            best.filter(|best| best.level.quotient() >= self.threshold)
        else {
            return Ok(None);
        };
        let end = self.shortest(line, start, level, poller)?;
        Ok(Some(Window { start, end, score: level.quotient() }))
    }

    /// Proposes every line of a text whose best window reaches the threshold, and few others. The
    /// text is UTF-8.
    pub fn proposer(&self) -> SimilarityProposer {
        SimilarityProposer::new(Arc::clone(&self.filter))
    }

    /// The least distance of any window, and the leftmost start of one at that distance.
    fn nearest(&self, line: &str, poller: &mut Poller) -> Result<(usize, usize), Interrupted> {
        let mut column = Column::new(&self.backward);
        let (mut least, mut start) = (self.bounds.length, 0);
        for (at, c) in line.char_indices().rev() {
            poller.spend(self.backward.words())?;
            column.step(self.backward.of_symbol(self.alphabet.symbol(c)), false);
            if column.distance() <= least {
                (least, start) = (column.distance(), at);
            }
        }
        Ok((least, start))
    }

    /// The best score of the line and the leftmost start of a window that has it, given the best by
    /// distance. `None` if no window reaches the threshold.
    fn improved(
        &self,
        line: &str,
        nearest: ScoredStart,
        poller: &mut Poller,
    ) -> Result<Option<ScoredStart>, Interrupted> {
        let floor = Ratio::below(self.threshold);
        let attained = nearest.level >= floor;
        let mut best = attained.then_some(nearest);
        let mut level = if attained { nearest.level } else { floor };
        // A window longer than the query and not below `level` has (L - d) / L >= level. L - d is
        // at most the number of its matched characters, so that many must occur in the line in
        // order.
        let matched =
            common(&self.backward, line.chars().rev().map(|c| self.alphabet.symbol(c)), poller)?;
        if !level.is_reached_by(matched, self.bounds.length + 1) {
            return Ok(best);
        }
        loop {
            let symbols = line.char_indices().rev().map(|(at, c)| (at, self.alphabet.symbol(c)));
            match alignment::above(&self.reversed, symbols, level, poller)? {
                Some(found) if found.level > level => {
                    level = found.level;
                    best = Some(found);
                }
                // The level is that of the best window, or one that no window reaches; of several
                // windows at it the leftmost counts.
                Some(found) => {
                    return Ok(
                        best.map(|best| ScoredStart { level, start: best.start.min(found.start) })
                    );
                }
                None => return Ok(best),
            }
        }
    }

    /// The end of the shortest window from `start` with the score `level`, which must exist.
    fn shortest(
        &self,
        line: &str,
        start: usize,
        level: Ratio,
        poller: &mut Poller,
    ) -> Result<usize, Interrupted> {
        let mut column = Column::new(&self.forward);
        let rest = line.get(start..).unwrap_or_default();
        for (before, (at, c)) in rest.char_indices().enumerate() {
            poller.spend(self.forward.words())?;
            column.step(self.forward.of_symbol(self.alphabet.symbol(c)), true);
            let longer = self.bounds.length.max(before + 1);
            if Ratio::of(longer - column.distance(), longer) == level {
                return Ok(start + at + c.len_utf8());
            }
        }
        Ok(line.len())
    }
}

/// A score, and the start of a window with it.
#[derive(Clone, Copy, Debug)]
struct ScoredStart {
    level: Ratio,
    start: usize,
}

/// Calls `go_on` once per [`STRIDE`] steps.
struct Poller<'a> {
    go_on: &'a mut dyn FnMut() -> bool,
    spent: usize,
}

impl Poller<'_> {
    /// Steps between two calls: some ten microseconds.
    const STRIDE: usize = 8192;

    fn spend(&mut self, steps: usize) -> Result<(), Interrupted> {
        self.spent += steps;
        if self.spent < Self::STRIDE {
            return Ok(());
        }
        self.spent = 0;
        if (self.go_on)() { Ok(()) } else { Err(Interrupted) }
    }
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "test strings are cut where their characters end")]
mod tests;
