//! Cases of the conformance harness: what one is, where it comes from, and how it becomes files.
//!
//! A [`case`] is a question with everything it depends on. It is drawn ([`generate`]), stored
//! ([`golden`]), or written by hand, and put on the disk by [`materialise`]. What holds cases
//! against the service or another program stands in the packages above.

#![allow(
    missing_docs,
    reason = "the harness alone builds on it, and a name often says all there is"
)]

pub mod as_written;
pub mod backend;
pub mod case;
pub mod dice;
pub mod embedded;
pub mod escapes;
pub mod family;
pub mod generate;
pub mod golden;
pub mod materialise;
pub mod place;
mod privilege;
pub mod raw;
pub mod script;
pub mod xml;
