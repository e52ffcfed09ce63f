//! How good a ranking is, over many tasks, and by how much one is better than another.

use touchstone_benches::means::{interval, mean};

use crate::rankings::{DEPTH, Ranking};

/// Files from which recall is taken.
const FIRST: usize = 10;

/// The quality of one ranking for one task.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Quality {
    /// Share of the truth among the first ten.
    pub(crate) recall: f64,
    /// One over the place of the first file of the truth; 0 behind the depth that is looked at.
    pub(crate) reciprocal: f64,
}

/// The quality of a ranking.
#[expect(clippy::cast_precision_loss, reason = "a dozen files")]
pub(crate) fn quality(ranked: &[String], truth: &[String]) -> Quality {
    let found = ranked.iter().take(FIRST).filter(|path| truth.contains(path)).count();
    let place = ranked.iter().take(DEPTH).position(|path| truth.contains(path));
    Quality {
        recall: found as f64 / truth.len().max(1) as f64,
        reciprocal: place.map_or(0.0, |place| 1.0 / (place + 1) as f64),
    }
}

/// One line of the table for each ranking: mean recall, mean reciprocal rank, and the tool's
/// advantage in recall with an interval that holds 95 % of the draws.
pub(crate) fn lines(results: &[[Quality; Ranking::ALL.len()]]) -> Vec<String> {
    let tool = Ranking::ALL.len() - 1;
    let column = |at: usize| results.iter().filter_map(move |row| row.get(at).copied());
    let line = |(at, ranking): (usize, Ranking)| {
        let recall = mean(column(at).map(|quality| quality.recall));
        let reciprocal = mean(column(at).map(|quality| quality.reciprocal));
        let gains: Vec<f64> =
            column(tool).zip(column(at)).map(|(tool, other)| tool.recall - other.recall).collect();
        let gain = match interval(&gains) {
            _ if at == tool => String::new(),
            (low, high) => format!("{:+.3} [{low:+.3}, {high:+.3}]", mean(gains.iter().copied())),
        };
        format!("| {} | {recall:.3} | {reciprocal:.3} | {gain} |", ranking.name())
    };
    Ranking::ALL.into_iter().enumerate().map(|(at, ranking)| line((at, ranking))).collect()
}

/// Mean recall of a ranking.
pub(crate) fn recall(results: &[[Quality; Ranking::ALL.len()]], ranking: Ranking) -> f64 {
    let at = Ranking::ALL.iter().position(|other| *other == ranking).unwrap_or_default();
    mean(results.iter().filter_map(|row| row.get(at)).map(|quality| quality.recall))
}

#[cfg(test)]
mod tests {
    use super::{Quality, quality};

    #[test]
    fn recall_counts_the_first_ten_results() {
        let ranked: Vec<String> = (0..20).map(|n| format!("{n}")).collect();
        let truth = ["4", "10", "none"].map(str::to_owned);
        assert_eq!(quality(&ranked, &truth), Quality { recall: 1.0 / 3.0, reciprocal: 0.2 });
    }

    #[test]
    fn an_empty_ranking_scores_zero() {
        assert_eq!(quality(&[], &["a".to_owned()]), Quality::default());
    }
}
