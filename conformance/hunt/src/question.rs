//! What can be asked of any program that searches lines.
//!
//! Responsible for: [`Pack`], [`Ask`] and the two together, [`Question`], as values; their features
//! ([`Ask::features`]).
//! Not here: putting a pack on the disk, asking ([`super::searcher`]), drawing and
//! shrinking.
//! Invariants: a question depends on nothing but itself; an option that is not set is not mentioned
//! to a program.

use serde::{Deserialize, Serialize};
use touchstone_cases::case::{Entry, Node};

pub use touchstone_spec::adapter::{Feature, Show};

/// Files to be searched. In a listed question its regular files are named to the program in this
/// order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pack {
    /// What is on the disk, parents implied.
    pub tree: Vec<Entry>,
}

/// Which case counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Case {
    /// All.
    #[default]
    Sensitive,
    /// None.
    Insensitive,
    /// None, unless a pattern has a capital letter.
    Smart,
}

/// One or more patterns, options, and what is to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is one option of a program")]
pub struct Ask {
    /// What is looked for; a line is selected by any of them. In Rust's syntax, or literals if
    /// `fixed`.
    pub patterns: Vec<String>,
    /// Whether they are literals.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fixed: bool,
    /// Which case counts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub case: Case,
    /// Whole words.
    #[serde(default, skip_serializing_if = "is_default")]
    pub word: bool,
    /// Whole lines.
    #[serde(default, skip_serializing_if = "is_default")]
    pub line: bool,
    /// The lines without a match.
    #[serde(default, skip_serializing_if = "is_default")]
    pub invert: bool,
    /// At most so many selected lines of each file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub max_count: Option<u64>,
    /// Lines of context before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub before: u64,
    /// Lines of context behind.
    #[serde(default, skip_serializing_if = "is_default")]
    pub after: u64,
    /// CR LF ends a line.
    #[serde(default, skip_serializing_if = "is_default")]
    pub crlf: bool,
    /// Whether files are mapped; left to the program if absent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mmap: Option<bool>,
    /// The program finds the files itself; absent in a listed question.
    #[serde(default, skip_serializing_if = "is_default")]
    pub walk: Option<Walk>,
    /// What is shown.
    #[serde(default = "lines", skip_serializing_if = "is_lines")]
    pub show: Show,
}

/// How a program walks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one option of a program")]
pub struct Walk {
    /// Hidden files too.
    #[serde(skip_serializing_if = "is_default")]
    pub hidden: bool,
    /// Ignore files are not heeded.
    #[serde(skip_serializing_if = "is_default")]
    pub no_ignore: bool,
    /// Globs for names; with `!` in front those left out.
    #[serde(skip_serializing_if = "is_default")]
    pub globs: Vec<String>,
    /// Directories to begin at, none above another; the pack's root if there are none. Ignore
    /// files above them count.
    #[serde(skip_serializing_if = "is_default")]
    pub roots: Vec<String>,
    /// Links are followed.
    #[serde(skip_serializing_if = "is_default")]
    pub follow: bool,
    /// Largest file, in bytes.
    #[serde(skip_serializing_if = "is_default")]
    pub max_filesize: Option<u64>,
    /// Deepest file; 1 for those in the directory itself.
    #[serde(skip_serializing_if = "is_default")]
    pub max_depth: Option<u64>,
    /// Files come in order of their paths.
    #[serde(skip_serializing_if = "is_default")]
    pub sort: bool,
}

/// A pack and an ask: what is shrunk, stored, replayed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The files.
    pub tree: Pack,
    /// What is asked.
    pub ask: Ask,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn lines() -> Show {
    Show::Lines
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_lines(show: &Show) -> bool {
    *show == Show::Lines
}

impl Ask {
    /// A single pattern, no options.
    pub fn new(pattern: impl Into<String>) -> Self {
        Self {
            patterns: vec![pattern.into()],
            fixed: false,
            case: Case::Sensitive,
            word: false,
            line: false,
            invert: false,
            max_count: None,
            before: 0,
            after: 0,
            crlf: false,
            mmap: None,
            walk: None,
            show: Show::Lines,
        }
    }
}

impl Walk {
    /// The part of a path that lies below a directory to begin at.
    pub fn below<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        if self.roots.is_empty() {
            return Some(path);
        }
        let rest = |root: &String| path.strip_prefix(root.as_bytes())?.strip_prefix(b"/");
        self.roots.iter().find_map(rest)
    }
}

impl Pack {
    /// The files that nobody can read, and the links that lead nowhere. In a listed question they
    /// are named last.
    pub fn inaccessible(&self) -> impl Iterator<Item = &[u8]> {
        let known = |target: &[u8]| self.tree.iter().any(|entry| entry.path == target);
        let is_one = move |entry: &&Entry| match &entry.node {
            Node::File { readable, .. } => !readable,
            Node::Link { target } => !known(target),
            Node::Dir { .. } | Node::Fifo => false,
        };
        self.tree.iter().filter(is_one).map(|entry| entry.path.as_slice())
    }

    /// The regular files that can be read, by path and bytes, in order; those in other places than
    /// the pack's root are left out.
    pub fn files(&self) -> impl Iterator<Item = (&[u8], Vec<u8>)> {
        self.tree.iter().filter_map(|entry| match &entry.node {
            Node::File { contents, readable: true } => {
                Some((entry.path.as_slice(), contents.bytes()))
            }
            _ => None,
        })
    }

    /// Files from text, for tests and examples.
    pub fn of(files: &[(&str, &str)]) -> Self {
        Self { tree: files.iter().map(|(path, text)| Entry::file(*path, *text)).collect() }
    }
}
