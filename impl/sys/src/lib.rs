#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! System calls that the service needs and no safe crate offers: [`writers`] asks the kernel
//! whether a file is open for writing, [`release_free_memory`] trims the heap.
//!
//! This is the only crate below `impl` with `unsafe`; each block states why it is sound.

#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::fs::File;

/// Whether a file has writers, by the kernel's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writers {
    /// No process has the file open for writing or has a writable shared mapping.
    None,
    /// A process has the file open for writing, or has a lease on it.
    Some,
    /// The kernel does not answer: the file has another owner, or its file system has no leases.
    Unknown,
}

/// Whether some process can write to a file without opening it. `file` must be open for reading
/// only.
///
/// Takes a read lease and releases it at once. The kernel grants it only if no process has the file
/// open for writing (`fcntl_locking(2)`, `F_SETLEASE`). It is not held, since that would block
/// writers.
#[cfg(target_os = "linux")]
#[must_use]
pub fn writers(file: &File) -> Writers {
    use std::os::fd::AsRawFd;
    let handle = file.as_raw_fd();
    // A writer that opens the file between the two calls breaks the lease, and the kernel signals
    // this process. The default signal, SIGIO, ends a process; SIGURG is ignored by default.
    // SAFETY: `F_SETSIG` takes an integer and touches no memory; `file` keeps the descriptor open.
    #[allow(unsafe_code)]
    let signal = unsafe { libc::fcntl(handle, F_SETSIG, libc::SIGURG) };
    if signal != 0 {
        return Writers::Unknown;
    }
    // SAFETY: `F_SETLEASE` takes an integer and touches no memory; `file` keeps the descriptor
    // open.
    #[allow(unsafe_code)]
    let taken = unsafe { libc::fcntl(handle, libc::F_SETLEASE, libc::F_RDLCK) };
    if taken == 0 {
        // SAFETY: as above. If the release fails, the lease ends with the descriptor.
        #[allow(unsafe_code)]
        let _ = unsafe { libc::fcntl(handle, libc::F_SETLEASE, libc::F_UNLCK) };
        return Writers::None;
    }
    match std::io::Error::last_os_error().raw_os_error() {
        Some(libc::EAGAIN | libc::EBUSY) => Writers::Some,
        _ => Writers::Unknown,
    }
}

/// Returns free heap pages to the system (`malloc_trim(3)`, glibc only). Without it, memory freed
/// between blocks in use stays with the process.
pub fn release_free_memory() {
    // SAFETY: `malloc_trim` takes an integer, the padding to keep, and touches only free memory of
    // the allocator.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[allow(unsafe_code)]
    let _ = unsafe { libc::malloc_trim(0) };
}

/// From `fcntl.h`; `libc` defines it for other systems only.
#[cfg(target_os = "linux")]
const F_SETSIG: i32 = 10;

/// Other systems have no such call.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn writers(_file: &File) -> Writers {
    Writers::Unknown
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs::{self, OpenOptions};

    use super::*;

    #[test]
    fn an_open_writer_is_detected_until_it_is_closed() {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        let path = scratch.path().join("f");
        fs::write(&path, "text").expect("the file is written");
        let reader = File::open(&path).expect("the file opens");
        assert_eq!(writers(&reader), Writers::None);
        let writer =
            OpenOptions::new().append(true).open(&path).expect("the file opens for writing");
        assert_eq!(writers(&reader), Writers::Some);
        drop(writer);
        assert_eq!(writers(&reader), Writers::None);
        let twice = File::open(&path).expect("a second reader");
        assert_eq!(writers(&twice), Writers::None, "other readers do not matter");
    }
}
