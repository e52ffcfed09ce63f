//! Document 001 as the real service carries it out: `search_files` over the embedded backend, ripgrep and ugrep.
//!
//! Responsible for: one test for each clause or small group of clauses, with what it expects written by hand.
//! Left to neighbours: random cases against the model (the suites), stored cases (`goldens`). Every answer that is looked at here is
//! held against the model as well ([`asked`]).

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails says so by panicking"
)]

mod clauses;

#[path = "clauses_files/answer.rs"]
mod answer;
#[path = "clauses_files/asked.rs"]
mod asked;
#[path = "clauses_files/backends.rs"]
mod backends;
#[path = "clauses_files/budget.rs"]
mod budget;
#[path = "clauses_files/configuration.rs"]
mod configuration;
#[path = "clauses_files/limits.rs"]
mod limits;
#[path = "clauses_files/matching.rs"]
mod matching;
#[path = "clauses_files/paths.rs"]
mod paths;
#[path = "clauses_files/request.rs"]
mod request;
