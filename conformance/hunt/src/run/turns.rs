//! Which subjects a question goes to. Most bugs stand in several releases, so that asking one
//! release about more questions shows more of them than asking several about fewer.

use std::collections::BTreeMap;

/// Every so many batches the turn moves by one more. Without that, the asks that relations are tried
/// on, one in 32, would all go to the same one of two, four or eight subjects.
const SHIFT: u64 = 32;

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

    /// Visits of each program the subject whose turn it is with an ask of a batch, and the others
    /// if that one is wrong. The visitor says whether a subject is.
    pub(super) fn visit(&self, (batch, index): (u64, usize), mut visit: impl FnMut(usize) -> bool) {
        let turn = usize::try_from(batch + batch / SHIFT).unwrap_or_default().wrapping_add(index);
        for places in &self.0 {
            let due = turn % places.len().max(1);
            if places.get(due).is_some_and(|subject| visit(*subject)) {
                for (_, other) in places.iter().enumerate().filter(|(place, _)| *place != due) {
                    visit(*other);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_release_has_its_turn_as_often() {
        let turns = Turns::of(["r", "r", "u", "r", "g", "g", "r"]);
        for every in [1, 4, 32] {
            let mut asked = [0; 7];
            for batch in (0..128 * every).step_by(usize::try_from(every).unwrap()) {
                turns.visit((batch, 0), |place| {
                    asked[place] += 1;
                    false
                });
            }
            assert_eq!(asked, [32, 32, 128, 32, 64, 64, 32], "one batch in {every}");
        }
    }

    #[test]
    fn all_of_a_program_are_asked_if_one_is_wrong() {
        let turns = Turns::of(["r", "r", "r", "r", "u", "u", "u"]);
        let mut asked = Vec::new();
        turns.visit((2, 0), |place| {
            asked.push(place);
            place == 2
        });
        assert_eq!(asked, [2, 0, 1, 3, 6]);
    }
}
