//! Which subjects a question goes to. A bug is seldom one release's alone, so that asking a few
//! releases about more questions shows more of them than asking all about fewer.

use std::collections::BTreeMap;

/// Subjects of one program that a question goes to; of a program with no more, all of them.
const IN_TURN: usize = 2;

/// The subjects of each program, by their places.
#[derive(Debug, Clone)]
pub(super) struct Turns(Vec<Vec<usize>>);

impl Turns {
    /// Of subjects, by the names of their programs.
    pub(super) fn of<'n>(programs: impl IntoIterator<Item = &'n str>) -> Self {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, program) in programs.into_iter().enumerate() {
            places.entry(program).or_default().push(place);
        }
        Self(places.into_values().collect())
    }

    /// Visits the subjects whose turn it is with an ask of a batch, and all of a program of which
    /// one is wrong. The visitor says whether a subject is.
    pub(super) fn visit(&self, (batch, index): (u64, usize), mut visit: impl FnMut(usize) -> bool) {
        let turn = usize::try_from(batch).unwrap_or_default().wrapping_add(index);
        for places in &self.0 {
            let count = places.len();
            // Neighbours are alike; those that are far from each other tell more.
            let step = count.div_ceil(IN_TURN);
            let is_due = |place: usize| ((turn + place) % count).is_multiple_of(step);
            let mut any_wrong = false;
            for (place, subject) in places.iter().enumerate() {
                if is_due(place) {
                    any_wrong |= visit(*subject);
                }
            }
            for (place, subject) in places.iter().enumerate() {
                if any_wrong && !is_due(place) {
                    visit(*subject);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_release_has_its_turn_as_often_and_two_are_asked_at_once() {
        let turns = Turns::of(["r", "r", "u", "r", "r", "r", "g", "g"]);
        let mut asked = [0; 8];
        for batch in 0..50 {
            turns.visit((batch, 3), |place| {
                asked[place] += 1;
                false
            });
        }
        assert_eq!(asked, [20, 20, 50, 20, 20, 20, 50, 50]);
    }

    #[test]
    fn all_of_a_program_are_asked_if_one_is_wrong() {
        let turns = Turns::of(["r", "r", "r", "r", "u", "u", "u"]);
        let mut asked = Vec::new();
        turns.visit((0, 0), |place| {
            asked.push(place);
            place == 2
        });
        assert_eq!(asked, [0, 2, 1, 3, 4, 6]);
    }
}
