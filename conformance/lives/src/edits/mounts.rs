//! Mounts, in a namespace of the life's own.
//!
//! Invariants: nothing outside the life's directory is covered; the caller has mounts of
//! its own, which no other process sees.

use std::ffi::CString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statfs, statx};
use rustix::mount::{
    MountFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount, mount_bind, mount_move,
    move_mount, open_tree, unmount,
};

/// Type of an overlay, as `statfs` tells it.
const OVERLAY: u64 = 0x794c_7630;

/// An empty file system, and a file in it.
pub(super) fn tmpfs(at: &Path, bytes: &[u8]) -> io::Result<()> {
    mount("touchstone", at, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, c"size=4m")?;
    fs::write(at.join("m.txt"), bytes)
}

/// An overlay over a directory; its lower one holds a file.
pub(super) fn overlay(at: &Path, layers: &Path, bytes: &[u8]) -> io::Result<()> {
    if !at.is_dir() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut options = Vec::new();
    for (option, layer) in [("lowerdir=", "lower"), (",upperdir=", "upper"), (",workdir=", "work")]
    {
        let layer = layers.join(layer);
        fs::create_dir_all(&layer)?;
        options.extend([option.as_bytes(), layer.as_os_str().as_bytes()].concat());
    }
    fs::write(layers.join("lower/l.txt"), bytes)?;
    let options = CString::new(options)?;
    Ok(mount("touchstone", at, "overlay", MountFlags::NODEV, options.as_c_str())?)
}

/// Writes a file below an overlay.
pub(super) fn copy_up(at: &Path, bytes: &[u8]) -> io::Result<()> {
    if u64::try_from(statfs(at)?.f_type).ok() != Some(OVERLAY) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    OpenOptions::new().append(true).open(at)?.write_all(bytes)
}

/// Shows a directory or a file at another place as well.
pub(super) fn bind(from: &Path, to: &Path) -> io::Result<()> {
    Ok(mount_bind(from, to)?)
}

/// The same, by the newer calls.
pub(super) fn attach(from: &Path, to: &Path) -> io::Result<()> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let tree = open_tree(CWD, from, flags)?;
    Ok(move_mount(tree, "", CWD, to, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)?)
}

/// Moves a mount.
pub(super) fn shift(from: &Path, to: &Path) -> io::Result<()> {
    Ok(mount_move(from, to)?)
}

/// Unmounts, at once or as soon as the mount is unused.
pub(super) fn down(at: &Path) -> io::Result<()> {
    if !is_root(at) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let busy = unmount(at, UnmountFlags::NOFOLLOW).is_err();
    if busy { Ok(unmount(at, UnmountFlags::DETACH | UnmountFlags::NOFOLLOW)?) } else { Ok(()) }
}

/// Whether something is mounted right here.
pub(super) fn is_root(at: &Path) -> bool {
    let status = statx(CWD, at, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty());
    status.is_ok_and(|status| status.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

/// Takes down everything that is mounted below a directory, the last first.
pub(crate) fn all_down(below: &Path) {
    let table = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let points = table.lines().filter_map(|line| line.split(' ').nth(4)).map(PathBuf::from);
    let ours: Vec<PathBuf> = points.filter(|point| point.starts_with(below)).collect();
    for point in ours.iter().rev() {
        // What cannot be taken down goes with the process.
        let _ = unmount(point, UnmountFlags::DETACH);
    }
}
