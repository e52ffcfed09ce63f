//! The actual coverage of the index, derived from events alone.
//!
//! Responsible for: following, beside a status, whether every change since the last proof was seen,
//! and comparing COMPLETE and the permission to exclude with it. This is a third account of the
//! machine: it has no reasons, rows or precedence, only the meaning of events, the winning one, and
//! actions (docs/claims.md, sections 6 and 7). Not here: the two readings (`pair`), rules about
//! single ticks (`invariants`). Invariants: a change that may have been missed counts as missed, so
//! COMPLETE holds here at most as often as it is true.

use rustc_hash::FxHashSet;
use touchstone_model::index::machine::{Machine, Outcome, Scan, Status};
use touchstone_model::index::tables::{Action, State, Trigger};

/// The actual state of files, catalog and watcher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, and small enough to be enumerated"
)]
pub(crate) struct Reality {
    /// Every change is reported.
    watched: bool,
    /// Every file is in the catalog as it is, or reported since.
    covered: bool,
    /// A build ended before it had seen every file.
    partial: bool,
    /// Something that was reported could not be applied. What is only queued is no matter: each
    /// call sees to it first.
    pending: bool,
    /// All that was built so far, by the build under way or interrupted, is as it is, or reported
    /// since.
    built: bool,
    /// A reconcile scan is under way; whether all that it has passed is as it is, or reported
    /// since.
    scanned: Option<bool>,
}

/// Events by which changes may be missed, or rules may change, without any report.
const MISSING: [Trigger; 7] = [
    Trigger::WatcherOverflowed,
    Trigger::WatcherOverflowedInBuild,
    Trigger::WatcherStopped,
    Trigger::EligibilityChanged,
    Trigger::PolicyChanged,
    Trigger::EnumerationFailed,
    Trigger::RenameAmbiguous,
];

impl Reality {
    /// The state after a tick.
    pub(crate) fn after(self, before: Status, triggers: &[Trigger], outcome: &Outcome) -> Self {
        let came = |trigger: Trigger| triggers.contains(&trigger);
        let state = outcome.status.state;
        let stopped = [Trigger::WatcherStopped, Trigger::ProcessStarted, Trigger::KeyChanged]
            .into_iter()
            .any(came)
            || outcome.actions.contains(Action::StopWatchers)
            || state == State::Disabled;
        let watched = !stopped && (came(Trigger::WatcherStarted) || self.watched);
        let doubt = MISSING.into_iter().any(came);
        let missed = doubt || !watched || !self.watched;

        let mut now = Self { watched, ..self };
        now.covered &= !missed;
        now.built &= !missed;
        now.scanned = now.scanned.map(|sound| sound && !missed);
        // What was applied is pending no longer; what could not be applied in the same tick is.
        now.pending &= !came(Trigger::QueueDrained);
        now.scans(before, came);
        now.builds(before, came);
        now.pending |= came(Trigger::WriteRolledBack) || came(Trigger::DirtyUpdateFailed);
        now.pending |= came(Trigger::RenameNotApplied) && before.state == State::Complete;
        // A store of unknown history. One that is opened during a build is the one being built.
        now.covered &= !came(Trigger::IndexOpened) || before.state == State::Building;

        if matches!(state, State::Absent | State::Corrupt | State::Disabled) {
            return Self { watched, ..Self::default() };
        }
        let began = |triggers: [Trigger; 2]| {
            outcome.winner.is_some_and(|winner| triggers.contains(&winner))
        };
        if began([Trigger::BuildStarted, Trigger::RebuildRequested]) {
            // It begins after the tick, and with everything, so that what was missed until now is
            // no matter.
            return Self { watched, built: watched, ..Self::default() };
        }
        if began([Trigger::CheckpointFound, Trigger::BuildResumed]) {
            // The tree was not watched since an earlier process built it.
            now.built &= before.state != State::Absent;
            (now.covered, now.scanned) = (false, None);
        }
        if came(Trigger::ReconcileStarted)
            && before.scan == Scan::None
            && outcome.status.scan != Scan::None
        {
            now.scanned = Some(watched && !doubt);
        }
        now
    }

