//! Log events through `tracing` and metrics through `metrics` (docs/observability.md).
//!
//! Responsible for: names of events and metrics; the span of each call; keeping queries out of what
//! others may see. Not here: when events happen, and where they go: without a subscriber and a
//! recorder nothing is kept. Invariants: no metric contains a query, nor does an event above the
//! level `DEBUG`; labels have few values, none of them from a request.

use std::{
    collections::hash_map::RandomState, fmt::Display, hash::BuildHasher, path::Path,
    sync::OnceLock, time::Duration,
};

use forge_search_core::content::escape_line;
use metrics::{Unit, counter, gauge, histogram};
use tracing::{Span, debug, error_span, field, info, warn};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::index_status::IndexStatus;

/// Histogram: how long calls took, by `tool`.
pub const CALL_SECONDS: &str = "forge_search_call_duration_seconds";
/// Counter: calls, by `tool` and `outcome` (`complete`, `partial`, `error`).
pub const CALLS: &str = "forge_search_calls_total";
/// Counter: results in answers, by `tool`.
pub const RESULTS: &str = "forge_search_results_total";
/// Counter: calls that failed, by `tool` and `error`.
pub const ERRORS: &str = "forge_search_errors_total";
/// Counter: calls refused because the session had reached its limit, by `tool`.
pub const RATE_LIMITED: &str = "forge_search_rate_limited_total";
/// Gauge: 1 for the state that an index is in, 0 for the others, by `index` (its number) and
/// `state`.
pub const INDEX_STATE: &str = "forge_search_index_state";
/// Gauge: files in an index, by `index`.
pub const INDEX_FILES: &str = "forge_search_index_files";
/// Gauge: of those, files that every search has to read, by `index`.
pub const INDEX_PENDING: &str = "forge_search_index_pending_files";

/// The label of calls of unknown tools: a caller's text is never a label.
pub const UNKNOWN_TOOL: &str = "unknown";

/// States of an index, as [`IndexStatus`] names them.
const STATES: [&str; 6] = ["ABSENT", "BUILDING", "COMPLETE", "UNCERTAIN", "CORRUPT", "DISABLED"];

/// Most characters of a logged query.
const MOST_LOGGED: usize = 1_000;

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A complete answer.
    Complete,
    /// An answer that says what is missing.
    Partial,
    /// An error, with its code.
    Failed(&'static str),
}

impl Outcome {
    /// The label's value.
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Failed(_) => "error",
        }
    }
}

/// Describes each metric to the recorder.
pub fn describe() {
    metrics::describe_histogram!(CALL_SECONDS, Unit::Seconds, "How long calls took");
    metrics::describe_counter!(CALLS, Unit::Count, "Calls, by what became of them");
    metrics::describe_counter!(RESULTS, Unit::Count, "Results in answers");
    metrics::describe_counter!(ERRORS, Unit::Count, "Calls that failed, by error");
    metrics::describe_counter!(RATE_LIMITED, Unit::Count, "Calls refused by the rate limit");
    metrics::describe_gauge!(INDEX_STATE, Unit::Count, "1 for the state an index is in");
    metrics::describe_gauge!(INDEX_FILES, Unit::Count, "Files in an index");
    metrics::describe_gauge!(
        INDEX_PENDING,
        Unit::Count,
        "Files of an index that every search reads"
    );
}

/// The span of one call's events: its number, its tool, and hash and length of its query. The hash
/// is keyed at random for each process, so that queries cannot be guessed from it. At level `DEBUG`
/// an event has the query itself.
pub fn span(query_id: u64, tool: &'static str, query: Option<&str>) -> Span {
    // Of the highest level, so that every event has it.
    let span =
        error_span!("call", query_id, tool, query_hash = field::Empty, query_bytes = field::Empty);
    if let Some(query) = query {
        span.record("query_hash", field::display(format_args!("{:016x}", hash(query))));
        span.record("query_bytes", query.len());
        debug!(parent: &span, query = %shown(query), "query");
    }
    span
}

/// Records the end of a call. Call it once for each call.
pub fn call_ended(tool: &'static str, outcome: Outcome, elapsed: Duration, results: u64) {
    histogram!(CALL_SECONDS, "tool" => tool).record(elapsed);
    counter!(CALLS, "tool" => tool, "outcome" => outcome.name()).increment(1);
    counter!(RESULTS, "tool" => tool).increment(results);
    let error = match outcome {
        Outcome::Failed(word) => {
            counter!(ERRORS, "tool" => tool, "error" => word).increment(1);
            Some(word)
        }
        Outcome::Complete | Outcome::Partial => None,
    };
    // To the microsecond.
    let elapsed_ms = (elapsed.as_secs_f64() * 1e6).round() / 1e3;
    info!(outcome = outcome.name(), error, results, elapsed_ms, "call ended");
}

/// A call was refused by the session's rate limit.
pub fn rate_limited(tool: &'static str, limit: u64, retry_after_seconds: u64) {
    counter!(RATE_LIMITED, "tool" => tool).increment(1);
    warn!(limit, retry_after_seconds, "rate limit reached");
}

/// An index is kept in memory; the reason is that of `storage_fallback_reason`
/// (FR-LSI-STOR-FALLBACK-01).
pub(crate) fn storage_fell_back(root: &Path, reason: &'static str) {
    warn!(?root, reason, "index is kept in memory");
}

/// Indexes are stored where other users have access, as the configuration permits
/// (SEC-LSI-STORE-02.3).
pub(crate) fn storage_is_insecure(directory: &Path) {
    warn!(?directory, "indexes are stored where others may read them");
}

/// A build failed in this phase (FR-LSI-BG-22).
pub(crate) fn build_failed(root: &Path, phase: &'static str, cause: &'static str) {
    warn!(?root, phase, cause, "build of the index failed");
}

/// The words of files are not kept, so that searches read these files.
pub(crate) fn words_are_not_kept(root: &Path, cause: &dyn Display) {
    warn!(?root, %cause, "words of files are not kept in the index, so searches by words are slow");
}

/// A stored index is broken and is removed (FR-LSI-BG-22, TT-09).
pub(crate) fn index_is_broken(root: &Path, cause: &dyn Display) {
    warn!(?root, %cause, "stored index is broken");
}

/// Sets the metrics of indexes. Call it whenever they are to be current.
pub fn index_state(indexes: &[IndexStatus]) {
    for (number, status) in indexes.iter().enumerate() {
        let number = number.to_string();
        for state in STATES {
            let is = if state == status.state { 1.0 } else { 0.0 };
            gauge!(INDEX_STATE, "index" => number.clone(), "state" => state).set(is);
        }
        #[expect(clippy::cast_precision_loss, reason = "numbers of files")]
        let [files, pending] = [status.files, status.pending].map(|count| count as f64);
        gauge!(INDEX_FILES, "index" => number.clone()).set(files);
        gauge!(INDEX_PENDING, "index" => number).set(pending);
    }
}

fn hash(query: &str) -> u64 {
    static SEED: OnceLock<u64> = OnceLock::new();
    xxh3_64_with_seed(query.as_bytes(), *SEED.get_or_init(|| RandomState::new().hash_one(0)))
}

fn shown(query: &str) -> String {
    let mut shown: String = query.chars().take(MOST_LOGGED).collect();
    if shown.len() < query.len() {
        shown.push('…');
    }
    escape_line(&shown)
}

#[cfg(test)]
mod tests;
