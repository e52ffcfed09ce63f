//! Fuzzy fallback: a literal that is nowhere is looked for again within a few edits (docs/search.md section 8).
//!
//! Responsible for: whether it is due, which passes are made, and which of them is the answer.
//! Left to the service: making a pass.
//! Invariants: only a complete answer without an event is ever replaced; all passes end by the call's deadline; a pass that fails costs nothing but time.

use forge_search_core::{
    Request, Response,
    index::settings::Settings,
    pattern::Pattern,
    response::{FallbackStats, SkippedReason, Stats},
};

use crate::{
    search::{Checked, Pass},
    service::Service,
};

/// `fallback_reason` of every call that made a fuzzy pass.
const LITERAL_NO_MATCHES: &str = "LITERAL_NO_MATCHES";

impl Pass {
    /// Whether an event was found, be it that the answer has no room for it (E-G03).
    fn found(&self) -> bool {
        let cut = |reason: &&str| matches!(*reason, "max_results" | "max_output_bytes");
        let stats = self.response.stats.as_ref();
        self.response.count > 0 || stats.is_some_and(|stats| stats.incomplete_because.iter().any(cut))
    }

    /// Whether its end came before that of the tree, by the deadline or by a backend that failed.
    fn broken_off(&self) -> bool {
        let failed = |stats: &Stats| stats.incomplete_because.contains(&"backend_error");
        self.response.timed_out || self.response.stats.as_ref().is_some_and(failed)
    }
}

/// Whether fallback is due after the exact pass (FR-LSI-FUZ-02..04, E-G04).
fn due(settings: &Settings, request: &Request, exact: &Pass) -> bool {
    let literal = request.fixed_strings && request.fuzzy.is_none() && !request.word_regexp;
    settings.fuzzy_fallback && literal && !exact.found() && exact.response.complete()
}

/// The levels to be tried: none if the pattern is too short for any (FR-LSI-FUZ-G-01, E-G07).
fn levels(settings: &Settings, pattern: &str) -> Vec<u8> {
    let length = pattern.chars().count() as u64;
    if length < settings.fuzzy_min_pattern_len {
        return Vec::new();
    }
    let levels = settings.fuzzy_fallback_levels.iter().copied().filter(|level| *level <= length / 2);
    levels.filter_map(|level| u8::try_from(level).ok()).collect()
}

impl Service {
    /// The answer of a call, given its exact pass.
    pub(crate) fn with_fallback(
        &self,
        checked: &Checked<'_>,
        request: &Request,
        pattern: &Pattern,
        exact: Pass,
    ) -> Response {
        let settings = self.fallback_settings();
        if !due(settings, request, &exact) {
            return exact.response;
        }
        let levels = levels(settings, &request.pattern);
        let mut told = FallbackStats::default();
        if levels.is_empty() {
            told.skipped_reason = Some(SkippedReason::PatternTooShort);
            return telling(exact.response, told);
        }
        if exact.excluded {
            match self.without_index(checked, request, pattern) {
                Verdict::Nowhere => {}
                Verdict::Instead(response) => return *response,
                Verdict::Unknown => {
                    skip(&mut told, SkippedReason::NoTimeLeft, levels.len());
                    return telling(exact.response, told);
                }
            }
        }
        self.fuzzy_passes(checked, request, &levels, exact, told)
    }

    /// The exact pass again, every file read: an answer that the index spoiled must not be replaced by lines that are merely near (E-G10).
    fn without_index(&self, checked: &Checked<'_>, request: &Request, pattern: &Pattern) -> Verdict {
        if checked.until.over() {
            return Verdict::Unknown;
        }
        match self.pass(checked, request, pattern, false) {
            Ok(pass) if pass.found() => {
                self.index_was_wrong(&checked.place.path);
                Verdict::Instead(Box::new(pass.response))
            }
            Ok(pass) if pass.broken_off() => Verdict::Unknown,
            // The tree changed in between, and a place can no longer be searched: fallback is no longer due.
            Ok(pass) if !pass.response.complete() => Verdict::Instead(Box::new(pass.response)),
            Ok(_) => Verdict::Nowhere,
            Err(_) => Verdict::Unknown,
        }
    }

    fn fuzzy_passes(
        &self,
        checked: &Checked<'_>,
        request: &Request,
        levels: &[u8],
        exact: Pass,
        mut told: FallbackStats,
    ) -> Response {
        for (tried, &level) in levels.iter().enumerate() {
            let left = levels.len() - tried;
            if checked.until.over() {
                skip(&mut told, SkippedReason::NoTimeLeft, left);
                break;
            }
            let fuzzy = Request { fuzzy: Some(level), ..request.clone() };
            let Ok(pattern) = Pattern::compile(fuzzy.sought()) else {
                skip(&mut told, SkippedReason::CapabilityMissing, left);
                break;
            };
            told.used = true;
            told.reason = Some(LITERAL_NO_MATCHES);
            told.levels_tried.push(level);
            match self.pass(checked, &fuzzy, &pattern, false) {
                Ok(mut pass) if pass.found() => {
                    pass.response.note_fallback(level);
                    return telling(pass.response, told);
                }
                Ok(pass) if !pass.broken_off() => {}
                Ok(_) | Err(_) => {
                    skip(&mut told, SkippedReason::NoTimeLeft, left - 1);
                    break;
                }
            }
        }
        telling(exact.response, told)
    }
}

/// What the exact pass without the index says about the one with it.
enum Verdict {
    /// It found nothing either.
    Nowhere,
    /// It is the answer.
    Instead(Box<Response>),
    /// It was not made, or not to its end.
    Unknown,
}

fn skip(told: &mut FallbackStats, reason: SkippedReason, passes: usize) {
    if passes > 0 {
        told.skipped_reason = Some(reason);
        told.passes_skipped = passes as u64;
    }
}

fn telling(mut response: Response, told: FallbackStats) -> Response {
    if let Some(stats) = &mut response.stats {
        stats.fallback = told;
    }
    response
}

#[cfg(test)]
mod tests;
