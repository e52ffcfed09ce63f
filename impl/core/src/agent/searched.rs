//! What a search covered, and what of it is missing (FR-015b-22 to FR-015b-24).

use super::{
    cut::{Anchor, cut},
    notice::Reason,
};
use crate::{
    collect::{Item, Outcome},
    response::PathError,
};

/// Who chose the search root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootBy {
    /// The field `directory` of the request.
    #[default]
    Request,
    /// The tool.
    Tool,
}

/// What a search covered and what it could not read.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// The search root as shown.
    pub directory: String,
    /// Eligible files.
    pub files: u64,
    /// Eligible files over the size limit.
    pub oversized: u64,
    /// Eligible files that are binary.
    pub binary: u64,
    /// The first of them as shown.
    pub first_binary: Option<String>,
    /// What was not searched and why, for an answer that found nothing.
    pub left_out: Vec<String>,
    /// Unreadable places, in path order.
    pub errors: Vec<PathError>,
    /// Eligible files lie beyond `max_files`.
    pub more_files: bool,
    /// The deadline expired.
    pub timed_out: bool,
    /// The search program failed.
    pub backend_failed: bool,
    /// The limit `max_files`.
    pub max_files: u64,
    /// The limit `max_file_size_bytes`.
    pub max_file_size_bytes: u64,
    /// Who chose the search root.
    pub root: RootBy,
}

impl Searched {
    /// Merges two searches of the same files: the union of what each missed.
    #[must_use]
    pub(super) fn worse(self, other: &Self) -> Self {
        Self {
            files: self.files.max(other.files),
            oversized: self.oversized.max(other.oversized),
            binary: self.binary.max(other.binary),
            errors: if other.errors.len() > self.errors.len() {
                other.errors.clone()
            } else {
                self.errors
            },
            more_files: self.more_files || other.more_files,
            timed_out: self.timed_out || other.timed_out,
            backend_failed: self.backend_failed || other.backend_failed,
            ..self
        }
    }

    /// Whether the whole search root was covered and holds no eligible file.
    pub fn found_no_file(&self) -> bool {
        self.files == 0 && !self.more_files && !self.timed_out && !self.backend_failed
    }

    /// Why results may be missing that were not counted.
    pub(super) fn reasons(&self) -> Vec<(Reason, String)> {
        let mut reasons = Vec::new();
        if self.more_files {
            let most = self.max_files;
            let how = if self.root == RootBy::Tool {
                "`grep` can be told a `directory`"
            } else {
                "name a `directory`"
            };
            reasons.push((
                Reason::MaxFiles,
                format!("only the first {most} files, in path order, were looked at; {how}"),
            ));
        }
        if self.oversized > 0 {
            let (files, most) = (self.oversized, self.max_file_size_bytes);
            reasons.push((
                Reason::MaxFileSize,
                format!("{files} files are larger than {most} bytes and were not read"),
            ));
        }
        if self.timed_out {
            let files = self.files;
            let how = if self.root == RootBy::Tool {
                "give fewer terms, or more of what is looked for"
            } else {
                "name a `directory` or give more of what is looked for"
            };
            reasons.push((
                Reason::Timeout,
                format!("the time was up after {files} files; these are partial results; {how}"),
            ));
        }
        if self.backend_failed {
            let why = "the search program failed on the way; these are the results before that";
            reasons.push((Reason::BackendError, why.to_owned()));
        }
        if let Some(first) = self.errors.first() {
            let place = cut(&first.path, Anchor::Start).text;
            let count = self.errors.len();
            reasons.push((
                Reason::Errors,
                format!(
                    "{count} places could not be read, the first being `{place}`: {}",
                    first.error
                ),
            ));
        }
        reasons
    }

    /// Counts the next item in order. Returns path and content of a searched file.
    pub(super) fn take<T>(&mut self, item: Item<T>) -> Option<(String, T)> {
        match item {
            Item::Problem(problem) => self.errors.push(problem),
            Item::Unread { files, .. } => self.files += files,
            Item::NotEntered => {}
            Item::File { path, outcome } => {
                self.files += 1;
                match outcome {
                    Outcome::Searched(found) => return Some((path, found)),
                    Outcome::Oversized => self.oversized += 1,
                    Outcome::Binary => {
                        self.binary += 1;
                        self.first_binary.get_or_insert(path);
                    }
                    Outcome::Failed(error) => {
                        self.errors.push(PathError { path, error: error.to_owned() });
                    }
                }
            }
        }
        None
    }

    /// Adds what is known only at the end of the search.
    pub(super) fn ended(self, ending: Self) -> Self {
        Self {
            files: self.files,
            oversized: self.oversized,
            binary: self.binary,
            first_binary: self.first_binary,
            errors: self.errors,
            ..ending
        }
    }
}
