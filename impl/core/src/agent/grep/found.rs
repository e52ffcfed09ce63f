//! The results of `grep` in each mode.

use std::ops::Not;

use serde::Serialize;

use super::MatchingLine;
use crate::agent::{
    answer::{self, Shown},
    excerpt::Context,
};

/// The answer; its totals are there unless it lists lines.
pub type Answer = answer::Answer<Found, Option<Totals>>;

/// What was found, as [`Output`](super::Output) says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Found {
    /// A matching line.
    Line(FoundLine),
    /// A file with matching lines.
    File(FoundFile),
}

/// A matching line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundLine {
    /// The lines around it, if any were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Whether a shown line is truncated.
    #[serde(skip_serializing_if = "Not::not")]
    pub cut: bool,
    /// Its number.
    pub line: u64,
    /// Its text.
    #[serde(rename = "match")]
    pub text: String,
    /// The file's path as shown.
    pub path: String,
}

/// A file with matching lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundFile {
    /// Matching lines.
    pub match_count: usize,
    /// The path as shown.
    pub path: String,
}

/// The totals of an answer that lists files or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Files with a matching line.
    pub matching_files: usize,
    /// Matching lines.
    pub matching_lines: usize,
}

impl Found {
    pub(super) fn line(path: &str, found: MatchingLine, context: usize) -> Self {
        let MatchingLine { line, text, around } = found;
        let cut = text.cut || around.is_cut();
        let context = (context > 0).then(|| around.into());
        Self::Line(FoundLine { context, cut, line, text: text.text, path: path.to_owned() })
    }
}

impl Shown for Found {
    fn path(&self) -> &str {
        match self {
            Self::Line(FoundLine { path, .. }) | Self::File(FoundFile { path, .. }) => path,
        }
    }

    fn heading(&self) -> String {
        match self {
            Self::Line(_) => String::new(),
            Self::File(file) => format!(":{}", file.match_count),
        }
    }

    fn lines(&self) -> Vec<(u64, char, &str)> {
        let Self::Line(FoundLine { context, line, text, .. }) = self else { return Vec::new() };
        let around = context.iter().flat_map(|context| context.numbered(*line));
        around.chain([(*line, ':', text.as_str())]).collect()
    }

    fn is_cut(&self) -> bool {
        matches!(self, Self::Line(FoundLine { cut: true, .. }))
    }
}
