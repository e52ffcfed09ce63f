//! Changes that no case can show, each with the reason.
//!
//! Invariants: the list is closed. A change that is noticed after all, or that does not exist,
//! fails the run.

use super::Equivalent;

const ONE_PROBLEM: &str = "no entry has two problems at one place, so that messages never decide";

const APART: &str = "they count different things, at different times";
const ONE_EACH: &str =
    "each match counts as one, so that all behind the first are left out either way";
const ONE_END: &str = "an answer ends at one cap, so that it never has both notes";
const NO_FAILURE: &str =
    "the model knows of no backend that fails, so that no answer of its has the note";

/// Names of changes, and why nothing can notice them.
pub(super) const EQUIVALENT: Equivalent = &[
    ("order problems: without entry 2", ONE_PROBLEM),
    ("order problems: entry 2 turned round", ONE_PROBLEM),
    ("order problems: entry 2 in the other form", ONE_PROBLEM),
    ("caps of Search: entries 2 and 3 exchanged", APART),
    ("caps of Search: entries 3 and 4 exchanged", APART),
    ("caps of search_files: entries 2 and 3 exchanged", APART),
    ("caps of search_files: entries 3 and 4 exchanged", APART),
    ("caps of search_files: entry 3 then Skip", ONE_EACH),
    ("caps of the agent's tools: entries 2 and 3 exchanged", APART),
    ("caps of the agent's tools: entries 3 and 4 exchanged", APART),
    ("notes: entries 3 and 4 exchanged", ONE_END),
    ("notes: entries 4 and 5 exchanged", ONE_END),
    ("notes: entries 9 and 10 exchanged", NO_FAILURE),
    ("notes: without entry 10", NO_FAILURE),
    ("notes: entry 10 truncates or not", NO_FAILURE),
];
