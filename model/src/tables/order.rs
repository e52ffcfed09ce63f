//! The types of the table of orders (`spec/ordering.yaml`). The values are generated into
//! [`crate::generated::ordering`].

/// The orders, and the suffixes of compared paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orders {
    /// Path suffixes.
    pub suffixes: Suffixes,
    /// Files, and the places of errors.
    pub files: &'static [Key],
    /// Errors.
    pub problems: &'static [Key],
    /// Events of `Search`, and lines of `grep`.
    pub lines: &'static [Key],
    /// Matches of `search_files`.
    pub matches: &'static [Key],
    /// Results of `search_text`.
    pub ranked: &'static [Key],
    /// Lines of one of them; the first is shown.
    pub best_line: &'static [Key],
    /// Results of `keyword_search`.
    pub keyword: &'static [Key],
    /// Lines of one of them; the first ones are its best lines.
    pub keyword_lines: &'static [Key],
}

/// Suffixes of paths where they are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suffixes {
    /// A file or a link.
    pub entry: &'static str,
    pub directory: &'static str,
    /// The search root, and what is above it, whose path is empty.
    pub root: &'static str,
}

/// A key of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    pub by: By,
    /// The conversion of a text before it is compared.
    pub form: Form,
    /// Whether the greatest comes first.
    pub descending: bool,
}

/// A compared value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The path from the search root, with its suffix.
    Path,
    /// The path from the sandbox root.
    Entry,
    /// The rank among files.
    Place,
    /// The message of an error.
    Message,
    /// The number of a line.
    Line,
    /// The start of a match in its line.
    Column,
    Score,
    /// The number of terms.
    Terms,
    /// The weight of the terms.
    Units,
}

/// The conversion of a text before it is compared bytewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Raw,
    /// Lossily decoded, in NFC, as UTF-8.
    Nfc,
}
