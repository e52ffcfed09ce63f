//! Mistakes that the service is told to make are found.

use touchstone::index_live::{Life, Problem, draw, revealing, sabotages};
use touchstone::runner::{Runner, RunnerOptions};

/// Random lives among which most sabotages have to show.
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
    let provoked = |sabotage: &String| !NOT_PROVOKED.iter().any(|(other, _)| other == sabotage);
    for sabotage in sabotages().into_iter().filter(provoked) {
        let life =
            revealing(&sabotage).unwrap_or_else(|| panic!("there is no life for `{sabotage}`"));
        assert_eq!(wrong(&runner, &life), None, "{sabotage}");
        let life = Life { sabotage: Some(sabotage.clone()), ..life };
        if wrong(&runner, &life).is_none() {
            unseen.push(sabotage);
        }
    }
    assert!(unseen.is_empty(), "not found: {unseen:?}");
}

#[test]
fn random_lives_find_the_most_important_sabotages() {
    let runner = runner();
    for sabotage in ["drain", "pending", "ignore_files"] {
        let found = (0..LIVES).find(|number| {
            let life = Life { sabotage: Some(sabotage.to_owned()), ..draw(3, *number) };
            wrong(&runner, &life).is_some()
        });
        assert!(found.is_some(), "{sabotage} is not found in {LIVES} lives");
    }
}
