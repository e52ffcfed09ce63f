//! The files of a search: from the index if it is proved fresh, else from the walker. Both give the
//! same files.
//!
//! Responsible for: choosing the source, and recording how the index was used. Not here: what
//! proves the index ([`crate::index`]), walking ([`crate::walk`]).

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use forge_search_core::{cancellation::Cancellation, response::IndexStats};
use parking_lot::Mutex;

use crate::{
    deadline::Deadline,
    index::{IndexAnswer, IndexQuery, SearchGuard},
    pipeline::Items,
    places::{Known, Place, Places},
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
    pub(crate) known: Known,
    /// Must live as long as the search.
    pub(crate) held: Vec<SearchGuard<'s>>,
}

impl Service {
    /// The files of all places, root after root. `use_index` permits exclusion without demanding it;
    /// with `sizes`, files come with their fingerprints. The scope of `query` is that of the places.
    pub(crate) fn eligible<'s>(
        &'s self,
        places: &'s Places,
        query: &IndexQuery<'s>,
        use_index: bool,
        sizes: bool,
        deadline: Deadline<'s>,
    ) -> Eligible<'s> {
        let mut all = self.eligible_below(&places.first, query, use_index, sizes, deadline);
        if !places.are_roots() {
            return all;
        }
        let unreadable = places.unreadable.iter().cloned().map(WalkItem::Problem);
        let mut sources: Vec<Items<'s>> = vec![Box::new(unreadable)];
        sources.push(places.first.named(all.items, 0));
        all.known = Known::default().and(&places.first.prefix, all.known);
        for place in &places.others {
            let one = self.eligible_below(place, query, use_index, sizes, deadline);
            sources.push(place.named(one.items, all.known.len()));
            all.known = all.known.and(&place.prefix, one.known);
            all.index = all.index.weaker(one.index);
            all.by_index |= one.by_index;
            all.held.extend(one.held);
        }
        Eligible { items: Box::new(sources.into_iter().flatten()), ..all }
    }

    /// The files of one place. `use_index` permits exclusion without demanding it; with `sizes`,
    /// files come with their fingerprints.
    pub(crate) fn eligible_below<'s>(
        &'s self,
        place: &'s Place,
        query: &IndexQuery<'s>,
        use_index: bool,
        sizes: bool,
        deadline: Deadline<'s>,
    ) -> Eligible<'s> {
        let Place { resolved, base, file, scope, .. } = place;
        let query = IndexQuery { scope, ..*query };
        let IndexAnswer { files, stats, known, held } =
            self.indexes().files(&resolved.path, file.is_some(), &query, use_index, deadline);
        let (known, held) = (Known::of(known), vec![held]);
        if let Some((items, by_index)) = files {
            return Eligible { items, index: stats, by_index, known, held };
        }
        let (sandbox, book) = (self.sandbox(), self.rulebook());
        let taken = Arc::new(AtomicU64::new(0));
        // Charged while a directory is read: one may take more than all calls have.
        let (now, charged) = (Arc::clone(&taken), Mutex::new(deadline.reservation()));
        let cancellation = Cancellation::when(move || {
            deadline.expired() || !charged.lock().takes(now.load(Ordering::Relaxed))
        });
        let base = base.clone();
        let items = match file {
            None => {
                let root = &resolved.root;
                let walker = Walker::directory(
                    sandbox,
                    scope,
                    book,
                    base,
                    root,
                    sizes,
                    None,
                    taken,
                    cancellation,
                );
                Box::new(walker) as Items<'s>
            }
            Some(name) => {
                let walker = Walker::file(sandbox, scope, book, base, name, cancellation);
                Box::new(walker) as Items<'s>
            }
        };
        Eligible { items, index: stats, by_index: false, known, held }
    }
}
