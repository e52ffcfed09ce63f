//! A change of the tree as a value.
//!
//! Not here: carrying it out (`edits`), what becomes known of it (`spec/index/changes.yaml`).
//! Invariants: whether an edit can be carried out is the disk's to say; what it is called depends
//! on it alone.

use serde::{Deserialize, Serialize};
use touchstone_cases::case::{Part, Text};

use super::life::{part, text};

/// A change of the tree. Paths are relative to the sandbox root; `../x` lies beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// A file is written in place; its directories come about.
    Write(Text, Part),
    /// A file grows.
    Append(Text, Part),
    /// Another file takes the place of one.
    Replace(Text, Part),
    /// A file is cut to a length.
    Truncate(Text, u64),
    /// A byte of a file is exchanged for another, and its time of modification put back.
    Disguise(Text, u64),
    /// A file or directory goes.
    Remove(Text),
    /// A directory comes about.
    Mkdir(Text),
    /// A file or directory gets another name.
    Rename(Text, Text),
    /// A file gets a second name.
    HardLink(Text, Text),
    /// A file gets a second name, and its times change; a second name alone is an event only where
    /// it comes about.
    SecondName(Text, Text),
    /// A link to whatever it says.
    Symlink(Text, Text),
    /// Permissions are taken away, or given back.
    Chmod(Text, bool),
    /// A file's times change, and nothing else.
    Touch(Text),
    /// The sandbox root becomes another directory of the same name, with one file in it.
    NewRoot,
    /// So many files `NAME-0` and on with the same contents: what a checkout does.
    Many(Text, u32, Part),

    // By handles that a life keeps until it closes them or ends.
    /// A file is opened for reading and writing, under a name of its own in the life.
    Open(Text, Text),
    /// Bytes are written at a place by a handle.
    WriteThrough(Text, u64, Part),
    /// They are stored by a mapping that the handle keeps.
    StoreThrough(Text, u64, Part),
    /// They are written by AIO.
    AioThrough(Text, u64, Part),
    /// They are written by a ring.
    RingThrough(Text, u64, Part),
    /// The handle is closed, and its mapping is removed.
    Close(Text),

    // By handles that are closed at once.
    /// Bytes are stored at a place through a mapping.
    MapStore(Text, u64, Part),
    /// They are written by AIO.
    AioWrite(Text, u64, Part),
    /// They are written by a ring.
    RingWrite(Text, u64, Part),
    /// A file's bytes are copied over another's first ones by the kernel.
    Copy(Text, Text, Copying),
    /// Space of a file is changed, in blocks of 4096 bytes: the first one, and how many.
    Allocate(Text, Allocating, u64, u64),

    // By other names.
    /// A file gets a second name in the tree, is written by it, and loses it.
    ByPassingName(Text, Text, Part),
    /// What is written to the second path, if both are the same file by now.
    ByOtherName(Text, Text, Part),
    /// A file without a name, made in the directory of the first path, gets the second one.
    Tmpfile(Text, Text, Part),
    /// A link takes the place of another one.
    Relink(Text, Text),
    /// A named pipe.
    Fifo(Text),
    /// Two names are exchanged.
    Exchange(Text, Text),
    /// Something gets a name that nothing has.
    RenameNoReplace(Text, Text),

    // What decides that it is searched.
    /// A file gets the owner that it has.
    Chown(Text),
    /// Whether its owner may read something, by an access control list.
    Acl(Text, bool),
    /// An extended attribute is set.
    SetXattr(Text, Part),
    /// The time of modification becomes one so many seconds after 1970.
    Backdate(Text, u64),
    /// The clock that stamps files steps by so many milliseconds, and a file is written.
    StepClock(Text, i64, Part),

    // Mounts, in lives that have their own.
    /// An empty file system in memory covers a directory; a file with these contents lies in it.
    MountTmpfs(Text, Part),
    /// An overlay covers a directory; a file with these contents lies in its lower directory.
    MountOverlay(Text, Part),
    /// A file below an overlay is written.
    CopyUp(Text, Part),
    /// The first path is seen at the second one as well.
    Bind(Text, Text),
    /// The same, by `open_tree` and `move_mount`.
    Attach(Text, Text),
    /// A mount goes to another place.
    MoveMount(Text, Text),
    /// What is mounted goes.
    Unmount(Text),
}

/// How the kernel copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Copying {
    /// `copy_file_range`.
    Range,
    /// `sendfile`.
    Sendfile,
    /// `splice`, through a pipe.
    Splice,
    /// `FICLONE`.
    Reflink,
}

/// How a file's space changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Allocating {
    /// It grows.
    Extend,
    /// `FALLOC_FL_PUNCH_HOLE`.
    Punch,
    /// `FALLOC_FL_ZERO_RANGE`.
    Zero,
    /// `FALLOC_FL_COLLAPSE_RANGE`.
    Collapse,
    /// `FALLOC_FL_INSERT_RANGE`.
    Insert,
}

impl Edit {
    /// A file is written.
    pub fn write(path: &str, contents: &str) -> Self {
        Self::Write(text(path), part(contents))
    }

