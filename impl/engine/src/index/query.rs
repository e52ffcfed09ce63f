//! What a search asks of an index, and the index's reply.

use std::sync::Arc;

use forge_search_core::{
    identifier::{Demand, Word},
    index::{fold::Fold, need::Need},
    response::IndexStats,
    scope::Scope,
    text::BinaryRule,
};

use super::{KnownFiles, SearchGuard};
use crate::pipeline::Items;

/// A search's request to an index.
#[derive(Clone, Copy)]
pub(crate) struct IndexQuery<'r> {
    /// Which files the search covers.
    pub(crate) scope: &'r Scope,
    /// Larger files are not read, and are reported.
    pub(crate) max_file_size_bytes: u64,
    /// The files that are named as binary, without being read; by default they are left out.
    pub(crate) names_binary: Option<BinaryRule>,
    /// What a file must contain.
    pub(crate) need: QueryNeed<'r>,
    /// The words that tell which files may be found; none if there are none.
    pub(crate) words: Option<WordQuery<'r>>,
}

/// The words that tell which files may be found.
#[derive(Clone, Copy)]
pub(crate) struct WordQuery<'r> {
    pub(crate) words: &'r [Word<'r>],
    /// Which of them a file must contain.
    pub(crate) demand: Demand,
    /// Whether files are ranked by nothing else, so that they need not be read.
    pub(crate) tell_all: bool,
    /// What a file must contain to be read although its words are known.
    pub(crate) read: &'r dyn Fn(Fold, usize) -> Option<Need>,
}

/// Which files a search needs.
#[derive(Clone, Copy)]
pub(crate) enum QueryNeed<'r> {
    /// Files with the needed n-grams, for an index of this fold and gram size.
    Grams(&'r dyn Fn(Fold, usize) -> Need),
    /// Fuzzy: filters cannot prune.
    Fuzzy,
    /// All file names.
    Names,
}

/// The index's reply to a search.
pub(crate) struct IndexAnswer<'s> {
    /// The files, if the index is trusted, and whether any may have been excluded.
    pub(crate) files: Option<(Items<'s>, bool)>,
    /// What is known of files that need not be read for the query's words.
    pub(crate) known: Option<Arc<KnownFiles>>,
    /// The state of the index.
    pub(crate) stats: IndexStats,
    /// Must live as long as the search.
    pub(crate) held: SearchGuard<'s>,
}
