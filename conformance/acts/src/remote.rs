//! A remote file system: files change on the server's side while the client still uses
//! cached attributes. The server is this process; the client is the kernel's FUSE.

use std::{
    ffi::CString,
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use rustix::{
    mount::{MountFlags, UnmountFlags, mount, unmount},
    process::{getegid, geteuid},
};

/// Seconds for which the client believes names and attributes.
const BELIEVED: u64 = 30;
/// Room for any request: this server takes no writes.
const REQUEST: usize = 64 << 10;
/// The node of the one directory; the file at place `n` is node `n + 2`.
const ROOT: u64 = 1;

/// Bytes that can be read of a file whose rest cannot.
const READABLE: usize = 64 << 10;

/// A mounted directory of files. Dropping it unmounts it.
#[derive(Debug)]
pub struct Remote {
    at: PathBuf,
    files: Files,
    asked: Arc<AtomicU64>,
}

type Files = Arc<Mutex<Vec<Entry>>>;

#[derive(Debug)]
struct Entry {
    name: String,
    text: Vec<u8>,
    /// When it was last changed, since the epoch.
    changed: (u64, u32),
    broken: Option<Broken>,
}

/// What cannot be done with a file that is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It is gone.
    Gone,
    /// Its attributes cannot be read.
    Attributes,
    /// It cannot be read to its end.
    Rest,
}

impl Remote {
    /// Mounts a directory with these files, which have been there for an hour.
    pub fn mount(at: &Path, files: &[(&str, &str)]) -> io::Result<Self> {
        let (seconds, nanoseconds) = now();
        let changed = (seconds.saturating_sub(3_600), nanoseconds);
        let entry = |(name, text): &(&str, &str)| Entry {
            name: (*name).to_owned(),
            text: text.as_bytes().to_vec(),
            changed,
            broken: None,
        };
        let files: Files = Arc::new(Mutex::new(files.iter().map(entry).collect()));
        let device = OpenOptions::new().read(true).write(true).open("/dev/fuse")?;
        let (user, group) = (geteuid().as_raw(), getegid().as_raw());
        let handle = device.as_raw_fd();
        let options = format!("fd={handle},rootmode=40000,user_id={user},group_id={group}");
        // Reading a file of a writable mount makes the client ask for its attributes again.
        let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV;
        mount("touchstone", at, "fuse", flags, CString::new(options)?.as_c_str())?;
        let (served, asked) = (Arc::clone(&files), Arc::new(AtomicU64::new(0)));
        let counted = Arc::clone(&asked);
        thread::spawn(move || serve(device, &served, &counted));
        Ok(Self { at: at.to_owned(), files, asked })
    }

    /// Requests that have reached the server.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.asked.load(Ordering::SeqCst)
    }

    /// Changes a file on the server's side. The client gets no notice.
    pub fn edit(&self, name: &str, text: &str) -> io::Result<()> {
        self.change(name, |file| {
            (file.text, file.changed) = (text.as_bytes().to_vec(), now());
        })
    }

    /// Changes a file on the server's side, whose clock has stood still since `seconds`.
    pub fn edit_at(&self, name: &str, text: &str, seconds: u64) -> io::Result<()> {
        self.change(name, |file| {
            (file.text, file.changed) = (text.as_bytes().to_vec(), (seconds, 0));
        })
    }

    /// Something cannot be done with a file from now on.
    pub fn break_down(&self, name: &str, broken: Broken) -> io::Result<()> {
        self.change(name, |file| file.broken = Some(broken))
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut Entry)) -> io::Result<()> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let file = files.iter_mut().find(|file| file.name == name);
        file.map(change).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        // The server ends with the last use of the mount.
        let _ = unmount(&self.at, UnmountFlags::DETACH);
    }
}

fn now() -> (u64, u32) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // A time without fractions would be taken for one of a coarse clock.
    (since.as_secs(), since.subsec_nanos().max(1))
}

