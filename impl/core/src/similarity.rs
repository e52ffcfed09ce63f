//! The window of a line that is most like a query (FR-SF-SRC-03, CFG-SF-04, E-G09).

use std::collections::BTreeMap;

use crate::{error::Interrupted, scan::Proposer};

/// A query, prepared to be looked for in many lines.
#[derive(Clone, Debug)]
pub struct Similarity {
    query: Vec<char>,
    threshold: f64,
    fold_ascii: bool,
}

/// A line's best window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Offset of its first byte in the line.
    pub start: usize,
    /// Offset of the byte after its last.
    pub end: usize,
    /// How like the query it is: 1.0 is the query itself.
    pub score: f64,
}

/// Proposes lines that may hold a window at or above the threshold.
#[derive(Clone, Debug)]
pub struct SimilarityProposer;

impl Similarity {
    /// For a validated request: `query` has 1 to 1,024 scalar values, `threshold` lies in 0.0..=1.0.
    pub fn new(query: &str, threshold: f64, fold_ascii: bool) -> Self {
        let fold = |c: char| if fold_ascii { c.to_ascii_lowercase() } else { c };
        Self { query: query.chars().map(fold).collect(), threshold, fold_ascii }
    }

    /// The best window of a line without its LF; none if it stays below the threshold. `go_on` is asked now and then
    /// and ends the work by saying no.
    pub fn best_window(
        &self,
        line: &str,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Window>, Interrupted> {
        let mut best: Option<Window> = None;
        let mut seen = BTreeMap::new();
        for (start, _) in line.char_indices() {
            if !go_on() {
                return Err(Interrupted);
            }
            let mut row: Vec<usize> = (0..=self.query.len()).collect();
            for (length, (at, c)) in line.get(start..).unwrap_or_default().char_indices().enumerate() {
                let folded = if self.fold_ascii { c.to_ascii_lowercase() } else { c };
                let mut next = vec![length + 1];
                for (cells, &q) in row.windows(2).zip(&self.query) {
                    let &[diagonal, up] = cells else { continue };
                    let left = next.last().copied().unwrap_or_default();
                    next.push((diagonal + usize::from(q != folded)).min(up + 1).min(left + 1));
                }
                row = next;
                let distance = row.last().copied().unwrap_or_default();
                let most = (length + 1).max(self.query.len());
                let score = *seen.entry((most, distance)).or_insert_with(|| quotient(most - distance, most));
                if score >= self.threshold && best.is_none_or(|best| score > best.score) {
                    best = Some(Window { start, end: start + at + c.len_utf8(), score });
                }
            }
        }
        Ok(best)
    }

    /// Proposes every line of a text whose best window reaches the threshold.
    pub fn proposer(&self) -> SimilarityProposer {
        SimilarityProposer
    }
}

impl Proposer for SimilarityProposer {
    fn next(&mut self, text: &[u8], from: usize) -> Option<usize> {
        (from < text.len()).then_some(from)
    }
}

#[expect(clippy::cast_precision_loss, reason = "lengths of lines are far below 2^53")]
fn quotient(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
