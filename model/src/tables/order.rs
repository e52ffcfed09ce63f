//! The shape of the table of orders (`spec/ordering.yaml`).
//!
//! Responsible for: plain static data types. The values are generated into
//! [`crate::generated::ordering`].
//! Left to neighbours: comparing by them (`order`).
//! Invariants: those of [`crate::tables`].

/// The orders, and what paths end with where they are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orders {
    /// What stands behind paths.
    pub suffixes: Suffixes,
    /// Files, and the places of problems.
    pub files: &'static [Key],
    /// Problems.
    pub problems: &'static [Key],
    /// Events of `Search`, and lines of `grep`.
    pub lines: &'static [Key],
    /// Matches of `search_files`.
    pub matches: &'static [Key],
    /// Files as `search_text` takes them to be ranked.
    pub pool: &'static [Key],
    /// Results of `search_text`.
    pub ranked: &'static [Key],
    /// Lines of one of them, of which the first is shown.
    pub best_line: &'static [Key],
    /// Results of `keyword_search`.
    pub keyword: &'static [Key],
    /// Lines of one of them, of which the first are shown.
    pub keyword_lines: &'static [Key],
}

/// What stands behind the path of an entry where paths are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suffixes {
    /// Of a file or a link.
    pub entry: &'static str,
    /// Of a directory.
    pub directory: &'static str,
    /// Of the search root, and what lies above it, whose path is empty.
    pub root: &'static str,
}

/// A key of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// What is compared.
    pub by: By,
    /// What a text is made into first.
    pub form: Form,
    /// Whether the greatest comes first.
    pub descending: bool,
}

/// What orders compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The path from the search root, with its suffix.
    Path,
    /// The path from the sandbox root.
    Entry,
    /// The rank among files.
    Place,
    /// The text of a problem.
    Message,
    /// The number of a line.
    Line,
    /// Where a match starts in its line.
    Column,
    /// What a file is worth.
    Score,
    /// How many terms there are.
    Terms,
    /// What the terms weigh.
    Units,
}

/// What a text is made into before it is compared bytewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// It stays as it is.
    Raw,
    /// Lossily decoded, in NFC, as UTF-8.
    Nfc,
}
