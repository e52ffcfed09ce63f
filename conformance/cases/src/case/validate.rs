//! What makes a case well formed.
//!
//! Responsible for: refusing a case that could not be put on a disk as it says, or that is too
//! large to be. Not here: whether the request makes sense; nonsense is a question too. Invariants:
//! a tree that passes has no entry below anything but a directory, no path twice, and none that
//! leaves the scratch directory.

use std::collections::BTreeMap;

use super::keys::{ELSEWHERE, FIELDS};
use super::{CallContext, Case, Entry, FILES_TOOL, KEYWORD_TOOL, Node, escape};
use crate::family::Family;

pub const MAX_TREE_ENTRIES: usize = 100_000;

/// Most bytes of one tree: names, contents and targets.
pub const MAX_TREE_BYTES: u64 = 256 << 20;

/// Why a case is malformed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The id is no valid file name.
    #[error("id `{id}` must be lower-case letters, digits and hyphens")]
    Id { id: String },
    /// Not exactly one kind.
    #[error("an entry of the tree needs exactly one of `file`, `dir`, `link`, `fifo`")]
    EntryKind,
    /// Contents are given twice.
    #[error("a file has `bytes` or `parts`, not both")]
    BytesAndParts,
    /// A link without a target.
    #[error("a link needs a `target` that is not empty")]
    NoTarget,
    /// A key that does not apply to the kind of entry.
    #[error("`{key}` belongs to a {kind}")]
    Misplaced {
        key: &'static str,
        /// The kinds of entry that it applies to.
        kind: &'static str,
    },
    /// A path outside the scratch directory.
    #[error("path `{path}`: {reason}")]
    Path {
        /// Escaped.
        path: String,
        reason: &'static str,
    },
    /// A configuration key in two places.
    #[error("`{key}` stands in `config` itself, not in its `keys`")]
    Key { key: &'static str },
    /// A key of `[tools.search_files]` that a case cannot set.
    #[error("`{key}` of `search_files` comes from {origin}")]
    Elsewhere {
        key: &'static str,
        /// The place that sets it.
        origin: &'static str,
    },
    /// A key of another tool.
    #[error("`{key}` belongs to the tool `{FILES_TOOL}`")]
    OtherTool { key: &'static str },
    /// A key of the agent's tools.
    #[error("`agent` belongs to the agent's tools")]
    NotAgent,
    /// A key of `keyword_search`.
    #[error("`{key}` belongs to the tool `{KEYWORD_TOOL}`")]
    NotKeyword { key: &'static str },
    #[error(
        "the tree has {entries} entries and {bytes} bytes; at most {MAX_TREE_ENTRIES} and {MAX_TREE_BYTES}"
    )]
    TooLarge {
        entries: usize,
        /// Sum of their sizes.
        bytes: u64,
    },
}

impl Case {
    /// Checks that the case is well formed.
    pub fn validate(&self) -> Result<(), Malformed> {
        let is_id = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if self.id.is_empty() || self.id.len() > 128 || !self.id.bytes().all(is_id) {
            return Err(Malformed::Id { id: self.id.clone() });
        }
        let (entries, bytes) = self.size();
        if entries > MAX_TREE_ENTRIES || bytes > MAX_TREE_BYTES {
            return Err(Malformed::TooLarge { entries, bytes });
        }
        check_tree(&self.tree)?;
        if let Some(key) = FIELDS.into_iter().find(|key| self.config.keys.0.contains_key(*key)) {
            return Err(Malformed::Key { key });
        }
        let files = &self.config.search_files;
        if let Some((key, origin)) =
            ELSEWHERE.into_iter().find(|(key, _)| files.0.contains_key(*key))
        {
            return Err(Malformed::Elsewhere { key, origin });
        }
        let family = self.family();
        if family != Family::Files {
            if self.context != CallContext::default() {
                return Err(Malformed::OtherTool { key: "context" });
            }
            if !files.is_empty() {
                return Err(Malformed::OtherTool { key: "search_files" });
            }
        }
        if family != Family::Keyword {
            if self.model.is_some() {
                return Err(Malformed::NotKeyword { key: "model" });
            }
            if !self.config.keyword.is_empty() {
                return Err(Malformed::NotKeyword { key: "keyword" });
            }
        }
        if matches!(family, Family::Search | Family::Files) && !self.config.agent.is_empty() {
            return Err(Malformed::NotAgent);
        }
        let names = [self.config.root.as_str(), &self.config.working_dir];
        let names: Vec<&str> = names.into_iter().filter(|names| !names.is_empty()).collect();
        check_working_dir(names.join("/").as_bytes(), &self.tree)
    }
}

fn check_tree(tree: &[Entry]) -> Result<(), Malformed> {
    let mut nodes = BTreeMap::new();
    for entry in tree {
        check_path(&entry.path)?;
        if matches!(&entry.node, Node::Link { target } if target.is_empty() || target.contains(&0))
        {
            return Err(Malformed::NoTarget);
        }
        if nodes.insert(entry.path.as_slice(), &entry.node).is_some() {
            return Err(refuse(&entry.path, "stands twice in the tree"));
        }
    }
    for entry in tree {
        let slashes =
            entry.path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        for parent in slashes.filter_map(|at| entry.path.get(..at)) {
            if nodes.get(parent).is_some_and(|node| !matches!(node, Node::Dir { .. })) {
                return Err(refuse(&entry.path, "lies below something that is not a directory"));
            }
        }
    }
    Ok(())
}

fn check_path(path: &[u8]) -> Result<(), Malformed> {
    let below = path.strip_prefix(b"../").unwrap_or(path);
    if path.is_empty() {
        return Err(refuse(path, "is empty"));
    }
    if path.contains(&0) {
        return Err(refuse(path, "has a NUL"));
    }
    if below.split(|byte| *byte == b'/').any(|name| matches!(name, b"" | b"." | b"..")) {
        return Err(refuse(
            path,
            "has an empty, `.` or `..` component (one leading `../` is allowed)",
        ));
    }
    if below.len() != path.len() && below.split(|byte| *byte == b'/').next() == Some(b"root") {
        return Err(refuse(path, "is the sandbox root by another name"));
    }
    Ok(())
}

/// The service does not start in a missing directory, or behind a link.
fn check_working_dir(path: &[u8], tree: &[Entry]) -> Result<(), Malformed> {
    if path.is_empty() {
        return Ok(());
    }
    check_path(path)?;
    if path.starts_with(b"../") {
        return Err(refuse(path, "is a working directory outside the sandbox"));
    }
    let is_there = tree.iter().any(|entry| match entry.path.strip_prefix(path) {
        Some(b"") => matches!(entry.node, Node::Dir { .. }),
        below => below.is_some_and(|below| below.starts_with(b"/")),
    });
    if is_there {
        Ok(())
    } else {
        Err(refuse(path, "is a working directory that the tree does not have"))
    }
}

fn refuse(path: &[u8], reason: &'static str) -> Malformed {
    Malformed::Path { path: escape(path), reason }
}
