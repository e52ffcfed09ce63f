//! What a subject answers, or why it does not.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::case::ROOT_MARK;

/// The response or tool error of a subject, as JSON, normalised: without `exit_code` and `stderr`,
/// with placeholders for varying values of `stats`, and `{root}` for the sandbox root's absolute
/// path.
pub type Observation = Result<Value, Value>;

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
