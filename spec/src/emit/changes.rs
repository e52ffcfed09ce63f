//! `docs/tables/changes.md`: changes of files, and what the index knows of them.

use std::fmt::Write as _;

use super::pages::{cite, code, page, table};
use crate::index::{Change, PromiseId};
use crate::specification::Spec;

/// What is not promised comes first, since callers look for that.
const PARTS: [(PromiseId, &str, &str); 3] = [
    (
        PromiseId::NotPromised,
        "Not promised",
        "A call that begins after one of these may answer as if it had not happened.",
    ),
    (
        PromiseId::Detected,
        "Detected",
        "inotify reports nothing to the tree, or not enough. Every call looks for these itself.",
    ),
    (
        PromiseId::Promised,
        "Promised",
        "An event reports these to a call before it excludes a file.",
    ),
];

/// All rows, by promise.
pub(super) fn changes(spec: &Spec) -> String {
    let mut out = page("The index: what changes what a path reads", "`spec/index/changes.yaml`");
    out.push_str(
        "\nThe system calls by which a process can change which files lie below a root, what they \
         hold, or what decides that they are searched. `events` is what inotify reports to the \
         watched directory of the tree. `acts` are the edits of the suite `index` that make the \
         change; a row without acts says why. All of this holds while the index is COMPLETE and \
         watched; in every other state nothing is excluded, or each call compares the tree itself.\n",
    );
    for (promise, title, meaning) in PARTS {
        let _ = writeln!(out, "\n## {title}\n\n{meaning}");
        let rows = spec.index.changes.changes.iter().filter(|row| row.promise == promise);
        table(
            &mut out,
            &["id", "call", "of", "changes", "events", "proof", "because", "acts", "clauses"],
            rows.map(cells),
        );
    }
    out
}

fn cells(row: &Change) -> Vec<String> {
    let list = |names: Vec<&str>| names.join(", ").replace('_', " ");
    vec![
        code(&row.id.value),
        row.call.clone(),
        list(row.objects.iter().map(|object| object.value.name()).collect()),
        list(row.changes.iter().map(|changed| changed.name()).collect()),
        if row.events.is_empty() { "none".to_owned() } else { row.events.join(", ") },
        list(row.proof.iter().map(|proof| proof.name()).collect()),
        row.because.clone(),
        acts(row),
        cite(&row.clauses),
    ]
}

fn acts(row: &Change) -> String {
    match &row.untried {
        Some(reason) => format!("none: {reason}"),
        None => row.acts.iter().map(|act| code(&act.value)).collect::<Vec<_>>().join(", "),
    }
}
