//! The model held against the service, case by case.
//!
//! A [`subject`] is the service over one backend, and answers with an [`observation`]. The model's
//! answer is [`expected`], by [`tool`]; both are held against each other by [`compare`]. A
//! divergence is made small by [`shrink`] and shown by [`report`]. [`mutants`] tells whether wrong
//! tables would be noticed.

#![allow(
    missing_docs,
    reason = "the harness alone builds on it, and a name often says all there is"
)]

pub mod budget;
pub mod compare;
pub mod coverage;
pub mod expected;
pub mod judge;
pub mod mutants;
pub mod observation;
pub mod report;
pub mod shrink;
pub mod subject;
pub mod subjects;
pub mod tool;
pub mod windows;
