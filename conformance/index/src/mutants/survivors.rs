//! Changes that no input can show, each with the reason.
//!
//! Invariants: the list is closed. A change that is noticed after all, or that does not exist,
//! fails the run.

const UNWATCHED: &str = "the row takes the watcher down; CORRUPT leads to no state with reasons but BUILDING, and that is entered with WATCHER_DOWN then anyway";
const TAINTED: &str =
    "it only adds what is there already, and nothing that happens in BUILDING resolves it";
const NEVER_COMPLETE: &str =
    "the row adds a reason, so that COMPLETE is never reached by it, and a proof needs COMPLETE";
const LOAN: &str = "whoever leaves a lent COMPLETE for UNCERTAIN gets this reason by rule 3";
const OTHER_STATES: &str = "the two rows are for different states";
const NO_DUTY: &str = "the row says that there is no duty, as holds without it; and behind rows that always hold it never counts";
const NUMBERS: &str = "every entry has a number of its own, so that paths never decide";
const LEVELS: &str = "there are no more than four rising levels from 1 to 4";

/// Equivalent mutants, with reasons.
pub(super) const EQUIVALENT: &[(&str, &str)] = &[
    ("key_changed in Corrupt, row 1: adds with WatcherDown", UNWATCHED),
    ("watcher_stopped in Corrupt, row 1: adds with WatcherDown", UNWATCHED),
    ("process_started in Corrupt, row 1: adds with WatcherDown", UNWATCHED),
    ("write_rolled_back in Building, row 1: guard with Lacks(DirtyBacklog)", TAINTED),
    ("dirty_update_failed in Building, row 1: guard with Lacks(DirtyBacklog)", TAINTED),
    ("rename_not_applied in Building, row 1: guard with Lacks(DirtyBacklog)", TAINTED),
    ("build_completed_with_changes in Building, row 1: without BumpEpoch", NEVER_COMPLETE),
    ("reconcile_completed_with_changes in Uncertain, row 1: without BumpEpoch", NEVER_COMPLETE),
    ("call_ended in Complete, row 1: adds without WatcherDown", LOAN),
    ("duty 1, Build in Absent: behind the next one", OTHER_STATES),
    ("duty 2, Build in Corrupt: behind the next one", OTHER_STATES),
    ("duty 7, Reconcile in Uncertain: behind the next one", OTHER_STATES),
    ("duty 8, None in Building: behind the next one", OTHER_STATES),
    ("duty 9, None in Complete: behind the next one", OTHER_STATES),
    ("duty 8, None in Building: in Absent", NO_DUTY),
    ("duty 8, None in Building: in Complete", NO_DUTY),
    ("duty 8, None in Building: in Uncertain", NO_DUTY),
    ("duty 8, None in Building: in Corrupt", NO_DUTY),
    ("duty 8, None in Building: in Disabled", NO_DUTY),
    ("duty 8, None in Building: removed", NO_DUTY),
    ("duty 9, None in Complete: in Absent", NO_DUTY),
    ("duty 9, None in Complete: in Building", NO_DUTY),
    ("duty 9, None in Complete: in Uncertain", NO_DUTY),
    ("duty 9, None in Complete: in Corrupt", NO_DUTY),
    ("duty 9, None in Complete: in Disabled", NO_DUTY),
    ("duty 9, None in Complete: removed", NO_DUTY),
    ("duty 10, None in Disabled: in Absent", NO_DUTY),
    ("duty 10, None in Disabled: in Building", NO_DUTY),
    ("duty 10, None in Disabled: in Complete", NO_DUTY),
    ("duty 10, None in Disabled: in Uncertain", NO_DUTY),
    ("duty 10, None in Disabled: in Corrupt", NO_DUTY),
    ("duty 10, None in Disabled: removed", NO_DUTY),
    ("queue: without entry 2", NUMBERS),
    ("key fuzzy_fallback_levels: at most 5 entries", LEVELS),
];