/// Answers requests until the file system is unmounted.
fn serve(mut device: File, files: &Files, asked: &AtomicU64) {
    let mut request = vec![0; REQUEST];
    loop {
        let len = match device.read(&mut request) {
            Ok(len) => len,
            // The request was withdrawn before it was read.
            Err(err) if err.kind() == io::ErrorKind::NotFound => continue,
            Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        asked.fetch_add(1, Ordering::SeqCst);
        let request = Request(request.get(..len).unwrap_or_default());
        let files = files.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(answer) = answer(&request, &files) else { continue };
        let (error, body) = match answer {
            Ok(body) => (0_i32, body),
            Err(code) => (-code, Vec::new()),
        };
        let mut reply = Reply::default();
        let length = u32::try_from(16 + body.len()).unwrap_or_default();
        reply.narrow(&[length, error.cast_unsigned()]).wide(&[request.wide(8)]);
        reply.0.extend(body);
        // A request that was interrupted has nobody to answer to.
        let _ = device.write(&reply.0);
    }
}

/// What is answered to a request, or the error; none if it wants no answer. Numbers of operations
/// and shapes of answers are those of `linux/fuse.h`, protocol 7.31.
fn answer(request: &Request<'_>, files: &[Entry]) -> Option<Result<Vec<u8>, i32>> {
    let node = request.wide(16);
    let mut reply = Reply::default();
    match request.narrow(4) {
        // FORGET, INTERRUPT, BATCH_FORGET.
        2 | 36 | 42 => return None,
        // LOOKUP
        1 => {
            let name = request.0.get(40..)?.strip_suffix(b"\0")?;
            let Some(place) = files.iter().position(|file| file.name.as_bytes() == name) else {
                return Some(Err(libc::ENOENT));
            };
            match files.get(place)?.broken {
                Some(Broken::Gone) => return Some(Err(libc::ENOENT)),
                Some(Broken::Attributes) => return Some(Err(libc::EIO)),
                Some(Broken::Rest) | None => {}
            }
            let node = place as u64 + 2;
            reply.wide(&[node, 0, BELIEVED, BELIEVED, 0]);
            attributes(&mut reply, node, files);
        }
        // GETATTR
        3 => {
            reply.wide(&[BELIEVED, 0]);
            attributes(&mut reply, node, files);
        }
        // OPEN, OPENDIR
        14 | 27 => {
            reply.wide(&[0, 0]);
        }
        // READ
        15 => {
            let Some(Entry { text, broken, .. }) = file_of(node, files) else {
                return Some(Err(libc::ENOENT));
            };
            let from = usize::try_from(request.wide(48)).ok()?.min(text.len());
            if *broken == Some(Broken::Rest) && from >= READABLE {
                return Some(Err(libc::EIO));
            }
            let to = from.saturating_add(request.narrow(56) as usize).min(text.len());
            reply.0.extend(text.get(from..to)?);
        }
        // STATFS
        17 => {
            reply.wide(&[0; 5]).narrow(&[512, 255, 512, 0]).narrow(&[0; 6]);
        }
        // RELEASE, FLUSH, RELEASEDIR, ACCESS, DESTROY
        18 | 25 | 29 | 34 | 38 => {}
        // INIT
        26 => {
            reply.narrow(&[7, 31, 64 << 10, 0, 0, 4096, 1]);
            reply.narrow(&[0; 9]);
        }
        // READDIR
        28 => {
            let from = usize::try_from(request.wide(48)).ok()?;
            let room = request.narrow(56) as usize;
            for (place, file) in files.iter().enumerate().skip(from) {
                let name = file.name.as_bytes();
                if reply.0.len() + 24 + name.len().next_multiple_of(8) > room {
                    break;
                }
                reply.wide(&[place as u64 + 2, place as u64 + 1]);
                // A regular file.
                reply.narrow(&[u32::try_from(name.len()).ok()?, 8]);
                reply.0.extend(name);
                reply.0.resize(reply.0.len().next_multiple_of(8), 0);
            }
        }
        _ => return Some(Err(libc::ENOSYS)),
    }
    Some(Ok(reply.0))
}

/// The file of a node; the directory is none.
fn file_of(node: u64, files: &[Entry]) -> Option<&Entry> {
    files.get(usize::try_from(node.checked_sub(2)?).ok()?)
}

/// `struct fuse_attr` of a node.
fn attributes(reply: &mut Reply, node: u64, files: &[Entry]) {
    let file = file_of(node, files);
    let size = file.map_or(0, |file| file.text.len() as u64);
    let (seconds, nanoseconds) = file.map_or((0, 1), |file| file.changed);
    let mode = if node == ROOT { libc::S_IFDIR | 0o755 } else { libc::S_IFREG | 0o644 };
    reply.wide(&[node, size, size.div_ceil(512), seconds, seconds, seconds]);
    reply.narrow(&[nanoseconds; 3]);
    reply.narrow(&[mode, 1, geteuid().as_raw(), getegid().as_raw(), 0, 4096, 0]);
}

/// A request: 40 bytes of header, then what its operation takes.
struct Request<'b>(&'b [u8]);

impl Request<'_> {
    fn narrow(&self, at: usize) -> u32 {
        let bytes = self.0.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u32::from_ne_bytes)
    }

    fn wide(&self, at: usize) -> u64 {
        let bytes = self.0.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u64::from_ne_bytes)
    }
}

/// Bytes of an answer.
#[derive(Default)]
struct Reply(Vec<u8>);

impl Reply {
    fn narrow(&mut self, numbers: &[u32]) -> &mut Self {
        self.0.extend(numbers.iter().flat_map(|number| number.to_ne_bytes()));
        self
    }

    fn wide(&mut self, numbers: &[u64]) -> &mut Self {
        self.0.extend(numbers.iter().flat_map(|number| number.to_ne_bytes()));
        self
    }
}
