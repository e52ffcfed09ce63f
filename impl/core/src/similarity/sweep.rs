//! A bit-parallel filter for text that may have a window at the threshold, at a fixed cost per
//! byte.
//!
//! Text is read as **units**, one byte per scalar value: ASCII is itself, everything else is one of
//! 128 classes. A class stands for every character of the query in it, so distances are never
//! overestimated, and subsequences never underestimated. A **part** of the query of up to 64
//! characters fills one word. Distance then takes a dozen dependent operations per unit, so two
//! places of the text are processed in turn.

use super::bounds::Bounds;

/// Units filtered at once.
pub(super) const BLOCK: usize = 64;

/// Longest line, in units, on which a query of several parts is filtered, since this cannot be
/// interrupted: some milliseconds of work.
const LONG: usize = 1 << 18;

/// The filter of a query, reused for every text.
#[derive(Debug)]
pub(super) struct Filter {
    /// The query in pieces; one unless it has more than 64 characters.
    parts: Vec<Part>,
    /// Least length in bytes of a line with a window at the threshold.
    pub(super) least: usize,
    /// Whether the distance bound alone excludes nothing, so that whole lines must be checked.
    pub(super) is_vague: bool,
    /// Units to go back so that every window that ends later is seen whole.
    pub(super) overlap: usize,
    enough: usize,
    subsequence: Option<usize>,
}

/// A piece of the query and the largest distance of a window from it.
#[derive(Debug)]
struct Part {
    /// The rows of every unit. Rows end at the highest bit; the bits below match everything, and so
    /// stay rows of distance 0.
    rows: [u64; 256],
    below: u64,
    length: i64,
    distance: i64,
}

/// A column of distances of a part.
#[derive(Clone, Copy)]
struct ColumnState {
    up: u64,
    down: u64,
    /// Distance less the bound, less one: negative where the bound holds.
    excess: i64,
    /// Negative once `excess` was.
    seen: i64,
}

/// The class of a non-ASCII character.
pub(super) fn class(scalar: u32) -> u8 {
    0x80 | (scalar & 0x7f) as u8
}

fn units_of(c: char, fold_ascii: bool) -> [u8; 2] {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() && fold_ascii => {
            [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()]
        }
        Ok(byte) if byte.is_ascii() => [byte; 2],
        _ => [class(c.into()); 2],
    }
}

impl Filter {
    pub(super) fn of(query: &str, fold_ascii: bool, bounds: &Bounds) -> Self {
        let characters: Vec<[u8; 2]> = query.chars().map(|c| units_of(c, fold_ascii)).collect();
        let length = bounds.length;
        // The parts of a window that align with the parts of the query share the window's distance,
        // so one of them has at most its share.
        let share = length.div_ceil(length.div_ceil(64).max(1)).max(1);
        let parts = characters
            .chunks(share)
            .map(|part| Part::of(part, bounds.distance * part.len() / length));
        Self {
            parts: parts.collect(),
            least: bounds.least,
            is_vague: bounds.distance >= length,
            overlap: length + bounds.distance,
            enough: bounds.enough,
            subsequence: bounds.subsequence,
        }
    }

    /// The only part, if it is the whole query.
    fn whole(&self) -> Option<&Part> {
        self.parts.first().filter(|_| self.parts.len() == 1)
    }

    /// Whether `units` can be swept; otherwise every line must be checked.
    pub(super) fn sweeps(&self) -> bool {
        self.parts.len() == 1 && !self.is_vague
    }

