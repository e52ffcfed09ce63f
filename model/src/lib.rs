//! The executable reference of the requirements.
//!
//! [`search`] maps a file tree in memory, a configuration and a request to the set of answers that
//! a correct searcher may give (`docs/search.md`). Facts and figures are in [`tables`], which is
//! generated from the specification. The model has no files, clock, threads or environment; nothing
//! is cached, indexed or skipped for speed, so the text of a module reads as the definition of its
//! subject.
//!
//! Modules in the order of a call: `checks`, `request` and `fields` (section 1), `sandbox` (section
//! 2), `walk` with `ignore_rules`, `glob` and `order` (section 3), `text`, `pattern`, `fold` and
//! `fuzzy` (section 4), `events` (section 5), `answer` with `meter`, and `content` (sections 6 and
//! 7), `fallback` (section 8).
//!
//! [`mod@search_files`] and [`agent`] do the same for other tools, and share the modules of
//! sections 2 to 4 (`docs/search-files.md`, `docs/agent-tools.md`, `docs/keyword-search.md`).
//! [`lines`] is the reference for any program that searches lines (`docs/hunt.md`), [`index`] for
//! the index (`docs/claims.md`). Search does not depend on the index: its answers are the same with
//! and without one.

#![allow(
    missing_docs,
    reason = "fields and variants are those of the tables in docs, which define them"
)]
#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod agent;
mod allowed;
mod answer;
mod arguments;
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
mod path_pattern;
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

/// All correct outcomes of calling `tool` with `request` in `world` under `config`.
///
/// An absolute path in the request may start with the literal `{root}`, which stands for the
/// absolute path of the sandbox root; so do paths in the answer that lie outside the working
/// directory (FR-LS-05b, E-B26).
pub fn search(world: &World, config: &Config, tool: &str, request: &Value) -> Allowed {
    match checks::run(world, config, tool, request) {
        Err(refusal) => Allowed::only(Err(refusal)),
        Ok(call) => fallback::answers(world, config, &call),
    }
}

#[cfg(test)]
mod tests;
