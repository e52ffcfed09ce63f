//! ripgrep's file types, for clients that send `type` (D25). `file_types.txt` is what ripgrep's
//! `--type-list` prints; a test of the command line compares it with the crate that has the types.

use forge_search_core::{ToolError, request::shown};
use serde_json::Value;

use super::shapes::distance;

const TYPES: &str = include_str!("file_types.txt");
/// Most types of one call.
const MOST: usize = 256;

/// The field and value for the files of these types. `field` is `file_type` or one of globs.
pub(super) fn expanded(
    name: &str,
    value: &Value,
    field: &'static str,
) -> Result<Vec<(&'static str, Value)>, ToolError> {
    let given: Option<Vec<&str>> = match value {
        Value::String(text) => Some(text.split(',').map(str::trim).collect()),
        Value::Array(items) => items.iter().map(Value::as_str).collect(),
        _ => None,
    };
    let refuse = |why: String| Err(ToolError::bad_args(name, why));
    let Some(given) = given.filter(|given| given.len() <= MOST) else {
        return refuse(format!("`{name}` must be a file type as ripgrep's, such as `rust`"));
    };
    let mut globs: Vec<&str> = Vec::new();
    for word in given {
        let found = types().find(|(known, _)| *known == word);
        let Some((_, of_type)) = found else {
            return refuse(unknown(name, word, field));
        };
        globs.extend(of_type.split(", "));
    }
    globs.sort_unstable();
    globs.dedup();
    if field != "file_type" {
        return Ok(vec![(field, globs.into())]);
    }
    // An ending is a condition beside those of `include_path`, as ripgrep's type is beside `-g`.
    let endings: Option<Vec<&str>> = globs.iter().map(|glob| ending(glob)).collect();
    Ok(match endings {
        Some(endings) => vec![(field, endings.into())],
        None => vec![("include_path", globs.into())],
    })
}

fn types() -> impl Iterator<Item = (&'static str, &'static str)> {
    TYPES.lines().filter_map(|line| line.split_once(": "))
}

/// The ending of a glob that asks for nothing else.
fn ending(glob: &str) -> Option<&str> {
    let ending = glob.strip_prefix("*.")?;
    (!ending.contains(['*', '?', '[', ']', '{', '}', '/', ' '])).then_some(ending)
}

fn unknown(name: &str, word: &str, field: &str) -> String {
    let by_ending = |globs: &str| globs.split(", ").any(|glob| ending(glob) == Some(word));
    let mut near: Vec<&str> = types()
        .filter(|(known, globs)| {
            let close = word.len() > 2 && distance(known, word) <= 1;
            let extends = word.len() > 2 && known.starts_with(word);
            close || extends || by_ending(globs)
        })
        .map(|(known, _)| known)
        .take(5)
        .collect();
    near.sort_unstable();
    let word = shown(word);
    if near.is_empty() {
        return format!(
            "`{name}` `{word}` is none of ripgrep's file types; use `{field}` instead, or names that `rg --type-list` has"
        );
    }
    let near = near.join("`, `");
    format!(
        "`{name}` `{word}` is none of ripgrep's file types; near are `{near}`; or use `{field}`"
    )
}
