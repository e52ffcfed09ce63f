//! `keyword_search`: what requests mean that look for files by words (`docs/keyword-search.md`).
//!
//! Responsible for: one total function, [`keyword_search`], from a file tree held in memory, a
//! configuration, a request and a
//! language model, which is a function of the data it is given, to the answer.
//! Left to neighbours: lines, words and definitions, which are those of the agent's other tools
//! ([`super`]); which files are
//! eligible; the words around the data, which are free; which model is chosen.
//! Invariants: those of the crate. Nothing of an answer is a model's but the choice and order of
//! files, which of a file's hits
//! are shown, and `model_reason`.
//!
//! The rooms, in the order a call passes through them: `request` with `query_terms` (section 1),
//! `root` (section 2), `hits` with `hit_files` (section 3) and `secrets` (section 5), `prompt` (section
//! 7), `rank` with `references` (section 4), `reply` (section 7, What it answers), `answer` (section
//! 8).

mod answer;
mod hit_files;
mod hits;
mod prompt;
mod query_terms;
mod rank;
mod references;
mod reply;
mod request;
mod root;
mod secrets;

pub use answer::Answer;
pub use prompt::boundary;

use serde_json::Value;

use super::Refusal;
use crate::World;
use crate::tables::agent::AgentError;
use crate::tables::keyword::KeywordTables;

/// What configuration and circumstances say.
#[derive(Debug, Clone)]
pub struct Config {
    /// What is the same for the agent's other tools.
    pub agent: super::Config,
    /// Longest text of a term, bytes.
    pub term_bytes: u64,
    /// Longest text of all kept terms, bytes.
    pub total_bytes: u64,
    /// Most files that skipped terms lead to.
    pub broad_files: u64,
    /// Whether terms are made from the query where none are given.
    pub terms_from_query: bool,
    /// The absolute path of the sandbox root, as far as paths are shown that lie outside the
    /// working directory.
    pub root: String,
    /// What the specification states as data.
    pub tables: &'static KeywordTables,
}

/// A language model: what it is called, and what it says to data. Nothing if it fails, in whatever
/// way.
#[derive(Clone, Copy)]
pub struct Model<'m> {
    /// The name of the preference.
    pub name: &'m str,
    /// What it is called where it is.
    pub model: &'m str,
    /// Where it is.
    pub host: &'m str,
    /// What it says.
    pub says: &'m dyn Fn(&str) -> Option<String>,
}

/// Everything there is to a call's end.
pub type Outcome = Result<Answer, Refusal>;

/// The files that matter for a query.
pub fn keyword_search(
    world: &World,
    config: &Config,
    request: &Value,
    model: Option<&Model<'_>>,
) -> Outcome {
    let call = request::read(config, request)?;
    if call.use_model && !call.dry_run && model.is_none() {
        return Err(Refusal::of(AgentError::NoModel));
    }
    let root = root::search_root(world, config);
    let found = hits::find(world, config, &call, &root);
    if config.broad_files == 0 && found.kept().next().is_none() {
        return Err(Refusal::at(AgentError::TermsTooBroad, "search_terms"));
    }
    Ok(answer::answer(config, &call, &root, &found, model))
}

#[cfg(test)]
mod tests;
