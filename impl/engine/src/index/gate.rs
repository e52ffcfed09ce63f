//! A call's permission to leave files out (docs/index-service.md, sections 1 and 3; FR-LSI-SAFE-02,
//! FR-LSI-SAFE-03, E-C48, D7, D8, D17).
//!
//! Responsible for: what the call has to have seen before it may rely on the catalog. Not here:
//! draining events ([`super::drain`]), applying ([`super::apply`]), files whose changes may raise
//! no event ([`super::linked_files`]), calls without a watcher ([`super::verification`]).
//! Invariants: whatever is in doubt is searched; a call waits for no scan.

use std::{
    collections::BTreeSet,
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use forge_search_core::{
    cancellation::Cancellation,
    index::{
        budget,
        machine::{Reason, State, Trigger},
        need::Need,
        queue::DirtyKind,
        segment::Fault,
    },
    scope::{Links, Scope},
};

use super::{
    apply::Applied,
    catalog::{Catalog, View},
    control::Guard,
    depth::too_deep,
    drain::{Drained, Extent},
    enumerate::Candidates,
    fault::Point,
    query::{IndexQuery, QueryNeed},
    root_index::{RootIndex, Snapshot},
    schedule::Task,
    segment::Segment,
    words::{KnownFiles, WordIndex},
};
use crate::{
    observe,
    root::{Kind, ListDetail, Proof, Proofs},
};

/// Why nothing is excluded, as `exclusion_bypass_reason` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bypass {
    IndexOff,
    PathNotIndexed,
    OptionsDiffer,
    Fuzzy,
    PatternNeedsNothing,
    IndexUnavailable,
    LockTimeout,
    MaintBudget,
    IndexFault,
    ScanIsCheaper,
}

impl Bypass {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::IndexOff => "INDEX_OFF",
            Self::PathNotIndexed => "PATH_NOT_INDEXED",
            Self::OptionsDiffer => "OPTIONS_DIFFER",
            Self::Fuzzy => "FUZZY",
            Self::PatternNeedsNothing => "PATTERN_NEEDS_NOTHING",
            Self::IndexUnavailable => "INDEX_UNAVAILABLE",
            Self::LockTimeout => "LOCK_TIMEOUT",
            Self::MaintBudget => "MAINT_BUDGET",
            Self::IndexFault => "INDEX_FAULT",
            Self::ScanIsCheaper => "SCAN_IS_CHEAPER",
        }
    }
}

/// Permission to exclude files, with the view that it is based on.
pub(crate) struct Permit<'i> {
    pub(crate) view: Arc<View>,
    /// The files to read; `None` for all.
    pub(crate) candidates: Option<Candidates>,
    /// What is known of candidates that need not be read for the query's words.
    pub(crate) known: Option<KnownFiles>,
    /// Directories that the depth limit excludes.
    pub(crate) too_deep: Vec<Vec<u8>>,
    /// The proofs that the view equals the tree.
    pub(crate) proofs: Proofs,
    /// Ends a COMPLETE that holds for this call only.
    pub(crate) complete_for_call: Option<CompleteForCall<'i>>,
}

/// A COMPLETE that holds for one call. Dropping it ends it.
pub(crate) struct CompleteForCall<'i>(pub(super) &'i RootIndex);

impl Drop for CompleteForCall<'_> {
    fn drop(&mut self) {
        let mut control = self.0.control();
        // Another thread may have left COMPLETE already.
        if control.state() == State::Complete {
            control.tick(&[Trigger::CallEnded]);
        }
    }
}

/// Whose verification the state permits.
enum Standing {
    /// A live watcher reports every change.
    Watched,
    /// The call must verify every directory and file.
    Unwatched,
}

/// The trusted view, the mount points of single files, and the directories that are too deep.
struct WatchedView {
    view: Arc<View>,
    mounts: BTreeSet<Vec<u8>>,
    too_deep: Vec<Vec<u8>>,
}

