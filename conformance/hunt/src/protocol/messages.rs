//! What is said in the protocol, as values (docs/protocol.md).
//!
//! Responsible for: every message in both directions, strictly: a field that is not known, missing
//! or of another type makes a message
//! unreadable.
//! Not here: the same as JSON Schemas, for people (`spec/protocol`); who says what when
//! ([`super`]).
//! Invariants: a message is one line; a text is a string if it is UTF-8, and base64 otherwise.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::{Deserialize, Serialize};

use std::collections::BTreeMap;

use crate::question::{Ask, Case, Feature, Show};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// A message to a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Command {
    /// First of all.
    Start {
        /// [`VERSION`].
        version: u32,
    },
    /// Search.
    Run {
        /// To be given back; grows by one each time.
        id: u64,
        /// What is asked.
        ask: Wanted,
        /// What is searched.
        haystacks: Vec<Bytes>,
    },
    /// End, with status 0.
    Stop {},
}

/// What a program says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "lowercase", deny_unknown_fields)]
pub enum Reply {
    /// To `start`.
    Ready {
        /// The version of the protocol that it speaks.
        version: u32,
        /// Its name, as in its adapter.
        name: String,
        /// Its release.
        release: String,
        /// What it cannot be asked, and why.
        unsupported: BTreeMap<Feature, String>,
    },
    /// To `run`.
    Answer {
        /// That of the `run`.
        id: u64,
        /// What is said of each haystack, in their order.
        haystacks: Vec<Said>,
    },
    /// To `run`: it cannot be asked this.
    Skipped {
        /// That of the `run`.
        id: u64,
        /// Why.
        reason: String,
    },
    /// To `run`: it tried, and failed.
    Errored {
        /// That of the `run`.
        id: u64,
        /// What happened.
        context: String,
    },
}

/// An ask with every option spelt out. Walks and maps are not asked for: haystacks are no files
/// here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is one option of a program")]
pub struct Wanted {
    /// What is looked for.
    pub patterns: Vec<String>,
    /// Whether they are literals.
    pub fixed: bool,
    /// Which case counts.
    pub case: Case,
    /// Whole words.
    pub word: bool,
    /// Whole lines.
    pub line: bool,
    /// The lines without a match.
    pub invert: bool,
    /// At most so many selected lines of each haystack; null for all.
    #[serde(deserialize_with = "given")]
    pub max_count: Option<u64>,
    /// Lines of context before.
    pub before: u64,
    /// Lines of context behind.
    pub after: u64,
    /// CR LF ends a line.
    pub crlf: bool,
    /// What is to be shown.
    pub show: Show,
}

/// Bytes: text where they are UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Bytes {
    /// UTF-8.
    Text(String),
    /// Standard base64 with padding.
    Base64(String),
}

/// What is said of one haystack: what was asked for, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Said {
    /// For `lines` and `spans`: the lines shown, in order.
    Lines(Vec<SaidLine>),
    /// For `count`: how many lines are selected.
    Count(u64),
    /// For `files` and `files_without`: whether it is one of them.
    Listed(bool),
}

/// A line that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaidLine {
    /// 1-based.
    pub number: u64,
    /// Selected, or context.
    pub selected: bool,
    /// Matches from left to right, each its first byte and the byte behind it; absent if it does
    /// not tell.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub spans: Option<Vec<(u64, u64)>>,
    /// The line without its LF; absent if it does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub line: Option<Bytes>,
}

/// A field that may be null, but has to be there.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Option::deserialize(deserializer)
}

/// A field that may be absent, but not null.
fn present<'de, D: serde::Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl From<&Ask> for Wanted {
    fn from(ask: &Ask) -> Self {
        Self {
            patterns: ask.patterns.clone(),
            fixed: ask.fixed,
            case: ask.case,
            word: ask.word,
            line: ask.line,
            invert: ask.invert,
            max_count: ask.max_count,
            before: ask.before,
            after: ask.after,
            crlf: ask.crlf,
            show: ask.show,
        }
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Base64(BASE64_STANDARD.encode(bytes)),
        }
    }
}

impl Bytes {
    /// The bytes; nothing if it is no base64.
    pub fn decode(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.as_bytes().to_vec()),
            Self::Base64(text) => BASE64_STANDARD.decode(text).ok(),
        }
    }
}

/// A message as the line that it is sent as.
///
/// # Errors
/// Only what JSON has no form for, which no message holds.
pub fn line(message: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(line)
}
