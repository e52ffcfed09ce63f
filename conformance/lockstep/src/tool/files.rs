//! `search_files`, whose answers are compared as JSON field by field, and byte for byte.
//!
//! Responsible for: what the model answers over each backend, the differences between an answer's
//! text and the model's, what a refusal's message has to name. Not here: taking the observation
//! ([`crate::subjects::forge`]); fields in general ([`crate::compare`]). Invariants: two answers
//! without a difference are the same bytes, for their length is what the budget counts; texts that
//! differ though their JSON is equal are a difference of their own, in `text`. It is the only tool
//! of which backends are expected to differ, and only where docs/search-files.md says so (checks 9
//! and 14).

use std::iter::once;

use serde_json::{Value, json};
use touchstone_cases::case::{Case, Tables};
use touchstone_model::search_files;

use crate::compare::{
    Answer, FieldDiff, Group, Outcome, Refusal, Traps, diff, leaf, text_differences,
};
use crate::coverage;
use crate::expected::Expected;
use crate::observation::{ALLOW_TRUNCATION, COMPLETE, FOUND, TEXT};

/// An answer: its text.
#[derive(Debug)]
struct Text(String);

/// What the model allows over each backend.
pub(super) fn expected(case: &Case, tables: Tables) -> Result<Expected, String> {
    let mut expected = Expected::allowed(&model(case, tables, true)?, outcome);
    let process = model(case, tables, false)?;
    let mut process: Vec<Outcome> = process.outcomes().iter().map(outcome).collect();
    let is_short = |refusal: &Refusal| refusal.text("field") == "max_output_bytes";
    // Below the sandbox root its name is shown, whose length no case knows.
    if expected.canonical.as_ref().is_err_and(is_short)
        && case.config.working_dir.is_empty()
        && let Some(config) = case.files_config(tables, true)
    {
        let smallest = search_files::smallest_budget(&case.world(), &config, &case.request);
        let others = expected.others.iter_mut().chain(&mut process);
        let refusals =
            once(&mut expected.canonical).chain(others).filter_map(|one| one.as_mut().err());
        refusals.filter(|one| is_short(one)).for_each(|one| one.names = smallest);
    }
    expected.process = Some(process);
    Ok(expected)
}

impl Answer for Text {
    fn json(&self) -> Value {
        read(&self.0)
    }

    fn differences(&self, observation: &Value) -> Vec<FieldDiff> {
        let mut found = match observation.get(TEXT).and_then(Value::as_str) {
            Some(got) => text_differences(&self.0, got),
            None => vec![leaf(TEXT, Some(&json!(self.0)), observation.get(TEXT))],
        };
        if found.is_empty() {
            found.extend(status_differences(&self.0, observation));
        }
        let flag = observation.get(ALLOW_TRUNCATION).unwrap_or(&Value::Null);
        diff(ALLOW_TRUNCATION, &json!(false), flag, &mut found);
        found
    }

    fn traps(&self, case: &Case) -> Traps {
        coverage::files::answer_traps(case, &self.0)
    }

    fn groups(&self, case: &Case) -> Vec<Group> {
        Group::of_matches(case, &self.json())
    }
}

/// What the model answers to a case by these tables, over the embedded backend or over a process.
///
/// # Errors
/// That the specification has no such preset.
pub fn model(case: &Case, tables: Tables, native: bool) -> Result<search_files::Allowed, String> {
    let config = case.files_config(tables, native).ok_or_else(|| case.no_preset())?;
    Ok(search_files::search_files(&case.world(), &config, &case.request))
}

/// An outcome of the model, as it is compared.
pub fn outcome(outcome: &search_files::Outcome) -> Outcome {
    match outcome {
        Ok(text) => Ok(Box::new(Text(text.clone()))),
        Err(refusal) => {
            let mut refusal = Refusal::from(refusal);
            if let Some(fields) = refusal.error.as_object_mut() {
                fields.insert(ALLOW_TRUNCATION.to_owned(), json!(false));
            }
            Err(refusal)
        }
    }
}

