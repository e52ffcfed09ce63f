//! `Search`, under any of its names.
//!
//! Responsible for: what the model answers ([`model`]), and the response that stands for
//! ([`response_json`]). Not here: how differences are found ([`crate::compare`]).

use serde_json::{Value, json};
use touchstone_cases::case::{Case, Tables};
use touchstone_model::{Allowed, Event, Fallback, Skipped, Stats};

use crate::compare::{Answer, FieldDiff, Group, Outcome, Refusal, Traps, diff};
use crate::coverage;
use crate::expected::Expected;
use crate::observation::{BACKEND, ELAPSED};

/// An answer, and the request that it repeats parts of.
#[derive(Debug)]
struct Response {
    answer: touchstone_model::Answer,
    request: Value,
}

/// What the model allows.
pub(super) fn expected(case: &Case, tables: Tables) -> Expected {
    Expected::allowed(&model(case, tables), |one| outcome(one, &case.request))
}

impl Answer for Response {
    fn json(&self) -> Value {
        response_json(&self.answer, &self.request)
    }

    fn differences(&self, observation: &Value) -> Vec<FieldDiff> {
        let mut found = Vec::new();
        diff("", &self.json(), observation, &mut found);
        found
    }

    fn traps(&self, case: &Case) -> Traps {
        coverage::search::answer_traps(case, &self.answer)
    }

    fn groups(&self, case: &Case) -> Vec<Group> {
        Group::of_events(case, &self.answer)
    }
}

/// What the model answers to a case by these tables.
pub fn model(case: &Case, tables: Tables) -> Allowed {
    touchstone_model::search(&case.world(), &case.config_by(tables), &case.tool, &case.request)
}

/// An outcome of the model, as it is compared.
pub fn outcome(outcome: &touchstone_model::Outcome, request: &Value) -> Outcome {
    match outcome {
        Ok(answer) => Ok(Box::new(Response { answer: answer.clone(), request: request.clone() })),
        Err(refusal) => Err(Refusal::from(refusal)),
    }
}

/// The response an answer stands for (FR-LS-04, FR-LS-05), without the fields that observations
/// leave out.
pub fn response_json(answer: &touchstone_model::Answer, request: &Value) -> Value {
    let matches: Vec<Value> = answer.events.iter().map(event_json).collect();
    let errors: Vec<Value> = answer
        .errors
        .iter()
        .map(|(path, message)| json!({ "path": path, "error": message }))
        .collect();
    let mut response = json!({
        "pattern": request.get("pattern"),
        "path": answer.path,
        "count": matches.len(),
        "matches": matches,
        "truncated": answer.truncated,
        "timed_out": answer.timed_out,
        "files_scanned": answer.files_scanned,
        "errors": errors,
        "content": answer.content,
    });
    if let (Some(stats), Value::Object(fields)) = (&answer.stats, &mut response) {
        fields.insert("stats".to_owned(), stats_json(stats));
    }
    response
}

/// `stats` of a call without an index (docs/search.md, section 7).
fn stats_json(stats: &Stats) -> Value {
    let Fallback { levels_tried, skipped, passes_skipped } = &stats.fallback;
    let ran = !levels_tried.is_empty();
    let skipped = skipped.map(|skipped| match skipped {
        Skipped::PatternTooShort => "PATTERN_TOO_SHORT",
        Skipped::NoTimeLeft => "NO_TIME_LEFT",
    });
    json!({
        "stats_version": stats.version,
        "complete": stats.incomplete_because.is_empty(),
        "incomplete_because": stats.incomplete_because,
        "files_oversized": stats.files_oversized,
        "files_cut": stats.files_cut,
        "backend": BACKEND,
        "index_safety_state": "DISABLED",
        "index_uncertain_reason": "MODE_OFF",
        "index_exclusion_used": false,
        "exclusion_bypass_reason": "INDEX_OFF",
        "proof_names": "read",
        "proof_contents": "read",
        "storage_mode": "none",
        "storage_fallback_reason": null,
        "fallback_used": ran,
        "fallback_reason": ran.then_some("LITERAL_NO_MATCHES"),
        "fallback_skipped_reason": skipped,
        "fallback_passes_skipped": passes_skipped,
        "fuzzy_levels_tried": levels_tried,
        "elapsed_ms": ELAPSED,
        "candidates_total": stats.candidates_total,
        "candidates_excluded": 0,
        "candidates_scanned": stats.candidates_total,
    })
}

fn event_json(event: &Event) -> Value {
    match event {
        Event::Match { path, line, column, text, matched } => json!({
            "type": "match",
            "data": {
                "path": { "text": path },
                "line_number": line,
                "column": column,
                "lines": { "text": text },
                "match_text": matched,
            },
        }),
        Event::Context { path, line, text } => json!({
            "type": "context",
            "data": { "path": { "text": path }, "line_number": line, "lines": { "text": text } },
        }),
    }
}

#[cfg(test)]
mod tests;
