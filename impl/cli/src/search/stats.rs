//! `--stats`: figures about the search, as ripgrep prints them.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use forge_search_engine::listing::FileLines;

/// Sums over all files, and since when.
#[derive(Debug)]
pub(super) struct Totals {
    since: Instant,
    matches: u64,
    matched_lines: u64,
    with_match: u64,
    searched: u64,
    bytes_printed: u64,
    bytes_searched: u64,
    took: Duration,
    /// The file that is being read has a match.
    counted: bool,
}

impl Totals {
    pub(super) fn new() -> Self {
        Self {
            since: Instant::now(),
            matches: 0,
            matched_lines: 0,
            with_match: 0,
            searched: 0,
            bytes_printed: 0,
            bytes_searched: 0,
            took: Duration::ZERO,
            counted: false,
        }
    }

    /// Adds a file, or a part of one that is being read.
    pub(super) fn add(&mut self, file: &FileLines, is_whole: bool, printed: u64) {
        self.matches += file.matches;
        self.matched_lines += file.matched_lines;
        self.bytes_searched += file.bytes;
        self.bytes_printed += printed;
        self.took += file.elapsed;
        if file.matched_lines > 0 && !self.counted {
            self.with_match += 1;
            self.counted = true;
        }
        if is_whole {
            self.searched += 1;
            self.counted = false;
        }
    }

    pub(super) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\n{} matches", self.matches)?;
        writeln!(out, "{} matched lines", self.matched_lines)?;
        writeln!(out, "{} files contained matches", self.with_match)?;
        writeln!(out, "{} files searched", self.searched)?;
        writeln!(out, "{} bytes printed", self.bytes_printed)?;
        writeln!(out, "{} bytes searched", self.bytes_searched)?;
        writeln!(out, "{:.6} seconds spent searching", self.took.as_secs_f64())?;
        writeln!(out, "{:.6} seconds total", self.since.elapsed().as_secs_f64())
    }
}
