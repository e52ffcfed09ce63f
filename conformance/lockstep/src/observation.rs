//! What a subject answers, or why it does not.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use touchstone_cases::case::ROOT_MARK;

/// The response or tool error of a subject, as JSON, normalised: without `exit_code` and `stderr`,
/// with placeholders for varying values of `stats`, and `{root}` for the sandbox root's absolute
/// path.
pub type Observation = Result<Value, Value>;

/// What stands for `elapsed_ms`: it is compared by its type alone.
pub const ELAPSED: u64 = 0;

/// What stands for the name of the backend.
pub const BACKEND: &str = "{backend}";

/// The field of an observation that holds the text of an answer of `search_files`.
pub const TEXT: &str = "text";

/// The field that says whether anything was found.
pub const FOUND: &str = "found";

/// The field that says whether the answer is complete.
pub const COMPLETE: &str = "complete";

/// The field that holds the context's flag of that name after the call, of answers and refusals
/// alike.
pub const ALLOW_TRUNCATION: &str = "allow_truncation";

/// The field that holds the structured answer of an agent's tool.
pub const STRUCTURED: &str = "structured";

/// The field that holds its length as compact JSON.
pub const BYTES: &str = "bytes";

/// The field that holds the length of the text beside it.
pub const TEXT_BYTES: &str = "text_bytes";

/// The field that holds the sandbox root's absolute path, of `keyword_search` alone.
pub const ROOT: &str = "root_path";

/// The field that holds how often a language model was asked.
pub const ASKED: &str = "asked";

/// The field that holds the data it was given, or would be.
pub const DATA: &str = "data";

/// The field that holds the length of the prompt, sent or not.
pub const TOLD_BYTES: &str = "told_bytes";

/// The length of a value as compact JSON, in bytes.
pub fn length(value: &Value) -> u64 {
    u64::try_from(value.to_string().len()).unwrap_or(u64::MAX)
}

/// The sandbox root's absolute path, as an observation has it; those of most tools have none.
pub fn root_of<'a>(observed: Result<&'a Value, &'a Value>) -> Option<&'a str> {
    let (Ok(value) | Err(value)) = observed;
    value.get(ROOT)?.as_str()
}

/// An observation without the place where its tree lay, to be held against one of another tree.
pub(crate) fn anywhere(observation: &Value) -> Value {
    let mut observation = observation.clone();
    if let Some(root) = observation.get(ROOT).and_then(Value::as_str).map(str::to_owned) {
        hide_root(&mut observation, &root);
    }
    observation
}

/// Replaces the sandbox root's absolute path by `{root}` everywhere.
pub fn hide_root(value: &mut Value, root: &str) {
    match value {
        Value::String(text) if text.contains(root) => *text = text.replace(root, ROOT_MARK),
        Value::Array(items) => items.iter_mut().for_each(|item| hide_root(item, root)),
        Value::Object(fields) => fields.values_mut().for_each(|field| hide_root(field, root)),
        _ => {}
    }
}

/// Why there is no answer to judge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Broken {
    /// The worker process ended before it answered.
    #[error("worker ended ({status}){}", after(stderr))]
    Died {
        /// The exit status.
        status: String,
        /// The end of its output.
        stderr: String,
    },
    /// The worker did not answer in time and was killed.
    #[error("no answer within {seconds} s{}", after(stderr))]
    Hung {
        /// The deadline.
        seconds: u64,
        /// The end of its output.
        stderr: String,
    },
    /// The subject panicked.
    #[error("panicked: {message}")]
    Panicked {
        /// The panic message.
        message: String,
    },
    /// The worker's answer is malformed.
    #[error("unreadable answer: {reason}")]
    Garbled {
        /// What is wrong with it.
        reason: String,
    },
    /// The tree could not be put on the disk, or not be removed.
    #[error("cannot materialise the tree: {reason}")]
    Tree {
        /// The entry and the cause.
        reason: String,
    },
    /// The subject could not be started at all: a missing backend, a configuration it refuses.
    #[error("cannot start: {reason}")]
    Unstartable {
        /// The cause and a remedy.
        reason: String,
    },
}

fn after(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!(", stderr: {stderr}") }
}
