//! Edits by handles, kept ones and others.
//!
//! Invariants: no handle writes beyond the end of the file that it finds, but for what makes a file
//! longer by itself.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use rustix::fs::{FallocateFlags, copy_file_range, fallocate, ioctl_ficlone, sendfile};
use rustix::pipe::{SpliceFlags, pipe, splice};
use touchstone_cases::case::{Part, Text};

use super::super::acts;
use super::super::edit::{Allocating, Copying, Edit};
use super::{MAX_BYTES, bytes, regular};

/// Blocks of this size are what most file systems change the space of a file by.
const BLOCK: u64 = 4_096;

/// Most blocks that an edit adds, removes or clears.
const MAX_BLOCKS: u64 = 16;

/// A file, for reading and writing.
pub(crate) fn open(root: &Path, path: &Text) -> io::Result<File> {
    writable(&regular(root, path)?)
}

fn writable(at: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).open(at)
}

/// Carries out what a handle does.
pub(crate) fn through(file: &File, edit: &Edit) -> io::Result<()> {
    match edit {
        Edit::WriteThrough(_, at, contents) => {
            within(file, *at, contents, |at, bytes| file.write_all_at(bytes, at))
        }
        Edit::StoreThrough(_, at, contents) | Edit::MapStore(_, at, contents) => {
            within(file, *at, contents, |at, bytes| acts::map_store(file, at, bytes))
        }
        Edit::AioThrough(_, at, contents) | Edit::AioWrite(_, at, contents) => {
            within(file, *at, contents, |at, bytes| acts::aio_write(file, at, bytes))
        }
        Edit::RingThrough(_, at, contents) | Edit::RingWrite(_, at, contents) => {
            within(file, *at, contents, |at, bytes| touchstone_acts::ring_write(file, at, bytes))
        }
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// Writes as much as the file has room for from a place on.
fn within(
    file: &File,
    at: u64,
    contents: &Part,
    write: impl FnOnce(u64, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let length = file.metadata()?.len();
    let at = at.min(length.saturating_sub(1));
    let room = usize::try_from(length - at).unwrap_or(usize::MAX);
    let bytes = bytes(contents)?;
    match bytes.get(..bytes.len().min(room)) {
        Some(fitting) if !fitting.is_empty() => write(at, fitting),
        _ => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// Has the kernel copy one file over the beginning of another.
pub(super) fn copy(from: &Path, to: &Path, copying: Copying) -> io::Result<()> {
    let (from, to) = (File::open(from)?, writable(to)?);
    let length = from.metadata()?.len().min(MAX_BYTES);
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let copied = match copying {
        Copying::Range => copy_file_range(&from, Some(&mut 0), &to, Some(&mut 0), length)?,
        Copying::Sendfile => sendfile(&to, &from, Some(&mut 0), length)?,
        Copying::Splice => {
            let (end, start) = pipe()?;
            let filled = splice(&from, Some(&mut 0), &start, None, length, SpliceFlags::empty())?;
            splice(&end, None, &to, Some(&mut 0), filled, SpliceFlags::empty())?
        }
        Copying::Reflink => {
            ioctl_ficlone(&to, &from)?;
            length
        }
    };
    if copied == 0 { Err(io::ErrorKind::InvalidInput.into()) } else { Ok(()) }
}

/// Changes the space of a file.
pub(super) fn allocate(at: &Path, how: Allocating, first: u64, blocks: u64) -> io::Result<()> {
    let file = writable(at)?;
    let length = blocks.clamp(1, MAX_BLOCKS) * BLOCK;
    let (flags, offset) = match how {
        Allocating::Extend => (FallocateFlags::empty(), file.metadata()?.len()),
        Allocating::Punch => {
            (FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, first * BLOCK)
        }
        Allocating::Zero => (FallocateFlags::ZERO_RANGE | FallocateFlags::KEEP_SIZE, first * BLOCK),
        Allocating::Collapse => (FallocateFlags::COLLAPSE_RANGE, first * BLOCK),
        Allocating::Insert => (FallocateFlags::INSERT_RANGE, first * BLOCK),
    };
    Ok(fallocate(&file, flags, offset, length)?)
}
