#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! The search service without IO: the meaning of requests, decided on data in memory.
//!
//! All functions are pure: no files, clock, threads or environment. `forge-search-engine` walks
//! trees, reads files, runs backends, and calls this crate for each decision: whether a request is
//! valid ([`request`]), which lines match ([`pattern`], [`fuzzy`], [`scan`]), which paths are
//! eligible ([`glob`], [`ignore_rules`]), their order ([`order`]), where an answer ends
//! ([`collect`]), its text ([`content`], [`response`]), and which files the index excludes
//! ([`index`]).

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod agent;
pub mod budget;
pub mod cancellation;
pub mod collect;
pub mod content;
pub mod error;
pub mod fuzzy;
pub mod git_config;
pub mod glob;
pub mod identifier;
pub mod ignore_rules;
pub mod index;
pub mod order;
pub mod pattern;
pub mod rate_limit;
pub mod reading;
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
