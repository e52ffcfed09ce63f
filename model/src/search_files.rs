//! The tool `search_files` (`docs/search-files.md`).
//!
//! [`search_files`] maps a file tree in memory, a configuration and a request to the correct texts
//! of the answer, with an `elapsed_ms` of 0.
//!
//! Modules in the order of a call: `checks` and `request` (section 2), the crate's `sandbox` and
//! `walk` (section 3), `matching`, `similarity` and `file_matches` (section 4), `answer` (section
//! 5), `budget` (section 6), `json` (section 7).

mod answer;
mod budget;
mod checks;
mod config;
mod file_matches;
mod json;
mod matching;
mod request;
mod similarity;

pub use config::Config;
pub use similarity::best_window;

use serde_json::Value;

use crate::tables::files::FilesCheck;
use crate::{Refusal, World};

/// The text of the answer, or an error.
pub type Outcome = Result<String, Refusal>;

pub type Allowed = crate::Allowed<Outcome>;

/// All correct outcomes of calling the tool with `request` in `world` under `config`.
///
/// An absolute path in the request may start with the literal `{root}`, as for [`crate::search`].
pub fn search_files(world: &World, config: &Config, request: &Value) -> Allowed {
    let call = match checks::run(world, config, request) {
        Err(refusal) => return Allowed::only(Err(refusal)),
        Ok(call) => call,
    };
    let answers = answer::answers(world, config, &call);
    let mut outcomes = answers.iter().map(|answer| {
        let fitted = fitted(answer, config, config.effective_max);
        fitted.map_err(|_| over_budget(config))
    });
    // There is at least one correct answer.
    let usual = outcomes.next().unwrap_or_else(|| Err(over_budget(config)));
    outcomes.fold(Allowed::only(usual), Allowed::or)
}

/// The smallest `effective_max` that does not refuse the call, if only the budget can refuse it:
/// the number in that error's message (E-I06). For a call without a deadline.
pub fn smallest_budget(world: &World, config: &Config, request: &Value) -> Option<u64> {
    let call = checks::run(world, config, request).ok()?;
    let answers = answer::answers(world, config, &call);
    fitted(answers.first()?, config, 0).err()
}

fn fitted(answer: &answer::Answer, config: &Config, most: u64) -> Result<String, u64> {
    let budget = &config.search.tables.caps.length_files;
    budget::fitted(answer, budget, most, |answer| json::written(config, answer))
}

/// The error of the last check.
fn over_budget(config: &Config) -> Refusal {
    let row = config.tables.checks.iter().find(|row| row.check == FilesCheck::Budget);
    // Only an incomplete table has no such row.
    row.map_or_else(
        || Refusal { class: "ExecutionFailed".to_owned(), field: "tables".to_owned() },
        |row| crate::checks::refusal(row, String::new()),
    )
}

#[cfg(test)]
mod tests;
