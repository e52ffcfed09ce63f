//! Shortens an answer to its budget (section 6): drops matches from the last, then errors
//! (FR-SF-OUT-03, FR-SF-OUT-05, E-I06).
//!
//! A larger budget never leaves out what a smaller one keeps; the figures of the search stay.

use super::answer::Answer;
use super::file_matches::count;
use crate::tables::caps::{LengthBudget, Part};
use crate::tables::files::Shortfall;

/// The text of the answer with as many matches, and then errors, as fit into `most` bytes. The
/// error is the length of the shortest answer: the smallest sufficient budget.
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

/// The answer with less and less in it, in the order of removal.
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
    /// Removes the last item of a kind, if there is one.
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
