//! Checks of the index's files.
//!
//! The matrix is total with one row per case (`matrix`), nothing reaches COMPLETE without proof of
//! coverage (`safety`), every state and reason can be reached and left (`reach`), and the other
//! tables are consistent (`tables`, `vectors`).

mod changes;
mod matrix;
mod reach;
mod reachable;
mod safety;
mod tables;
mod vectors;

use crate::place::Finding;
use crate::specification::Spec;

pub(super) fn lint(spec: &Spec, findings: &mut Vec<Finding>) {
    matrix::lint(spec, findings);
    safety::lint(&spec.index, findings);
    reach::lint(&spec.index, findings);
    reachable::lint(&spec.index, findings);
    changes::lint(&spec.index.changes, findings);
    tables::lint(spec, findings);
    vectors::lint(&spec.index, findings);
}

#[cfg(test)]
mod tests;
