//! What callers do: every row of golden/callers, asked of the server, the command line and the
//! model.

use std::collections::BTreeSet;

use touchstone::callers;
use touchstone::golden;
use touchstone::records::Recorder;

use crate::program::program;

/// Rows are few bytes and many processes.
const THREADS: usize = 4;

#[test]
fn every_caller_gets_the_right_answer() {
    let Some(program) = program() else { return };
    let rows = callers::load(&golden::directory("callers")).unwrap();
    let clauses: BTreeSet<&str> =
        rows.iter().flat_map(|row| &row.verifies).map(String::as_str).collect();
    let clauses: Vec<&str> = clauses.into_iter().collect();
    let _claim = (!clauses.is_empty())
        .then(|| Recorder::of_test("gate::callers::every_caller_gets_the_right_answer", &clauses));
    let failures = callers::run(&rows, &program, THREADS);
    let told: Vec<String> = failures
        .iter()
        .map(|failure| {
            format!("{} ({}):\n  {}", failure.row, failure.subject, failure.why.join("\n  "))
        })
        .collect();
    assert!(told.is_empty(), "{} of {} rows: {}", told.len(), rows.len(), told.join("\n"));
}
