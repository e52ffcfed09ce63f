//! The path search: the files whose path matches a pattern.
//!
//! Responsible for: its results (section 5).
//! Left to neighbours: which files are eligible (`reading`), the pattern having a say in it (`request`).
//! Invariants: nothing is read, so that nothing about a file's contents makes an answer incomplete.

use serde_json::{Value, json};

use super::request::Call;
use super::{Answer, Config, SAID, reading};
use crate::walk::Candidate;
use crate::world::World;

/// The answer to a call that passed every check.
pub(super) fn answer(world: &World, config: &Config, call: &Call<'_>) -> Answer {
    let files = reading::files(world, config, call);
    let results = files.eligible.iter().map(result).collect();
    let reasons = files.shortfalls(std::iter::empty());
    Answer::new(config, call, results, reasons)
}

fn result(file: &Candidate<'_>) -> Value {
    json!({ "path": file.path, "type": "file", "size_bytes": file.bytes.len(), "modified": SAID })
}

#[cfg(test)]
mod tests;
