//! What requests of the agent's tools mean (`docs/agent-tools.md`): `grep`, the path search,
//! `search_text`.
//!
//! Responsible for: three total functions, [`grep`], [`find_files`] and [`search_text`], from a
//! file tree held in memory, a
//! configuration and a request to the answer, and [`decisions`], what becomes of calls that come at
//! given times.
//! Left to neighbours: what is the same for `Search`: which files are eligible, what a glob or an
//! expression is, lines.
//! Invariants: those of the crate. An answer is known with all its pages; how many results the
//! budget leaves is not decided
//! here, for it depends on messages, whose wording is free: [`Answer::page`] shows what the answer
//! is with each number.
//!
//! The rooms, in the order a call passes through them: `request` (section 2), the crate's `sandbox`
//! and `walk`, `files`,
//! then `grep` (section 4), `paths` (section 5), or `query`, `identifier`, `definition`,
//! `occurrence` and `ranking`
//! (section 6), `lines` (section 7), `answer` (section 3); `rate` (section 8). [`keyword`] is
//! another tool, which shares them
//! (`docs/keyword-search.md`).

mod answer;
mod config;
mod definition;
mod expression;
mod files;
mod grep;
mod identifier;
pub mod keyword;
mod lines;
mod occurrence;
mod paths;
mod query;
mod ranking;
mod rate;
mod request;

pub use answer::{Answer, FREE_TEXT};
pub use config::Config;
pub use rate::{Decision, decisions};

use serde_json::{Map, Value, json};

use crate::World;
use crate::tables::agent::{AgentError, AgentTables, AgentTool};

/// What a call comes back with.
pub type Outcome = Result<Answer, Refusal>;

/// Why a call was refused; its message is free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// For what.
    pub error: AgentError,
    /// The field of the request that is wrong, if one is.
    pub field: Option<String>,
}

impl Refusal {
    fn of(error: AgentError) -> Refusal {
        Refusal { error, field: None }
    }

    fn at(error: AgentError, field: &str) -> Refusal {
        Refusal { error, field: Some(field.to_owned()) }
    }

    /// As calls come back with it; what is free is [`FREE_TEXT`].
    pub fn json(&self, tables: &AgentTables) -> Value {
        let mut object = Map::new();
        if let Some(row) = tables.error(self.error) {
            object.insert("error".to_owned(), json!(row.word));
            object.insert("code".to_owned(), json!(row.code));
        }
        object.insert("message".to_owned(), json!(FREE_TEXT));
        object.extend(self.field.iter().map(|field| ("field".to_owned(), json!(field))));
        Value::Object(object)
    }
}

/// The lines that hold a pattern.
pub fn grep(world: &World, config: &Config, request: &Value) -> Outcome {
    let call = request::read(world, config, AgentTool::Grep, request)?;
    Ok(grep::answer(world, config, &call).eligible(files::is_any_eligible(world, config, &call)))
}

/// The files whose path matches a pattern.
pub fn find_files(world: &World, config: &Config, request: &Value) -> Outcome {
    let call = request::read(world, config, AgentTool::FindFiles, request)?;
    Ok(paths::answer(world, config, &call).eligible(files::is_any_eligible(world, config, &call)))
}

/// The files that hold all terms of a query, the most relevant first.
pub fn search_text(world: &World, config: &Config, request: &Value) -> Outcome {
    let call = request::read(world, config, AgentTool::SearchText, request)?;
    Ok(ranking::answer(world, config, &call).eligible(files::is_any_eligible(world, config, &call)))
}

#[cfg(test)]
mod tests;