/// Where the exit status differs from the text.
fn status_differences(text: &str, answer: &Value) -> Vec<FieldDiff> {
    let Value::Object(fields) = read(text) else { return Vec::new() };
    let stats = fields.get("stats");
    let any = stats
        .and_then(|stats| stats.get("matches_total"))
        .and_then(Value::as_u64)
        .map(|total| total > 0);
    let says = [
        (FOUND, any.map(Value::from)),
        (COMPLETE, stats.and_then(|stats| stats.get("complete")).cloned()),
    ];
    let differing = says.into_iter().filter(|(field, says)| answer.get(*field) != says.as_ref());
    differing.map(|(field, says)| leaf(field, says.as_ref(), answer.get(field))).collect()
}

/// The answer's text as JSON, or as a string if it is none.
fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::differences;
    use touchstone_model::Refusal;

    fn fields(found: &[FieldDiff]) -> Vec<&str> {
        found.iter().map(|one| one.field.as_str()).collect()
    }

    fn observed(text: &str) -> Value {
        json!({ TEXT: text, ALLOW_TRUNCATION: false, FOUND: true, COMPLETE: true })
    }

    #[test]
    fn texts_are_compared_by_field_and_then_by_bytes() {
        let stats = r#""stats":{"matches_total":1,"complete":true}"#;
        let answer = outcome(&Ok(format!(r#"{{"a":1,"b":[1,2],{stats}}}"#)));
        let found = |text: &str| {
            let inside = text.trim_end_matches('}');
            differences(&answer, Ok(&observed(&format!("{inside},{stats}}}"))))
        };
        assert_eq!(found(r#"{"a":1,"b":[1,2]}"#), []);
        assert_eq!(fields(&found(r#"{"a":2,"b":[1,3]}"#)), ["a", "b[1]"]);
        for same in [r#"{"b":[1,2],"a":1}"#, r#"{"a":1, "b":[1,2]}"#, r#"{"a":1,"a":1,"b":[1,2]}"#]
        {
            assert_eq!(fields(&found(same)), ["text"], "{same}");
        }
        assert_eq!(fields(&found(r#"{"a":1,"b":[1"#)), ["text"]);
    }

    #[test]
    fn the_found_flag_must_agree_with_the_text() {
        let text = r#"{"stats":{"matches_total":0,"complete":true}}"#;
        let found = differences(&outcome(&Ok(text.to_owned())), Ok(&observed(text)));
        assert_eq!(fields(&found), [FOUND]);
    }

    #[test]
    fn different_escapes_of_one_character_are_a_difference() {
        assert_eq!(fields(&text_differences(r#"{"a":"\n"}"#, r#"{"a":"\u000a"}"#)), ["text"]);
        assert_eq!(fields(&text_differences(r#"{"a":0.8}"#, r#"{"a":0.80}"#)), ["text"]);
    }

    #[test]
    fn the_flag_allow_truncation_is_checked_for_refusals_too() {
        let refusal =
            outcome(&Err(Refusal { class: "BadArgs".to_owned(), field: "path".to_owned() }));
        let flag = format!("error.{ALLOW_TRUNCATION}");
        let mut error = json!({"class": "BadArgs", "field": "path", "message": "a sentence"});
        assert_eq!(fields(&differences(&refusal, Err(&error))), [flag.as_str()]);
        error[ALLOW_TRUNCATION] = json!(true);
        assert_eq!(fields(&differences(&refusal, Err(&error))), [flag.as_str()]);
        error[ALLOW_TRUNCATION] = json!(false);
        assert_eq!(differences(&refusal, Err(&error)), []);
    }

    #[test]
    fn a_budget_refusal_must_name_the_smallest_budget() {
        let mut refusal = outcome(&Err(Refusal {
            class: "ExecutionFailed".to_owned(),
            field: "max_output_bytes".to_owned(),
        }));
        refusal.as_mut().unwrap_err().names = Some(412);
        let found = |message: &str| {
            let error = json!({"class": "ExecutionFailed", "field": "max_output_bytes", "message": message,
                "allow_truncation": false});
            differences(&refusal, Err(&error))
        };
        assert_eq!(found("12 bytes are too few, 412 are needed"), []);
        assert_eq!(fields(&found("12 bytes are too few, 4120 are needed")), ["error.message"]);
    }
}
