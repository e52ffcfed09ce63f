//! Ways to change a file that no safe crate offers.

use std::fs::File;
use std::io;

use touchstone_acts::{Aio, Mapping};

/// Writes bytes at a place by AIO.
pub(super) fn aio_write(file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    Aio::new()?.write(file, at, bytes)
}

/// Stores bytes at a place through a shared mapping, which goes afterwards.
pub(super) fn map_store(file: &File, at: u64, bytes: &[u8]) -> io::Result<()> {
    let length =
        usize::try_from(file.metadata()?.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
    let at = usize::try_from(at).map_err(|_| io::ErrorKind::InvalidInput)?;
    if at.checked_add(bytes.len()).is_none_or(|end| end > length) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Mapping::of(file, length)?.store(at, bytes)
}
