//! The subjects.
//!
//! Responsible for: one room per kind of subject. [`forge`] is the production service, run inside a worker process;
//! [`sabotage`] simulates production bugs around it, run in the parent.
//! Left to neighbours: processes and trees ([`crate::runner`], [`crate::worker`]). Bare backends, a later part, get
//! a room here each.

pub mod forge;
pub mod sabotage;
