//! Fuzz tests of parsers of foreign bytes: accepted input stays within its bounds, written output
//! is read back, and nothing panics.
//!
//! Each test draws a fixed number of new inputs on each run. A failure prints a smaller input and a
//! seed for `BOLERO_RANDOM_SEED=...`. Findings are kept as tests of their own, beside the parser or
//! here.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that fails says so by panicking"
)]

mod globs;
mod ignore_files;
mod patterns;
mod replies;
mod soup;
mod stored_rows;
