//! Writes by a ring of `io_uring(7)`. The kernel reports them to watchers when they have ended.

use std::{fs::File, io, os::fd::AsRawFd};

use io_uring::{IoUring, opcode, types::Fd};

/// Writes all bytes at an offset of the file by a ring of its own, and returns when they are
/// written. Fails where the system has no rings or forbids them.
pub fn ring_write(file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    let mut ring = IoUring::new(1)?;
    let order =
        opcode::Write::new(Fd(file.as_raw_fd()), bytes.as_ptr(), length).offset(offset).build();
    // SAFETY: file and bytes are valid until this function returns, which is after the write has
    // ended: see below.
    #[allow(unsafe_code)]
    let taken = unsafe { ring.submission().push(&order) };
    taken.map_err(io::Error::other)?;
    let ended = loop {
        // Only a signal interrupts the wait. The kernel uses the bytes until the write has ended,
        // so that this waits again; a ring that took nothing has no end to wait for.
        let waited = ring.submit_and_wait(1);
        if let Some(ended) = ring.completion().next() {
            break ended;
        }
        match waited {
            Err(err) if err.kind() != io::ErrorKind::Interrupted => return Err(err),
            _ => {}
        }
    };
    match usize::try_from(ended.result()) {
        Ok(written) if written == bytes.len() => Ok(()),
        Ok(_) => Err(io::ErrorKind::WriteZero.into()),
        Err(_) => Err(io::Error::from_raw_os_error(ended.result().saturating_neg())),
    }
}
