//! Document 001 as the real service carries it out: `search_files` over the embedded backend,
//! ripgrep and ugrep.
//!
//! Responsible for: one test for each clause or small group of clauses, with what it expects
//! written by hand. Not here: random cases against the model (the suites), stored cases
//! (`goldens`). Every answer that is looked at here is held against the model as well ([`asked`]).

use crate::clauses;

mod answer;
mod asked;
mod backends;
mod budget;
mod configuration;
mod limits;
mod matching;
mod paths;
#[cfg(target_os = "linux")]
mod remote;
mod request;