    /// The blocks of `units` in which a window within the distance bound may end, in order.
    pub(super) fn sweep(&self, units: &[u8], hits: &mut Vec<usize>) {
        let Some(part) = self.whole() else { return };
        let (blocks, rest) = units.as_chunks::<BLOCK>();
        // The second place starts before the middle, so that a window across the middle is seen
        // whole.
        let overlap = self.overlap.div_ceil(BLOCK);
        let middle = blocks.len().midpoint(overlap).min(blocks.len());
        let start = middle.saturating_sub(overlap);
        let (first, second) =
            (blocks.get(..middle).unwrap_or_default(), blocks.get(start..).unwrap_or_default());
        let (mut one, mut two) = (part.state(part.distance), part.state(part.distance));
        let mut late = Vec::new();
        for (at, (left, right)) in first.iter().zip(second).enumerate() {
            for (left, right) in left.iter().zip(right) {
                part.step(&mut one, *left);
                part.step(&mut two, *right);
            }
            if one.take() {
                hits.push(at);
            }
            if two.take() && start + at >= middle {
                late.push(start + at);
            }
        }
        // The second half is one block longer if the number is odd, and the text may end within a
        // block.
        let done = start + first.len().min(second.len());
        for (at, block) in
            blocks.iter().map(<[u8; BLOCK]>::as_slice).chain([rest]).enumerate().skip(done)
        {
            for unit in block {
                part.step(&mut two, *unit);
            }
            if two.take() && at >= middle {
                late.push(at);
            }
        }
        hits.append(&mut late);
    }

    /// Whether a line may have a window at the threshold.
    pub(super) fn may_reach(&self, units: &[u8]) -> bool {
        if units.len() < self.least {
            return false;
        }
        match self.whole() {
            Some(part) => self.may_be_near(part, units),
            None => {
                self.is_vague
                    || units.len() > LONG
                    || self.parts.iter().any(|part| part.is_near(units))
            }
        }
    }

    /// For a query in one part: a window is close enough whatever its length, or enough of the
    /// query occurs in the line.
    fn may_be_near(&self, part: &Part, units: &[u8]) -> bool {
        let enough = i64::try_from(self.enough).unwrap_or(i64::MAX);
        let mut state = part.state(enough);
        // Rows at which the longest common subsequence does not grow.
        let mut flat = !part.below;
        for block in units.chunks(BLOCK * BLOCK) {
            for &unit in block {
                part.step(&mut state, unit);
                let rows = part.rows.get(usize::from(unit)).copied().unwrap_or_default();
                flat = flat.wrapping_add(flat & rows) | (flat & !rows);
            }
            let matched = (flat | part.below).count_zeros() as usize;
            if state.take() || self.subsequence.is_some_and(|least| matched >= least) {
                return true;
            }
        }
        false
    }
}

impl Part {
    fn of(characters: &[[u8; 2]], distance: usize) -> Self {
        let length = characters.len().min(64);
        let below = u64::MAX.checked_shr(u32::try_from(length).unwrap_or(64)).unwrap_or(0);
        let mut rows = [below; 256];
        for (row, units) in characters.iter().enumerate() {
            for unit in units {
                if let Some(rows) = rows.get_mut(usize::from(*unit)) {
                    *rows |= 1 << (64 - length + row);
                }
            }
        }
        let (length, distance) = (super::bounds::signed(length), super::bounds::signed(distance));
        Self { rows, below, length, distance }
    }

    fn state(&self, bound: i64) -> ColumnState {
        ColumnState { up: !self.below, down: 0, excess: self.length - bound - 1, seen: 0 }
    }

    /// Myers' step, as in [`super::column`], for one word whose last row is its highest bit.
    #[inline]
    fn step(&self, state: &mut ColumnState, unit: u8) {
        let rows = self.rows.get(usize::from(unit)).copied().unwrap_or_default() | state.down;
        let diagonal = ((rows & state.up).wrapping_add(state.up) ^ state.up) | rows;
        let falling = state.up & diagonal;
        let rising = state.down | !(state.up | diagonal);
        state.excess += i64::from(rising >> 63 == 1);
        state.excess -= i64::from(falling >> 63 == 1);
        state.seen |= state.excess;
        let rising = rising << 1;
        state.down = rising & diagonal;
        state.up = (falling << 1) | !(rising | diagonal);
    }

    fn is_near(&self, units: &[u8]) -> bool {
        let mut state = self.state(self.distance);
        units.chunks(BLOCK * BLOCK).any(|block| {
            for unit in block {
                self.step(&mut state, *unit);
            }
            state.take()
        })
    }
}

impl ColumnState {
    /// Whether the bound held since the last call.
    fn take(&mut self) -> bool {
        std::mem::take(&mut self.seen) < 0
    }
}
