//! Changes of a sound answer of `keyword_search`, and of its request, into those of a bug.
//!
//! Responsible for: the structured answer and the prompts, changed where the bug is and otherwise
//! the same. Not here: which bug is which ([`super`]). Invariants: an answer without the expected
//! fields is unchanged; nothing here panics.

use serde_json::{Map, Value, json};
use touchstone_cases::case::{Case, Node};

use crate::observation::DATA;

/// A secret stands in the data.
pub(super) fn secret_sent(honest: &Value) -> Option<Value> {
    let data = honest.get(DATA)?.as_str()?;
    let told = data.contains("[redacted]").then(|| data.replacen("[redacted]", "hunter22", 1))?;
    let mut bugged = honest.clone();
    bugged.as_object_mut()?.insert(DATA.to_owned(), json!(told));
    Some(bugged)
}

/// The same case with room for any term, if it has little.
pub(super) fn with_room(case: &Case) -> Option<Case> {
    let mut case = case.clone();
    case.config.keyword.0.remove("term_bytes").map(|_| case)
}

/// The same case without entries `.git`.
pub(super) fn without_repositories(case: &Case) -> Option<Case> {
    let mut case = case.clone();
    let before = case.tree.len();
    let is_git = |path: &[u8]| path.split(|byte| *byte == b'/').any(|name| name == b".git");
    case.tree.retain(|entry| matches!(entry.node, Node::Fifo) || !is_git(&entry.path));
    (case.tree.len() < before && case.validate().is_ok()).then_some(case)
}

/// Nothing was dropped.
pub(super) fn drop_unsaid(page: &mut Map<String, Value>) -> Option<()> {
    let model = page.get_mut("model")?.as_object_mut()?;
    model.insert("dropped_files".to_owned(), json!(0));
    model.insert("dropped_lines".to_owned(), json!(0));
    let notices = page.get_mut("notices")?.as_array_mut()?;
    notices.retain(|notice| notice.get("notice").is_none_or(|name| name != "model_dropped"));
    Some(())
}

/// What a model ranked stands in path order.
pub(super) fn order_lost(page: &mut Map<String, Value>) -> Option<()> {
    page.get("ranked_by").filter(|by| *by == "model")?;
    let path = |row: &Value| row.get("path").and_then(Value::as_str).unwrap_or_default().to_owned();
    page.get_mut("results")?.as_array_mut()?.sort_by_key(path);
    Some(())
}
