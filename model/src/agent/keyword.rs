//! `keyword_search` (`docs/keyword-search.md`).
//!
//! [`keyword_search`] maps a file tree in memory, a configuration, a request and a language model
//! (a function from data to reply) to the answer. The wording around the data is free, and the
//! model is chosen elsewhere. Invariant: a model determines only the choice and order of files,
//! which lines of a file are shown, and `model_reason`.
//!
//! Modules in the order of a call: `request` with `query_terms` (section 1), `root` (section 2),
//! `files` and `pool`, then `any_term` or `selected_terms` (section 3) with `secrets` (section 5)
//! and `rank` with `references` (section 4), `prompt` and `reply` (section 7), `answer` (section 8).

mod answer;
mod any_term;
mod files;
mod pool;
mod prompt;
mod query_terms;
mod rank;
mod references;
mod reply;
mod request;
mod root;
mod secrets;
mod selected_terms;

pub use answer::Answer;
pub use prompt::boundary;
pub use secrets::{oddness, redactor};

use serde_json::Value;

use super::Refusal;
use crate::World;
use crate::tables::agent::AgentError;
use crate::tables::keyword::KeywordTables;
use crate::walk::{BroughtBack, Depth, Links, Paths, Scope};

/// The configuration, and circumstances of a call that can change an answer.
#[derive(Debug, Clone)]
pub struct Config {
    pub agent: super::Config,
    /// Longest text of a term in bytes.
    pub term_bytes: u64,
    /// Longest text of all kept terms in bytes.
    pub total_bytes: u64,
    /// Whether terms are selected, and broad ones skipped.
    pub skip_broad_terms: bool,
    /// Whether terms are derived from the query if the request has none.
    pub terms_from_query: bool,
    /// Whether a request that does not say wants a model, without which it is refused.
    pub use_model_default: bool,
    /// The absolute path of the sandbox root, for paths outside the working directory.
    pub root: String,
    pub tables: &'static KeywordTables,
}

/// A language model: its names, and its reply to data; `None` if the call fails.
#[derive(Clone, Copy)]
pub struct Model<'m> {
    /// The name of the preference.
    pub name: &'m str,
    /// The provider's name.
    pub model: &'m str,
    pub host: &'m str,
    /// The reply to data.
    pub says: &'m dyn Fn(&str) -> Option<String>,
}

/// The result of a call.
pub type Outcome = Result<Answer, Refusal>;

/// The files that are relevant for a query.
pub fn keyword_search(
    world: &World,
    config: &Config,
    request: &Value,
    model: Option<&Model<'_>>,
) -> Outcome {
    let call = request::read(config, request)?;
    let lacks_model = call.use_model && !call.dry_run && model.is_none();
    if lacks_model && config.use_model_default {
        return Err(Refusal::of(AgentError::NoModel));
    }
    let root = root::search_root(world, config);
    let scope = Scope {
        root: &root,
        include: &[],
        exclude: &[],
        depth: Depth::All,
        hidden: false,
        brought_back: BroughtBack::default(),
        links: Links::Skipped,
        no_ignore: false,
        paths: Paths::FromWorkingDirectory,
    };
    let eligible = super::files::files_of(world, &config.agent, &scope, true, |_| true);
    let readings = eligible.read(&config.agent);
    let files = files::searched(config, &call, &eligible, &readings);
    let found = if config.skip_broad_terms {
        selected_terms::find(config, &call, &files)?
    } else {
        any_term::find(config, &call, &files)
    };
    let shortfalls = eligible.shortfalls(readings.iter());
    let is_any_eligible = !files.is_empty();
    Ok(answer::answer(config, &call, &root, &found, &shortfalls, is_any_eligible, model))
}

#[cfg(test)]
mod tests;
