//! Injection points: every place at which the index touches the system, by name. The harness makes
//! them fail by returning an error, killing the process, or acting first.

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
    /// A file is about to be read for its words.
    ReadWords,
    /// A transaction with part of a shard of words is about to be committed.
    WriteWords,
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
    /// A call has its permission and holds no lock. An error here has no effect.
    Permitted,
}

impl Point {
    /// All of them.
    pub const ALL: [Self; 26] = [
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
        Self::ReadWords,
        Self::WriteWords,
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

/// Reacts to a [`Point`]. Called from any thread, possibly under locks of the index, so it must not
/// call back into the service.
pub trait Faults: Send + Sync + std::fmt::Debug {
    /// The result replaces the system's.
    fn at(&self, point: Point) -> io::Result<()>;

    /// Whether the service has this deliberate bug.
    #[cfg(feature = "sabotage")]
    fn is_sabotaged(&self, _sabotage: Sabotage) -> bool {
        false
    }
}

#[cfg(feature = "sabotage")]
pub(super) fn is_sabotaged(faults: &dyn Faults, sabotage: Sabotage) -> bool {
    faults.is_sabotaged(sabotage)
}

#[cfg(not(feature = "sabotage"))]
pub(super) fn is_sabotaged(_faults: &dyn Faults, _sabotage: Sabotage) -> bool {
    false
}

/// Deliberate bugs, by which the harness shows that it detects them.
#[doc(hidden)]
#[cfg_attr(
    not(feature = "sabotage"),
    expect(unreachable_pub, reason = "handed out with the feature")
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sabotage {
    /// A call does not read events before it excludes files.
    Drain,
    /// A changed file is taken for unchanged.
    Pending,
    /// A changed ignore file is treated as any file.
    IgnoreFiles,
    /// Files with several links are excluded without a check.
    HardLinks,
    /// Fingerprints compare size and mtime only.
    Fingerprint,
    /// The last n-gram of each file is lost.
    LastGram,
    /// Changed deny patterns are ignored when an index is opened.
    Policy,
    /// An opened index is trusted without checking the tree.
    Reopen,
    /// A racy fingerprint counts as proof.
    Racy,
    /// Checksums of the store are not verified.
    Checksum,
}

#[cfg(feature = "sabotage")]
impl Sabotage {
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

/// No faults.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFaults;

impl Faults for NoFaults {
    fn at(&self, _point: Point) -> io::Result<()> {
        Ok(())
    }
}
