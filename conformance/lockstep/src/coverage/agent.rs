//! Which traps the drawn cases of the agent's tools contain.
//!
//! Responsible for: finding them in the case and in what the model answers. Not here: traps of
//! trees, which all tools share ([`super::tree_traps`]).

use serde_json::Value;
use touchstone_cases::case::Case;
use touchstone_model::agent::Answer;

use crate::compare::{Outcome, Traps};
use crate::observation::length;

/// The traps of one case, but for those of its answer.
pub(super) fn traps(case: &Case, outcome: &Outcome) -> Traps {
    let mut traps = request_traps(case);
    let refused = |word: &str| outcome.as_ref().is_err_and(|refusal| refusal.text("error") == word);
    let at = |field: &str| {
        outcome.as_ref().is_err_and(|refusal| refusal.text("field") == field)
            && !refused("path_not_allowed")
    };
    traps.extend([
        ("agent refused: invalid_query", refused("invalid_query")),
        ("agent refused: invalid_argument", refused("invalid_argument")),
        ("agent refused: path_not_allowed", refused("path_not_allowed")),
        ("agent refused: search_failed", refused("search_failed")),
        ("agent refused: max_results", at("max_results")),
        ("agent refused: offset", at("offset")),
        ("agent refused: file_type", at("file_type")),
        ("agent refused: include_path", at("include_path")),
        (
            "agent refused: the request itself",
            outcome.as_ref().is_err_and(|refusal| refusal.error.get("field").is_none()),
        ),
        (
            "agent refused: expression",
            refused("invalid_query") && case.request.get("regex") == Some(&Value::Bool(true)),
        ),
    ]);
    traps
}

/// The traps of an answer; `budget` is the most bytes that it may have.
pub(crate) fn answer_traps(case: &Case, answer: &Answer, budget: Option<u64>) -> Traps {
    let page = answer.page(answer.due());
    let mut traps = page_traps(case, &page);
    let too_long = budget.is_some_and(|budget| length(&page) > budget);
    traps.push(("agent budget: does not fit", too_long));
    traps.push(("agent later page", answer.offset() > 0 && answer.due() > 0));
    traps
}

fn page_traps(case: &Case, page: &Value) -> Traps {
    let list =
        |field: &str| page.get(field).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let results = list("results");
    let because = |reason: &str| list("incomplete_because").iter().any(|one| one == reason);
    let any = |test: &dyn Fn(&Value) -> bool| results.iter().any(test);
    let text = |one: &Value, field: &str| {
        one.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let is = |tool: &str| case.tool == tool && !results.is_empty();
    let output = case.request.get("output").and_then(Value::as_str).unwrap_or_default();
    let tied = |pair: &[Value]| matches!(pair, [one, other] if one.get("score").is_some() && one.get("score") == other.get("score"));
    let paths =
        |pair: &[Value]| matches!(pair, [one, other] if one.get("path") != other.get("path"));
    vec![
        ("agent answered", true),
        ("agent found by grep", is("grep")),
        ("agent found by find_files", is("find_files")),
        ("agent found by search_text", is("search_text")),
        ("agent nothing found", page.get("message").is_some()),
        ("agent complete", page.get("complete") == Some(&Value::Bool(true))),
        ("agent results in several files", results.windows(2).any(paths)),
        ("agent equal scores", results.windows(2).any(tied)),
        (
            "agent several matching lines",
            any(&|one| one.get("match_count").and_then(Value::as_u64) > Some(1)),
        ),
        ("agent line cut", any(&|one| one.get("cut").is_some())),
        (
            "agent line cut in front",
            any(&|one| (text(one, "match") + &text(one, "snippet")).starts_with('\u{2026}')),
        ),
        ("agent with context", any(&|one| one.get("context").is_some())),
        (
            "agent match beyond ASCII",
            any(&|one| !(text(one, "match") + &text(one, "snippet")).is_ascii()),
        ),
        ("agent files with their lines", output == "files" && !results.is_empty()),
        ("agent only counted", output == "count" && page.get("message").is_none()),
        (
            "agent no file eligible",
            list("notices")
                .iter()
                .any(|one| one.get("notice") == Some(&Value::from("nothing_eligible"))),
        ),
        ("agent found by substring", page.get("matched_by").is_some()),
        ("agent cut by max_results", because("max_results")),
        ("agent cut by max_files", because("max_files")),
        ("agent cut by max_file_size_bytes", because("max_file_size_bytes")),
        ("agent cut by errors", because("errors")),
    ]
}

fn request_traps(case: &Case) -> Traps {
    let request = &case.request;
    let asks = |field: &str| request.get(field).is_some();
    let is = |field: &str, value: &Value| request.get(field) == Some(value);
    let query = request.get("query").and_then(Value::as_str).unwrap_or_default();
    let is_camel = query.split_whitespace().any(|term| {
        let letters: Vec<char> = term.chars().collect();
        letters
            .iter()
            .zip(letters.iter().skip(1))
            .any(|(one, other)| one.is_lowercase() && other.is_uppercase())
    });
    vec![
        ("agent query: several terms", query.split_whitespace().count() > 1),
        (
            "agent query: phrase",
            query.trim_start().starts_with('"') && query.matches('"').count() > 1,
        ),
        ("agent query: camel case", is_camel),
        ("agent query: underscore", query.contains('_')),
        ("agent regex", is("regex", &Value::Bool(true))),
        ("agent case: insensitive", is("case", &Value::from("insensitive"))),
        ("agent case: sensitive", is("case", &Value::from("sensitive"))),
        ("agent directory", asks("directory")),
        ("agent not recursive", is("recursive", &Value::Bool(false))),
        ("agent include_path", asks("include_path")),
        ("agent exclude_path", asks("exclude_path")),
        ("agent include_path: one text", request.get("include_path").is_some_and(Value::is_string)),
        ("agent file_type", asks("file_type")),
        ("agent max_results", asks("max_results")),
        ("agent context_lines", asks("context_lines")),
        (
            "agent config: default_max_results",
            case.config.agent.integer("default_max_results").is_some(),
        ),
        (
            "agent config: default_context_lines",
            case.config.agent.integer("default_context_lines").is_some(),
        ),
        ("agent config: deny", !case.config.deny.is_empty()),
        ("agent config: working directory", !case.config.working_dir.is_empty()),
        ("agent pattern without slash", is_base_name(case)),
        (
            "agent pattern with slash",
            case.tool == "find_files" && asks("pattern") && !is_base_name(case),
        ),
    ]
}

fn is_base_name(case: &Case) -> bool {
    let pattern = case.request.get("pattern").and_then(Value::as_str);
    case.tool == "find_files" && pattern.is_some_and(|pattern| !pattern.contains('/'))
}
