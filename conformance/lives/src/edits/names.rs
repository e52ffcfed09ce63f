//! Edits by names, and of what decides that a file is searched.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, symlink};
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, FileType, Gid, Mode, OFlags, RenameFlags, Uid, XattrFlags, chownat, linkat,
    lsetxattr, mknodat, renameat_with,
};

/// Permissions of what an edit makes.
const MODE: u32 = 0o644;

/// Links a file, writes it by the new name, and removes that.
pub(super) fn by_passing_name(at: &Path, passing: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::hard_link(at, passing)?;
    let written =
        OpenOptions::new().write(true).open(passing).and_then(|mut file| file.write_all(bytes));
    fs::remove_file(passing)?;
    written
}

/// Writes a file by another path, if that is the same file.
pub(super) fn by_other_name(at: &Path, other: &Path, bytes: &[u8]) -> io::Result<()> {
    let (one, same) = (at.symlink_metadata()?, other.symlink_metadata()?);
    if !one.is_file() || (one.dev(), one.ino()) != (same.dev(), same.ino()) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    fs::write(other, bytes)
}

/// Makes a file without a name in a directory, and gives it one.
pub(super) fn tmpfile(directory: &Path, to: &Path, bytes: &[u8]) -> io::Result<()> {
    let flags = i32::try_from(OFlags::TMPFILE.bits()).map_err(io::Error::other)?;
    let mut file =
        OpenOptions::new().read(true).write(true).mode(MODE).custom_flags(flags).open(directory)?;
    file.write_all(bytes)?;
    let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, unnamed, CWD, to, AtFlags::SYMLINK_FOLLOW)?)
}

/// Puts a link in the place of another one.
pub(super) fn relink(at: &Path, aside: &Path, target: &[u8]) -> io::Result<()> {
    if !at.symlink_metadata()?.is_symlink() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // What is left of one that failed.
    let _ = fs::remove_file(aside);
    symlink(OsStr::from_bytes(target), aside)?;
    fs::rename(aside, at)
}

/// Makes a named pipe.
pub(super) fn fifo(at: &Path) -> io::Result<()> {
    Ok(mknodat(CWD, at, FileType::Fifo, Mode::from_raw_mode(MODE), 0)?)
}

/// Exchanges two names.
pub(super) fn exchange(from: &Path, to: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE)?)
}

/// Renames to a name that nothing has.
pub(super) fn rename_no_replace(from: &Path, to: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)?)
}

/// Gives something the owner that it has.
pub(super) fn chown(at: &Path) -> io::Result<()> {
    let metadata = at.symlink_metadata()?;
    let (user, group) = (Uid::from_raw(metadata.uid()), Gid::from_raw(metadata.gid()));
    Ok(chownat(CWD, at, Some(user), Some(group), AtFlags::SYMLINK_NOFOLLOW)?)
}

/// Grants access to the owner and all others, or to none, by an access control list.
pub(super) fn acl(at: &Path, readable: bool) -> io::Result<()> {
    let metadata = at.symlink_metadata()?;
    let (owner, others) = match (readable, metadata.is_dir()) {
        (false, _) => (0_u16, 0_u16),
        (true, true) => (7, 5),
        (true, false) => (6, 4),
    };
    // Version 2; then entries of owner, group and others: tag, permissions, no id.
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (who, what) in [(0x01_u16, owner), (0x04, others), (0x20, others)] {
        list.extend(who.to_le_bytes());
        list.extend(what.to_le_bytes());
        list.extend(u32::MAX.to_le_bytes());
    }
    Ok(lsetxattr(at, "system.posix_acl_access", &list, XattrFlags::empty())?)
}

/// Sets an extended attribute.
pub(super) fn set_xattr(at: &Path, bytes: &[u8]) -> io::Result<()> {
    let value = bytes.get(..bytes.len().min(64)).unwrap_or_default();
    Ok(lsetxattr(at, "user.touchstone", value, XattrFlags::empty())?)
}

/// Sets the time of modification.
pub(super) fn backdate(at: &Path, seconds: u64) -> io::Result<()> {
    let time = std::time::UNIX_EPOCH.checked_add(std::time::Duration::from_secs(seconds));
    let time = time.ok_or(io::ErrorKind::InvalidInput)?;
    File::open(at)?.set_times(fs::FileTimes::new().set_modified(time))
}
