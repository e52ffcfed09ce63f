//! The response of `Search` as it is serialised, with fields in the order shown (FR-LS-04,
//! FR-LS-05; docs/search.md section 7).

use serde::{Serialize, Serializer, ser::SerializeStruct};

use crate::index::machine::{Reason, State};

/// The answer to a valid request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Response {
    /// The pattern as given (FR-LS-05b).
    pub pattern: String,
    /// The search root, relative to the working directory.
    pub path: String,
    /// Length of `matches` (FR-LS-05a).
    pub count: u64,
    /// Events in order.
    pub matches: Vec<Event>,
    /// Whether a cap or the deadline cut something (docs/search.md section 6).
    pub truncated: bool,
    /// Whether the deadline expired (FR-LS-07).
    pub timed_out: bool,
    /// Eligible files up to and including the one where the answer ends (FR-LS-05e).
    pub files_scanned: u64,
    /// Files and directories that could not be searched; always present (FR-LS-ERR-07).
    pub errors: Vec<PathError>,
    /// Exit status of a backend process that failed after part of the answer (FR-LS-ERR-04).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// Standard error of that process, bounded and lossily decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// The answer as text, with control characters escaped (FR-LS-05c, E-E14).
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
    /// The message.
    pub error: String,
}

/// A line of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// Match or context.
    pub r#type: EventType,
    /// The line.
    pub data: EventData,
}

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EventType {
    /// A matching line.
    Match,
    /// A context line.
    Context,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventData {
    /// Path relative to the working directory, with slashes.
    pub path: Text,
    /// Line number, 1-based.
    pub line_number: u64,
    /// 1-based byte offset of the match in `lines.text`; matches only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// The line without its terminator.
    pub lines: Text,
    /// The matched text; matches only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_text: Option<String>,
}

/// A text in the documents' shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// UTF-8, lossily decoded.
    pub text: String,
}

/// Diagnostics (D11). Fields may be added; readers ignore unknown ones (FR-LS-05d). Except
/// `elapsed_ms` and `fallback` they describe the pass that is returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// How much of it is serialised.
    #[serde(skip)]
    pub detail: StatsDetail,
    /// Version of this object's shape.
    pub stats_version: u32,
    /// Whether nothing was left out.
    pub complete: bool,
    /// Why something was left out, in the order of the caps in docs/search.md.
    pub incomplete_because: Vec<&'static str>,
    /// Scanned files larger than `max_file_size_bytes`.
    pub files_oversized: u64,
    /// Scanned files with matching lines beyond `max_matches_per_file`.
    pub files_cut: u64,
    /// Binary files, which were not searched. Unknown with a backend process, which is not asked
    /// about files in which it proposes no line.
    pub files_binary: Option<u64>,
    /// Which backend proposed lines: `native`, `ripgrep` or `ugrep`.
    pub backend: String,
    /// The state of the index during the call.
    #[serde(flatten)]
    pub index: IndexStats,
    /// The use of fuzzy fallback.
    #[serde(flatten)]
    pub fallback: FallbackStats,
    /// Duration of the call; varies.
    pub elapsed_ms: u64,
    /// Eligible files the answer covers.
    pub candidates_total: u64,
    /// Of those, files that the index excluded.
    pub candidates_excluded: u64,
    /// Of those, files that were scanned (E-H02).
    pub candidates_scanned: u64,
    /// Progress of a running build.
    #[serde(flatten)]
    pub build: Option<BuildProgress>,
}

/// How much of [`Stats`] an answer has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StatsDetail {
    /// All fields.
    #[default]
    All,
    /// Completeness, and the proof of it (D20).
    Proof,
}

#[expect(clippy::ref_option, reason = "serde calls it so")]
fn write_stats<S: Serializer>(stats: &Option<Stats>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(stats @ Stats { detail: StatsDetail::Proof, index, .. }) = stats else {
        return stats.serialize(serializer);
    };
    let binary = stats.files_binary.filter(|files| *files > 0);
    let mut shown = serializer.serialize_struct("Stats", 5 + usize::from(binary.is_some()))?;
    shown.serialize_field("complete", &stats.complete)?;
    shown.serialize_field("incomplete_because", &stats.incomplete_because)?;
    if let Some(files) = binary {
        shown.serialize_field("files_binary", &files)?;
    }
    shown.serialize_field("index_safety_state", index.state)?;
    shown.serialize_field("proof_names", index.proof_names)?;
    shown.serialize_field("proof_contents", index.proof_contents)?;
    shown.end()
}

