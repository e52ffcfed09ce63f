//! The conformance harness: compares the executable model with the service and its backends.
//!
//! A [`case`] is a question with everything it depends on. The [`gate`] draws or reads cases, runs
//! every [`subject`] through the [`runner`], and [`compare`]s each answer with the model's. A
//! divergence is made small by [`shrink`], stored, and shown by [`report`]. [`records`] and
//! [`trace`] record which check verifies which clause.

#![allow(missing_docs, reason = "no other crate builds on it, and a name often says all there is")]

pub mod as_written;
pub mod assurance;
pub mod backend;
pub mod budget;
pub mod case;
pub mod cli;
pub mod compare;
pub mod coverage;
pub mod dice;
pub mod embedded;
pub mod escapes;
pub mod expected;
pub mod family;
pub mod gate;
pub mod generate;
pub mod golden;
pub mod hunt;
pub mod index_live;
pub mod index_model;
pub mod index_suites;
pub mod judge;
pub mod limit;
pub mod materialise;
pub mod mcp;
pub mod metamorphic;
pub mod mutants;
pub mod nfr;
pub mod observation;
pub mod place;
pub mod provision;
pub mod raw;
pub mod records;
pub mod report;
pub mod runner;
pub mod script;
pub mod shrink;
pub mod subject;
pub mod subjects;
pub mod tool;
pub mod trace;
pub mod windows;
pub mod worker;
pub mod xml;
