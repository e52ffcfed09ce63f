#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! What the program shares with what tests it: the protocol that it speaks to agents.

pub mod mcp;

#[cfg(test)]
#[path = "../../core/tests/fuzz/soup.rs"]
#[expect(dead_code, reason = "its texts are for the tests of the engine")]
mod soup;
