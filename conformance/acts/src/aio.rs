//! Writes by `io_submit(2)`. The kernel reports none of them to watchers.

use std::{fs::File, io, os::fd::AsRawFd};

/// `IOCB_CMD_PWRITE` of `linux/aio_abi.h`.
const PWRITE: u16 = 1;
/// Waits for ends of writes.
const GET_EVENTS: libc::c_long = libc::SYS_io_getevents;

/// A context of asynchronous writes, one at a time.
#[derive(Debug)]
pub struct Aio {
    context: libc::c_ulong,
}

/// `struct iocb` of `linux/aio_abi.h`. The order of key and flags is that of the bytes; both are 0.
#[repr(C)]
#[derive(Default)]
struct Order {
    data: u64,
    key_and_flags: u64,
    opcode: u16,
    priority: i16,
    file: u32,
    buffer: u64,
    length: u64,
    offset: i64,
    reserved: u64,
    flags: u32,
    event_file: u32,
}

/// `struct io_event` of `linux/aio_abi.h`.
#[repr(C)]
#[derive(Default)]
struct Event {
    data: u64,
    order: u64,
    result: i64,
    more: i64,
}

impl Aio {
    /// A new context; fails where the system has no AIO or forbids it.
    pub fn new() -> io::Result<Self> {
        let mut context: libc::c_ulong = 0;
        let most: libc::c_long = 1;
        // SAFETY: `io_setup` writes one number through the pointer, which is valid during the call.
        #[allow(unsafe_code)]
        let made = unsafe { libc::syscall(libc::SYS_io_setup, most, &raw mut context) };
        if made == 0 { Ok(Self { context }) } else { Err(io::Error::last_os_error()) }
    }

    /// Writes all bytes at an offset of the file, and returns when they are written.
    pub fn write(&mut self, file: &File, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let invalid = |_| io::Error::from(io::ErrorKind::InvalidInput);
        let order = Order {
            opcode: PWRITE,
            file: u32::try_from(file.as_raw_fd()).map_err(invalid)?,
            buffer: bytes.as_ptr() as u64,
            length: bytes.len() as u64,
            offset: i64::try_from(offset).map_err(invalid)?,
            ..Order::default()
        };
        let orders = [&raw const order];
        let (context, one, list): (_, libc::c_long, _) = (self.context, 1, orders.as_ptr());
        // SAFETY: list, order and bytes are valid until this function returns, which is after the
        // write has ended: see below.
        #[allow(unsafe_code)]
        let taken = unsafe { libc::syscall(libc::SYS_io_submit, context, one, list) };
        if taken != one {
            return Err(io::Error::last_os_error());
        }
        let mut event = Event::default();
        loop {
            let forever = std::ptr::null::<libc::timespec>();
            let room = &raw mut event;
            // SAFETY: there is room for the one event that is asked for.
            #[allow(unsafe_code)]
            let ended = unsafe { libc::syscall(GET_EVENTS, context, one, one, room, forever) };
            if ended == one {
                break;
            }
            // Only a signal interrupts a wait on a valid context. The kernel uses the bytes until
            // the write has ended, so that this waits again.
        }
        match usize::try_from(event.result) {
            Ok(written) if written == bytes.len() => Ok(()),
            Ok(_) => Err(io::ErrorKind::WriteZero.into()),
            Err(_) => {
                let code = i32::try_from(event.result.saturating_neg()).unwrap_or(libc::EIO);
                Err(io::Error::from_raw_os_error(code))
            }
        }
    }
}

impl Drop for Aio {
    fn drop(&mut self) {
        // SAFETY: the context is from `io_setup` and is used no more. Nothing is under way in it.
        #[allow(unsafe_code)]
        let _ = unsafe { libc::syscall(libc::SYS_io_destroy, self.context) };
    }
}
