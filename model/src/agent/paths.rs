//! The path search: files whose paths match a pattern (section 5).
//!
//! No file is read, so contents never make an answer incomplete.

use serde_json::{Value, json};

use super::files::Files;
use super::request::{Call, SearchTarget};
use super::{Answer, Config, FREE_TEXT, files};
use crate::place::Name;
use crate::walk::Candidate;
use crate::world::World;

/// The answer to a valid call.
pub(super) fn answer(world: &World, config: &Config, call: &Call<'_>) -> Answer {
    let matched = files::files(world, config, call);
    if let (true, SearchTarget::Paths(_, Some(name))) = (matched.eligible.is_empty(), &call.sought)
    {
        let scope = call.scope();
        let near =
            files::files_of(world, config, &scope, false, |below_root| holds(below_root, name));
        if !near.eligible.is_empty() {
            return of_files(config, call, &near).by_substring();
        }
    }
    of_files(config, call, &matched)
}

fn of_files(config: &Config, call: &Call<'_>, files: &Files<'_>) -> Answer {
    let results = files.eligible.iter().map(result).collect();
    let reasons = files.shortfalls(std::iter::empty());
    Answer::new(config, call, results, reasons)
}

/// Whether a base name contains a text or, if the text has a slash, the path with a leading slash
/// does. ASCII letters are folded.
fn holds(below_root: &[Name], text: &str) -> bool {
    let text = text.as_bytes();
    let place: Vec<u8> = if text.contains(&b'/') {
        below_root.iter().flat_map(|name| [b"/", name.as_slice()].concat()).collect()
    } else {
        below_root.last().cloned().unwrap_or_default()
    };
    place.windows(text.len()).any(|part| part.eq_ignore_ascii_case(text))
}

fn result(file: &Candidate<'_>) -> Value {
    json!({ "path": file.path, "type": "file", "size_bytes": file.bytes.len(), "modified": FREE_TEXT })
}

#[cfg(test)]
mod tests;
