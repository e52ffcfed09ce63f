//! Edits of the tree, on the disk.
//!
//! Not here: reading the tree back (`world`), which edits there are ([`super::Edit`]). Invariants:
//! nothing outside the directory beside and below the sandbox root is touched; an edit that the
//! disk refuses is no edit; nothing goes through a link, so that an edit changes what it names.

mod handles;
mod mounts;
mod names;
pub(super) mod objects;

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use touchstone_cases::case::{Contents, Part, Text};
use touchstone_cases::materialise;

use super::edit::Edit;

pub(super) use handles::{open, through};
pub(super) use mounts::all_down;

/// Largest file that an edit makes, in bytes.
const MAX_BYTES: u64 = 8 << 20;

/// Carries out an edit that no handle and no mount is needed for.
pub(super) fn carry_out(root: &Path, edit: &Edit) -> io::Result<()> {
    match edit {
        Edit::Write(path, contents) => write(&fresh(root, path)?, &bytes(contents)?),
        Edit::Append(path, contents) => {
            let mut file = OpenOptions::new().append(true).open(regular(root, path)?)?;
            file.write_all(&bytes(contents)?)
        }
        Edit::Replace(path, contents) => {
            let at = fresh(root, path)?;
            let aside = beside(root, b"../replacement");
            write(&aside, &bytes(contents)?)?;
            fs::rename(aside, at)
        }
        Edit::Truncate(path, length) => {
            let file = OpenOptions::new().write(true).open(regular(root, path)?)?;
            file.set_len((*length).min(file.metadata()?.len()))
        }
        Edit::Disguise(path, at) => disguise(&regular(root, path)?, *at),
        Edit::Remove(path) => {
            let at = place(root, path)?;
            if at.symlink_metadata()?.is_dir() {
                materialise::remove(&at)
            } else {
                fs::remove_file(at)
            }
        }
        Edit::Mkdir(path) => fs::create_dir_all(place(root, path)?),
        Edit::Rename(from, to) => {
            let (from, to) = (place(root, from)?, place(root, to)?);
            from.symlink_metadata()?;
            parents(&to)?;
            fs::rename(from, to)
        }
        Edit::HardLink(from, to) => {
            let (from, to) = (regular(root, from)?, place(root, to)?);
            parents(&to)?;
            fs::hard_link(from, to)
        }
        Edit::SecondName(from, to) => {
            carry_out(root, &Edit::HardLink(from.clone(), to.clone()))?;
            carry_out(root, &Edit::Touch(from.clone()))
        }
        Edit::Symlink(path, target) => {
            let at = place(root, path)?;
            parents(&at)?;
            symlink(OsStr::from_bytes(&target.0), at)
        }
        Edit::Chmod(path, readable) => chmod(&place(root, path)?, *readable),
        Edit::Touch(path) => {
            let file = File::open(regular(root, path)?)?;
            file.set_times(FileTimes::new().set_modified(std::time::SystemTime::now()))
        }
        Edit::NewRoot => {
            let aside = beside(root, b"../formerly");
            let _ = materialise::remove(&aside);
            fs::rename(root, aside)?;
            fs::create_dir(root)?;
            write(&root.join("another.txt"), b"needle in another root\n")
        }
        Edit::Many(name, count, contents) => {
            let bytes = bytes(contents)?;
            for number in 0..*count {
                let path = Text([&name.0[..], format!("-{number}").as_bytes()].concat());
                write(&fresh(root, &path)?, &bytes)?;
            }
            Ok(())
        }
        _ => by_system_calls(root, edit),
    }
}

