//! Cases drawn at random, biased towards the traps that searchers fall into.
//!
//! Responsible for: one generator per noun. Not here: counting what came out
//! (`touchstone_lockstep::coverage`), running the cases (`touchstone::gate`) and making a failing
//! one small (`touchstone_lockstep::shrink`): the generators' own shrinking is not used, since a
//! stored case is shrunk as a value, wherever it came from. Invariants: trees and alphabets are
//! small, so that things collide and match often.

mod above;
pub mod agent;
pub mod case;
pub mod config;
pub mod edges;
mod examples;
pub mod expression;
pub mod fault;
pub mod files;
pub mod glob;
pub mod keyword;
pub mod many;
mod named;
pub mod pattern;
pub mod request;
pub mod text;
pub mod tree;

pub use case::{Generator, Mix};

#[cfg(test)]
mod tests;
