//! The files of a search: from the index if it is proved fresh, else from the walker. Both give the
//! same files.
//!
//! Responsible for: choosing the source, and recording how the index was used. Not here: what
//! proves the index ([`crate::index`]), walking ([`crate::walk`]).

use std::sync::Arc;

use forge_search_core::{cancellation::Cancellation, response::IndexStats};

use crate::{
    account,
    deadline::Deadline,
    index::{IndexAnswer, IndexQuery, KnownFiles, SearchGuard},
    pipeline::Items,
    root::Root,
    sandbox::ResolvedPath,
    service::Service,
    walk::{WalkItem, Walker},
};

/// The files that a search covers.
pub(crate) struct Eligible<'s> {
    /// In path order, with problems and the numbers of excluded files.
    pub(crate) items: Items<'s>,
    /// How the index was used.
    pub(crate) index: IndexStats,
    /// Files may have been excluded by the index.
    pub(crate) by_index: bool,
    /// What the index says of files that need not be read for the words of the query.
    pub(crate) known: Option<Arc<KnownFiles>>,
    /// Must live as long as the search.
    pub(crate) held: SearchGuard<'s>,
}

/// A walk that charges its memory to the call's account.
struct Charged<'s> {
    walker: Walker<'s>,
    held: account::Reservation<'s>,
}

impl Iterator for Charged<'_> {
    type Item = WalkItem;

    fn next(&mut self) -> Option<WalkItem> {
        let item = self.walker.next()?;
        Some(if self.held.takes(self.walker.held()) { item } else { WalkItem::Interrupted })
    }
}

impl Service {
    /// The files below a search root, or that single file. `use_index` permits exclusion without
    /// demanding it; with `sizes`, files come with their fingerprints.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is one thing that decides where files come from"
    )]
    pub(crate) fn eligible<'s>(
        &'s self,
        place: &ResolvedPath,
        base: &Arc<Root>,
        file: Option<&[u8]>,
        query: &IndexQuery<'s>,
        use_index: bool,
        sizes: bool,
        deadline: Deadline<'s>,
    ) -> Eligible<'s> {
        let IndexAnswer { files, stats, known, held } =
            self.indexes().files(&place.path, file.is_some(), query, use_index, deadline);
        if let Some((items, by_index)) = files {
            return Eligible { items, index: stats, by_index, known, held };
        }
        let (sandbox, book, scope) = (self.sandbox(), self.rulebook(), query.scope);
        let cancellation = Cancellation::when(move || deadline.expired());
        let base = Arc::clone(base);
        let items = match file {
            None => {
                let root = &place.root;
                let walker =
                    Walker::directory(sandbox, scope, book, base, root, sizes, None, cancellation);
                Box::new(Charged { walker, held: deadline.reservation() }) as Items<'s>
            }
            Some(name) => {
                let walker = Walker::file(sandbox, scope, book, base, name, cancellation);
                Box::new(walker) as Items<'s>
            }
        };
        Eligible { items, index: stats, by_index: false, known: None, held }
    }
}
