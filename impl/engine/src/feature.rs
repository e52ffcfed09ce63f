//! The optional parts of this crate.

use std::fmt;

/// A Cargo feature of this crate. All are on by default. Searches give the same answers without
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feature {
    /// Indexes, in SQLite or in memory.
    Index,
    /// Language models in the configuration, which `keyword_search` may ask by a client.
    LanguageModel,
    /// Tokens counted by a public encoding. Without it, three bytes are a token.
    Tokens,
    /// ripgrep and ugrep as programs. Without it, no process is started.
    Backends,
}

impl Feature {
    /// Every feature.
    pub const ALL: [Self; 4] = [Self::Index, Self::LanguageModel, Self::Tokens, Self::Backends];

    /// The name in a manifest.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::LanguageModel => "language-model",
            Self::Tokens => "tokens",
            Self::Backends => "backends",
        }
    }

    /// Whether this build has the feature.
    pub const fn is_on(self) -> bool {
        match self {
            Self::Index => cfg!(feature = "index"),
            Self::LanguageModel => cfg!(feature = "language-model"),
            Self::Tokens => cfg!(feature = "tokens"),
            Self::Backends => cfg!(feature = "backends"),
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
