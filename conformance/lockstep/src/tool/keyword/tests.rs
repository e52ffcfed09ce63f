use touchstone_cases::case::{Entry, Keys};
use touchstone_cases::script::Script;

use super::*;
use crate::compare::differences;
use crate::observation::{BYTES, ROOT, TEXT_BYTES, length};

fn case() -> Case {
    let request = json!({"query": "q", "search_terms": ["foo"], "use_model": true});
    let mut case = Case::of("a", "a", "keyword_search", request)
        .with(Entry::file("a", "foo\n"))
        .with(Entry::file("b", "foo\n"));
    case.model = Some(Script { says: "[\"b\", \"a\"]".to_owned(), fails: None });
    case
}

/// What production answers to a case if it is right.
fn right(case: &Case) -> Value {
    let answer = model(case, Tables::CURRENT, "{root}").unwrap().unwrap();
    let mut page = answer.page(answer.due());
    if let Some(model) = page.get_mut("model") {
        model["bytes_sent"] = json!(100);
    }
    json!({
        STRUCTURED: page, BYTES: length(&page), TEXT_BYTES: 10, COMPLETE: page["complete"], ROOT: "/tmp/root",
        ASKED: usize::from(answer.asked()), DATA: answer.data(), TOLD_BYTES: 100,
    })
}

/// What differs if the observation that is right is changed so.
fn found(change: impl Fn(&mut Value)) -> Vec<String> {
    let answer = model(&case(), Tables::CURRENT, "{root}").unwrap().unwrap();
    let outcome: Outcome = Ok(Box::new(KeywordAnswer { answer, budget: Some(10_000) }));
    let mut observation = right(&case());
    change(&mut observation);
    differences(&outcome, Ok(&observation)).into_iter().map(|one| one.field).collect()
}

#[test]
fn an_answer_is_compared_field_by_field() {
    assert_eq!(found(|_| {}), Vec::<String>::new());
    assert_eq!(found(|seen| seen[STRUCTURED]["root"] = json!("..")), ["root"]);
    assert_eq!(
        found(|seen| seen[STRUCTURED]["model"]["dropped_files"] = json!(1)),
        ["model.dropped_files"]
    );
    assert_eq!(found(|seen| seen[COMPLETE] = json!(false)), ["complete"]);
}

#[test]
fn text_sent_to_a_model_is_compared_exactly() {
    assert_eq!(found(|seen| seen[ASKED] = json!(2)), ["asked"]);
    assert_eq!(found(|seen| seen[DATA] = Value::Null), ["data"]);
    assert_eq!(found(|seen| seen[DATA] = json!("a\n1:foo\n\nb\n1:fox\n")), ["data[4]"]);
    assert_eq!(found(|seen| seen[TOLD_BYTES] = json!(300)), ["model.bytes_sent"]);
}

#[test]
fn swapped_results_are_reported_by_path() {
    let swapped = found(|seen| seen[STRUCTURED]["results"].as_array_mut().unwrap().swap(0, 1));
    assert_eq!(swapped, ["results[0].path", "results[1].path"]);
}

#[test]
fn a_refusal_is_compared_and_no_model_may_have_been_asked() {
    let mut case = case();
    case.config.keyword = Keys::default().with("term_bytes", 2).with("skip_broad_terms", true);
    let outcome = outcome(&case, model(&case, Tables::CURRENT, "{root}").unwrap());
    let error = |asked: u64| {
        json!({
            "error": "terms_too_broad", "code": "ACODE-SRC-010", "message": "m", "field": "search_terms",
            ROOT: "/tmp/root", ASKED: asked,
        })
    };
    assert_eq!(differences(&outcome, Err(&error(0))), []);
    let fields: Vec<String> =
        differences(&outcome, Err(&error(1))).into_iter().map(|one| one.field).collect();
    assert_eq!(fields, ["error.asked"]);
}

#[test]
fn an_answer_is_compared_independently_of_its_root() {
    let at = |root: &str, path: &str| {
        let mut observation = right(&case());
        observation[ROOT] = json!(root);
        observation[STRUCTURED]["results"][0]["path"] = json!(format!("{root}/{path}"));
        observation
    };
    let between = |one: &Value, other: &Value| -> Vec<String> {
        let found = crate::compare::between(Ok(one), Ok(other));
        found.into_iter().map(|one| one.field).collect()
    };
    assert_eq!(between(&at("/tmp/1", "b"), &at("/tmp/2", "b")), [""; 0]);
    assert_eq!(between(&at("/tmp/1", "b"), &at("/tmp/2", "c")), ["results[0].path"]);
}
