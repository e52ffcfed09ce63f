//! Released search programs held against the model.
//!
//! The [`hunt`] asks programs of others, judges their answers, makes wrong ones small and dates
//! them; [`provision`] finds or installs releases.

#![allow(
    missing_docs,
    reason = "the harness alone builds on it, and a name often says all there is"
)]

pub mod hunt;
pub mod provision;
