//! Patterns of requests, compiled by production without a tree around them.
//!
//! Not here: what they are held against (`folds`, `exclusion`, `planner`).

use forge_search_core::Limits;
use forge_search_core::pattern::Pattern;
use forge_search_core::request::Reading;
use forge_search_engine::Arguments as _;
use forge_search_engine::json::Json;
use serde_json::Value;

/// Limits that restrict nothing here.
const LIMITS: Limits = Limits {
    default_timeout_ms: 20_000,
    default_max_results: 1_000,
    max_matches_per_file: None,
    max_files: 1_000_000,
    max_file_size_bytes: 1 << 30,
    max_output_bytes: 1 << 30,
    reading: Reading::Documents,
};

/// The pattern of a request that is read as the documents say, which folds ASCII; nothing if
/// production refuses it.
pub(crate) fn compiled(request: &Value) -> Option<Pattern> {
    Some(Json(request).search(&LIMITS).ok()?.matcher)
}

/// The same as preset `agent` reads it, which folds Unicode.
pub(crate) fn of_caller(request: &Value) -> Option<Pattern> {
    let limits = Limits { reading: Reading::Callers, ..LIMITS };
    Some(Json(request).search(&limits).ok()?.matcher)
}

/// Whether a pattern matches in some line of a text, line by line as a search goes (E-E03).
pub(crate) fn finds(pattern: &Pattern, text: &[u8]) -> bool {
    use forge_search_core::text::{line_after, line_at};
    let mut next = line_at(text, 0);
    while let Some(line) = next {
        if pattern.find(line.visible(text)).is_some() {
            return true;
        }
        next = line_after(text, line);
    }
    false
}
