//! Invariants of the harness of lives. Lives themselves are the suite `index`.

use std::time::Duration;

use touchstone::index_live::{Act, Life, draw, scenarios};
use touchstone::runner::{Runner, RunnerOptions};

fn runner() -> Runner {
    let options = RunnerOptions { deadline: Duration::from_secs(60), ..RunnerOptions::default() };
    Runner::new(options).unwrap_or_else(|error| panic!("{error}"))
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
fn a_violated_expectation_is_reported_with_its_act() {
    let runner = runner();
    let mut life = scenarios(false).remove(0).life;
    life.acts = vec![Act::find("needle"), Act::excludes(true)];
    let problem = runner.play(&life).unwrap().problem.unwrap();
    assert_eq!(problem.at, Some(1), "{problem:?}");
}
