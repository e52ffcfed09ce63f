//! Ways to change a file that no safe crate offers.
//!
//! Invariants: what is not offered is `Unsupported`, which no edit takes for done.

use std::fs::File;
use std::io;

use touchstone_acts::{Aio, Mapping};

/// Writes bytes at a place by AIO.
pub(super) fn aio_write(file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    Aio::new()?.write(file, at, bytes)
}

/// Stores bytes at a place through a shared mapping, which goes afterwards.
pub(super) fn map_store(file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    let length = usize::try_from(file.metadata()?.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
    let at = usize::try_from(at).map_err(|_| io::ErrorKind::InvalidInput)?;
    if at.checked_add(bytes.len()).is_none_or(|end| end > length) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Mapping::of(file, length)?.store(at, bytes)
}

/// Writes bytes at a place by an `io_uring`.
pub(super) fn uring_write(_file: &File, _at: u64, _bytes: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
