//! Changes of the lists around the transition table: severities, reasons, triggers, actions,
//! duties.
//!
//! Responsible for: every pair of severities and every pair of neighbours of the other lists in the
//! other order; every kind, class, name and flag changed; every duty changed, unguarded, moved or
//! left out. Not here: the rows (`cells`), whether a change is noticed (`kill`). Invariants: none
//! is left out.

use touchstone_model::index::tables::{ActionKind, Condition, ReasonKind, State};

use super::owned::Tables;
use super::{Mutant, Scope};
use crate::names::DUTIES;

/// All changes of all lists.
pub(super) fn all(tables: &Tables) -> Vec<Mutant> {
    [severities(tables), reasons(tables), triggers(tables), actions(tables), duties(tables)]
        .concat_mutants()
}

/// Puts lists of mutants behind one another.
trait Concat {
    fn concat_mutants(self) -> Vec<Mutant>;
}

impl<const N: usize> Concat for [Vec<Mutant>; N] {
    fn concat_mutants(self) -> Vec<Mutant> {
        self.into_iter().flatten().collect()
    }
}

fn mutant(
    name: String,
    scope: Scope,
    apply: impl Fn(&mut Tables) + Send + Sync + 'static,
) -> Mutant {
    Mutant { name, scope, apply: Box::new(apply) }
}

/// Exchanges two entries.
fn exchange<T>(list: &mut [T], one: usize, other: usize) {
    if one.max(other) < list.len() {
        list.swap(one, other);
    }
}

/// Changes an entry.
fn at<T>(list: &mut [T], place: usize, change: impl FnOnce(&mut T)) {
    if let Some(entry) = list.get_mut(place) {
        change(entry);
    }
}

fn severities(tables: &Tables) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for one in 0..tables.severity.len() {
        for other in one + 1..tables.severity.len() {
            let name = format!("severity: places {} and {} exchanged", one + 1, other + 1);
            mutants.push(mutant(name, Scope::Machine, move |tables| {
                exchange(&mut tables.severity, one, other);
            }));
        }
    }
    mutants
}

fn reasons(tables: &Tables) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, row) in tables.reasons.iter().enumerate() {
        let about = |what: &str| format!("reason {}: {what}", row.name);
        if place + 1 < tables.reasons.len() {
            let swap = move |tables: &mut Tables| exchange(&mut tables.reasons, place, place + 1);
            mutants.push(mutant(about("behind the next one"), Scope::Machine, swap));
        }
        let flip = move |tables: &mut Tables| {
            at(&mut tables.reasons, place, |row| row.disturbs = !row.disturbs);
        };
        mutants.push(mutant(about("disturbs"), Scope::Machine, flip));
        for kind in [ReasonKind::Uncertain, ReasonKind::Disabled, ReasonKind::Statistic] {
            if kind != row.kind {
                let change = move |tables: &mut Tables| {
                    at(&mut tables.reasons, place, |row| row.kind = kind);
                };
                mutants.push(mutant(about(&format!("kind {kind:?}")), Scope::Machine, change));
            }
        }
        let rename =
            move |tables: &mut Tables| at(&mut tables.reasons, place, |row| row.name = "ANOTHER");
        mutants.push(mutant(about("another name"), Scope::Machine, rename));
    }
    mutants
}

fn triggers(tables: &Tables) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, row) in tables.triggers.iter().enumerate() {
        let about = |what: &str| format!("trigger {}: {what}", row.name);
        if place + 1 < tables.triggers.len() {
            let swap = move |tables: &mut Tables| exchange(&mut tables.triggers, place, place + 1);
            mutants.push(mutant(about("behind the next one"), Scope::Both(place, place + 1), swap));
        }
        for class in [row.class - 1, row.class + 1] {
            let change =
                move |tables: &mut Tables| at(&mut tables.triggers, place, |row| row.class = class);
            mutants.push(mutant(about(&format!("class {class}")), Scope::Machine, change));
        }
        let rename =
            move |tables: &mut Tables| at(&mut tables.triggers, place, |row| row.name = "another");
        mutants.push(mutant(about("another name"), Scope::Machine, rename));
    }
    mutants
}

fn actions(tables: &Tables) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, row) in tables.actions.iter().enumerate() {
        let about = |what: &str| format!("action {}: {what}", row.name);
        if place + 1 < tables.actions.len() {
            let swap = move |tables: &mut Tables| exchange(&mut tables.actions, place, place + 1);
            mutants.push(mutant(about("behind the next one"), Scope::Machine, swap));
        }
        let kinds = [ActionKind::Additive, ActionKind::Owned, ActionKind::Proof];
        for other in kinds.into_iter().filter(|kind| *kind != row.kind) {
            let change =
                move |tables: &mut Tables| at(&mut tables.actions, place, |row| row.kind = other);
            mutants.push(mutant(about(&format!("kind {other:?}")), Scope::Machine, change));
        }
        let rename =
            move |tables: &mut Tables| at(&mut tables.actions, place, |row| row.name = "another");
        mutants.push(mutant(about("another name"), Scope::Machine, rename));
    }
    mutants
}

fn duties(tables: &Tables) -> Vec<Mutant> {
    let mut mutants = Vec::new();
    for (place, row) in tables.duties.iter().enumerate() {
        let about =
            |what: &str| format!("duty {}, {:?} in {:?}: {what}", place + 1, row.duty, row.state);
        for duty in DUTIES.into_iter().filter(|duty| *duty != row.duty) {
            let change =
                move |tables: &mut Tables| at(&mut tables.duties, place, |row| row.duty = duty);
            mutants.push(mutant(about(&format!("{duty:?}")), Scope::Statuses, change));
        }
        for state in State::ALL.into_iter().filter(|state| *state != row.state) {
            let change =
                move |tables: &mut Tables| at(&mut tables.duties, place, |row| row.state = state);
            mutants.push(mutant(about(&format!("in {state:?}")), Scope::Statuses, change));
        }
        for condition in row.guard.iter().copied() {
            let change = move |tables: &mut Tables| {
                at(&mut tables.duties, place, |row| row.guard.retain(|other| *other != condition));
            };
            mutants.push(mutant(about(&format!("without {condition:?}")), Scope::Statuses, change));
        }
        for condition in [Condition::WatcherDown, Condition::ScanUnderWay, Condition::ScanRunning] {
            if row.state == State::Uncertain && !row.guard.contains(&condition) {
                let change = move |tables: &mut Tables| {
                    at(&mut tables.duties, place, |row| row.guard.push(condition));
                };
                mutants.push(mutant(
                    about(&format!("with {condition:?}")),
                    Scope::Statuses,
                    change,
                ));
            }
        }
        let remove = move |tables: &mut Tables| {
            if place < tables.duties.len() {
                tables.duties.remove(place);
            }
        };
        mutants.push(mutant(about("removed"), Scope::Statuses, remove));
        if place + 1 < tables.duties.len() {
            let swap = move |tables: &mut Tables| exchange(&mut tables.duties, place, place + 1);
            mutants.push(mutant(about("behind the next one"), Scope::Statuses, swap));
        }
    }
    mutants
}
