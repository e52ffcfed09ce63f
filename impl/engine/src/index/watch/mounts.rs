//! The mount table: what is mounted below a root, and whether that has changed
//! (`proc_pid_mountinfo(5)`).
//!
//! The kernel reports a change by `POLLPRI` on an open `/proc/self/mountinfo`, once for each open
//! handle, so that asking costs less than a microsecond and reading is rare.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Largest table that is read, in bytes: some hundred thousand mounts.
const MOST_BYTES: u64 = 64 << 20;

/// The mount table, as far as it concerns one root.
#[derive(Debug)]
pub(crate) struct MountTable {
    table: File,
    root: PathBuf,
    /// The table's entries by mount point below the root; a mount point may have several.
    known: BTreeMap<Vec<u8>, Vec<Vec<u8>>>,
}

impl MountTable {
    /// The table as it is now.
    pub(crate) fn open(root: &Path) -> io::Result<Self> {
        let mut mounts = Self {
            table: File::open("/proc/self/mountinfo")?,
            root: root.to_owned(),
            known: BTreeMap::new(),
        };
        mounts.has_changed()?;
        mounts.known = mounts.read()?;
        Ok(mounts)
    }

    fn has_changed(&self) -> io::Result<bool> {
        let mut asked = [PollFd::new(&self.table, PollFlags::PRI)];
        poll(&mut asked, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))?;
        Ok(asked.iter().any(|asked| asked.revents().intersects(PollFlags::PRI | PollFlags::ERR)))
    }

    /// Mount points below the root whose mount changed since the last read.
    pub(crate) fn changed(&mut self) -> io::Result<Vec<Vec<u8>>> {
        if !self.has_changed()? {
            return Ok(Vec::new());
        }
        let now = self.read()?;
        let before = std::mem::replace(&mut self.known, now);
        let places = before.keys().chain(self.known.keys());
        let mut changed: Vec<Vec<u8>> =
            places.filter(|place| before.get(*place) != self.known.get(*place)).cloned().collect();
        changed.sort();
        changed.dedup();
        Ok(changed)
    }

    /// The mount points below the root.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Vec<u8>> {
        self.known.keys()
    }

    fn read(&mut self) -> io::Result<BTreeMap<Vec<u8>, Vec<Vec<u8>>>> {
        let mut text = Vec::new();
        self.table.seek(SeekFrom::Start(0))?;
        (&mut self.table).take(MOST_BYTES).read_to_end(&mut text)?;
        if text.len() as u64 >= MOST_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(below(&text, self.root.as_os_str().as_bytes()))
    }
}

/// The lines of a table whose mount point lies below a root, by that place; the root itself has an
/// empty one.
fn below(text: &[u8], root: &[u8]) -> BTreeMap<Vec<u8>, Vec<Vec<u8>>> {
    let mut found: BTreeMap<Vec<u8>, Vec<Vec<u8>>> = BTreeMap::new();
    for line in text.split(|byte| *byte == b'\n') {
        // Mount, parent, device, root within the file system, mount point.
        let Some(point) = line.split(|byte| *byte == b' ').nth(4).map(unescaped) else { continue };
        let Some(rest) = point.strip_prefix(root) else { continue };
        let place = match rest {
            [] => rest,
            [b'/', place @ ..] => place,
            _ if root == b"/" => rest,
            _ => continue,
        };
        found.entry(place.to_vec()).or_default().push(line.to_vec());
    }
    found
}

/// Decodes `\` with three octal digits.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut rest = text;
    while let Some((first, tail)) = rest.split_first() {
        let digits =
            tail.get(..3).filter(|digits| *first == b'\\' && digits.iter().all(u8::is_ascii_digit));
        let value = digits.map(|digits| {
            digits.iter().fold(0_u32, |value, digit| value * 8 + u32::from(digit - b'0'))
        });
        if let Some(byte) = value.and_then(|value| u8::try_from(value).ok()) {
            plain.push(byte);
            rest = tail.get(3..).unwrap_or_default();
        } else {
            plain.push(*first);
            rest = tail;
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mounts_at_or_below_the_root_count() {
        let text = b"36 35 98:0 /mnt1 /w/a rw - ext4 /dev/root rw\n\
            37 35 98:0 / /w/with\\040space/b rw - ext4 /dev/root rw\n\
            38 35 98:0 / /wide rw - ext4 /dev/root rw\n\
            39 35 98:0 / /w rw - ext4 /dev/root rw\n";
        let found = below(text, b"/w");
        let places: Vec<&[u8]> = found.keys().map(Vec::as_slice).collect();
        assert_eq!(places, [&b""[..], b"a", b"with space/b"]);
    }

    #[test]
    fn an_unchanged_mount_table_is_read_once() {
        let mut mounts = MountTable::open(Path::new("/")).unwrap();
        assert!(mounts.places().count() > 0);
        assert_eq!(mounts.changed().unwrap(), Vec::<Vec<u8>>::new());
    }
}
