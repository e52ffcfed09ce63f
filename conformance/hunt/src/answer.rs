//! What came back, from a program or from the model.
//!
//! Invariants: paths are relative to the pack's root, without `./`; lines of a file are in order,
//! none twice.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use touchstone_cases::case::Text;

/// The answer to one ask on one pack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// What was said of each file; files of which nothing was said are absent.
    pub files: BTreeMap<Text, FileAnswer>,
    /// The files in the order in which they came; empty where order means nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<Text>,
    /// What the exit status said.
    pub status: Status,
}

/// What was said of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileAnswer {
    /// Lines shown, selected or context.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    /// Selected lines, where only their number was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// 1-based.
    pub number: u64,
    /// Whether it is selected; context otherwise.
    pub selected: bool,
    /// Its text without its LF; nothing where the program does not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<Text>,
    /// The matches in it, in bytes from its beginning; nothing where the program does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spans: Option<Vec<(u64, u64)>>,
}

/// What the exit status said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Something was selected.
    Matched,
    /// Nothing was.
    #[default]
    None,
    /// Something went wrong.
    Failed,
}
