//! Means over tasks, and how far they depend on which tasks were asked.

/// How often tasks are drawn anew.
const DRAWS: usize = 2_000;

/// The mean; 0 of nothing.
#[expect(clippy::cast_precision_loss, reason = "a few hundred tasks")]
pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// Between which means 95 % of the draws lie; the same draws on every run.
pub fn interval(values: &[f64]) -> (f64, f64) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut draw = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % values.len().max(1) as u64).unwrap_or_default()
    };
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| mean((0..values.len()).map(|_| values.get(draw()).copied().unwrap_or_default())))
        .collect();
    means.sort_by(f64::total_cmp);
    (crate::quantile(&means, 0.025), crate::quantile(&means, 0.975))
}

#[cfg(test)]
mod tests {
    use super::interval;

    #[test]
    fn an_interval_holds_the_mean_and_narrows_with_agreement() {
        let (low, high) = interval(&[0.0, 1.0, 0.0, 1.0]);
        assert!(low < 0.5 && 0.5 < high);
        assert_eq!(interval(&[0.25; 8]), (0.25, 0.25));
    }
}
