//! The decisions of the agent's tools: `search_text`, the path search, `grep` (docs/agent-tools.md)
//! and `keyword_search` (docs/keyword-search.md).
//!
//! ```text
//! request      fields that the tools share         error  why a call was refused
//! grep         one text → matching lines → results
//! find_files   paths → results
//! search_text  query → terms → hits → ranked files
//! keyword      terms → hits → ranked files, prompt and reply of a language model
//! searched     what was covered → reasons         notice why results are missing
//! answer       results, reasons, notices → an answer within its budget
//! ```
//!
//! The engine lists and reads files, runs threads, and enforces deadlines and session limits.

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
mod notice;
mod request;
pub mod search_text;
mod searched;

pub use answer::{Answer, Draft, Listing, Shown};
pub use cut::{Anchor, Cut, MAX_SHOWN_BYTES, cut};
pub use definition::{
    find_files as find_files_definition, grep as grep_definition,
    search_text as search_text_definition,
};
pub use error::{ErrorKind, Refusal};
pub use excerpt::{Context, Excerpt, Line};
pub use ineligible::{Ineligible, Link, RuleMatch};
pub use notice::{Notice, NoticeKind, Reason};
pub use request::{Defaults, Filters, Page};
pub use searched::{RootBy, Searched};

#[cfg(test)]
mod tests;