    /// A scan that ends, if one is under way.
    fn scans(&mut self, before: Status, came: impl Fn(Trigger) -> bool) {
        let ended =
            came(Trigger::ReconcileCompleted) || came(Trigger::ReconcileCompletedWithChanges);
        if ended && self.scanned == Some(true) && before.state != State::Building {
            // It indexes what is missing, too: an enumeration that fails leaves a part of a build
            // to it.
            (self.covered, self.built, self.partial, self.pending) = (true, true, false, false);
        }
        if ended || came(Trigger::ReconcileOverBudget) {
            self.scanned = None;
        }
    }

    /// A build that ends, if one is under way.
    fn builds(&mut self, before: Status, came: impl Fn(Trigger) -> bool) {
        if before.state != State::Building {
            return;
        }
        if came(Trigger::BuildCompleted) || came(Trigger::BuildCompletedWithChanges) {
            (self.covered, self.partial, self.pending) = (self.built, false, false);
        }
        self.partial |= came(Trigger::BuildOverBudget);
    }

    /// The false claim of a tick, if any.
    pub(crate) fn belied(self, triggers: &[Trigger], outcome: &Outcome) -> Option<&'static str> {
        let status = outcome.status;
        let whole = self.covered && !self.partial && !self.pending && self.watched;
        if status.state == State::Complete && !status.lent && !whole {
            return Some("COMPLETE, and something may have been missed");
        }
        // The call that has just looked at everything itself needs no watcher.
        let own = triggers.contains(&Trigger::CallVerified)
            && !triggers.iter().any(|trigger| MISSING.contains(trigger));
        if outcome.may_exclude && !whole && !own {
            return Some("exclusion, and something may have been missed");
        }
        None
    }
}

/// A false claim with its trace.
#[derive(Debug, Clone)]
pub(crate) struct FalseClaim {
    /// What is claimed.
    pub(crate) what: &'static str,
    /// The ticks that lead there, each a set of triggers.
    pub(crate) ticks: Vec<Vec<Trigger>>,
}

/// Follows every status and reality that sets of up to `size` triggers lead to; returns how many
/// there are, how many ticks were run, and the first claim that is belied, by the fewest ticks.
pub(crate) fn follow(
    machine: &Machine<'_>,
    triggers: &[Trigger],
    size: usize,
) -> (usize, u64, Option<FalseClaim>) {
    let mut known: FxHashSet<(Status, Reality)> = FxHashSet::default();
    let start = (Status::start(), Reality::default());
    known.insert(start);
    // Each with the place of the one before it, and the triggers between them.
    let mut trail: Vec<((Status, Reality), usize, Vec<Trigger>)> = vec![(start, 0, Vec::new())];
    let sets = sets(triggers, size);
    let (mut place, mut ticks) = (0, 0_u64);
    while let Some(((status, reality), ..)) = trail.get(place).cloned() {
        for set in &sets {
            let outcome = machine.step(status, set);
            let after = reality.after(status, set, &outcome);
            ticks += 1;
            if let Some(what) = after.belied(set, &outcome) {
                let ticks_there = led(&trail, place).into_iter().chain([set.clone()]).collect();
                return (known.len(), ticks, Some(FalseClaim { what, ticks: ticks_there }));
            }
            let next = (outcome.status, after);
            if known.insert(next) {
                trail.push((next, place, set.clone()));
            }
        }
        place += 1;
    }
    (known.len(), ticks, None)
}

/// The ticks that lead to a place.
fn led(trail: &[((Status, Reality), usize, Vec<Trigger>)], place: usize) -> Vec<Vec<Trigger>> {
    let mut ticks = Vec::new();
    let mut place = place;
    while place > 0 {
        let Some((_, before, set)) = trail.get(place) else { break };
        ticks.push(set.clone());
        place = *before;
    }
    ticks.reverse();
    ticks
}

/// Every set of one to `size` triggers, small ones first.
fn sets(triggers: &[Trigger], size: usize) -> Vec<Vec<Trigger>> {
    let mut all: Vec<Vec<Trigger>> = Vec::new();
    let mut last: Vec<(usize, Vec<Trigger>)> = vec![(0, Vec::new())];
    for _ in 0..size {
        last = last
            .iter()
            .flat_map(|(first, set)| {
                let further = triggers.iter().enumerate().skip(*first);
                further.map(move |(place, trigger)| {
                    (place + 1, [set.as_slice(), &[*trigger]].concat())
                })
            })
            .collect();
        all.extend(last.iter().map(|(_, set)| set.clone()));
    }
    all
}
