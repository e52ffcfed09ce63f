//! One question with everything it depends on: a tree, a configuration, a request.
//!
//! Responsible for: [`Case`] as a value, what makes a case well formed, its size, loading and
//! storing it. The same value is replayed, shrunk, bisected and kept as a golden. Not here: putting
//! the tree on a disk ([`crate::materialise`]), running it (`touchstone::runner`), and the
//! backend's own reading in an `as_written` block ([`crate::as_written`]). Invariants: a case that
//! loads is well formed ([`Case::validate`]); `Case::parse(case.to_yaml())` is the same case; a
//! case never depends on the machine: the sandbox root's absolute path is written `{root}`.

mod form;
mod keys;
mod parts;
mod validate;
mod views;
mod yaml;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::as_written::AsWritten;
use crate::family::Family;
pub use crate::family::{AGENT_TOOLS, DEFAULT_TOOL, FILES_TOOL, KEYWORD_TOOL};
use crate::script::Script;

pub use crate::escapes::{EscapeError, Text, escape, unescape};
pub use keys::Keys;
pub use parts::{Contents, Part};
pub use validate::{MAX_TREE_BYTES, MAX_TREE_ENTRIES, Malformed};
pub use views::Tables;
pub use yaml::scalar;

/// Stands for the sandbox root's absolute path in requests, symlink targets and observations.
pub const ROOT_MARK: &str = "{root}";

/// Largest case file that is read, in bytes.
const MAX_CASE_FILE_BYTES: u64 = 16 << 20;

/// A question with everything it depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "form::CaseForm", into = "form::CaseForm")]
pub struct Case {
    /// Name of the case: lower-case letters, digits and hyphens.
    pub id: String,
    /// What it shows, in one sentence.
    pub title: String,
    /// Ids of the clauses and errata it concerns.
    pub clauses: Vec<String>,
    /// The entries on disk in any order, parents implied.
    pub tree: Vec<Entry>,
    /// The differences from the preset.
    pub config: CaseConfig,
    /// The tool to call.
    pub tool: String,
    /// The context of a call of `search_files`.
    pub context: CallContext,
    /// The script of the language model that `keyword_search` may ask.
    pub model: Option<Script>,
    /// The request; a path in it may start with `{root}`.
    pub request: Value,
    /// The output of a backend that follows the documents' letter, where it differs.
    pub as_written: Option<AsWritten>,
}

/// One entry of the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "form::EntryForm", into = "form::EntryForm")]
pub struct Entry {
    /// Raw bytes of the path below the sandbox root; `../NAME/...` lies beside the sandbox root.
    pub path: Vec<u8>,
    pub node: Node,
}

/// The kind of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    File {
        contents: Contents,
        /// Whether it may be opened for reading.
        readable: bool,
    },
    /// A directory, named because it is empty or unreadable.
    Dir {
        /// Whether it may be listed and entered.
        readable: bool,
    },
    /// A symbolic link.
    Link {
        /// As on disk; an absolute target below the sandbox root starts with `{root}`.
        target: Vec<u8>,
    },
    Fifo,
}

/// The defaults that a case starts from (D10).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CasePreset {
    /// The documents' safe defaults: tools disabled, low caps.
    Documents,
    /// The command line's: tools enabled, caps that no ordinary tree meets.
    #[default]
    Agent,
}

/// Overrides of the preset; `None` keeps its value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CaseConfig {
    /// The preset.
    #[serde(skip_serializing_if = "form::is_default")]
    pub preset: CasePreset,
    /// Whether the tool is enabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Deadline of requests that name none, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_timeout_ms: Option<u64>,
    /// Events emitted for requests that name no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_max_results: Option<u64>,
    /// Cap on matching lines per file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_matches_per_file: Option<u64>,
    /// Cap on eligible files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_files: Option<u64>,
    /// Cap on the size of a searched file, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_file_size_bytes: Option<u64>,
    /// Cap on the emitted line text, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_bytes: Option<u64>,
    /// Deny patterns, in the request glob dialect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deny: Vec<String>,
    /// Contents of the configured global ignore files, strongest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub global_ignore: Vec<Text>,
    /// The sandbox root below the tree; empty for the tree's own. What lies beside it is above.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub root: String,
    /// The working directory below the sandbox root; empty for the root itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub working_dir: String,
    /// Whether a permitted backend is available; true if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend_available: Option<bool>,
    /// Whether the deadline may end the search early, so that several answers are allowed (E-D05).
    #[serde(skip_serializing_if = "form::is_default")]
    pub deadline_may_strike: bool,
    /// Keys of `[tools.search]` without a field of their own here.
    #[serde(skip_serializing_if = "Keys::is_empty")]
    pub keys: Keys,
    /// Keys of `[tools.search_files]`.
    #[serde(skip_serializing_if = "Keys::is_empty")]
    pub search_files: Keys,
    /// Keys of `[tools.agent]`. `tokenizer` is `bytes` unless set here: the model counts tokens in
    /// no other way.
    #[serde(skip_serializing_if = "Keys::is_empty")]
    pub agent: Keys,
    /// Keys of `[tools.keyword]`.
    #[serde(skip_serializing_if = "Keys::is_empty")]
    pub keyword: Keys,
}

