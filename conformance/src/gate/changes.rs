//! Coverage of `spec/index/changes.yaml`: which changes of a tree occurred in which state.
//!
//! Responsible for: the table that `check --suite index` prints, and what a whole run must cover.
//! Not here: counting ([`crate::index_live::Tally`]). Invariants: an act without a system call here
//! is reported without failing, and so is one that the specification lists as untried.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use touchstone_spec::index::{Change, Changes, StateId};

use crate::index_live::Tally;

/// States in which calls exclude files, at once or after checking each.
const DEMANDED: [StateId; 2] = [StateId::Complete, StateId::Uncertain];

/// How often the acts of a row were applied to an object in a state.
fn walked(tally: &Tally, row: &Change, object: &str, state: StateId) -> u64 {
    let count = |act: &str| tally.changes.get(&format!("{act} on {object}"), state.name());
    row.acts.iter().map(|act| count(&act.value)).sum()
}

/// One line for each act on each kind of object: its counts by state.
pub(super) fn table(changes: &Changes, tally: &Tally) -> Vec<String> {
    let mut head = format!("{:<38}", "acts by states of the index");
    let mut lines = Vec::new();
    for state in StateId::ALL {
        // Writing to a string cannot fail.
        let _ = write!(head, "{:>10}", state.name());
    }
    lines.push(head);
    for row in changes.changes.iter().filter(|row| !row.acts.is_empty()) {
        for object in &row.objects {
            let object = object.value.name();
            let mut line = format!("  {:<36}", format!("{} on {object}", row.id.value));
            for state in StateId::ALL {
                let _ = write!(line, "{:>10}", walked(tally, row, object, *state));
            }
            lines.push(line);
        }
    }
    let unsupported: Vec<String> =
        tally.unsupported.iter().map(|(act, count)| format!("{act} {count}")).collect();
    if !unsupported.is_empty() {
        lines.push(format!("  refused by this system: {}", unsupported.join(", ")));
    }
    lines
}

/// Changes that are promised or detected, have acts, and did not occur. `mounts`: lives could
/// mount.
pub(super) fn unwalked(changes: &Changes, tally: &Tally, mounts: bool) -> Vec<String> {
    let done: BTreeSet<&str> = tally
        .changes
        .0
        .keys()
        .filter_map(|key| key.split_once(" on "))
        .map(|(act, _)| act)
        .collect();
    let mut missing = Vec::new();
    for row in changes.changes.iter().filter(|row| row.is_kept() && !row.acts.is_empty()) {
        let refused = |act: &str| tally.unsupported.contains_key(act) && !done.contains(act);
        let takes_mounts = row.proof.iter().any(|proof| proof.name() == "mount_table")
            || row.id.value == "copy_up";
        if row.acts.iter().all(|act| refused(&act.value)) || takes_mounts && !mounts {
            continue;
        }
        for object in row.objects.iter().map(|object| object.value.name()) {
            if object == "mount_point" && !mounts {
                continue;
            }
            for state in DEMANDED {
                if walked(tally, row, object, state) == 0 {
                    missing.push(format!("{} on {object} in {}", row.id.value, state.name()));
                }
            }
        }
    }
    missing
}
