//! The tool `search_files`, without IO (docs/search-files.md).
//!
//! `request` validates, `scan` finds matches in one text, `collect` applies caps, `answer` writes
//! and shortens the JSON, `definition` describes the tool. [`crate::pattern`] and
//! [`crate::similarity`] match lines; the engine's walker lists files by [`crate::scope::Scope`].
//! Invariant: except for the digits of `elapsed_ms`, the answer depends only on the matches and the
//! budget.

mod answer;
mod collect;
mod definition;
mod request;
mod scan;

pub use answer::{Answer, Fitted, Stats};
pub use collect::{Collector, SearchEnd};
pub use definition::definition;
pub use request::{Caps, MAX_FUZZY_SCALARS, MAX_RESULTS, Mode, Request, RequestBuilder};
pub use scan::{FileMatches, Finder, ScanLimits, scan};

/// The tool's name (FR-SF-DEF-01).
pub const NAME: &str = "search_files";
