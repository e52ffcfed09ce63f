//! Changes that no input can show, each with the reason.
//!
//! Invariants: the list is closed. A change that is noticed after all, or that does not exist, fails the run.

/// Names of changes, and why nothing can notice them.
pub(super) const EQUIVALENT: &[(&str, &str)] = &[];