    /// The name by which `spec/index/changes.yaml` calls what it does to the tree; none if it does
    /// nothing to it.
    pub fn act(&self) -> Option<&'static str> {
        Some(match self {
            Self::Write(path, _) if is_above(path) => "write_above",
            Self::Write(..) => "write",
            Self::Append(..) => "append",
            Self::Replace(..) => "replace",
            Self::Truncate(..) => "truncate",
            Self::Disguise(..) => "disguise",
            Self::Remove(_) => "remove",
            Self::Mkdir(_) => "mkdir",
            Self::Rename(..) => "rename",
            Self::HardLink(..) => "hard_link",
            Self::SecondName(..) => "second_name",
            Self::Symlink(..) => "symlink",
            Self::Chmod(..) => "chmod",
            Self::Touch(_) => "touch",
            Self::NewRoot => "new_root",
            Self::Many(..) => "many",
            Self::Open(..) | Self::Close(_) => return None,
            Self::WriteThrough(..) => "write_through",
            Self::StoreThrough(..) => "store_through",
            Self::AioThrough(..) => "aio_through",
            Self::RingThrough(..) => "ring_through",
            Self::MapStore(..) => "map_store",
            Self::AioWrite(..) => "aio_write",
            Self::RingWrite(..) => "ring_write",
            Self::Copy(_, _, copying) => copying.act(),
            Self::Allocate(_, allocating, ..) => allocating.act(),
            Self::ByPassingName(..) => "by_passing_name",
            Self::ByOtherName(..) => "by_other_name",
            Self::Tmpfile(..) => "tmpfile",
            Self::Relink(..) => "relink",
            Self::Fifo(_) => "fifo",
            Self::Exchange(..) => "exchange",
            Self::RenameNoReplace(..) => "rename_no_replace",
            Self::Chown(_) => "chown",
            Self::Acl(..) => "acl",
            Self::SetXattr(..) => "set_xattr",
            Self::Backdate(..) => "backdate",
            Self::StepClock(..) => "step_clock",
            Self::MountTmpfs(..) => "mount_tmpfs",
            Self::MountOverlay(..) => "mount_overlay",
            Self::CopyUp(..) => "copy_up",
            Self::Bind(..) => "bind",
            Self::Attach(..) => "attach",
            Self::MoveMount(..) => "move_mount",
            Self::Unmount(_) => "unmount",
        })
    }

    /// The path at which the tree is another afterwards, and the one it comes from, if there are
    /// two; none for what a handle does.
    pub(super) fn places(&self) -> Option<(&Text, Option<&Text>)> {
        Some(match self {
            Self::Write(path, _)
            | Self::Append(path, _)
            | Self::Replace(path, _)
            | Self::Truncate(path, _)
            | Self::Disguise(path, _)
            | Self::Remove(path)
            | Self::Mkdir(path)
            | Self::Symlink(path, _)
            | Self::Chmod(path, _)
            | Self::Touch(path)
            | Self::Many(path, ..)
            | Self::MapStore(path, ..)
            | Self::AioWrite(path, ..)
            | Self::RingWrite(path, ..)
            | Self::Copy(_, path, _)
            | Self::Allocate(path, ..)
            | Self::ByPassingName(path, ..)
            | Self::ByOtherName(path, ..)
            | Self::Tmpfile(_, path, _)
            | Self::Relink(path, _)
            | Self::Fifo(path)
            | Self::Chown(path)
            | Self::Acl(path, _)
            | Self::SetXattr(path, _)
            | Self::Backdate(path, _)
            | Self::StepClock(path, ..)
            | Self::MountTmpfs(path, _)
            | Self::MountOverlay(path, _)
            | Self::CopyUp(path, _)
            | Self::Bind(_, path)
            | Self::Attach(_, path)
            | Self::Unmount(path) => (path, None),
            Self::Rename(from, to)
            | Self::Exchange(from, to)
            | Self::RenameNoReplace(from, to)
            | Self::HardLink(from, to)
            | Self::SecondName(from, to)
            | Self::MoveMount(from, to) => (to, Some(from)),
            Self::NewRoot
            | Self::Open(..)
            | Self::WriteThrough(..)
            | Self::StoreThrough(..)
            | Self::AioThrough(..)
            | Self::RingThrough(..)
            | Self::Close(_) => return None,
        })
    }
}

impl Copying {
    pub(super) const ALL: [Self; 4] = [Self::Range, Self::Sendfile, Self::Splice, Self::Reflink];

    fn act(self) -> &'static str {
        match self {
            Self::Range => "copy_range",
            Self::Sendfile => "sendfile",
            Self::Splice => "splice",
            Self::Reflink => "reflink",
        }
    }
}

impl Allocating {
    pub(super) const ALL: [Self; 5] =
        [Self::Extend, Self::Punch, Self::Zero, Self::Collapse, Self::Insert];

    fn act(self) -> &'static str {
        match self {
            Self::Extend => "fallocate_extend",
            Self::Punch => "fallocate_punch",
            Self::Zero => "fallocate_zero",
            Self::Collapse => "fallocate_collapse",
            Self::Insert => "fallocate_insert",
        }
    }
}

/// Whether a file at this path has rules for what is searched.
pub(super) fn has_rules(path: &Text) -> bool {
    let path = &path.0[..];
    let is = |name: &[u8]| path == name || path.ends_with(&[b"/", name].concat());
    is(b".gitignore") || is(b".ignore") || is(b".git/info/exclude")
}

/// Whether it lies right above the root and has rules.
fn is_above(path: &Text) -> bool {
    has_rules(path) && path.0.strip_prefix(b"../").is_some_and(|name| !name.contains(&b'/'))
}
