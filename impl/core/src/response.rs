//! The response of `Search` as it is serialised (FR-LS-04, FR-LS-05; docs/search.md section 7).
//! Fields stand in the order in which they are shown.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use crate::index::machine::{Reason, State};

/// The answer to a request that was carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Response {
    /// The request's pattern, raw (FR-LS-05b).
    pub pattern: String,
    /// The search root, relative to the working directory.
    pub path: String,
    /// Length of `matches` (FR-LS-05a).
    pub count: u64,
    /// Events in order.
    pub matches: Vec<Event>,
    /// A cap cut something, or a deadline did (docs/search.md section 6).
    pub truncated: bool,
    /// The deadline struck (FR-LS-07).
    pub timed_out: bool,
    /// Eligible files up to and including the one the answer ends in (FR-LS-05e).
    pub files_scanned: u64,
    /// Files and directories that could not be searched; always present (FR-LS-ERR-07).
    pub errors: Vec<PathError>,
    /// Exit status of a backend process that failed after part of the answer was known
    /// (FR-LS-ERR-04).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// What that process wrote to its standard error, bounded and lossily decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// The same for people, control characters escaped (FR-LS-05c, E-E14).
    pub content: String,
    /// Diagnostics, if configured.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "write_stats")]
    pub stats: Option<Stats>,
}

impl Response {
    /// Whether nothing was left out: no cap, no deadline, no unreadable place (D11).
    pub fn complete(&self) -> bool {
        !self.truncated && !self.timed_out && self.errors.is_empty()
    }
}

/// A place that could not be searched. `error` is one of a closed list of messages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PathError {
    /// Relative to the working directory.
    pub path: String,
    /// What was wrong.
    pub error: String,
}

/// One line of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Whether the line matches.
    pub r#type: EventType,
    /// The line.
    pub data: EventData,
}

/// What a line is in the answer for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventType {
    /// It matches.
    Match,
    /// It is near a line that does.
    Context,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventData {
    /// Where: relative to the working directory, slash-separated.
    pub path: Text,
    /// 1-based.
    pub line_number: u64,
    /// 1-based byte offset of the match in `lines.text`; matches only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The line without its terminator.
    pub lines: Text,
    /// What matched; matches only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_text: Option<String>,
}

/// Text in the shape the documents give it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// UTF-8, lossily decoded.
    pub text: String,
}

/// Diagnostics beside the answer (D11). Grows; consumers skip what they do not know (FR-LS-05d).
/// Apart from `elapsed_ms` and `fallback` they describe the pass that is returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// How much of it is shown.
    #[serde(skip)]
    pub detail: StatsDetail,
    /// Version of this object's shape.
    pub stats_version: u32,
    /// Nothing was left out.
    pub complete: bool,
    /// Why something was, in the order caps are listed in docs/search.md.
    pub incomplete_because: Vec<&'static str>,
    /// Scanned files that are larger than `max_file_size_bytes`.
    pub files_oversized: u64,
    /// Scanned files with matching lines beyond `max_matches_per_file`.
    pub files_cut: u64,
    /// Which backend proposed lines: `native`, `ripgrep` or `ugrep`.
    pub backend: String,
    /// How the call found the index.
    #[serde(flatten)]
    pub index: IndexStats,
    /// What became of fuzzy fallback.
    #[serde(flatten)]
    pub fallback: FallbackStats,
    /// How long the call took; best effort.
    pub elapsed_ms: u64,
    /// Eligible files the answer covers.
    pub candidates_total: u64,
    /// Of those, files that a filter of the index excluded.
    pub candidates_excluded: u64,
    /// Of those, the others (E-H02).
    pub candidates_scanned: u64,
    /// While a build runs: how far it is.
    #[serde(flatten)]
    pub build: Option<BuildProgress>,
}

/// How much an answer says of its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatsDetail {
    /// Everything.
    #[default]
    All,
    /// Whether it is complete, and what that rests on (D20).
    Proof,
}