impl RootIndex {
    /// Permission to exclude files, or why there is none. The snapshot is the state that decided.
    pub(crate) fn permit(
        &self,
        query: &IndexQuery<'_>,
        directory: &[u8],
        deadline: Instant,
    ) -> (Result<Permit<'_>, Bypass>, Snapshot) {
        let found = self.snapshot();
        if found.status.reasons.contains(Reason::ModeOff) {
            return (Err(Bypass::IndexOff), found);
        }
        let fits = query.scope.no_ignore == self.key.no_ignore
            && (!query.scope.hidden || self.key.hidden)
            // A catalog of all hidden names does not say which of them a `!` rule includes.
            && (query.scope.hidden
                || !self.key.hidden
                || !self.coverage.rulebook.reincludes_hidden())
            && query.scope.links == Links::Skip
            && query.scope.is_indexable();
        if !fits {
            return (Err(Bypass::OptionsDiffer), found);
        }
        if matches!(query.need, QueryNeed::Fuzzy) {
            return (Err(Bypass::Fuzzy), found);
        }
        let need = match query.need {
            QueryNeed::Grams(need) => match need(self.key.fold, self.key.tokens.ngram) {
                Need::Nothing => return (Err(Bypass::PatternNeedsNothing), found),
                need => Some(need),
            },
            QueryNeed::Fuzzy | QueryNeed::Names => None,
        };
        let permit = self.permit_for_need(query, directory, need.as_ref(), deadline);
        let mut shown = self.snapshot();
        if permit.is_ok() {
            // The state that decided, even if it has changed since.
            shown.status.state = State::Complete;
            // No system call is made here, so an injected error has no meaning.
            let _ = self.options.faults.at(Point::Permitted);
        }
        (permit, shown)
    }

