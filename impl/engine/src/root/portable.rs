//! Systems without `openat2`: the entry is checked before it is opened. Compiled by a workflow,
//! never run.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use forge_search_core::{cancellation::Cancellation, index::segment::Fingerprint};

#[cfg(feature = "index")]
use super::Proof;
use super::{Entry, Kind, LISTED_STEPS, ListDetail, Stat, os_path, path_bytes, regular};

/// A directory that files below it are opened through.
#[derive(Debug)]
pub(crate) struct Root {
    path: PathBuf,
}

impl Root {
    /// The directory at a canonical path.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        fs::read_dir(path)?;
        Ok(Self { path: path.to_owned() })
    }

    /// The directory at a path below this one, to be listed.
    pub(crate) fn below(&self, relative: &[u8]) -> io::Result<Self> {
        Self::open(&self.path.join(os_path(relative)))
    }

    /// The same for a directory that need not be listable.
    pub(crate) fn containing(&self, relative: &[u8]) -> io::Result<Self> {
        let path = self.path.join(os_path(relative));
        fs::metadata(&path)?;
        Ok(Self { path })
    }

    /// The directory of this name in this one, or the one above for `..`.
    pub(crate) fn step(&self, name: &[u8]) -> io::Result<Self> {
        let mut path = self.path.clone();
        match name {
            b"." => {}
            b".." => _ = path.pop(),
            name => path.push(os_path(name)),
        }
        Self::open(&path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a regular file below. Returns its size in bytes.
    pub(crate) fn open_file(&self, relative: &[u8]) -> io::Result<(File, u64)> {
        self.size(relative)?;
        regular(File::open(self.path.join(os_path(relative)))?)
    }

    /// The entries of a directory below, in no order; with fingerprints of regular files if `stats`
    /// asks for them. Their memory is added to `held`. Void if it is cancelled.
    pub(crate) fn list(
        &self,
        relative: &[u8],
        stats: ListDetail,
        held: &AtomicU64,
        cancellation: &Cancellation<'_>,
    ) -> io::Result<Vec<Entry>> {
        fs::read_dir(self.path.join(os_path(relative)))?
            .take_while(|_| cancellation.go_on(LISTED_STEPS))
            .map(|entry| {
                let entry = entry?;
                let kind = match entry.file_type()? {
                    kind if kind.is_symlink() => Kind::Symlink,
                    kind if kind.is_dir() => Kind::Dir,
                    kind if kind.is_file() => Kind::File,
                    _ => Kind::Other,
                };
                let fingerprint = if stats != ListDetail::Names && kind == Kind::File {
                    entry.metadata().ok().map(|found| Box::new(fingerprint(&found)))
                } else {
                    None
                };
                let name = path_bytes(Path::new(&entry.file_name())).into();
                let entry = Entry { name, kind, fingerprint };
                held.fetch_add(entry.bytes(), Ordering::Relaxed);
                Ok(entry)
            })
            .collect()
    }

    /// What is at a path below, without following a link. An empty path is the directory itself.
    pub(crate) fn stat(&self, relative: &[u8]) -> io::Result<Stat> {
        let metadata = fs::symlink_metadata(self.path.join(os_path(relative)))?;
        let kind = match metadata.file_type() {
            kind if kind.is_symlink() => Kind::Symlink,
            kind if kind.is_dir() => Kind::Dir,
            kind if kind.is_file() => Kind::File,
            _ => Kind::Other,
        };
        // Nothing is known of owners, so that nothing above a root counts.
        Ok(Stat { kind, fingerprint: fingerprint(&metadata), ours: false })
    }

    /// The same.
    #[cfg(feature = "index")]
    pub(crate) fn stat_by_path(&self, relative: &[u8]) -> io::Result<Stat> {
        self.stat(relative)
    }

    /// No file system is known to report all changes.
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "elsewhere the system is asked"
    )]
    pub(crate) fn proof(&self, _relative: &[u8]) -> io::Result<Proof> {
        Ok(Proof::Stat)
    }
}

/// The fingerprint of an open file.
pub(crate) fn of_file(file: &File) -> io::Result<Fingerprint> {
    Ok(fingerprint(&file.metadata()?))
}

/// Without change times and inodes a fingerprint proves less; nothing relies on it here yet.
fn fingerprint(metadata: &fs::Metadata) -> Fingerprint {
    let since = |time: io::Result<std::time::SystemTime>| {
        let since = time.ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(i64::MAX)
    };
    let mtime_ns = since(metadata.modified());
    Fingerprint {
        size: metadata.len(),
        mtime_ns,
        ctime_ns: mtime_ns,
        device: 0,
        inode: 0,
        links: 1,
    }
}
