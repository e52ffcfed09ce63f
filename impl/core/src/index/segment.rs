//! Segments: immutable sets of files with their postings, in the form that is stored
//! (docs/index-service.md, section 2).
//!
//! Responsible for: the bytes of lists, blocks and catalogs, inverting a batch of files, merging,
//! and what a need comes to over one segment, exactly as the files' filters would have it
//! (docs/postings.md). The plain form of the same, for reading and for comparison, is
//! [`super::postings`]. Not here: where blocks are kept, and whether their bytes are the
//! ones that were written (the engine verifies checksums). Invariants: a file is known by its rank
//! in `path_sort_key` order; what is malformed is an error, never an absent gram.

mod block;
mod catalog;
mod dictionary;
mod list;
mod merge;
mod run;
mod set;
mod sketch;

pub use block::{Block, Blocks};
pub use catalog::{Catalog, Fingerprint, Row, read_rows, write_rows};
pub use dictionary::Dictionary;
pub(in crate::index) use list::{put, take, take_slice};
pub use merge::{Merged, RankMap, Source, merge};
pub use run::Inverter;
pub use set::RankSet;
pub use sketch::{Sketch, sketches};

/// Bytes that are not what they should be.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// They do not have the form of what they stand for.
    #[error("{0} is malformed")]
    Malformed(&'static str),
    /// They could not be had, or are not those that were written.
    #[error("{0}")]
    Unreadable(String),
    /// They could not be had in time.
    #[error("the store is busy")]
    Busy,
    /// They belong to a segment that has been replaced.
    #[error("the segment is gone")]
    Gone,
}

#[cfg(test)]
mod tests;
