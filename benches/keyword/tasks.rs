//! Tasks: what is looked for in words, in which tree, and which of its files were changed in the
//! end.
//!
//! Stored in `tasks.yaml`; texts are short quotations of published changelogs and this repository's
//! own commit messages.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// Where a task is from, and what it may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Set {
    /// Crates on which constants were chosen.
    Development,
    /// Crates that were looked at for the figures alone.
    HeldOut,
    /// This repository's own history.
    History,
}

impl Set {
    pub(crate) const ALL: [Self; 3] = [Self::Development, Self::HeldOut, Self::History];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Development => "development",
            Self::HeldOut => "held out",
            Self::History => "own history",
        }
    }
}

/// A tree that can be made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tree {
    /// A published crate.
    Crate { name: String, version: String, next: String },
    /// A commit's parent.
    Commit { commit: String, parent: String },
}

/// One task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) set: Set,
    pub(crate) tree: Tree,
    /// The query.
    pub(crate) text: String,
    /// Files of the tree that have to be found.
    pub(crate) truth: Vec<String>,
}

impl Task {
    /// The name in reports.
    pub(crate) fn name(&self) -> String {
        match &self.tree {
            Tree::Crate { name, version, next } => format!("{name} {version} to {next}"),
            Tree::Commit { commit, .. } => format!("commit {commit}"),
        }
    }
}

/// Reads tasks.
pub(crate) fn load(path: &Path) -> Result<Vec<Task>, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_yaml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes tasks.
pub(crate) fn store(path: &Path, tasks: &[Task]) -> Result<(), String> {
    let text = serde_yaml::to_string(&tasks).map_err(|error| error.to_string())?;
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
