//! How the page looks and what it does: a style sheet and a script, both by hand and part of the
//! page.
//!
//! Invariants: nothing is fetched; colours follow the reader's light or dark; the script reads what
//! stands in the page and
//! never makes markup from text.

/// The style sheet.
pub(super) const STYLE: &str = include_str!("page.css");

/// The script.
pub(super) const SCRIPT: &str = include_str!("page.js");
