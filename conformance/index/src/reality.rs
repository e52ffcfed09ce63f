//! The actual coverage of the index, derived from events alone.
//!
//! Responsible for: following, beside a status, whether every change since the last proof was seen,
//! and comparing COMPLETE and the permission to exclude with it. This is a third account of the
//! machine: it has no reasons, rows or precedence, only the meaning of events, the winning one, and
//! actions (docs/claims.md, sections 6 and 7). Not here: the two readings (`pair`), rules about
//! single ticks (`invariants`). Invariants: a change that may have been missed counts as missed, so
//! COMPLETE holds here at most as often as it is true; the result does not depend on the number of
//! threads.

use std::panic::resume_unwind;
use std::thread::{self, ScopedJoinHandle};

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

/// A status with what is really so.
type Place = (Status, Reality);

/// How a place was first reached.
#[derive(Debug, Clone, Copy)]
struct Reached {
    place: Place,
    /// Index of the place before it.
    before: usize,
    /// Index of the set of triggers between the two.
    set: usize,
}

/// What part of a level leads to.
#[derive(Debug, Default)]
struct Expanded {
    /// New places, each once.
    reached: Vec<Reached>,
    /// What is belied first, and by which tick.
    belied: Option<(&'static str, usize, usize)>,
}

/// Follows every status and reality that sets of up to `size` triggers lead to; returns how many
/// there are, how many ticks were run, and the first claim that is belied, by the fewest ticks.
pub(crate) fn follow(
    machine: &Machine<'_>,
    triggers: &[Trigger],
    size: usize,
    threads: usize,
) -> (usize, u64, Option<FalseClaim>) {
    let sets = sets(triggers, size);
    let start = (Status::start(), Reality::default());
    let mut known: FxHashSet<Place> = FxHashSet::default();
    known.insert(start);
    let mut trail = vec![Reached { place: start, before: 0, set: 0 }];
    let mut begin = 0;
    while let Some(level) = trail.get(begin..).filter(|level| !level.is_empty()) {
        let size = level.len().div_ceil(threads.max(1));
        let (sets, seen) = (&sets, &known);
        let expanded: Vec<Expanded> = thread::scope(|scope| {
            let parts = (begin..).step_by(size).zip(level.chunks(size));
            let parts: Vec<_> = parts
                .map(|(first, part)| scope.spawn(move || expand(machine, sets, part, first, seen)))
                .collect();
            let expanded = parts.into_iter().map(ScopedJoinHandle::join);
            expanded.map(|part| part.unwrap_or_else(|panic| resume_unwind(panic))).collect()
        });
        begin = trail.len();
        for Expanded { reached, belied } in expanded {
            trail.extend(reached.into_iter().filter(|reached| known.insert(reached.place)));
            if let Some((what, place, set)) = belied {
                let ticks = path(&trail, place).into_iter().chain([set]);
                let ticks = ticks.filter_map(|set| sets.get(set).cloned()).collect();
                let run = place * sets.len() + set + 1;
                return (known.len(), run as u64, Some(FalseClaim { what, ticks }));
            }
        }
        // Those of one status beside each other, so that the machine is asked once for them.
        if let Some(level) = trail.get_mut(begin..) {
            level.sort_unstable_by_key(|reached| reached.place);
        }
    }
    (known.len(), (trail.len() * sets.len()) as u64, None)
}

/// Every tick from places that stand beside each other, the first at index `first`, up to one that
/// belies a claim.
fn expand(
    machine: &Machine<'_>,
    sets: &[Vec<Trigger>],
    places: &[Reached],
    first: usize,
    known: &FxHashSet<Place>,
) -> Expanded {
    let mut expanded = Expanded::default();
    let mut seen: FxHashSet<Place> = FxHashSet::default();
    let (mut asked, mut outcomes) = (None, Vec::new());
    for (before, Reached { place: (status, reality), .. }) in (first..).zip(places) {
        if asked != Some(*status) {
            outcomes = sets.iter().map(|set| machine.step(*status, set)).collect();
            asked = Some(*status);
        }
        for (at, (set, outcome)) in sets.iter().zip(&outcomes).enumerate() {
            let after = reality.after(*status, set, outcome);
            if let Some(what) = after.belied(set, outcome) {
                expanded.belied = Some((what, before, at));
                return expanded;
            }
            let place = (outcome.status, after);
            if !known.contains(&place) && seen.insert(place) {
                expanded.reached.push(Reached { place, before, set: at });
            }
        }
    }
    expanded
}

/// The sets of triggers that lead to a place, by their indices.
fn path(trail: &[Reached], place: usize) -> Vec<usize> {
    let mut sets = Vec::new();
    let mut place = place;
    while place > 0 {
        let Some(reached) = trail.get(place) else { break };
        sets.push(reached.set);
        place = reached.before;
    }
    sets.reverse();
    sets
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

#[cfg(test)]
mod tests {
    use touchstone_model::generated::index::INDEX;
    use touchstone_model::index::tables::{MachineTables, TriggerRow};

    use super::*;

    fn all(machine: &MachineTables<'_>, threads: usize) -> (usize, u64, Option<FalseClaim>) {
        let triggers: Vec<Trigger> = machine.triggers.iter().map(|row| row.trigger).collect();
        follow(&Machine::new(machine), &triggers, 1, threads)
    }

    #[test]
    fn places_and_ticks_do_not_depend_on_threads() {
        let (places, ticks, belied) = all(&INDEX.machine, 1);
        assert!(belied.is_none() && places > 5_000, "{places} {belied:?}");
        assert_eq!(ticks, places as u64 * INDEX.machine.triggers.len() as u64);
        for threads in [2, 3, 8] {
            let (others, run, belied) = all(&INDEX.machine, threads);
            assert_eq!((others, run, belied.is_none()), (places, ticks, true), "{threads}");
        }
    }

    #[test]
    fn a_stopped_watcher_that_leaves_complete_is_belied_by_its_ticks_on_any_threads() {
        let mut rows: Vec<TriggerRow<'_>> = INDEX.machine.triggers.to_vec();
        for row in rows.iter_mut().filter(|row| row.trigger == Trigger::WatcherStopped) {
            let complete = State::ALL.iter().position(|state| *state == State::Complete);
            row.cells[complete.unwrap()] = &[];
        }
        let tables = MachineTables { triggers: &rows, ..INDEX.machine };
        let (places, ticks, belied) = all(&tables, 1);
        let claim = belied.unwrap();
        assert_eq!(claim.ticks.last().unwrap(), &[Trigger::WatcherStopped]);
        let machine = Machine::new(&tables);
        let last = claim.ticks.iter().fold((Status::start(), Reality::default()), |place, set| {
            let outcome = machine.step(place.0, set);
            (outcome.status, place.1.after(place.0, set, &outcome))
        });
        assert!(last.0.state == State::Complete && !last.1.watched, "{:?}", claim.ticks);
        for threads in [2, 3, 8] {
            let (others, run, other) = all(&tables, threads);
            assert_eq!((others, run, other.unwrap().ticks), (places, ticks, claim.ticks.clone()));
        }
    }
}
