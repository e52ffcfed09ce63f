//! The agent's tools of documents 002 and 004, as far as they are decisions: `search_text`, the
//! path search, `grep` (docs/agent-tools.md), `keyword_search` (docs/keyword-search.md).
//!
//! ```text
//! request     the fields they share → scope, page          error    what a refused call is told
//! grep        request; one text → its matching lines; lines, file by file → results
//! find_files  request; paths → results
//! search_text query → terms; one text → what occurs; the files that match → ranked results
//! keyword     terms → hits → ranked files; what a language model is asked, and what becomes of its answer (document 002)
//! answer      results, reasons, notices → the answer, cut to its budget, as data and to be read
//! ```
//!
//! Left to neighbours: which files there are, reading them, threads, time, limits of sessions (the
//! engine).

mod answer;
mod cut;
mod defining;
mod definition;
mod error;
mod excerpt;
pub mod find_files;
pub mod grep;
mod ineligible;
pub mod keyword;
mod request;
pub mod search_text;

pub use answer::{Answer, Fitted, Lines, Listing, Notice, Reason, ResultItem, RootBy, Searched};
pub use cut::{Anchor, Cut, MAX_SHOWN_BYTES, cut};
pub use definition::{
    find_files as find_files_definition, grep as grep_definition,
    search_text as search_text_definition,
};
pub use error::{ErrorKind, Refusal};
pub use excerpt::Excerpt;
pub use ineligible::{Filters, Ineligible, RuleMatch};
pub use request::{Defaults, Page};

#[cfg(test)]
mod tests;
