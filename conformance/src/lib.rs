//! The conformance harness: compares the executable model with the service and its backends.
//!
//! The [`gate`] draws or reads cases ([`case`]), has every [`subject`] answer them through the
//! [`runner`], and holds each answer against the model's ([`compare`]). A divergence is made small
//! by [`shrink`], stored, and shown by [`report`]. [`records`] and [`trace`] record which check
//! verifies which clause. The packages below are named through this one.

#![allow(missing_docs, reason = "no other crate builds on it, and a name often says all there is")]

pub mod assurance;
pub mod callers;
pub mod clause_texts;
pub mod cli;
pub mod gate;
pub mod golden_form;
pub mod index_suites;
pub mod limit;
pub mod mcp;
pub mod metamorphic;
pub mod nfr;
pub mod records;
pub mod review;
pub mod runner;
pub mod trace;
pub mod worker;

pub use touchstone_cases::{
    as_written, backend, case, dice, embedded, escapes, family, generate, golden, materialise,
    place, raw, script, xml,
};
pub use touchstone_hunt as hunt;
pub use touchstone_hunt::provision;
pub use touchstone_index as index_model;
pub use touchstone_lives as index_live;
pub use touchstone_lockstep::{
    budget, compare, coverage, expected, judge, mutants, observation, report, shrink, subject,
    subjects, tool, windows,
};
