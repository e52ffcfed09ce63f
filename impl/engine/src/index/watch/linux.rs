//! inotify: one instance for a tree, one watch for each directory, and one for the directory of
//! cookies.
//!
//! A watch belongs to an inode: a directory mounted at two paths has one watch with both paths.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fs, io,
    mem::MaybeUninit,
    ops::Bound,
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::PermissionsExt,
    },
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use forge_search_core::index::debounce::RawEvent;
use rustix::{
    event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll},
    fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags},
};

use super::{WatcherEvents, mounts::MountTable};
use crate::{
    index::fault::{Faults, Point},
    rules::{self, join},
};

/// Bytes read at once.
const BUFFER: usize = 16 << 10;
/// Prefix of the names of cookie directories.
const PREFIX: &str = "cookies-";
/// How long a cookie may take: it is in the queue before its file's creation returns.
const COOKIE_WAIT: Duration = Duration::from_secs(2);

/// A watched tree.
#[derive(Debug)]
pub(crate) struct Watcher {
    instance: OwnedFd,
    directories: Mutex<Directories>,
    mounts: Mutex<MountTable>,
    cookies: tempfile::TempDir,
    /// Holds the lock that marks the directory as in use.
    _held: fs::File,
    cookie_watch: i32,
    next_cookie: AtomicU64,
    /// Ends a wait.
    wake_fd: OwnedFd,
    faults: Arc<dyn Faults>,
}

/// Watched directories. Most watches have one path; both sets share it.
#[derive(Debug, Default)]
struct Directories {
    by_watch: BTreeSet<(i32, Arc<[u8]>)>,
    by_path: BTreeMap<Arc<[u8]>, i32>,
}

impl Directories {
    fn insert(&mut self, watch: i32, path: &[u8]) {
        let path = Arc::from(path);
        self.by_watch.insert((watch, Arc::clone(&path)));
        self.by_path.insert(path, watch);
    }

    /// The paths of a watch.
    fn paths(&self, watch: i32) -> impl Iterator<Item = &Arc<[u8]>> {
        let from = (watch, Arc::default());
        self.by_watch
            .range(from..)
            .take_while(move |(known, _)| *known == watch)
            .map(|(_, path)| path)
    }

    /// Removes a path. Returns its watch if no other path has it.
    fn part(&mut self, path: &[u8]) -> Option<i32> {
        let (path, watch) = self.by_path.remove_entry(path)?;
        self.by_watch.remove(&(watch, path));
        self.paths(watch).next().is_none().then_some(watch)
    }
}

impl Watcher {
    /// A watcher of a new cookie directory in `cookies`, and of nothing else.
    pub(crate) fn start(root: &Path, cookies: &Path, faults: &Arc<dyn Faults>) -> io::Result<Self> {
        faults.at(Point::Watch)?;
        let instance = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        remove_abandoned(cookies);
        let (cookies, held, cookie_watch) = own_directory(&instance, cookies)?;
        Ok(Self {
            instance,
            directories: Mutex::default(),
            mounts: Mutex::new(MountTable::open(root)?),
            cookies,
            _held: held,
            cookie_watch,
            next_cookie: AtomicU64::new(0),
            wake_fd: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
            faults: Arc::clone(faults),
        })
    }

    /// Watches a directory. If it is watched already, adds its new path.
    pub(crate) fn add(&self, directory: &Path, walked: &[u8]) -> io::Result<()> {
        self.faults.at(Point::Watch)?;
        let flags = WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MODIFY
            // Asynchronous writes raise no other event.
            | WatchFlags::CLOSE_WRITE
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::ATTRIB
            | WatchFlags::DELETE_SELF
            | WatchFlags::MOVE_SELF
            | WatchFlags::ONLYDIR
            | WatchFlags::DONT_FOLLOW;
        // Under the lock, so that an event of the new watch finds its name.
        let mut directories = self.directories.lock().unwrap_or_else(PoisonError::into_inner);
        let watch = inotify::add_watch(&self.instance, directory, flags)?;
        if directories.by_path.get(walked).is_some_and(|known| *known != watch)
            && let Some(unused) = directories.part(walked)
        {
            // Another directory had this path.
            let _ = inotify::remove_watch(&self.instance, unused);
        }
        directories.insert(watch, walked);
        Ok(())
    }

