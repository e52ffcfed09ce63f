//! What is left of an answer that is too long.
//!
//! Responsible for: section 6: first matches go, from the last, then errors (FR-SF-OUT-03,
//! FR-SF-OUT-05, E-I06).
//! Left to neighbours: how long an answer is (`json`), whatever else it says (`answer`).
//! Invariants: of two budgets the larger never leaves out what the smaller lets through; the
//! figures of the search stay.

use super::answer::Answer;
use super::file_matches::count;
use crate::tables::caps::{LengthBudget, Part};
use crate::tables::files::Shortfall;

/// The text of the answer with as many matches, and then errors, as fit into `most` bytes. If
/// nothing fits, the length of
/// the shortest: the smallest budget that works.
pub(super) fn fitted(
    answer: &Answer,
    budget: &LengthBudget<Shortfall>,
    most: u64,
    write: impl Fn(&Answer) -> String,
) -> Result<String, u64> {
    let whole = write(answer);
    if count(whole.len()) <= most {
        return Ok(whole);
    }
    let mut shortest = count(whole.len());
    for shorter in shortened(answer, budget) {
        let text = write(&shorter);
        if count(text.len()) <= most {
            return Ok(text);
        }
        shortest = shortest.min(count(text.len()));
    }
    Err(shortest)
}

/// The answer with ever less in it, in the order in which it is left out.
fn shortened(answer: &Answer, budget: &LengthBudget<Shortfall>) -> Vec<Answer> {
    let mut shorter = answer.clone();
    shorter.short_of.insert(budget.reason);
    let mut all = Vec::new();
    for part in budget.leaves_out {
        while shorter.lose_last(*part) {
            all.push(shorter.clone());
        }
    }
    all
}

impl Answer {
    /// Leaves out the last of a kind, if there is one.
    fn lose_last(&mut self, part: Part) -> bool {
        match part {
            Part::Matches => self.matches.pop().is_some(),
            Part::Errors => self.errors.pop().is_some(),
            Part::Results => false,
        }
    }
}

#[cfg(test)]
mod tests;
