//! What is asked of every engine.

use std::{collections::BTreeSet, path::Path};

use crate::{tree::File, words::Term};

pub mod fts5;
pub mod own;
pub mod tantivy;

/// An engine over one tree.
pub trait Engine {
    /// What it is called in the results.
    fn name(&self) -> &'static str;

    /// Whether it reads the files themselves to answer.
    fn reads_files(&self) -> bool;

    /// Makes an index of the files from nothing, below `place`, and puts it on the disk.
    fn build(&mut self, tree: &Path, files: &[File], place: &Path);

    /// Ends and begins again, on what is on the disk.
    fn open(&mut self, tree: &Path, place: &Path);

    /// The paths of the first twenty files, best first; ready to be shown.
    fn first(&mut self, query: &str, terms: &[Term]) -> Vec<String>;

    /// The paths of all files that it takes for matches, as far as it gives them.
    fn all(&mut self, query: &str, terms: &[Term]) -> BTreeSet<String>;

    /// Has it know that a file has changed; it returns when the next question is answered rightly.
    fn edited(&mut self, path: &str, text: &str);
}
