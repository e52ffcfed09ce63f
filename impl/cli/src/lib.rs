#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! What the program shares with what tests it: strict reading of JSON, and the protocol that it
//! speaks to agents.

pub mod json;
pub mod mcp;

#[cfg(test)]
#[path = "../../core/tests/fuzz/soup.rs"]
mod soup;
