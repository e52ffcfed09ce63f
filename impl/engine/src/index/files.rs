//! The files of a search, from the index of its root, if that may be believed.

use std::path::Path;

use forge_search_core::{cancellation::Cancellation, response::IndexStats};

use super::{
    Bypass, Indexed, Indexes, Wanted, Wants, enumerate::Enumeration, gate::Loan,
    root_index::InCall, stats,
};
use crate::deadline::Deadline;

/// What has to live as long as a search: the indexer gives way meanwhile, and what was lent is
/// valid.
pub(crate) struct Held<'s> {
    _call: Option<InCall<'s>>,
    _loan: Option<Loan<'s>>,
}

impl Indexes {
    /// The files below `path`, a directory unless `is_file`. `use_index` permits believing the
    /// index, it does not demand it.
    pub(crate) fn files<'s>(
        &'s self,
        path: &Path,
        is_file: bool,
        wanted: &Wanted<'s>,
        use_index: bool,
        until: Deadline<'s>,
    ) -> Indexed<'s> {
        let Some((index, directory)) = self.of(path) else {
            let held = Held { _call: None, _loan: None };
            return Indexed { files: None, stats: IndexStats::none(), held };
        };
        let call = Some(index.begin_call());
        let bypassed = |why| (Err(why), index.snapshot());
        let (permit, found) = if is_file {
            bypassed(Bypass::PathNotIndexed)
        } else if use_index {
            index.permit(wanted, &directory, until.at)
        } else {
            // A fuzzy pass, or one that is made to see whether the index was right.
            let fuzzy = matches!(wanted.need, Wants::Resembling);
            bypassed(if fuzzy { Bypass::Fuzzy } else { Bypass::IndexFault })
        };
        let used = permit.as_ref().map(|permit| permit.proofs).map_err(|why| *why);
        let stats = stats(index, found, used);
        let Ok(permit) = permit else {
            return Indexed { files: None, stats, held: Held { _call: call, _loan: None } };
        };
        let by_index = permit.candidates.is_some();
        let cancellation = Cancellation::when(move || until.expired());
        let (items, loan) =
            Enumeration::new(permit, wanted, &directory, index.key.hidden, cancellation);
        let held = Held { _call: call, _loan: loan };
        Indexed { files: Some((Box::new(items), by_index)), stats, held }
    }
}
