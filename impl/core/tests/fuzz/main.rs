//! Parsers of foreign bytes, given bytes that nobody would write: what is accepted stays within
//! its bounds, what is written is read back, and nothing ends the program.
//!
//! Each test asks for a fixed number of inputs, drawn anew on each run. A failure prints a smaller
//! input and a seed; `BOLERO_RANDOM_SEED=...` asks it again. What was found is kept as a test of
//! its own, beside the parser or here.

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
