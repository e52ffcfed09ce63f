//! Systems without `openat2`: the entry itself is looked at before it is opened. Untested where this was written.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use super::{Entry, Kind, os_path, path_bytes, regular};

/// A directory that files below it are opened through.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
}

impl Root {
    /// Opens the directory at a canonical path.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::read_dir(path)?;
        Ok(Self { path: path.to_owned() })
    }

    /// The directory at a path below this one, to be listed.
    pub(crate) fn below(&self, relative: &[u8]) -> io::Result<Self> {
        Self::open(&self.path.join(os_path(relative)))
    }

    /// The same for a directory that may be searched but need not be listed.
    pub(crate) fn containing(&self, relative: &[u8]) -> io::Result<Self> {
        let path = self.path.join(os_path(relative));
        fs::metadata(&path)?;
        Ok(Self { path })
    }

    /// Where the directory is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a regular file below, and its size in bytes.
    pub(crate) fn open_file(&self, relative: &[u8]) -> io::Result<(File, u64)> {
        self.size(relative)?;
        regular(File::open(self.path.join(os_path(relative)))?)
    }

    /// The entries of a directory below, in no order; with the sizes of regular files if `sizes`.
    pub(crate) fn list(&self, relative: &[u8], sizes: bool) -> io::Result<Vec<Entry>> {
        fs::read_dir(self.path.join(os_path(relative)))?
            .map(|entry| {
                let entry = entry?;
                let kind = match entry.file_type()? {
                    kind if kind.is_symlink() => Kind::Symlink,
                    kind if kind.is_dir() => Kind::Dir,
                    kind if kind.is_file() => Kind::File,
                    _ => Kind::Other,
                };
                let size = if sizes && kind == Kind::File {
                    entry.metadata().ok().map(|found| found.len())
                } else {
                    None
                };
                Ok(Entry { name: path_bytes(Path::new(&entry.file_name())), kind, size })
            })
            .collect()
    }

    /// The size in bytes of a regular file below, looked at without opening it.
    pub(crate) fn size(&self, relative: &[u8]) -> io::Result<u64> {
        let metadata = fs::symlink_metadata(self.path.join(os_path(relative)))?;
        if metadata.is_file() { Ok(metadata.len()) } else { Err(io::Error::other("not a regular file")) }
    }
}
