//! How well one ranking did on one task.

use crate::{tasks::Task, tool::ToolOutcome};

/// Files that are looked at of a ranking.
pub(crate) const DEPTH: usize = 10;
/// Among how many of them the truth is looked for.
pub(crate) const FIRST: [usize; 3] = [1, 5, 10];

/// Figures of one ranking on one task.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Quality {
    /// Share of the truth among the first 1, 5 and 10.
    pub(crate) recall: [f64; 3],
    /// 1 if all of the truth is among them.
    pub(crate) strict: [f64; 3],
    /// One over the place of the first right file; 0 behind the tenth.
    pub(crate) reciprocal: f64,
    /// As semble computes it: a place counts once, the ideal has all of the truth in front.
    pub(crate) ndcg: f64,
    /// Place of the first right file, from 1.
    pub(crate) place: Option<usize>,
    /// Tokens of the results up to and with it.
    pub(crate) tokens: Option<u64>,
    /// All terms were too broad.
    pub(crate) refused: bool,
}

/// The figures of a ranking.
#[expect(clippy::cast_precision_loss, reason = "ten places")]
pub(crate) fn quality(task: &Task, found: &ToolOutcome) -> Quality {
    let paths: Vec<&String> = found.paths.iter().take(DEPTH).collect();
    let places: Vec<Option<usize>> = task
        .truth
        .iter()
        .map(|right| paths.iter().position(|path| task.is(path, right)).map(|place| place + 1))
        .collect();
    let within = |most: usize| places.iter().flatten().filter(|place| **place <= most).count();
    let of = task.truth.len();
    let place = places.iter().flatten().min().copied();
    let gain = |place: usize| 1.0 / ((place + 1) as f64).log2();
    let gained = (1..=DEPTH).filter(|place| places.contains(&Some(*place))).map(gain).sum::<f64>();
    let ideal = (1..=DEPTH.min(of)).map(gain).sum::<f64>();
    Quality {
        recall: FIRST.map(|most| within(most) as f64 / of.max(1) as f64),
        strict: FIRST.map(|most| f64::from(u8::from(of > 0 && within(most) == of))),
        reciprocal: place.map_or(0.0, |place| 1.0 / place as f64),
        ndcg: if of == 0 { 0.0 } else { gained / ideal },
        place,
        tokens: place.and_then(|place| found.tokens.get(place - 1).copied()),
        refused: found.refused,
    }
}

#[cfg(test)]
mod tests {
    use super::quality;
    use crate::{
        tasks::{Set, Task},
        tool::ToolOutcome,
    };

    fn task(set: Set, truth: &[&str]) -> Task {
        Task {
            set,
            id: String::new(),
            repository: String::new(),
            commit: String::new(),
            below: None,
            text: String::new(),
            truth: truth.iter().map(|path| (*path).to_owned()).collect(),
            category: None,
        }
    }

    fn found(paths: &[&str]) -> ToolOutcome {
        let paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
        ToolOutcome { tokens: (1..=paths.len() as u64).collect(), paths, ..ToolOutcome::default() }
    }

    #[test]
    fn a_partial_hit_counts_for_recall_and_only_a_full_one_for_strict() {
        let figures =
            quality(&task(Set::Lite, &["a", "b"]), &found(&["x", "a", "y", "z", "w", "b"]));
        assert_eq!((figures.recall, figures.strict), ([0.0, 0.5, 1.0], [0.0, 0.0, 1.0]));
        assert_eq!((figures.reciprocal, figures.place, figures.tokens), (0.5, Some(2), Some(2)));
        let ideal = 1.0 + 1.0 / 3_f64.log2();
        let gained = 1.0 / 3_f64.log2() + 1.0 / 7_f64.log2();
        assert!((figures.ndcg - gained / ideal).abs() < 1e-12);
    }

    #[test]
    fn only_paths_of_semble_match_by_their_ends() {
        assert_eq!(quality(&task(Set::Semble, &["a/b.py"]), &found(&["b.py"])).place, Some(1));
        assert_eq!(quality(&task(Set::Lite, &["a/b.py"]), &found(&["b.py"])).place, None);
    }
}
