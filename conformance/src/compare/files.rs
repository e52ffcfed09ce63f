//! Holds one observation of `search_files` against what the model allows: as JSON field by field,
//! and byte for byte.
//!
//! Responsible for: the differences between an answer's text and the model's; what a refusal's
//! message has to name. Left to neighbours: taking the observation ([`crate::subjects::forge`]);
//! fields in general ([`super`]). Invariants: two answers without a difference are the same bytes,
//! for their length is what the budget counts; texts that differ though their JSON is equal are a
//! difference of their own, in `text`.

use serde_json::{Value, json};
use touchstone_model::search_files;

use super::{
    Comparison, FieldDiff, Observed, diff, leaf, nearest, refusal_differences, refusal_json, whole,
};

/// The field of an observation that holds the answer's text.
pub const TEXT: &str = "text";

/// The field that holds whether anything was found, as the command line is told it.
pub const FOUND: &str = "found";

/// The field that holds whether nothing is missing, likewise.
pub const COMPLETE: &str = "complete";

/// The field that holds the context's flag of that name after the call, of answers and refusals
/// alike.
pub const ALLOW_TRUNCATION: &str = "allow_truncation";

/// Compares an observation with everything that the model allows. `smallest` is the number that the
/// message of a refusal for the budget has to name, if that is known.
pub fn compare(
    allowed: &search_files::Allowed,
    smallest: Option<u64>,
    observed: Observed<'_>,
) -> Comparison {
    let differences = |outcome: &search_files::Outcome| differences(outcome, smallest, observed);
    nearest(allowed.canonical(), allowed.outcomes(), differences)
}

/// The differences between one outcome and an observation; none if they are the same.
pub fn differences(
    outcome: &search_files::Outcome,
    smallest: Option<u64>,
    observed: Observed<'_>,
) -> Vec<FieldDiff> {
    let mut found = match (outcome, observed) {
        (Ok(text), Ok(answer)) => match answer.get(TEXT).and_then(Value::as_str) {
            Some(got) => {
                let mut found = text_differences(text, got);
                if found.is_empty() {
                    found.extend(status_differences(got, answer));
                }
                found
            }
            None => vec![leaf(TEXT, Some(&json!(text)), answer.get(TEXT))],
        },
        (Err(refusal), Err(error)) => {
            let mut found = refusal_differences(refusal, error);
            if let Some(smallest) = smallest.filter(|_| refusal.field == "max_output_bytes") {
                found.extend(unnamed(smallest, error));
            }
            found
        }
        (Ok(text), Err(error)) => vec![whole(read(text), json!({ "error": error }))],
        (Err(refusal), Ok(answer)) => {
            let text = answer.get(TEXT).and_then(Value::as_str).map_or(Value::Null, read);
            vec![whole(json!({ "error": refusal_json(refusal) }), text)]
        }
    };
    let (Ok(context) | Err(context)) = observed;
    if context.get(ALLOW_TRUNCATION) != Some(&json!(false)) {
        found.push(leaf(ALLOW_TRUNCATION, Some(&json!(false)), context.get(ALLOW_TRUNCATION)));
    }
    found
}

/// The differences between two answers' texts.
pub fn text_differences(expected: &str, got: &str) -> Vec<FieldDiff> {
    let texts = || leaf(TEXT, Some(&json!(expected)), Some(&json!(got)));
    match (serde_json::from_str(expected), serde_json::from_str(got)) {
        (Ok(a), Ok(b)) => {
            let mut found = Vec::new();
            diff("", &a, &b, &mut found);
            if found.is_empty() && expected != got {
                found.push(texts());
            }
            found
        }
        // One of them is no JSON at all; if both were, the same way, nothing would be wrong here.
        _ if expected == got => Vec::new(),
        _ => vec![texts()],
    }
}

/// Where what the command line is told is not what the text says.
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

/// What an outcome looks like as JSON.
pub fn outcome_json(outcome: &search_files::Outcome) -> Value {
    match outcome {
        Ok(text) => read(text),
        Err(refusal) => json!({ "error": refusal_json(refusal) }),
    }
}

/// The answer's text as JSON, or as a string if it is none.
fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}

/// The whole numbers in a text, in order.
pub fn numbers(text: &str) -> Vec<u64> {
    text.split(|character: char| !character.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
        .collect()
}

fn unnamed(smallest: u64, error: &Value) -> Option<FieldDiff> {
    let message = error.get("message");
    let named =
        message.and_then(Value::as_str).is_some_and(|text| numbers(text).contains(&smallest));
    let expected = json!(format!("a sentence with the smallest budget that works, {smallest}"));
    (!named).then(|| leaf("error.message", Some(&expected), message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchstone_model::Refusal;

    fn fields(found: &[FieldDiff]) -> Vec<&str> {
        found.iter().map(|one| one.field.as_str()).collect()
    }

    fn observed(text: &str) -> Value {
        json!({ TEXT: text, ALLOW_TRUNCATION: false, FOUND: true, COMPLETE: true })
    }

    #[test]
    fn texts_differ_by_field_and_only_otherwise_by_their_bytes() {
        let stats = r#""stats":{"matches_total":1,"complete":true}"#;
        let answer = Ok(format!(r#"{{"a":1,"b":[1,2],{stats}}}"#));
        let found = |text: &str| {
            let inside = text.trim_end_matches('}');
            differences(&answer, None, Ok(&observed(&format!("{inside},{stats}}}"))))
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
    fn what_the_command_line_is_told_has_to_be_what_the_text_says() {
        let text = r#"{"stats":{"matches_total":0,"complete":true}}"#;
        let found = differences(&Ok(text.to_owned()), None, Ok(&observed(text)));
        assert_eq!(fields(&found), [FOUND]);
    }

    #[test]
    fn escapes_of_one_character_are_not_the_same_bytes() {
        assert_eq!(fields(&text_differences(r#"{"a":"\n"}"#, r#"{"a":"\u000a"}"#)), ["text"]);
        assert_eq!(fields(&text_differences(r#"{"a":0.8}"#, r#"{"a":0.80}"#)), ["text"]);
    }

    #[test]
    fn the_contexts_flag_is_looked_at_whatever_came_of_the_call() {
        let refusal = Err(Refusal { class: "BadArgs".to_owned(), field: "path".to_owned() });
        let mut error = json!({"class": "BadArgs", "field": "path", "message": "a sentence"});
        assert_eq!(fields(&differences(&refusal, None, Err(&error))), [ALLOW_TRUNCATION]);
        error[ALLOW_TRUNCATION] = json!(true);
        assert_eq!(fields(&differences(&refusal, None, Err(&error))), [ALLOW_TRUNCATION]);
        error[ALLOW_TRUNCATION] = json!(false);
        assert_eq!(differences(&refusal, None, Err(&error)), []);
    }

    #[test]
    fn a_refusal_for_the_budget_names_the_smallest_that_works() {
        let refusal = Err(Refusal {
            class: "ExecutionFailed".to_owned(),
            field: "max_output_bytes".to_owned(),
        });
        let found = |message: &str| {
            let error = json!({"class": "ExecutionFailed", "field": "max_output_bytes", "message": message,
                "allow_truncation": false});
            differences(&refusal, Some(412), Err(&error))
        };
        assert_eq!(found("12 bytes are too few, 412 are needed"), []);
        assert_eq!(fields(&found("12 bytes are too few, 4120 are needed")), ["error.message"]);
    }
}