/// The context of a call of `search_files`; `None` keeps the preset's value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CallContext {
    /// Longest answer that the caller accepts, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_bytes: Option<u64>,
    /// Bytes left in the caller's context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub available_capacity_bytes: Option<u64>,
}

/// A case file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file cannot be read or written.
    #[error("cannot use case file `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        source: io::Error,
    },
    /// The file is larger than any case should be.
    #[error("case file `{}` has {bytes} bytes, at most {MAX_CASE_FILE_BYTES} are read; use `parts` with `times`", path.display())]
    TooLarge { path: PathBuf, bytes: u64 },
    /// The text is not a case.
    #[error("{}:{line}: {message}", path.display())]
    Syntax {
        path: PathBuf,
        /// Line, 1-based; 0 if unknown.
        line: u64,
        message: String,
    },
}

impl Case {
    /// A case of the default tool in an empty tree.
    pub fn new(id: impl Into<String>, title: impl Into<String>, request: Value) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            clauses: Vec::new(),
            tree: Vec::new(),
            config: CaseConfig::default(),
            tool: DEFAULT_TOOL.to_owned(),
            context: CallContext::default(),
            model: None,
            request,
            as_written: None,
        }
    }

    /// A case of a tool in an empty tree.
    pub fn of(id: impl Into<String>, title: impl Into<String>, tool: &str, request: Value) -> Self {
        Self { tool: tool.to_owned(), ..Self::new(id, title, request) }
    }

    pub fn family(&self) -> Family {
        Family::of(&self.tool)
    }

    /// The mode of a call of `search_files`: the request's, else the configured one; `None` for the
    /// preset's.
    pub fn mode(&self) -> Option<&str> {
        let asked = self.request.get("mode").and_then(Value::as_str);
        asked
            .or_else(|| self.config.search_files.text("mode_default"))
            .filter(|_| self.family() == Family::Files)
    }

    #[must_use]
    pub fn with(mut self, entry: Entry) -> Self {
        self.tree.push(entry);
        self
    }

    /// Reads a case file, or the case of a snapshot.
    pub fn load(path: &Path) -> Result<Self, CaseError> {
        let io = |source| CaseError::Io { path: path.to_owned(), source };
        let bytes = fs::metadata(path).map_err(io)?.len();
        if bytes > MAX_CASE_FILE_BYTES {
            return Err(CaseError::TooLarge { path: path.to_owned(), bytes });
        }
        let text = fs::read_to_string(path).map_err(io)?;
        Self::parse(Self::part_of(&text), path)
    }

    /// The case in the text of its file, or of a snapshot, which has a head of its own before it, and
    /// an answer behind an empty line.
    pub fn part_of(text: &str) -> &str {
        let headed = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
        headed.map_or(text, |(_, body)| body.split_once("\n\n").map_or(body, |(case, _)| case))
    }

    /// Writes the case as `DIRECTORY/ID.yaml`, replacing an existing file. Returns its path.
    pub fn store(&self, directory: &Path) -> Result<PathBuf, CaseError> {
        let path = directory.join(format!("{}.yaml", self.id));
        let written = fs::create_dir_all(directory).and_then(|()| fs::write(&path, self.to_yaml()));
        written.map_err(|source| CaseError::Io { path: path.clone(), source })?;
        Ok(path)
    }

    /// Number of entries and their bytes (names, contents, targets): the size that a shrinker
    /// reduces.
    pub fn size(&self) -> (usize, u64) {
        let bytes = self.tree.iter().fold(0, |sum: u64, entry| sum.saturating_add(entry.bytes()));
        (self.tree.len(), bytes)
    }
}

impl Entry {
    /// A readable file.
    pub fn file(path: impl Into<Vec<u8>>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            path: path.into(),
            node: Node::File { contents: Contents::plain(bytes), readable: true },
        }
    }

    /// A readable directory.
    pub fn dir(path: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), node: Node::Dir { readable: true } }
    }

    /// A symbolic link.
    pub fn link(path: impl Into<Vec<u8>>, target: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), node: Node::Link { target: target.into() } }
    }

    /// A named pipe.
    pub fn fifo(path: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), node: Node::Fifo }
    }

    /// The same entry with mode 000; links and pipes are unchanged.
    #[must_use]
    pub fn unreadable(mut self) -> Self {
        match &mut self.node {
            Node::File { readable, .. } | Node::Dir { readable } => *readable = false,
            Node::Link { .. } | Node::Fifo => {}
        }
        self
    }

    /// Bytes of the name and of the contents or target.
    pub fn bytes(&self) -> u64 {
        let held = match &self.node {
            Node::File { contents, .. } => contents.len(),
            Node::Link { target } => target.len() as u64,
            Node::Dir { .. } | Node::Fifo => 0,
        };
        held.saturating_add(self.path.len() as u64)
    }
}

#[cfg(test)]
mod tests;