#[expect(clippy::ref_option, reason = "serde calls it so")]
fn write_stats<S: Serializer>(stats: &Option<Stats>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(Stats { detail: StatsDetail::Proof, complete, incomplete_because, index, .. }) = stats
    else {
        return stats.serialize(serializer);
    };
    let mut shown = serializer.serialize_struct("Stats", 5)?;
    shown.serialize_field("complete", complete)?;
    shown.serialize_field("incomplete_because", incomplete_because)?;
    shown.serialize_field("index_safety_state", index.state)?;
    shown.serialize_field("proof_names", index.proof_names)?;
    shown.serialize_field("proof_contents", index.proof_contents)?;
    shown.end()
}

/// How a call found the index, and what it could do with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IndexStats {
    /// The safety state.
    #[serde(rename = "index_safety_state")]
    pub state: &'static str,
    /// In UNCERTAIN and DISABLED: the reason of highest rank (E-C39).
    #[serde(rename = "index_uncertain_reason")]
    pub reason: Option<&'static str>,
    /// Whether files could be excluded from the call.
    #[serde(rename = "index_exclusion_used")]
    pub exclusion_used: bool,
    /// Why they could not (E-G08).
    #[serde(rename = "exclusion_bypass_reason")]
    pub bypass_reason: Option<&'static str>,
    /// How it was proved which files there are: `events`, `stat` or `read`.
    pub proof_names: &'static str,
    /// How it was proved that excluded files are what the index knows them as: the same words.
    pub proof_contents: &'static str,
    /// Where the index is: `memory`, `sqlite` or `none`.
    pub storage_mode: &'static str,
    /// Why it is not where the configuration asks for it.
    pub storage_fallback_reason: Option<&'static str>,
    /// How far a build is, if one runs; shown after everything else.
    #[serde(skip)]
    pub build: Option<BuildProgress>,
}

impl IndexStats {
    /// There is no index.
    pub const fn none() -> Self {
        Self {
            state: State::Disabled.name(),
            reason: Some(Reason::ModeOff.name()),
            exclusion_used: false,
            bypass_reason: Some("INDEX_OFF"),
            proof_names: "read",
            proof_contents: "read",
            storage_mode: "none",
            storage_fallback_reason: None,
            build: None,
        }
    }
}

impl Default for IndexStats {
    fn default() -> Self {
        Self::none()
    }
}

/// How far a build of the index is; best effort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BuildProgress {
    /// `ENUMERATE`, `TOKENIZE`, `PERSIST` or `ACTIVATE`.
    #[serde(rename = "build_phase")]
    pub phase: &'static str,
    /// Files to index, once they have been enumerated.
    #[serde(rename = "build_files_total")]
    pub files_total: Option<u64>,
    /// Files indexed so far.
    #[serde(rename = "build_files_done")]
    pub files_done: u64,
    /// How long the build has been running.
    #[serde(rename = "build_elapsed_ms")]
    pub elapsed_ms: u64,
}

/// What became of fuzzy fallback in a call (docs/search.md section 8).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FallbackStats {
    /// A fuzzy pass ran.
    #[serde(rename = "fallback_used")]
    pub used: bool,
    /// Why it did.
    #[serde(rename = "fallback_reason")]
    pub reason: Option<&'static str>,
    /// Why passes that were due did not run.
    #[serde(rename = "fallback_skipped_reason")]
    pub skipped_reason: Option<SkippedReason>,
    /// How many did not.
    #[serde(rename = "fallback_passes_skipped")]
    pub passes_skipped: u64,
    /// Levels of the passes that ran, in order.
    #[serde(rename = "fuzzy_levels_tried")]
    pub levels_tried: Vec<u8>,
}

/// Why passes of fuzzy fallback did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SkippedReason {
    /// So short a pattern is near everything (FR-LSI-FUZ-G-01, E-G07).
    PatternTooShort,
    /// The call's deadline came first (FR-LSI-FUZ-G-03).
    NoTimeLeft,
    /// The backend cannot (E-G05).
    CapabilityMissing,
}
