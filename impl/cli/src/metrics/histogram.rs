//! Durations, counted in buckets narrow enough for percentiles.
//!
//! Buckets are those of a logarithm with 32 steps for each doubling, from microseconds on: a
//! percentile is at most a thirty-second part above a duration that was
//! recorded, however many there were, and a histogram always takes the same 10 KB. Recording takes
//! no lock.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use metrics::HistogramFn;

/// Steps for each doubling, as a power of two.
const STEP_BITS: u32 = 5;
const STEPS: u64 = 1 << STEP_BITS;
/// Durations below this many microseconds have a bucket each.
const EXACT: u64 = 2 * STEPS;
/// Longer ones count as this long: twelve days.
const LONGEST: u64 = (1 << 40) - 1;
/// One for each exact duration, and for each step of each doubling from there to the longest.
const BUCKETS: usize = 64 + 34 * 32;

/// How often calls took how long.
#[derive(Debug)]
pub(crate) struct Durations {
    buckets: Vec<AtomicU64>,
    micros: AtomicU64,
    longest: AtomicU64,
}

/// What there is to say of durations, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    pub(crate) count: u64,
    pub(crate) sum: f64,
    pub(crate) longest: f64,
    /// Half, nine tenths, and ninety-nine hundredths of them took at most this long.
    pub(crate) percentiles: [f64; 3],
}

/// Which percentiles.
pub(crate) const SHARES: [(u64, &str); 3] = [(50, "0.5"), (90, "0.9"), (99, "0.99")];

impl Default for Durations {
    fn default() -> Self {
        Self {
            buckets: (0..BUCKETS).map(|_| AtomicU64::new(0)).collect(),
            micros: AtomicU64::new(0),
            longest: AtomicU64::new(0),
        }
    }
}

impl HistogramFn for Durations {
    /// Takes seconds.
    fn record(&self, seconds: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "what is beyond, or no number, becomes the nearest there is"
        )]
        let micros = ((seconds * 1e6).round() as u64).min(LONGEST);
        if let Some(bucket) = self.buckets.get(bucket_of(micros)) {
            bucket.fetch_add(1, Relaxed);
        }
        self.micros.fetch_add(micros, Relaxed);
        self.longest.fetch_max(micros, Relaxed);
    }
}

impl Durations {
    /// What there is to say of those recorded so far.
    pub(crate) fn spread(&self) -> Spread {
        let counts: Vec<u64> = self.buckets.iter().map(|bucket| bucket.load(Relaxed)).collect();
        let count: u64 = counts.iter().sum();
        let longest = self.longest.load(Relaxed);
        let percentile = |share: u64| {
            // The first bucket up to which there are enough.
            let enough = (count * share).div_ceil(100).max(1);
            let mut sum = 0;
            let bucket = counts.iter().position(|here| {
                sum += here;
                sum >= enough
            });
            seconds(bucket.map_or(0, highest_of).min(longest))
        };
        Spread {
            count,
            sum: seconds(self.micros.load(Relaxed)),
            longest: seconds(longest),
            percentiles: SHARES.map(|(share, _)| percentile(share)),
        }
    }
}

fn seconds(micros: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "precise to the microsecond for centuries")]
    let micros = micros as f64;
    micros / 1e6
}

fn bucket_of(micros: u64) -> usize {
    if micros < EXACT {
        return usize::try_from(micros).unwrap_or(0);
    }
    // The leading bit says which doubling, the next five which step of it.
    let shift = micros.ilog2() - STEP_BITS;
    let step = (micros >> shift) - STEPS;
    usize::try_from(EXACT + u64::from(shift - 1) * STEPS + step).unwrap_or(BUCKETS)
}

/// The longest duration of a bucket.
fn highest_of(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    let Some(above) = bucket.checked_sub(EXACT) else { return bucket };
    let shift = above / STEPS + 1;
    ((STEPS + above % STEPS + 1) << shift) - 1
}

#[cfg(test)]
mod tests {
    use metrics::HistogramFn;

    use super::{BUCKETS, Durations, LONGEST, Spread, bucket_of, highest_of, seconds};

    fn recorded(micros: impl IntoIterator<Item = u64>) -> Spread {
        let durations = Durations::default();
        micros.into_iter().for_each(|micros| {
            durations.record(std::time::Duration::from_micros(micros).as_secs_f64());
        });
        durations.spread()
    }

    #[test]
    fn histogram_buckets_are_contiguous_and_narrow() {
        assert_eq!(bucket_of(LONGEST), BUCKETS - 1);
        for bucket in 0..BUCKETS {
            let highest = highest_of(bucket);
            assert_eq!(bucket_of(highest), bucket);
            if bucket + 1 < BUCKETS {
                assert_eq!(bucket_of(highest + 1), bucket + 1);
            }
            let lowest = bucket.checked_sub(1).map_or(0, |below| highest_of(below) + 1);
            assert!((highest - lowest) * 32 <= lowest, "{lowest} to {highest}");
        }
    }

    /// NFR-015b-13.
    #[test]
    fn percentiles_are_exact_or_at_most_a_thirty_second_part_above() {
        // Of all magnitudes, in no order, from a generator that gives the same every time.
        let mut state = 7_u64;
        let mut durations: Vec<u64> = (0..5_000)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) >> (state >> 60)
            })
            .collect();
        let spread = recorded(durations.iter().copied());
        durations.sort_unstable();
        for (at, found) in [2_499, 4_499, 4_949].into_iter().zip(spread.percentiles) {
            let exact = seconds(durations[at]);
            assert!(found >= exact && found <= exact * (1.0 + 1.0 / 32.0), "{found} for {exact}");
        }
        assert_eq!(spread.count, 5_000);
        assert_eq!(spread.longest.to_bits(), seconds(durations[4_999]).to_bits());
    }

    #[test]
    fn percentiles_of_few_durations_do_not_exceed_the_longest() {
        let one = recorded([1_000_000]);
        assert_eq!((one.count, one.percentiles, one.longest, one.sum), (1, [1.0; 3], 1.0, 1.0));
        let few = recorded([10, 20, 30]).percentiles.map(|seconds| (seconds * 1e6).round());
        assert_eq!(few.map(|micros| micros.to_string()), ["20", "30", "30"]);
        assert_eq!(recorded([]), Spread::default());
    }

    #[test]
    fn invalid_durations_are_counted() {
        let durations = Durations::default();
        for seconds in [f64::NAN, -1.0, f64::INFINITY] {
            durations.record(seconds);
        }
        assert_eq!(durations.spread().count, 3);
    }
}
