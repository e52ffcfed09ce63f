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
pub mod embedded;
