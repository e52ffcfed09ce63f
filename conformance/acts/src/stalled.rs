//! A `pwrite` that stands still in the kernel: its bytes come from memory that is not there yet
//! (`userfaultfd(2)`). The kernel updates the file's times before it asks for the bytes.

use std::{
    fs::File,
    io::{self, Read},
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::area::Area;

/// How long a write may take to get to its bytes.
const LONG: Duration = Duration::from_secs(10);
/// `UFFD_API` of `linux/userfaultfd.h`, and the type of its `ioctl` calls.
const API: u32 = 0xAA;
/// `UFFDIO_REGISTER_MODE_MISSING` of the same.
const MISSING: u64 = 1;
/// Bytes of `struct uffd_msg`.
const MESSAGE: usize = 32;

/// `struct uffdio_api`: version, features, calls.
type Greeting = [u64; 3];
/// `struct uffdio_register`: start, length, mode, calls.
type Register = [u64; 4];
/// `struct uffdio_copy`: to, from, length, mode, bytes copied.
type Fill = [u64; 5];

const GREET: libc::Ioctl = libc::_IOWR::<Greeting>(API, 0x3F);
const REGISTER: libc::Ioctl = libc::_IOWR::<Register>(API, 0x00);
const FILL: libc::Ioctl = libc::_IOWR::<Fill>(API, 0x03);

/// A write under way that waits for its bytes. Dropping it lets it write zeros.
#[derive(Debug)]
pub struct Stalled {
    /// Of the writer, and closed before the writer is waited for.
    faults: Option<File>,
    writer: Option<JoinHandle<io::Result<usize>>>,
    area: Area,
    len: usize,
}

impl Stalled {
    /// Begins to write `len` bytes at an offset, and returns when the write stands still. Fails
    /// where the system has no `userfaultfd` for faults in the kernel, or forbids it.
    pub fn begin(file: &File, offset: u64, len: usize) -> io::Result<Self> {
        let offset = libc::off_t::try_from(offset).ok().filter(|_| len > 0);
        let offset = offset.ok_or(io::ErrorKind::InvalidInput)?;
        let area = Area::anonymous(len.next_multiple_of(page()))?;
        let faults = watch(&area)?;
        let (file, address) = (file.try_clone()?, area.address());
        let writer = thread::spawn(move || {
            let from = address as *const libc::c_void;
            // SAFETY: the memory is unmapped only after this thread was waited for (`Drop`).
            #[allow(unsafe_code)]
            let written = unsafe { libc::pwrite(file.as_raw_fd(), from, len, offset) };
            usize::try_from(written).map_err(|_| io::Error::last_os_error())
        });
        let mut this = Self { faults: Some(faults), writer: Some(writer), area, len };
        this.wait()?;
        Ok(this)
    }

    /// Waits until the writer asks for its bytes.
    fn wait(&mut self) -> io::Result<()> {
        let until = Instant::now() + LONG;
        let moment = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
        let mut message = [0; MESSAGE];
        loop {
            let Some(mut faults) = self.faults.as_ref() else { return Ok(()) };
            poll(&mut [PollFd::new(faults, PollFlags::IN)], Some(&moment))?;
            match faults.read(&mut message) {
                Ok(_) => return Ok(()),
                Err(err) if err.kind() == io::ErrorKind::WouldBlock => {}
                Err(err) => return Err(err),
            }
            if self.writer.as_ref().is_none_or(JoinHandle::is_finished) {
                self.join()?;
                return Err(io::Error::other("the write did not wait for its bytes"));
            }
            if Instant::now() > until {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
    }

    /// Gives the write its bytes, as many as were announced, and returns when they are written.
    pub fn finish(mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() != self.len {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut pages = bytes.to_vec();
        pages.resize(self.area.len(), 0);
        let (to, from) = (self.area.address() as u64, pages.as_ptr() as u64);
        let mut fill: Fill = [to, from, pages.len() as u64, 0, 0];
        let Some(faults) = &self.faults else { return Err(io::ErrorKind::BrokenPipe.into()) };
        // SAFETY: as many bytes are read from `pages` as it has, and written to the area, which has
        // as many and whose pages are not there yet.
        #[allow(unsafe_code)]
        let filled = unsafe { libc::ioctl(faults.as_raw_fd(), FILL, &raw mut fill) };
        if filled != 0 {
            return Err(io::Error::last_os_error());
        }
        if self.join()? == self.len { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
    }

    fn join(&mut self) -> io::Result<usize> {
        let Some(writer) = self.writer.take() else { return Ok(0) };
        writer.join().unwrap_or_else(|_| Err(io::Error::other("the writer panicked")))
    }
}

impl Drop for Stalled {
    fn drop(&mut self) {
        // Without a handler the kernel fills the memory with zeros.
        self.faults = None;
        // Whatever the writer came to: its end is what matters.
        let _ = self.join();
    }
}

/// A handle to which reads of the area, by the kernel too, are reported and wait for an answer.
fn watch(area: &Area) -> io::Result<File> {
    let flags = libc::c_long::from(libc::O_CLOEXEC | libc::O_NONBLOCK);
    // SAFETY: the call takes flags alone.
    #[allow(unsafe_code)]
    let made = unsafe { libc::syscall(libc::SYS_userfaultfd, flags) };
    let made = i32::try_from(made).ok().filter(|made| *made >= 0);
    let Some(made) = made else { return Err(io::Error::last_os_error()) };
    // SAFETY: the handle was just made and is nobody else's.
    #[allow(unsafe_code)]
    let faults = unsafe { OwnedFd::from_raw_fd(made) };
    let mut greeting: Greeting = [u64::from(API), 0, 0];
    // SAFETY: the structure has the size that the call's number says.
    #[allow(unsafe_code)]
    let greeted = unsafe { libc::ioctl(made, GREET, &raw mut greeting) };
    if greeted != 0 {
        return Err(io::Error::last_os_error());
    }
    let mut register: Register = [area.address() as u64, area.len() as u64, MISSING, 0];
    // SAFETY: as above; a thread that reads the area waits, and only the writer fills it.
    #[allow(unsafe_code)]
    let registered = unsafe { libc::ioctl(made, REGISTER, &raw mut register) };
    if registered == 0 { Ok(File::from(faults)) } else { Err(io::Error::last_os_error()) }
}

/// Bytes of a page.
fn page() -> usize {
    // SAFETY: the call takes a number and touches no memory.
    #[allow(unsafe_code)]
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}
