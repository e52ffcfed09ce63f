#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! The pure half of the search service: what a request means, decided on data already in hand.
//!
//! Everything here is a function of its arguments: no files, no clock, no threads, no environment.
//! The neighbour above, `forge-search-engine`, walks trees, reads files, runs backends and calls in
//! here for each decision: is this request acceptable ([`request`]), which lines match
//! ([`pattern`], [`fuzzy`], [`scan`]), is this path eligible ([`glob`], [`ignore_rules`]), in which
//! order ([`order`]), where does the answer end ([`collect`]), how does it read ([`content`],
//! [`response`]), and may a file be left out unread ([`index`]).

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod agent;
pub mod budget;
pub mod cancellation;
pub mod collect;
pub mod content;
pub mod error;
pub mod fuzzy;
pub mod glob;
pub mod ignore_rules;
pub mod index;
pub mod order;
pub mod pattern;
pub mod rate_limit;
pub mod request;
pub mod response;
pub mod scan;
pub mod scope;
pub mod search_files;
pub mod similarity;
pub mod text;
pub mod tool;

pub use error::{ErrorClass, ToolError};
pub use request::{Limits, Request};
pub use response::{Event, Response};
