//! A search that is ready to run: the data that its threads share, and the traits that tools
//! implement.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
    thread,
};

use forge_search_core::{
    collect::{Item, Outcome},
    error::Interrupted,
    response::IndexStats,
    scan::Proposer,
    text,
};

use crate::{
    backend::Backend,
    deadline::Deadline,
    root::{Root, os_path, path_bytes},
    sandbox::Sandbox,
    walk::FoundFile,
};

/// How many threads can run at once. It takes some files of the system to tell.
pub(crate) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// A search that is ready to run.
pub(crate) struct Job<'s> {
    pub(crate) sandbox: &'s Sandbox,
    pub(crate) backend: &'s Backend,
    /// Where files are opened that do not say otherwise.
    pub(crate) base: Arc<Root>,
    /// The file in `base` that is the search root; `None` if `base` is.
    pub(crate) file: Option<Vec<u8>>,
    /// The expression for external programs; empty if it would select every line.
    pub(crate) expression: String,
    pub(crate) max_files: u64,
    pub(crate) max_file_size_bytes: u64,
    /// Binary files are searched like text.
    pub(crate) all_is_text: bool,
    pub(crate) batches: Batches,
    pub(crate) naming: Naming,
    pub(crate) threads: usize,
    pub(crate) deadline: Deadline<'s>,
}

/// The base of the paths in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// The working directory (FR-LS-05b).
    WorkingDirectory,
    /// The search root (MATF-SF-path).
    SearchRoot,
    /// What files are walked under: the names of the roots (D26).
    AsWalked,
}

/// How many files a thread takes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Batches {
    /// More and more.
    Growing,
    /// More and more of those that an index has not excluded.
    Narrowed,
    /// One: there are few, and each is read to its end.
    Single,
}

impl Batches {
    /// For what is left of a tree by an index.
    pub(crate) const fn of(index: &IndexStats) -> Self {
        if index.exclusion_used { Self::Narrowed } else { Self::Growing }
    }
}

/// A tool's work on one file after the other. Each thread has its own.
pub(crate) trait Scanner: Clone + Send {
    /// The contribution of a searched file.
    type Output: Default + Send;

    /// Whether every file must be read to its end, even one without proposed lines.
    const READS_ALL: bool;

    /// Called before each batch: its first file need not follow the last one scanned.
    fn begin(&mut self) {}

    /// The contribution of a file, if its path tells it.
    fn known_by_path(&mut self, _file: &FoundFile) -> Option<Self::Output> {
        None
    }

    /// The contribution of the files at these places in what the index knows.
    fn known(&mut self, _places: &mut dyn Iterator<Item = usize>) -> Self::Output {
        Self::Output::default()
    }

    /// Whether a line of `lines` may match, or the file must be scanned for another reason. Also
    /// `true` if `go_on` stops the check.
    fn may_match(&mut self, lines: &[u8], go_on: &mut dyn FnMut() -> bool) -> bool;

    /// Scans the text of the file `walked`: the lines that `proposer` names, or without one those
    /// that the embedded matcher finds.
    fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        proposer: Option<&mut dyn Proposer>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<Self::Output>, Interrupted>;

    /// Called with the contribution of the file scanned last.
    fn record(&mut self, _found: &Self::Output) {}

    /// The number of lines with a match; 0 where no program proposes lines.
    fn lines(_found: &Self::Output) -> usize {
        0
    }

    /// Whether an answer shows nothing of the file, not even its path.
    fn is_omitted(_found: &Self::Output) -> bool {
        false
    }
}

/// Whether `proposer` names a line of `lines`. Also `true` if `go_on` stops the check.
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

/// Folds outcomes into an answer, in path order.
pub(crate) trait Fold: Send {
    /// The contribution of a searched file.
    type Input;

    /// Takes the next item. `false` ends the search.
    fn add(&mut self, item: Item<Self::Input>) -> bool;

    /// Whether nothing is lost with an error. Asked if a program that proposes lines has failed.
    fn is_empty(&self) -> bool {
        true
    }

    /// Bytes held, beyond one page of results.
    fn held(&self) -> u64 {
        0
    }
}

impl Job<'_> {
    /// The path of a file, as walked, in the form that answers show.
    pub(crate) fn shown_file(&self, walked: &[u8]) -> String {
        match self.naming {
            Naming::WorkingDirectory => self.sandbox.shown(&self.base.path().join(os_path(walked))),
            Naming::SearchRoot | Naming::AsWalked => String::from_utf8_lossy(walked).into_owned(),
        }
    }

    /// The path of a problem, in the form that answers show.
    pub(crate) fn shown_place(&self, path: &Path) -> String {
        match self.naming {
            Naming::WorkingDirectory | Naming::AsWalked => self.sandbox.shown(path),
            Naming::SearchRoot => from_root(self.base.path(), path),
        }
    }
}

/// A path relative to the search root; one outside it starts with `../`.
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
    fn paths_are_named_relative_to_the_search_root() {
        let shown = |path: &str| from_root(Path::new("/r/a/b"), Path::new(path));
        assert_eq!(shown("/r/a/b"), ".");
        assert_eq!(shown("/r/a/b/c/.gitignore"), "c/.gitignore");
        assert_eq!(shown("/r/a/.gitignore"), "../.gitignore");
        assert_eq!(shown("/r/.gitignore"), "../../.gitignore");
        assert_eq!(shown("/r/a"), "..");
        assert_eq!(shown("/r/ab"), "../../ab");
    }
}