/// Carries out what the standard library has no function for.
fn by_system_calls(root: &Path, edit: &Edit) -> io::Result<()> {
    match edit {
        Edit::MapStore(path, ..) | Edit::AioWrite(path, ..) | Edit::RingWrite(path, ..) => {
            through(&open(root, path)?, edit)
        }
        Edit::Copy(from, to, copying) => {
            handles::copy(&regular(root, from)?, &regular(root, to)?, *copying)
        }
        Edit::Allocate(path, how, first, blocks) => {
            handles::allocate(&regular(root, path)?, *how, *first, *blocks)
        }
        Edit::ByPassingName(path, passing, contents) => {
            names::by_passing_name(&regular(root, path)?, &place(root, passing)?, &bytes(contents)?)
        }
        Edit::ByOtherName(path, other, contents) => {
            names::by_other_name(&place(root, path)?, &regular(root, other)?, &bytes(contents)?)
        }
        Edit::Tmpfile(directory, to, contents) => {
            let to = place(root, to)?;
            parents(&to)?;
            names::tmpfile(&place(root, directory)?, &to, &bytes(contents)?)
        }
        Edit::Relink(path, target) => {
            names::relink(&place(root, path)?, &beside(root, b"../link"), &target.0)
        }
        Edit::Fifo(path) => {
            let at = place(root, path)?;
            parents(&at)?;
            names::fifo(&at)
        }
        Edit::Exchange(from, to) => names::exchange(&place(root, from)?, &place(root, to)?),
        Edit::RenameNoReplace(from, to) => {
            let (from, to) = (place(root, from)?, place(root, to)?);
            from.symlink_metadata()?;
            parents(&to)?;
            names::rename_no_replace(&from, &to)
        }
        Edit::Chown(path) => names::chown(&place(root, path)?),
        Edit::Acl(path, readable) => names::acl(&place(root, path)?, *readable),
        Edit::SetXattr(path, contents) => names::set_xattr(&place(root, path)?, &bytes(contents)?),
        Edit::Backdate(path, seconds) => names::backdate(&regular(root, path)?, *seconds),
        // What takes more than a tree is `disk`'s.
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// Carries out a mount; `layers` is a directory that nothing else uses.
pub(super) fn mount(root: &Path, layers: &Path, edit: &Edit) -> io::Result<()> {
    let at = |path| place(root, path);
    match edit {
        Edit::MountTmpfs(path, contents) => mounts::tmpfs(&at(path)?, &bytes(contents)?),
        Edit::MountOverlay(path, contents) => {
            mounts::overlay(&at(path)?, layers, &bytes(contents)?)
        }
        Edit::CopyUp(path, contents) => mounts::copy_up(&regular(root, path)?, &bytes(contents)?),
        Edit::Bind(from, to) => mounts::bind(&at(from)?, &at(to)?),
        Edit::Attach(from, to) => mounts::attach(&at(from)?, &at(to)?),
        Edit::MoveMount(from, to) => mounts::shift(&at(from)?, &at(to)?),
        Edit::Unmount(path) => mounts::down(&at(path)?),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// Where a path lies. No component may lead out of the scratch directory.
pub(super) fn place(root: &Path, path: &Text) -> io::Result<PathBuf> {
    let inside = path.0.strip_prefix(b"../").unwrap_or(&path.0);
    let harmless = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && !name.contains(&0);
    if !inside.split(|byte| *byte == b'/').all(harmless) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let at = beside(root, &path.0);
    // No component above may be a link, or the edit would be somewhere else.
    let scratch = root.parent().unwrap_or(root);
    for above in at.ancestors().skip(1).take_while(|above| *above != scratch) {
        if above.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
    }
    Ok(at)
}

fn beside(root: &Path, path: &[u8]) -> PathBuf {
    match path.strip_prefix(b"../") {
        Some(outside) => root.parent().unwrap_or(root).join(OsStr::from_bytes(outside)),
        None => root.join(OsStr::from_bytes(path)),
    }
}

fn parents(at: &Path) -> io::Result<()> {
    at.parent().map_or(Ok(()), fs::create_dir_all)
}

/// Where a regular file is, or can come about.
fn fresh(root: &Path, path: &Text) -> io::Result<PathBuf> {
    let at = place(root, path)?;
    parents(&at)?;
    match at.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => Err(io::ErrorKind::InvalidInput.into()),
        _ => Ok(at),
    }
}

/// Where a regular file is.
fn regular(root: &Path, path: &Text) -> io::Result<PathBuf> {
    let at = place(root, path)?;
    if at.symlink_metadata()?.is_file() { Ok(at) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

fn bytes(contents: &Part) -> io::Result<Vec<u8>> {
    let contents = Contents { parts: vec![contents.clone()] };
    if contents.len() > MAX_BYTES {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(contents.bytes())
}

fn write(at: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(at, bytes)
}

/// Turns a letter into another one and puts the time of modification back, as tools do that
/// preserve times.
fn disguise(at: &Path, place: u64) -> io::Result<()> {
    let file = OpenOptions::new().read(true).write(true).open(at)?;
    let metadata = file.metadata()?;
    let place = place.checked_rem(metadata.len()).ok_or(io::ErrorKind::InvalidInput)?;
    let mut byte = [0];
    file.read_exact_at(&mut byte, place)?;
    let other = if byte == *b"q" { b'z' } else { b'q' };
    file.write_all_at(&[other], place)?;
    file.set_times(FileTimes::new().set_modified(metadata.modified()?))
}

fn chmod(at: &Path, readable: bool) -> io::Result<()> {
    let metadata = at.symlink_metadata()?;
    if metadata.is_symlink() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mode = match (readable, metadata.is_dir()) {
        (false, _) => 0o000,
        (true, true) => 0o755,
        (true, false) => 0o644,
    };
    fs::set_permissions(at, Permissions::from_mode(mode))
}
