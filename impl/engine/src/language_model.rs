//! The small language models that `keyword_search` may ask which files matter
//! (docs/keyword-search.md, sections 6 and 7).
//!
//! [`LanguageModel`] is the face: one prompt, one answer, one deadline. Data flow of one answer,
//! top to bottom:
//!
//! ```text
//! preference   configuration -> ordered preferences -> the first that can be had, with its key
//! remote       a prompt -> up to two requests within the deadline -> the answer's text, or why there is none
//! protocol     a prompt -> a request's address, headers and body; a response's body -> text   (openai, anthropic, ollama)
//! transport    one request -> one response, bounded in length, over a connection of its own
//! ```
//!
//! Without the feature `language-model` only the face is there: whoever embeds this crate may bring
//! a model of their own.
//!
//! Left to neighbours: what is asked, what of a tree may be sent, what the answer's text means.
//! Invariants: a key goes into one request header and nowhere else; nothing is sent to any host but
//! the one in [`ModelFacts`]: no proxy, no redirect; no connection outlives the call that made it;
//! how long a call takes is the caller's decision, not a server's.

use std::{sync::atomic::AtomicBool, time::Instant};

mod preference;
#[cfg(feature = "language-model")]
mod protocol;
#[cfg(feature = "language-model")]
mod remote;
#[cfg(test)]
#[cfg(feature = "language-model")]
mod tests;
#[cfg(feature = "language-model")]
mod transport;

pub(crate) use preference::built_in;
pub use preference::{Chosen, Key, Preference, Protocol, choose, preferences};
#[cfg(feature = "language-model")]
pub use remote::RemoteModel;

/// What is asked of a language model.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// What its task is.
    pub system: String,
    /// What is asked this time.
    pub user: String,
    /// The JSON schema of the answer. Its objects are closed and all their properties required, the
    /// part of JSON schema that every protocol takes; servers that know no schemas are not told, so
    /// that `system` says it, too.
    pub schema: serde_json::Value,
    /// Most tokens of the answer.
    pub max_answer_tokens: u32,
}

/// How a model is named in answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFacts {
    /// The preference's name.
    pub name: String,
    /// The model's name at its server.
    pub model: String,
    /// Who is asked: `api.openai.com`, `127.0.0.1:11434`.
    pub host: String,
}

/// Why there is no answer. Whatever a server said is escaped and cut, and never holds the key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelFailure {
    /// No answer before the deadline.
    #[error("no answer in time")]
    TimedOut,
    /// The caller no longer wants one.
    #[error("cancelled")]
    Cancelled,
    /// The server, or the model, will not answer.
    #[error("refused with status {status}: {message}")]
    Refused {
        /// Of the response; 200 if it was the model that refused.
        status: u16,
        /// What was said, cut to 200 bytes.
        message: String,
    },
    /// No connection, or it broke.
    #[error("not reachable: {0}")]
    Unreachable(String),
    /// A response that is not one of the protocol.
    #[error("the response could not be read: {0}")]
    Garbled(String),
    /// More than was asked for.
    #[error("the answer is too long")]
    TooLong,
}

impl ModelFailure {
    /// Whether the server has no such model, or does not take the key: asking again is of no use.
    pub fn cannot_be_had(&self) -> bool {
        matches!(self, Self::Refused { status: 401 | 403 | 404 | 410, .. })
    }
}

/// Something that answers prompts.
pub trait LanguageModel: Send + Sync {
    /// How it is named in answers.
    fn facts(&self) -> &ModelFacts;

    /// One answer, as text. Gives up at the deadline, or within 50 ms after one of `cancelled` is
    /// set.
    fn ask(
        &self,
        prompt: &Prompt,
        deadline: Instant,
        cancelled: &[&AtomicBool],
    ) -> Result<String, ModelFailure>;
}
