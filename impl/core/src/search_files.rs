//! The tool `search_files`: what a request means and what the answer says, decided on data already
//! in hand (docs/search-files.md).
//!
//! Responsible for: the request and its checks (`request`), one file's text to its matches
//! (`scan`), where the answer ends (`collect`), how it reads and how it is made to fit (`answer`),
//! and what is told of the tool (`definition`). Left to neighbours: what matches in a line
//! ([`crate::pattern`], [`crate::similarity`]), which files there are (the engine's walker, by a
//! [`crate::scope::Scope`]). Invariants: the text of an answer depends on nothing but what was
//! found and the budget, the digits of `elapsed_ms` apart.

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
