//! The best window by `1 - d / L`, the score of windows longer than the query.
//!
//! A window scores at least `part / whole` in this way exactly if `whole * (L - d) - part * L` is
//! not negative. That is a sum over an alignment: each character of the text adds `whole - part`,
//! each edit subtracts `whole`. So one alignment finds the window with the largest sum. If it is
//! positive, that window's own score is the next level, and a few such steps end at the best
//! (Dinkelbach 1967). Text and query are given in reverse, so an alignment ends where a window
//! starts.

use super::{
    Poller, ScoredStart,
    bounds::{Ratio, signed},
};
use crate::error::Interrupted;

/// The best alignment of the first rows of the query that ends at the current character.
#[derive(Clone, Copy)]
struct Cell {
    sum: i64,
    /// Number of text characters in it.
    length: i64,
}

const NONE: Cell = Cell { sum: i64::MIN / 2, length: 0 };

/// The window with the largest sum at `level`, unless all sums are negative; of several the
/// leftmost, with its own score.
pub(super) fn above(
    query: &[u16],
    text: impl Iterator<Item = (usize, u16)>,
    level: Ratio,
    poller: &mut Poller,
) -> Result<Option<ScoredStart>, Interrupted> {
    let rows = query.len();
    // The most that the rows after `row` can add, if all match. A cell below that cannot win.
    let gain = level.whole - level.part;
    let is_live = |row: usize, cell: Cell| cell.sum + signed(rows - row) * gain >= 0;
    let mut cells = vec![NONE; rows + 1];
    let mut live = 0;
    for (row, cell) in cells.iter_mut().enumerate() {
        *cell = Cell { sum: -signed(row) * level.whole, length: 0 };
        if is_live(row, *cell) {
            live = row;
        }
    }
    let mut best: Option<(Cell, usize)> = None;
    for (at, symbol) in text {
        poller.spend(live + 1)?;
        // A cell can win only if its predecessor on the diagonal or in the row could: an alignment
        // that ends with omitted rows could have omitted them one character earlier, for at most
        // one gain less.
        let (reach, mut next_live) = (live, 0);
        let mut diagonal = Cell { sum: 0, length: 0 };
        let mut above = diagonal;
        for (row, (cell, &wanted)) in (1..=reach + 1).zip(cells.iter_mut().skip(1).zip(query)) {
            let before = if row <= reach { *cell } else { NONE };
            let matched = if wanted == symbol { gain } else { -level.part };
            let mut new = Cell { sum: diagonal.sum + matched, length: diagonal.length + 1 };
            if before.sum - level.part > new.sum {
                new = Cell { sum: before.sum - level.part, length: before.length + 1 };
            }
            if above.sum - level.whole > new.sum {
                new = Cell { sum: above.sum - level.whole, length: above.length };
            }
            (diagonal, above, *cell) = (before, new, new);
            if is_live(row, new) {
                next_live = row;
            }
        }
        live = next_live;
        if live == rows && best.is_none_or(|(best, _)| above.sum >= best.sum) {
            best = Some((above, at));
        }
    }
    Ok(best.map(|(cell, start)| {
        let part = (cell.sum + level.part * cell.length) / level.whole;
        ScoredStart { level: Ratio { part, whole: cell.length }, start }
    }))
}
