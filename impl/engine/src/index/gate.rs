//! A call's permission to leave files out (docs/index-service.md, sections 1 and 3; FR-LSI-SAFE-02, FR-LSI-SAFE-03, E-C48, D7, D8).
//!
//! Responsible for: what the call has to have seen before it may rely on the catalog, and which files no filter may exclude all the same.
//! Invariants: whatever is in doubt is searched; a call waits for the lock within `index_lock_timeout_ms`, and for nothing else of the background.

use std::{
    io,
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use forge_search_core::{
    index::{
        budget,
        fold::Fold,
        machine::{Reason, State, Trigger},
        need::Need,
        queue::DirtyKind,
        segment::{Fault, Fingerprint},
    },
    scope::{Links, Scope},
};

use super::{
    apply::{Applied, same},
    control::{Guard, Message, RootIndex, Snapshot},
    enumerate::Candidates,
    fault::{Point, Shortcut},
    files::View,
};
use crate::root::Kind;

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

/// What a search wants of an index.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'r> {
    /// Which files it is about.
    pub(crate) scope: &'r Scope,
    /// Files larger than this are not read, which has to be said.
    pub(crate) max_file_size_bytes: u64,
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

/// Permission, and what to go by.
pub(crate) struct Permit<'i> {
    pub(crate) view: Arc<View>,
    /// None: all files.
    pub(crate) candidates: Option<Candidates>,
    /// Ends what was lent to this call.
    pub(crate) loan: Option<Loan<'i>>,
}

/// COMPLETE was lent to one call; when that ends, so does it.
pub(crate) struct Loan<'i>(pub(super) &'i RootIndex);

impl Drop for Loan<'_> {
    fn drop(&mut self) {
        let mut control = self.0.control();
        // What is COMPLETE no more is lent to nobody.
        if control.status.state == State::Complete {
            control.tick(&[Trigger::CallEnded]);
        }
    }
}

/// What the state allows.
enum Standing {
    /// The watcher knows of everything.
    Watched,
    /// The call has to look at everything itself.
    Alone,
}

impl RootIndex {
    /// Whether a call may leave files out, and by what. The snapshot is of the state as the call found it.
    pub(crate) fn permit(
        &self,
        wanted: &Wanted<'_>,
        directory: &[u8],
        deadline: Instant,
    ) -> (Result<Permit<'_>, Bypass>, Snapshot) {
        self.last_call_ms.store(self.now_ms(), Ordering::Relaxed);
        let found = self.snapshot();
        if found.status.reasons.contains(Reason::ModeOff) {
            return (Err(Bypass::IndexOff), found);
        }
        let fits = wanted.scope.no_ignore == self.key.no_ignore
            && (!wanted.scope.hidden || self.key.hidden)
            && wanted.scope.links == Links::Skip;
        if !fits {
            return (Err(Bypass::OptionsDiffer), found);
        }
        if matches!(wanted.need, Wants::Resembling) {
            return (Err(Bypass::Fuzzy), found);
        }
        let need = match wanted.need {
            Wants::Holding(need) => match need(self.key.fold, self.key.tokens.ngram) {
                Need::Nothing => return (Err(Bypass::PatternNeedsNothing), found),
                need => Some(need),
            },
            Wants::Resembling | Wants::Names => None,
        };
        let permit = self.ask(wanted, directory, need.as_ref(), deadline);
        let mut shown = self.snapshot();
        if permit.is_ok() {
            // What was believed, whatever has happened to it since.
            shown.status.state = State::Complete;
            // The system is not touched here: there is no error to be taken for its own.
            let _ = self.options.faults.at(Point::Permitted);
        }
        (permit, shown)
    }

