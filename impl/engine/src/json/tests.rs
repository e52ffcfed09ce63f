use super::*;

mod indexed;
mod search;
mod search_files;
mod toolbox;
mod typed;

#[test]
fn a_request_with_a_duplicate_key_is_refused_at_any_depth() {
    assert!(parse(r#"{"pattern":"a","pattern":"b"}"#).is_err());
    assert!(parse(r#"{"x":[{"a":1,"a":2}]}"#).is_err());
    assert_eq!(
        parse(r#"{"a":[1,-2,2.5,null,true,"s"]}"#).unwrap(),
        serde_json::json!({"a":[1,-2,2.5,null,true,"s"]})
    );
}

#[test]
fn a_json_text_with_more_than_ten_thousand_values_is_refused() {
    // The list, and its items.
    let list = |items: usize| format!("[{}]", vec!["0"; items].join(","));
    assert_eq!(parse(&list(MOST_VALUES - 1)).unwrap().as_array().unwrap().len(), 9_999);
    let error = parse(&list(MOST_VALUES)).unwrap_err().to_string();
    assert!(error.starts_with("more than 10000 values at "), "{error}");
    assert!(parse("1 2").is_err(), "a text is one value");
}

#[test]
fn the_logged_query_is_the_query_or_pattern_if_it_is_a_string() {
    for (request, query) in [
        (serde_json::json!({ "query": "a" }), Some("a")),
        (serde_json::json!({ "pattern": "b" }), Some("b")),
        (serde_json::json!({ "query": 5 }), None),
        (serde_json::json!([1]), None),
        (Value::Null, None),
    ] {
        assert_eq!(Json(&request).query(), query, "{request}");
    }
}

#[test]
fn requests_of_keyword_search_are_checked_field_by_field() {
    use crate::requests::Defaults;
    use serde_json::json;
    for (request, field) in [
        (json!({ "search_terms": ["a"] }), "query"),
        (json!({ "query": "q" }), "search_terms"),
        (json!({ "query": "q", "search_terms": "a" }), "search_terms"),
        (json!({ "query": "q", "search_terms": [], "max_results": 0 }), "search_terms"),
        (json!({ "query": "q", "search_terms": ["a"], "max_results": 201 }), "max_results"),
        (json!({ "query": "q", "search_terms": ["a"], "use_model": 1 }), "use_model"),
        (json!({ "query": 1, "search_terms": [1], "unknown": 1 }), "unknown"),
    ] {
        let defaults = Defaults {
            max_results: 20,
            context_lines: 2,
            reading: crate::requests::Reading::Documents,
        };
        let error = Json(&request).keyword_search(&defaults, false).unwrap_err();
        assert_eq!(error.field.as_deref(), Some(field), "{request}");
    }
}
