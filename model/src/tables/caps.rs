//! The types of the table of caps (`spec/truncation.yaml`). The values are generated into
//! [`crate::generated::truncation`]. The caps of a tool are in the order in which they count.

use super::Note;
use super::agent::Reason;
use super::files::Shortfall;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    pub search: &'static [Cap<Note>],
    pub search_files: &'static [Cap<Shortfall>],
    pub agent: &'static [Cap<Reason>],
    /// In addition to the caps of the agent's tools.
    pub keyword: &'static [Cap<&'static str>],
    /// Shortening of answers of `search_files`.
    pub length_files: LengthBudget<Shortfall>,
    /// Shortening of pages of the agent's tools.
    pub length_agent: LengthBudget<Reason>,
    /// Where a deadline may cut an answer of `Search`.
    pub deadline_search: Deadline<Note>,
    /// Where a deadline may cut an answer of `search_files`.
    pub deadline_files: Deadline<Shortfall>,
}

/// Shortening of answers that are too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LengthBudget<R> {
    /// What is removed, in order, each from its end.
    pub leaves_out: &'static [Part],
    pub reason: R,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Matches,
    Errors,
    Results,
}

/// Where a deadline may cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline<R> {
    /// Least number of scanned files.
    pub least: u64,
    /// The last file after which it may cut.
    pub up_to: UpTo,
    pub reason: R,
}

/// The last file after which a deadline may cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpTo {
    /// The last file processed to its end.
    Complete,
    /// The last scanned file.
    Scanned,
}

impl<R> Deadline<R> {
    /// Possible numbers of scanned files at the deadline, for an answer that without it scans
    /// `scanned` files, `complete` of them to their end.
    pub fn cuts(&self, scanned: usize, complete: usize) -> std::ops::RangeInclusive<usize> {
        let most = match self.up_to {
            UpTo::Complete => complete,
            UpTo::Scanned => scanned,
        };
        usize::try_from(self.least).unwrap_or(usize::MAX)..=most
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cap<R> {
    pub limit: CapLimit,
    pub counts: Counted,
    /// The scope of the count.
    pub within: Within,
    pub strikes: Strikes,
    pub then: Then,
    pub reason: R,
}

/// The number that a cap allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapLimit {
    MaxFiles,
    MaxFileSizeBytes,
    MaxMatchesPerFile,
    MaxResults,
    MaxOutputBytes,
    MaxDepth,
    /// The lines that `grep` counts.
    CountedLines,
    TermBytes,
    TotalBytes,
}

/// What a cap counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    Files,
    FileBytes,
    /// Matching lines, or matches.
    Matches,
    Events,
    LineBytes,
    /// Lines that `grep` lists.
    Lines,
    /// Levels of a directory below the search root.
    Levels,
    Results,
    TermBytes,
}

/// The scope of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    Answer,
    File,
    /// Each item by itself.
    Each,
}

/// When a cap strikes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strikes {
    /// When an item exceeds the limit.
    Beyond,
    /// When an item reaches the limit.
    At,
}

/// The effect of a cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// It ends the scope of the count.
    Stop,
    /// It leaves out the item.
    Skip,
}
