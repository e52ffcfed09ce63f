//! Mistakes that the service is told to make are found.

use touchstone::index_live::{Life, Problem, draw, mistakes, revealing};
use touchstone::runner::{Runner, RunnerOptions};

/// Random lives among which most mistakes have to show.
const LIVES: u64 = 250;

/// Mistakes that no life provokes, and why.
const NOT_PROVOKED: &[(&str, &str)] = &[
    (
        "racy",
        "it takes two writes and a reading between them within one tick of the kernel's clock",
    ),
    ("checksum", "no life was found yet in which a flipped bit passes for another answer"),
];

fn runner() -> Runner {
    Runner::new(RunnerOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn wrong(runner: &Runner, life: &Life) -> Option<Problem> {
    runner.play(life).unwrap_or_else(|broken| panic!("{}: {broken}", life.name)).problem
}

#[test]
fn every_index_sabotage_shows_in_its_life() {
    let runner = runner();
    let mut unseen = Vec::new();
    let provoked = |mistake: &String| !NOT_PROVOKED.iter().any(|(other, _)| other == mistake);
    for mistake in mistakes().into_iter().filter(provoked) {
        let life =
            revealing(&mistake).unwrap_or_else(|| panic!("there is no life for `{mistake}`"));
        assert_eq!(wrong(&runner, &life), None, "{mistake}");
        let life = Life { sabotage: Some(mistake.clone()), ..life };
        if wrong(&runner, &life).is_none() {
            unseen.push(mistake);
        }
    }
    assert!(unseen.is_empty(), "not found: {unseen:?}");
}

#[test]
fn random_lives_find_the_most_important_sabotages() {
    let runner = runner();
    for mistake in ["drain", "pending", "ignore_files"] {
        let found = (0..LIVES).find(|number| {
            let life = Life { sabotage: Some(mistake.to_owned()), ..draw(3, *number) };
            wrong(&runner, &life).is_some()
        });
        assert!(found.is_some(), "{mistake} is not found in {LIVES} lives");
    }
}
