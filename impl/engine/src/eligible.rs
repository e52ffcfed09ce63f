//! Where the files of a search come from: the index, if it may be believed, else the walker. The
//! files are the same.
//!
//! Responsible for: asking for permission, and saying how the index was found.
//! Left to neighbours: what permission takes ([`crate::index`]), walking ([`crate::walk`]).

use std::sync::Arc;

use forge_search_core::{patience::Patience, response::IndexStats};

use crate::{
    account::Held,
    index::{self, Bypass, Enumeration, InCall, Loan, Wanted, Wants},
    pipeline::Items,
    root::Root,
    sandbox::Inside,
    service::Service,
    until::Until,
    walk::{WalkItem, Walker},
};

/// The files that a search is about.
pub(crate) struct Eligible<'s> {
    /// In path order, with problems, and with the number of those that were left out.
    pub(crate) items: Items<'s>,
    /// How the index was found.
    pub(crate) index: IndexStats,
    /// Files may have been left out unread because of the index.
    pub(crate) by_index: bool,
    /// They are found by walking, which another search of the same files need not do again.
    pub(crate) walked: bool,
    /// Has to live as long as the search: the indexer gives way meanwhile, and what was lent is
    /// valid.
    pub(crate) held: (Option<InCall<'s>>, Option<Loan<'s>>),
}

/// A walk, as long as there is room for what it holds.
struct Charged<'s> {
    walker: Walker<'s>,
    held: Held<'s>,
}

impl Iterator for Charged<'_> {
    type Item = WalkItem;

    fn next(&mut self) -> Option<WalkItem> {
        let item = self.walker.next()?;
        Some(if self.held.takes(self.walker.held()) { item } else { WalkItem::Interrupted })
    }
}

impl Service {
    /// The files below a search root, or that file. `use_index` permits leaving files out, it does
    /// not demand it; with `sizes`, files come with what they are like.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is one thing that decides where files come from"
    )]
    pub(crate) fn eligible<'s>(
        &'s self,
        place: &Inside,
        base: &Arc<Root>,
        file: Option<&[u8]>,
        wanted: &Wanted<'s>,
        use_index: bool,
        sizes: bool,
        until: Until<'s>,
    ) -> Eligible<'s> {
        let call = self.indexes().of(&place.path).map(|(index, _)| index.begin_call());
        let (permit, index) = match (self.indexes().of(&place.path), file) {
            (Some((index, _)), None) if !use_index => {
                // A fuzzy pass, or one that is made to see whether the index was right.
                let fuzzy = matches!(wanted.need, Wants::Resembling);
                let why = if fuzzy { Bypass::Fuzzy } else { Bypass::IndexFault };
                (None, index::stats(index, index.snapshot(), Err(why)))
            }
            (Some((index, directory)), None) => {
                let (permit, found) = index.permit(wanted, &directory, until.deadline);
                let stats = index::stats(
                    index,
                    found,
                    permit.as_ref().map(|permit| permit.proofs).map_err(|why| *why),
                );
                (permit.ok().map(|permit| (permit, directory, index)), stats)
            }
            (Some((index, _)), Some(_)) => {
                (None, index::stats(index, index.snapshot(), Err(Bypass::PathNotIndexed)))
            }
            (None, _) => (None, IndexStats::none()),
        };
        let (sandbox, book, scope) = (self.sandbox(), self.rulebook(), wanted.scope);
        let patience = Patience::until(move || until.over());
        match (permit, file) {
            (Some((permit, directory, from)), _) => {
                let by_index = permit.candidates.is_some();
                let (items, loan) =
                    Enumeration::new(permit, wanted, &directory, from.key.hidden, patience);
                Eligible {
                    items: Box::new(items),
                    index,
                    by_index,
                    walked: false,
                    held: (call, loan),
                }
            }
            (None, None) => {
                let walker = Walker::directory(
                    sandbox,
                    scope,
                    book,
                    Arc::clone(base),
                    &place.root,
                    sizes,
                    None,
                    patience,
                );
                Eligible {
                    items: Box::new(Charged { walker, held: until.holding() }),
                    index,
                    by_index: false,
                    walked: true,
                    held: (call, None),
                }
            }
            (None, Some(name)) => {
                let walker = Walker::file(sandbox, scope, book, Arc::clone(base), name, patience);
                Eligible {
                    items: Box::new(walker),
                    index,
                    by_index: false,
                    walked: true,
                    held: (call, None),
                }
            }
        }
    }
}
