//! Failing lives made small.
//!
//! Not here: playing them ([`super::play`]). Invariants: what comes out fails in the same way (the
//! same few words) as what went in; every try costs one life, and there are at most so many, for so
//! long.

use std::time::{Duration, Instant};

use super::life::Life;
use super::played::Problem;

/// How long making one life small may take.
const BUDGET: Duration = Duration::from_secs(15);

/// Makes a life small. `fails` plays one and says what is wrong.
pub fn shrink(
    life: Life,
    problem: Problem,
    tries: u32,
    mut fails: impl FnMut(&Life) -> Option<Problem>,
) -> (Life, Problem) {
    let mut best = (life, problem);
    let mut left = tries;
    let until = Instant::now() + BUDGET;
    let mut fails = |life: &Life| if Instant::now() < until { fails(life) } else { None };
    // What comes after the act that went wrong has nothing to do with it.
    if let Some(at) = best.1.at {
        best.0.acts.truncate(at + 1);
    }
    let mut chunk = best.0.acts.len().div_ceil(2).max(1);
    loop {
        let mut changed = false;
        let mut at = 0;
        while at < best.0.acts.len() && left > 0 {
            let mut smaller = best.0.clone();
            smaller.acts.drain(at..(at + chunk).min(best.0.acts.len()));
            changed |= attempt(&mut best, smaller, &mut left, &mut fails);
            at += chunk;
        }
        if chunk == 1 && !changed {
            break;
        }
        if left == 0 {
            break;
        }
        chunk = (chunk / 2).max(1);
    }
    let entries = best.0.tree.len();
    for at in (0..entries).rev() {
        let mut smaller = best.0.clone();
        smaller.tree.remove(at);
        attempt(&mut best, smaller, &mut left, &mut fails);
    }
    let keys: Vec<String> = best.0.settings.keys().cloned().collect();
    for key in keys {
        let mut smaller = best.0.clone();
        smaller.settings.remove(&key);
        attempt(&mut best, smaller, &mut left, &mut fails);
    }
    let mut smaller = best.0.clone();
    smaller.config = touchstone_cases::case::CaseConfig::default();
    attempt(&mut best, smaller, &mut left, &mut fails);
    best
}

fn attempt(
    best: &mut (Life, Problem),
    smaller: Life,
    left: &mut u32,
    fails: &mut impl FnMut(&Life) -> Option<Problem>,
) -> bool {
    if *left == 0 || smaller == best.0 {
        return false;
    }
    *left -= 1;
    match fails(&smaller) {
        Some(problem) if problem.what == best.1.what => {
            *best = (smaller, problem);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Act, draw};

    #[test]
    fn a_life_is_shrunk_to_its_needed_parts() {
        let life = draw(1, 1);
        let needed = |life: &Life| {
            let wrong = life.acts.contains(&Act::Settle) && !life.tree.is_empty();
            wrong.then(|| Problem { at: None, what: "wrong".to_owned(), told: String::new() })
        };
        let problem = needed(&life).unwrap();
        let (small, _) = shrink(life, problem, 1_000, needed);
        assert_eq!((small.acts.len(), small.tree.len(), small.settings.len()), (1, 1, 0));
    }
}
