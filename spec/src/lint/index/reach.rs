//! Checks that every state and every reason can be reached from ABSENT, and be left.

use std::collections::BTreeSet;

use crate::index::{Condition, Index, Reason, ReasonKind, Row, StateId, Trigger, Way, files};
use crate::place::Finding;

pub(super) fn lint(index: &Index, findings: &mut Vec<Finding>) {
    let reached = Reached::from_absent(index);
    for state in
        index.machine.states.iter().filter(|state| !reached.states.contains(&state.id.value))
    {
        let message = format!("no sequence of triggers leads to `{}`", state.id.value.name());
        findings.push(Finding::at(files::MACHINE, &state.id, message));
    }
    for reason in &index.machine.reasons {
        let id = &reason.id;
        let mut wrong = |message: String| findings.push(Finding::at(files::MACHINE, id, message));
        match reason.kind {
            ReasonKind::Statistic => {
                if !reason.recovered_by.is_empty() {
                    wrong(format!("`{}` is a statistic and needs no recovery", id.value));
                }
                continue;
            }
            _ if !reached.reasons.contains(&*id.value) => {
                wrong(format!("no sequence of triggers adds `{}`", id.value));
            }
            _ => {}
        }
        if reason.recovered_by.is_empty() {
            wrong(format!("nothing recovers from `{}`", id.value));
        }
        for way in &reason.recovered_by {
            if !index.transitions.rows().any(|(trigger, row)| recovers(reason, *way, trigger, row))
            {
                wrong(format!("no row recovers from `{}` by `{}`", id.value, way.name()));
            }
        }
    }
}

/// Whether a row is a recovery that the reason names.
fn recovers(reason: &Reason, way: Way, trigger: &Trigger, row: &Row) -> bool {
    let names_way = trigger.way.as_ref().is_some_and(|named| named.value == way);
    let asks =
        row.when.iter().any(|condition| condition.value == Condition::Has(reason.id.value.clone()));
    let leaves = row.is_for(StateId::Disabled)
        && row.next.value.state().is_some_and(|next| next != StateId::Disabled);
    let resolves = row.resolves.iter().any(|resolved| resolved.value == reason.id.value);
    names_way
        && match reason.kind {
            ReasonKind::Uncertain => resolves,
            ReasonKind::Disabled => leaves && (asks || row.when.is_empty()),
            ReasonKind::Statistic => false,
        }
}

/// What can be reached. A row counts as possible once its state and required reasons are; other
/// conditions are assumed.
struct Reached<'a> {
    states: BTreeSet<StateId>,
    reasons: BTreeSet<&'a str>,
}

impl<'a> Reached<'a> {
    fn from_absent(index: &'a Index) -> Self {
        let mut reached =
            Self { states: BTreeSet::from([StateId::Absent]), reasons: BTreeSet::new() };
        loop {
            let before = (reached.states.len(), reached.reasons.len());
            for (_, row) in index.transitions.rows() {
                if reached.allows(row) {
                    reached.states.extend(row.next.value.state());
                    reached.reasons.extend(row.adds.iter().map(|id| &*id.value));
                }
            }
            if before == (reached.states.len(), reached.reasons.len()) {
                return reached;
            }
        }
    }

    fn allows(&self, row: &Row) -> bool {
        let asked = |condition: &Condition| match condition {
            Condition::Has(reason) | Condition::Only(reason) => self.reasons.contains(&**reason),
            _ => true,
        };
        row.states.iter().any(|state| self.states.contains(&state.value))
            && row.when.iter().all(|condition| asked(&condition.value))
    }
}
