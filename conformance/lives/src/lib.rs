//! The index held against its model.
//!
//! [`index_model`] compares the two readings by enumeration; [`index_live`] takes the real index
//! through lives of edits, searches, faults and restarts.

#![allow(
    missing_docs,
    reason = "the harness alone builds on it, and a name often says all there is"
)]

pub mod index_live;
pub mod index_model;
