//! The status of an index, for callers and metrics.

use std::path::PathBuf;

/// The status of an index.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct IndexStatus {
    /// The index root.
    pub root: PathBuf,
    /// `ABSENT`, `BUILDING`, `COMPLETE`, `UNCERTAIN`, `CORRUPT` or `DISABLED`.
    pub state: &'static str,
    /// The reason of UNCERTAIN or DISABLED.
    pub reason: Option<&'static str>,
    /// The duty of the background thread.
    pub duty: &'static str,
    /// Whether the tree is watched.
    pub watcher_live: bool,
    /// Whether this process writes the store; of the processes that share an index one does.
    pub writer: bool,
    /// Files in the catalog.
    pub files: u64,
    /// Files among them whose n-grams are not known yet.
    pub pending: u64,
    /// Bytes of the files whose n-grams are known.
    pub indexed_bytes: u64,
    /// Directories in the catalog.
    pub directories: u64,
    /// Number of segments.
    pub segments: u64,
    /// `memory`, `sqlite` or `none`.
    pub storage: &'static str,
    /// Why it differs from the configured storage.
    pub storage_fallback_reason: Option<&'static str>,
    /// The path of the database.
    pub file: Option<PathBuf>,
    /// Bytes on disk or in memory.
    pub size_bytes: u64,
    /// `ENUMERATE`, `TOKENIZE`, `PERSIST` or `ACTIVATE`, while a build runs.
    pub build_phase: Option<&'static str>,
    /// Files to index, once they have been enumerated.
    pub build_files_total: Option<u64>,
    /// Files indexed so far.
    pub build_files_done: Option<u64>,
    /// Milliseconds since the build began.
    pub build_elapsed_ms: Option<u64>,
}
