//! Fuzzy fallback: a literal without a match is searched again within a few edits (docs/search.md
//! section 8).
//!
//! Responsible for: whether it is due, which passes are made, and which is the answer. Not here:
//! the passes ([`crate::search`]). Invariants: only a complete answer without an event is ever
//! replaced; all passes end by the call's deadline; a pass that fails costs nothing but time.

use forge_search_core::{
    Request,
    collect::SearchResults,
    index::settings::Settings,
    response::{FallbackStats, SkippedReason},
};

use crate::{
    search::{Checked, Pass},
    service::Service,
};

/// `fallback_reason` of every call that made a fuzzy pass.
const LITERAL_NO_MATCHES: &str = "LITERAL_NO_MATCHES";

/// Whether fallback is due after the exact pass (FR-LSI-FUZ-02..04, E-G04).
fn due(settings: &Settings, request: &Request, exact: &Pass) -> bool {
    let literal = request.fixed_strings && request.fuzzy.is_none() && !request.word_regexp;
    settings.fuzzy_fallback && literal && !exact.found.any() && exact.found.is_complete()
}

/// The edit distances to try; none if the pattern is too short for any (FR-LSI-FUZ-G-01, E-G07).
fn levels(settings: &Settings, pattern: &str) -> Vec<u8> {
    let length = pattern.chars().count() as u64;
    if length < settings.fuzzy_min_pattern_len {
        return Vec::new();
    }
    let levels =
        settings.fuzzy_fallback_levels.iter().copied().filter(|level| *level <= length / 2);
    levels.filter_map(|level| u8::try_from(level).ok()).collect()
}

impl Service {
    /// The answer of a call, given its exact pass.
    pub(crate) fn with_fallback(
        &self,
        checked: &Checked<'_>,
        request: &Request,
        exact: Pass,
    ) -> SearchResults {
        let settings = self.fallback_settings();
        if !due(settings, request, &exact) {
            return exact.found;
        }
        let levels = levels(settings, &request.pattern);
        let mut stats = FallbackStats::default();
        if levels.is_empty() {
            stats.skipped_reason = Some(SkippedReason::PatternTooShort);
            return with_stats(exact.found, stats);
        }
        if exact.excluded {
            match self.without_index(checked, request) {
                ExactRecheck::NoMatch => {}
                ExactRecheck::Replace(found) => return *found,
                ExactRecheck::Unknown => {
                    record_skipped(&mut stats, levels.len());
                    return with_stats(exact.found, stats);
                }
            }
        }
        self.fuzzy_passes(checked, request, &levels, exact, stats)
    }

    /// Repeats the exact pass with every file read: lines that are merely similar must not replace
    /// an answer that a wrong index lost (E-G10).
    fn without_index(&self, checked: &Checked<'_>, request: &Request) -> ExactRecheck {
        if checked.deadline.expired() {
            return ExactRecheck::Unknown;
        }
        match self.pass(checked, request, false) {
            Ok(pass) if pass.found.any() => {
                for place in checked.places.iter() {
                    self.index_was_wrong(&place.resolved.path);
                }
                ExactRecheck::Replace(Box::new(pass.found))
            }
            Ok(pass) if pass.found.broken_off() => ExactRecheck::Unknown,
            // The tree changed in between and a place can no longer be searched: fallback is no
            // longer due.
            Ok(pass) if !pass.found.is_complete() => ExactRecheck::Replace(Box::new(pass.found)),
            Ok(_) => ExactRecheck::NoMatch,
            Err(_) => ExactRecheck::Unknown,
        }
    }

    fn fuzzy_passes(
        &self,
        checked: &Checked<'_>,
        request: &Request,
        levels: &[u8],
        exact: Pass,
        mut stats: FallbackStats,
    ) -> SearchResults {
        for (tried, &level) in levels.iter().enumerate() {
            let left = levels.len() - tried;
            if checked.deadline.expired() {
                record_skipped(&mut stats, left);
                break;
            }
            let fuzzy = request.with_fuzzy(level);
            stats.used = true;
            stats.reason = Some(LITERAL_NO_MATCHES);
            stats.levels_tried.push(level);
            match self.pass(checked, &fuzzy, false) {
                Ok(mut pass) if pass.found.any() => {
                    pass.found.near = Some(level);
                    return with_stats(pass.found, stats);
                }
                Ok(pass) if !pass.found.broken_off() => {}
                Ok(_) | Err(_) => {
                    record_skipped(&mut stats, left - 1);
                    break;
                }
            }
        }
        with_stats(exact.found, stats)
    }
}

/// The result of the exact pass without the index.
enum ExactRecheck {
    /// No match either.
    NoMatch,
    /// Matches, which become the answer.
    Replace(Box<SearchResults>),
    /// The pass was not made, or not finished.
    Unknown,
}

/// There is no time for so many passes.
fn record_skipped(stats: &mut FallbackStats, passes: usize) {
    if passes > 0 {
        stats.skipped_reason = Some(SkippedReason::NoTimeLeft);
        stats.passes_skipped = passes as u64;
    }
}

fn with_stats(mut found: SearchResults, fallback: FallbackStats) -> SearchResults {
    found.fallback = fallback;
    found
}

#[cfg(test)]
mod tests;
