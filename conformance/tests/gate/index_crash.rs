//! Processes that are killed while they index.

use touchstone::gate::Limit;
use touchstone::index_suites::{Extent, campaign};
use touchstone::runner::{Runner, RunnerOptions};

#[test]
fn processes_after_a_killed_one_answer_correctly() {
    let runner = Runner::new(RunnerOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    let extent = Extent { threads: 2, seed: 5, limit: Limit::Cases(12), shrinks: false };
    let done = campaign(&runner, extent, &|_| {});
    let told: Vec<String> =
        done.wrong.iter().map(|wrong| format!("{}\n{}", wrong.what, wrong.told)).collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
    assert!(done.kills >= 12, "{:?}", done.by);
}
