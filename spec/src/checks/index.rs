//! Consistency of the index's files.

use std::collections::BTreeSet;

use super::Scope;
use crate::index::{Index, files};
use crate::place::{At, Finding};
use crate::specification::Spec;

/// The ids of each namespace.
pub(super) fn scopes(index: &Index) -> Vec<Scope<'_>> {
    let machine = &index.machine;
    let mut states = Scope::new("state");
    for state in &machine.states {
        states.add(files::MACHINE, state.id.value.name(), &state.id);
    }
    vec![
        states,
        Scope::new("reason")
            .add_all(files::MACHINE, machine.reasons.iter().map(|reason| &reason.id)),
        Scope::new("action")
            .add_all(files::MACHINE, machine.actions.iter().map(|action| &action.id)),
        Scope::new("trigger").add_all(
            files::TRANSITIONS,
            index.transitions.triggers.iter().map(|trigger| &trigger.id),
        ),
        Scope::new("change")
            .add_all(files::CHANGES, index.changes.changes.iter().map(|change| &change.id)),
        Scope::new("field of `stats`")
            .add_all(files::STATS, index.stats.all().map(|field| &field.name)),
        Scope::new("limit of the index").add_all(files::DECISIONS, index.decisions.keys()),
    ]
}

/// References to reasons, actions, classes and keys.
pub(super) fn references(spec: &Spec, findings: &mut Vec<Finding>) {
    let index = &spec.index;
    let mut unknown = |file: &str, what: &str, name: &str, line: u64| {
        findings.push(Finding {
            file: file.to_owned(),
            line,
            message: format!("there is no {what} `{name}`"),
        });
    };
    let line = |name: &At<String>| name.line;
    let classes: BTreeSet<u8> =
        index.machine.classes.iter().map(|class| class.class.value).collect();
    for trigger in &index.transitions.triggers {
        if !classes.contains(&trigger.class.value) {
            let name = trigger.class.value.to_string();
            unknown(files::TRANSITIONS, "class", &name, trigger.class.line);
        }
    }
    for (_, row) in index.transitions.rows() {
        for reason in
            row.adds.iter().chain(&row.resolves).filter(|name| index.reason(&name.value).is_none())
        {
            unknown(files::TRANSITIONS, "reason", &reason.value, line(reason));
        }
        for action in row.actions.iter().filter(|name| index.action(&name.value).is_none()) {
            unknown(files::TRANSITIONS, "action", &action.value, line(action));
        }
    }
    let rows = index.transitions.rows().map(|(_, row)| (files::TRANSITIONS, &row.when));
    let duties = index.machine.duties.iter().map(|duty| (files::MACHINE, &duty.when));
    for (file, condition) in
        rows.chain(duties).flat_map(|(file, when)| when.iter().map(move |one| (file, one)))
    {
        if let Some(reason) = condition.value.reason()
            && index.reason(reason).is_none()
        {
            unknown(file, "reason", reason, condition.line);
        }
    }
    for key in index.decisions.keys().filter(|key| index.configuration.key(&key.value).is_none()) {
        unknown(files::DECISIONS, "configuration key of the index", &key.value, line(key));
    }
}
