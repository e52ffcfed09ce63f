//! What an answer is worth.

use serde::{Deserialize, Serialize};

pub use touchstone_spec::adapter::Aspect;

/// What holding an answer against the model ended in, for one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it should be.
    Agree,
    /// As the adapter says the program means it; which difference.
    Declared(String),
    /// Wrong, and listed as such; the entry's name.
    Known(String),
    /// Wrong, in this aspect first.
    Diverge(Aspect),
    /// It cannot be asked, and why.
    Unsupported(String),
    /// There was no answer, and why.
    Broken(String),
}

/// Why there was no answer to judge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoAnswer {
    /// It cannot be asked this.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// It was ended by a signal.
    #[error("killed by signal {signal}: {stderr}")]
    Killed {
        /// Which.
        signal: i32,
        /// The end of what it printed.
        stderr: String,
    },
    /// It did not end in time, and was killed.
    #[error("no end within {milliseconds} ms")]
    Hung {
        /// The deadline.
        milliseconds: u64,
    },
    /// It printed more than any answer has.
    #[error("more than {bytes} bytes of output")]
    Flood {
        /// The limit.
        bytes: u64,
    },
    /// What it printed cannot be read.
    #[error("unreadable output: {reason}: {record}")]
    Garbled {
        /// What is wrong.
        reason: String,
        /// Where, escaped, its beginning.
        record: String,
    },
    /// It said that it failed.
    #[error("failed with status {status}: {stderr}")]
    Failed {
        /// The exit status.
        status: i32,
        /// The end of what it printed.
        stderr: String,
    },
    /// It said that it failed, by the protocol.
    #[error("errored: {0}")]
    Errored(String),
    /// It could not be started.
    #[error("cannot be started: {0}")]
    Unstartable(String),
}
