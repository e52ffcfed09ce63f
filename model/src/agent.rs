//! The agent's tools `grep`, path search and `search_text` (`docs/agent-tools.md`).
//!
//! [`grep`], [`find_files`] and [`search_text`] map a file tree in memory, a configuration and a
//! request to the answer; [`decisions`] maps the times of calls to decisions of the rate limit. An
//! answer has the results of all pages: how many the budget leaves depends on the wording of
//! messages, which is free, so [`Answer::page`] renders the page for any number.
//!
//! Modules in the order of a call: `request` (section 2), the crate's `sandbox` and `walk`,
//! `files`, then `grep` (section 4), `paths` (section 5), or `query`, `identifier`, `definition`,
//! `occurrence` and `ranking` (section 6), `lines` (section 7), `answer` (section 3); `rate`
//! (section 8). [`keyword`] is another tool that shares them (`docs/keyword-search.md`).

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
pub use definition::prober;
pub use rate::{Decision, decisions};

use serde_json::{Map, Value, json};

use crate::World;
use crate::tables::agent::{AgentError, AgentTables, AgentTool};

/// The result of a call.
pub type Outcome = Result<Answer, Refusal>;

/// The error of a refused call. The wording of its message is free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub error: AgentError,
    /// The invalid field of the request.
    pub field: Option<String>,
}

impl Refusal {
    fn of(error: AgentError) -> Refusal {
        Refusal { error, field: None }
    }

    fn at(error: AgentError, field: &str) -> Refusal {
        Refusal { error, field: Some(field.to_owned()) }
    }

    /// The error as JSON; free texts are [`FREE_TEXT`].
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

/// The lines that match a pattern.
pub fn grep(world: &World, config: &Config, request: &Value) -> Outcome {
    let call = request::read(world, config, AgentTool::Grep, request)?;
    Ok(grep::answer(world, config, &call).eligible(files::is_any_eligible(world, config, &call)))
}

/// The files whose paths match a pattern.
pub fn find_files(world: &World, config: &Config, request: &Value) -> Outcome {
    let call = request::read(world, config, AgentTool::FindFiles, request)?;
    Ok(paths::answer(world, config, &call).eligible(files::is_any_eligible(world, config, &call)))
}

/// The files that contain all terms of a query, the most relevant first.
pub fn search_text(world: &World, config: &Config, request: &Value) -> Outcome {
    let call = request::read(world, config, AgentTool::SearchText, request)?;
    Ok(ranking::answer(world, config, &call).eligible(files::is_any_eligible(world, config, &call)))
}

#[cfg(test)]
mod tests;