    fn permit_for_need(
        &self,
        query: &IndexQuery<'_>,
        directory: &[u8],
        need: Option<&Need>,
        deadline: Instant,
    ) -> Result<Permit<'_>, Bypass> {
        self.calls().count_call();
        // The snapshot first: a build may hold the lock.
        if !matches!(self.snapshot().status.state, State::Complete | State::Uncertain) {
            return Err(Bypass::IndexUnavailable);
        }
        let standing = standing(&self.control());
        match (standing, need) {
            (None, _) => Err(Bypass::IndexUnavailable),
            (Some(Standing::Watched), _) => {
                let watched = self.watched_view(query.scope, directory, deadline)?;
                let mut proofs = Proofs { names: Proof::Events, contents: Proof::Events };
                let (mut candidates, mut known) = (None, None);
                if let Some(need) = need {
                    let view = &watched.view;
                    let told = self.told_by_words(view, query)?;
                    let words = told.as_ref().filter(|(_, known)| known.tell_all);
                    let words = words.map(|(words, _)| words.as_ref());
                    let (mut found, looked) = self.candidates(&watched, need, query, words)?;
                    if looked {
                        proofs.contents = Proof::Stat;
                    }
                    let catalog = &view.base.catalog;
                    let mounted: Vec<u32> =
                        watched.mounts.iter().filter_map(|path| catalog.find(path).ok()).collect();
                    known = self.narrow(view, query, told, &mounted, &mut found)?;
                    candidates = Some(found);
                }
                let WatchedView { view, too_deep, .. } = watched;
                Ok(Permit { view, candidates, known, too_deep, proofs, complete_for_call: None })
            }
            (Some(Standing::Unwatched), Some(need)) => {
                self.permit_verified(query, directory, need, deadline)
            }
            // Verifying every directory costs as much as the walk.
            (Some(Standing::Unwatched), None) => Err(Bypass::ScanIsCheaper),
        }
    }

    /// With a live watcher: all changes that precede the call are applied.
    fn watched_view(
        &self,
        scope: &Scope,
        directory: &[u8],
        deadline: Instant,
    ) -> Result<WatchedView, Bypass> {
        self.probe_walk_errors();
        let drained = self.drain_events(Extent::UpToNow);
        let Drained { mut control, mut triggers, renamed } = drained.ok_or(Bypass::LockTimeout)?;
        if control.state() != State::Complete {
            if !triggers.is_empty() {
                control.tick(&triggers);
            }
            return Err(Bypass::IndexUnavailable);
        }
        let quiet = triggers.is_empty();
        triggers.push(Trigger::IndexAccessed);
        let mut late = false;
        if !control.changes().is_applied() && quiet {
            drop(control);
            let left = deadline.saturating_duration_since(Instant::now());
            let left_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
            let share = Duration::from_millis(budget::maintenance_ms(&self.settings, left_ms));
            let applied = self.apply_queue(Some(Instant::now() + share));
            control = self.control();
            if control.state() != State::Complete {
                return Err(Bypass::IndexUnavailable);
            }
            match applied {
                Applied::All => {
                    self.calls().reset_late();
                    triggers.push(if renamed {
                        Trigger::RenameApplied
                    } else {
                        Trigger::DirtyUpdateApplied
                    });
                }
                Applied::Late => {
                    late = true;
                    triggers.extend([Trigger::ChangesQueued, Trigger::MaintenanceOverBudget]);
                    if self.calls().count_late() >= 3 {
                        triggers.push(Trigger::BudgetsExhaustedRepeatedly);
                    }
                }
                Applied::Incomplete => triggers.push(Trigger::EnumerationFailed),
            }
        } else if !control.changes().is_applied() {
            triggers.push(Trigger::ChangesQueued);
        }
        let applied = triggers.len() > 1;
        let step = control.tick(&triggers);
        let permitted = if !step.may_exclude {
            Err(if late { Bypass::MaintBudget } else { Bypass::IndexUnavailable })
        } else if !control.catalog().has_directory(directory) {
            Err(Bypass::PathNotIndexed)
        } else {
            above_is_readable(control.catalog(), directory)
        };
        let watched = permitted.map(|()| WatchedView {
            view: control.catalog_mut().files_mut().view(),
            mounts: control.catalog().mounts().clone(),
            too_deep: too_deep(control.catalog(), directory, scope),
        });
        drop(control);
        // The indexer tokenizes and stores what was applied.
        if applied {
            self.wake();
        }
        watched
    }

    /// Queues paths that were unreadable and are readable now: no event may report that (E-C27).
    fn probe_walk_errors(&self) {
        let walk_errors = self.control().catalog().files().walk_errors().to_vec();
        if walk_errors.is_empty() {
            return;
        }
        let Ok(root) = self.coverage.open() else { return };
        let changed = walk_errors.iter().filter(|walk_error| {
            let path =
                walk_error.path.strip_prefix(&self.coverage.root).map(crate::root::path_bytes);
            let Ok(path) = path else { return false };
            let now = match root.stat(&path).map(|stat| stat.kind) {
                Ok(Kind::Dir) => root
                    .list(
                        &path,
                        ListDetail::Names,
                        &std::sync::atomic::AtomicU64::default(),
                        &Cancellation::never(),
                    )
                    .err(),
                Ok(Kind::File) => root.open_file(&path).err(),
                Ok(_) => None,
                Err(err) => Some(err),
            };
            // For an ignore file the message differs; that it is still unreadable is enough.
            now.is_none_or(|err| err.kind() != io::ErrorKind::PermissionDenied)
        });
        let changed: Vec<Vec<u8>> = changed.map(|walk_error| walk_error.at.clone()).collect();
        let mut control = self.control();
        for path in changed {
            control.changes_mut().enqueue(&path, DirtyKind::Subtree);
        }
    }

    /// The files that may match, and whether linked files were checked.
    fn candidates(
        &self,
        watched: &WatchedView,
        need: &Need,
        query: &IndexQuery<'_>,
        words: Option<&WordIndex>,
    ) -> Result<(Candidates, bool), Bypass> {
        let view = &watched.view;
        let mut candidates =
            self.by_filters(view, need, query, words).map_err(|fault| self.bypass_for(&fault))?;
        let cap = query.max_file_size_bytes;
        let segments = std::iter::once(&view.base).chain(view.deltas.iter());
        let sets = std::iter::once(&mut candidates.base).chain(&mut candidates.deltas);
        // Oversized files must be reported (docs/search.md, section 6).
        for (segment, set) in segments.zip(sets).filter(|(segment, _)| segment.largest > cap) {
            for rank in (0..segment.catalog.len())
                .filter(|rank| segment.catalog.fingerprint(*rank).size > cap)
            {
                set.insert(rank);
            }
        }
        let looked = self.verify_linked_files(view, &watched.mounts, &mut candidates);
        Ok((candidates, looked))
    }

    /// The files that the n-grams of the segments do not exclude. Those of the base are not asked
    /// where words tell of nearly all of its files.
    pub(super) fn by_filters(
        &self,
        view: &View,
        need: &Need,
        query: &IndexQuery<'_>,
        words: Option<&WordIndex>,
    ) -> Result<Candidates, Fault> {
        let of = |segment: &Segment| {
            let mut set = segment.candidates(need, &self.key)?;
            if let Some(rule) = query.names_binary {
                // A file of unknown kind is a candidate.
                set.subtract(segment.binary(rule));
            }
            Ok(set)
        };
        let deltas = view.deltas.iter().map(|delta| of(delta)).collect::<Result<_, _>>()?;
        let base = words.and_then(|words| words.few_unknown(&view.base));
        let base = base.map_or_else(|| of(&view.base), Ok)?;
        Ok(Candidates { base, deltas })
    }

    /// What the query's words come to, as far as that is known.
    pub(super) fn told_by_words(
        &self,
        view: &View,
        query: &IndexQuery<'_>,
    ) -> Result<Option<(Arc<WordIndex>, KnownFiles)>, Bypass> {
        let Some(words) = &query.words else { return Ok(None) };
        self.known_files(&view.base, words).map_err(|fault| self.bypass_for(&fault))
    }

    /// Leaves out files in which too few of the query's words occur, as far as that is known. What is
    /// known of the others; nothing of mounted ones, since their changes raise no events.
    pub(super) fn narrow(
        &self,
        view: &View,
        query: &IndexQuery<'_>,
        told: Option<(Arc<WordIndex>, KnownFiles)>,
        mounted: &[u32],
        candidates: &mut Candidates,
    ) -> Result<Option<KnownFiles>, Bypass> {
        let (Some(words), Some((index, mut known))) = (&query.words, told) else { return Ok(None) };
        let bypass = |fault: Fault| self.bypass_for(&fault);
        let read = (words.read)(self.key.fold, self.key.tokens.ngram)
            .map(|need| view.base.candidates(&need, &self.key))
            .transpose()
            .map_err(bypass)?;
        let cap = query.max_file_size_bytes;
        known.narrow(&index, cap, mounted, read.as_ref(), &mut candidates.base);
        Ok(Some(known))
    }

    pub(super) fn bypass_for(&self, fault: &Fault) -> Bypass {
        match fault {
            Fault::Busy => {
                self.add_task(Task::LockTimedOut);
                Bypass::LockTimeout
            }
            Fault::Gone => {
                self.add_task(Task::Reload);
                Bypass::IndexUnavailable
            }
            Fault::Malformed(_) | Fault::Unreadable(_) => {
                observe::index_is_broken(&self.coverage.root, fault);
                self.control().tick(&[Trigger::IntegrityFailed]);
                self.wake();
                Bypass::IndexFault
            }
        }
    }

    /// Discards the index after an answer showed a wrong exclusion (E-G10).
    pub(crate) fn distrust(&self) {
        self.add_task(Task::Broken);
    }
}

/// Whose verification the state permits, if any.
fn standing(control: &Guard<'_>) -> Option<Standing> {
    let status = control.status();
    match (status.state, control.catalog().proof()) {
        (State::Complete, _) if status.lent => Some(Standing::Unwatched),
        (State::Complete, Proof::Events) if status.watcher_live => Some(Standing::Watched),
        (State::Complete, Proof::Stat) => Some(Standing::Unwatched),
        (State::Uncertain, _)
            if !status.watcher_live && !status.reasons.contains(Reason::BuildBudgetExceeded) =>
        {
            Some(Standing::Unwatched)
        }
        _ => None,
    }
}

/// The walker reports unreadable ignore files above a search root; the catalog has them elsewhere.
pub(super) fn above_is_readable(catalog: &Catalog, directory: &[u8]) -> Result<(), Bypass> {
    let above = |at: &[u8]| at.is_empty() || directory.starts_with(&[at, b"/"].concat());
    if !directory.is_empty()
        && catalog.files().walk_errors().iter().any(|walk_error| above(&walk_error.at))
    {
        return Err(Bypass::PathNotIndexed);
    }
    Ok(())
}
