//! The files of a search from the index, if the index may be trusted.

use std::{path::Path, sync::Arc};

use forge_search_core::{cancellation::Cancellation, response::IndexStats};

use super::{
    Bypass, IndexAnswer, IndexQuery, Indexes, QueryNeed, enumerate::Enumeration,
    gate::CompleteForCall, root_index::InCall, stats,
};
use crate::deadline::Deadline;

/// Must live as long as the search: the indexer waits for it, and a COMPLETE for this call stays
/// valid.
pub(crate) struct SearchGuard<'s> {
    _call: Option<InCall<'s>>,
    _complete: Option<CompleteForCall<'s>>,
}

impl Indexes {
    /// The files below `path`, a directory unless `is_file`. `use_index` permits exclusion by the
    /// index without demanding it.
    pub(crate) fn files<'s>(
        &'s self,
        path: &Path,
        is_file: bool,
        query: &IndexQuery<'s>,
        use_index: bool,
        until: Deadline<'s>,
    ) -> IndexAnswer<'s> {
        let Some((index, directory)) = self.of(path) else {
            let held = SearchGuard { _call: None, _complete: None };
            return IndexAnswer { files: None, known: None, stats: IndexStats::none(), held };
        };
        let call = Some(index.begin_call());
        let bypassed = |why| (Err(why), index.snapshot());
        let (permit, found) = if is_file {
            bypassed(Bypass::PathNotIndexed)
        } else if use_index {
            index.permit(query, &directory, until.at)
        } else {
            // A fuzzy pass, or a pass that checks the index.
            let fuzzy = matches!(query.need, QueryNeed::Fuzzy);
            bypassed(if fuzzy { Bypass::Fuzzy } else { Bypass::IndexFault })
        };
        let used = permit.as_ref().map(|permit| permit.proofs).map_err(|why| *why);
        let stats = stats(index, found, used);
        let Ok(mut permit) = permit else {
            return IndexAnswer {
                files: None,
                known: None,
                stats,
                held: SearchGuard { _call: call, _complete: None },
            };
        };
        let by_index = permit.candidates.is_some();
        let below = if directory.is_empty() { 0 } else { directory.len() + 1 };
        let known = permit.known.take().map(|known| Arc::new(known.below(below)));
        let cancellation = Cancellation::when(move || until.expired());
        let (items, complete_for_call) = Enumeration::new(
            permit,
            query,
            &directory,
            known.clone(),
            index.key.hidden,
            cancellation,
        );
        let held = SearchGuard { _call: call, _complete: complete_for_call };
        IndexAnswer { files: Some((Box::new(items), by_index)), known, stats, held }
    }
}
