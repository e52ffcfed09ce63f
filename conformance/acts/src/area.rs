//! Memory from `mmap(2)`: of a file, which changes with it, or of nothing.

use std::{
    fs::File,
    io,
    os::fd::AsRawFd,
    ptr::{self, NonNull},
};

/// Mapped memory of this process.
#[derive(Debug)]
pub(crate) struct Area {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: the memory belongs to the process, not to the thread that mapped it, and only the methods
// of the owner touch it.
#[allow(unsafe_code)]
unsafe impl Send for Area {}

impl Area {
    /// Memory that is nobody's yet.
    pub(crate) fn anonymous(len: usize) -> io::Result<Self> {
        Self::map(len, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1)
    }

    fn map(len: usize, flags: i32, file: i32) -> io::Result<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: the system chooses the place, so that no memory in use is replaced.
        #[allow(unsafe_code)]
        let start = unsafe { libc::mmap(ptr::null_mut(), len, access, flags, file, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or_else(|| io::Error::other("mapped at 0"))?;
        Ok(Self { start, len })
    }

    /// Where it starts.
    pub(crate) fn address(&self) -> usize {
        self.start.as_ptr() as usize
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

impl Drop for Area {
    fn drop(&mut self) {
        // SAFETY: the memory was mapped with this length, and nobody else has its address any more.
        #[allow(unsafe_code)]
        let _ = unsafe { libc::munmap(self.start.as_ptr().cast(), self.len) };
    }
}

/// A shared writable mapping of a file's beginning. Dropping it unmaps it.
#[derive(Debug)]
pub struct Mapping {
    area: Area,
}

impl Mapping {
    /// Maps the first `len` bytes, which the file must have.
    pub fn of(file: &File, len: usize) -> io::Result<Self> {
        if file.metadata()?.len() < len as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Self { area: Area::map(len, libc::MAP_SHARED, file.as_raw_fd())? })
    }

    /// Writes to the memory, and so to the file.
    pub fn store(&mut self, offset: usize, bytes: &[u8]) -> io::Result<()> {
        if offset.checked_add(bytes.len()).is_none_or(|end| end > self.area.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: the range lies inside the mapping, which overlaps no memory of Rust's.
        #[allow(unsafe_code)]
        unsafe {
            let to = self.area.start.as_ptr().add(offset);
            to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        Ok(())
    }
}
