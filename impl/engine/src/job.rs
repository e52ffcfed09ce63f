//! One search, ready to run: what the pipeline and its workers share and do not change, and what
//! differs between tools.

use std::{path::Path, sync::Arc};

use forge_search_core::{
    collect::{Item, Outcome},
    error::Interrupted,
    scan::Proposer,
    text,
};

use crate::{
    backend::Backend,
    deadline::Deadline,
    root::{Root, os_path, path_bytes},
    sandbox::Sandbox,
};

/// One search, ready to run.
pub(crate) struct Job<'s> {
    pub(crate) sandbox: &'s Sandbox,
    pub(crate) backend: &'s Backend,
    pub(crate) base: Arc<Root>,
    /// The search root is this file in `base`.
    pub(crate) file: Option<Vec<u8>>,
    /// What a program is asked for; empty if it would have to name every line.
    pub(crate) expression: String,
    pub(crate) max_files: u64,
    pub(crate) max_file_size_bytes: u64,
    /// An index has left files out.
    pub(crate) narrowed: bool,
    pub(crate) naming: Naming,
    pub(crate) threads: usize,
    pub(crate) deadline: Deadline<'s>,
}

/// What paths of files and problems are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// The working directory (FR-LS-05b).
    WorkingDirectory,
    /// The search root (MATF-SF-path).
    SearchRoot,
}

/// What a tool makes of one file after the other. Every thread has its own.
pub(crate) trait Scanner: Clone + Send {
    /// What a searched file contributes.
    type Output: Default + Send;

    /// Whether every file has to be read to its end, also one of which a program proposes no line.
    const READS_ALL: bool;

    /// Files of a new batch follow: its first is not known to come right after the last one that
    /// was scanned.
    fn begin(&mut self) {}

    /// The file `walked` follows. What it contributes, if that is known without reading it.
    fn known(&mut self, _walked: &[u8]) -> Option<Self::Output> {
        None
    }

    /// Whether a line of these may match, or the file has to be scanned for another reason; also if
    /// `go_on` says no before that is known.
    fn promising(&mut self, lines: &[u8], go_on: &mut dyn FnMut() -> bool) -> bool;

    /// Scans the text of the file `walked`, in the lines that `proposer` names, or, without one, in
    /// those found in process.
    fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        proposer: Option<&mut dyn Proposer>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<Self::Output>, Interrupted>;

    /// This is what became of the file scanned last.
    fn took(&mut self, _found: &Self::Output) {}

    /// How many lines with a match were met.
    fn lines(found: &Self::Output) -> usize;

    /// Whether there is nothing to show of a file, not even its path.
    fn is_silent(found: &Self::Output) -> bool;
}

/// Whether `proposer` names a line of these, or `go_on` says no before that is known.
pub(crate) fn proposes(
    proposer: &mut dyn Proposer,
    lines: &[u8],
    go_on: &mut dyn FnMut() -> bool,
) -> bool {
    match proposer.next(lines, 0, go_on) {
        Ok(offset) => offset.is_some_and(|at| text::line_at(lines, at).is_some()),
        Err(Interrupted) => true,
    }
}

/// Adds outcomes up to an answer, in the order of the files.
pub(crate) trait Fold: Send {
    /// What a searched file contributes.
    type Input;

    /// Takes the next item. `false` once the answer has ended and nothing more is wanted.
    fn add(&mut self, item: Item<Self::Input>) -> bool;

    /// Whether no file has been added yet.
    fn is_empty(&self) -> bool;

    /// Bytes that are held; nothing where it is one page of results at most.
    fn held(&self) -> u64 {
        0
    }
}

impl Job<'_> {
    /// The path of a file, as walked, as answers show it.
    pub(crate) fn shown_file(&self, walked: &[u8]) -> String {
        match self.naming {
            Naming::WorkingDirectory => self.sandbox.shown(&self.base.path().join(os_path(walked))),
            Naming::SearchRoot => String::from_utf8_lossy(walked).into_owned(),
        }
    }

    /// The path of a place that is no file to be searched.
    pub(crate) fn shown_place(&self, path: &Path) -> String {
        match self.naming {
            Naming::WorkingDirectory => self.sandbox.shown(path),
            Naming::SearchRoot => from_root(self.base.path(), path),
        }
    }
}

/// A path relative to the search root; what lies above it starts with `../`.
fn from_root(root: &Path, path: &Path) -> String {
    let mut above = root;
    let mut steps = 0;
    loop {
        if let Ok(below) = path.strip_prefix(above) {
            let below = String::from_utf8_lossy(&path_bytes(below)).into_owned();
            return match (steps, below.as_str()) {
                (0, "") => ".".to_owned(),
                (0, _) => below,
                (_, "") => vec![".."; steps].join("/"),
                _ => "../".repeat(steps) + &below,
            };
        }
        steps += 1;
        match above.parent() {
            Some(parent) => above = parent,
            None => return String::from_utf8_lossy(&path_bytes(path)).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_named_from_the_search_root() {
        let shown = |path: &str| from_root(Path::new("/r/a/b"), Path::new(path));
        assert_eq!(shown("/r/a/b"), ".");
        assert_eq!(shown("/r/a/b/c/.gitignore"), "c/.gitignore");
        assert_eq!(shown("/r/a/.gitignore"), "../.gitignore");
        assert_eq!(shown("/r/.gitignore"), "../../.gitignore");
        assert_eq!(shown("/r/a"), "..");
        assert_eq!(shown("/r/ab"), "../../ab");
    }
}
