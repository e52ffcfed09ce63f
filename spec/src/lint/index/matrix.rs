//! Checks of the matrix: every trigger has exactly one row for every status, in a valid order.

use std::collections::BTreeSet;

use crate::index::{Condition, Index, Next, Row, StateId, Trigger, files};
use crate::place::{At, Finding};
use crate::specification::Spec;

pub(super) fn lint(spec: &Spec, findings: &mut Vec<Finding>) {
    let index = &spec.index;
    vocabulary(index, findings);
    for trigger in &index.transitions.triggers {
        cells(trigger, findings);
        for row in &trigger.rows {
            shape(trigger, row, findings);
        }
    }
    classes(index, findings);
    actions(index, findings);
    duties(index, findings);
    documented(spec, findings);
}

/// States are in the order of cells, and severity names each of them once.
fn vocabulary(index: &Index, findings: &mut Vec<Finding>) {
    let machine = &index.machine;
    for (state, expected) in machine.states.iter().zip(StateId::ALL) {
        if state.id.value != *expected {
            let message = format!(
                "`{}` stands where the cells have `{}`",
                state.id.value.name(),
                expected.name()
            );
            findings.push(Finding::at(files::MACHINE, &state.id, message));
        }
    }
    let given: BTreeSet<StateId> = machine.states.iter().map(|state| state.id.value).collect();
    for missing in StateId::ALL.iter().filter(|state| !given.contains(state)) {
        findings
            .push(Finding::of(files::MACHINE, format!("there is no state `{}`", missing.name())));
    }
    let letters: BTreeSet<char> = machine.states.iter().map(|state| state.letter).collect();
    if letters.len() != machine.states.len() {
        findings.push(Finding::of(files::MACHINE, "two states have one letter".to_owned()));
    }
    let mut ranked = BTreeSet::new();
    for state in &machine.severity.order {
        if !ranked.insert(state.value) {
            let message =
                format!("`{}` has two places in the order of severity", state.value.name());
            findings.push(Finding::at(files::MACHINE, state, message));
        }
    }
    for missing in StateId::ALL.iter().filter(|state| !ranked.contains(state)) {
        let message = format!("`{}` has no place in the order of severity", missing.name());
        findings.push(Finding::of(files::MACHINE, message));
    }
    for (class, expected) in machine.classes.iter().zip(1..) {
        if class.class.value != expected {
            let message = "classes are numbered from 1 without gap".to_owned();
            findings.push(Finding::at(files::MACHINE, &class.class, message));
        }
    }
}

/// Every row of a state counts: only the last is unconditional, and conditions differ.
fn cells(trigger: &Trigger, findings: &mut Vec<Finding>) {
    for state in StateId::ALL {
        let rows: Vec<&Row> = trigger.cell(*state).collect();
        let cell = format!("`{}` in {}", trigger.id.value, state.name());
        let mut seen = BTreeSet::new();
        for (row, after) in rows.iter().zip((0..rows.len()).rev()) {
            let guard: BTreeSet<&Condition> =
                row.when.iter().map(|condition| &condition.value).collect();
            let message = if guard.is_empty() && after > 0 {
                format!("a row for {cell} always holds, so that those after it never count")
            } else if seen.insert(guard) {
                continue;
            } else {
                format!("two rows for {cell} hold under the same conditions")
            };
            findings.push(Finding::at(files::TRANSITIONS, &row.next, message));
        }
    }
}

/// A row has an effect, and one that proposes nothing has nothing that only a winner does.
fn shape(trigger: &Trigger, row: &Row, findings: &mut Vec<Finding>) {
    let name = &trigger.id.value;
    let mut wrong =
        |message: String| findings.push(Finding::at(files::TRANSITIONS, &row.next, message));
    if repeats(&row.states) {
        wrong(format!("a row of `{name}` names a state twice"));
    }
    if row.next.value.state().is_none() && !row.resolves.is_empty() {
        wrong(format!("a row of `{name}` proposes nothing and yet resolves something"));
    }
    if row.is_idle() {
        wrong(format!("a row of `{name}` says nothing, as holds without it"));
    }
    let bare = row.adds.is_empty() && row.effects.is_empty() && row.actions.is_empty();
    if row.next.value == Next::Impossible && !bare {
        wrong(format!("a row of `{name}` is impossible and yet does something"));
    }
    let repeated =
        repeats(&row.adds) || repeats(&row.resolves) || repeats(&row.effects) || repeats(&row.when);
    if repeated || repeats(&row.actions) {
        wrong(format!("a row of `{name}` says something twice"));
    }
}

