//! One search through the index, and what it has to be.
//!
//! Responsible for: asking the service; holding the answer against the model's answer for the tree
//! on the disk and against a service without index; what `stats` may say. Not here: the comparison
//! itself ([`touchstone_lockstep::compare`]), reading the tree back (`world`). Invariants: the
//! three are asked the same; where the tree was edited during the call, the answer is the model's
//! for the tree before or after.

use std::panic::{AssertUnwindSafe, catch_unwind};

use forge_search_engine::Service;
use forge_search_engine::json::JsonCalls as _;
use serde_json::{Map, Value};
use touchstone_cases::case::Case;
use touchstone_lockstep::compare::{Comparison, between, render};
use touchstone_lockstep::expected::Expected;
use touchstone_lockstep::subject::{Backend, Observation};
use touchstone_lockstep::subjects::forge::{normalised, with_root};

/// Fields of `stats` that an index may change, and those that differ between runs.
const OF_THE_INDEX: [&str; 16] = [
    "index_safety_state",
    "index_uncertain_reason",
    "index_exclusion_used",
    "exclusion_bypass_reason",
    "proof_names",
    "proof_contents",
    "storage_mode",
    "storage_fallback_reason",
    "elapsed_ms",
    "candidates_excluded",
    "candidates_scanned",
    "build_phase",
    "build_files_total",
    "build_files_done",
    "build_elapsed_ms",
    // Where a pass was due, an index makes the exact one run twice; this is reported, not compared.
    "fallback_passes_skipped",
];

/// An answer with its `stats`.
#[derive(Debug, Clone)]
pub(super) struct Answered {
    /// The answer, without what differs between runs.
    pub(super) answer: Observation,
    /// `stats`, if it was answered.
    pub(super) stats: Option<Map<String, Value>>,
}

impl Answered {
    /// A number of `stats`.
    pub(super) fn number(&self, field: &str) -> Option<u64> {
        self.stats.as_ref()?.get(field)?.as_u64()
    }

    /// A word of `stats`.
    pub(super) fn word(&self, field: &str) -> Option<&str> {
        self.stats.as_ref()?.get(field)?.as_str()
    }

    /// Whether files could be excluded.
    pub(super) fn narrowed(&self) -> bool {
        self.stats.as_ref().and_then(|stats| stats.get("index_exclusion_used"))
            == Some(&Value::Bool(true))
    }

    /// Files that were.
    pub(super) fn excluded(&self) -> u64 {
        self.number("candidates_excluded").unwrap_or(0)
    }
}

/// Calls a service; a panic is an error.
///
/// # Errors
/// What it panicked with, or what of its answer cannot be written down.
pub(super) fn ask(service: &Service, case: &Case, root: &str) -> Result<Answered, String> {
    let request = with_root(&case.request, root);
    // The service is dropped after a panic, so nothing half-done is used again.
    let called = catch_unwind(AssertUnwindSafe(|| service.call(&case.tool, &request)));
    let answer =
        called.map_err(|panic| format!("the search panicked: {}", message(panic.as_ref())))?;
    let unwritable = |error: serde_json::Error| format!("unreadable answer: {error}");
    Ok(match answer {
        Ok(response) => {
            let mut json = serde_json::to_value(response).map_err(unwritable)?;
            let stats = match json.as_object_mut().and_then(|fields| fields.remove("stats")) {
                Some(Value::Object(stats)) => Some(stats),
                _ => None,
            };
            Answered { answer: Ok(normalised(json, root)), stats }
        }
        Err(error) => {
            let json = serde_json::to_value(error).map_err(unwritable)?;
            Answered { answer: Err(normalised(json, root)), stats: None }
        }
    })
}

/// What a panic said.
pub(super) fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}

/// What is wrong with an answer, going by the model: `cases` are the request in the trees that were
/// there during the call.
pub(super) fn against_model(answered: &Answered, cases: &[Case]) -> Option<String> {
    let mut told = None;
    for case in cases {
        let expected = match Expected::of(case) {
            Ok(expected) => expected,
            Err(panic) => return Some(panic),
        };
        match expected.compare(case, Backend::Native, answered.answer.as_ref()) {
            Comparison::Canonical | Comparison::Permitted => return None,
            Comparison::Differs(differences) => told = Some(render(&differences)),
        }
    }
    told
}

/// Whether a file went between being found and being read, which an answer says of a tree that
/// changes meanwhile.
pub(super) fn met_a_gap(answered: &Answered) -> bool {
    let errors = answered.answer.as_ref().ok().and_then(|answer| answer.get("errors")?.as_array());
    errors.is_some_and(|errors| {
        errors.iter().any(|error| error.get("error") == Some(&Value::from("not found")))
    })
}

/// What is wrong with an answer, going by a service without index.
pub(super) fn against_plain(answered: &Answered, plain: &Answered) -> Option<String> {
    let differences = between(plain.answer.as_ref(), answered.answer.as_ref());
    if !differences.is_empty() {
        return Some(render(&differences));
    }
    let shared = |answered: &Answered| {
        let mut stats = answered.stats.clone()?;
        stats.retain(|field, _| !OF_THE_INDEX.contains(&field.as_str()));
        Some(Value::Object(stats))
    };
    match (shared(plain), shared(answered)) {
        (Some(plain), Some(own)) if plain != own => {
            Some(format!("stats\n  - without index {plain}\n  + with one     {own}\n"))
        }
        _ => None,
    }
}

/// What is wrong with what `stats` says of the index.
pub(super) fn stats(answered: &Answered) -> Option<&'static str> {
    let stats = answered.stats.as_ref()?;
    if !stats.contains_key("index_exclusion_used") {
        // Not there yet, or left out; that nothing is ever excluded is found by the suite.
        return None;
    }
    let (excluded, scanned) = (answered.excluded(), answered.number("candidates_scanned"));
    let total = answered.number("candidates_total");
    if scanned.map(|scanned| scanned + excluded) != total {
        return Some(
            "candidates_excluded and candidates_scanned do not add up to candidates_total",
        );
    }
    let files = answered.answer.as_ref().ok().and_then(|answer| answer.get("files_scanned"));
    if files.and_then(Value::as_u64) != total {
        return Some("candidates_total is not files_scanned");
    }
    let bypass = answered.word("exclusion_bypass_reason");
    match (answered.narrowed(), bypass, excluded) {
        (false, None, _) => Some("no exclusion, and no reason why"),
        (true, Some(_), _) => Some("exclusion, and a reason why not"),
        (false, _, 1..) => Some("files were excluded although none could be"),
        _ => None,
    }
}
