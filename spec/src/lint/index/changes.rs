//! Every change states how it becomes known, which edit makes it, and why.

use std::collections::BTreeSet;

use crate::index::{Changes, PromiseId, ProofId, files};
use crate::place::{At, Finding};

/// Least length of a reason in bytes.
const SHORTEST: usize = 25;

pub(super) fn lint(changes: &Changes, findings: &mut Vec<Finding>) {
    let mut acts = BTreeSet::new();
    for row in &changes.changes {
        let id = &row.id.value;
        let mut found = |at: &At<String>, message: String| {
            findings.push(Finding::at(files::CHANGES, at, message));
        };
        if row.because.trim().len() < SHORTEST {
            found(&row.id, format!("`{id}` has no reason"));
        }
        if row.objects.is_empty() || row.changes.is_empty() {
            found(&row.id, format!("`{id}` changes nothing"));
        }
        match (row.promise, row.proof.is_empty()) {
            (PromiseId::NotPromised, false) => {
                found(&row.id, format!("`{id}` is proved and not promised"));
            }
            (PromiseId::Promised | PromiseId::Detected, true) => {
                found(&row.id, format!("nothing proves `{id}`"));
            }
            _ => {}
        }
        let by_event =
            [ProofId::Events, ProofId::Cookie, ProofId::Close, ProofId::UnknownName].iter();
        let by_event = by_event.filter(|proof| row.proof.contains(proof)).count() > 0;
        if by_event && row.events.is_empty() {
            found(&row.id, format!("`{id}` is proved by an event and raises none"));
        }
        if row.promise == PromiseId::Promised && !by_event {
            found(&row.id, format!("no event proves `{id}`, so that it is `detected`"));
        }
        let untried = row.untried.as_ref().map(|reason| reason.trim().len());
        match (row.acts.is_empty(), untried) {
            (false, Some(_)) => found(&row.id, format!("`{id}` is tried and is not")),
            (true, None) if row.promise != PromiseId::NotPromised => {
                found(&row.id, format!("no act tries `{id}`, and nothing says why"));
            }
            (true, Some(length)) if length < SHORTEST => {
                found(&row.id, format!("`{id}` is not tried for no reason"));
            }
            _ => {}
        }
        for act in &row.acts {
            if !acts.insert(act.value.clone()) {
                found(act, format!("the act `{}` stands in two rows", act.value));
            }
        }
    }
}
