//! Collects the hits of one term, file by file, up to a limit (REQ-KWS-001.4, E-I23;
//! docs/keyword-search.md, section 3).

use super::{hits::FileHits, redact::redact};
use crate::{agent::Searched, collect::Item, content::escape_name};

/// A file in which a term has hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TermFile {
    /// Path as shown.
    pub(super) path: String,
    /// The heading in the term's text.
    pub(super) heading: String,
    pub(super) hits: FileHits,
}

/// Collects the files of one term.
#[derive(Debug)]
pub struct Collector {
    most: usize,
    pub(super) files: Vec<TermFile>,
    /// Length of the term's text.
    pub(super) bytes: usize,
    pub(super) redacted: u64,
    pub(super) searched: Searched,
}

impl Collector {
    /// An empty collector; a text longer than `most` bytes is too long.
    pub fn new(most: usize) -> Self {
        Self { most, files: Vec::new(), bytes: 0, redacted: 0, searched: Searched::default() }
    }

    /// Adds the next item in path order. `false` once the text is too long.
    pub fn add(&mut self, item: Item<FileHits>) -> bool {
        if let Some((path, hits)) = self.searched.take(item)
            && !hits.is_omitted()
        {
            // Not the shown path: outside the working directory that is absolute and discloses the
            // machine's directories.
            let heading = redact(&String::from_utf8_lossy(&hits.walked));
            let file = TermFile { heading: escape_name(&heading.text), path, hits };
            let apart = usize::from(!self.files.is_empty());
            self.bytes += apart + file.heading.len() + 1 + file.hits.text.len();
            self.redacted += heading.count + file.hits.redacted;
            self.files.push(file);
        }
        !self.is_too_broad()
    }

    /// Adds what is known only at the end of the search.
    #[must_use]
    pub fn ended(self, ending: Searched) -> Self {
        Self { searched: self.searched.ended(ending), ..self }
    }

    /// Whether the deadline expired before all files were searched.
    pub fn timed_out(&self) -> bool {
        self.searched.timed_out
    }

    pub(super) fn is_too_broad(&self) -> bool {
        self.bytes > self.most
    }

    /// Number of lines with hits.
    pub(super) fn lines(&self) -> usize {
        self.files.iter().map(|file| file.hits.lines.len()).sum()
    }

    /// The term's text.
    pub(super) fn text(&self) -> String {
        let each: Vec<String> =
            self.files.iter().map(|file| format!("{}\n{}", file.heading, file.hits.text)).collect();
        each.join("\n")
    }
}
