//! Ways to change a file that no safe crate offers.
//!
//! Invariants: what is not offered is `Unsupported`, which no edit takes for done.

use std::fs::File;
use std::io;

/// Writes bytes at a place by AIO.
pub(super) fn aio_write(_file: &File, _at: u64, _bytes: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Stores bytes at a place through a shared mapping, which goes afterwards.
pub(super) fn map_store(_file: &File, _at: u64, _bytes: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes bytes at a place by an `io_uring`.
pub(super) fn uring_write(_file: &File, _at: u64, _bytes: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
