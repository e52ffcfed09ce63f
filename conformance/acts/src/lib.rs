//! Ways to change a file that no safe crate offers.
