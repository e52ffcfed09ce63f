//! The response of `Search` as it is serialised (FR-LS-04, FR-LS-05; docs/search.md section 7).

use serde::Serialize;

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
    /// Exit status of a backend process that failed after part of the answer was known (FR-LS-ERR-04).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// What that process wrote to its standard error, bounded and lossily decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// The same for people, control characters escaped (FR-LS-05c, E-E14).
    pub content: String,
    /// Diagnostics, if configured.
    #[serde(skip_serializing_if = "Option::is_none")]
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

/// Diagnostics beside the answer (D11). Grows with the index; consumers skip what they do not know (FR-LS-05d).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stats {
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
}
