//! Linux: every open is relative to one directory handle, and the kernel confines it below that.

use std::{
    fs::File,
    io,
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, StatxFlags, StatxTimestamp, openat,
    openat2, statat, statx,
};
use rustix::io::Errno;

use forge_search_core::{cancellation::Cancellation, index::segment::Fingerprint};

#[cfg(feature = "index")]
use super::proof::{Proof, of_file_system};
use super::{Entry, Kind, LISTED_STEPS, ListDetail, Stat, os_path, regular};

/// Asks the server of a network file system: cached attributes prove nothing.
const FRESH: AtFlags = AtFlags::SYMLINK_NOFOLLOW.union(AtFlags::STATX_FORCE_SYNC);

/// A directory that files below it are opened through.
#[derive(Debug)]
pub(crate) struct Root {
    handle: OwnedFd,
    path: PathBuf,
}

impl Root {
    /// The directory at a canonical path. It need not be listable.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = rustix::fs::open(path, flags, Mode::empty())?;
        Ok(Self { handle, path: path.to_owned() })
    }

    /// The directory at a path below this one, to be listed. Confined like every open, so that a
    /// path resolved earlier cannot lead elsewhere now.
    pub(crate) fn below(&self, relative: &[u8]) -> io::Result<Self> {
        self.directory(relative, OFlags::RDONLY)
    }

    /// The same for a directory that need not be listable.
    pub(crate) fn containing(&self, relative: &[u8]) -> io::Result<Self> {
        self.directory(relative, OFlags::PATH)
    }

    /// The directory of this name in this one, or the one above for `..`; no link is followed. It
    /// need not be listable.
    pub(crate) fn step(&self, name: &[u8]) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let handle = openat(&self.handle, os_path(name), flags, Mode::empty())?;
        let mut path = self.path.clone();
        match name {
            b"." => {}
            b".." => _ = path.pop(),
            name => path.push(os_path(name)),
        }
        Ok(Self { handle, path })
    }

    fn directory(&self, relative: &[u8], access: OFlags) -> io::Result<Self> {
        let handle = self.open_below(relative, access | OFlags::DIRECTORY)?;
        let path =
            if relative.is_empty() { self.path.clone() } else { self.path.join(os_path(relative)) };
        Ok(Self { handle, path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a regular file below. Returns its size in bytes.
    pub(crate) fn open_file(&self, relative: &[u8]) -> io::Result<(File, u64)> {
        // Non-blocking, so that a FIFO that replaced the file is detected without waiting.
        let handle =
            self.open_below(relative, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY)?;
        regular(File::from(handle))
    }

    /// The entries of a directory below, in no order. `stats` selects the detail for regular files,
    /// which is cheaper here than by path later. Their memory is added to `held`. Void if it is
    /// cancelled.
    pub(crate) fn list(
        &self,
        relative: &[u8],
        stats: ListDetail,
        held: &AtomicU64,
        cancellation: &Cancellation<'_>,
    ) -> io::Result<Vec<Entry>> {
        let handle = self.open_below(relative, OFlags::RDONLY | OFlags::DIRECTORY)?;
        let mut entries = Vec::new();
        for entry in Dir::read_from(&handle)? {
            if !cancellation.go_on(LISTED_STEPS) {
                break;
            }
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not report a type.
                FileType::Unknown => {
                    let found = statat(&handle, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW);
                    found.map_or(Kind::Other, |stat| kind(FileType::from_raw_mode(stat.st_mode)))
                }
                known => kind(known),
            };
            let fingerprint = match stats {
                _ if kind != Kind::File => None,
                ListDetail::Names => None,
                ListDetail::Stat => {
                    let found = stat(&handle, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW);
                    found.ok().map(|stat| Box::new(stat.fingerprint))
                }
                ListDetail::FreshStat => stat(&handle, entry.file_name(), FRESH)
                    .ok()
                    .map(|stat| Box::new(stat.fingerprint)),
            };
            let entry = Entry { name: name.into(), kind, fingerprint };
            held.fetch_add(entry.bytes(), Ordering::Relaxed);
            entries.push(entry);
        }
        Ok(entries)
    }

    /// What is at a path below, without following a link. An empty path is the directory itself.
    pub(crate) fn stat(&self, relative: &[u8]) -> io::Result<Stat> {
        match memchr::memrchr(b'/', relative) {
            None => self.stat_at(relative),
            Some(slash) => {
                let (above, name) = relative.split_at(slash);
                let above = self.open_below(above, OFlags::PATH | OFlags::DIRECTORY)?;
                stat(&above, os_path(name.get(1..).unwrap_or_default()), FRESH)
            }
        }
    }

    /// The same for a path of which each directory is compared, too: a directory on the way that
    /// has become a link is followed. Cheaper for many files.
    #[cfg(feature = "index")]
    pub(crate) fn stat_by_path(&self, relative: &[u8]) -> io::Result<Stat> {
        self.stat_at(relative)
    }

    fn stat_at(&self, path: &[u8]) -> io::Result<Stat> {
        let path = if path.is_empty() { os_path(b".") } else { os_path(path) };
        stat(&self.handle, path, FRESH)
    }

    /// The proof that the file system of a directory below supports.
    #[cfg(feature = "index")]
    pub(crate) fn proof(&self, relative: &[u8]) -> io::Result<Proof> {
        let handle = self.open_below(relative, OFlags::PATH | OFlags::DIRECTORY)?;
        Ok(of_file_system(rustix::fs::fstatfs(&handle)?.f_type.cast_unsigned() & 0xFFFF_FFFF))
    }

    fn open_below(&self, relative: &[u8], flags: OFlags) -> io::Result<OwnedFd> {
        let path = if relative.is_empty() { os_path(b".") } else { os_path(relative) };
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match openat2(&self.handle, path, flags, Mode::empty(), resolve) {
            // Kernels before 5.6 and some containers lack it.
            Err(Errno::NOSYS) => self.open_by_steps(relative, flags),
            opened => Ok(opened?),
        }
    }

    /// The same without `openat2`: each directory on the way is opened in the one above it.
    fn open_by_steps(&self, relative: &[u8], flags: OFlags) -> io::Result<OwnedFd> {
        const WAY: OFlags =
            OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
        let mut names = relative.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
        if names.clone().any(|name| name == b"..") {
            return Err(Errno::XDEV.into());
        }
        let last = names.next_back().unwrap_or(b".");
        let mut above: Option<OwnedFd> = None;
        for name in names {
            let directory = above.as_ref().unwrap_or(&self.handle);
            above = Some(openat(directory, os_path(name), WAY, Mode::empty())?);
        }
        Ok(openat(above.as_ref().unwrap_or(&self.handle), os_path(last), flags, Mode::empty())?)
    }
}

/// What is at a path. Its fields are the same on every architecture, unlike those of `fstatat`.
fn stat(directory: impl AsFd, path: impl rustix::path::Arg, flags: AtFlags) -> io::Result<Stat> {
    let found = statx(directory, path, flags, StatxFlags::BASIC_STATS)?;
    let time = |time: StatxTimestamp| {
        time.tv_sec.saturating_mul(1_000_000_000).saturating_add(i64::from(time.tv_nsec))
    };
    let fingerprint = Fingerprint {
        size: found.stx_size,
        mtime_ns: time(found.stx_mtime),
        ctime_ns: time(found.stx_ctime),
        device: rustix::fs::makedev(found.stx_dev_major, found.stx_dev_minor),
        inode: found.stx_ino,
        links: u64::from(found.stx_nlink),
    };
    let ours = found.stx_uid == 0 || found.stx_uid == rustix::process::geteuid().as_raw();
    Ok(Stat { kind: kind(FileType::from_raw_mode(found.stx_mode.into())), fingerprint, ours })
}

/// The fingerprint of an open file.
pub(crate) fn of_file(file: &File) -> io::Result<Fingerprint> {
    Ok(stat(file, "", AtFlags::EMPTY_PATH)?.fingerprint)
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Symlink,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Read as _, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn opened_by_steps_or_not_no_link_is_followed_and_nothing_above_is_reached() {
        let place = tempfile::tempdir().unwrap();
        let tree = place.path().join("tree");
        fs::create_dir_all(tree.join("a/b")).unwrap();
        fs::write(tree.join("a/b/file"), "text").unwrap();
        fs::write(place.path().join("file"), "outside").unwrap();
        symlink(place.path(), tree.join("outside")).unwrap();
        symlink("a", tree.join("inside")).unwrap();
        symlink("file", tree.join("a/b/link")).unwrap();
        let root = Root::open(&tree).unwrap();
        let both = |path: &str, flags| {
            let path = path.as_bytes();
            [root.open_below(path, flags), root.open_by_steps(path, flags | OFlags::NOFOLLOW)]
        };
        for path in ["a/b/file", "a//b/./file"] {
            for file in both(path, OFlags::RDONLY) {
                let mut text = String::new();
                File::from(file.unwrap()).read_to_string(&mut text).unwrap();
                assert_eq!(text, "text", "{path}");
            }
        }
        for path in ["", "a", "a/b"] {
            assert!(both(path, OFlags::DIRECTORY).iter().all(io::Result::is_ok), "{path}");
        }
        let through_links = ["outside", "outside/file", "inside/b/file", "a/b/link"];
        for path in through_links.into_iter().chain(["../file", "a/../../file", "gone/file"]) {
            assert!(both(path, OFlags::RDONLY).iter().all(io::Result::is_err), "{path}");
            let (stat, size) = (root.stat(path.as_bytes()), root.size(path.as_bytes()));
            let is_link = stat.as_ref().is_ok_and(|stat| stat.kind == Kind::Symlink);
            assert!(size.is_err() && (stat.is_err() || is_link), "{path}: {stat:?}");
        }
        assert_eq!(root.size(b"a/b/file").unwrap(), 4);
    }
}
