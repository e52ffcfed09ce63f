//! What a `search_files` request means (`docs/search-files.md`).
//!
//! Responsible for: one total function, [`search_files`], from a file tree held in memory, a configuration and a request
//! to the texts that are right answers.
//! Left to neighbours: what is the same for `Search`: which files are eligible, what a glob or an expression is, lines.
//! Invariants: those of the crate; the answer is its exact text, `elapsed_ms` being 0.

mod config;

pub use config::Config;

use serde_json::Value;

use crate::{Refusal, World};

/// What a call comes back with: the text of the answer, or a refusal.
pub type Outcome = Result<String, Refusal>;

/// The right outcomes of a call.
pub type Allowed = crate::Allowed<Outcome>;

/// Everything a correct tool may answer to `request` in `world` under `config`.
///
/// An absolute path in the request may start with the literal `{root}`, as for [`crate::search`].
///
/// UNFINISHED: every call is refused, on the field `unfinished`.
pub fn search_files(_world: &World, _config: &Config, _request: &Value) -> Allowed {
    Allowed::only(Err(unfinished()))
}

/// The smallest `effective_max` under which the call is not refused for it, if the budget is all that can refuse it:
/// the number that the message of that refusal names (E-I06).
///
/// UNFINISHED: there is none.
pub fn smallest_budget(_world: &World, _config: &Config, _request: &Value) -> Option<u64> {
    None
}

/// The window of `line` that resembles `query` most: its first byte, the byte behind it, and its score, if that reaches
/// `threshold` (section 4; FR-SF-SRC-03, E-G09).
///
/// UNFINISHED: there is none.
pub fn best_window(
    _query: &str,
    _threshold: f64,
    _fold_ascii: bool,
    _line: &str,
) -> Option<(usize, usize, f64)> {
    None
}

fn unfinished() -> Refusal {
    Refusal { class: "ExecutionFailed".to_owned(), field: "unfinished".to_owned() }
}
