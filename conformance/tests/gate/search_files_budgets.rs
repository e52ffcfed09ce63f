//! Random answers of `search_files`, each called for under every budget from nothing to its length.
//!
//! What has to hold between those answers is said in `budget.rs`; here it is tried on the real
//! service.

use std::sync::atomic::Ordering;

use touchstone::gate::{BudgetJudge, DEFAULT_SEED, Judge, Limit, Source, drive, processors};
use touchstone::generate::Mix;
use touchstone::runner::{Runner, RunnerOptions};
use touchstone::subject::Verdict;

const WORKER: &str = env!("CARGO_BIN_EXE_touchstone");

/// Answers that are asked for; refusals and answers too long for this come on top. A run of 2,000
/// is `touchstone check --suite search-files --cases 2000`.
const ANSWERS: u64 = 120;

#[test]
fn a_search_files_answer_is_correct_under_every_budget() {
    touchstone::verifies!("FR-SF-OUT-03", "FR-SF-OUT-05", "NFR-SF-REL-01", "T-SF-07");
    let runner =
        Runner::new(RunnerOptions { worker: Some(WORKER.into()), ..RunnerOptions::default() })
            .unwrap();
    let judge = BudgetJudge::new(&runner);
    let judges: [&dyn Judge; 1] = [&judge];
    let limit = Limit::Cases(ANSWERS + ANSWERS / 4);
    let source = Source::Random { mix: Mix::SmallFiles, seed: DEFAULT_SEED, limit };
    let run = drive(&source, &judges, processors(), &|_| {});
    if let Some(failure) = run.failures.first() {
        let what = match &failure.verdict {
            Verdict::Diverge(found) => touchstone::compare::render(found),
            other => format!("{other:?}"),
        };
        panic!("{} failure(s), the first:\n{}{what}", run.failures.len(), failure.case.to_yaml());
    }
    let (answers, budgets) =
        (judge.answers.load(Ordering::Relaxed), judge.budgets.load(Ordering::Relaxed));
    assert!(answers >= ANSWERS, "only {answers} answers");
    assert!(budgets > 400 * answers, "only {budgets} calls for {answers} answers");
}
