//! The subjects.
//!
//! Responsible for: one room per kind of subject. [`forge`] is the production service, run inside a
//! worker process; [`sabotage`] simulates production bugs around it, run in the parent. Not here:
//! processes and trees (`touchstone::runner`, `touchstone::worker`); programs on their own
//! (`touchstone_hunt`).

pub mod forge;
pub mod sabotage;