    /// Stops watching a subtree.
    pub(crate) fn forget(&self, directory: &[u8]) {
        let mut directories = self.directories.lock().unwrap_or_else(PoisonError::into_inner);
        let (from, to) = ([directory, b"/"].concat(), [directory, b"0"].concat());
        let below =
            directories.by_path.range::<[u8], _>((Bound::Included(&*from), Bound::Excluded(&*to)));
        let gone: Vec<Arc<[u8]>> =
            below.map(|(path, _)| Arc::clone(path)).chain([Arc::from(directory)]).collect();
        for path in gone {
            if let Some(watch) = directories.part(&path) {
                // It may be gone already, with its directory.
                let _ = inotify::remove_watch(&self.instance, watch);
            }
        }
    }

    /// Reads the events that have arrived.
    pub(crate) fn read(&self) -> io::Result<WatcherEvents> {
        let mut batch = Batch::default();
        self.drain(&mut batch, None)?;
        self.finish(batch)
    }

    /// Reads all events that precede this call.
    pub(crate) fn read_to_cookie(&self) -> io::Result<WatcherEvents> {
        self.faults.at(Point::Cookie)?;
        let name = format!("{}", self.next_cookie.fetch_add(1, Ordering::Relaxed));
        let path: PathBuf = self.cookies.path().join(&name);
        fs::File::create_new(&path)?;
        let removed = fs::remove_file(&path);
        let mut batch = Batch::default();
        let until = Instant::now() + COOKIE_WAIT;
        while !self.drain(&mut batch, Some(name.as_bytes()))? {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let mut ready = [PollFd::new(&self.instance, PollFlags::IN)];
            let _ = poll(&mut ready, Timespec::try_from(left).ok().as_ref());
        }
        removed?;
        self.finish(batch)
    }

    /// The events of a batch, with changes of mounts.
    fn finish(&self, batch: Batch) -> io::Result<WatcherEvents> {
        let mut noticed = batch.finish();
        let mut mounts = self.mounts.lock().unwrap_or_else(PoisonError::into_inner);
        noticed.mounted = mounts.changed()?;
        if !noticed.mounted.is_empty() {
            noticed.mounts = Some(mounts.places().cloned().collect());
        }
        Ok(noticed)
    }

    /// The mount points below the root.
    pub(crate) fn mounts(&self) -> BTreeSet<Vec<u8>> {
        self.mounts.lock().unwrap_or_else(PoisonError::into_inner).places().cloned().collect()
    }

