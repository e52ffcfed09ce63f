//! The index's pure half: what it may claim, and when (`docs/index.md`).
//!
//! Responsible for: the state machine (`machine`), the grams of a file (`tokens`), its filters
//! (`filter`), when a literal excludes it
//! (`exclusion`), and the decisions that only need to be told the time (`decisions`).
//! Left to neighbours: every fact and figure (`tables`, written from the specification); files,
//! watchers, storage and threads, which are
//! nobody's here; the planner for regular expressions, which only production has.
//! Invariants: total functions of their arguments; what a table has a field for is read from the
//! table that was passed in, so a changed
//! table changes the answer.

pub mod decisions;
pub mod exclusion;
pub mod filter;
pub mod machine;
pub mod tables;
pub mod tokens;

#[cfg(test)]
mod tests;
