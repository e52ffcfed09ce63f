//! Lives of the real index: one, and invariants of the harness. Drawn lives are the suite `index`.

use std::time::Duration;

use touchstone::index_live::{Act, Life, Played, draw, scenarios};
use touchstone::runner::{Runner, RunnerOptions};

fn runner() -> Runner {
    let options = RunnerOptions { deadline: Duration::from_secs(60), ..RunnerOptions::default() };
    Runner::new(options).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays a life that has to go well.
fn well(runner: &Runner, life: &Life) -> Played {
    let played = runner.play(life).unwrap_or_else(|broken| panic!("{}: {broken}", life.name));
    if let Some(problem) = &played.problem {
        panic!("{}: at {:?}: {}\n{}", life.name, problem.at, problem.what, problem.told);
    }
    played
}

#[test]
fn lives_are_reproducible_and_survive_serialization() {
    for number in 0..200 {
        let life = draw(7, number);
        assert_eq!(life, draw(7, number));
        let json = serde_json::to_string(&life).unwrap();
        let back: Life = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), json);
    }
    assert_ne!(draw(7, 1).acts, draw(8, 1).acts);
}

#[test]
fn an_index_excludes_files_and_every_answer_equals_the_model() {
    let runner = runner();
    let scenario =
        scenarios(false).into_iter().find(|scenario| scenario.life.name == "first").unwrap();
    let played = well(&runner, &scenario.life);
    assert!(played.tally.excluded > 0 && played.tally.excluding > 0, "{:?}", played.tally);
    for (trigger, state) in scenario.walks {
        assert!(played.tally.cells.get(trigger, state) > 0, "{trigger} in {state}");
    }
}

#[test]
fn a_violated_expectation_is_reported_with_its_act() {
    let runner = runner();
    let mut life = scenarios(false).remove(0).life;
    life.acts = vec![Act::find("needle"), Act::excludes(true)];
    let problem = runner.play(&life).unwrap().problem.unwrap();
    assert_eq!(problem.at, Some(1), "{problem:?}");
}
