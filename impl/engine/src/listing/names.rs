//! The files of a listing by name, without reading them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use forge_search_core::{Request, ToolError, cancellation::Cancellation, response::PathError};

use super::{FileLines, Listing, ListingItem, ListingSummary};
use crate::{
    call::Call,
    places::Place,
    service::Service,
    walk::{WalkItem, Walker},
};

impl Service {
    /// How many files [`Service::list`] looks at for `request`, from their directories alone. None
    /// if that is not known when the request's time is up or `call` is cancelled.
    pub fn count_files(&self, request: &Request, call: &Call) -> Option<u64> {
        let listing = Listing::default();
        let end = self.list_names(request, &listing, None, call, &mut |_| true).ok()?;
        (!end.timed_out).then_some(end.files)
    }

    /// Passes on the files that [`Service::list`] would look at, without lines, until `each`
    /// returns `false` or `call` is cancelled. Files larger than `largest` bytes are left out.
    /// Errors are those of [`Service::search`].
    pub fn list_names(
        &self,
        request: &Request,
        listing: &Listing,
        largest: Option<u64>,
        call: &Call,
        each: &mut dyn FnMut(ListingItem) -> bool,
    ) -> Result<ListingSummary, ToolError> {
        let end = Instant::now() + Duration::from_millis(request.timeout_ms);
        let places = self.listed_places(request)?;
        let Place { resolved, base, file, .. } = places.first();
        let base = Arc::clone(base);
        let deadline = self.deadline(end, &call.cancelled, &call.account);
        let cancellation = Cancellation::when(move || deadline.expired());
        let (sandbox, scope, book) = (self.sandbox(), &request.scope, self.rulebook());
        let walk = if let Some(name) = file {
            Walker::file(sandbox, scope, book, base, name, cancellation)
        } else {
            let (top, sizes) = (&resolved.root, largest.is_some());
            Walker::directory(
                sandbox,
                scope,
                book,
                base,
                top,
                sizes,
                None,
                Arc::default(),
                cancellation,
            )
        };
        let mut left = ListingSummary::default();
        for item in walk {
            let listed = match item {
                WalkItem::Interrupted => {
                    left.timed_out = true;
                    break;
                }
                WalkItem::Unread(_) | WalkItem::NotEntered => continue,
                WalkItem::Problem(problem) => {
                    let (path, error) = (sandbox.shown(&problem.path), problem.why.to_owned());
                    ListingItem::Problem(PathError { path, error })
                }
                WalkItem::File(found) => {
                    let size = found.fingerprint.map_or(0, |known| known.size);
                    let admitted = listing.admits.as_ref().is_none_or(|test| test(&found.walked));
                    if !admitted || largest.is_some_and(|most| size > most) {
                        continue;
                    }
                    left.files += 1;
                    ListingItem::File(FileLines { path: found.walked, ..FileLines::default() })
                }
            };
            if !each(listed) {
                left.stopped = true;
                break;
            }
        }
        Ok(left)
    }
}
