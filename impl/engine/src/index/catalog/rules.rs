//! What decides which files of a tree are searched: ignore files below the root, repositories, and
//! what lies outside. They are inputs like files: what proves a file proves them.

use std::path::{Path, PathBuf};

use forge_search_core::index::segment::Fingerprint;

/// An ignore file below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IgnoreFile {
    pub(crate) path: Vec<u8>,
    /// What it was before it was read.
    pub(crate) fingerprint: Fingerprint,
    /// Its times prove its content, and it had no writer.
    pub(crate) proved: bool,
    /// Not every change raises an event: it has other names, or had a writer.
    pub(crate) looked_at: bool,
}

/// What decides which files are searched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Directories with `.git` in them.
    pub(crate) repositories: Vec<Vec<u8>>,
    pub(crate) files: Vec<IgnoreFile>,
    /// What lies outside the watched directories, with what it was before it was read.
    pub(crate) inputs: Vec<(PathBuf, Option<Fingerprint>)>,
}

impl Rules {
    /// Those of everything below a directory are these now.
    pub(crate) fn take_over(&mut self, directory: &[u8], absolute: &Path, found: Self) {
        if directory.is_empty() {
            *self = found;
            return;
        }
        let outside =
            |path: &[u8]| path != directory && !path.starts_with(&[directory, b"/"].concat());
        self.repositories.retain(|path| outside(path));
        self.repositories.extend(found.repositories);
        self.files.retain(|file| outside(&file.path));
        self.files.extend(found.files);
        // What is above stays what it was when the rules of the rest were read.
        self.inputs.retain(|(path, _)| !path.starts_with(absolute));
        self.inputs.extend(found.inputs.into_iter().filter(|(path, _)| path.starts_with(absolute)));
        self.inputs.sort_by(|a, b| a.0.cmp(&b.0));
    }
}
