//! The model of the index's decisions (`docs/claims.md`): state machine (`machine`), n-grams of a
//! file (`tokens`), filters (`filter`), exclusion by literals (`exclusion`), and decisions with
//! time as a parameter (`decisions`).
//!
//! All functions are total. Facts and figures come from `tables`, which is generated from the
//! specification, so a changed table changes the result. There is no planner for regular
//! expressions; only production has one.

pub mod decisions;
pub mod exclusion;
pub mod filter;
pub mod machine;
pub mod tables;
pub mod tokens;

#[cfg(test)]
mod tests;
