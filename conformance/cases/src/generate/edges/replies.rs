//! Answers of a model at the limits of what is read of them, and what is sent and found at limits.

use serde_json::{Value, json};
use touchstone_model::generated::keyword::KEYWORD;

use super::limits::long;
use crate::case::{Case, Entry, KEYWORD_TOOL};
use crate::script::Script;

fn asked(says: &str) -> Case {
    let request = json!({"query": "needle", "search_terms": ["needle"], "use_model": true});
    let mut case = Case::of("", "a model's answer at a limit", KEYWORD_TOOL, request);
    case.model = Some(Script { says: says.to_owned(), fails: None });
    case.with(Entry::file("f", "needle\n"))
}

pub(super) fn replies() -> Vec<Case> {
    let limits = &KEYWORD.limits;
    let size = |limit: u64| usize::try_from(limit).unwrap_or_default();
    let list = r#"{"files": ["f"]}"#;
    let mut cases = Vec::new();
    // Without its last sign the inner list is still one.
    for bytes in limits.answer_bytes..=limits.answer_bytes + 2 {
        cases.push(asked(&format!("{}{list}", " ".repeat(size(bytes) - list.len()))));
    }
    for places in limits.answer_places - 1..=limits.answer_places {
        cases.push(asked(&format!("{}{list}", "{ ".repeat(size(places)))));
    }
    for bytes in limits.reason_bytes - 1..=limits.reason_bytes + 1 {
        let files = json!({"files": [{"path": "f", "reason": long(bytes)}]});
        cases.push(asked(&files.to_string()));
    }
    cases.extend((limits.sent_files - 1..=limits.sent_files + 1).map(many));
    cases.extend([best_lines(), selected(best_lines())]);
    cases.push(lacking());
    let numbered = cases.into_iter().enumerate();
    numbered.map(|(number, case)| Case { id: format!("reply-{number}"), ..case }).collect()
}

fn without_model(request: Value) -> Case {
    Case::of("", "a search without a model", KEYWORD_TOOL, request)
}

/// The same case with terms that are selected.
pub(super) fn selected(mut case: Case) -> Case {
    case.config.keyword = case.config.keyword.clone().with("skip_broad_terms", true);
    case
}

/// So many files beside another, of which a model names the last.
fn many(files: u64) -> Case {
    let case = asked(&json!({"files": [format!("g{files:04}")]}).to_string());
    (1..=files).fold(case, |case, number| {
        case.with(Entry::file(format!("g{number:04}"), "needle\n".repeat(6)))
    })
}

/// Files of which the terms, the weight and the place of lines decide which is the last that is
/// shown.
fn best_lines() -> Case {
    let terms = json!(["alpha", "beta", "gamma"]);
    let mut case = asked("No.");
    "lines beside the last that is shown".clone_into(&mut case.title);
    case.request = json!({"query": "alpha", "search_terms": terms, "use_model": true});
    let more = "alpha beta gamma\n".repeat(4);
    case.with(Entry::file("a.rs", format!("pub fn alpha() {{}}\n{more}alpha_x beta_x\n")))
        .with(Entry::file("b.rs", format!("alpha_x beta_x\n{more}alpha beta\n")))
        .with(Entry::file("c.rs", format!("alpha\n{more}pub fn alpha() {{}}\n")))
        .with(Entry::file("d.rs", format!("alpha\n{more}alpha\n")))
}

/// An answer without results that did not fit, without terms that were skipped, without files.
fn lacking() -> Case {
    let terms = json!(["needle", "thread"]);
    let request = json!({"query": "needle", "search_terms": terms, "use_model": false});
    let mut case = selected(without_model(request));
    case.config.keyword = case.config.keyword.clone().with("term_bytes", json!(1024));
    case.config.max_files = Some(3);
    case.config.max_file_size_bytes = Some(4_000);
    case.with(Entry::file("a", "needle\n".repeat(200)))
        .with(Entry::file("b", "thread\n"))
        .with(Entry::file("c", "needle\n".repeat(900)))
        .with(Entry::file("d", "thread\n"))
}

/// A secret that ends where lines are no longer looked at, and what stands behind it.
pub(super) fn long_secret() -> Case {
    let line = format!("password = \"{}\" abcdefgh", "a1B2c3D4".repeat(8_200));
    let limit = usize::try_from(KEYWORD.limits.redacted_bytes).unwrap_or_default();
    // The quotation mark and part of the letters lie within the limit.
    let over = line.len().saturating_sub(limit + 4);
    let line = line.replacen(&"a1B2c3D4".repeat(over / 8 + 1), &long((8 - over % 8) as u64), 1);
    let mut case = selected(asked(r#"{"files": []}"#));
    "long-secret".clone_into(&mut case.id);
    case.with(Entry::file("g", format!("needle\n{line}\n")))
}
