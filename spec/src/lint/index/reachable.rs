//! Cells that are called unreachable exist, are named once, and have a reason.

use std::collections::BTreeSet;

use crate::index::{Index, files};
use crate::place::Finding;

/// A reason shorter than this, in bytes, is none.
const SHORTEST: usize = 25;

pub(super) fn lint(index: &Index, findings: &mut Vec<Finding>) {
    let mut seen = BTreeSet::new();
    for row in &index.reachable.unreachable {
        let trigger = &row.trigger.value;
        let mut found = |line: u64, message: String| {
            findings.push(Finding { file: files::REACHABLE.to_owned(), line, message });
        };
        let line = row.trigger.referenced.line();
        if !index.transitions.triggers.iter().any(|known| known.id.value == *trigger) {
            found(line, format!("there is no trigger `{trigger}`"));
        }
        if row.because.trim().len() < SHORTEST {
            found(line, format!("`{trigger}` is called unreachable without a reason"));
        }
        for state in &row.states {
            if !seen.insert((trigger.clone(), state.value)) {
                let name = state.value.name();
                found(state.referenced.line(), format!("`{trigger}` in {name} is called unreachable twice"));
            }
        }
    }
}
