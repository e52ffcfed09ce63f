//! What a search asks of an index, and what it is told.

use forge_search_core::{
    index::{fold::Fold, need::Need},
    response::IndexStats,
    scope::Scope,
};

use super::Held;
use crate::pipeline::Items;

/// What a search wants of an index.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'r> {
    /// Which files it is about.
    pub(crate) scope: &'r Scope,
    /// Files larger than this are not read, which has to be said.
    pub(crate) max_file_size_bytes: u64,
    /// Files that are not text throughout have to be named, too (FR-SF-SRC-04).
    pub(crate) names_binary: bool,
    /// What a file must hold.
    pub(crate) need: Wants<'r>,
}

/// What a search wants of files.
#[derive(Clone, Copy)]
pub(crate) enum Wants<'r> {
    /// Those that hold what is needed, for an index of this fold and gram size.
    Holding(&'r dyn Fn(Fold, usize) -> Need),
    /// Those that resemble something, which no filter tells.
    Resembling,
    /// Their names: all of them.
    Names,
}

/// What an index tells a search.
pub(crate) struct Indexed<'s> {
    /// The files, if the index may be believed, and whether any may have been left out unread.
    pub(crate) files: Option<(Items<'s>, bool)>,
    /// How the index was found.
    pub(crate) stats: IndexStats,
    /// Has to live as long as the search.
    pub(crate) held: Held<'s>,
}
