//! The inputs of eligibility: ignore files below the root, repositories, and files above the root.
//! They are proved unchanged as files are.

use std::path::{Path, PathBuf};

use forge_search_core::index::segment::Fingerprint;

/// An ignore file below the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IgnoreFile {
    pub(crate) path: Vec<u8>,
    /// The fingerprint before it was read.
    pub(crate) fingerprint: Fingerprint,
    /// Its times prove its content, and it had no writer.
    pub(crate) proved: bool,
    /// Some changes may raise no event: it has other names, or had a writer.
    pub(crate) looked_at: bool,
}

/// The inputs of eligibility.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Directories with `.git` in them.
    pub(crate) repositories: Vec<Vec<u8>>,
    pub(crate) files: Vec<IgnoreFile>,
    /// Inputs outside the watched directories, with their fingerprints before they were read.
    pub(crate) inputs: Vec<(PathBuf, Option<Fingerprint>)>,
}

impl Rules {
    /// Replaces the inputs below a directory.
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
        // Inputs above keep the fingerprints of the time when the other rules were read.
        self.inputs.retain(|(path, _)| !path.starts_with(absolute));
        self.inputs.extend(found.inputs.into_iter().filter(|(path, _)| path.starts_with(absolute)));
        self.inputs.sort_by(|a, b| a.0.cmp(&b.0));
    }
}
