//! What remembers something: the dirty queue, and the settling of watcher events.
//!
//! Responsible for: drawn sequences of calls to both queues and both debouncers, compared after
//! every call; and the queue's limit, which is too large for the model to be taken there. Not here:
//! decisions without a memory (`decisions`). Invariants: paths are few, so that they lie below each
//! other and come again; a sequence that differs is cut down to as few calls as show it.

use forge_search_core::index::debounce::{self, Debouncer, RawEvent};
use forge_search_core::index::queue::{DirtyKind, DirtyQueue as Theirs};
use touchstone_cases::dice::Dice;
use touchstone_model::index::decisions::{
    Change, Debouncer as ModelDebouncer, DirtyQueue, Entry, Event, Kind,
};
use touchstone_model::index::tables::DecisionTables;

use super::same;
use super::{AreaReport, Extent};

const PATHS: [&str; 10] = ["", "a", "a/b", "a/b/c", "a/bc", "a.x", "ab", "b", "b/a", "A"];

/// Calls of one sequence, at most.
const LONGEST: usize = 24;

#[derive(Debug, Clone, Copy)]
enum QueueCall {
    Push(&'static str, Kind),
    /// Remembers the mark of this moment.
    Mark,
    ClearOlder,
    /// Remembers what is queued at this moment.
    HandOut,
    /// Clears every n-th of what was handed out.
    ClearApplied(usize),
    Clear,
}

/// Holds the queues against each other.
pub(crate) fn queue(
    tables: &DecisionTables<'_>,
    extent: Extent,
    checked: &mut AreaReport,
) -> Result<(), String> {
    for number in 0..u64::from(extent.drawn) {
        let mut dice = Dice::new(extent.seed ^ 0x9e, number);
        let calls: Vec<QueueCall> = (0..=dice.below(LONGEST)).map(|_| queued(&mut dice)).collect();
        checked.cases += calls.len() as u64;
        if queues_differ(tables, &calls).is_err() {
            let calls = fewest(calls, &|calls| queues_differ(tables, calls).is_err());
            return queues_differ(tables, &calls)
                .map_err(|told| format!("calls       {calls:?}\n{told}"));
        }
    }
    checked.fact(format!("{} sequences of calls to the queue", extent.drawn));
    full(tables, checked)
}

fn queued(dice: &mut Dice) -> QueueCall {
    match dice.below(12) {
        0 => QueueCall::Mark,
        1 => QueueCall::ClearOlder,
        2 => QueueCall::HandOut,
        3 => QueueCall::ClearApplied(1 + dice.below(2)),
        4 if dice.once_in(4) => QueueCall::Clear,
        5 => QueueCall::Push(dice.pick(&PATHS, "a"), Kind::Subtree),
        _ => QueueCall::Push(dice.pick(&PATHS, "a"), Kind::File),
    }
}

fn queues_differ(tables: &DecisionTables<'_>, calls: &[QueueCall]) -> Result<(), String> {
    let mut ours = DirtyQueue::new(tables);
    let mut theirs = Theirs::new();
    let (mut our_mark, mut their_mark) = (0, 0);
    let (mut our_part, mut their_part) = (Vec::new(), Vec::new());
    for call in calls {
        match *call {
            QueueCall::Push(path, kind) => {
                ours.queue(path.as_bytes(), kind);
                let kind = if kind == Kind::Subtree { DirtyKind::Subtree } else { DirtyKind::File };
                theirs.push(path.as_bytes(), kind);
            }
            QueueCall::Mark => (our_mark, their_mark) = (ours.mark(), theirs.mark()),
            QueueCall::ClearOlder => {
                ours.clear_older(our_mark);
                let newer = theirs.clear_older(their_mark);
                same("is something newer left?", &!ours.entries().is_empty(), &newer)?;
            }
            QueueCall::HandOut => (our_part, their_part) = (ours.entries(), theirs.ordered()),
            QueueCall::ClearApplied(step) => {
                let applied: Vec<Entry> = our_part.iter().step_by(step).cloned().collect();
                ours.clear_applied(&applied);
                for entry in their_part.iter().step_by(step) {
                    theirs.clear_applied(&entry.path, entry.generation);
                }
            }
            QueueCall::Clear => {
                ours.clear();
                theirs.clear();
            }
        }
        let text = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
        // The model counts from 0, production from 1; neither number is seen outside.
        let model: Vec<_> = ours
            .entries()
            .iter()
            .map(|entry| {
                (
                    text(&entry.path),
                    entry.kind == Kind::Subtree,
                    entry.number + 1,
                    entry.generation + 1,
                )
            })
            .collect();
        let production: Vec<_> = theirs
            .ordered()
            .iter()
            .map(|entry| {
                (text(&entry.path), entry.kind == DirtyKind::Subtree, entry.first, entry.generation)
            })
            .collect();
        same("what is queued (path, subtree, number, generation)?", &model, &production)?;
    }
    Ok(())
}

/// Production's queue at the limit that the tables state.
fn full(tables: &DecisionTables<'_>, checked: &mut AreaReport) -> Result<(), String> {
    let mut queue = Theirs::new();
    // A limit far from production's need not be walked to.
    for number in 0..tables.queue_limit.min(1_000_000) {
        queue.push(format!("f{number}").as_bytes(), DirtyKind::File);
    }
    let limit = usize::try_from(tables.queue_limit).unwrap_or(usize::MAX);
    same("how many entries at the limit?", &limit, &queue.len())?;
    queue.push(b"f0", DirtyKind::File);
    same("how many when one of them comes again?", &limit, &queue.len())?;
    queue.push(b"one more", DirtyKind::File);
    let left: Vec<_> = queue.ordered().into_iter().map(|entry| (entry.path, entry.kind)).collect();
    checked.cases += tables.queue_limit;
    checked.fact(format!("the queue with {limit} entries, and with one more"));
    same("what is left when one more comes?", &vec![(Vec::new(), DirtyKind::Subtree)], &left)
}

/// A call to the debouncers.
#[derive(Debug, Clone)]
enum DebounceCall {
    Push(Event, u64),
    Drain(u64),
    DrainAll,
}

/// Holds the debouncers against each other. Renames of which half is unknown have no place in the
/// model.
pub(crate) fn settling(extent: Extent, checked: &mut AreaReport) -> Result<(), String> {
    for number in 0..u64::from(extent.drawn) {
        let mut dice = Dice::new(extent.seed ^ 0x005e_771e, number);
        let mut now = 0;
        let calls: Vec<DebounceCall> =
            (0..=dice.below(LONGEST)).map(|_| settled(&mut dice, &mut now)).collect();
        checked.cases += calls.len() as u64;
        if debouncers_differ(&calls).is_err() {
            let calls = fewest(calls, &|calls| debouncers_differ(calls).is_err());
            return debouncers_differ(&calls)
                .map_err(|told| format!("calls       {calls:?}\n{told}"));
        }
    }
    checked.fact(format!("{} sequences of calls to the debouncers", extent.drawn));
    Ok(())
}

fn settled(dice: &mut Dice, now: &mut u64) -> DebounceCall {
    *now += dice.pick(&[0, 0, 1, 5, 9, 10, 11], 0);
    let path = |dice: &mut Dice| dice.pick(&["a", "b", "c", "b/d"], "a").as_bytes().to_vec();
    match dice.below(12) {
        0 => DebounceCall::DrainAll,
        1 | 2 => DebounceCall::Drain(*now),
        3 if dice.once_in(3) => DebounceCall::Push(Event::Overflow, *now),
        4 | 5 => DebounceCall::Push(Event::Removed(path(dice)), *now),
        6 | 7 => DebounceCall::Push(Event::Renamed { from: path(dice), to: path(dice) }, *now),
        _ => DebounceCall::Push(Event::Changed(path(dice)), *now),
    }
}

fn debouncers_differ(calls: &[DebounceCall]) -> Result<(), String> {
    let debounce_ms = 10;
    let mut ours = ModelDebouncer::new(debounce_ms);
    let mut theirs = Debouncer::new(debounce_ms);
    for call in calls {
        let (model, production) = match call {
            DebounceCall::Push(event, at) => {
                ours.push(event.clone(), *at);
                theirs.push(raw(event), *at);
                continue;
            }
            DebounceCall::Drain(now) => (ours.drain(*now), theirs.drain(*now)),
            DebounceCall::DrainAll => (ours.drain_all(), theirs.drain_all()),
        };
        let production: Vec<Change> = production.into_iter().filter_map(change).collect();
        same("what has settled?", &model, &production)?;
    }
    Ok(())
}

fn raw(event: &Event) -> RawEvent {
    match event.clone() {
        Event::Changed(path) => RawEvent::Written(path),
        Event::Removed(path) => RawEvent::Removed(path),
        Event::Renamed { from, to } => RawEvent::Renamed { from, to },
        Event::Overflow => RawEvent::Overflow,
    }
}

fn change(change: debounce::Change) -> Option<Change> {
    match change {
        debounce::Change::Changed(path) => Some(Change::Changed(path)),
        debounce::Change::Removed(path) => Some(Change::Removed(path)),
        debounce::Change::Renamed { from, to } => Some(Change::Renamed { from, to }),
        debounce::Change::Unclear(_) => None,
        debounce::Change::Overflow => Some(Change::Overflow),
    }
}

/// The sequence without every call that is not needed.
fn fewest<T: Clone>(calls: Vec<T>, fails: &dyn Fn(&[T]) -> bool) -> Vec<T> {
    let mut calls = calls;
    let mut place = 0;
    while place < calls.len() {
        let mut without = calls.clone();
        without.remove(place);
        if fails(&without) {
            calls = without;
        } else {
            place += 1;
        }
    }
    calls
}