    fn ask(
        &self,
        wanted: &Wanted<'_>,
        directory: &[u8],
        need: Option<&Need>,
        deadline: Instant,
    ) -> Result<Permit<'_>, Bypass> {
        // Without the lock first: a build holds nobody up.
        let status = self.snapshot().status;
        if !matches!(status.state, State::Complete | State::Uncertain) {
            self.count_call();
            return Err(Bypass::IndexUnavailable);
        }
        let Some(mut control) = self.control_in_time() else {
            self.tell_later(Message::LockTimedOut);
            return Err(Bypass::LockTimeout);
        };
        control.calls_since_check += 1;
        control.dormant = false;
        match standing(&control) {
            None => Err(Bypass::IndexUnavailable),
            Some(Standing::Watched) => {
                let view = self.watched(&mut control, directory, deadline)?;
                drop(control);
                let candidates = need.map(|need| self.candidates(&view, need, wanted, true)).transpose()?;
                Ok(Permit { view, candidates, loan: None })
            }
            Some(Standing::Alone) => match need {
                Some(need) => self.alone(control, wanted, directory, need, deadline),
                // Looking at everything to learn names is what the walker does.
                None => Err(Bypass::ScanIsCheaper),
            },
        }
    }

    /// Counts a call that the index cannot serve: enough of them, and a small tree is counted again; a dormant index wakes.
    fn count_call(&self) {
        if let Some(mut control) = self.control_in_time() {
            control.calls_since_counting += 1;
            control.dormant = false;
        }
    }

    /// A message without waiting for the lock that could not be had.
    fn tell_later(&self, message: Message) {
        if let Some(mut control) = self.control_in_time()
            && !control.messages.contains(&message)
        {
            control.messages.push_back(message);
        }
    }

    /// With a live watcher: everything written before this call is known, and applied.
    fn watched(
        &self,
        control: &mut Guard<'_>,
        directory: &[u8],
        deadline: Instant,
    ) -> Result<Arc<View>, Bypass> {
        let mut triggers = vec![Trigger::IndexAccessed];
        control.check_ground(&mut triggers);
        control.read_watcher(true, &mut triggers);
        let renamed = control.queue_changes(self, true, &mut triggers);
        self.probe_troubles(control);
        let mut late = false;
        if !control.queue.is_empty() && triggers.len() == 1 {
            let left = deadline.saturating_duration_since(Instant::now());
            let left_ms = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
            let share = Duration::from_millis(budget::maintenance_ms(&self.settings, left_ms));
            match control.apply_queue(self, Some(Instant::now() + share)) {
                Applied::All => {
                    control.budget_misses = 0;
                    triggers.push(if renamed { Trigger::RenameApplied } else { Trigger::DirtyUpdateApplied });
                }
                Applied::Late => {
                    late = true;
                    control.budget_misses += 1;
                    triggers.extend([Trigger::ChangesQueued, Trigger::MaintenanceOverBudget]);
                    if control.budget_misses >= 3 {
                        triggers.push(Trigger::BudgetsExhaustedRepeatedly);
                    }
                }
                Applied::Hiding => triggers.push(Trigger::EnumerationFailed),
            }
        } else if !control.queue.is_empty() {
            triggers.push(Trigger::ChangesQueued);
        }
        let step = control.tick(&triggers);
        // What was applied is left to be tokenized and stored.
        if triggers.len() > 1 {
            self.wake();
        }
        if !step.may_exclude {
            return Err(if late { Bypass::MaintBudget } else { Bypass::IndexUnavailable });
        }
        if !directory.is_empty() && !control.directories.contains_key(directory) {
            return Err(Bypass::PathNotIndexed);
        }
        above_is_readable(control, directory)?;
        Ok(control.files.view())
    }

    /// A place that could not be looked at, and now can, is a change that no event may have told of (E-C27).
    fn probe_troubles(&self, control: &mut Guard<'_>) {
        if control.files.troubles().is_empty() {
            return;
        }
        let Ok(root) = self.ground.open() else { return };
        let changed: Vec<Vec<u8>> = control
            .files
            .troubles()
            .iter()
            .filter(|trouble| {
                let path = trouble.path.strip_prefix(&self.ground.root).map(crate::root::path_bytes);
                let Ok(path) = path else { return false };
                let now = match root.stat(&path).map(|stat| stat.kind) {
                    Ok(Kind::Dir) => root.list(&path, false).err(),
                    Ok(Kind::File) => root.open_file(&path).err(),
                    Ok(_) => None,
                    Err(err) => Some(err),
                };
                // An ignore file's message is its own; that it still cannot be read is enough.
                now.is_none_or(|err| err.kind() != io::ErrorKind::PermissionDenied)
            })
            .map(|trouble| trouble.at.clone())
            .collect();
        for path in changed {
            control.queue.push(&path, DirtyKind::Subtree);
        }
    }

    /// The files that may match.
    fn candidates(
        &self,
        view: &View,
        need: &Need,
        wanted: &Wanted<'_>,
        watched: bool,
    ) -> Result<Candidates, Bypass> {
        let mut candidates = self.by_filters(view, need).map_err(|fault| self.bypass_for(&fault))?;
        let cap = wanted.max_file_size_bytes;
        let segments = std::iter::once(&view.base).chain(view.deltas.iter());
        let sets = std::iter::once(&mut candidates.base).chain(&mut candidates.deltas);
        for (segment, set) in segments.zip(sets) {
            // What is too large has to be said (docs/search.md, section 6).
            if segment.largest > cap {
                for rank in
                    (0..segment.catalog.len()).filter(|rank| segment.catalog.fingerprint(*rank).size > cap)
                {
                    set.insert(rank);
                }
            }
            if !watched {
                for rank in (0..segment.catalog.len()).filter(|rank| segment.catalog.is_racy(*rank)) {
                    set.insert(rank);
                }
            }
        }
        if watched {
            self.look_at_linked(view, &mut candidates);
        }
        Ok(candidates)
    }

    pub(super) fn by_filters(&self, view: &View, need: &Need) -> Result<Candidates, Fault> {
        Ok(Candidates {
            base: view.base.candidates(need, &self.key)?,
            deltas: view
                .deltas
                .iter()
                .map(|delta| delta.candidates(need, &self.key))
                .collect::<Result<_, _>>()?,
        })
    }

    fn bypass_for(&self, fault: &Fault) -> Bypass {
        match fault {
            Fault::Busy => {
                self.tell(Message::LockTimedOut);
                Bypass::LockTimeout
            }
            Fault::Gone => {
                self.tell(Message::Reload);
                Bypass::IndexUnavailable
            }
            Fault::Malformed(_) | Fault::Unreadable(_) => {
                self.control().tick(&[Trigger::IntegrityFailed]);
                self.wake();
                Bypass::IndexFault
            }
        }
    }

    /// Files with more than one link are looked at before they are excluded: a change by another name raises no event here.
    fn look_at_linked(&self, view: &View, candidates: &mut Candidates) {
        if self.skips(Shortcut::HardLinks) {
            return;
        }
        let Ok(root) = self.ground.open() else { return };
        let mut changed: Vec<(Vec<u8>, Option<Fingerprint>)> = Vec::new();
        let segments = std::iter::once(&view.base).chain(view.deltas.iter());
        let sets = std::iter::once(&mut candidates.base).chain(&mut candidates.deltas);
        for (at, (segment, set)) in segments.zip(sets).enumerate() {
            for &rank in segment.linked.iter().filter(|rank| at > 0 || !view.dead.contains(**rank)) {
                if set.contains(rank) {
                    continue;
                }
                let path = segment.catalog.path(rank);
                let now = root.stat(path).ok().map(|stat| stat.fingerprint);
                if now.is_none_or(|now| !same(self, segment.catalog.fingerprint(rank), now)) {
                    set.insert(rank);
                    changed.push((path.to_vec(), now));
                }
            }
        }
        if changed.is_empty() {
            return;
        }
        let mut control = self.control();
        for (path, _) in changed {
            control.queue.push(&path, DirtyKind::File);
        }
        // Otherwise something else has overtaken it, after which everything is looked at again.
        if control.status.state == State::Complete {
            control.tick(&[Trigger::FingerprintMismatched]);
        }
        drop(control);
        self.wake();
    }

    /// An answer showed that something was excluded wrongly: nothing stored is believed any more (E-G10).
    pub(crate) fn distrust(&self) {
        self.tell(Message::Broken);
    }
}

/// What the state allows, if anything.
fn standing(control: &Guard<'_>) -> Option<Standing> {
    let status = control.status;
    match status.state {
        State::Complete if status.watcher_live && !status.lent && !control.remote => Some(Standing::Watched),
        State::Complete if status.lent || control.remote => Some(Standing::Alone),
        State::Uncertain if !status.watcher_live && !status.reasons.contains(Reason::BuildBudgetExceeded) => {
            Some(Standing::Alone)
        }
        _ => None,
    }
}

/// The walker reports unreadable ignore files above a search root; the catalog has them elsewhere.
pub(super) fn above_is_readable(control: &Guard<'_>, directory: &[u8]) -> Result<(), Bypass> {
    let above = |at: &[u8]| at.is_empty() || directory.starts_with(&[at, b"/"].concat());
    if !directory.is_empty() && control.files.troubles().iter().any(|trouble| above(&trouble.at)) {
        return Err(Bypass::PathNotIndexed);
    }
    Ok(())
}
