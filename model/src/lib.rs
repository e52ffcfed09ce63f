//! The executable reference: what a `Search` request means.
//!
//! Responsible for: one total function, [`search`], from a file tree held in memory, a
//! configuration and a request
//! to the set of answers a correct searcher may give (`docs/search.md`, all sections).
//! Left to neighbours: facts and figures ([`tables`], written from the specification), running real
//! searchers and
//! comparing them with this.
//! Invariants: no files, no clock, no threads, no environment; the same arguments give the same
//! set. Nothing is
//! cached, indexed or skipped for speed: every line of every file that counts is looked at, so that
//! the text of a
//! module can be read as the definition of what it is about.
//!
//! The rooms, in the order a call passes through them: `checks`, `request` and `fields` (section
//! 1), `sandbox` (section 2),
//! `walk` with `ignore_rules`, `glob` and `order` (section 3), `text`, `pattern`, `fold` and
//! `fuzzy` (section 4),
//! `events` (section 5), `answer` with `meter`, and `content` (sections 6 and 7), `fallback`
//! (section 8).
//!
//! Beside them stand [`mod@search_files`] and [`agent`], the same for other tools, which share the
//! rooms of sections 2 to 4
//! (`docs/search-files.md`, `docs/agent-tools.md`, `docs/keyword-search.md`); [`lines`], what any
//! program that searches lines should answer (`docs/hunt.md`); and [`index`], the
//! executable reference of what an index may claim, and when (`docs/index.md`). Searching does not
//! know of the index: with or
//! without one, a search answers the same.

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod agent;
mod allowed;
mod answer;
mod checks;
mod config;
mod content;
mod events;
mod fallback;
mod fields;
mod fold;
mod fuzzy;
pub mod generated;
mod glob;
mod ignore_rules;
pub mod index;
pub mod lines;
mod meter;
mod order;
mod outcome;
mod pattern;
mod place;
mod request;
mod sandbox;
pub mod search_files;
pub mod tables;
mod text;
mod walk;
mod world;

pub use allowed::Allowed;
pub use config::Config;
pub use outcome::{Answer, Event, Fallback, Outcome, Refusal, Skipped, Stats};
pub use world::{Node, World};

use serde_json::Value;

/// Everything a correct searcher may answer to `request`, called by the name `tool`, in `world`
/// under `config`.
///
/// An absolute path in the request may start with the literal `{root}`, which stands for the
/// absolute path of the
/// sandbox root; paths in the answer that lie outside the working directory start with it too
/// (FR-LS-05b, E-B26).
pub fn search(world: &World, config: &Config, tool: &str, request: &Value) -> Allowed {
    match checks::run(world, config, tool, request) {
        Err(refusal) => Allowed::only(Err(refusal)),
        Ok(call) => fallback::answers(world, config, &call),
    }
}

#[cfg(test)]
mod tests;
