//! Changes that no case can show, each with the reason.
//!
//! Invariants: the list is closed. A change that is noticed after all, or that does not exist, fails the run.

use super::Equivalent;

const ONE_PROBLEM: &str = "no entry has two problems at one place, so that messages never decide";

/// Names of changes, and why nothing can notice them.
pub(super) const EQUIVALENT: Equivalent = &[
    ("order problems: without entry 2", ONE_PROBLEM),
    ("order problems: entry 2 turned round", ONE_PROBLEM),
    ("order problems: entry 2 in the other form", ONE_PROBLEM),
];
