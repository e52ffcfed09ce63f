//! Document 004 as the real service carries it out: `search_text`, the path search and `grep`,
//! behind their registry.
//!
//! Responsible for: one test for each clause or small group of clauses, with what it expects
//! written by hand. Not here: random calls against the model (the suite `agent-tools`),
//! stored cases (`goldens`), the protocol that carries the tools to a client. Every single call
//! that is looked at here is held against the model as well ([`asked`]).

mod answer;
pub(crate) mod asked;
mod configuration;
mod faults;
mod grep;
mod index;
pub(crate) mod log;
mod nothing_eligible;
mod other_names;
mod pages;
mod paths;
mod rate;
mod registry;
mod request;
mod server;
mod session;
mod text;