    /// Reads events up to `cookie`, or all. Returns whether the cookie was read.
    fn drain(&self, batch: &mut Batch, cookie: Option<&[u8]>) -> io::Result<bool> {
        if let Err(err) = self.faults.at(Point::ReadEvents) {
            if err.raw_os_error() != Some(rustix::io::Errno::OVERFLOW.raw_os_error()) {
                return Err(err);
            }
            batch.overflow();
            return Ok(true);
        }
        let mut buffer = vec![MaybeUninit::<u8>::uninit(); BUFFER];
        let mut reader = inotify::Reader::new(self.instance.as_fd(), &mut buffer);
        let mut met = false;
        loop {
            // Events already taken from the kernel are processed even if they follow the cookie.
            if met && reader.is_buffer_empty() {
                return Ok(true);
            }
            let event = match reader.next() {
                Ok(event) => event,
                Err(rustix::io::Errno::AGAIN) => return Ok(met),
                Err(rustix::io::Errno::INTR) => continue,
                Err(err) => return Err(err.into()),
            };
            let name = event.file_name().map(std::ffi::CStr::to_bytes).unwrap_or_default();
            let (watch, flags) = (event.wd(), event.events());
            if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
                batch.overflow();
                // The cookie may be among the lost events.
                met = true;
            } else if watch == self.cookie_watch {
                met |= cookie == Some(name);
            } else {
                let mut directories =
                    self.directories.lock().unwrap_or_else(PoisonError::into_inner);
                let paths: Vec<Arc<[u8]>> = directories.paths(watch).cloned().collect();
                if flags.intersects(ReadFlags::IGNORED | ReadFlags::UNMOUNT) {
                    for path in &paths {
                        directories.part(path);
                    }
                }
                drop(directories);
                // The halves of a rename can be matched only if each has one path.
                let tie = if paths.len() == 1 { Some(event.cookie()) } else { None };
                for directory in &paths {
                    batch.take(directory, name, flags, tie);
                }
            }
        }
    }

    /// Waits for an event or for [`Self::wake`].
    pub(crate) fn wait(&self, limit: Duration) {
        let mut ready =
            [PollFd::new(&self.instance, PollFlags::IN), PollFd::new(&self.wake_fd, PollFlags::IN)];
        let limit = Timespec::try_from(limit).ok();
        // An interrupted wait is a short one.
        let _ = poll(&mut ready, limit.as_ref());
        let _ = rustix::io::read(&self.wake_fd, &mut [0; 8]);
    }

    /// Ends a wait.
    pub(crate) fn wake(&self) {
        let _ = rustix::io::write(&self.wake_fd, &1_u64.to_ne_bytes());
    }
}

/// A new directory of cookies, locked and watched. Between its creation and its lock it looks
/// abandoned, and another process that starts at that moment may remove it: then there is another
/// one.
fn own_directory(
    instance: &OwnedFd,
    cache: &Path,
) -> io::Result<(tempfile::TempDir, fs::File, i32)> {
    /// Most directories that are made before this counts as a failure.
    const ATTEMPTS: usize = 16;
    let mut failure = io::Error::from(io::ErrorKind::WouldBlock);
    for _ in 0..ATTEMPTS {
        let directory = tempfile::Builder::new()
            .prefix(PREFIX)
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir_in(cache)?;
        let locked = fs::File::open(directory.path()).and_then(|held| {
            held.try_lock()?;
            Ok(held)
        });
        match locked {
            // Locked and still there: no other process removes it now.
            Ok(held) => match inotify::add_watch(instance, directory.path(), WatchFlags::CREATE) {
                Ok(watch) => return Ok((directory, held, watch)),
                Err(rustix::io::Errno::NOENT) => failure = rustix::io::Errno::NOENT.into(),
                Err(other) => return Err(other.into()),
            },
            Err(err) => failure = err,
        }
    }
    Err(failure)
}

