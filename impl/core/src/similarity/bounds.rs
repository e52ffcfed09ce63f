//! Necessary conditions on windows at the threshold, and exact scores.
//!
//! Scores are compared as in the document: as quotients rounded to the nearest double. Rounding is
//! monotonic, so a bound may be tested as a quotient as well: the bounds are the outermost integers
//! that pass the comparison which windows must pass, and need no margin.

use std::cmp::Ordering;

/// Bounds for a query of m characters and a threshold t. d is a window's distance, L its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// m.
    pub(super) length: usize,
    /// The largest d with `1 - d / m >= t`: a window this close reaches the threshold whatever its
    /// length.
    pub(super) enough: usize,
    /// The largest d of any window at the threshold, at most m.
    ///
    /// `L <= m + d`, so `1 - d / L` is at most `m / (m + d)`, and `1 - d / m` is at most that too.
    pub(super) distance: usize,
    /// The least length of a window at the threshold: one with `L < m` has `d >= m - L`, so its
    /// score is at most `L / m`.
    pub(super) least: usize,
    /// How many characters of the query must occur in a line in order if no window is as close as
    /// `enough`; `None` if there is no such line at the threshold.
    ///
    /// Such a window has `d > enough`, so its score is `(L - d) / L`, and `L - d` is its matched
    /// characters less the query's omitted ones. If `(L - d) / L >= t` then `(L - 1 - (d - 1)) / (L
    /// - 1) >= t`, so the least `L - d` is that of the least d, and for one d that of the least L.
    pub(super) subsequence: Option<usize>,
}

impl Bounds {
    pub(super) fn of(length: usize, threshold: f64) -> Self {
        let most = |passes: &dyn Fn(usize) -> bool| (1..=length).take_while(|&d| passes(d)).count();
        let enough = most(&|d| quotient(length - d, length) >= threshold);
        let distance = most(&|d| quotient(length, length + d) >= threshold);
        let least = (1..=length).find(|&n| quotient(n, length) >= threshold).unwrap_or(length);
        let d = enough + 1;
        let subsequence =
            (length + 1..=length + d).find(|&l| quotient(l - d, l) >= threshold).map(|l| l - d);
        Self { length, enough, distance, least, subsequence }
    }
}

/// A score as the quotient of two lengths. Equal if the quotients are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ratio {
    pub(super) part: i64,
    pub(super) whole: i64,
}

impl Ratio {
    pub(super) fn of(part: usize, whole: usize) -> Self {
        Self { part: signed(part), whole: signed(whole) }
    }

    /// A ratio that every score at the threshold exceeds, as close as 2^-20, unless that is 0 and
    /// the score is too.
    ///
    /// The product is exact, being one with a power of two. A score whose quotient is at least the
    /// threshold exceeds the ratio, since scores up to the ratio, a double itself, round to no more
    /// than it.
    pub(super) fn below(threshold: f64) -> Self {
        let whole = 1 << 20;
        #[expect(clippy::cast_possible_truncation, reason = "the threshold is at most 1")]
        let part = (threshold * f64::from(whole)).ceil() as i64 - 1;
        Self { part: part.max(0), whole: i64::from(whole) }
    }

    /// The score as it is shown and compared with the threshold.
    #[expect(clippy::cast_precision_loss, reason = "lengths of lines are far below 2^53")]
    pub(super) fn quotient(self) -> f64 {
        self.part as f64 / self.whole as f64
    }

    /// Whether `part / whole` is at least this.
    pub(super) fn is_reached_by(self, part: usize, whole: usize) -> bool {
        Self::of(part, whole) >= self
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.part * other.whole == other.part * self.whole
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self.part * other.whole).partial_cmp(&(other.part * self.whole))
    }
}

/// Lengths are those of texts in memory.
pub(super) fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

pub(super) fn quotient(part: usize, whole: usize) -> f64 {
    Ratio::of(part, whole).quotient()
}
