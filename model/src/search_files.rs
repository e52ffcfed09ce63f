//! What a `search_files` request means (`docs/search-files.md`).
//!
//! Responsible for: one total function, [`search_files`], from a file tree held in memory, a
//! configuration and a request
//! to the texts that are right answers.
//! Left to neighbours: what is the same for `Search`: which files are eligible, what a glob or an
//! expression is, lines.
//! Invariants: those of the crate; the answer is its exact text, `elapsed_ms` being 0.
//!
//! The rooms, in the order a call passes through them: `checks` and `request` (section 2), the
//! crate's `sandbox` and `walk`
//! (section 3), `matching`, `similarity` and `file_matches` (section 4), `answer` (section 5), `budget`
//! (section 6), `json`
//! (section 7).

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

/// What a call comes back with: the text of the answer, or a refusal.
pub type Outcome = Result<String, Refusal>;

/// The right outcomes of a call.
pub type Allowed = crate::Allowed<Outcome>;

/// Everything a correct tool may answer to `request` in `world` under `config`.
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
    // There is at least one right answer; an empty set would be a mistake of `answer`'s.
    let usual = outcomes.next().unwrap_or_else(|| Err(over_budget(config)));
    outcomes.fold(Allowed::only(usual), Allowed::or)
}

/// The smallest `effective_max` under which the call is not refused for it, if the budget is all
/// that can refuse it:
/// the number that the message of that refusal names (E-I06). Of a call that no deadline disturbs.
pub fn smallest_budget(world: &World, config: &Config, request: &Value) -> Option<u64> {
    let call = checks::run(world, config, request).ok()?;
    let answers = answer::answers(world, config, &call);
    fitted(answers.first()?, config, 0).err()
}

fn fitted(answer: &answer::Answer, config: &Config, most: u64) -> Result<String, u64> {
    let budget = &config.search.tables.caps.length_files;
    budget::fitted(answer, budget, most, |answer| json::written(config, answer))
}

/// What the last check refuses a call with.
fn over_budget(config: &Config) -> Refusal {
    let row = config.tables.checks.iter().find(|row| row.check == FilesCheck::Budget);
    // Without a row only an incomplete table gets here.
    row.map_or_else(
        || Refusal { class: "ExecutionFailed".to_owned(), field: "tables".to_owned() },
        |row| crate::checks::refusal(row, String::new()),
    )
}

#[cfg(test)]
mod tests;