/// Removes the directories of cookies whose processes were killed.
fn remove_abandoned(cache: &Path) {
    let Ok(entries) = fs::read_dir(cache) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_ours = path
            .file_name()
            .is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()));
        if !is_ours {
            continue;
        }
        // The lock is held until the directory is gone: its owner may be about to take it.
        if let Ok(held) = fs::File::open(&path)
            && held.try_lock().is_ok()
        {
            // If removal fails, the next process tries again.
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Events being put together.
#[derive(Debug, Default)]
struct Batch {
    noticed: WatcherEvents,
    /// Directories and files that left, by the number that ties the two halves of a rename: the
    /// place of the event, the path, whether it is a directory.
    left: HashMap<u32, (usize, Vec<u8>, bool)>,
}

impl Batch {
    fn overflow(&mut self) {
        self.noticed.events.push(RawEvent::Overflow);
        self.left.clear();
    }

    fn take(&mut self, directory: &[u8], name: &[u8], flags: ReadFlags, tie: Option<u32>) {
        if name.is_empty() {
            // An event of the directory itself. Its parent's watch reports it too, but the root has
            // no parent.
            if flags.intersects(ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF | ReadFlags::UNMOUNT)
            {
                if directory.is_empty() {
                    self.noticed.root_gone = true;
                } else if flags.contains(ReadFlags::UNMOUNT) {
                    self.noticed.events.push(RawEvent::Appeared(directory.to_vec()));
                }
            } else if flags.contains(ReadFlags::ATTRIB) && directory.is_empty() {
                self.noticed.events.push(RawEvent::Appeared(Vec::new()));
            }
            return;
        }
        if rules::decides(name) {
            self.noticed.ignore_files.push(directory.to_vec());
        }
        let path = join(directory, name);
        let is_directory = flags.contains(ReadFlags::ISDIR);
        let events = &mut self.noticed.events;
        if flags.contains(ReadFlags::MOVED_FROM) {
            if let Some(tie) = tie {
                self.left.insert(tie, (events.len(), path.clone(), is_directory));
            }
            events.push(RawEvent::Removed(path));
        } else if flags.contains(ReadFlags::MOVED_TO) {
            match tie.and_then(|tie| self.left.remove(&tie)) {
                Some((at, from, _)) => {
                    // The halves are adjacent, or the events between them concern other paths.
                    if let Some(first) = events.get_mut(at) {
                        *first = RawEvent::Renamed { from, to: path };
                    }
                }
                None => events.push(RawEvent::Appeared(path)),
            }
        } else if flags.contains(ReadFlags::DELETE) {
            events.push(RawEvent::Removed(path));
        } else if flags.contains(ReadFlags::CREATE) || is_directory {
            events.push(RawEvent::Appeared(path));
        } else {
            events.push(RawEvent::Written(path));
        }
    }

    fn finish(mut self) -> WatcherEvents {
        // The destination of a directory moved out of the tree is unknown.
        for (at, path, is_directory) in self.left.into_values() {
            if is_directory && let Some(event) = self.noticed.events.get_mut(at) {
                *event = RawEvent::RenamedPartly(path);
            }
        }
        self.noticed
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::index::NoFaults;

    #[test]
    fn concurrent_watchers_do_not_remove_each_others_cookies() {
        let cache = tempfile::tempdir().unwrap();
        let faults: Arc<dyn Faults> = Arc::new(NoFaults);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let watcher = Watcher::start(cache.path(), cache.path(), &faults).unwrap();
                        watcher.read_to_cookie().unwrap();
                    }
                });
            }
        });
        assert_eq!(
            fs::read_dir(cache.path()).unwrap().count(),
            0,
            "directories of cookies were left behind"
        );
    }

    #[test]
    fn cookies_of_a_killed_process_are_removed_by_the_next_watcher() {
        let cache = tempfile::tempdir().unwrap();
        let abandoned = cache.path().join(format!("{PREFIX}abandoned"));
        fs::create_dir(&abandoned).unwrap();
        let faults: Arc<dyn Faults> = Arc::new(NoFaults);
        let _watcher = Watcher::start(cache.path(), cache.path(), &faults).unwrap();
        assert!(!abandoned.exists());
    }
    #[test]
    fn the_watch_of_a_removed_directory_is_forgotten() {
        let (cache, tree) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let faults: Arc<dyn Faults> = Arc::new(NoFaults);
        let watcher = Watcher::start(tree.path(), cache.path(), &faults).unwrap();
        let names = ["gone", "kept"];
        for name in names {
            let directory = tree.path().join(name);
            fs::create_dir(&directory).unwrap();
            watcher.add(&directory, name.as_bytes()).unwrap();
        }
        fs::remove_dir(tree.path().join("gone")).unwrap();
        watcher.read_to_cookie().unwrap();
        let directories = watcher.directories.lock().unwrap();
        let kept = names.map(|name| directories.by_path.contains_key(name.as_bytes()));
        assert_eq!((kept, directories.by_watch.len()), ([false, true], 1));
    }
}
