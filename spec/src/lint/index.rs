//! Whether what the specification says about the index can be built and trusted.
//!
//! Responsible for: the matrix is total and says one thing per cell (`matrix`), nothing reaches
//! COMPLETE without having shown
//! coverage (`safety`), every state and reason can be reached and left (`reach`), and the other
//! tables keep their own
//! promises (`tables`, `vectors`).
//! Left to neighbours: references between the files, which the loader refuses (`checks`); what a
//! tick makes of the
//! rows (the model).

mod changes;
mod matrix;
mod reach;
mod reachable;
mod safety;
mod tables;
mod vectors;

use crate::load::Spec;
use crate::place::Finding;

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
