//! The shape of the table of caps (`spec/truncation.yaml`).
//!
//! Responsible for: plain static data types. The values are generated into
//! [`crate::generated::truncation`].
//! Left to neighbours: counting (`meter`).
//! Invariants: those of [`crate::tables`]. The caps of a tool stand in the order in which they
//! count.

use super::Note;
use super::agent::Reason;
use super::files::Shortfall;

/// The caps of all tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Of `Search`.
    pub search: &'static [Cap<Note>],
    /// Of `search_files`.
    pub search_files: &'static [Cap<Shortfall>],
    /// Of the agent's tools.
    pub agent: &'static [Cap<Reason>],
    /// Of `keyword_search`, beside those of the agent's tools; the reasons are words of answers.
    pub keyword: &'static [Cap<&'static str>],
    /// What an answer of `search_files` loses that is too long.
    pub length_files: LengthBudget<Shortfall>,
    /// What a page of the agent's tools loses.
    pub length_agent: LengthBudget<Reason>,
    /// Where a deadline may cut an answer of `Search`.
    pub deadline_search: Deadline<Note>,
    /// The same of `search_files`.
    pub deadline_files: Deadline<Shortfall>,
}

/// What an answer loses that is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LengthBudget<R> {
    /// What is left out, in this order, each from its end.
    pub leaves_out: &'static [Part],
    /// What the answer tells.
    pub reason: R,
}

/// What a budget leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Matches.
    Matches,
    /// Errors.
    Errors,
    /// Results.
    Results,
}

/// Where a deadline may cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline<R> {
    /// Files that are scanned at least.
    pub least: u64,
    /// The last file behind which it may cut.
    pub up_to: UpTo,
    /// What the answer tells.
    pub reason: R,
}

/// The last file behind which a deadline may cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpTo {
    /// The last that was gone through to its end.
    Complete,
    /// The last that was scanned.
    Scanned,
}

impl<R> Deadline<R> {
    /// How many files may be scanned when it strikes, if an answer without it scans so many, of
    /// which so many are gone through to their end.
    pub fn cuts(&self, scanned: usize, complete: usize) -> std::ops::RangeInclusive<usize> {
        let most = match self.up_to {
            UpTo::Complete => complete,
            UpTo::Scanned => scanned,
        };
        usize::try_from(self.least).unwrap_or(usize::MAX)..=most
    }
}

/// A cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cap<R> {
    /// How much it allows.
    pub limit: CapLimit,
    /// What it counts.
    pub counts: Counted,
    /// What it counts together.
    pub within: Within,
    /// At which number.
    pub strikes: Strikes,
    /// What becomes of what it strikes at.
    pub then: Then,
    /// What the answer tells.
    pub reason: R,
}

/// The number that a cap allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CapLimit {
    /// `max_files`.
    MaxFiles,
    /// `max_file_size_bytes`.
    MaxFileSizeBytes,
    /// `max_matches_per_file`.
    MaxMatchesPerFile,
    /// `max_results`.
    MaxResults,
    /// `max_output_bytes`.
    MaxOutputBytes,
    /// `max_depth`.
    MaxDepth,
    /// What `grep` counts.
    CountedLines,
    /// What `search_text` ranks.
    PoolFiles,
    /// `term_bytes`.
    TermBytes,
    /// `total_bytes`.
    TotalBytes,
}

/// What a cap counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Eligible files.
    Files,
    /// Bytes of a file.
    FileBytes,
    /// Matching lines, or matches.
    Matches,
    /// Events.
    Events,
    /// Bytes of the text of lines.
    LineBytes,
    /// Lines that `grep` lists.
    Lines,
    /// Levels of a directory below the search root.
    Levels,
    /// Results of a page.
    Results,
    /// Files that `search_text` finds.
    MatchingFiles,
    /// Bytes of a term's text.
    TermBytes,
}

/// What a cap counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// All there is.
    Answer,
    /// What is in one file.
    File,
    /// Each thing by itself.
    Each,
}

/// When a cap strikes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strikes {
    /// At what brings the number beyond the limit.
    Beyond,
    /// At what brings it to the limit.
    At,
}

/// What a cap that strikes does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// It ends what is counted together.
    Stop,
    /// It leaves out the one thing.
    Skip,
}
