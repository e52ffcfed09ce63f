//! Changes of a sound answer of the agent's tools into what a bug would have answered.
//!
//! Responsible for: the structured answer, changed where the bug is and otherwise the same. Not
//! here: which bug is which ([`super`]). Invariants: an answer without the expected fields comes
//! back as it is; nothing here panics.

use serde_json::{Map, Value, json};

use crate::observation::{COMPLETE, STRUCTURED};

/// The answer with its structured part changed; `None` if it stays as it is.
pub(super) fn changed(
    honest: &Value,
    change: impl FnOnce(&mut Map<String, Value>) -> Option<()>,
) -> Option<Value> {
    let mut bugged = honest.clone();
    change(bugged.get_mut(STRUCTURED)?.as_object_mut()?)?;
    if let Some(complete) = bugged.get(STRUCTURED)?.get("complete").cloned() {
        *bugged.get_mut(COMPLETE)? = complete;
    }
    Some(bugged)
}

/// The last result is lost on the way.
pub(super) fn last_result_lost(page: &mut Map<String, Value>) -> Option<()> {
    results(page)?.pop().map(drop)
}

/// What is counted is what is shown.
pub(super) fn total_of_page(page: &mut Map<String, Value>) -> Option<()> {
    let shown = results(page)?.len();
    page.insert("total".to_owned(), json!(shown));
    Some(())
}

/// Scores are lower than they should be.
pub(super) fn scores_off(page: &mut Map<String, Value>) -> Option<()> {
    for result in results(page)? {
        let score = result.get("score")?.as_f64()?;
        result.as_object_mut()?.insert("score".to_owned(), json!((score - 0.01).max(0.0)));
    }
    Some(())
}

/// A line less stands below the line that is shown.
pub(super) fn context_short(page: &mut Map<String, Value>) -> Option<()> {
    for result in results(page)? {
        result.get_mut("context")?.get_mut("after")?.as_array_mut()?.pop();
    }
    Some(())
}

/// Cut lines look whole, but for the mark that they have.
pub(super) fn cut_unsaid(page: &mut Map<String, Value>) -> Option<()> {
    for result in results(page)? {
        result.as_object_mut()?.remove("cut");
    }
    notices(page)?.retain(|notice| notice.get("notice").is_none_or(|name| name != "lines_cut"));
    Some(())
}

/// What did not fit is not mentioned.
pub(super) fn budget_unsaid(page: &mut Map<String, Value>) -> Option<()> {
    let reasons = page.get_mut("incomplete_because")?.as_array_mut()?;
    let at = reasons.iter().position(|reason| reason == "budget")?;
    reasons.remove(at);
    let complete = reasons.is_empty();
    page.insert("complete".to_owned(), json!(complete));
    page.remove("next_offset");
    notices(page)?.retain(|notice| notice.get("notice").is_none_or(|name| name != "budget"));
    Some(())
}

/// The first two results have changed places.
pub(super) fn order_swapped(page: &mut Map<String, Value>) -> Option<()> {
    let results = results(page)?;
    (results.len() > 1).then(|| results.swap(0, 1))
}

/// A page that is not the last looks like the last, but for the reason that it has.
pub(super) fn complete_said(page: &mut Map<String, Value>) -> Option<()> {
    let reasons = page.get("incomplete_because")?.as_array()?;
    reasons.iter().find(|reason| *reason == "max_results")?;
    page.insert("complete".to_owned(), json!(true));
    Some(())
}

fn results(page: &mut Map<String, Value>) -> Option<&mut Vec<Value>> {
    page.get_mut("results")?.as_array_mut()
}

fn notices(page: &mut Map<String, Value>) -> Option<&mut Vec<Value>> {
    page.get_mut("notices")?.as_array_mut()
}
