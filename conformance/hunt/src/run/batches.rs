//! Which batches are asked, and until when.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::draw::Theme;
use crate::question::{Ask, Feature};
use crate::results::Owed;

/// What is to be hunted.
#[derive(Debug, Clone)]
pub struct Options {
    /// What batches are drawn from.
    pub seed: u64,
    /// Batches whose number is the first modulo the second.
    pub shard: (u64, u64),
    /// Until then.
    pub until: Until,
    /// What batches are of.
    pub theme: Theme,
    /// Threads.
    pub jobs: usize,
    /// What asks have that known bugs need; such asks are asked one time in `SPARED`.
    pub spare: Vec<BTreeSet<Feature>>,
}

/// Asks that would meet a known bug, for each one that is asked.
const SPARED: u64 = 4;

/// Nothing is spared in so many batches, some ten minutes' on one core, so that what is known is
/// met.
const UNSPARED: u64 = 2048;

/// When a run ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Until {
    /// After so many batches.
    Batches(u64),
    /// When what is left of this time is needed for making small what was seen.
    Time(Duration),
    /// After these batches, which another run was to ask.
    Owed(Vec<Owed>),
}

/// Asks that it takes to make one sighting small, most of which are recognised soon: measured with
/// ripgrep and ugrep.
const ASKS_EACH: f64 = 75.0;

/// Whether asking has to end, given how many asks one thread made and what they show. Half of the
/// time is for asking at least, a tenth for making small.
pub(super) fn is_over(time: Duration, elapsed: Duration, asks: u64, sightings: usize) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
    let to_come = ASKS_EACH * sightings as f64 / asks.max(1) as f64;
    elapsed >= time / 2 && elapsed.mul_f64((1.0 + to_come).max(10.0 / 9.0)) >= time
}

impl Options {
    /// Whether an ask, the `index`th of a batch, would most likely meet a known bug only. One in
    /// some is asked all the same, so that what is known is seen to be so still.
    pub(super) fn spares(&self, ask: &Ask, (batch, index): (u64, usize)) -> bool {
        let features = ask.features();
        batch >= UNSPARED
            && self.spare.iter().any(|known| known.is_subset(&features))
            && !(batch + index as u64).is_multiple_of(SPARED)
    }

    /// The batches that are asked.
    pub(super) fn batches(&self) -> Vec<Owed> {
        let (residue, modulus) = self.shard;
        let to = |to| vec![Owed { residue, modulus, from: 0, to }];
        match &self.until {
            Until::Batches(count) => to(*count),
            Until::Time(_) => to(u64::MAX),
            Until::Owed(owed) => owed.clone(),
        }
    }
}

impl Owed {
    /// The number of one of its batches.
    pub(super) fn number(&self, index: u64) -> u64 {
        index * self.modulus + self.residue
    }

    /// Behind the first few.
    pub(super) fn behind(mut self, few: &mut u64) -> Self {
        let skipped = (self.to - self.from).min(*few);
        (self.from, *few) = (self.from + skipped, *few - skipped);
        self
    }
}

/// The batch in that place of a list, and the list of it alone.
pub(super) fn nth(batches: &[Owed], mut place: u64) -> Option<Owed> {
    let left = |one: &Owed| one.from < one.to;
    let first = batches.iter().map(|one| one.behind(&mut place)).find(left)?;
    Some(Owed { to: first.from + 1, ..first })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_bugs_are_asked_about_in_full_before_they_are_spared() {
        let ask = Ask { word: true, ..Ask::new("a") };
        let options = Options {
            seed: 1,
            shard: (0, 1),
            until: Until::Batches(1),
            theme: Theme::Listed,
            jobs: 1,
            spare: vec![BTreeSet::from([Feature::Word])],
        };
        let spared = |first: u64| {
            (first..first + 8).filter(|batch| options.spares(&ask, (*batch, 0))).count()
        };
        assert_eq!((spared(0), spared(UNSPARED)), (0, 6));
        assert!(!options.spares(&Ask::new("a"), (UNSPARED + 1, 0)));
    }

    #[test]
    fn asking_ends_when_what_was_seen_needs_the_rest_of_the_time() {
        let over = |elapsed, sightings| {
            is_over(Duration::from_secs(100), Duration::from_secs(elapsed), 7500, sightings)
        };
        assert!(!over(89, 0) && over(90, 0));
        assert!(!over(79, 25) && over(80, 25));
        assert!(!over(49, 10_000) && over(50, 10_000));
    }

    #[test]
    fn batches_are_handed_out_in_order_and_once() {
        let owed = |from, to| Owed { residue: 1, modulus: 3, from, to };
        let list = [owed(2, 3), owed(5, 5), owed(7, 9)];
        let numbers = (0..).map_while(|place| nth(&list, place)).map(|one| one.number(one.from));
        assert_eq!(numbers.collect::<Vec<_>>(), [7, 22, 25]);
        let mut begun = 2;
        let left = list.map(|one| one.behind(&mut begun));
        assert_eq!(left.iter().map(|one| one.to - one.from).collect::<Vec<_>>(), [0, 0, 1]);
    }
}
