//! Document 004 as the real service carries it out: `search_text`, the path search and `grep`, behind their registry.
//!
//! Responsible for: one test for each clause or small group of clauses, with what it expects written by hand.
//! Left to neighbours: random calls against the model (the suite `agent-tools`), stored cases (`goldens`), the protocol that
//! carries the tools to a client. Every single call that is looked at here is held against the model as well ([`asked`]).

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that fails says so by panicking"
)]

mod clauses;

#[path = "clauses_agent/answer.rs"]
mod answer;
#[path = "clauses_agent/asked.rs"]
mod asked;
#[path = "clauses_agent/configuration.rs"]
mod configuration;
#[path = "clauses_agent/faults.rs"]
mod faults;
#[path = "clauses_agent/grep.rs"]
mod grep;
#[path = "clauses_agent/index.rs"]
mod index;
#[path = "clauses_agent/log.rs"]
mod log;
#[path = "clauses_agent/paths.rs"]
mod paths;
#[path = "clauses_agent/rate.rs"]
mod rate;
#[path = "clauses_agent/registry.rs"]
mod registry;
#[path = "clauses_agent/request.rs"]
mod request;
#[path = "clauses_agent/session.rs"]
mod session;
#[path = "clauses_agent/text.rs"]
mod text;
