//! Which probes are hit by no gram, by one, or by several: what tells whether a gram can pass the
//! filter of a file that does not hold it.
//!
//! Such a file has all probes of the gram set by other grams. So it cannot exist if some probe is
//! hit by no other gram of the whole segment. The sketch counts, up to three, the distinct grams
//! that hit each cell; a cell is a bit of the filter, or stands for several where there are more
//! bits than are worth it. It may say that such a file is possible where it is not, never the other
//! way.

use super::Fault;
use crate::index::{filter::FilterParameters, fold::Fold, gram::Gram};

/// Two bits a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    cells: u64,
    counts: Vec<u8>,
}

impl Sketch {
    /// The sketch of distinct grams of one variant.
    fn build(grams: &[Gram], parameters: &FilterParameters) -> Self {
        let hits = (grams.len() as u64).saturating_mul(u64::from(parameters.hashes));
        let cells =
            hits.saturating_mul(2).next_power_of_two().clamp(64, 1 << 32).min(parameters.bits);
        let mut sketch =
            Self { cells, counts: vec![0; usize::try_from(cells.div_ceil(4)).unwrap_or(0)] };
        let mut hit: Vec<u64> = Vec::new();
        for gram in grams {
            hit.clear();
            for bit in parameters.probes(*gram) {
                // One gram counts once in a cell, however many of its probes are there.
                let cell = bit % cells;
                if !hit.contains(&cell) {
                    hit.push(cell);
                    sketch.count(cell);
                }
            }
        }
        sketch
    }

    fn count(&mut self, cell: u64) {
        let shift = (cell % 4) * 2;
        if let Some(byte) = usize::try_from(cell / 4).ok().and_then(|at| self.counts.get_mut(at))
            && (*byte >> shift) & 3 < 3
        {
            *byte += 1 << shift;
        }
    }

    /// Whether a file may pass `gram` that does not hold it; `held` is whether some file does.
    pub(super) fn possible(&self, gram: Gram, held: bool, parameters: &FilterParameters) -> bool {
        parameters.probes(gram).all(|bit| {
            let cell = bit % self.cells.max(1);
            let byte = usize::try_from(cell / 4).ok().and_then(|at| self.counts.get(at));
            byte.is_none_or(|byte| (byte >> ((cell % 4) * 2)) & 3 > u8::from(held))
        })
    }

    /// The stored form.
    pub fn as_bytes(&self) -> &[u8] {
        &self.counts
    }

    /// The sketch of a stored form, for so many distinct grams.
    pub fn from_bytes(counts: Vec<u8>, cells: u64) -> Result<Self, Fault> {
        if cells == 0 || counts.len() as u64 != cells.div_ceil(4) {
            return Err(Fault::Malformed("a sketch"));
        }
        Ok(Self { cells, counts })
    }

    /// Cells.
    pub fn cells(&self) -> u64 {
        self.cells
    }
}

/// The sketches of both variants of a segment with these SENSITIVE grams: SENSITIVE, INSENSITIVE.
pub fn sketches(grams: &[Gram], fold: Fold, parameters: &FilterParameters) -> [Sketch; 2] {
    let folded = crate::index::tokens::folded(grams, fold);
    [Sketch::build(grams, parameters), Sketch::build(&folded, parameters)]
}
