//! Access to one directory tree by relative path: listing directories and opening regular files,
//! without ever following a symlink. The one place that differs by system.
//!
//! On Linux the kernel enforces containment at each open (`openat2`), so a directory swapped for a
//! link between listing and opening leads nowhere. Elsewhere each open is preceded by a look at the
//! entry itself.

use std::{ffi::OsString, fs::File, io, path::Path};

use forge_search_core::index::segment::Fingerprint;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::{Root, of_file};

#[cfg(not(target_os = "linux"))]
mod portable;
#[cfg(not(target_os = "linux"))]
pub(crate) use portable::{Root, of_file};

#[cfg(feature = "index")]
mod proof;
#[cfg(feature = "index")]
pub(crate) use proof::{Proof, Proofs};

/// Cost of listing an entry, in steps of a cancellation.
const LISTED_STEPS: usize = 64;

/// The kind of a directory entry itself, without following links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Dir,
    Symlink,
    /// FIFO, socket, device: never opened (E-I30).
    Other,
}

/// How much a listing says about regular files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListDetail {
    /// Names only.
    Names,
    /// Fingerprints, from the system's cache.
    Stat,
    /// Fingerprints, from the server.
    FreshStat,
}

/// A directory entry, other than `.` and `..`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: Box<[u8]>,
    pub(crate) kind: Kind,
    /// Of a regular file, if requested and available. Most listings want none.
    pub(crate) fingerprint: Option<Box<Fingerprint>>,
}

impl Entry {
    /// Approximate memory.
    fn bytes(&self) -> u64 {
        let fingerprint = self.fingerprint.as_ref().map_or(0, |_| size_of::<Fingerprint>());
        (size_of::<Self>() + fingerprint + self.name.len()) as u64
    }
}

/// What is at a path, without opening it or following a link at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    pub(crate) kind: Kind,
    pub(crate) fingerprint: Fingerprint,
    /// It belongs to the user or to root.
    pub(crate) ours: bool,
}

impl Root {
    /// The size in bytes of a regular file below, without opening it.
    pub(crate) fn size(&self, relative: &[u8]) -> io::Result<u64> {
        let stat = self.stat(relative)?;
        if stat.kind != Kind::File {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(stat.fingerprint.size)
    }
}

impl Stat {
    /// Whether both are one object.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let object = |stat: &Self| (stat.fingerprint.device, stat.fingerprint.inode);
        object(self) == object(other)
    }

    /// What a directory is known by, since every use changes its times: its object, and whose it is.
    pub(crate) fn identity(&self) -> Fingerprint {
        let Fingerprint { device, inode, .. } = self.fingerprint;
        Fingerprint { device, inode, links: u64::from(self.ours), ..Fingerprint::default() }
    }
}

/// A path's bytes with `/` between components.
#[cfg(unix)]
pub(crate) fn path_bytes(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

/// A path's bytes with `/` between components.
#[cfg(not(unix))]
pub(crate) fn path_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

/// The system's form of a path given as bytes.
#[cfg(unix)]
pub(crate) fn os_path(bytes: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

/// The system's form of a path given as bytes.
#[cfg(not(unix))]
pub(crate) fn os_path(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// An opened file with its size, if it is regular.
fn regular(file: File) -> io::Result<(File, u64)> {
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok((file, metadata.len()))
    } else {
        Err(io::Error::other("not a regular file"))
    }
}

#[cfg(test)]
mod tests;
