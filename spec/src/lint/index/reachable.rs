//! Checks of unreachable cells: they exist, are named once, have a reason, and include the
//! impossible ones.

use std::collections::BTreeSet;

use crate::index::{Index, Next, files};
use crate::place::Finding;

/// Least length of a reason in bytes.
const SHORTEST: usize = 25;

pub(super) fn lint(index: &Index, findings: &mut Vec<Finding>) {
    let mut seen = BTreeSet::new();
    for row in &index.reachable.unreachable {
        let trigger = &row.trigger.value;
        let mut found = |line: u64, message: String| {
            findings.push(Finding { file: files::REACHABLE.to_owned(), line, message });
        };
        let line = row.trigger.line;
        if !index.transitions.triggers.iter().any(|known| known.id.value == *trigger) {
            found(line, format!("there is no trigger `{trigger}`"));
        }
        if row.because.trim().len() < SHORTEST {
            found(line, format!("`{trigger}` is called unreachable without a reason"));
        }
        for state in &row.states {
            if !seen.insert((trigger.clone(), state.value)) {
                let name = state.value.name();
                found(state.line, format!("`{trigger}` in {name} is called unreachable twice"));
            }
        }
    }
    for (trigger, row) in
        index.transitions.rows().filter(|(_, row)| row.next.value == Next::Impossible)
    {
        let named = |state| seen.contains(&(trigger.id.value.clone(), state));
        for state in row.states.iter().filter(|state| !named(state.value)) {
            let name = state.value.name();
            let message = format!(
                "`{}` is impossible in {name}, and not called unreachable",
                trigger.id.value
            );
            findings.push(Finding::at(files::TRANSITIONS, state, message));
        }
    }
}