fn repeats<'a, T: Ord + 'a>(all: impl IntoIterator<Item = &'a At<T>>) -> bool {
    let mut seen = BTreeSet::new();
    !all.into_iter().all(|one| seen.insert(&one.value))
}

/// The order of triggers is also an order of their classes.
fn classes(index: &Index, findings: &mut Vec<Finding>) {
    for pair in index.transitions.triggers.windows(2) {
        if let [before, after] = pair
            && before.class.value > after.class.value
        {
            let message = format!(
                "`{}` stands after `{}` and is of a class before",
                after.id.value, before.id.value
            );
            findings.push(Finding::at(files::TRANSITIONS, &after.class, message));
        }
    }
}

/// Some row requests every action.
fn actions(index: &Index, findings: &mut Vec<Finding>) {
    let rows = index.transitions.rows();
    let asked: BTreeSet<&str> =
        rows.flat_map(|(_, row)| &row.actions).map(|name| &*name.value).collect();
    for action in index.machine.actions.iter().filter(|action| !asked.contains(&*action.id.value)) {
        let message = format!("no row asks for `{}`", action.id.value);
        findings.push(Finding::at(files::MACHINE, &action.id, message));
    }
}

/// Every state has a duty under all conditions.
fn duties(index: &Index, findings: &mut Vec<Finding>) {
    for state in StateId::ALL {
        let rows: Vec<_> = index
            .machine
            .duties
            .iter()
            .filter(|duty| duty.states.iter().any(|named| named.value == *state))
            .collect();
        let Some((last, before)) = rows.split_last() else {
            findings.push(Finding::of(files::MACHINE, format!("{} has no duty", state.name())));
            continue;
        };
        if !last.when.is_empty() {
            let message = format!("the last duty of {} holds only under a condition", state.name());
            findings.push(Finding::at(files::MACHINE, &last.duty, message));
        }
        for duty in before.iter().filter(|duty| duty.when.is_empty()) {
            let message = format!(
                "a duty of {} always holds, so that those after it never count",
                state.name()
            );
            findings.push(Finding::at(files::MACHINE, &duty.duty, message));
        }
    }
}

/// Every row of the documents' table has its trigger, and triggers beyond it are numbered without
/// gap.
fn documented(spec: &Spec, findings: &mut Vec<Finding>) {
    let triggers = &spec.index.transitions.triggers;
    let named: BTreeSet<&str> =
        triggers.iter().flat_map(|trigger| &trigger.ids).map(|id| &*id.value).collect();
    let rows =
        spec.documents.iter().flat_map(|document| &document.requirements).map(|row| &*row.id.value);
    let rows: BTreeSet<&str> = rows.filter(|id| id.starts_with("TT-")).collect();
    for missing in rows.difference(&named) {
        findings.push(Finding::of(files::TRANSITIONS, format!("no trigger is `{missing}`")));
    }
    let ours: BTreeSet<&str> = named.iter().copied().filter(|id| id.starts_with("M-")).collect();
    let expected: BTreeSet<String> =
        (1..=ours.len()).map(|number| format!("M-{number:02}")).collect();
    for trigger in triggers {
        if trigger.ids.is_empty() {
            let message =
                format!("`{}` has no id in the documents' table or beside it", trigger.id.value);
            findings.push(Finding::at(files::TRANSITIONS, &trigger.id, message));
        }
        for id in trigger
            .ids
            .iter()
            .filter(|id| !rows.contains(&*id.value) && !expected.contains(&id.value))
        {
            let message = format!(
                "`{}` is no row of the documents' table and not the next of those it lacks",
                id.value
            );
            findings.push(Finding::at(files::TRANSITIONS, id, message));
        }
    }
}
