//! What a subject answers, or why it does not.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::case::ROOT_MARK;

/// What a subject answered: the response or the tool error, as JSON, with `exit_code` and `stderr`
/// removed, what may vary in `stats`, which are there if a case asks for them, made the same, and
/// the sandbox root's absolute path written `{root}`.
pub type Observation = Result<Value, Value>;

/// Names the sandbox root as cases do, wherever its absolute path stands.
pub fn hide_root(value: &mut Value, root: &str) {
    match value {
        Value::String(text) if text.contains(root) => *text = text.replace(root, ROOT_MARK),
        Value::Array(items) => items.iter_mut().for_each(|item| hide_root(item, root)),
        Value::Object(fields) => fields.values_mut().for_each(|field| hide_root(field, root)),
        _ => {}
    }
}

/// No answer to judge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Broken {
    /// The worker process ended before it answered.
    #[error("worker ended ({status}){}", after(stderr))]
    Died {
        /// The exit status.
        status: String,
        /// The end of what it printed.
        stderr: String,
    },
    /// The worker did not answer in time and was killed.
    #[error("no answer within {seconds} s{}", after(stderr))]
    Hung {
        /// The deadline.
        seconds: u64,
        /// The end of what it printed.
        stderr: String,
    },
    /// The subject panicked.
    #[error("panicked: {message}")]
    Panicked {
        /// What it said.
        message: String,
    },
    /// The worker's answer is not one.
    #[error("unreadable answer: {reason}")]
    Garbled {
        /// What is wrong with it.
        reason: String,
    },
    /// The tree could not be put on the disk, or not be removed.
    #[error("cannot materialise the tree: {reason}")]
    Tree {
        /// Which entry, and why.
        reason: String,
    },
    /// The subject could not be started at all: a missing backend, a configuration it refuses.
    #[error("cannot start: {reason}")]
    Unstartable {
        /// Why, and the way out.
        reason: String,
    },
}

fn after(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!(", stderr: {stderr}") }
}

/// Which backend the production service is to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The embedded one.
    Native,
    /// A ripgrep process.
    Ripgrep,
    /// A ugrep process.
    Ugrep,
}

impl Backend {
    pub const ALL: [Self; 3] = [Self::Native, Self::Ripgrep, Self::Ugrep];

    /// The part after `forge:`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Ripgrep => "ripgrep",
            Self::Ugrep => "ugrep",
        }
    }
}
