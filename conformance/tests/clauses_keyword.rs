//! Document 002 as the real service carries it out: `keyword_search` behind its registry, with the real client and servers of models on loopback.
//!
//! Responsible for: one test for each clause or small group of clauses, with what it expects written by hand; trees that try to talk a model, and
//! through it the service, into something.
//! Left to neighbours: random calls against the model (the suite `keyword`), stored cases (`goldens`), how well the ranking does (`benches`).
//! Invariants: no network, no key, no variable of the environment is set in this process; nobody but these servers is asked.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails says so by panicking"
)]

#[path = "clauses_keyword/choice.rs"]
mod choice;
#[path = "clauses_keyword/desk.rs"]
mod desk;
#[path = "clauses_keyword/failures.rs"]
mod failures;
#[path = "clauses_keyword/hits.rs"]
mod hits;
#[path = "clauses_keyword/injection.rs"]
mod injection;
#[path = "clauses_keyword/limits.rs"]
mod limits;
#[path = "clauses_keyword/models.rs"]
mod models;
#[path = "clauses_keyword/program.rs"]
mod program;
#[path = "clauses_keyword/reply.rs"]
mod reply;
#[path = "clauses_keyword/request.rs"]
mod request;
#[path = "clauses_keyword/scope.rs"]
mod scope;
#[path = "clauses_keyword/secrets.rs"]
mod secrets;
#[path = "clauses_keyword/server.rs"]
mod server;
#[path = "clauses_keyword/silence.rs"]
mod silence;
