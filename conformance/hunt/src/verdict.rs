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
    /// There was one, and the adapter cannot read it; where.
    Unreadable(String),
}

impl Verdict {
    /// What having no answer comes to.
    pub fn without(no_answer: &NoAnswer) -> Self {
        match no_answer {
            NoAnswer::Unsupported(reason) => Verdict::Unsupported(reason.clone()),
            NoAnswer::Garbled { .. } => Verdict::Unreadable(no_answer.reason()),
            other => Verdict::Broken(other.reason()),
        }
    }

    /// Whether nobody knows what the program would have said.
    pub fn is_silent(&self) -> bool {
        matches!(self, Verdict::Broken(_) | Verdict::Unreadable(_))
    }

    /// Whether the program did not end in time.
    pub fn hangs(&self) -> bool {
        matches!(self, Verdict::Broken(reason) if NoAnswer::is_hung(reason))
    }

    /// Whether it is wrong in this aspect or one that says the same of another question.
    pub fn is_like(&self, aspect: Aspect) -> bool {
        match self {
            Verdict::Diverge(found) => alike(*found) == alike(aspect),
            other => other.is_wrong(aspect),
        }
    }

    /// Whether it is wrong in this aspect; no answer is wrong in its status.
    pub fn is_wrong(&self, aspect: Aspect) -> bool {
        match self {
            Verdict::Diverge(found) => *found == aspect,
            other => other.is_silent() && aspect == Aspect::Status,
        }
    }
}

/// The aspect that says the same of every question: which lines are selected is seen in the files,
/// the lines or the count.
pub fn alike(aspect: Aspect) -> Aspect {
    match aspect {
        Aspect::Files | Aspect::Count => Aspect::Lines,
        other => other,
    }
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

impl NoAnswer {
    /// Whether this is the reason of a program that did not end in time.
    pub fn is_hung(reason: &str) -> bool {
        reason.starts_with("no end within ")
    }

    /// Why there was no answer, without what differs from run to run and from machine to machine:
    /// thread ids, and where sources lie.
    pub fn reason(&self) -> String {
        /// Longest reason, in characters.
        const MOST: usize = 300;
        let words = self.to_string();
        let lines = words
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with("note: "));
        let plain: Vec<String> = lines
            .map(|line| {
                let words = line.split(' ').map(|word| {
                    let is_number = |inner: &str| {
                        !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit())
                    };
                    let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
                    if inner.is_some_and(is_number) {
                        return "";
                    }
                    match word
                        .split_once("/registry/src/")
                        .and_then(|(_, rest)| rest.split_once('/'))
                    {
                        Some((_, source)) => source,
                        None => word,
                    }
                });
                words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
            })
            .collect();
        plain.join("; ").chars().take(MOST).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_reason_is_the_same_on_every_machine() {
        let stderr = "\nthread '<unnamed>' (18173) panicked at /home/me/.cargo/registry/src/somewhere-1a/grep-matcher-0.1.5/src/lib.rs:131:9:\nassertion failed\nnote: run with more\n";
        let failed = NoAnswer::Failed { status: 101, stderr: stderr.to_owned() };
        assert_eq!(
            failed.reason(),
            "failed with status 101:; thread '<unnamed>' panicked at grep-matcher-0.1.5/src/lib.rs:131:9:; assertion failed"
        );
    }
}
