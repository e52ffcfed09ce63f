//! The agent's tools: what they share is here, one module for each part (docs/agent-tools.md,
//! sections 7 to 9).

mod explain;
pub(crate) mod keyword;
pub(crate) mod overlay;
mod ranked_page;
mod scanners;
pub(crate) mod searching;
pub(crate) mod tokens;
