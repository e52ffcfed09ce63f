//! Linux: every open is relative to one directory handle and confined below it by the kernel.

use std::{
    fs::File,
    io,
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, openat, openat2, statat};

use super::{Entry, Kind, os_path, regular};

/// A directory that files below it are opened through.
#[derive(Debug)]
pub(crate) struct Root {
    handle: OwnedFd,
    path: PathBuf,
    /// Kernels before 5.6 and some containers lack `openat2`; asked once.
    confined: AtomicBool,
}

impl Root {
    /// The directory at a canonical path, as a place to open others from; it need not be listable itself.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = rustix::fs::open(path, flags, Mode::empty())?;
        Ok(Self { handle, path: path.to_owned(), confined: AtomicBool::new(true) })
    }

    /// The directory at a path below this one, to be listed; confined like every other open, so that a path
    /// resolved a moment ago cannot lead elsewhere now.
    pub(crate) fn below(&self, relative: &[u8]) -> io::Result<Self> {
        self.directory(relative, OFlags::RDONLY)
    }

    /// The same for a directory that may be searched but need not be listed.
    pub(crate) fn containing(&self, relative: &[u8]) -> io::Result<Self> {
        self.directory(relative, OFlags::PATH)
    }

    fn directory(&self, relative: &[u8], access: OFlags) -> io::Result<Self> {
        let handle = self.open_below(relative, access | OFlags::DIRECTORY)?;
        let path = if relative.is_empty() { self.path.clone() } else { self.path.join(os_path(relative)) };
        Ok(Self { handle, path, confined: AtomicBool::new(true) })
    }

    /// Where the directory is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a regular file below, and its size in bytes.
    pub(crate) fn open_file(&self, relative: &[u8]) -> io::Result<(File, u64)> {
        // Non-blocking, so that a FIFO that took the file's place is noticed instead of waited for.
        let handle = self.open_below(relative, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
        regular(File::from(handle))
    }

    /// The entries of a directory below, in no order; with the sizes of regular files if `sizes`, which is cheaper here,
    /// next to their directory, than by path later.
    pub(crate) fn list(&self, relative: &[u8], sizes: bool) -> io::Result<Vec<Entry>> {
        let handle = self.open_below(relative, OFlags::RDONLY | OFlags::DIRECTORY)?;
        let mut entries = Vec::new();
        for entry in Dir::read_from(&handle)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not say.
                FileType::Unknown => {
                    let found = statat(&handle, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW);
                    found.map_or(Kind::Other, |stat| kind(FileType::from_raw_mode(stat.st_mode)))
                }
                known => kind(known),
            };
            let size = if sizes && kind == Kind::File {
                let stat = statat(&handle, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW).ok();
                stat.and_then(|stat| u64::try_from(stat.st_size).ok())
            } else {
                None
            };
            entries.push(Entry { name: name.to_vec(), kind, size });
        }
        Ok(entries)
    }

    /// The size in bytes of a regular file below, looked at without opening it.
    pub(crate) fn size(&self, relative: &[u8]) -> io::Result<u64> {
        let stat = statat(self.handle.as_fd(), os_path(relative), AtFlags::empty())?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(u64::try_from(stat.st_size).unwrap_or(0))
    }

    fn open_below(&self, relative: &[u8], flags: OFlags) -> io::Result<OwnedFd> {
        let relative = if relative.is_empty() { os_path(b".") } else { os_path(relative) };
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        if self.confined.load(Ordering::Relaxed) {
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
            match openat2(self.handle.as_fd(), &relative, flags, Mode::empty(), resolve) {
                Err(rustix::io::Errno::NOSYS) => self.confined.store(false, Ordering::Relaxed),
                opened => return Ok(opened?),
            }
        }
        Ok(openat(self.handle.as_fd(), &relative, flags, Mode::empty())?)
    }
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Symlink,
        _ => Kind::Other,
    }
}