/// The index during a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IndexStats {
    /// The state of the index.
    #[serde(rename = "index_safety_state")]
    pub state: &'static str,
    /// In UNCERTAIN and DISABLED, the reason of highest rank (E-C39).
    #[serde(rename = "index_uncertain_reason")]
    pub reason: Option<&'static str>,
    /// Whether the call could exclude files.
    #[serde(rename = "index_exclusion_used")]
    pub exclusion_used: bool,
    /// Why it could not (E-G08).
    #[serde(rename = "exclusion_bypass_reason")]
    pub bypass_reason: Option<&'static str>,
    /// The proof of the set of files: `events`, `stat` or `read`.
    pub proof_names: &'static str,
    /// The proof that excluded files are unchanged: the same values.
    pub proof_contents: &'static str,
    /// The storage: `memory`, `sqlite` or `none`.
    pub storage_mode: &'static str,
    /// Why the storage is not the configured one.
    pub storage_fallback_reason: Option<&'static str>,
    /// Progress of a running build; serialised last.
    #[serde(skip)]
    pub build: Option<BuildProgress>,
}

impl IndexStats {
    /// No index.
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

    /// Of two roots, each with its index: the weakest state and proofs, and the sums of counts.
    #[must_use]
    pub fn weaker(self, other: Self) -> Self {
        const STATES: [State; 6] = [
            State::Corrupt,
            State::Building,
            State::Uncertain,
            State::Absent,
            // A tree that is too small for an index, too.
            State::Disabled,
            State::Complete,
        ];
        let strength = |one: &Self| STATES.iter().position(|state| state.name() == one.state);
        let (weak, strong) =
            if strength(&other) < strength(&self) { (other, self) } else { (self, other) };
        let weaker = |one: &'static str, other: &'static str| {
            let is_weak = ["read", "stat"].into_iter().find(|proof| [one, other].contains(proof));
            is_weak.unwrap_or(one)
        };
        Self {
            exclusion_used: weak.exclusion_used && strong.exclusion_used,
            bypass_reason: weak.bypass_reason.or(strong.bypass_reason),
            proof_names: weaker(weak.proof_names, strong.proof_names),
            proof_contents: weaker(weak.proof_contents, strong.proof_contents),
            build: match (weak.build, strong.build) {
                (Some(one), Some(other)) => Some(one.with(&other)),
                (one, other) => one.or(other),
            },
            ..weak
        }
    }
}

impl Default for IndexStats {
    fn default() -> Self {
        Self::none()
    }
}

/// Progress of a build of the index; varies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BuildProgress {
    /// `ENUMERATE`, `TOKENIZE`, `PERSIST` or `ACTIVATE`.
    #[serde(rename = "build_phase")]
    pub phase: &'static str,
    /// Files to index, once enumerated.
    #[serde(rename = "build_files_total")]
    pub files_total: Option<u64>,
    /// Files indexed so far.
    #[serde(rename = "build_files_done")]
    pub files_done: u64,
    /// Duration of the build so far.
    #[serde(rename = "build_elapsed_ms")]
    pub elapsed_ms: u64,
}

impl BuildProgress {
    /// Of two builds: the sums, and the longer time.
    fn with(self, other: &Self) -> Self {
        Self {
            files_total: self.files_total.zip(other.files_total).map(|(one, two)| one + two),
            files_done: self.files_done + other.files_done,
            elapsed_ms: self.elapsed_ms.max(other.elapsed_ms),
            ..self
        }
    }
}

/// The use of fuzzy fallback in a call (docs/search.md section 8).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FallbackStats {
    /// Whether a fuzzy pass ran.
    #[serde(rename = "fallback_used")]
    pub used: bool,
    /// Why it ran.
    #[serde(rename = "fallback_reason")]
    pub reason: Option<&'static str>,
    /// Why due passes did not run.
    #[serde(rename = "fallback_skipped_reason")]
    pub skipped_reason: Option<SkippedReason>,
    /// Number of due passes that did not run.
    #[serde(rename = "fallback_passes_skipped")]
    pub passes_skipped: u64,
    /// Levels of the passes that ran, in order.
    #[serde(rename = "fuzzy_levels_tried")]
    pub levels_tried: Vec<u8>,
}

/// Why due passes of fuzzy fallback did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SkippedReason {
    /// The pattern is too short (FR-LSI-FUZ-G-01, E-G07).
    PatternTooShort,
    /// The deadline expired (FR-LSI-FUZ-G-03).
    NoTimeLeft,
    /// The backend lacks fuzzy matching (E-G05).
    CapabilityMissing,
}
