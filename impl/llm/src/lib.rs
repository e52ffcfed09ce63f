#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! Data flow of one answer, top to bottom:
//!
//! ```text
//! remote       a prompt -> up to two requests within the deadline -> text or failure
//! protocol     a prompt -> address, headers, body; a response's body -> text
//! transport    one request -> one response, bounded in length, over a connection of its own
//! ```
//!
//! Not here: which models there are and which is asked, what of a tree may be sent, what an
//! answer's text means (`forge-search-engine`). Invariants: a key goes into one request header and
//! nowhere else; nothing is sent to any host but the one in [`ModelFacts`]: no proxy, no redirect;
//! no connection outlives the call that made it; how long a call takes is the caller's decision,
//! not a server's.
//!
//! [`ModelFacts`]: forge_search_engine::language_model::ModelFacts

#![warn(clippy::print_stdout, clippy::print_stderr)]

use std::sync::Arc;

use forge_search_engine::language_model::{Chosen, LanguageModel};

mod protocol;
mod remote;
mod transport;

#[cfg(test)]
mod tests;

pub use remote::RemoteModel;

/// The chosen model behind HTTP, for [`Toolbox::with_client`].
///
/// [`Toolbox::with_client`]: forge_search_engine::Toolbox::with_client
pub fn client(chosen: Chosen) -> Arc<dyn LanguageModel> {
    Arc::new(RemoteModel::new(chosen))
}

#[cfg(test)]
#[allow(dead_code, reason = "responses are bytes, not texts")]
#[path = "../../core/tests/fuzz/soup.rs"]
mod soup;
