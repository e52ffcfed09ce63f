//! Fuzzy fallback: when it is due, its passes, which of them is the answer, and its fields in
//! `stats` (section 8; FR-LSI-FUZ-*, E-G03 to E-G07).
//!
//! Without `fuzzy_fallback`, and whenever the exact pass found or left out something, the answer is
//! that of the exact pass and does not mention fallback.

use crate::allowed::Allowed;
use crate::answer::{self, Pass};
use crate::checks::Call;
use crate::config::Config;
use crate::outcome::{Answer, Fallback, Skipped};
use crate::request::Request;
use crate::world::World;

/// The correct answers to a valid call.
pub(crate) fn answers(world: &World, config: &Config, call: &Call<'_>) -> Allowed {
    let right = answer::passes(world, config, call, None).into_iter().flat_map(|exact| {
        if config.fuzzy_fallback && concerns(&call.request) && is_due(&exact) {
            fallback_answers(world, config, call, &exact.answer)
        } else {
            vec![exact.answer]
        }
    });
    let mut outcomes = right.map(Ok);
    // A pass has at least one correct answer.
    let first = outcomes.next();
    let usual =
        first.unwrap_or_else(|| Err(crate::Refusal { class: String::new(), field: String::new() }));
    outcomes.fold(Allowed::only(usual), Allowed::or)
}

/// Whether fallback applies to such requests (FR-LSI-FUZ-02).
fn concerns(request: &Request) -> bool {
    request.fixed_strings && request.fuzzy.is_none() && !request.word_regexp
}

/// Whether the exact pass proved that there is no match (FR-LSI-FUZ-03, FR-LSI-FUZ-04, E-G04).
fn is_due(exact: &Pass) -> bool {
    let Answer { truncated, timed_out, errors, .. } = &exact.answer;
    !exact.found && !truncated && !timed_out && errors.is_empty()
}

/// The answers of a call whose exact pass proved that there is no match; the first is that without
/// a deadline.
fn fallback_answers(
    world: &World,
    config: &Config,
    call: &Call<'_>,
    exact: &Answer,
) -> Vec<Answer> {
    let levels = levels(config, &call.request.pattern);
    if levels.is_empty() {
        let short = Fallback { skipped: Some(Skipped::PatternTooShort), ..Fallback::default() };
        return vec![with_fallback(exact, short)];
    }
    let mut out_of_time = Vec::new();
    for (ran, level) in levels.iter().enumerate() {
        let (before, with) = (ended_after(&levels, ran), ended_after(&levels, ran + 1));
        let Some(approximate) = call.at_level(*level, config) else { continue };
        let passes = answer::passes(world, config, &approximate, Some(*level));
        if config.deadline_may_strike {
            // If the deadline expires before or in a pass, the answer is that of the exact pass
            // (E-G06).
            out_of_time.push(with_fallback(exact, before));
            out_of_time.push(with_fallback(exact, with));
            // A pass that found something before the deadline may be the answer.
            let levels_tried: Vec<u64> = levels.iter().take(ran + 1).copied().collect();
            let cut = passes.iter().filter(|pass| pass.found && pass.answer.timed_out);
            let told = Fallback { levels_tried, ..Fallback::default() };
            out_of_time.extend(cut.map(|pass| with_fallback(&pass.answer, told.clone())));
        }
        let found = passes.first().filter(|pass| pass.found);
        if let Some(pass) = found {
            let levels_tried = levels.iter().take(ran + 1).copied().collect();
            let usual =
                with_fallback(&pass.answer, Fallback { levels_tried, ..Fallback::default() });
            return std::iter::once(usual).chain(out_of_time).collect();
        }
    }
    let nothing = with_fallback(exact, ended_after(&levels, levels.len()));
    std::iter::once(nothing).chain(out_of_time).collect()
}

/// The configured levels that leave two scalars of the pattern for each edit (E-G07).
fn levels(config: &Config, pattern: &str) -> Vec<u64> {
    let length = u64::try_from(pattern.chars().count()).unwrap_or(u64::MAX);
    if length < config.fuzzy_min_pattern_len {
        return Vec::new();
    }
    let needed = config.tables.limits.fallback_scalars_per_edit;
    let levels = config.fuzzy_fallback_levels.iter().copied();
    levels.filter(|level| level.saturating_mul(needed) <= length).collect()
}

/// The fields after `ran` passes, if the deadline prevents the others.
fn ended_after(levels: &[u64], ran: usize) -> Fallback {
    let left = levels.len().saturating_sub(ran);
    Fallback {
        levels_tried: levels.iter().take(ran).copied().collect(),
        skipped: (left > 0).then_some(Skipped::NoTimeLeft),
        passes_skipped: u64::try_from(left).unwrap_or(u64::MAX),
    }
}

/// The answer with these fields in its `stats`, if it has any.
fn with_fallback(answer: &Answer, fallback: Fallback) -> Answer {
    let mut answer = answer.clone();
    if let Some(stats) = &mut answer.stats {
        stats.fallback = fallback;
    }
    answer
}

#[cfg(test)]
mod tests;
