//! The small language models that `keyword_search` may ask which files matter
//! (docs/keyword-search.md, sections 6 and 7).
//!
//! [`LanguageModel`] is the interface: one prompt, one answer, one deadline. `preference` has the
//! ordered preferences of a configuration and chooses the first that is available; a [`Client`]
//! makes a model of it. The crate `forge-search-llm` has one; programs that embed this crate may
//! write their own.
//!
//! Not here: any network; what is asked, what of a tree may be sent, what the answer's text means.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

mod preference;

pub(crate) use preference::built_in;
pub use preference::{Chosen, Key, Preference, Protocol, choose};

/// The prompt of one request to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// The task.
    pub system: String,
    /// The data of this request.
    pub user: String,
    /// The JSON schema of the answer, in the subset that every protocol supports: closed objects
    /// with all properties required. `system` repeats it for servers without schemas.
    pub schema: serde_json::Value,
    /// Most tokens of the answer.
    pub max_answer_tokens: u32,
}

/// How answers name a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFacts {
    /// The name of the preference.
    pub name: String,
    /// The model's name at its server.
    pub model: String,
    /// The server: `api.openai.com`, `127.0.0.1:11434`.
    pub host: String,
}

/// Why there is no answer. A server's text is escaped and cut, and never contains the key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelFailure {
    /// The deadline expired.
    #[error("no answer in time")]
    TimedOut,
    /// The caller cancelled the request.
    #[error("cancelled")]
    Cancelled,
    /// The server or the model refused.
    #[error("refused with status {status}: {message}")]
    Refused {
        /// Of the response; 200 if the model refused.
        status: u16,
        /// The server's message, cut to 200 bytes.
        message: String,
    },
    /// No connection, or it broke.
    #[error("not reachable: {0}")]
    Unreachable(String),
    /// A response that violates the protocol.
    #[error("the response could not be read: {0}")]
    Malformed(String),
    /// A response that exceeds the size limit.
    #[error("the answer is too long")]
    TooLong,
}

impl ModelFailure {
    /// Whether the server lacks the model or rejects the key, so that another attempt is pointless.
    pub fn is_permanent(&self) -> bool {
        matches!(self, Self::Refused { status: 401 | 403 | 404 | 410, .. })
    }
}

/// Makes a model of what was chosen. Nothing is sent before [`LanguageModel::ask`].
pub type Client = fn(Chosen) -> Arc<dyn LanguageModel>;

/// A model that answers prompts.
pub trait LanguageModel: Send + Sync {
    /// How answers name the model.
    fn facts(&self) -> &ModelFacts;

    /// One answer, as text. Returns at the deadline, and within 50 ms after one of `cancelled` is
    /// set.
    fn ask(
        &self,
        prompt: &Prompt,
        deadline: Instant,
        cancelled: &[&AtomicBool],
    ) -> Result<String, ModelFailure>;
}
