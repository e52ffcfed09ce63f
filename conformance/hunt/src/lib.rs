//! The hunt: any search program against the model, release by release (docs/hunt.md is the
//! contract).
//!
//! Responsible for: questions that any program can be asked ([`question`]), what comes back
//! ([`answer`]), what that is worth ([`verdict`]), what a run came to ([`results`]), and where
//! releases are found or installed ([`provision`]). Not here: the service and its own gate
//! (`touchstone::gate`). Invariants: no answer is not "no match"; whatever is said of a program can
//! be shown by one command with the program alone.

#![allow(
    missing_docs,
    reason = "the harness alone builds on it, and a name often says all there is"
)]

pub mod adapter;
pub mod answer;
pub mod baseline;
pub mod bisect;
pub mod campaign;
pub mod cluster;
pub mod command;
pub mod cost;
pub mod diff;
pub mod draw;
pub mod expect;
mod explain;
pub mod fake;
pub mod features;
pub mod finding;
pub mod git;
pub mod groups;
pub mod judge;
pub mod meanings;
pub mod merge;
pub mod museum;
pub mod native;
pub mod outcome;
pub mod pack_directory;
pub mod plainer;
pub mod protocol;
pub mod provision;
pub mod question;
pub mod relations;
pub mod report;
pub mod results;
pub mod run;
pub mod scaffold;
mod scratch;
pub mod searcher;
pub mod shrink;
pub mod smoke;
pub mod stored;
pub mod subjects;
pub mod tally;
pub mod verdict;
pub mod watch;
