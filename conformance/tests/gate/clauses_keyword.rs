//! Document 002 as the real service carries it out: `keyword_search` behind its registry, with the
//! real client and servers of models on loopback.
//!
//! Responsible for: one test for each clause or small group of clauses, with what it expects
//! written by hand; trees that try to talk a model, and through it the service, into something.
//! Not here: random calls against the model (the suite `keyword`), stored cases
//! (`goldens`), how well the ranking does (`benches`). Invariants: no network, no key, no variable
//! of the environment is set in this process; nobody but these servers is asked.

mod choice;
pub(crate) mod desk;
mod failures;
mod hits;
mod injection;
mod limits;
mod models;
mod no_model;
mod program;
mod reply;
mod request;
mod scope;
mod secrets;
pub(crate) mod server;
