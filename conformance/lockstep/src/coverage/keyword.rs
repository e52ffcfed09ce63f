//! Which traps the drawn cases of `keyword_search` contain.
//!
//! Responsible for: finding them in the case and in what the model answers. Not here: traps of
//! trees, which all tools share ([`super::tree_traps`]).

use serde_json::Value;
use touchstone_cases::case::Case;
use touchstone_model::agent::keyword::Answer;

use crate::compare::{Outcome, Traps};
use crate::observation::length;

/// The traps of one case, but for those of its answer.
pub(super) fn traps(case: &Case, outcome: &Outcome) -> Traps {
    let refused = |word: &str| outcome.as_ref().is_err_and(|refusal| refusal.text("error") == word);
    let at = |field: &str| outcome.as_ref().is_err_and(|refusal| refusal.text("field") == field);
    let says = case.model.as_ref().map_or("", |script| script.says.as_str());
    let git = |above: bool| {
        let is_there =
            |path: &[u8]| path.starts_with(b"../.git") == above && path.ends_with(b".git");
        case.tree.iter().any(|entry| is_there(&entry.path))
    };
    vec![
        ("keyword refused: invalid_query", refused("invalid_query")),
        ("keyword refused: search_terms", at("search_terms") && refused("invalid_argument")),
        ("keyword refused: terms_too_broad", refused("terms_too_broad")),
        ("keyword refused: no_model", refused("no_model")),
        ("keyword config: working directory", !case.config.working_dir.is_empty()),
        ("keyword config: deny", !case.config.deny.is_empty()),
        ("keyword repository", git(false)),
        ("keyword repository above the sandbox", git(true)),
        ("keyword model thinks", says.contains("</think>")),
    ]
}

/// The traps of an answer; `budget` is the most bytes that it may have.
#[expect(clippy::too_many_lines, reason = "a table of traps")]
pub(crate) fn answer_traps(case: &Case, answer: &Answer, budget: Option<u64>) -> Traps {
    let page = answer.page(answer.due());
    let list =
        |field: &str| page.get(field).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let results = list("results");
    let any = |test: &dyn Fn(&Value) -> bool| results.iter().any(test);
    let count =
        |one: &Value, field: &str| one.get(field).and_then(Value::as_array).map_or(0, Vec::len);
    let told =
        |field: &str| page.get("model").and_then(|model| model.get(field)).and_then(Value::as_u64);
    let notice = |name: &str| {
        list("notices").iter().any(|one| one.get("notice").is_some_and(|one| one == name))
    };
    let because = |reason: &str| list("incomplete_because").iter().any(|one| one == reason);
    let skipped = |word: &str| {
        list("terms").iter().any(|one| one.get("skipped").is_some_and(|skipped| skipped == word))
    };
    let is_selected = case.config.keyword.flag("skip_broad_terms") == Some(true);
    let is_told = page.get("model").is_some();
    let names_one = |one: &Value| {
        let path = one.get("path").and_then(Value::as_str).unwrap_or_default();
        named(case).any(|named| path == named || path.ends_with(&format!("/{named}")))
    };
    let score = |one: &Value| one.get("score").and_then(Value::as_f64).unwrap_or_default();
    let data = answer.data().unwrap_or_default();
    let is_dry = answer.is_dry();
    let redacted = page.get("redacted").and_then(Value::as_u64).max(told("redacted"));
    let too_long = budget.is_some_and(|budget| length(&page) > budget);
    vec![
        ("keyword answered", !results.is_empty()),
        ("keyword nothing found", page.get("message").is_some()),
        (
            "keyword ranked by hits",
            page.get("ranked_by").is_some_and(|by| by == "hits") && !results.is_empty(),
        ),
        (
            "keyword ranked by the model",
            page.get("ranked_by").is_some_and(|by| by == "model") && !results.is_empty(),
        ),
        ("keyword several files", results.len() > 1),
        ("keyword several terms in a file", any(&|one| count(one, "terms") > 1)),
        (
            "keyword several scores",
            results.windows(2).any(|pair| pair.first().map(score) != pair.last().map(score)),
        ),
        (
            "keyword equal scores",
            results.windows(2).any(|pair| pair.first().map(score) == pair.last().map(score)),
        ),
        ("keyword any term", !is_selected && !results.is_empty()),
        ("keyword selected terms", is_selected && !results.is_empty()),
        ("keyword any term sent to a model", !is_selected && is_told),
        ("keyword selected terms sent to a model", is_selected && is_told),
        ("keyword score of nothing", any(&|one| score(one) <= 0.0)),
        (
            "keyword not all lines shown",
            any(&|one| one.get("match_count").and_then(Value::as_u64) > Some(5)),
        ),
        ("keyword line cut", any(&|one| one.get("cut").is_some())),
        ("keyword a reason of the model", any(&|one| one.get("model_reason").is_some())),
        ("keyword term skipped: too_broad", skipped("too_broad")),
        ("keyword term skipped: over_budget", skipped("over_budget")),
        (
            "keyword terms from query",
            !results.is_empty() && case.request.get("search_terms").is_none(),
        ),
        ("keyword names a file", any(&names_one)),
        ("keyword model not asked", notice("model_not_asked")),
        ("keyword model failed", notice("model_failed")),
        ("keyword model kept none", notice("model_kept_none")),
        ("keyword model dropped files", told("dropped_files") > Some(0)),
        ("keyword model dropped lines", told("dropped_lines") > Some(0)),
        ("keyword dry run", is_dry && !data.is_empty()),
        ("keyword dry run without data", is_dry && data.is_empty()),
        ("keyword redacted", redacted > Some(0)),
        ("keyword lines left out of data", data.contains("\n--\n")),
        ("keyword several files in data", data.contains("\n\n")),
        ("keyword long line in data", data.contains('\u{2026}')),
        ("keyword root elsewhere", page.get("root").is_some_and(|root| root != ".")),
        ("keyword cut by max_results", because("max_results")),
        ("keyword cut by errors", because("errors")),
        ("keyword cut by max_files", because("max_files")),
        ("keyword budget: does not fit", too_long && !is_dry && !results.is_empty()),
    ]
}

/// What names files in the query, as far as that can be seen at once.
fn named(case: &Case) -> impl Iterator<Item = &str> {
    let query = case.request.get("query").and_then(Value::as_str).unwrap_or_default();
    let is_of_one = |one: char| one.is_alphanumeric() || "_./-".contains(one);
    let references =
        query.split(move |one| !is_of_one(one)).map(|one| one.trim_end_matches(['.', '-']));
    references
        .map(|one| one.trim_start_matches("./"))
        .filter(|one| one.trim_matches('.').contains('.'))
}
