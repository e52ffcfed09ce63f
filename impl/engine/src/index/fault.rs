//! Where things can go wrong: every place at which the index touches the system, by name. Reality
//! does not fail on command; the harness does, by returning an error here, by killing the process
//! here, or by doing something else first.

use std::io;

/// A place at which the index touches the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Point {
    /// The cache root is about to be prepared.
    CacheRoot,
    /// A database is about to be opened.
    OpenStore,
    /// An index in memory is about to be set up.
    OpenMemory,
    /// A block is about to be read.
    ReadBlock,
    /// The whole of a store is about to be checked.
    Check,
    /// A directory is about to be listed by a scan.
    List,
    /// A scan goes on to its next slice.
    ScanSlice,
    /// A file is about to be read for its n-grams.
    ReadFile,
    /// A build has begun.
    BuildBegin,
    /// A batch of a build has been tokenized.
    BuildBatch,
    /// A transaction with part of a new base is about to be committed.
    WriteBase,
    /// A new base is complete and about to become the active one.
    BeforeFlip,
    /// It has become the active one.
    AfterFlip,
    /// A delta is about to be committed.
    WriteDelta,
    /// A delta has been committed.
    AfterDelta,
    /// Inactive segments are about to be deleted.
    DeleteInactive,
    /// The write-ahead log is about to be checkpointed.
    Checkpoint,
    /// What a stopped build has is about to be stored.
    SavePartial,
    /// The mark of a clean shutdown is about to be written.
    MarkClean,
    /// An index is about to be evicted.
    Evict,
    /// A directory is about to be watched.
    Watch,
    /// Events are about to be read.
    ReadEvents,
    /// A call is about to write its cookie.
    Cookie,
    /// A call has its permission, and what it goes by, and holds no lock. Nothing can fail here,
    /// but much can happen.
    Permitted,
}

impl Point {
    /// All of them.
    pub const ALL: [Self; 24] = [
        Self::CacheRoot,
        Self::OpenStore,
        Self::OpenMemory,
        Self::ReadBlock,
        Self::Check,
        Self::List,
        Self::ScanSlice,
        Self::ReadFile,
        Self::BuildBegin,
        Self::BuildBatch,
        Self::WriteBase,
        Self::BeforeFlip,
        Self::AfterFlip,
        Self::WriteDelta,
        Self::AfterDelta,
        Self::DeleteInactive,
        Self::Checkpoint,
        Self::SavePartial,
        Self::MarkClean,
        Self::Evict,
        Self::Watch,
        Self::ReadEvents,
        Self::Cookie,
        Self::Permitted,
    ];
}

/// What happens at a [`Point`]. Called from any thread that gets there; locks of the index may be
/// held, so it must not call back into it.
pub trait Faults: Send + Sync + std::fmt::Debug {
    /// An error is taken for the system's.
    fn at(&self, point: Point) -> io::Result<()>;

    /// Whether the service is to make this mistake.
    #[cfg(feature = "sabotage")]
    fn skips(&self, _shortcut: Shortcut) -> bool {
        false
    }
}

/// Whether the mistake is to be made.
#[cfg(feature = "sabotage")]
pub(super) fn skips(faults: &dyn Faults, shortcut: Shortcut) -> bool {
    faults.skips(shortcut)
}

/// No mistake is made.
#[cfg(not(feature = "sabotage"))]
pub(super) fn skips(_faults: &dyn Faults, _shortcut: Shortcut) -> bool {
    false
}

/// Mistakes that the service can be told to make, so that the harness can tell whether they would
/// be found.
#[doc(hidden)]
#[cfg_attr(
    not(feature = "sabotage"),
    expect(unreachable_pub, reason = "handed out with the feature")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shortcut {
    /// A call does not read events before it excludes files.
    Drain,
    /// A file that was found changed is believed to be what it was.
    Pending,
    /// A changed ignore file is a file like any other.
    IgnoreFiles,
    /// Files with several links are not looked at before they are excluded.
    HardLinks,
    /// A fingerprint is size and mtime alone.
    Fingerprint,
    /// The last n-gram of each file is forgotten.
    LastGram,
    /// Changed deny patterns go unnoticed when an index is opened.
    Policy,
    /// An opened index is believed without looking at the tree.
    Reopen,
    /// A racy fingerprint counts as a sound one.
    Racy,
    /// What is read from the store is not compared with its checksum.
    Checksum,
}

#[cfg(feature = "sabotage")]
impl Shortcut {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Drain,
        Self::Pending,
        Self::IgnoreFiles,
        Self::HardLinks,
        Self::Fingerprint,
        Self::LastGram,
        Self::Policy,
        Self::Reopen,
        Self::Racy,
        Self::Checksum,
    ];
}

/// Nothing happens.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFaults;

impl Faults for NoFaults {
    fn at(&self, _point: Point) -> io::Result<()> {
        Ok(())
    }
}
